// SPDX-License-Identifier: MIT
// argv → the options struct, with every fault found.
#pragma once

#include "cli/command.h"

// Reads ARGC arguments into OPTIONS (of COMMAND) and into the context's words, command and
// general options. Values that are refused are added to FAULTS and parsing goes on. At an unknown
// option it stops and returns false: nothing tells whether the next argument is its value, and
// what was not read must not be called missing.
bool cli_parse_args(const struct cli_command *command, void *options, struct cli_context *context,
                    int argc, char *const *argv, struct faults *faults);

// How many of the words at the start of ARGV are general options or options of GROUP (NULL: none), with
// their values: what may stand before a command's name. *RET_HELP: --help is one of them.
int cli_count_leading(const struct cli_group *group, int argc, char *const *argv, bool *ret_help);
