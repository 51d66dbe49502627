// SPDX-License-Identifier: MIT
// What the writers of completion scripts share; for cli/complete*.c alone.
#pragma once

#include "cli/complete.h"
#include "cli/walk.h"

typedef void cli_complete_fn(struct strbuf *out, const struct cli_command *root);

cli_complete_fn cli_complete_bash, cli_complete_zsh, cli_complete_fish;

// Adds TEXT as one word of bash and zsh, in single quotes.
void cli_complete_add_quoted(struct strbuf *out, const char *text);

// Adds TEXT with a backslash before each character that is one of SPECIAL.
void cli_complete_add_escaped(struct strbuf *out, const char *text, const char *special);

// PATH without the program's name: "render job", or "".
const char *cli_complete_verb_path(const char *path);
