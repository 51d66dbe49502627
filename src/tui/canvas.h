// SPDX-License-Identifier: MIT
// A grid of cells to draw on, which knows nothing of terminals. What does not fit is cut; any size is
// allowed, 0 too.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "tui/style.h"

enum { TUI_CELL_BYTES = 14, TUI_MAX_SIDE = 1000 };

struct tui_cell {
	char text[TUI_CELL_BYTES]; // one character with its marks, NUL-terminated; "": see width
	unsigned char width;       // columns: 1, 2, or 0: covered by the wide one before
	unsigned char style;       // enum tui_style
};

// How characters are drawn.
struct tui_charset {
	bool is_ascii;            // nothing but ASCII
	int (*width)(uint32_t c); // columns of a character, below 0: not printable; as wcwidth
};

// ASCII alone; and UTF-8 with the widths of the locale.
extern const struct tui_charset tui_ascii, tui_utf8;

struct tui_canvas {
	int rows, columns;
	struct tui_cell *cells; // row by row
	const struct tui_charset *charset;
};

struct tui_rect {
	int row, column, rows, columns; // none is below 0
};

// Makes an empty canvas of this size (at most TUI_MAX_SIDE each way; below 0 is 0), or another size of
// one that is there. CHARSET is borrowed.
bool tui_canvas_resize(struct tui_canvas *canvas, int rows, int columns,
                       const struct tui_charset *charset, struct err *err) _nodiscard_;

// Empties it.
void tui_canvas_clear(struct tui_canvas *canvas);

// Draws TEXT (UTF-8) at the place, in at most WIDTH columns; what is longer ends in "~". Returns the
// columns that were drawn.
int tui_put(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
            const char *text);

// The same, ending at the right end of the WIDTH columns.
void tui_put_right(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
                   const char *text);

// Draws COUNT times the character C (ASCII).
void tui_repeat(struct tui_canvas *canvas, int row, int column, int count, enum tui_style style,
                char c);

// Gives the WIDTH cells another style.
void tui_restyle(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style);

// Columns that TEXT takes on this canvas.
int tui_text_width(const struct tui_canvas *canvas, const char *text);

// A bar of WIDTH columns with LABEL at its right end: [||||   57%]. PERCENT below 0: none; over 100 the bar
// is full.
void tui_bar(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
             double percent, const char *label);

// One character for 0 to 100 %, or for a gap (above 100).
const char *tui_spark(const struct tui_canvas *canvas, unsigned int percent);

// Adds the grid as lines without blanks at their ends; the ANSI form has the styles as escape sequences.
void tui_canvas_write(struct strbuf *out, const struct tui_canvas *canvas);
void tui_canvas_write_ansi(struct strbuf *out, const struct tui_canvas *canvas,
                           enum tui_depth depth);

void tui_canvas_release(struct tui_canvas *canvas);
#define _cleanup_tui_canvas_ _cleanup_(tui_canvas_release)
