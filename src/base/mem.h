// SPDX-License-Identifier: MIT
// The one way to allocate memory, so that tests can make it fail.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

// Zeroed memory of SIZE bytes, or NULL. Free it with mem_free.
void *mem_alloc(size_t size) _nodiscard_;

// Like realloc: on failure NULL, and the old block stays valid. New bytes are not zeroed.
void *mem_resize(void *block, size_t size) _nodiscard_;

// Copies of a string, or of its first LEN bytes, NUL-terminated; NULL on failure.
char *mem_dup(const char *text) _nodiscard_;
char *mem_dup_n(const char *data, size_t len) _nodiscard_;

// Appends a copy of ITEM (SIZE bytes) to the array that ITEMS points to (a `T **`), which holds
// *COUNT of them. The array's room is always the next power of two. False on failure, with
// nothing changed.
bool mem_append(void *items, size_t *count, const void *item, size_t size) _nodiscard_;

void mem_free(void *block);

// For _cleanup_: frees the pointer that P points to.
void mem_freep(void *p);
#define _cleanup_free_ _cleanup_(mem_freep)

// Ask HOOK before each allocation, cJSON's too; true makes it fail. NULL: never ask.
// The hook is the one piece of global state beside the signal flag; only tests set it.
void mem_set_failure_hook(bool (*hook)(size_t size));
