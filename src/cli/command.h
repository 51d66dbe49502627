// SPDX-License-Identifier: MIT
// Command rows. A command is one `const struct cli_command` in cmd/, listed in cmd/commands.c.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/context.h"
#include "cli/option.h"

struct cli_example {
	const char *what; // what it does
	const char *line; // what to type; run by the docs tests
};

struct cli_command {
	const char *name;
	const char *alias;   // another name for it, or NULL
	const char *section; // heading in `vpsml --help`
	const char *args;    // what follows the name, for the usage line; or NULL
	const char *summary; // one line, lower case, no full stop
	const char *about;   // paragraphs for --help, a line feed between them; or NULL
	const char *page;    // the man page that describes it: "vpsml-render"
	bool is_hidden;      // left out of help, man page and completion

	const struct cli_command *const *verbs; // NULL-terminated; then there is no run
	// Of the root: options of its commands that may also stand before the command's name, as kubectl
	// users type them ("kubectl -n ml get"); or NULL.
	const struct cli_group *leading;
	const struct cli_group_use *groups;
	size_t group_count;
	const struct cli_example *examples;
	size_t example_count;

	size_t word_min, word_max;    // how many arguments beside options
	const char *const *arg_words; // what a shell may offer for them; NULL-terminated, or NULL
	enum cli_completion arg_completion;
	bool takes_command; // may "-- COMMAND…" follow?

	size_t options_size; // of the options struct: zeroed, then init, then parsed into
	void (*init)(void *options);
	void (*release)(void *options);
	// Adds every fault of the options as a whole. Called also when single values were refused.
	void (*check)(struct cli_context *context, void *options, struct faults *faults);
	bool (*run)(struct cli_context *context, void *options, struct err *err);
};

// Finds the command that ARGV (after the program's name) starts with, below ROOT, parses the rest
// and runs it. ROOT's verbs are the commands. Help goes to context->out.
bool cli_dispatch(const struct cli_command *root, struct cli_context *context, int argc,
                  char *const *argv, struct err *err) _nodiscard_;

// Finds the verb NAME (or its alias) of COMMAND, or NULL.
const struct cli_command *cli_find_verb(const struct cli_command *command, const char *name);
