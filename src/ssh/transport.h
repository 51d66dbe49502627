// SPDX-License-Identifier: MIT
// Hosts over SSH: connect, run commands, put files, forward a stream. All in the caller's loop,
// without waiting anywhere: what is asked for goes on while the loop runs, and callbacks tell.
//
//     ssh = ssh_new(&options, err);
//     link = ssh_open(ssh, &target, err);
//     ssh_exec(link, &exec, &id, err);              connects first, if need be
//     while (!is_done && loop_run(loop, -1, err))
//         …
//
// A lost connection fails what was running on it; the next request connects anew, and the host
// key is checked anew. Whatever a host sends is hostile: sizes have caps, steps have deadlines,
// and text from it is made harmless before it stands in a message.
//
// Callbacks come from the loop, never from inside the call that asked. Errors start with "ssh: ";
// the caller puts the host's name in front. Kinds: ERR_AUTH (host key or credentials refused),
// ERR_UNREACHABLE (no connection, or it was lost, or a deadline passed), ERR_FAILED.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/secret.h"
#include "base/strv.h"
#include "ssh/host_key.h"

struct ssh;      // a backend with its links
struct ssh_link; // the way to one host

enum ssh_backend {
	SSH_LIBSSH2,
	SSH_OPENSSH, // the system's ssh; not there yet: ssh_new says so
};

// Questions to the person who started us. The callbacks may wait; deadlines wait with them.

enum ssh_question_kind {
	SSH_ASK_PASSPHRASE, // of a key file
	SSH_ASK_PASSWORD,   // of the user on the host
	SSH_ASK_ANSWER,     // to what the host asks in its own words
	SSH_ASK_SUDO,       // password for sudo on the host
};

struct ssh_question {
	enum ssh_question_kind kind;
	const char *host; // the target's name; one of those that the passphrase is for
	const char *user;
	const char *subject; // the key's path, or the host's words, harmless; "" otherwise
	bool is_echo_wanted;
	int tries; // wrong answers before
};

struct ssh_host_key_question {
	const char *host;     // the target's name
	const char *known_as; // as it would stand in known_hosts
	uint16_t port;
	const char *type;        // ssh-ed25519, …
	const char *fingerprint; // SHA256:…
	const char *file;        // to which the key would be added
	const char *other_type;  // a type of key that is known for the host, but was not shown; or NULL
};

struct ssh_options {
	enum ssh_backend backend;
	struct loop *loop; // borrowed
	// Sets *RET, or fails with *err: nobody is there to ask, or they gave up. NULL: nobody is.
	bool (*ask_secret)(void *context, const struct ssh_question *question, struct secret *ret,
	                   struct err *err);
	// Sets *RET_YES, or fails with *err. NULL: keys that are not known are refused.
	bool (*ask_host_key)(void *context, const struct ssh_host_key_question *question, bool *ret_yes,
	                     struct err *err);
	// A line about what happens with a host, harmless, never a secret. NULL: no log.
	void (*log)(void *context, const char *host, const char *line);
	void *context; // of these
	// Limits in ms; 0 takes the number in brackets.
	int64_t connect_ms; // TCP, all addresses together [10 s]
	int64_t banner_ms;  // from there to the server's first line [15 s]
	int64_t auth_ms;    // for the key exchange, and again for logging in [30 s]
	int64_t retry_ms;   // a server that hangs up before its banner is tried again this long [60 s]
	size_t max_connecting; // links that connect at a time; the others wait their turn [32]
};

struct ssh_target {
	const char *name;    // what the user calls the host
	const char *address; // name or number to connect to; NULL: the name
	uint16_t port;       // 0: 22
	const char *user;
	const char *known_as;           // in known_hosts; NULL: the address
	const struct strv *known_hosts; // files; keys are added to the first; NULL: none
	struct host_key_rule host_key;
	const struct strv *identities; // private keys, in the order in which to try them; NULL: none
	const char *agent;             // its socket; NULL: none
	bool is_identities_only;       // of the agent's keys, only those that are identities too
	struct ssh_link *jump;         // connect from there; NULL: directly. Must outlive this link
};

// A backend, without links. Fails where OPTIONS ask for a backend that is not there.
struct ssh *ssh_new(const struct ssh_options *options, struct err *err) _nodiscard_;

// A link, not connected yet. TARGET is copied.
struct ssh_link *ssh_open(struct ssh *ssh, const struct ssh_target *target,
                          struct err *err) _nodiscard_;

// Makes sure that the link is connected and logged in. DONE is called once: with NULL, or with
// why not.
bool ssh_connect(struct ssh_link *link, void (*done)(void *context, const struct err *failure),
                 void *context, struct err *err) _nodiscard_;

// A command.

enum ssh_stream { SSH_OUT, SSH_ERR };

struct ssh_result {
	int status;      // of the command: 0 to 255
	const char *out; // what it wrote, where no output callback took it; NUL-terminated
	size_t out_len;
	const char *err; // likewise; not harmless
	size_t err_len;
};

struct ssh_exec {
	const char *const *argv; // NULL-terminated; run by /bin/sh with LC_ALL=C, no terminal
	bool as_root;            // by sudo, unless the user is root
	const char *input;       // standard input; borrowed until done; NULL: empty
	size_t input_len;
	// Or standard input in pieces: up to MAX bytes into DATA; 0 is the end. NULL: from `input`.
	bool (*read_input)(void *context, char *data, size_t max, size_t *ret_len, struct err *err);
	int64_t timeout_ms;      // from its start on the host to its end; 0: none
	size_t max_output_bytes; // of both streams; more is an error; 0: 1 MiB
	// Takes a piece of output, without a cap. NULL: it is gathered.
	void (*output)(void *context, enum ssh_stream stream, const char *data, size_t len);
	// Called exactly once, unless it is cancelled. FAILURE is NULL, or RESULT is. A command that
	// ran and ended with a status other than 0 is no failure.
	void (*done)(void *context, const struct ssh_result *result, const struct err *failure);
	void (*free_context)(void *context); // after done, and where it is cancelled; NULL: nothing
	void *context;
};

// Queues a command; it waits for the connection, and for its turn (8 at a time on a link, less
// where the host allows less). On failure CONTEXT is the caller's to free. EXEC may go after the call; what it points to, but argv, stays.
bool ssh_exec(struct ssh_link *link, const struct ssh_exec *exec, uint64_t *ret_id,
              struct err *err) _nodiscard_;

// Ends a command, a file or a forward without calling done; what runs on the host may go on. An id
// that has ended does nothing.
void ssh_cancel(struct ssh_link *link, uint64_t id);

struct ssh_put {
	const char *path; // on the host, absolute; replaced as a whole or not at all
	const char *data; // borrowed until done
	size_t len;
	unsigned mode; // 0600, 0644, …
	bool as_root;
	int64_t timeout_ms; // 0: none
	void (*done)(void *context, const struct err *failure);
	void *context;
};

// Writes a file: through `cat` into a new one beside it, whose SHA-256 the host compares before it
// takes the old one's place. The folder must be there.
bool ssh_put(struct ssh_link *link, const struct ssh_put *put, uint64_t *ret_id,
             struct err *err) _nodiscard_;

// A byte stream from here to HOST:PORT as seen from the link's host. *RET_FD is our end of it, a
// connected local socket, the caller's to close; it can be used at once and waits for the
// connection. ENDED (may be NULL) is called when the stream is over: with NULL, or with why.
// HOST and PORT go to the host as they are.
bool ssh_forward(struct ssh_link *link, const char *host, uint16_t port,
                 void (*ended)(void *context, const struct err *failure), void *context,
                 uint64_t *ret_id, int *ret_fd, struct err *err) _nodiscard_;

// Is the link logged in, and what was its target's name?
bool ssh_is_connected(const struct ssh_link *link);
const char *ssh_name(const struct ssh_link *link);

// Ends the link and all that runs on it, without calling anybody.
void ssh_close(struct ssh_link *link);

// Closes the links that are left.
void ssh_free(struct ssh *ssh);
void ssh_freep(struct ssh **ssh);
#define _cleanup_ssh_ _cleanup_(ssh_freep)
