// SPDX-License-Identifier: MIT
// Reads JSON (RFC 8259) token by token from chunks of any size, without building a tree.
//
//     json_pull_push(&p, data, len);
//     while (json_pull_next(&p, &token, err) && token != JSON_TOKEN_MORE)
//         …
//
// How the text is cut into chunks never changes the tokens, nor where an error is found.
// Stricter than many readers: strings are UTF-8, surrogates come in pairs, nesting has a limit.
// Memory: one kept text at a time. Most callers want base/json_pick.h, which stands on this.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

enum { JSON_PULL_MAX_DEPTH = 64, JSON_PULL_MAX_NUMBER_BYTES = 256 };

enum json_token {
	JSON_TOKEN_MORE, // the chunk is used up
	JSON_TOKEN_END,  // the input is over, after a whole document
	JSON_TOKEN_OPEN_OBJECT,
	JSON_TOKEN_CLOSE_OBJECT,
	JSON_TOKEN_OPEN_ARRAY,
	JSON_TOKEN_CLOSE_ARRAY,
	JSON_TOKEN_NAME, // of a member; its value follows
	JSON_TOKEN_STRING,
	JSON_TOKEN_NUMBER, // its text, as the input has it
	JSON_TOKEN_TRUE,
	JSON_TOKEN_FALSE,
	JSON_TOKEN_NULL,
};

struct json_pull {
	// Set by the caller between two tokens.
	bool is_text_kept;  // names and strings are wanted; else they are checked and dropped
	bool is_raw_wanted; // start a capture with the next value (see json_pull_raw)

	// Read by the caller.
	const char *text; // of NAME, NUMBER, and where kept of STRING; borrowed until the next call
	size_t text_len;  // bytes; TEXT need not end in a NUL
	size_t depth;     // open objects and arrays; 0 after a token: the document is whole

	// Its own.
	bool is_stream, is_ended, is_raw_open;
	const char *start, *at, *stop, *end; // of the chunk; no byte at STOP or behind is read
	uint64_t start_offset;               // of the chunk, in bytes from the start of the input
	uint64_t limit_offset;               // where reading ends with an error
	uint64_t limit_bytes;                // for the message
	uint64_t outer_limit_offset, outer_limit_bytes; // put back when a capture ends
	size_t max_text_bytes, max_raw_bytes;
	uint64_t objects; // bit N: level N is an object
	int state, lexeme, part;
	uint32_t unicode, high; // of \u, and the first half of a pair
	unsigned char utf8_left, utf8_low, utf8_high;
	bool is_text_buffered;
	size_t literal_at;
	struct strbuf buffer, raw;
	const char *raw_from;
};

#define _cleanup_json_pull_ _cleanup_(json_pull_release)

// MAX_TEXT_BYTES caps each kept text, MAX_RAW_BYTES each captured value. A stream holds any
// number of documents one after another (watch lines); otherwise there is exactly one.
void json_pull_init(struct json_pull *p, size_t max_text_bytes, size_t max_raw_bytes,
                    bool is_stream);

// Lends the next chunk, once the one before is used up (JSON_TOKEN_MORE).
void json_pull_push(struct json_pull *p, const char *data, size_t len);

// Says that no chunk follows.
void json_pull_end(struct json_pull *p);

// The next token. On failure *err names the byte (counted from 1), and P is done with.
// Kept text: escapes are resolved; \u0000 becomes U+FFFD, so that no text holds a NUL.
bool json_pull_next(struct json_pull *p, enum json_token *ret, struct err *err) _nodiscard_;

// True inside an object, at its own level.
bool json_pull_is_in_object(const struct json_pull *p) _nodiscard_;

// From the last token's end, at most BYTES more are read, then an error; UINT64_MAX: no limit.
void json_pull_limit(struct json_pull *p, uint64_t bytes);

// Ends the capture after the value's last token: its text exactly as the input has it,
// NUL-terminated, borrowed until the next capture.
bool json_pull_raw(struct json_pull *p, const char **ret, size_t *ret_len,
                   struct err *err) _nodiscard_;

// Starts over with new input; keeps settings and memory.
void json_pull_reset(struct json_pull *p);

void json_pull_release(struct json_pull *p);
