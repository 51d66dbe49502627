// SPDX-License-Identifier: MIT
#include "tui/style.h"

// Foregrounds that can be read on black and on white; blue and black are not among them.
struct row {
	short of_256, of_16, of_8;
	unsigned char is_bold, is_reverse, is_underlined; // in mono; bold also with 8 colours
};

static const struct row rows[TUI_STYLES] = {
	[TUI_PLAIN] = {-1, -1, -1, 0, 0, 0},   [TUI_TITLE] = {37, 6, 6, 1, 0, 0},
	[TUI_HEADING] = {-1, -1, -1, 0, 0, 1}, [TUI_FAINT] = {245, 8, -1, 0, 0, 0},
	[TUI_LOW] = {245, 8, -1, 0, 0, 0},     [TUI_GOOD] = {34, 2, 2, 0, 0, 0},
	[TUI_HIGH] = {40, 10, 2, 1, 0, 0},     [TUI_AMBER] = {172, 3, 3, 1, 0, 0},
	[TUI_FAULT] = {160, 9, 1, 1, 1, 0},    [TUI_SELECTED] = {-1, -1, -1, 0, 1, 0},
	[TUI_KEY] = {37, 6, 6, 1, 0, 0},
};

struct tui_look tui_style_look(enum tui_style style, enum tui_depth depth)
{
	const struct row *row = &rows[style];
	struct tui_look look = {-1, -1, row->is_bold, row->is_reverse, row->is_underlined};

	if (depth == TUI_MONO)
		return look;
	look.foreground = depth == TUI_256_COLOURS  ? row->of_256
	                  : depth == TUI_16_COLOURS ? row->of_16
	                                            : row->of_8;
	look.is_bold = depth == TUI_8_COLOURS && row->is_bold;
	look.is_reverse = style == TUI_SELECTED;
	return look;
}
