// SPDX-License-Identifier: MIT
// Finds a number by a text, in constant time. It borrows the texts and never forgets one.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct mon_index;

enum { MON_INDEX_NONE = -1 };

// An empty one, owned by the caller; NULL when memory is short.
struct mon_index *mon_index_new(void) _nodiscard_;

// The place of KEY, which holds MON_INDEX_NONE where it is new; the caller then writes its number there
// before the next call. KEY must live as long as the index. NULL when memory is short.
long *mon_index_place(struct mon_index *index, const char *key) _nodiscard_;

// The number of KEY, or MON_INDEX_NONE.
long mon_index_find(const struct mon_index *index, const char *key);

void mon_index_free(struct mon_index *index);
