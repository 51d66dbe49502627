// SPDX-License-Identifier: MIT
// The dashboard without a terminal: takes snapshots and keys, draws on a canvas. Nothing here waits, and no
// clock is read.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "mon/model.h"
#include "tui/canvas.h"
#include "tui/view.h"

// Keys beyond characters.
enum tui_key {
	TUI_KEY_UP = 0x110000, // above all of Unicode
	TUI_KEY_DOWN,
	TUI_KEY_LEFT,
	TUI_KEY_RIGHT,
	TUI_KEY_PAGE_UP,
	TUI_KEY_PAGE_DOWN,
	TUI_KEY_HOME,
	TUI_KEY_END,
	TUI_KEY_ENTER,
	TUI_KEY_BACK, // Backspace
	TUI_KEY_ESCAPE,
	TUI_KEY_TAB,
	TUI_KEY_F1,
	TUI_KEY_F6 = TUI_KEY_F1 + 5,
	TUI_KEY_F10 = TUI_KEY_F1 + 9,
	TUI_KEY_CTRL_L,
	TUI_KEYS_END,
};

// What the program should do after a key.
enum tui_action {
	TUI_NO_ACTION,
	TUI_REDRAW, // everything, the terminal may be spoilt
	TUI_QUIT,
	TUI_PAUSE,    // stop showing new snapshots, or go on
	TUI_INTERVAL, // tui_interval_s has changed
};

struct tui;

// A dashboard that shows nothing yet, owned by the caller.
struct tui *tui_new(struct err *err) _nodiscard_;

// Takes a new snapshot, which must live until the next one is given.
bool tui_show(struct tui *tui, const struct mon_snapshot *s, struct err *err) _nodiscard_;

// Acts on a key at the time NOW_MS: a character of Unicode or one of enum tui_key; others do nothing.
enum tui_action tui_press(struct tui *tui, int key, int64_t now_ms);

// Puts TEXT into the place of the footer until the next key.
void tui_say(struct tui *tui, const char *text);

// Draws the whole screen at the time NOW_MS (since the epoch).
bool tui_draw(struct tui *tui, struct tui_canvas *canvas, int64_t now_ms,
              struct err *err) _nodiscard_;

// Shows the view, the filter (NULL or "": all rows) and the column to sort by, as options ask for; fails as
// tui_filter_parse does, or where the view has no such column.
void tui_set_view(struct tui *tui, enum tui_view_id view);
bool tui_set_filter(struct tui *tui, const char *filter, struct err *err) _nodiscard_;
bool tui_set_sort(struct tui *tui, const char *field, bool is_reverse, struct err *err) _nodiscard_;

// Seconds between two samples that the user wants, 2 to 60.
int tui_interval_s(const struct tui *tui);
void tui_set_interval_s(struct tui *tui, int seconds);

void tui_free(struct tui *tui);
void tui_freep(struct tui **tui);
#define _cleanup_tui_ _cleanup_(tui_freep)
