// SPDX-License-Identifier: MIT
#include "tui/views.h"

#include <string.h>

#include "tui/pen.h"

enum { MAX_TEXT_BYTES = 1024 };

static const struct mon_waiting *waiting_at(const struct mon_snapshot *s, size_t row)
{
	return &s->queue[row];
}

static size_t count(const struct mon_snapshot *s)
{
	return s->queue_count;
}

static const char *name_of(const struct mon_snapshot *s, const struct mon_waiting *waiting)
{
	return waiting->job != MON_NO_INDEX ? s->jobs[waiting->job].name : s->pods[waiting->pod].name;
}

static const char *namespace_of(const struct mon_snapshot *s, const struct mon_waiting *waiting)
{
	return waiting->job != MON_NO_INDEX ? s->jobs[waiting->job].namespace
	                                    : s->pods[waiting->pod].namespace;
}

static void identify(const struct mon_snapshot *s, size_t row, struct strbuf *out)
{
	const struct mon_waiting *waiting = waiting_at(s, row);

	strbuf_addf(out, "%s %s/%s", waiting->job != MON_NO_INDEX ? "job" : "pod",
	            namespace_of(s, waiting), name_of(s, waiting));
}

static char mark(const struct mon_snapshot *s, size_t row)
{
	return s->now_ms - waiting_at(s, row)->since_ms > s->thresholds.pending_s * 1000 ? '!' : ' ';
}

static struct tui_datum position(const struct mon_snapshot *s, size_t row)
{
	(void)s;
	return tui_number((double)row + 1);
}

static struct tui_datum name(const struct mon_snapshot *s, size_t row)
{
	return tui_words(name_of(s, waiting_at(s, row)));
}

static struct tui_datum namespace(const struct mon_snapshot *s, size_t row)
{
	return tui_words(namespace_of(s, waiting_at(s, row)));
}

static struct tui_datum user(const struct mon_snapshot *s, size_t row)
{
	const struct mon_waiting *waiting = waiting_at(s, row);

	return tui_words(waiting->job != MON_NO_INDEX ? s->jobs[waiting->job].user
	                                              : s->pods[waiting->pod].user);
}

static struct tui_datum priority(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)waiting_at(s, row)->priority);
}

static struct tui_datum gpus(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)waiting_at(s, row)->gpus);
}

static struct tui_datum waits(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)(s->now_ms - waiting_at(s, row)->since_ms) / 1000);
}

static void draw_waits(const struct tui_pen *pen, size_t row)
{
	tui_draw_age(pen, (pen->s->now_ms - waiting_at(pen->s, row)->since_ms) / 1000);
}

static struct tui_datum why(const struct mon_snapshot *s, size_t row)
{
	return tui_words(waiting_at(s, row)->why);
}

static const struct tui_column columns[] = {
	{"#", "position", 3, 4, 0, true, TUI_ANYWHERE, position, NULL},
	{"NAME", "name", 14, 32, 0, false, TUI_ANYWHERE, name, NULL},
	{"NS", "ns", 7, 16, 2, false, TUI_ANYWHERE, namespace, NULL},
	{"USER", "user", 8, 12, 3, false, TUI_ANYWHERE, user, NULL},
	{"PRIO", "priority", 7, 8, 1, true, TUI_ANYWHERE, priority, NULL},
	{"GPU", "gpus", 4, 5, 0, true, TUI_ANYWHERE, gpus, NULL},
	{"WAIT", "age", 5, 5, 0, true, TUI_ANYWHERE, waits, draw_waits},
	{"WHY", "why", 12, 200, 0, false, TUI_ANYWHERE, why, NULL},
};

const struct tui_view tui_view_queue = {
	.name = "queue",
	.key = 'u',
	.columns = columns,
	.column_count = COUNT_OF(columns),
	.large_sort = 0,
	.count = count,
	.identify = identify,
	.mark = mark,
	.empty = "nothing waits",
};
