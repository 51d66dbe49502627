// SPDX-License-Identifier: MIT
// Who the host is, against a real sshd.
#include "client.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static struct server server;
static struct client client;

static int stop(void **state)
{
	(void)state;
	client_release(&client);
	server_stop(&server);
	return 0;
}

static void start(const struct server_options *options)
{
	server_start(&server, options);
	client_init(&client, &server);
}

static int start_plain(void **state)
{
	(void)state;
	start(
		&(struct server_options){.config = "LogLevel VERBOSE", .host_key_types = "ed25519 ecdsa"});
	return 0;
}

// A client that has seen nothing yet and knows what is in known_hosts now.
static void start_anew(void)
{
	client_release(&client);
	client_init(&client, &server);
}

static void try_login(const char *user, struct outcome *ret)
{
	run_line(&client, client_open(&client, &server, user), "echo in", ret);
}

static void assert_login(const char *user)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	try_login(user, &outcome);
	assert_status(&outcome, 0);
	assert_string_equal(strbuf_get(&outcome.out), "in\n");
}

// Nothing but the key exchange has reached the server: nobody's name, no command.
static void assert_nothing_was_sent(void)
{
	assert_int_equal(shell("grep -E 'Postponed|Accepted|Failed|userauth|Starting session' %s/log",
	                       server.folder),
	                 1);
}

static void host_key_is_remembered_and_then_known(void **state)
{
	(void)state;
	assert_login("root");
	assert_int_equal(shell("ssh-keygen -F '[%s]:%u' -f %s/known_hosts >/dev/null", server.address,
	                       (unsigned)server.port, server.folder),
	                 0);
	start_anew();
	client.host_key.policy = HOST_KEY_STRICT;
	assert_login("root");
}

// k3sup#461, client.md C22: exit 6, and no command is sent.
static void k3sup_461_changed_host_key_is_refused(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	assert_login("root");
	start_anew();
	kill(server.pid, SIGTERM);
	waitpid(server.pid, NULL, 0);
	shell("cd %s && rm -f host_* log && for t in ed25519 ecdsa; do "
	      "ssh-keygen -q -t $t -N '' -f host_$t; done",
	      server.folder);
	server_restart(&server);
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "host key has changed: it is SHA256:");
	assert_int_equal(err_exit_status(outcome.failure.kind), 6);
	assert_nothing_was_sent();
}

static void unknown_host_key_is_refused_by_strict(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	client.host_key.policy = HOST_KEY_STRICT;
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "host key is not known: SHA256:");
	assert_nothing_was_sent();
}

static void unknown_host_key_is_asked_about(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	client.host_key.policy = HOST_KEY_ASK;
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "host key is not known");
	assert_int_equal(client.key_questions, 1);
	assert_nothing_was_sent();
	client.is_key_trusted = true;
	assert_login("root");
	assert_int_equal(client.key_questions, 2);
	assert_login("root");
	assert_int_equal(client.key_questions, 2);
}

static void nobody_to_ask_is_a_refusal(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	client.host_key.policy = HOST_KEY_ASK;
	client.options.ask_host_key = NULL;
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "host key is not known");
}

static void set_pin(const char *type)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1000);
	_cleanup_err_ struct err err = ERR_INIT;
	char path[128];

	assert_int_equal(shell("cd %s && ssh-keygen -lf host_%s.pub | cut -d' ' -f2 | tr -d '\\n' >pin",
	                       server.folder, type),
	                 0);
	snprintf(path, sizeof(path), "%s/pin", server.folder);
	assert_true(file_read(path, &text, &err));
	assert_true(host_key_rule_parse(strbuf_get(&text), &client.host_key, &err));
}

static void pinned_host_key(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	set_pin("ed25519");
	assert_login("root");
	client.host_key.pin[12] = client.host_key.pin[12] == 'A' ? 'B' : 'A';
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "is required");
}

static void revoked_host_key(void **state)
{
	_cleanup_outcome_ struct outcome outcome = OUTCOME_INIT;

	(void)state;
	shell("cd %s && echo \"@revoked * $(cut -d' ' -f1,2 host_ed25519.pub)\" >known_hosts",
	      server.folder);
	try_login("root", &outcome);
	assert_failure(&outcome, ERR_AUTH, "is revoked by");
	assert_nothing_was_sent();
}

static void hashed_host_name(void **state)
{
	(void)state;
	assert_login("root");
	shell("ssh-keygen -H -f %s/known_hosts >/dev/null 2>&1", server.folder);
	start_anew();
	client.host_key.policy = HOST_KEY_STRICT;
	assert_login("root");
}

// k0sctl#717, libssh2#1782: the type that is known is the one that is asked for.
static void k0sctl_717_known_key_type_comes_first(void **state)
{
	(void)state;
	shell("cd %s && echo \"[%s]:%u $(cut -d' ' -f1,2 host_ecdsa.pub)\" >known_hosts", server.folder,
	      server.address, (unsigned)server.port);
	client.host_key.policy = HOST_KEY_STRICT;
	assert_login("root");
}

#define PLAIN_TEST(name) cmocka_unit_test_setup_teardown(name, start_plain, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAIN_TEST(host_key_is_remembered_and_then_known),
		PLAIN_TEST(k3sup_461_changed_host_key_is_refused),
		PLAIN_TEST(unknown_host_key_is_refused_by_strict),
		PLAIN_TEST(unknown_host_key_is_asked_about),
		PLAIN_TEST(nobody_to_ask_is_a_refusal),
		PLAIN_TEST(pinned_host_key),
		PLAIN_TEST(revoked_host_key),
		PLAIN_TEST(hashed_host_name),
		PLAIN_TEST(k0sctl_717_known_key_type_comes_first),
	};

	cmocka_set_test_filter(getenv("VPSML_TEST")); // one of them, by name
	return cmocka_run_group_tests(tests, NULL, NULL);
}
