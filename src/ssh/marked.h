// SPDX-License-Identifier: MIT
// Inside src/ssh only: one stream of a remote command, of which only the part between our marks
// is the command's. What login scripts, banners and sudo write comes before. Pure.
//
// The marks are BEGIN = "TOKEN-b\n" and END = "TOKEN-e STATUS\n"; "TOKEN-p" is sudo's prompt, and
// counts before BEGIN only.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

enum { MARKED_TOKEN_BYTES = 48, MARKED_NOISE_BYTES = 4096 };

enum marked_state { MARKED_BEFORE, MARKED_INSIDE, MARKED_AFTER };

struct marked {
	char token[MARKED_TOKEN_BYTES];
	enum marked_state state;
	int status;          // AFTER: what END said
	unsigned prompts;    // how often sudo has asked
	struct strbuf held;  // may be the start of a mark
	struct strbuf noise; // the first of what came before BEGIN
};

void marked_init(struct marked *stream, const char *token);
void marked_release(struct marked *stream);

// Takes in LEN bytes and calls EMIT with what is the command's. False on memory.
bool marked_feed(struct marked *stream, const char *data, size_t len,
                 void (*emit)(void *context, const char *data, size_t len), void *context,
                 struct err *err) _nodiscard_;
