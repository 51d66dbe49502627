// SPDX-License-Identifier: MIT
// Inside src/http only: one request and its tries.
#pragma once

#include <stdint.h>

#include "base/strbuf.h"
#include "http/http.h"

struct pool;

enum call_state {
	CALL_QUEUED,
	CALL_RUNNING,
	CALL_PAUSED, // until due_ms, before the next try
};

struct call {
	struct call *next;
	struct pool *pool;
	uint64_t id;
	enum call_state state;
	bool is_cancelled; // its owner is gone: call nobody, free it at the next round
	struct http_request request;
	struct http_retry retry;
	int64_t due_ms;   // monotonic
	int64_t start_ms; // of this try, monotonic

	// This try.
	void *easy;       // CURL *
	void *headers;    // struct curl_slist *
	void *connect_to; // struct curl_slist *
	char error_text[256];
	struct http_response response;
	struct strbuf content_type, body;
	struct strv warnings;
	bool has_head;     // the headers of the answer are whole
	size_t body_bytes; // decoded, so far
	bool has_piece;    // the body callback got some
	bool was_sent;
	bool is_sent_again; // libcurl wanted to send a request twice that must go once
	struct err failure; // of our own callbacks
};

// What a failed try was.
enum call_loss {
	CALL_REFUSED, // asking again makes no sense
	CALL_LOST,    // the connection broke
};

// Owned by the pool's list once it is queued; fails on memory and on bad headers.
struct call *call_new(struct pool *pool, const struct http_request *request,
                      struct err *err) _nodiscard_;
void call_free(struct call *call);

// Makes the handle for the next try. LIMIT is the pool's: HTTP/1 only.
bool call_begin(struct call *call, bool is_http1_only, struct err *err) _nodiscard_;

// Frees the handle and what came of the try.
void call_reset(struct call *call);

// What libcurl's CODE means: sets *err.
enum call_loss call_failure(const struct call *call, int code, struct err *err);

// One line to the pool's log.
void pool_log(const struct pool *pool, int level, const char *format, ...) _printf_(3, 4);
bool pool_has_log(const struct pool *pool) _nodiscard_;

// For the Retry-After header.
int64_t pool_wall_ms(const struct pool *pool);
