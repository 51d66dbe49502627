// SPDX-License-Identifier: MIT
// What the SSH tests share: a loop with an ssh in it, targets, and commands that are waited for.
#pragma once

#include "../unit/unit.h"
#include "server.h"
#include "ssh/transport.h"

struct client {
	struct loop *loop;
	struct ssh *ssh;
	struct ssh_options options;
	struct strv known_hosts, identities;
	struct host_key_rule host_key;
	// Answers to questions, and how many there were.
	const char *password, *passphrase, *sudo_password;
	bool is_key_trusted;
	int secret_questions, key_questions;
	char last_subject[256], last_other_type[64];
	struct strbuf log;
};

// Known hosts are in SERVER's folder, the identity is its user key; policy accept-new.
void client_init(struct client *client, const struct server *server);
void client_release(struct client *client);

// Opens a link to USER on the server.
struct ssh_link *client_open(struct client *client, const struct server *server, const char *user);
struct ssh_link *client_open_through(struct client *client, const struct server *server,
                                     const char *user, struct ssh_link *jump);

// What became of a command.
struct outcome {
	bool is_done;
	int status;
	struct strbuf out, err_out;
	struct err failure;
	int64_t end_ms;
};

#define OUTCOME_INIT                                                         \
	{                                                                        \
		false, -1, STRBUF_INIT(64 << 20), STRBUF_INIT(64 << 20), ERR_INIT, 0 \
	}

void outcome_release(struct outcome *outcome);
#define _cleanup_outcome_ __attribute__((cleanup(outcome_release)))

// For ssh_exec.done with an outcome as the context.
void outcome_done(void *context, const struct ssh_result *result, const struct err *failure);

// Runs ARGV and waits for its end.
void run_argv(struct client *client, struct ssh_link *link, const char *const *argv,
              struct outcome *ret);
// The same for a line for /bin/sh.
void run_line(struct client *client, struct ssh_link *link, const char *line, struct outcome *ret);
void run_exec(struct client *client, struct ssh_link *link, const struct ssh_exec *exec,
              struct outcome *ret);
// Goes on until *FLAG, or fails the test after LIMIT_MS.
void run_until(struct client *client, const bool *flag, int64_t limit_ms);

// Fails the test unless the command has ended with STATUS.
void assert_status(const struct outcome *outcome, int status);
// Fails the test unless it failed with KIND and TEXT in its message.
void assert_failure(const struct outcome *outcome, enum err_kind kind, const char *text);
