// SPDX-License-Identifier: MIT
// Where everything stands on a screen of a given size. Pure arithmetic: no part overlaps another or leaves the
// screen, whatever the size.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tui/canvas.h"
#include "tui/view.h"

// What there is to show.
struct tui_wants {
	enum tui_view_id view;
	size_t nodes, gpus, jobs; // gpus: of all nodes
	size_t gpus_of_node;      // of the selected one
};

// A part that has no room has 0 rows.
struct tui_layout {
	struct tui_rect line; // the whole screen where it is smaller than 40x8: one line
	struct tui_rect header, totals, alerts;
	struct tui_rect graphs, side; // on large screens
	struct tui_rect map;          // title and lines of one character a node
	struct tui_rect table;        // of the view
	struct tui_rect gpu_title, gpu_table, job_title, job_table; // below the nodes
	struct tui_rect status;                                     // two lines where not all rows fit
	struct tui_rect footer;
	bool is_large;     // not all nodes fit: the map is shown, and what is wrong comes first
	bool has_all_gpus; // the GPU table has those of all nodes
};

// The layout of a screen of ROWS and COLUMNS; below 0 is 0.
struct tui_layout tui_layout_of(int rows, int columns, const struct tui_wants *wants);
