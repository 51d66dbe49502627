// SPDX-License-Identifier: MIT
// The live screen of top.
#pragma once

#include "base/attr.h"
#include "base/err.h"
#include "cli/context.h"
#include "cmd/top_feed.h"
#include "tui/screen.h"

// Could the screen be shown: a terminal on both sides, and TERM is not dumb?
bool top_screen_is_possible(const struct cli_context *context) _nodiscard_;

// May more than ASCII be drawn, by the locale that the environment names?
bool top_screen_is_utf8(const struct cli_context *context) _nodiscard_;

// Shows what FEED gives, with TUI's view, until the user leaves or a signal comes.
bool top_screen_run(struct cli_context *context, struct top_feed *feed, struct tui *tui,
                    bool is_ascii, struct err *err) _nodiscard_;
