// SPDX-License-Identifier: MIT
// --help, from the command and option rows; at most 80 columns.
#pragma once

#include "base/strbuf.h"
#include "cli/command.h"

// PATH is what the user types to get to COMMAND ("vpsml render job"), PROGRAM what starts us ("vpsml",
// "kubectl vpsml").
void cli_help(struct strbuf *out, const struct cli_command *command, const char *path,
              const char *program);

// "-e, --env K[=V]": the left column of help, also used by the man page.
void cli_option_synopsis(struct strbuf *out, const struct cli_option *option);
