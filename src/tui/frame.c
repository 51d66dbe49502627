// SPDX-License-Identifier: MIT
// Titles of panels, the status of a long list, the keys.
#include "tui/header.h"

#include <string.h>

#include "mon/show.h"
#include "tui/segments.h"

enum { MAX_TEXT_BYTES = 2048, OWNERS_SHOWN = 3 };

static void write_range(struct strbuf *out, const struct tui_list *list, int visible)
{
	size_t last = list->top + (size_t)(visible > 0 ? visible : 0);

	if (!list->count) {
		strbuf_addf(out, "0 of %zu", list->total);
		return;
	}
	strbuf_addf(out, "%zu-%zu of %zu", list->top + 1, last < list->count ? last : list->count,
	            list->count);
}

void tui_draw_title(struct tui_canvas *canvas, struct tui_rect rect, const struct tui_list *list,
                    int visible)
{
	_cleanup_strbuf_ struct strbuf left = STRBUF_INIT(MAX_TEXT_BYTES);
	_cleanup_strbuf_ struct strbuf right = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct tui_scope *scope = &list->scope;
	int width;

	if (!rect.rows)
		return;
	tui_repeat(canvas, rect.row, rect.column, rect.columns, TUI_FAINT, '-');
	strbuf_addf(&left, " %s ", list->view->name);
	if (*scope->node || *scope->job)
		strbuf_addf(&left, "of %s ", *scope->job ? scope->job : scope->node);
	write_range(&right, list, visible);
	width = (int)right.len + 1;
	tui_put(canvas, rect.row, rect.column + 2, rect.columns - 2 - width, TUI_TITLE,
	        strbuf_get(&left));
	if (width < rect.columns) {
		tui_put(canvas, rect.row, rect.column + rect.columns - width, 1, TUI_PLAIN, " ");
		tui_put(canvas, rect.row, rect.column + rect.columns - width + 1, width - 1, TUI_PLAIN,
		        strbuf_get(&right));
	}
}

// The idle alert with the most GPUs that is not among the first COUNT of TAKEN.
static const struct mon_alert *next_owner(const struct mon_snapshot *s,
                                          const struct mon_alert *const *taken, size_t count)
{
	const struct mon_alert *best = NULL;

	for (size_t i = 0; i < s->alerts.count; i++) {
		const struct mon_alert *alert = &s->alerts.items[i];
		bool is_taken = alert->kind != MON_ALERT_IDLE;

		for (size_t k = 0; k < count; k++)
			is_taken |= taken[k] == alert;
		if (!is_taken && (!best || alert->since_ms < best->since_ms))
			best = alert;
	}
	return best;
}

static void draw_idle_owners(struct tui_canvas *canvas, struct tui_rect rect,
                             const struct mon_snapshot *s)
{
	const struct mon_alert *taken[OWNERS_SHOWN];
	struct tui_segments line = {.count = 0};
	size_t count = 0;

	if (!s->alerts.of_kind[MON_ALERT_IDLE]) {
		tui_put(canvas, rect.row, rect.column, rect.columns, TUI_FAINT,
		        "no GPU is allocated and idle");
		return;
	}
	tui_segments_add(&line, 0, TUI_TITLE, "longest IDLE:");
	while (count < OWNERS_SHOWN && (taken[count] = next_owner(s, taken, count)) != NULL) {
		tui_segments_add(&line, (int)count, TUI_AMBER, "%s%s", count ? "| " : "",
		                 taken[count]->text);
		count++;
	}
	tui_segments_draw(&line, canvas, rect, 1, false);
}

void tui_draw_status(struct tui_canvas *canvas, struct tui_rect rect, const struct tui_list *list,
                     const char *filter, int visible, const struct mon_snapshot *s)
{
	_cleanup_strbuf_ struct strbuf range = STRBUF_INIT(MAX_TEXT_BYTES);
	size_t sort = list->sort == TUI_SORT_AUTO ? list->view->large_sort : (size_t)list->sort;
	struct tui_segments line = {.count = 0};
	size_t page = visible > 0 ? (size_t)visible : 1;

	if (rect.rows < 2)
		return;
	write_range(&range, list, visible);
	tui_segments_add(&line, 4, TUI_PLAIN, "-- page %zu/%zu", list->top / page + 1,
	                 list->count / page + 1);
	tui_segments_add(&line, 2, TUI_PLAIN, "sort %s%s", list->view->columns[sort].title,
	                 list->is_reverse ? " reversed" : "");
	tui_segments_add(&line, 1, TUI_PLAIN, "filter: %s", *filter ? filter : "none");
	tui_segments_add(&line, 3, TUI_PLAIN, "faults and idle first");
	tui_segments_add(&line, 0, TUI_PLAIN, "%s", strbuf_get(&range));
	tui_segments_draw(&line, canvas, (struct tui_rect){rect.row, rect.column, 1, rect.columns}, 2,
	                  true);
	draw_idle_owners(canvas, (struct tui_rect){rect.row + 1, rect.column, 1, rect.columns}, s);
}

void tui_draw_footer(struct tui_canvas *canvas, struct tui_rect rect)
{
	struct tui_segments line = {.count = 0};

	tui_segments_add(&line, 0, TUI_KEY, "F1Help");
	tui_segments_add(&line, 2, TUI_KEY, "/Find");
	tui_segments_add(&line, 3, TUI_KEY, "\\Filter");
	tui_segments_add(&line, 4, TUI_KEY, "F6Sort");
	tui_segments_add(&line, 1, TUI_KEY, "n g P j u a:view");
	tui_segments_add(&line, 7, TUI_KEY, "Enter:in");
	tui_segments_add(&line, 6, TUI_KEY, "p:pause");
	tui_segments_add(&line, 8, TUI_KEY, "+-:rate");
	tui_segments_add(&line, 0, TUI_KEY, "q:quit");
	tui_segments_draw(&line, canvas, rect, 1, false);
}

int tui_draw_help(struct tui_canvas *canvas, struct tui_rect rect, int top)
{
	static const char *const lines[] = {
		"vpsml top: which GPUs are held and idle, by whom, and what waits for them",
		"",
		"n nodes  g GPUs  P pods  j jobs  u queue  a alerts     Tab next panel",
		"Enter  into a node or job         Backspace, Esc  back",
		"arrows or J K, PgUp PgDn, Home End or G   move",
		"/ find (then N next, B back)   \\ filter   F6 < > sort by next column   r reverse",
		"p pause (sampling goes on)   + - interval   Ctrl-L draw again",
		"F1 ? help   q F10 quit",
		"",
		"filter:  gpu<5 & alloc>0     ns=ml | owner~anna     !(state=free) & vram>40G",
		"         = != < <= > >=  ~ contains   & | ! ( )   K M G T s m h d",
		"         a bare word is looked for in every text; fields are the columns' names",
		"",
		"ALLOC  GPUs that pods asked for / that the node gives away",
		"BUSY   GPUs in use (5 % and more) / GPUs that report",
		"IDLE   allocated, and under 5 % for 10 minutes; \"quiet\" until then",
		"GPU%   mean of the node's GPUs that report; MIG and LOST ones are left out",
		"MEM    working set of capacity, as Kubernetes counts it",
		"-      not heard of     n/a  the source cannot say it     stale  it stopped saying it",
		"src    ssh every 5 s, api and kubelet every 15 s, exp (exporter) every 30 s",
	};
	int count = (int)COUNT_OF(lines);

	for (int i = 0; i < rect.rows && top + i < count; i++)
		tui_put(canvas, rect.row + i, rect.column, rect.columns, i + top ? TUI_PLAIN : TUI_TITLE,
		        lines[top + i]);
	return count;
}
