// SPDX-License-Identifier: MIT
#include "cmd/top_screen.h"

#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "tui/terminal.h"

enum { TICK_MS = 1000, BUSY_TICK_MS = 50, MESSAGE_BYTES = 256, SETTLE_MS = 1000 };

// What is on the screen.
struct live {
	struct cli_context *context;
	struct top_feed *feed;
	struct tui *tui;
	struct tui_term *term;
	const struct tui_charset *charset;
	struct mon_snapshot *shown;
	struct tui_canvas canvas;
	int64_t key_ms; // of the last key
	bool is_paused, must_redraw, is_over;
};

bool top_screen_is_possible(const struct cli_context *context)
{
	const char *term = cli_getenv(context, "TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

bool top_screen_is_utf8(const struct cli_context *context)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const char *value = cli_getenv(context, names[i]);

		if (value && *value)
			return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
	}
	return false;
}

static int64_t wall_ms(const struct live *live)
{
	return live->context->clock->wall_ms(live->context->clock->context);
}

// The time that the screen is about.
static int64_t shown_ms(const struct live *live)
{
	if (top_feed_is_replay(live->feed) && live->shown)
		return live->shown->now_ms;
	return wall_ms(live);
}

// A snapshot waits while the user is moving: rows must not jump under the keys.
static bool take_snapshot(struct live *live, struct err *err)
{
	struct mon_snapshot *s;

	if (live->is_paused || (live->shown && wall_ms(live) - live->key_ms < SETTLE_MS))
		return true;
	s = top_feed_take(live->feed);
	if (!s)
		return true;
	if (!tui_show(live->tui, s, err)) {
		mon_snapshot_free(s);
		return false;
	}
	mon_snapshot_free(live->shown);
	live->shown = s;
	return true;
}

static bool draw(struct live *live, struct err *err)
{
	int rows, columns;

	tui_term_size(live->term, &rows, &columns);
	if (!tui_canvas_resize(&live->canvas, rows, columns, live->charset, err) ||
	    !tui_draw(live->tui, &live->canvas, shown_ms(live), err))
		return false;
	if (tui_term_show(live->term, &live->canvas, live->must_redraw))
		live->must_redraw = false;
	return true;
}

static void press(struct live *live, int key)
{
	live->key_ms = wall_ms(live);
	switch (tui_press(live->tui, key, shown_ms(live))) {
	case TUI_QUIT:
		live->is_over = true;
		break;
	case TUI_PAUSE:
		live->is_paused = !live->is_paused;
		break;
	case TUI_REDRAW:
		live->must_redraw = true;
		break;
	case TUI_INTERVAL:
		top_feed_set_interval_s(live->feed, tui_interval_s(live->tui));
		break;
	case TUI_NO_ACTION:
		break;
	}
}

static bool turn(struct live *live, struct err *err)
{
	char message[MESSAGE_BYTES];
	bool has_settled = wall_ms(live) - live->key_ms >= SETTLE_MS;
	int key;

	// The feed's descriptor stays readable until its snapshot is taken.
	tui_term_wait(live->term, has_settled && !live->is_paused ? top_feed_fd(live->feed) : -1,
	              has_settled ? TICK_MS : BUSY_TICK_MS * 4);
	while ((key = tui_term_key(live->term)) != TUI_KEY_NONE)
		press(live, key);
	live->is_over |= interrupt_count() > 0 || tui_term_is_gone(live->term);
	if (top_feed_message(live->feed, message, sizeof message))
		tui_say(live->tui, message);
	return take_snapshot(live, err) && (live->is_over || draw(live, err));
}

bool top_screen_run(struct cli_context *context, struct top_feed *feed, struct tui *tui,
                    bool is_ascii, struct err *err)
{
	const struct tui_term_options options = {cli_use_colour(context, context->out)};
	bool is_plain = is_ascii || !top_screen_is_utf8(context) || !tui_term_has_blocks();
	struct live live = {
		.context = context, .feed = feed, .tui = tui, .charset = is_plain ? &tui_ascii : &tui_utf8};
	bool is_ok = true;

	interrupt_catch();
	live.term = tui_term_open(&options, err);
	if (!live.term)
		return false;
	is_ok = draw(&live, err);
	while (is_ok && !live.is_over)
		is_ok = turn(&live, err);
	tui_term_close(live.term);
	tui_canvas_release(&live.canvas);
	mon_snapshot_free(live.shown);
	if (is_ok && interrupt_signal())
		context->exit_status = 128 + interrupt_signal();
	return is_ok;
}
