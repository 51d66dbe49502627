// SPDX-License-Identifier: MIT
// Text for people: UTF-8, columns on a terminal, and making outside text harmless.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

// Decodes one character of the LEN bytes at DATA (LEN > 0). Returns the bytes it takes, or 0
// where they are not valid UTF-8 (RFC 3629: no overlong form, no surrogate, at most U+10FFFF).
size_t text_decode(const char *data, size_t len, uint32_t *ret_char);

// Are the LEN bytes at DATA valid UTF-8 throughout?
bool text_is_utf8(const char *data, size_t len) _nodiscard_;

// Columns that TEXT takes on a terminal: wide characters two, combining ones none, bytes that
// are not UTF-8 one. Depends on LC_CTYPE, as wcwidth does.
size_t text_width(const char *text);

// How text_sanitize treats line feeds and tabs.
enum text_lines {
	TEXT_ONE_LINE,   // LF and TAB are replaced too
	TEXT_KEEP_LINES, // LF and TAB stay
};

// Adds DATA to OUT so that a terminal can only print it: control characters in caret
// notation (ESC is ^[), and U+FFFD for what is not UTF-8, for C1 controls and for the
// characters that reorder or hide text (bidi, line separators, byte order mark).
void text_sanitize(struct strbuf *out, const char *data, size_t len, enum text_lines lines);

// The one of the COUNT words that TEXT most likely means (fewest edits, at most a third of
// its length), or NULL.
const char *text_nearest(const char *text, const char *const *words, size_t count);

// Adds TEXT to OUT in lines of at most WIDTH columns, broken at blanks; every line but the
// first starts with INDENT blanks. COLUMN is where the first line starts.
void text_wrap(struct strbuf *out, const char *text, size_t column, size_t indent, size_t width);
