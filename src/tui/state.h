// SPDX-License-Identifier: MIT
// What a struct tui holds, for screen.c, keys.c and prompt.c alone.
#pragma once

#include "tui/layout.h"
#include "tui/list.h"
#include "tui/screen.h"

enum tui_prompt { TUI_NO_PROMPT, TUI_PROMPT_FIND, TUI_PROMPT_FILTER };
enum tui_focus { TUI_FOCUS_NODES, TUI_FOCUS_GPUS, TUI_FOCUS_JOBS, TUI_FOCUSES };

enum { TUI_TRAIL = 8, TUI_INPUT_BYTES = 256 };

// A place to come back to.
struct tui_step {
	enum tui_view_id view;
	struct tui_scope scope;
};

struct tui {
	const struct mon_snapshot *s; // NULL before the first
	enum tui_view_id view;
	struct tui_list lists[TUI_VIEWS];
	char filters[TUI_VIEWS][TUI_INPUT_BYTES]; // their text
	struct tui_list node_gpus;                // the panel below the nodes
	enum tui_focus focus;                     // among the panels of the node view
	struct tui_step trail[TUI_TRAIL];
	size_t trail_count;
	enum tui_prompt prompt;
	char input[TUI_INPUT_BYTES];
	size_t input_len;
	char word[TUI_INPUT_BYTES];    // what was last looked for
	char message[TUI_INPUT_BYTES]; // in the place of the footer, until the next key
	bool is_help;
	int help_top;
	int64_t paused_ms; // since when; 0: runs
	int interval_s;
	size_t generation;        // of the snapshot
	struct tui_layout layout; // of the last drawing
};

// The list that keys act on, made of the snapshot that is shown now.
struct tui_list *tui_active_list(struct tui *tui);

// Takes the text of a prompt over. What is wrong with it becomes the message.
void tui_finish_prompt(struct tui *tui);

// Acts on a key while a prompt is open.
void tui_press_prompt(struct tui *tui, int key);
