// SPDX-License-Identifier: MIT
// Inside the libssh2 backend only. One thread, one session a host, never a call that waits.
//
//     libssh2_backend.c  links, turns, the function table
//     libssh2_connect.c  addresses, sockets, the jump host, and what is next in each state
//     libssh2_session.c  what libssh2 may use, handshake, reading and writing
//     libssh2_host_key.c who the host is
//     libssh2_auth.c     logging in; libssh2_key.c: what to log in with
//     libssh2_channel.c  channels: libssh2 wants a call that could not finish its write to be
//                        repeated before any other call that writes
#pragma once

#include "ssh/agent.h"
#include "ssh/backend.h"
#include "ssh/keyfile.h"
#include "ssh/resolve.h"

// libssh2.h itself is for the .c files.
typedef struct _LIBSSH2_SESSION LIBSSH2_SESSION;
typedef struct _LIBSSH2_CHANNEL LIBSSH2_CHANNEL;

enum {
	LINK_SNIFF_BYTES = 8192,
	LINK_MAX_OFFERS = 5,          // of keys: a server hangs up after 6 failures
	LINK_MAX_CHANNELS = 8,        // at a time; servers allow 10
	LINK_MAX_JUMPING = 8,         // links that connect through one jump host at a time
	LINK_TURN_BYTES = 256 << 10,  // read for one link before the others' turn
	LINK_CHANNEL_OPEN_MS = 30000, // for the server to answer
	LINK_CHANNEL_CLOSE_MS = 10000,
	LINK_ALIVE_MS = 15000, // between signs of life that we ask for
	LINK_SILENT_MS = 60000,
	CHANNEL_BLOCK_BYTES = 32 << 10,
};

// A private key file, read once for all links.
struct identity {
	struct identity *next;
	char *path;
	struct secret text; // empty where it could not be read
	struct keyfile file;
	char *public_text; // "TYPE BASE64", or NULL
	struct secret passphrase;
	char *trouble; // why it cannot be used, or NULL
	bool is_missing;
};

// The agent's keys, listed once for all links.
struct agent_cache {
	struct agent_cache *next;
	char *path;
	struct agent_keys keys;
	char *trouble;
};

// What the files of one list say, read once for all links.
struct hosts_cache {
	struct hosts_cache *next;
	struct strv files;
	struct known_hosts hosts;
};

struct backend {
	struct ssh ssh; // first
	struct identity *identities;
	struct agent_cache *agents;
	struct hosts_cache *hosts;
	uint64_t turns; // to queue links in order
	struct loop_deferred next_turn;
};

enum link_state {
	LINK_IDLE,
	LINK_QUEUED, // waits for its turn to connect
	LINK_PAUSED, // before the next try
	LINK_RESOLVING,
	LINK_CONNECTING,
	LINK_JUMPING, // the jump host opens a stream
	LINK_HANDSHAKE,
	LINK_AUTH,
	LINK_READY,
};

enum step { STEP_DONE, STEP_WAIT, STEP_FAILED };

// One way to log in.
struct offer {
	struct identity *identity;   // or
	const struct agent_key *key; // the agent's
};

enum auth_stage { AUTH_LIST, AUTH_KEYS, AUTH_INTERACTIVE, AUTH_PASSWORD, AUTH_OVER };

struct auth {
	enum auth_stage stage;
	bool can_key, can_password, can_interactive; // what the server offers
	struct offer offers[LINK_MAX_OFFERS];
	size_t offer_count, at;
	bool is_probing;  // asking whether the server takes an encrypted key
	bool is_accepted; // it does
	bool was_password_sent;
	int passphrase_tries;
	struct err failure;  // of a question; ends the attempt
	struct strbuf tried; // for the message
	struct strbuf server_methods;
	struct strbuf signature;
	bool has_rsa; // a key that this libssh2 cannot use with today's servers
};

struct channel;

struct link {
	struct ssh_link base; // first
	enum link_state state;
	uint64_t turn;
	int tries;
	int64_t first_try_ms;
	bool is_login_retried;      // the server had hung up while a person was asked
	struct loop_timer deadline; // of the state
	struct loop_timer alive;    // READY: the next sign of life
	struct loop_watch watch;
	struct loop_deferred pump;
	struct resolve *resolve;
	struct addrinfo *addresses, *address;
	int64_t connect_until_ms;
	uint64_t jump_id; // of the stream through the jump host; 0: none
	int fd;
	LIBSSH2_SESSION *session;
	unsigned char *sniffed; // what came first, for messages
	size_t sniffed_len;
	size_t received; // in all, before READY
	size_t budget;   // bytes left of this turn
	bool is_starved; // the budget ran out
	int64_t heard_ms;
	struct hosts_cache *hosts;
	bool is_dead;   // the socket is not to be used any more
	unsigned busy;  // calls in which it must not be freed
	bool is_closed; // freed when they return
	struct auth auth;
	struct secret password;  // that was right
	struct channel *blocked; // its last call must be repeated first
	struct channel *opening; // libssh2 opens one at a time
	size_t max_channels;     // that this host allows
	bool was_opened;         // it has allowed one on this connection
	unsigned generation;     // changes with the list of channels
};

enum channel_state {
	CHANNEL_QUEUED,
	CHANNEL_OPENING,
	CHANNEL_REQUESTING,
	CHANNEL_RUNNING,
	CHANNEL_CLOSING,
};

enum channel_call { CALL_NONE, CALL_WRITE, CALL_SEND_EOF, CALL_READ_OUT, CALL_READ_ERR };

struct channel {
	struct ssh_channel base; // first
	enum channel_state state;
	LIBSSH2_CHANNEL *handle;
	enum channel_call blocked; // which call must be repeated first
	char *block;               // what is being written
	size_t block_len, block_sent;
	bool is_input_over, is_eof_sent, is_input_awaited;
	bool is_resting; // after a refusal
	int rests;
	struct loop_timer deadline; // of the state, or of the rest
};

static inline struct link *link_of(struct ssh_link *base)
{
	return (struct link *)base;
}

static inline struct backend *backend_of(const struct link *link)
{
	return (struct backend *)link->base.ssh;
}

static inline struct loop *loop_of(const struct link *link)
{
	return link->base.ssh->options.loop;
}

// backend

// Ends the connection with *FAILURE, which it takes; tries again where RETRY and there is time.
// LINK may be closed after it, but not freed while it is busy.
void link_fail(struct link *link, struct err *failure, bool is_retry);
// The link has left the number of those that connect.
void link_next_turn(struct backend *backend);
// Between the two, the link is not freed, though it may be closed.
void link_enter(struct link *link);
void link_leave(struct link *link);

// connect
void link_connect(struct link *link);
void link_disconnect(struct link *link); // frees session, socket and addresses
void link_step(void *context);           // goes on with whatever the link is at

// session
bool link_session_begin(struct link *link, struct err *err) _nodiscard_;
void link_session_end(struct link *link);
// Lets libssh2 use those of NAMES that it knows; false if there are none.
bool link_set_methods(struct link *link, int method, const char *names);
enum step link_handshake_step(struct link *link, bool *ret_retry, struct err *err);
bool link_has_version(const struct link *link); // the server has said that it speaks SSH

// host key
void link_prefer_known_host_keys(struct link *link);
bool link_check_host_key(struct link *link, struct err *err) _nodiscard_;

// auth
bool link_auth_begin(struct link *link, struct err *err) _nodiscard_;
enum step link_auth_step(struct link *link, bool *ret_retry, struct err *err);
void link_auth_release(struct link *link);

// keys
struct identity *identity_get(struct backend *backend, const char *path);
const struct agent_cache *agent_get(struct backend *backend, const char *path);
bool identity_ask_passphrase(struct link *link, struct identity *identity, int tries,
                             struct err *err) _nodiscard_;
void keys_free(struct backend *backend);

// channel
// One turn for the channels of a connection that is READY; false with *err where it is lost.
bool link_channels_pump(struct link *link, struct err *err) _nodiscard_;

// What libssh2 says about its last failure, harmless: adds "WHAT: reason (code)".
void link_libssh2_failure(struct link *link, enum err_kind kind, const char *what, struct err *err);
bool link_would_block(struct link *link);
