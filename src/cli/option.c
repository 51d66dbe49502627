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
};

const struct cli_group cli_general_group = {"General", general, COUNT_OF(general)};

bool cli_option_is_repeatable(const struct cli_option *option)
{
	return option->kind == CLI_LIST || option->is_repeatable;
}
