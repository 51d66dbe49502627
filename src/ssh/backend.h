// SPDX-License-Identifier: MIT
// Inside src/ssh only: what a backend is. It brings links and raw channels; commands with their
// markers and sudo (exec.c), files (put.c) and forwards (forward.c) stand on those and are the
// same for every backend.
#pragma once

#include "ssh/transport.h"

struct ssh_functions {
	// A link, not connected; its part of *TARGET copied.
	struct ssh_link *(*open)(struct ssh *ssh, const struct ssh_target *target, struct err *err);
	// Starts connecting unless it is connected or on the way; ends in ssh_link_connected or
	// ssh_link_lost, never inside the call.
	void (*connect)(struct ssh_link *link);
	// A channel with its fields zeroed, not yet in the link's list.
	struct ssh_channel *(*channel_new)(void);
	// Something has changed on a channel: it was added, resumed, may write, or is to be closed.
	void (*wake)(struct ssh_channel *channel);
	// Drops a channel at once; it has left the list.
	void (*channel_free)(struct ssh_channel *channel);
	void (*close)(struct ssh_link *link); // its channels are gone
	void (*free)(struct ssh *ssh);        // its links are gone
};

// First member of every backend's own struct.
struct ssh {
	const struct ssh_functions *functions;
	struct ssh_options options;
	struct ssh_link *links;
	uint64_t last_id;
};

struct ssh_waiter {
	struct ssh_waiter *next;
	void (*done)(void *context, const struct err *failure);
	void *context;
};

// First member of every backend's own struct. ssh_open sets the fields, the backend reads them.
struct ssh_link {
	struct ssh_link *next;
	struct ssh *ssh;
	char *name, *address, *user, *known_as, *agent;
	uint16_t port;
	struct host_key_rule host_key;
	struct strv known_hosts, identities;
	bool is_identities_only;
	struct ssh_link *jump;
	bool is_connected;
	struct ssh_waiter *waiters;
	struct ssh_channel *channels; // in the order of their start
	struct secret sudo_password;  // once it was right
};

enum ssh_channel_kind { SSH_CHANNEL_EXEC, SSH_CHANNEL_FORWARD };

enum ssh_input { SSH_INPUT_SOME, SSH_INPUT_LATER, SSH_INPUT_END };

// How a remote program ended, as far as the host has said.
struct ssh_exit {
	int status;      // -1: not said
	char signal[32]; // harmless; "": none
};

struct ssh_channel_events {
	// The channel is open; for an exec, the host has accepted the command.
	void (*opened)(struct ssh_channel *channel);
	// What has come in. May be paused by it, not freed.
	void (*data)(struct ssh_channel *channel, enum ssh_stream stream, const char *data, size_t len);
	// What to send: up to MAX bytes into DATA. After LATER, ssh_functions.wake asks again.
	enum ssh_input (*input)(struct ssh_channel *channel, char *data, size_t max, size_t *ret_len);
	// It is over; the last event. Frees the channel with ssh_channel_end.
	void (*ended)(struct ssh_channel *channel, const struct ssh_exit *exit,
	              const struct err *failure);
};

// First member of every backend's own struct.
struct ssh_channel {
	struct ssh_channel *next;
	struct ssh_link *link;
	uint64_t id;
	enum ssh_channel_kind kind;
	char *command; // EXEC
	char *host;    // FORWARD
	uint16_t port;
	const struct ssh_channel_events *events;
	void *owner; // of the events
	void (*free_owner)(void *owner);
	bool is_paused;    // no data wanted now
	bool is_cancelled; // nobody listens any more: close it
};

// For exec.c and forward.c.

// A channel in LINK's list, or NULL. Set its fields, then call ssh_channel_start.
struct ssh_channel *ssh_channel_new(struct ssh_link *link, struct err *err) _nodiscard_;
void ssh_channel_start(struct ssh_channel *channel);
// The owner is done with it (and is freed); the backend closes it when it can.
void ssh_channel_end(struct ssh_channel *channel);

// For the backends.

// Takes the channel off the list and frees it with its owner.
void ssh_channel_free(struct ssh_channel *channel);
// The connection is there, or has ended with FAILURE. Calls the waiters, and ends all channels.
void ssh_link_connected(struct ssh_link *link);
void ssh_link_lost(struct ssh_link *link, const struct err *failure);
// One line to the log.
void ssh_log(const struct ssh_link *link, const char *format, ...) _printf_(2, 3);
// Asks for a secret; the loop's timers wait meanwhile.
bool ssh_ask_secret(struct ssh *ssh, const struct ssh_question *question, struct secret *ret,
                    struct err *err) _nodiscard_;

// A copy of *FAILURE in *RET, which is clear.
void ssh_copy_error(struct err *ret, const struct err *failure);

// The libssh2 backend; OPTIONS are complete.
struct ssh *ssh_libssh2_new(const struct ssh_options *options, struct err *err) _nodiscard_;
