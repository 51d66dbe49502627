// SPDX-License-Identifier: MIT
// A growing string with a mandatory cap and a sticky failure.
//
// Invariants: `data` is NULL or NUL-terminated at `len`; `len` never exceeds `max`.
// Once an add fails (memory, or the cap), `failed` stays set and later adds do nothing:
// build the whole text, then check once with strbuf_ok or strbuf_take.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

struct strbuf {
	char *data;
	size_t len;      // bytes, without the NUL
	size_t capacity; // bytes allocated
	size_t max;      // the most that len may become, bytes
	bool failed;
	bool is_over_max; // it failed because of max, not of memory
};

#define STRBUF_INIT(max_bytes)                \
	{                                         \
		NULL, 0, 0, (max_bytes), false, false \
	}
#define _cleanup_strbuf_ _cleanup_(strbuf_release)

// Appending. What would make the text longer than max, or needs memory that is not there, is left
// out and fails the buffer; later adds do nothing.
void strbuf_add(struct strbuf *buf, const char *text);
void strbuf_add_n(struct strbuf *buf, const char *data, size_t len);
void strbuf_add_char(struct strbuf *buf, char c);
void strbuf_add_repeat(struct strbuf *buf, char c, size_t count);
void strbuf_addf(struct strbuf *buf, const char *format, ...) _printf_(2, 3);
void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args) _printf_(2, 0);

// The text so far, never NULL; borrowed until the next change.
const char *strbuf_get(const struct strbuf *buf);

// Forgets the text and the failure, keeps the memory.
void strbuf_clear(struct strbuf *buf);

// False, with *err set, if an add failed.
bool strbuf_ok(const struct strbuf *buf, struct err *err) _nodiscard_;

// The text, owned by the caller; NULL with *err set if an add failed. BUF is empty after it.
char *strbuf_take(struct strbuf *buf, struct err *err) _nodiscard_;

void strbuf_release(struct strbuf *buf);
