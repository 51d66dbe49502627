// SPDX-License-Identifier: MIT
#include "tui/screen.h"

#include <string.h>

#include "base/mem.h"
#include "tui/header.h"
#include "tui/state.h"
#include "tui/table.h"

enum {
	INTERVAL_S = 5,
	INTERVAL_LEAST_S = 2,
	INTERVAL_MOST_S = 60,
	MAX_TEXT_BYTES = 1024,
	LATE_INTERVALS = 3
};

struct tui *tui_new(struct err *err)
{
	struct tui *tui = mem_alloc(sizeof *tui);

	if (!tui) {
		err_memory(err);
		return NULL;
	}
	for (int i = 0; i < TUI_VIEWS; i++)
		tui->lists[i] = (struct tui_list){.view = tui_views[i], .sort = TUI_SORT_AUTO};
	tui->node_gpus = (struct tui_list){.view = tui_views[TUI_VIEW_GPUS], .sort = TUI_SORT_AUTO};
	tui->interval_s = INTERVAL_S;
	return tui;
}

bool tui_show(struct tui *tui, const struct mon_snapshot *s, struct err *err)
{
	(void)err;
	tui->s = s;
	tui->generation++;
	return true;
}

void tui_say(struct tui *tui, const char *text)
{
	size_t len = strlen(text);

	len = len < sizeof tui->message ? len : sizeof tui->message - 1;
	memcpy(tui->message, text, len);
	tui->message[len] = '\0';
}

static bool is_large(const struct tui *tui)
{
	const struct tui_list *list = &tui->lists[tui->view];

	return tui->view == TUI_VIEW_NODES ? tui->layout.is_large
	                                   : list->count >= (size_t)tui->layout.table.rows;
}

static bool update_list(struct tui *tui, struct tui_list *list, bool is_large, struct err *err)
{
	list->generation = tui->generation;
	return tui_list_update(list, tui->s, is_large, err);
}

struct tui_list *tui_active_list(struct tui *tui)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct tui_list *list = &tui->lists[tui->view];

	if (tui->view == TUI_VIEW_NODES && tui->focus != TUI_FOCUS_NODES)
		list = tui->focus == TUI_FOCUS_GPUS ? &tui->node_gpus : &tui->lists[TUI_VIEW_JOBS];
	// A key may come between a new snapshot and its drawing. For want of memory the list is empty.
	if (tui->s && list->generation != tui->generation)
		(void)!update_list(tui, list, list == &tui->lists[tui->view] && is_large(tui), &err);
	return list;
}

static const struct mon_node *selected_node(const struct tui *tui)
{
	const struct tui_list *list = &tui->lists[TUI_VIEW_NODES];

	return list->count && list->generation == tui->generation ? &tui->s->nodes[list->rows[list->at]]
	                                                          : NULL;
}

// What there is to lay out. The GPU panel follows the selected node.
static struct tui_wants wants_of(const struct tui *tui)
{
	const struct mon_node *node = selected_node(tui);

	return (struct tui_wants){
		.view = tui->view,
		.nodes = tui->lists[TUI_VIEW_NODES].count,
		.gpus = tui->s->gpu_count,
		.jobs = tui->s->job_count,
		.gpus_of_node = node ? node->gpu_count : 0,
	};
}

static void copy_text(char *to, size_t size, const char *text)
{
	size_t len = strlen(text);

	len = len < size ? len : size - 1;
	memcpy(to, text, len);
	to[len] = '\0';
}

static bool update_panels(struct tui *tui, struct err *err)
{
	const struct mon_node *node = selected_node(tui);

	copy_text(tui->node_gpus.scope.node, sizeof tui->node_gpus.scope.node,
	          node && !tui->layout.has_all_gpus ? node->name : "");
	return update_list(tui, &tui->node_gpus, false, err) &&
	       update_list(tui, &tui->lists[TUI_VIEW_JOBS], false, err);
}

static void lay_out(struct tui *tui, const struct tui_canvas *canvas)
{
	struct tui_wants wants = wants_of(tui);

	tui->layout = tui_layout_of(canvas->rows, canvas->columns, &wants);
}

// Lists and layout depend on each other: the order of many rows is another than that of few.
static bool update(struct tui *tui, const struct tui_canvas *canvas, struct err *err)
{
	struct tui_list *list = &tui->lists[tui->view];
	bool was_large = is_large(tui);

	if (!update_list(tui, list, was_large, err))
		return false;
	lay_out(tui, canvas);
	if (is_large(tui) != was_large) {
		if (!update_list(tui, list, !was_large, err))
			return false;
		lay_out(tui, canvas);
	}
	return tui->view != TUI_VIEW_NODES || update_panels(tui, err);
}

static void draw_nodes(struct tui *tui, struct tui_canvas *canvas)
{
	const struct tui_layout *layout = &tui->layout;
	enum tui_place place = layout->has_all_gpus ? TUI_IN_LIST : TUI_IN_PANEL;

	tui_draw_map(canvas, layout->map, tui->s);
	tui_table_draw(canvas, layout->table, &tui->lists[TUI_VIEW_NODES], tui->s, TUI_IN_LIST,
	               tui->focus == TUI_FOCUS_NODES);
	tui_table_draw(canvas, layout->gpu_table, &tui->node_gpus, tui->s, place,
	               tui->focus == TUI_FOCUS_GPUS);
	tui_draw_title(canvas, layout->gpu_title, &tui->node_gpus, layout->gpu_table.rows - 1);
	tui_table_draw(canvas, layout->job_table, &tui->lists[TUI_VIEW_JOBS], tui->s, TUI_IN_LIST,
	               tui->focus == TUI_FOCUS_JOBS);
	tui_draw_title(canvas, layout->job_title, &tui->lists[TUI_VIEW_JOBS],
	               layout->job_table.rows - 1);
	tui_draw_status(canvas, layout->status, &tui->lists[TUI_VIEW_NODES],
	                tui->filters[TUI_VIEW_NODES], layout->table.rows - 1, tui->s);
	tui_draw_graphs(canvas, layout->graphs, tui->s);
	tui_draw_side(canvas, layout->side, tui->s);
}

static void draw_footer(struct tui *tui, struct tui_canvas *canvas)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	struct tui_rect rect = tui->layout.footer;

	if (!rect.rows)
		return;
	if (tui->prompt != TUI_NO_PROMPT) {
		strbuf_addf(&text, "%c%s_", tui->prompt == TUI_PROMPT_FIND ? '/' : '\\', tui->input);
		tui_put(canvas, rect.row, rect.column, rect.columns, TUI_PLAIN, strbuf_get(&text));
	} else if (*tui->message) {
		tui_put(canvas, rect.row, rect.column, rect.columns, TUI_AMBER, tui->message);
	} else {
		tui_draw_footer(canvas, rect);
	}
}

static void draw_help(struct tui *tui, struct tui_canvas *canvas)
{
	struct tui_rect rect = {0, 0, canvas->rows > 1 ? canvas->rows - 1 : canvas->rows,
	                        canvas->columns};
	int lines = tui_draw_help(canvas, rect, tui->help_top);

	if (tui->help_top > lines - rect.rows) {
		tui->help_top = lines > rect.rows ? lines - rect.rows : 0;
		tui_canvas_clear(canvas);
		tui_draw_help(canvas, rect, tui->help_top);
	}
	if (canvas->rows > 1)
		tui_put(canvas, canvas->rows - 1, 0, canvas->columns, TUI_KEY, "any other key: back");
}

bool tui_draw(struct tui *tui, struct tui_canvas *canvas, int64_t now_ms, struct err *err)
{
	struct tui_moment moment = {now_ms, -1, tui->interval_s, 0};

	tui_canvas_clear(canvas);
	if (!tui->s) {
		tui_put(canvas, 0, 0, canvas->columns, TUI_PLAIN, "vpsml top: connecting");
		return true;
	}
	if (!update(tui, canvas, err))
		return false;
	if (tui->layout.line.columns) {
		tui_draw_line(canvas, tui->layout.line, tui->s);
		return true;
	}
	if (tui->is_help) {
		draw_help(tui, canvas);
		return true;
	}
	if (tui->paused_ms)
		moment.paused_s = (now_ms - tui->paused_ms) / 1000;
	else if (now_ms - tui->s->now_ms > (int64_t)LATE_INTERVALS * tui->interval_s * 1000)
		moment.late_s = (now_ms - tui->s->now_ms) / 1000;
	tui_draw_header(canvas, tui->layout.header, tui->s, &moment);
	tui_draw_totals(canvas, tui->layout.totals, tui->s);
	tui_draw_alerts(canvas, tui->layout.alerts, tui->s);
	if (tui->view == TUI_VIEW_NODES) {
		draw_nodes(tui, canvas);
	} else {
		tui_table_draw(canvas, tui->layout.table, &tui->lists[tui->view], tui->s, TUI_IN_LIST,
		               true);
		tui_draw_title(canvas, tui->layout.gpu_title, &tui->lists[tui->view],
		               tui->layout.table.rows - 1);
	}
	draw_footer(tui, canvas);
	return true;
}

void tui_set_view(struct tui *tui, enum tui_view_id view)
{
	tui->view = view;
	tui->focus = TUI_FOCUS_NODES;
}

bool tui_set_filter(struct tui *tui, const char *filter, struct err *err)
{
	struct tui_list *list = &tui->lists[tui->view];
	const char *fields[32];
	struct tui_filter *parsed = NULL;

	if (filter && *filter) {
		tui_view_fields(list->view, fields);
		parsed = tui_filter_parse(filter, fields, list->view->column_count, err);
		if (!parsed)
			return false;
	}
	tui_filter_free(list->filter);
	list->filter = parsed;
	copy_text(tui->filters[tui->view], sizeof tui->filters[tui->view], filter ? filter : "");
	return true;
}

bool tui_set_sort(struct tui *tui, const char *field, bool is_reverse, struct err *err)
{
	struct tui_list *list = &tui->lists[tui->view];

	for (size_t i = 0; i < list->view->column_count; i++)
		if (list->view->columns[i].field && strcmp(list->view->columns[i].field, field) == 0) {
			list->sort = (int)i;
			list->is_reverse = is_reverse;
			return true;
		}
	return err_set(err, ERR_USAGE, "view %s has no column \"%s\"", list->view->name, field);
}

int tui_interval_s(const struct tui *tui)
{
	return tui->interval_s;
}

void tui_set_interval_s(struct tui *tui, int seconds)
{
	tui->interval_s = seconds < INTERVAL_LEAST_S  ? INTERVAL_LEAST_S
	                  : seconds > INTERVAL_MOST_S ? INTERVAL_MOST_S
	                                              : seconds;
}

void tui_free(struct tui *tui)
{
	if (!tui)
		return;
	for (int i = 0; i < TUI_VIEWS; i++)
		tui_list_release(&tui->lists[i]);
	tui_list_release(&tui->node_gpus);
	mem_free(tui);
}

void tui_freep(struct tui **tui)
{
	tui_free(*tui);
}
