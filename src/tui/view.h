// SPDX-License-Identifier: MIT
// A view is a list of rows of one kind and the columns that it can show. One engine sorts, filters and
// draws all of them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "mon/model.h"
#include "tui/canvas.h"
#include "tui/filter.h"

enum tui_view_id {
	TUI_VIEW_NODES,
	TUI_VIEW_GPUS,
	TUI_VIEW_PODS,
	TUI_VIEW_JOBS,
	TUI_VIEW_QUEUE,
	TUI_VIEW_ALERTS,
	TUI_VIEWS,
};

// Where a cell is drawn.
struct tui_pen {
	struct tui_canvas *canvas;
	const struct mon_snapshot *s;
	int row, column, width;
	bool is_right; // text ends at the right end
};

enum tui_place { TUI_ANYWHERE, TUI_IN_LIST, TUI_IN_PANEL }; // of all; of one node

struct tui_column {
	const char *title;
	const char *field;  // its name for filters and sorting; NULL: none
	short width;        // at least; 0: the field alone, never drawn
	short widest;       // it grows to this where there is room
	unsigned char drop; // 0: always there; else the highest goes first
	bool is_right;
	enum tui_place place;
	struct tui_datum (*datum)(const struct mon_snapshot *s, size_t row); // NULL: nothing to sort by
	void (*draw)(const struct tui_pen *pen, size_t row);                 // NULL: the datum as text
};

struct tui_view {
	const char *name; // also of its panel
	char key;         // that shows it
	const struct tui_column *columns;
	size_t column_count;
	size_t large_sort; // the column to sort by where not all rows fit
	size_t (*count)(const struct mon_snapshot *s);
	// Adds what tells the row from all others for as long as it lives.
	void (*identify)(const struct mon_snapshot *s, size_t row, struct strbuf *out);
	// Order before everything else: 0 first. NULL: none.
	int (*rank)(const struct mon_snapshot *s, size_t row);
	bool is_ranked_when_small;                              // else only where not all fit
	char (*mark)(const struct mon_snapshot *s, size_t row); // before the row: '!', '.' or ' '
	const char *empty;                                      // what to say when there is no row
};

extern const struct tui_view *const tui_views[TUI_VIEWS];

// The context of tui_view_get.
struct tui_rows {
	const struct tui_view *view;
	const struct mon_snapshot *s;
};

// The field FIELD of the row, as filters want it; CONTEXT is a struct tui_rows.
struct tui_datum tui_view_get(const void *context, size_t row, size_t field);

// The names of the view's fields, one a column ("" where it has none); room for column_count.
void tui_view_fields(const struct tui_view *view, const char **ret);
