// SPDX-License-Identifier: MIT
// What json_pull.c and json_pull_string.c share.
#pragma once

#include "base/json_pull.h"

// What the grammar expects next.
enum json_pull_state {
	JSON_PULL_VALUE,
	JSON_PULL_FIRST_ELEMENT,
	JSON_PULL_FIRST_NAME,
	JSON_PULL_NAME,
	JSON_PULL_COLON,
	JSON_PULL_COMMA,
	JSON_PULL_BETWEEN, // documents
};

// The token that a chunk's end has cut.
enum json_pull_lexeme {
	JSON_PULL_NO_LEXEME,
	JSON_PULL_IN_NAME,
	JSON_PULL_IN_STRING,
	JSON_PULL_IN_NUMBER,
	JSON_PULL_IN_TRUE,
	JSON_PULL_IN_FALSE,
	JSON_PULL_IN_NULL,
};

// Goes on with the string at hand, behind its first quote.
bool json_pull_string(struct json_pull *p, enum json_token *ret, struct err *err) _nodiscard_;

// Sets *err to "JSON byte N: WHAT" and returns false.
bool json_pull_broken(const struct json_pull *p, struct err *err, const char *what);

// Adds to the text of the token at hand.
void json_pull_keep(struct json_pull *p, const char *data, size_t len);

// Sets *ret to TOKEN, which is or ends a value.
bool json_pull_value_ends(struct json_pull *p, enum json_token *ret, enum json_token token);

// No byte is left to read: JSON_TOKEN_MORE, JSON_TOKEN_END or an error.
bool json_pull_out_of_bytes(struct json_pull *p, enum json_token *ret, struct err *err) _nodiscard_;
