// SPDX-License-Identifier: MIT
// Completion scripts, written from the command rows: each is one text that needs nothing else.
//
// A script knows the verbs with their summaries, the options with their help, which of them take
// a value and what it may be. What a shell does for each enum cli_completion stands in one table
// at the head of its complete_SHELL.c. For names that only a cluster knows the script asks the program
// itself (vpsml __complete, cmd/cmd_complete.c).
#pragma once

#include "base/strbuf.h"
#include "cli/command.h"

enum cli_shell { CLI_SHELL_BASH, CLI_SHELL_ZSH, CLI_SHELL_FISH, CLI_SHELL_COUNT };

// The shells' names in the order of enum cli_shell, NULL-terminated.
extern const char *const cli_shell_words[];

// Adds the script that completes the command line of vpsml, whose commands are ROOT's verbs, in
// SHELL. Only OUT can fail.
void cli_complete(struct strbuf *out, enum cli_shell shell, const struct cli_command *root);
