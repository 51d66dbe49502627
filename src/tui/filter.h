// SPDX-License-Identifier: MIT
// The filter language: which rows are shown.
//
//     gpu<5 & alloc>0          fields of the view, numbers: = != < <= > >=
//     ns=ml | owner~anna       text: = != and ~ (contains); no case
//     !(state=free) & vram>40G  K M G T are binary units, s m h d times; % may stand behind a number
//     llama                    a bare word is in some text of the row
//
// What is not known compares with nothing: neither gpu<5 nor gpu>=5 holds for it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

enum tui_datum_type { TUI_NOTHING, TUI_NUMBER, TUI_TEXT };

// What a field of a row is.
struct tui_datum {
	enum tui_datum_type type;
	double number;
	const char *text; // borrowed
};

enum { TUI_FILTER_MAX_BYTES = 512, TUI_FILTER_MAX_DEPTH = 32 };

struct tui_filter;

// The filter that TEXT says, owned by the caller. FIELDS are the COUNT names that there are; another name
// is an error with the nearest one as hint. ERR_USAGE, or ERR_MEMORY.
struct tui_filter *tui_filter_parse(const char *text, const char *const *fields, size_t count,
                                    struct err *err) _nodiscard_;

// Gives the field number FIELD of the row.
typedef struct tui_datum tui_filter_get_fn(const void *context, size_t row, size_t field);

// Is the row to be shown?
bool tui_filter_holds(const struct tui_filter *filter, tui_filter_get_fn *get, const void *context,
                      size_t row);

// Does HAYSTACK hold NEEDLE, no matter the case of ASCII letters? "" is in everything.
bool tui_text_contains(const char *haystack, const char *needle);

void tui_filter_free(struct tui_filter *filter);
void tui_filter_freep(struct tui_filter **filter);
#define _cleanup_tui_filter_ _cleanup_(tui_filter_freep)
