// SPDX-License-Identifier: MIT
// Going through the command rows, for what is written from them: man pages and completions.
#pragma once

#include "cli/command.h"

// PATH is what the user types to get to COMMAND: "vpsml render job".
typedef void cli_walk_fn(const struct cli_command *command, const char *path, void *data);

// Calls VISIT for COMMAND and all below it, a command before its verbs; hidden ones never.
void cli_walk(const struct cli_command *command, const char *path, cli_walk_fn *visit, void *data);

// The command that PATH names, below ROOT or ROOT itself; NULL where there is none.
const struct cli_command *cli_find_path(const struct cli_command *root, const char *path);

// Where a loop over a command's options stands: {0, 0} before the first.
struct cli_cursor {
	size_t group;
	size_t option;
};

// The options of COMMAND one by one, the general ones last; then NULL.
const struct cli_option *cli_next_option(const struct cli_command *command,
                                         struct cli_cursor *cursor);

// The group that the last option came from.
const struct cli_group *cli_cursor_group(const struct cli_command *command,
                                         const struct cli_cursor *cursor);
