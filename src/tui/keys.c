// SPDX-License-Identifier: MIT
// What keys do. Nothing that a key does changes the cluster.
#include <string.h>

#include "tui/state.h"

static void copy_scope(struct tui_scope *scope, const char *node, const char *job)
{
	*scope = (struct tui_scope){"", ""};
	if (node)
		memcpy(scope->node, node, strnlen(node, sizeof scope->node - 1));
	if (job)
		memcpy(scope->job, job, strnlen(job, sizeof scope->job - 1));
}

static void move(struct tui *tui, long by)
{
	struct tui_list *list = tui_active_list(tui);

	if (tui->s)
		tui_list_select(list, tui->s, (long)list->at + by);
}

static long page(const struct tui *tui)
{
	int rows = tui->layout.table.rows - 2;

	return rows > 1 ? rows : 1;
}

static void enter_view(struct tui *tui, enum tui_view_id view, const char *node, const char *job)
{
	struct tui_step step = {tui->view, tui->lists[tui->view].scope};

	if (tui->trail_count == TUI_TRAIL) {
		memmove(tui->trail, tui->trail + 1, (TUI_TRAIL - 1) * sizeof tui->trail[0]);
		tui->trail_count--;
	}
	tui->trail[tui->trail_count++] = step;
	tui_set_view(tui, view);
	copy_scope(&tui->lists[view].scope, node, job);
}

static void go_back(struct tui *tui)
{
	struct tui_list *list = tui_active_list(tui);
	const struct tui_step *step;

	if (tui->filters[tui->view][0] && list == &tui->lists[tui->view]) {
		tui_filter_free(list->filter);
		list->filter = NULL;
		tui->filters[tui->view][0] = '\0';
		return;
	}
	if (!tui->trail_count) {
		tui_set_view(tui, TUI_VIEW_NODES);
		return;
	}
	step = &tui->trail[--tui->trail_count];
	tui_set_view(tui, step->view);
	tui->lists[step->view].scope = step->scope;
}

static void enter_job(struct tui *tui, const struct mon_job *job)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(2 * TUI_ID_BYTES);

	strbuf_addf(&name, "%s/%s", job->namespace, job->name);
	enter_view(tui, TUI_VIEW_PODS, NULL, strbuf_get(&name));
}

static void enter_gpu(struct tui *tui, const struct mon_gpu *gpu)
{
	enter_view(tui, TUI_VIEW_PODS, tui->s->nodes[gpu->node].name, NULL);
}

static void enter_alert(struct tui *tui, const struct mon_alert *alert)
{
	if (alert->job != MON_NO_INDEX)
		enter_job(tui, &tui->s->jobs[alert->job]);
	else if (alert->node != MON_NO_INDEX)
		enter_view(tui, TUI_VIEW_GPUS, tui->s->nodes[alert->node].name, NULL);
}

// A node has GPUs, a GPU and a job have pods.
static void enter(struct tui *tui)
{
	const struct tui_list *list = tui_active_list(tui);
	const struct mon_snapshot *s = tui->s;
	size_t row;

	if (!s || !list->count)
		return;
	row = list->rows[list->at];
	if (list->view == tui_views[TUI_VIEW_NODES])
		enter_view(tui, TUI_VIEW_GPUS, s->nodes[row].name, NULL);
	else if (list->view == tui_views[TUI_VIEW_GPUS])
		enter_gpu(tui, &s->gpus[row]);
	else if (list->view == tui_views[TUI_VIEW_JOBS])
		enter_job(tui, &s->jobs[row]);
	else if (list->view == tui_views[TUI_VIEW_QUEUE] && s->queue[row].job != MON_NO_INDEX)
		enter_job(tui, &s->jobs[s->queue[row].job]);
	else if (list->view == tui_views[TUI_VIEW_ALERTS])
		enter_alert(tui, &s->alerts.items[row]);
}

static bool can_sort_by(const struct tui *tui, const struct tui_list *list, int at)
{
	const struct tui_column *column = &list->view->columns[at];

	if (column->place == TUI_IN_PANEL && list != &tui->node_gpus)
		return false;
	return column->datum && column->width;
}

// The next column that can be sorted by, or the one before; past the last is the view's own order.
static void sort_by_next(struct tui *tui, int step)
{
	struct tui_list *list = tui_active_list(tui);
	int count = (int)list->view->column_count;

	do {
		list->sort += step;
		if (list->sort >= count)
			list->sort = TUI_SORT_AUTO;
		else if (list->sort < TUI_SORT_AUTO)
			list->sort = count - 1;
	} while (list->sort != TUI_SORT_AUTO && !can_sort_by(tui, list, list->sort));
}

static void search(struct tui *tui, bool is_backwards)
{
	if (*tui->word && tui->s &&
	    !tui_list_search(tui_active_list(tui), tui->s, tui->word, is_backwards))
		tui_say(tui, "not found");
}

static void open_prompt(struct tui *tui, enum tui_prompt prompt)
{
	tui->prompt = prompt;
	tui->input_len = 0;
	tui->input[0] = '\0';
}

static bool press_view(struct tui *tui, int key)
{
	for (int i = 0; i < TUI_VIEWS; i++)
		if (key == tui_views[i]->key || (key == 'A' && i == TUI_VIEW_ALERTS)) {
			tui->trail_count = 0;
			tui_set_view(tui, (enum tui_view_id)i);
			copy_scope(&tui->lists[i].scope, NULL, NULL);
			return true;
		}
	return false;
}

static bool press_move(struct tui *tui, int key)
{
	switch (key) {
	case TUI_KEY_UP:
	case 'K':
		move(tui, -1);
		return true;
	case TUI_KEY_DOWN:
	case 'J':
		move(tui, 1);
		return true;
	case TUI_KEY_PAGE_UP:
		move(tui, -page(tui));
		return true;
	case TUI_KEY_PAGE_DOWN:
		move(tui, page(tui));
		return true;
	case TUI_KEY_HOME:
		move(tui, -(long)tui_active_list(tui)->at);
		return true;
	case TUI_KEY_END:
	case 'G':
		move(tui, (long)tui_active_list(tui)->count);
		return true;
	default:
		return false;
	}
}

static bool press_order(struct tui *tui, int key)
{
	switch (key) {
	case TUI_KEY_F6:
	case '>':
	case 's':
		sort_by_next(tui, 1);
		return true;
	case '<':
		sort_by_next(tui, -1);
		return true;
	case 'r':
		tui_active_list(tui)->is_reverse = !tui_active_list(tui)->is_reverse;
		return true;
	case '/':
		open_prompt(tui, TUI_PROMPT_FIND);
		return true;
	case '\\':
		open_prompt(tui, TUI_PROMPT_FILTER);
		return true;
	case 'N':
		search(tui, false);
		return true;
	case 'B':
		search(tui, true);
		return true;
	default:
		return false;
	}
}

static enum tui_action press_other(struct tui *tui, int key, int64_t now_ms)
{
	switch (key) {
	case 'q':
	case TUI_KEY_F10:
		return TUI_QUIT;
	case '?':
	case TUI_KEY_F1:
		tui->is_help = true;
		tui->help_top = 0;
		break;
	case TUI_KEY_ENTER:
		enter(tui);
		break;
	case TUI_KEY_BACK:
	case TUI_KEY_ESCAPE:
		go_back(tui);
		break;
	case TUI_KEY_TAB:
		tui->focus = tui->view == TUI_VIEW_NODES ? (enum tui_focus)((tui->focus + 1) % TUI_FOCUSES)
		                                         : TUI_FOCUS_NODES;
		break;
	case 'p':
		tui->paused_ms = tui->paused_ms ? 0 : now_ms;
		return TUI_PAUSE;
	case '+':
	case '-':
		tui_set_interval_s(tui, tui->interval_s + (key == '+' ? 1 : -1));
		return TUI_INTERVAL;
	case TUI_KEY_CTRL_L:
		return TUI_REDRAW;
	default:
		break;
	}
	return TUI_NO_ACTION;
}

static void press_help(struct tui *tui, int key)
{
	if (key == TUI_KEY_DOWN || key == TUI_KEY_PAGE_DOWN)
		tui->help_top++;
	else if (key == TUI_KEY_UP || key == TUI_KEY_PAGE_UP)
		tui->help_top -= tui->help_top > 0;
	else
		tui->is_help = false;
}

enum tui_action tui_press(struct tui *tui, int key, int64_t now_ms)
{
	tui->message[0] = '\0';
	if (tui->is_help && key != 'q' && key != TUI_KEY_F10) {
		press_help(tui, key);
		return TUI_NO_ACTION;
	}
	if (tui->prompt != TUI_NO_PROMPT) {
		tui_press_prompt(tui, key);
		return TUI_NO_ACTION;
	}
	if (press_move(tui, key) || press_order(tui, key) || press_view(tui, key))
		return TUI_NO_ACTION;
	return press_other(tui, key, now_ms);
}
