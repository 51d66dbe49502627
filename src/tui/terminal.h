// SPDX-License-Identifier: MIT
// A terminal that shows a canvas and gives keys. It stands in term_curses.c, the one file that knows
// ncurses.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "tui/canvas.h"
#include "tui/screen.h"

struct tui_term;

enum { TUI_KEY_NONE = -1 };

struct tui_term_options {
	bool has_colour; // else bold, underline and reverse alone
};

// Can characters beyond ASCII be drawn: blocks are one column wide in this locale?
bool tui_term_has_blocks(void);

// Takes the terminal on standard input and output over. Fails where TERM is not known or cannot move the
// cursor; nothing has changed then. From now on the terminal is restored when the program ends, also by a
// signal, and what libraries write to standard error is held back.
struct tui_term *tui_term_open(const struct tui_term_options *options, struct err *err) _nodiscard_;

// The size now.
void tui_term_size(const struct tui_term *term, int *ret_rows, int *ret_columns);

// Shows the canvas; only what has changed is sent. With IS_WHOLE everything is. Where the terminal cannot
// take it just now nothing is done, and false returned.
bool tui_term_show(struct tui_term *term, const struct tui_canvas *canvas, bool is_whole);

// Waits at most TIMEOUT_MS for a key, for a change of size, for WAKE_FD (-1: none) to be readable, or for a
// signal.
void tui_term_wait(struct tui_term *term, int wake_fd, int timeout_ms);

// The next key that has arrived, or TUI_KEY_NONE. Pasted text is passed over.
int tui_term_key(struct tui_term *term);

// Has the terminal gone away?
bool tui_term_is_gone(const struct tui_term *term);

// Gives the terminal back as it was.
void tui_term_close(struct tui_term *term);
void tui_term_closep(struct tui_term **term);
#define _cleanup_tui_term_ _cleanup_(tui_term_closep)
