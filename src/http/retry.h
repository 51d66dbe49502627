// SPDX-License-Identifier: MIT
// When a request is sent again, and after what pause. Pure: the caller brings time and dice.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

enum {
	HTTP_RETRY_MAX_WAIT_MS = 60 * 1000, // of all pauses of a request together
	HTTP_RETRY_TRIES = 5,               // where the server names no pause
	HTTP_RETRY_TRIES_ASKED = 10,        // where it does (Retry-After); client-go's figure
	HTTP_RETRY_FIRST_MS = 500,
};

// What a request allows.
enum http_retry_mode {
	HTTP_RETRY_NEVER,
	HTTP_RETRY_UNSAFE, // a second copy could act twice (POST): only where the server refused it
	HTTP_RETRY_SAFE,   // PUT, PATCH, DELETE: after any 429 and 5xx, not after a lost connection
	HTTP_RETRY_READ,   // GET: after a lost connection too
};

struct http_retry {
	enum http_retry_mode mode;
	int tries;         // made so far, the last one too
	int64_t waited_ms; // all pauses so far
};

// What came of the last try.
struct http_retry_outcome {
	int status;             // 0: the connection was lost before an answer was complete
	int64_t retry_after_ms; // from the header; -1: none
};

// True where another try is due after *ret_ms; RANDOM spreads the pauses of many clients.
bool http_retry_pause(const struct http_retry *retry, const struct http_retry_outcome *outcome,
                      uint32_t random, int64_t *ret_ms) _nodiscard_;

// The value of a Retry-After header (RFC 9110 10.2.3): seconds or a date, in ms from NOW_MS
// (wall clock) and at most HTTP_RETRY_MAX_WAIT_MS; -1 where it is neither. The past is 0.
int64_t http_retry_parse_header(const char *text, int64_t now_ms);
