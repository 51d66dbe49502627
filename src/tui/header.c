// SPDX-License-Identifier: MIT
#include "tui/header.h"

#include "mon/show.h"
#include "tui/segments.h"

enum { MAX_TEXT_BYTES = 512, DAY_MS = 86400000, BAR_COLUMNS = 14 };

static const char *age_text(struct strbuf *buf, int64_t seconds)
{
	strbuf_clear(buf);
	mon_show_age(buf, seconds);
	return strbuf_get(buf);
}

static void add_link(struct tui_segments *line, const struct mon_snapshot *s)
{
	_cleanup_strbuf_ struct strbuf age = STRBUF_INIT(MAX_TEXT_BYTES);

	if (s->link == MON_LINK_CONNECTING)
		tui_segments_add(line, 0, TUI_AMBER, "connecting");
	if (s->link == MON_LINK_DOWN)
		tui_segments_add(line, 0, TUI_FAULT, "NO API %s %s",
		                 age_text(&age, (s->now_ms - s->link_since_ms) / 1000), s->link_error);
}

static void add_gpus(struct tui_segments *line, const struct mon_totals *t)
{
	tui_segments_add(line, 0, TUI_PLAIN, "GPU %lld/%lld alloc", (long long)t->gpus_allocated,
	                 (long long)t->gpus_allocatable);
	if (t->gpus_allocatable > 0)
		tui_segments_add(line, 9, TUI_PLAIN, "(%.0f%%)",
		                 (double)t->gpus_allocated / (double)t->gpus_allocatable * 100);
	tui_segments_add(line, 0, TUI_PLAIN, "busy %zu", t->gpus_busy);
	tui_segments_add(line, 0, t->gpus_idle ? TUI_AMBER : TUI_PLAIN, "IDLE %zu", t->gpus_idle);
	if (t->gpus_lost)
		tui_segments_add(line, 3, TUI_FAULT, "lost %zu", t->gpus_lost);
	if (t->gpus_silent)
		tui_segments_add(line, 7, TUI_PLAIN, "no-data %zu", t->gpus_silent);
	tui_segments_add(line, 8, TUI_PLAIN, "free %zu", t->gpus_free);
}

void tui_draw_header(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s,
                     const struct tui_moment *moment)
{
	_cleanup_strbuf_ struct strbuf age = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_totals *t = &s->totals;
	long long second = moment->now_ms % DAY_MS / 1000;
	struct tui_segments line = {.count = 0};

	tui_segments_add(&line, 4, TUI_TITLE, "vpsml top");
	tui_segments_add(&line, 5, TUI_PLAIN, "%s", s->cluster);
	tui_segments_add(&line, 2, t->nodes_up < t->nodes ? TUI_FAULT : TUI_PLAIN, "%zu/%zu nodes up",
	                 t->nodes_up, t->nodes);
	add_gpus(&line, t);
	add_link(&line, s);
	if (moment->paused_s >= 0)
		tui_segments_add(&line, 0, TUI_AMBER, "PAUSED %s", age_text(&age, moment->paused_s));
	else if (moment->late_s > 0)
		tui_segments_add(&line, 0, TUI_FAULT, "LATE %s", age_text(&age, moment->late_s));
	if (moment->interval_s > 0)
		tui_segments_add(&line, 10, TUI_PLAIN, "%llds", (long long)moment->interval_s);
	tui_segments_add(&line, 1, TUI_PLAIN, "%02lld:%02lld:%02lldZ", second / 3600, second / 60 % 60,
	                 second % 60);
	tui_segments_draw(&line, canvas, rect, 1, true);
}

// "CPU [|||   31%]", and "2/3" where only two of three say it.
static int draw_total(struct tui_canvas *canvas, int row, int column, const char *name,
                      const struct mon_total *total, int bar)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	double percent = total->of > 0 ? total->sum / total->of * 100 : -1;
	int start = column;

	column += tui_put(canvas, row, column, 4, TUI_PLAIN, name) + 1;
	if (percent >= 0)
		strbuf_addf(&text, "%3.0f%%", percent);
	else
		strbuf_add(&text, "-");
	tui_bar(canvas, row, column, bar, TUI_GOOD, percent, strbuf_get(&text));
	column += bar + 1;
	if (total->known && total->known < total->count) {
		strbuf_clear(&text);
		strbuf_addf(&text, "%zu/%zu", total->known, total->count);
		column += tui_put(canvas, row, column, 11, TUI_FAINT, strbuf_get(&text)) + 1;
	}
	return column - start;
}

// "611G/1.9T", "6.1k/16.8kW"
static void add_sums(struct tui_segments *line, const struct mon_totals *t)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	if (t->vram_bytes.known) {
		mon_show_bytes(&text, t->vram_bytes.sum);
		strbuf_add_char(&text, '/');
		mon_show_bytes(&text, t->vram_bytes.of);
		tui_segments_add(line, 1, TUI_PLAIN, "%s", strbuf_get(&text));
	}
	strbuf_clear(&text);
	if (t->power_w.known) {
		mon_show_count(&text, t->power_w.sum);
		strbuf_add_char(&text, '/');
		mon_show_count(&text, t->power_w.of);
		tui_segments_add(line, 2, TUI_PLAIN, "%sW", strbuf_get(&text));
	}
	if (t->gpu_util_pct.known)
		tui_segments_add(line, 3, TUI_PLAIN, "GPU%% %.0f",
		                 t->gpu_util_pct.sum / (double)t->gpu_util_pct.known);
}

static void draw_ring(struct tui_canvas *canvas, int row, int column, int width,
                      const struct mon_ring *ring, int64_t now_ms)
{
	for (int i = 0; i < width; i++) {
		unsigned char percent = mon_ring_get(ring, now_ms, (size_t)(width - 1 - i));

		if (percent != MON_RING_GAP)
			tui_put(canvas, row, column + i, 1, TUI_GOOD, tui_spark(canvas, percent));
	}
}

void tui_draw_totals(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s)
{
	int bar = rect.columns >= 110 ? BAR_COLUMNS : rect.columns >= 72 ? 12 : 6, column = 0, left;
	struct tui_segments line = {.count = 0};

	if (!rect.rows)
		return;
	column += draw_total(canvas, rect.row, column, "CPU", &s->totals.cpu_milli, bar);
	column += draw_total(canvas, rect.row, column, "MEM", &s->totals.memory_bytes, bar);
	column += draw_total(canvas, rect.row, column, "VRAM", &s->totals.vram_bytes, bar);
	left = rect.columns - column;
	if (left <= 0)
		return;
	add_sums(&line, &s->totals);
	tui_segments_draw(&line, canvas, (struct tui_rect){rect.row, column, 1, left}, 1, false);
	for (size_t i = 0; i < line.count; i++)
		column += tui_text_width(canvas, line.items[i].text) + 1;
	left = rect.columns - column;
	if (left > 8)
		draw_ring(canvas, rect.row, column, left < MON_RING_SLOTS ? left : MON_RING_SLOTS,
		          &s->rings.gpu, s->now_ms);
}

static enum tui_style alert_style(enum mon_alert_kind kind)
{
	return kind < MON_ALERT_IDLE ? TUI_FAULT : TUI_AMBER;
}

// One alert of its kind says itself, several say how many.
static void add_kind(struct tui_segments *line, const struct mon_snapshot *s,
                     enum mon_alert_kind kind, bool is_alone)
{
	static const char *const words[MON_ALERT_KINDS] = {
		[MON_ALERT_GPU_LOST] = "GPU lost",
		[MON_ALERT_XID] = "XID",
		[MON_ALERT_ECC] = "ECC",
		[MON_ALERT_NOT_READY] = "NotReady",
		[MON_ALERT_NO_DATA] = "no data",
		[MON_ALERT_THERMAL] = "too hot",
		[MON_ALERT_PRESSURE] = "pressure",
		[MON_ALERT_IDLE] = "idle owners",
		[MON_ALERT_OOM] = "OOM kills",
		[MON_ALERT_PENDING] = "wait long",
		[MON_ALERT_SOURCE] = "sources ail",
	};
	_cleanup_strbuf_ struct strbuf age = STRBUF_INIT(MAX_TEXT_BYTES);

	if (!is_alone) {
		tui_segments_add(line, 1 + (int)kind, alert_style(kind), "! %zu %s",
		                 s->alerts.of_kind[kind], words[kind]);
		return;
	}
	for (size_t i = 0; i < s->alerts.count; i++) {
		const struct mon_alert *alert = &s->alerts.items[i];
		bool has_age = alert->since_ms && !alert->is_older && kind != MON_ALERT_IDLE;

		if (alert->kind == kind)
			tui_segments_add(line, 1 + (int)kind, alert_style(kind), "! %s%s%s", alert->text,
			                 has_age ? " " : "",
			                 has_age ? age_text(&age, (s->now_ms - alert->since_ms) / 1000) : "");
	}
}

// The worst come first and stay longest; how many there are in all is always said.
void tui_draw_alerts(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s)
{
	struct tui_segments line = {.count = 0};

	if (!rect.rows)
		return;
	if (!s->alerts.count) {
		tui_put(canvas, rect.row, rect.column, rect.columns, TUI_FAINT, "no alerts");
		return;
	}
	for (int kind = 0; kind < MON_ALERT_KINDS; kind++)
		if (s->alerts.of_kind[kind])
			add_kind(&line, s, (enum mon_alert_kind)kind, s->alerts.of_kind[kind] == 1);
	tui_segments_add(&line, 0, TUI_KEY, "[A]ll %zu", s->alerts.count);
	tui_segments_draw(&line, canvas, rect, 2, true);
}

void tui_draw_line(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s)
{
	const struct mon_totals *t = &s->totals;
	struct tui_segments line = {.count = 0};

	tui_segments_add(&line, 0, TUI_PLAIN, "GPU %lld/%lld", (long long)t->gpus_allocated,
	                 (long long)t->gpus_allocatable);
	tui_segments_add(&line, 2, TUI_PLAIN, "busy %zu", t->gpus_busy);
	tui_segments_add(&line, 1, t->gpus_idle ? TUI_AMBER : TUI_PLAIN, "idle %zu", t->gpus_idle);
	if (s->alerts.count)
		tui_segments_add(&line, 3, TUI_FAULT, "! %zu", s->alerts.count);
	tui_segments_draw(&line, canvas, rect, 1, false);
}
