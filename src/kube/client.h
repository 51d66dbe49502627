// SPDX-License-Identifier: MIT
// Requests to an API server: who we are, retries of what was refused for tired credentials, Status
// errors, Warning headers. Lists and watches stand on it (kube/list.h, kube/watch.h).
//
// Calls are started and then run by the loop; any number at a time share one pool of connections.
//
//     kube_client_start(client, &call, &id, err);          call.done comes from the loop
//     while (!is_done && loop_run(loop, -1, err))
//         …
//     kube_client_get(client, path, &body, &status, err);   the same, waiting for the answer
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "kube/access.h"
#include "kube/status.h"

struct kube_client;

struct kube_client_options {
	struct kube_access *access; // borrowed
	struct http *http;          // borrowed
	struct loop *loop;          // borrowed; the client adds HTTP to its sources
	int64_t timeout_ms;         // --request-timeout; 0: 30 s for calls, 60 s for lists
	// A Warning header's text, each once.
	void (*warn)(void *context, const char *text);
	void *context;
};

// Owned by the caller; fails on memory alone. Nothing is sent yet.
struct kube_client *kube_client_new(const struct kube_client_options *options,
                                    struct err *err) _nodiscard_;

// Ends what runs, without calling anybody.
void kube_client_free(struct kube_client *client);
void kube_client_freep(struct kube_client **client);
#define _cleanup_kube_client_ _cleanup_(kube_client_freep)

// How long the oldest request that wants an answer soon (no watch, no log) has been waiting for it, in
// ms; -1: there is none.
int64_t kube_client_waits_ms(const struct kube_client *client);

// What it was made with, borrowed.
struct loop *kube_client_loop(const struct kube_client *client);
const char *kube_client_namespace(const struct kube_client *client); // the default one

// What came of a call. Borrowed until the callback returns.
struct kube_result {
	int status;       // of HTTP; 0: no answer
	const char *body; // of a success, where no body callback took it
	size_t body_len;
	const struct kube_status *refusal; // what the server said no with, or NULL
	const struct err *failure;         // NULL: success. Holds the refusal's words too
	int64_t retry_after_ms;            // that the server asks to wait; -1: nothing said
	bool was_sent;                     // the server may have acted on it
};

struct kube_call {
	const char *method;                 // GET, POST, …
	const char *path;                   // with its query
	const char *content_type, *content; // NULL: nothing is sent
	bool is_stream;     // a watch or a log: may stay open, without a limit of its own
	bool is_tried_once; // a refusal for now (429, 503) is for the caller to handle
	int64_t timeout_ms; // 0: the client's
	bool wants_no_json; // accept anything: a log
	const char *accept; // another form of JSON; stays where it is. NULL: as it is
	// Where the client has none either; 0: 30 s.
	int64_t usual_timeout_ms;
	// A piece of the answer; false with *err ends the call. NULL: the body comes with the result.
	bool (*body)(void *context, const char *data, size_t len, struct err *err);
	// Forget the pieces: they come again from the start. False where that cannot be.
	bool (*restart)(void *context);
	void (*done)(void *context, const struct kube_result *result);
	void *context;
};

// Strings are copied. done is called exactly once, unless it is cancelled.
bool kube_client_start(struct kube_client *client, const struct kube_call *call, uint64_t *ret_id,
                       struct err *err) _nodiscard_;
void kube_client_cancel(struct kube_client *client, uint64_t id);

// An answer that a waiting call brings.
struct kube_reply {
	int status; // of HTTP; 0: none
	char *body; // NUL-terminated
	size_t body_len;
	struct kube_status refusal; // code 0: none
	bool was_sent;
};

#define _cleanup_kube_reply_ _cleanup_(kube_reply_release)

// Runs the loop until the answer is there; other calls go on meanwhile. False with *err on a
// refusal too; *ret tells it then (release it in any case). FLAG_OF may be NULL.
bool kube_client_call(struct kube_client *client, const char *method, const char *path,
                      const char *content_type, const char *content, kube_flag_of_field_fn *flag_of,
                      struct kube_reply *ret, struct err *err) _nodiscard_;

void kube_reply_release(struct kube_reply *reply);
