// SPDX-License-Identifier: MIT
#include "cli/option.h"

static const struct cli_option general[] = {
	{.name = "help",
     .letter = 'h',
     .kind = CLI_FLAG,
     .offset = offsetof(struct cli_general, is_help_wanted),
     .help = "show this help"},
	{.name = "quiet",
     .letter = 'q',
     .kind = CLI_FLAG,
     .offset = offsetof(struct cli_general, is_quiet),
     .help = "show no warnings"},
	{.name = "verbose",
     .letter = 'v',
     .kind = CLI_COUNT,
     .offset = offsetof(struct cli_general, verbosity),
     .help = "show requests and steps on standard error; twice: more of each"},
};

const struct cli_group cli_general_group = {"General", general, COUNT_OF(general)};

bool cli_option_is_bare(const struct cli_option *option)
{
	return option->kind == CLI_FLAG || option->kind == CLI_COUNT;
}

bool cli_option_is_repeatable(const struct cli_option *option)
{
	return option->kind == CLI_LIST || option->kind == CLI_COUNT || option->is_repeatable;
}
