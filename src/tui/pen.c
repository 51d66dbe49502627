// SPDX-License-Identifier: MIT
#include "tui/pen.h"

#include <string.h>

#include "base/strbuf.h"
#include "mon/show.h"

enum { MAX_TEXT_BYTES = 512, LOW_PCT = 5, HIGH_PCT = 70 };

struct tui_datum tui_number(double number)
{
	return (struct tui_datum){TUI_NUMBER, number, ""};
}

struct tui_datum tui_words(const char *text)
{
	return (struct tui_datum){TUI_TEXT, 0, text};
}

struct tui_datum tui_nothing(void)
{
	return (struct tui_datum){TUI_NOTHING, 0, ""};
}

struct tui_datum tui_value(const struct mon_value *value)
{
	return mon_value_is_known(value) ? tui_number(value->number) : tui_nothing();
}

void tui_draw_text(const struct tui_pen *pen, enum tui_style style, const char *text)
{
	if (pen->is_right)
		tui_put_right(pen->canvas, pen->row, pen->column, pen->width, style, text);
	else
		tui_put(pen->canvas, pen->row, pen->column, pen->width, style, text);
}

void tui_draw_value(const struct tui_pen *pen, const struct mon_value *value, double scale,
                    int decimals)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	if (!mon_value_is_known(value)) {
		tui_draw_text(pen, TUI_FAINT, value->state == MON_NA && pen->width >= 3 ? "n/a" : "-");
		return;
	}
	strbuf_addf(&text, "%.*f", decimals, value->number / scale);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

void tui_draw_pair(const struct tui_pen *pen, const struct mon_value *used,
                   const struct mon_value *total, double scale)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	if (!mon_value_is_known(used)) {
		tui_draw_value(pen, used, 1, 0);
		return;
	}
	strbuf_addf(&text, "%.1f/", used->number / scale);
	if (mon_value_is_known(total) && total->number > 0)
		strbuf_addf(&text, "%.1f", total->number / scale);
	else
		strbuf_add(&text, "-");
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

void tui_draw_bar_word(const struct tui_pen *pen, const char *word)
{
	_cleanup_strbuf_ struct strbuf label = STRBUF_INIT(MAX_TEXT_BYTES);
	int room = pen->width - 2 - (int)strlen(word);

	strbuf_add(&label, word);
	if (room > 1)
		strbuf_add_repeat(&label, ' ', (size_t)room / 2);
	tui_bar(pen->canvas, pen->row, pen->column, pen->width, TUI_FAINT, -1, strbuf_get(&label));
}

static enum tui_style style_of(double percent)
{
	return percent < LOW_PCT ? TUI_LOW : percent < HIGH_PCT ? TUI_GOOD : TUI_HIGH;
}

void tui_draw_bar(const struct tui_pen *pen, const struct mon_value *percent, enum tui_style style)
{
	_cleanup_strbuf_ struct strbuf label = STRBUF_INIT(MAX_TEXT_BYTES);

	if (!mon_value_is_known(percent)) {
		tui_draw_bar_word(pen, percent->state == MON_STALE ? "stale"
		                       : percent->state == MON_NA  ? "n/a"
		                                                   : "-");
		return;
	}
	strbuf_addf(&label, "%3.0f%%", percent->number);
	tui_bar(pen->canvas, pen->row, pen->column, pen->width,
	        style == TUI_PLAIN ? style_of(percent->number) : style, percent->number,
	        strbuf_get(&label));
}

void tui_draw_ring(const struct tui_pen *pen, const struct mon_ring *ring)
{
	for (int i = 0; i < pen->width; i++) {
		// One slot back: the newest is seldom there when the screen is drawn.
		unsigned char percent = mon_ring_get(ring, pen->s->now_ms, (size_t)(pen->width - i));

		if (percent != MON_RING_GAP)
			tui_put(pen->canvas, pen->row, pen->column + i, 1, style_of(percent),
			        tui_spark(pen->canvas, percent));
	}
}

void tui_draw_age(const struct tui_pen *pen, int64_t seconds)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	static const struct {
		int64_t from, unit;
		char word;
	} units[] = {{86400, 86400, 'd'}, {3600, 3600, 'h'}, {60, 60, 'm'}, {0, 1, 's'}};

	if (seconds < 0) {
		tui_draw_text(pen, TUI_FAINT, "-");
		return;
	}
	if (pen->width >= MON_SHOW_AGE_COLUMNS) {
		mon_show_age(&text, seconds);
		tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
		return;
	}
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (seconds >= units[i].from) {
			strbuf_addf(&text, "%lld%c", (long long)(seconds / units[i].unit), units[i].word);
			break;
		}
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

struct mon_value tui_percent(const struct mon_value *used, const struct mon_value *total)
{
	struct mon_value percent = *used;

	if (used->state != MON_NUMBER)
		return percent;
	if (total->state != MON_NUMBER || total->number <= 0)
		return (struct mon_value){.state = total->state == MON_NUMBER ? MON_NA : total->state};
	percent.number = used->number / total->number * 100;
	return percent;
}
