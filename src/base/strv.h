// SPDX-License-Identifier: MIT
// A list of strings that it owns, NULL-terminated so that it can serve as an argv.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

struct strv {
	char **items; // NULL, or count strings and a NULL
	size_t count;
	size_t capacity;
};

#define STRV_INIT  \
	{              \
		NULL, 0, 0 \
	}
#define _cleanup_strv_ _cleanup_(strv_release)

// Appends a copy of TEXT (of its first LEN bytes).
bool strv_add(struct strv *list, const char *text, struct err *err) _nodiscard_;
bool strv_add_n(struct strv *list, const char *text, size_t len, struct err *err) _nodiscard_;

// Appends TEXT itself; on failure it is freed. NULL TEXT fails as out of memory.
bool strv_take(struct strv *list, char *text, struct err *err) _nodiscard_;

// Appends the pieces of TEXT between SEPARATORs, empty ones too; "" gives one empty piece.
bool strv_split(struct strv *list, const char *text, char separator, struct err *err) _nodiscard_;

// Is TEXT one of the items?
bool strv_contains(const struct strv *list, const char *text);
void strv_sort(struct strv *list); // by byte value
void strv_release(struct strv *list);
