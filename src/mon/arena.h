// SPDX-License-Identifier: MIT
// Texts that live and die together: memory in large blocks, freed at once.
#pragma once

#include <stddef.h>

#include "base/attr.h"

struct mon_arena;

// An empty one, owned by the caller; NULL when memory is short.
struct mon_arena *mon_arena_new(void) _nodiscard_;

// A copy of the LEN bytes of TEXT with a NUL behind, in the arena; NULL when memory is short.
const char *mon_arena_text(struct mon_arena *arena, const char *text, size_t len) _nodiscard_;

// SIZE bytes of zeroed memory for any type; NULL when memory is short.
void *mon_arena_alloc(struct mon_arena *arena, size_t size) _nodiscard_;

void mon_arena_free(struct mon_arena *arena);
