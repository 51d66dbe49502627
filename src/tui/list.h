// SPDX-License-Identifier: MIT
// Which rows of a view are shown, in which order, and which of them is selected. The selection follows the
// object when the order changes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "tui/filter.h"
#include "tui/view.h"

enum { TUI_SORT_AUTO = -1, TUI_ID_BYTES = 512 };

// The rows of SCOPE alone: the GPUs and pods of a node, or the pods of a job.
struct tui_scope {
	char node[TUI_ID_BYTES]; // "": all
	char job[TUI_ID_BYTES];  // "namespace/name"; "": all
};

struct tui_list {
	const struct tui_view *view;
	// What the user wants.
	struct tui_scope scope;
	int sort; // a column, or TUI_SORT_AUTO: the view's own order
	bool is_reverse;
	struct tui_filter *filter;   // NULL: all
	char selected[TUI_ID_BYTES]; // identity of the selected row
	bool is_chosen;              // the user selected it; else the first row is
	// What follows.
	size_t *rows;        // of the snapshot
	size_t count, total; // shown; before filter and scope
	size_t at;           // of the selected one in rows
	size_t top;          // the first that is drawn
	size_t generation;   // of the snapshot that rows belong to
};

// Puts the rows of the snapshot together again. With IS_LARGE the view's order for many rows holds. The
// selection stays with its object; where that is gone, at its place.
bool tui_list_update(struct tui_list *list, const struct mon_snapshot *s, bool is_large,
                     struct err *err) _nodiscard_;

// Selects the row number AT (of those shown) for the user; what is out of range becomes the first or last.
void tui_list_select(struct tui_list *list, const struct mon_snapshot *s, long at);

// Scrolls so that the selected row is among the VISIBLE.
void tui_list_scroll(struct tui_list *list, size_t visible);

// Selects the next row (or the one before) of which a text holds WORD; false where there is none.
bool tui_list_search(struct tui_list *list, const struct mon_snapshot *s, const char *word,
                     bool is_backwards);

void tui_list_release(struct tui_list *list);
