// SPDX-License-Identifier: MIT
// Commands on a channel: marks around their output, sudo's password, input, deadline.
#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "ssh/backend.h"
#include "ssh/marked.h"
#include "ssh/remote_script.h"

enum {
	OUTPUT_DEFAULT_BYTES = 1 << 20,
	TOKEN_RANDOM_BYTES = 12,
};

struct run {
	struct ssh_channel *channel;
	struct ssh_exec exec;
	bool has_begun; // the command itself
	struct marked streams[2];
	struct strbuf text[2];
	struct loop_timer deadline;
	struct secret password; // with a line feed, while it is on its way to sudo
	size_t password_sent, input_sent;
	unsigned prompts_answered;
	bool is_in_data, is_dropped; // freed when data() returns
};

static void run_free(void *owner)
{
	struct run *run = owner;

	if (run->is_in_data) {
		run->is_dropped = true;
		return;
	}
	loop_timer_stop(&run->deadline);
	for (size_t i = 0; i < 2; i++) {
		marked_release(&run->streams[i]);
		strbuf_release(&run->text[i]);
	}
	secret_release(&run->password);
	if (run->exec.free_context)
		run->exec.free_context(run->exec.context);
	mem_free(run);
}

// The one way to an end: tells the owner and lets go of the channel. RUN may be gone after it.
static void finish(struct run *run, const struct ssh_result *result, const struct err *failure)
{
	struct ssh_channel *channel = run->channel;
	_cleanup_err_ struct err wrapped = ERR_INIT;

	loop_timer_stop(&run->deadline);
	channel->owner = NULL; // the calls below may close the link
	ssh_channel_end(channel);
	if (failure) {
		ssh_copy_error(&wrapped, failure);
		if (strncmp(err_message(&wrapped), "ssh: ", 5) != 0)
			err_wrap(&wrapped, "ssh");
		ssh_log(channel->link, "%s", err_message(&wrapped));
	} else {
		ssh_log(channel->link, "the command ended with status %d", result->status);
	}
	run->exec.done(run->exec.context, result, failure ? &wrapped : NULL);
	run_free(run);
}

static void fail(struct run *run, enum err_kind kind, const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;

	err_set(&err, kind, "%s", text);
	finish(run, NULL, &err);
}

static void on_deadline(void *context)
{
	struct run *run = context;
	_cleanup_err_ struct err err = ERR_INIT;

	err_set(&err, ERR_UNREACHABLE, "the command has not ended after %.3g s",
	        (double)run->exec.timeout_ms / 1000);
	finish(run, NULL, &err);
}

static void opened(struct ssh_channel *channel)
{
	struct run *run = channel->owner;

	if (run->exec.timeout_ms > 0)
		loop_timer_set(channel->link->ssh->options.loop, &run->deadline, run->exec.timeout_ms,
		               on_deadline, run);
}

// Output

struct emission {
	struct run *run;
	enum ssh_stream stream;
};

static void emit(void *context, const char *data, size_t len)
{
	const struct emission *emission = context;
	struct run *run = emission->run;

	if (run->is_dropped)
		return;
	if (run->exec.output)
		run->exec.output(run->exec.context, emission->stream, data, len);
	else if (run->text[0].len + run->text[1].len + len > run->text[0].max)
		run->text[emission->stream].failed = run->text[emission->stream].is_over_max = true;
	else
		strbuf_add_n(&run->text[emission->stream], data, len);
}

// Sudo has asked. Gets the password on its way, or fails with *err.
static bool answer_sudo(struct run *run, struct err *err)
{
	struct ssh_link *link = run->channel->link;
	struct ssh_question question = {
		.kind = SSH_ASK_SUDO,
		.host = link->name,
		.user = link->user,
		.subject = "",
	};
	_cleanup_secret_ struct secret asked = SECRET_INIT;
	const struct secret *password = &link->sudo_password;
	char *line;

	if (run->prompts_answered++) {
		secret_release(&link->sudo_password);
		return err_set(err, ERR_AUTH, "sudo refuses the password");
	}
	if (!password->data) {
		if (!ssh_ask_secret(link->ssh, &question, &asked, err))
			return err_wrap(err, "sudo needs a password");
		password = &asked;
	}
	line = mem_alloc(password->len + 1);
	if (!line)
		return err_memory(err);
	memcpy(line, password->data, password->len);
	line[password->len] = '\n';
	run->password = (struct secret){line, password->len + 1};
	link->ssh->functions->wake(run->channel);
	return true;
}

// The command itself runs now: what sudo was told was right.
static void begin(struct run *run)
{
	struct secret *known = &run->channel->link->sudo_password;
	_cleanup_err_ struct err ignored = ERR_INIT; // it will be asked for again

	run->has_begun = true;
	if (run->password.data && !known->data &&
	    !secret_set(known, run->password.data, run->password.len - 1, &ignored))
		err_clear(&ignored);
	run->channel->link->ssh->functions->wake(run->channel); // for the input
}

static void succeed(struct run *run)
{
	struct ssh_result result = {
		.status = run->streams[SSH_OUT].status,
		.out = strbuf_get(&run->text[SSH_OUT]),
		.out_len = run->text[SSH_OUT].len,
		.err = strbuf_get(&run->text[SSH_ERR]),
		.err_len = run->text[SSH_ERR].len,
	};

	finish(run, &result, NULL);
}

static bool take_in(struct run *run, enum ssh_stream stream, const char *data, size_t len,
                    struct err *err)
{
	struct emission emission = {run, stream};

	if (!marked_feed(&run->streams[stream], data, len, emit, &emission, err))
		return false;
	if (run->is_dropped)
		return true;
	if (run->text[stream].failed) {
		if (run->text[stream].is_over_max)
			return err_set(err, ERR_FAILED, "the command wrote more than %zu bytes",
			               run->text[stream].max);
		return err_memory(err);
	}
	if (!run->has_begun && run->streams[SSH_OUT].state != MARKED_BEFORE)
		begin(run);
	return run->streams[SSH_ERR].prompts == run->prompts_answered || answer_sudo(run, err);
}

static void data(struct ssh_channel *channel, enum ssh_stream stream, const char *bytes, size_t len)
{
	struct run *run = channel->owner;
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_ok;

	run->is_in_data = true;
	is_ok = take_in(run, stream, bytes, len, &err);
	run->is_in_data = false;
	if (run->is_dropped)
		run_free(run);
	else if (!is_ok)
		finish(run, NULL, &err);
	else if (run->streams[SSH_OUT].state == MARKED_AFTER &&
	         run->streams[SSH_ERR].state == MARKED_AFTER)
		succeed(run);
}

// Input

static enum ssh_input input_from_memory(struct run *run, char *bytes, size_t max, size_t *ret_len)
{
	size_t left = run->exec.input_len - run->input_sent;

	*ret_len = left < max ? left : max;
	if (!*ret_len)
		return SSH_INPUT_END;
	memcpy(bytes, run->exec.input + run->input_sent, *ret_len);
	run->input_sent += *ret_len;
	return SSH_INPUT_SOME;
}

static enum ssh_input input(struct ssh_channel *channel, char *bytes, size_t max, size_t *ret_len)
{
	struct run *run = channel->owner;
	_cleanup_err_ struct err err = ERR_INIT;
	size_t left = run->password.len - run->password_sent;

	if (left) {
		*ret_len = left < max ? left : max;
		memcpy(bytes, run->password.data + run->password_sent, *ret_len);
		run->password_sent += *ret_len;
		return SSH_INPUT_SOME;
	}
	// What the login shell's own scripts would read is not for them; and without input there is
	// nothing to keep from them, so that a script that reads does not wait for ever.
	if (!run->has_begun && (run->exec.as_root || run->exec.input_len || run->exec.read_input))
		return SSH_INPUT_LATER;
	if (!run->exec.read_input)
		return input_from_memory(run, bytes, max, ret_len);
	if (!run->exec.read_input(run->exec.context, bytes, max, ret_len, &err)) {
		finish(run, NULL, &err);
		return SSH_INPUT_LATER;
	}
	return *ret_len ? SSH_INPUT_SOME : SSH_INPUT_END;
}

// The end of the channel before the command's own end, or right after its last word.

static void ended(struct ssh_channel *channel, const struct ssh_exit *exit,
                  const struct err *failure)
{
	struct run *run = channel->owner;
	_cleanup_strbuf_ struct strbuf noise = STRBUF_INIT(2 * MARKED_NOISE_BYTES + 2);
	_cleanup_err_ struct err err = ERR_INIT;

	if (run->streams[SSH_OUT].state == MARKED_AFTER) {
		succeed(run);
	} else if (failure) {
		finish(run, NULL, failure);
	} else if (!run->has_begun) {
		strbuf_add(&noise, strbuf_get(&run->streams[SSH_OUT].noise));
		strbuf_add_char(&noise, '\n');
		strbuf_add(&noise, strbuf_get(&run->streams[SSH_ERR].noise));
		remote_script_failure(strbuf_get(&noise), exit->status, &err);
		finish(run, NULL, &err);
	} else if (exit->signal[0]) {
		err_set(&err, ERR_FAILED, "the command was ended by signal %s", exit->signal);
		finish(run, NULL, &err);
	} else {
		fail(run, ERR_FAILED, "the command was cut off: the host has not said how it ended");
	}
}

// Starting

static const struct ssh_channel_events events = {opened, data, input, ended};

static bool make_token(char token[MARKED_TOKEN_BYTES], struct err *err)
{
	unsigned char random[TOKEN_RANDOM_BYTES];
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MARKED_TOKEN_BYTES - 1);

	if (!secret_random(random, sizeof(random), err))
		return false;
	strbuf_add(&text, "vpsml-");
	digest_add_hex(&text, random, sizeof(random));
	snprintf(token, MARKED_TOKEN_BYTES, "%s", strbuf_get(&text));
	return strbuf_ok(&text, err);
}

static bool make_command(struct run *run, struct err *err)
{
	const struct ssh_link *link = run->channel->link;
	_cleanup_strbuf_ struct strbuf command = STRBUF_INIT(512 << 10);
	bool can_answer = link->sudo_password.data || link->ssh->options.ask_secret;
	enum remote_root root = REMOTE_AS_USER;

	if (run->exec.as_root && strcmp(link->user, "root") != 0)
		root = can_answer ? REMOTE_SUDO : REMOTE_SUDO_ONLY;
	run->exec.as_root = root != REMOTE_AS_USER;
	if (!remote_script_add(&command, run->exec.argv, root, run->streams[0].token, err))
		return false;
	run->channel->command = strbuf_take(&command, err);
	return run->channel->command;
}

static struct run *run_new(const struct ssh_exec *exec, struct err *err)
{
	struct run *run = mem_alloc(sizeof(*run));
	size_t max = exec->max_output_bytes ? exec->max_output_bytes : OUTPUT_DEFAULT_BYTES;
	char token[MARKED_TOKEN_BYTES];

	if (!run) {
		err_memory(err);
		return NULL;
	}
	run->exec = *exec;
	run->exec.free_context = NULL; // not ours before all has gone well
	for (size_t i = 0; i < 2; i++)
		run->text[i] = (struct strbuf)STRBUF_INIT(max);
	if (!make_token(token, err)) {
		run_free(run);
		return NULL;
	}
	for (size_t i = 0; i < 2; i++)
		marked_init(&run->streams[i], token);
	return run;
}

bool ssh_exec(struct ssh_link *link, const struct ssh_exec *exec, uint64_t *ret_id, struct err *err)
{
	struct ssh_channel *channel;
	struct run *run = run_new(exec, err);

	if (!run)
		return err_wrap(err, "ssh");
	channel = ssh_channel_new(link, err);
	if (!channel) {
		run_free(run);
		return err_wrap(err, "ssh");
	}
	channel->kind = SSH_CHANNEL_EXEC;
	channel->events = &events;
	channel->owner = run;
	channel->free_owner = run_free;
	run->channel = channel;
	if (!make_command(run, err)) {
		ssh_channel_free(channel);
		return err_wrap(err, "ssh");
	}
	run->exec.free_context = exec->free_context;
	// Its arguments may be secrets.
	ssh_log(link, "command: %s%s", exec->argv[0], run->exec.as_root ? " (by sudo)" : "");
	*ret_id = channel->id;
	ssh_channel_start(channel);
	return true;
}
