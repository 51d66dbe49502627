// SPDX-License-Identifier: MIT
// What a command line that is not finished asks for: which command, and what may stand at the cursor.
// It reads words as cli/parse_args.h does, but takes no value and minds no fault. Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/command.h"

enum cli_wish {
	CLI_WISH_NOTHING,
	CLI_WISH_VERB,   // a verb of the command
	CLI_WISH_OPTION, // an option's name
	CLI_WISH_VALUE,  // the value of `option`
	CLI_WISH_WORD,   // an argument of the command
};

struct cli_place {
	enum cli_wish wish;
	const struct cli_command *command; // as far as it was found
	const struct cli_option *option;   // CLI_WISH_VALUE
	const char
		*typed; // of the wish, up to the cursor; borrowed from the words. "" behind "--name="
	size_t verb_count; // how many words name the command
};

// Reads the COUNT words behind the program's name; the last one is at the cursor and may be "".
// COUNT is at least 1.
void cli_place_find(struct cli_place *place, const struct cli_command *root, char *const *words,
                    size_t count);

// What a shell may offer there, by the row of the option or of the command.
enum cli_completion cli_place_completion(const struct cli_place *place);
