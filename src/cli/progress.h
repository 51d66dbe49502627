// SPDX-License-Identifier: MIT
// One line at the foot of a terminal that says what is waited for: on standard error, and nowhere but
// on a terminal. Whatever writes to the terminal takes it off first.
#pragma once

#include <stdint.h>

#include "cli/context.h"

// Shows TEXT (made harmless, cut to the terminal's width) and for how many SECONDS, in the place of
// what was shown before. Nothing where standard error is no terminal or a dumb one, and with --quiet.
void cli_progress_show(struct cli_context *context, const char *text, int64_t seconds);

// Takes the line off, if there is one. cli_write_out and the messages of cli/context.h do it
// themselves.
void cli_progress_clear(struct cli_context *context);
