// SPDX-License-Identifier: MIT
#include "tui/list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/strbuf.h"

// A row with what it is sorted by.
struct entry {
	size_t row;
	int rank;
	bool is_reverse;
	struct tui_datum datum;
};

static int compare_data(const struct tui_datum *a, const struct tui_datum *b)
{
	if (a->type == TUI_TEXT && b->type == TUI_TEXT)
		return strcasecmp(a->text, b->text);
	return (a->number > b->number) - (a->number < b->number);
}

// What is not known comes last in either direction; equal ones stay in the order of the snapshot.
static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if ((x->datum.type == TUI_NOTHING) != (y->datum.type == TUI_NOTHING))
		return x->datum.type == TUI_NOTHING ? 1 : -1;
	order = compare_data(&x->datum, &y->datum);
	if (order)
		return x->is_reverse ? -order : order;
	return (x->row > y->row) - (x->row < y->row);
}

static bool is_pod_of_job(const struct mon_pod *pod, const char *job)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(2 * TUI_ID_BYTES);

	strbuf_addf(&name, "%s/%s", pod->namespace, pod->job_name);
	return strcmp(strbuf_get(&name), job) == 0;
}

static bool is_in_scope(const struct tui_list *list, const struct mon_snapshot *s, size_t row)
{
	const struct tui_scope *scope = &list->scope;

	if (*scope->node && list->view == tui_views[TUI_VIEW_GPUS])
		return strcmp(s->nodes[s->gpus[row].node].name, scope->node) == 0;
	if (list->view != tui_views[TUI_VIEW_PODS])
		return true;
	if (*scope->node && strcmp(s->pods[row].node_name, scope->node) != 0)
		return false;
	return !*scope->job || is_pod_of_job(&s->pods[row], scope->job);
}

static struct entry entry_of(const struct tui_list *list, const struct mon_snapshot *s, size_t row,
                             bool is_large)
{
	const struct tui_view *view = list->view;
	bool is_auto = list->sort == TUI_SORT_AUTO;
	size_t sort = is_auto ? view->large_sort : (size_t)list->sort;
	bool is_sorted = (!is_auto || is_large) && view->columns[sort].datum;
	struct entry entry = {.row = row, .datum = {TUI_NOTHING, 0, ""}};

	if (view->rank && (is_large || (view->is_ranked_when_small && is_auto)))
		entry.rank = view->rank(s, row);
	if (is_sorted)
		entry.datum = view->columns[sort].datum(s, row);
	// Numbers are most interesting where they are high.
	entry.is_reverse = list->is_reverse != (is_sorted && entry.datum.type == TUI_NUMBER);
	return entry;
}

static size_t collect(const struct tui_list *list, const struct mon_snapshot *s, bool is_large,
                      struct entry *entries)
{
	const struct tui_rows rows = {list->view, s};
	size_t count = 0, total = list->view->count(s);

	for (size_t row = 0; row < total; row++) {
		if (!is_in_scope(list, s, row) ||
		    (list->filter && !tui_filter_holds(list->filter, tui_view_get, &rows, row)))
			continue;
		entries[count++] = entry_of(list, s, row, is_large);
	}
	return count;
}

static void write_id(const struct tui_list *list, const struct mon_snapshot *s, size_t row,
                     char *ret)
{
	_cleanup_strbuf_ struct strbuf id = STRBUF_INIT(4 * TUI_ID_BYTES);
	size_t len;

	list->view->identify(s, row, &id);
	len = id.len < TUI_ID_BYTES - 1 ? id.len : TUI_ID_BYTES - 1;
	memcpy(ret, strbuf_get(&id), len);
	ret[len] = '\0';
}

static void select(struct tui_list *list, const struct mon_snapshot *s, long at)
{
	if (!list->count) {
		list->at = 0;
		return;
	}
	list->at = at < 0 ? 0 : (size_t)at >= list->count ? list->count - 1 : (size_t)at;
	write_id(list, s, list->rows[list->at], list->selected);
}

// Finds the selected object in the new order.
static void follow(struct tui_list *list, const struct mon_snapshot *s)
{
	char id[TUI_ID_BYTES];

	if (!list->is_chosen) {
		select(list, s, 0);
		return;
	}
	for (size_t i = 0; i < list->count; i++) {
		write_id(list, s, list->rows[i], id);
		if (strcmp(id, list->selected) == 0) {
			list->at = i;
			return;
		}
	}
	select(list, s, (long)list->at);
}

bool tui_list_update(struct tui_list *list, const struct mon_snapshot *s, bool is_large,
                     struct err *err)
{
	size_t total = list->view->count(s);
	_cleanup_free_ struct entry *entries = mem_alloc((total + 1) * sizeof *entries);
	size_t *rows = mem_resize(list->rows, (total + 1) * sizeof *rows);

	if (rows)
		list->rows = rows;
	if (!entries || !rows) {
		list->count = 0;
		return err_memory(err);
	}
	list->total = total;
	list->count = collect(list, s, is_large, entries);
	if (list->count > 1)
		qsort(entries, list->count, sizeof *entries, compare_entries);
	for (size_t i = 0; i < list->count; i++)
		list->rows[i] = entries[i].row;
	follow(list, s);
	return true;
}

void tui_list_select(struct tui_list *list, const struct mon_snapshot *s, long at)
{
	select(list, s, at);
	list->is_chosen = true;
}

void tui_list_scroll(struct tui_list *list, size_t visible)
{
	if (list->at < list->top)
		list->top = list->at;
	if (visible && list->at >= list->top + visible)
		list->top = list->at - visible + 1;
	if (list->top + visible > list->count)
		list->top = list->count > visible ? list->count - visible : 0;
}

static bool row_has(const struct tui_list *list, const struct mon_snapshot *s, size_t row,
                    const char *word)
{
	const struct tui_rows rows = {list->view, s};

	for (size_t i = 0; i < list->view->column_count; i++) {
		struct tui_datum datum = tui_view_get(&rows, row, i);

		if (datum.type == TUI_TEXT && tui_text_contains(datum.text, word))
			return true;
	}
	return false;
}

bool tui_list_search(struct tui_list *list, const struct mon_snapshot *s, const char *word,
                     bool is_backwards)
{
	for (size_t step = 1; step <= list->count; step++) {
		size_t at = (list->at + (is_backwards ? list->count - step : step)) % list->count;

		if (row_has(list, s, list->rows[at], word)) {
			tui_list_select(list, s, (long)at);
			return true;
		}
	}
	return false;
}

void tui_list_release(struct tui_list *list)
{
	tui_filter_free(list->filter);
	mem_free(list->rows);
	list->filter = NULL;
	list->rows = NULL;
}
