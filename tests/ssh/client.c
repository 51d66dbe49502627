// SPDX-License-Identifier: MIT
#include "client.h"

#include <string.h>

#include "base/mem.h"

static bool answer(const char *text, struct secret *ret, struct err *err)
{
	if (!text)
		return err_set(err, ERR_AUTH, "nobody is there to ask");
	return secret_set(ret, text, strlen(text), err);
}

static bool ask_secret(void *context, const struct ssh_question *question, struct secret *ret,
                       struct err *err)
{
	struct client *client = context;

	client->secret_questions++;
	snprintf(client->last_subject, sizeof(client->last_subject), "%s", question->subject);
	switch (question->kind) {
	case SSH_ASK_PASSPHRASE:
		return answer(client->passphrase, ret, err);
	case SSH_ASK_SUDO:
		return answer(client->sudo_password, ret, err);
	default:
		return answer(client->password, ret, err);
	}
}

static bool ask_host_key(void *context, const struct ssh_host_key_question *question, bool *ret_yes,
                         struct err *err)
{
	struct client *client = context;

	(void)err;
	client->key_questions++;
	snprintf(client->last_other_type, sizeof(client->last_other_type), "%s",
	         question->other_type ? question->other_type : "");
	*ret_yes = client->is_key_trusted;
	return true;
}

static void log_line(void *context, const char *host, const char *line)
{
	struct client *client = context;

	strbuf_addf(&client->log, "%s: %s\n", host, line);
}

void client_init(struct client *client, const struct server *server)
{
	_cleanup_err_ struct err err = ERR_INIT;
	char path[128];

	*client = (struct client){
		.host_key = {.policy = HOST_KEY_ACCEPT_NEW},
		.log = STRBUF_INIT(1 << 20),
	};
	snprintf(path, sizeof(path), "%s/known_hosts", server->folder);
	assert_true(strv_add(&client->known_hosts, path, &err));
	snprintf(path, sizeof(path), "%s/id", server->folder);
	assert_true(strv_add(&client->identities, path, &err));
	client->loop = loop_new(NULL, &err);
	client->options = (struct ssh_options){
		.loop = client->loop,
		.ask_secret = ask_secret,
		.ask_host_key = ask_host_key,
		.log = log_line,
		.context = client,
	};
}

static void start(struct client *client)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (client->ssh)
		return;
	client->ssh = ssh_new(&client->options, &err);
	if (!client->ssh)
		fail_msg("%s", err_message(&err));
}

void client_release(struct client *client)
{
	ssh_free(client->ssh);
	loop_free(client->loop);
	strv_release(&client->known_hosts);
	strv_release(&client->identities);
	strbuf_release(&client->log);
	*client = (struct client){0};
}

struct ssh_link *client_open_through(struct client *client, const struct server *server,
                                     const char *user, struct ssh_link *jump)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct ssh_target target = {
		.name = "host",
		.address = server->address,
		.port = server->port,
		.user = user,
		.known_hosts = &client->known_hosts,
		.identities = &client->identities,
		.host_key = client->host_key,
		.jump = jump,
	};
	struct ssh_link *link;

	start(client);
	link = ssh_open(client->ssh, &target, &err);
	if (!link)
		fail_msg("%s", err_message(&err));
	return link;
}

struct ssh_link *client_open(struct client *client, const struct server *server, const char *user)
{
	return client_open_through(client, server, user, NULL);
}

void outcome_release(struct outcome *outcome)
{
	strbuf_release(&outcome->out);
	strbuf_release(&outcome->err_out);
	err_clear(&outcome->failure);
}

void outcome_done(void *context, const struct ssh_result *result, const struct err *failure)
{
	struct outcome *outcome = context;

	assert_false(outcome->is_done); // once
	outcome->is_done = true;
	outcome->end_ms = clock_system.monotonic_ms(NULL);
	if (failure) {
		assert_null(result);
		err_set(&outcome->failure, failure->kind, "%s", err_message(failure));
		if (failure->hint)
			err_hint(&outcome->failure, "%s", failure->hint);
		return;
	}
	outcome->status = result->status;
	strbuf_add_n(&outcome->out, result->out, result->out_len);
	strbuf_add_n(&outcome->err_out, result->err, result->err_len);
}

void run_until(struct client *client, const bool *flag, int64_t limit_ms)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t until_ms = clock_system.monotonic_ms(NULL) + limit_ms;

	while (!*flag) {
		if (clock_system.monotonic_ms(NULL) > until_ms)
			fail_msg("not done after %d ms; log:\n%s", (int)limit_ms, strbuf_get(&client->log));
		if (!loop_run(client->loop, 1000, &err))
			fail_msg("%s", err_message(&err));
	}
}

void run_exec(struct client *client, struct ssh_link *link, const struct ssh_exec *exec,
              struct outcome *ret)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct ssh_exec full = *exec;
	uint64_t id;

	full.done = outcome_done;
	full.context = ret;
	if (!ssh_exec(link, &full, &id, &err))
		fail_msg("%s", err_message(&err));
	run_until(client, &ret->is_done, 120000);
}

void run_argv(struct client *client, struct ssh_link *link, const char *const *argv,
              struct outcome *ret)
{
	struct ssh_exec exec = {.argv = argv};

	run_exec(client, link, &exec, ret);
}

void run_line(struct client *client, struct ssh_link *link, const char *line, struct outcome *ret)
{
	const char *const argv[] = {"/bin/sh", "-c", line, NULL};

	run_argv(client, link, argv, ret);
}

void assert_status(const struct outcome *outcome, int status)
{
	if (outcome->failure.kind != ERR_NONE)
		fail_msg("%s", err_message(&outcome->failure));
	assert_int_equal(outcome->status, status);
}

void assert_failure(const struct outcome *outcome, enum err_kind kind, const char *text)
{
	if (outcome->failure.kind == ERR_NONE)
		fail_msg("no failure: status %d, \"%s\"", outcome->status, strbuf_get(&outcome->out));
	if (!strstr(err_message(&outcome->failure), text))
		fail_msg("\"%s\" is not in \"%s\"", text, err_message(&outcome->failure));
	assert_int_equal(outcome->failure.kind, kind);
}
