// SPDX-License-Identifier: MIT
#include "tui/views.h"

#include "tui/pen.h"

static const struct mon_alert *alert_at(const struct mon_snapshot *s, size_t row)
{
	return &s->alerts.items[row];
}

static size_t count(const struct mon_snapshot *s)
{
	return s->alerts.count;
}

static void identify(const struct mon_snapshot *s, size_t row, struct strbuf *out)
{
	strbuf_addf(out, "%s %s", mon_alert_words[alert_at(s, row)->kind], alert_at(s, row)->subject);
}

static char mark(const struct mon_snapshot *s, size_t row)
{
	return alert_at(s, row)->kind < MON_ALERT_IDLE ? '!' : ' ';
}

static struct tui_datum since(const struct mon_snapshot *s, size_t row)
{
	int64_t since_ms = alert_at(s, row)->since_ms;

	return since_ms ? tui_number((double)(s->now_ms - since_ms) / 1000) : tui_nothing();
}

static void draw_since(const struct tui_pen *pen, size_t row)
{
	const struct mon_alert *alert = alert_at(pen->s, row);

	if (alert->is_older)
		tui_draw_text(pen, TUI_FAINT, "?"); // it was there when we came
	else
		tui_draw_age(pen, alert->since_ms ? (pen->s->now_ms - alert->since_ms) / 1000 : -1);
}

static struct tui_datum kind(const struct mon_snapshot *s, size_t row)
{
	return tui_words(mon_alert_words[alert_at(s, row)->kind]);
}

static void draw_kind(const struct tui_pen *pen, size_t row)
{
	enum mon_alert_kind kind = alert_at(pen->s, row)->kind;

	tui_draw_text(pen, kind < MON_ALERT_IDLE ? TUI_FAULT : TUI_AMBER, mon_alert_words[kind]);
}

static struct tui_datum text(const struct mon_snapshot *s, size_t row)
{
	return tui_words(alert_at(s, row)->text);
}

static const struct tui_column columns[] = {
	{"SINCE", "age", 5, 5, 0, true, TUI_ANYWHERE, since, draw_since},
	{"KIND", "kind", 9, 9, 0, false, TUI_ANYWHERE, kind, draw_kind},
	{"WHAT", "what", 20, 400, 0, false, TUI_ANYWHERE, text, NULL},
};

const struct tui_view tui_view_alerts = {
	.name = "alerts",
	.key = 'a',
	.columns = columns,
	.column_count = COUNT_OF(columns),
	.large_sort = 0,
	.count = count,
	.identify = identify,
	.mark = mark,
	.empty = "nothing is wrong, as far as is known",
};
