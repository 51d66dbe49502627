// SPDX-License-Identifier: MIT
// What a cell says by its looks. Red is for faults alone; a busy GPU is good news, amber is what is held and
// not used. No colour stands alone: a letter or sign beside it says the same.
#pragma once

enum tui_style {
	TUI_PLAIN,
	TUI_TITLE,    // of a panel, and of the program
	TUI_HEADING,  // of columns
	TUI_FAINT,    // what is not known, or too old
	TUI_LOW,      // little use
	TUI_GOOD,     // in use
	TUI_HIGH,     // well used
	TUI_AMBER,    // allocated and not used; waits
	TUI_FAULT,    // something is broken
	TUI_SELECTED, // the row that keys act on
	TUI_KEY,      // names of keys
	TUI_STYLES,
};

enum tui_depth { TUI_MONO, TUI_8_COLOURS, TUI_16_COLOURS, TUI_256_COLOURS, TUI_DEPTHS };

// How a style looks. Colours are terminal numbers, -1 the terminal's own.
struct tui_look {
	short foreground, background;
	unsigned char is_bold, is_reverse, is_underlined;
};

// The look of STYLE with so many colours.
struct tui_look tui_style_look(enum tui_style style, enum tui_depth depth);
