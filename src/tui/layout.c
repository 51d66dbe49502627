// SPDX-License-Identifier: MIT
#include "tui/layout.h"

enum {
	LEAST_ROWS = 8,
	LEAST_COLUMNS = 40,
	TOTALS_FROM = 10, // rows of the screen from which these lines are shown
	ALERTS_FROM = 12,
	WIDE_COLUMNS = 160,
	HIGH_ROWS = 50,
	SIDE_COLUMNS = 46,
	GRAPH_ROWS = 9, // with a title
	MAP_ROWS_MAX = 8,
	GPU_ROWS_MAX = 10, // in the panel, title and heading too, where the nodes do not fit
	JOB_ROWS_LEAST = 5,
	PANELS_FROM = 30, // rows of the body from which a large list leaves room for panels
};

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

// Rows that COUNT things need, within an int.
static int rows_for(size_t count)
{
	return count > TUI_MAX_SIDE ? TUI_MAX_SIDE : (int)count;
}

// Takes ROWS (fewer where there are no more) from the top of *REST.
static struct tui_rect take(struct tui_rect *rest, int rows)
{
	struct tui_rect taken = *rest;

	taken.rows = most(0, least(rows, rest->rows));
	rest->row += taken.rows;
	rest->rows -= taken.rows;
	return taken;
}

static struct tui_rect take_bottom(struct tui_rect *rest, int rows)
{
	struct tui_rect taken = *rest;

	taken.rows = most(0, least(rows, rest->rows));
	rest->rows -= taken.rows;
	taken.row += rest->rows;
	return taken;
}

// All nodes, below them GPUs, below them jobs.
static void lay_small(struct tui_layout *layout, struct tui_rect rest,
                      const struct tui_wants *wants)
{
	int jobs = 2 + most(1, rows_for(wants->jobs)), room, gpus;

	layout->table = take(&rest, 1 + most(1, rows_for(wants->nodes)));
	room = rest.rows - least(jobs, JOB_ROWS_LEAST);
	layout->has_all_gpus = 2 + rows_for(wants->gpus) <= room && wants->nodes > 1;
	gpus = 2 + most(1, rows_for(layout->has_all_gpus ? wants->gpus : wants->gpus_of_node));
	if (room < 3)
		room = rest.rows;
	gpus = least(gpus, room);
	if (gpus >= 3) {
		layout->gpu_title = take(&rest, 1);
		layout->gpu_table = take(&rest, gpus - 1);
	}
	if (rest.rows >= 3) {
		layout->job_title = take(&rest, 1);
		layout->job_table = rest;
	}
}

// A map of all nodes, as many as fit, and panels where there is much room.
static void lay_large(struct tui_layout *layout, struct tui_rect rest,
                      const struct tui_wants *wants)
{
	int per_line = most(1, rest.columns), body = rest.rows;
	int lines = least(MAP_ROWS_MAX, (rows_for(wants->nodes) + per_line - 1) / per_line);

	if (wants->nodes > TUI_MAX_SIDE)
		lines = MAP_ROWS_MAX;
	if (body >= 12)
		layout->map = take(&rest, 1 + least(lines, body / 5));
	if (body >= 8)
		layout->status = take_bottom(&rest, 2);
	if (body >= PANELS_FROM) {
		int jobs = most(JOB_ROWS_LEAST, body / 6);

		layout->job_table = take_bottom(&rest, jobs - 1);
		layout->job_title = take_bottom(&rest, 1);
		layout->gpu_table =
			take_bottom(&rest, least(GPU_ROWS_MAX, 2 + most(1, rows_for(wants->gpus_of_node))) - 1);
		layout->gpu_title = take_bottom(&rest, 1);
	}
	layout->table = rest;
}

static void lay_nodes(struct tui_layout *layout, struct tui_rect rest,
                      const struct tui_wants *wants)
{
	layout->is_large = 1 + rows_for(wants->nodes) > most(rest.rows / 2, least(rest.rows, 8));
	if (layout->is_large)
		lay_large(layout, rest, wants);
	else
		lay_small(layout, rest, wants);
}

struct tui_layout tui_layout_of(int rows, int columns, const struct tui_wants *wants)
{
	struct tui_layout layout = {0};
	struct tui_rect rest = {0, 0, most(0, rows), most(0, columns)};

	if (rest.rows < LEAST_ROWS || rest.columns < LEAST_COLUMNS) {
		layout.line = take(&rest, 1);
		return layout;
	}
	layout.header = take(&rest, 1);
	layout.footer = take_bottom(&rest, 1);
	if (rows >= TOTALS_FROM)
		layout.totals = take(&rest, 1);
	if (rows >= ALERTS_FROM)
		layout.alerts = take(&rest, 1);
	if (rows >= HIGH_ROWS && columns >= WIDE_COLUMNS && wants->view == TUI_VIEW_NODES) {
		layout.graphs = take(&rest, GRAPH_ROWS);
		layout.side = rest;
		layout.side.columns = SIDE_COLUMNS;
		layout.side.column = columns - SIDE_COLUMNS;
		rest.columns -= SIDE_COLUMNS + 1;
	}
	if (wants->view == TUI_VIEW_NODES) {
		lay_nodes(&layout, rest, wants);
		return layout;
	}
	layout.gpu_title = take(&rest, 1); // the title of the one table
	layout.table = rest;
	return layout;
}
