// SPDX-License-Identifier: MIT
// Pieces of a line in the order of reading, which give way in an order of their own where it is narrow.
#pragma once

#include <stddef.h>

#include "base/attr.h"
#include "base/strbuf.h"
#include "tui/canvas.h"

enum { TUI_SEGMENTS = 24, TUI_SEGMENT_BYTES = 256 };

struct tui_segment {
	char text[TUI_SEGMENT_BYTES];
	enum tui_style style;
	int drop; // 0: stays; else the highest goes first
};

struct tui_segments {
	struct tui_segment items[TUI_SEGMENTS];
	size_t count;
};

// Appends a piece; empty ones, and those beyond TUI_SEGMENTS, are left out.
void tui_segments_add(struct tui_segments *segments, int drop, enum tui_style style,
                      const char *format, ...) _printf_(4, 5);

// Draws the pieces with GAP blanks between them in WIDTH columns; the last one stands at the right end where
// IS_LAST_RIGHT.
void tui_segments_draw(struct tui_segments *segments, struct tui_canvas *canvas,
                       struct tui_rect rect, int gap, bool is_last_right);
