// SPDX-License-Identifier: MIT
// HTTP requests in one pool of connections, without threads of ours: start some, then run the
// loop; their callbacks come from inside it. libcurl stays behind it.
//
//     http = http_new(&options, err);
//     http_start(http, &request, &id, err);
//     while (!is_done && http_run(http, 1000, err))
//         …
//
// A `struct http` is a table of functions, so that what stands on it is tested without a socket.
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strv.h"
#include "http/proxy.h"
#include "http/retry.h"

// What a server's certificate is checked against, and who we are. All in memory: nothing is ever
// written to a file. The texts are PEM; they are borrowed while a request runs.
struct http_tls {
	const char *ca;          // NULL: the system's
	const char *certificate; // NULL: none
	const char *key;
	const char *server_name; // sent and checked in place of the URL's host; NULL: that host
	bool is_unchecked;       // any certificate will do
};

// An answer, as far as it has come. Borrowed until the callback returns.
struct http_response {
	int status;
	const char *content_type;    // "" if none
	const struct strv *warnings; // the values of its Warning headers
	int64_t retry_after_ms;      // -1: not said
	const char *body;            // of any status, where no body callback took it; NUL-terminated
	size_t body_len;
	bool is_body_cut; // more than max_body_bytes came with a status that is no success
};

struct http_request {
	const char *method;
	const char *url;            // absolute
	const struct strv *headers; // "Name: value"; NULL: none
	const char *content;        // what is sent; NULL: nothing
	size_t content_len;
	const struct http_tls *tls;     // NULL: the system's certificates
	const struct http_proxy *proxy; // NULL: none
	enum http_retry_mode retry;
	int64_t connect_timeout_ms; // 0: 10 s
	int64_t timeout_ms;         // of each try, from its start to the last byte; 0: none
	size_t max_body_bytes;      // decoded; 0: 16 MiB. With a body callback 0 means no cap
	bool is_stream;             // stays open (watch, log): counts not among those in flight
	bool is_plain_body;         // ask for no compression

	// Called from http_run, in this order; CONTEXT is theirs. Only done must be there.
	// head: an answer with status 2xx has begun.
	void (*head)(void *context, const struct http_response *response);
	// body: a piece of a 2xx answer, decoded; false with *err ends the request.
	bool (*body)(void *context, const char *data, size_t len, struct err *err);
	// restart: forget the pieces, the same comes from the start; false where that cannot be.
	// Without it, an answer that breaks off after its first piece is not asked for again.
	bool (*restart)(void *context);
	// done: FAILURE is NULL, or RESPONSE is and *FAILURE says what failed. May start requests.
	// WAS_SENT: the server may have acted on the request.
	void (*done)(void *context, const struct http_response *response, const struct err *failure,
	             bool was_sent);
	void *context;
};

struct http;

struct http_functions {
	bool (*start)(struct http *http, const struct http_request *request, uint64_t *ret_id,
	              struct err *err);
	void (*cancel)(struct http *http, uint64_t id);
	size_t (*poll_fds)(struct http *http, struct pollfd *fds, size_t max);
	int (*poll_timeout)(struct http *http);
	bool (*dispatch)(struct http *http, const struct pollfd *fds, size_t count, struct err *err);
	void (*free)(struct http *http);
};

// The first member of every implementation.
struct http {
	const struct http_functions *functions;
};

enum { HTTP_MAX_IN_FLIGHT = 8 };

struct http_options {
	const struct clock *clock; // NULL: the system's
	bool is_http1_only;
	// One line about each request (level 1), its headers and its connection (level 2). Never
	// credentials. NULL: no log.
	void (*log)(void *context, int level, const char *line);
	void *log_context;
};

// The pool; owned by the caller.
struct http *http_new(const struct http_options *options, struct err *err) _nodiscard_;

// Queues REQUEST; done is called exactly once, unless it is cancelled. *REQUEST itself may go,
// what it points to stays until then. Fails (nothing is queued) on memory and on headers that
// hold control characters. At most HTTP_MAX_IN_FLIGHT run at once, the others wait their turn.
bool http_start(struct http *http, const struct http_request *request, uint64_t *ret_id,
                struct err *err) _nodiscard_;

// Ends a request without calling done. An id that is not running any more does nothing.
void http_cancel(struct http *http, uint64_t id);

// One round of the loop: waits at most TIMEOUT_MS (-1: as long as it takes) for something to
// happen and calls what is due. A signal ends the wait. Fails only where poll(2) or libcurl do.
bool http_run(struct http *http, int timeout_ms, struct err *err) _nodiscard_;

// The same in parts, for a loop that waits for other things too: what to poll for (up to MAX;
// returns how many there are), how long at most (-1: no limit), and what to call after it.
size_t http_poll_fds(struct http *http, struct pollfd *fds, size_t max);
int http_poll_timeout(struct http *http);
bool http_dispatch(struct http *http, const struct pollfd *fds, size_t count,
                   struct err *err) _nodiscard_;

// Cancels what runs.
void http_free(struct http *http);
void http_freep(struct http **http);
#define _cleanup_http_ _cleanup_(http_freep)
