// SPDX-License-Identifier: MIT
// Secrets that leave no copy behind, and random bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

// Overwrites memory; not left out by the optimizer.
void secret_wipe(void *data, size_t len);

// Text that is overwritten before its memory goes. NULL data: not known (an empty secret is "").
struct secret {
	char *data; // NUL-terminated, but may hold NULs
	size_t len;
};

#define SECRET_INIT \
	{               \
		NULL, 0     \
	}
#define _cleanup_secret_ _cleanup_(secret_release)

// Replaces SECRET by a copy.
bool secret_set(struct secret *secret, const char *data, size_t len, struct err *err) _nodiscard_;
void secret_release(struct secret *secret);

// Overwrites and frees a builder's text. The blocks that it outgrew are gone unwiped, so give it
// its final size first with secret_strbuf_reserve.
void secret_strbuf_release(struct strbuf *buf);
void secret_strbuf_reserve(struct strbuf *buf, size_t len);

// Cryptographically random bytes.
bool secret_random(void *ret, size_t len, struct err *err) _nodiscard_;
