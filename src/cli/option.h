// SPDX-License-Identifier: MIT
// Option rows: one table gives the parser, --help, the man page's OPTIONS and the completions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cli/context.h"

// What a row's field is, and how its value is read.
enum cli_kind {
	CLI_FLAG,     // bool; takes no value
	CLI_COUNT,    // int; takes no value, and counts how often it is given
	CLI_STRING,   // char *, owned; the last one given counts
	CLI_LIST,     // struct strv; each one given is appended
	CLI_INT,      // int64_t from min to max
	CLI_DURATION, // int64_t, seconds, at least min
	CLI_WORD,     // const char *, borrowed: one of `words`
	CLI_VALUE,    // whatever `parse` makes of it
};

// What a shell may offer for a value. A new kind also gets a line in each complete_SHELL.c.
enum cli_completion {
	CLI_COMPLETE_NONE,
	CLI_COMPLETE_FILE,
	CLI_COMPLETE_FOLDER,
	CLI_COMPLETE_VERB, // the names of commands, one word a level
	// Names that only a cluster knows, or the kubeconfig: the scripts ask `vpsml __complete`.
	CLI_COMPLETE_JOB,
	CLI_COMPLETE_NODE,
	CLI_COMPLETE_NAMESPACE,
	CLI_COMPLETE_CLASS, // priority class
	CLI_COMPLETE_CONTEXT,
	CLI_COMPLETE_COUNT
};

// Reads TEXT into FIELD. The error's message starts with the quoted text; the option's name
// is put in front by the caller.
typedef bool cli_parse_fn(struct cli_context *context, const char *text, void *field,
                          struct err *err);

struct cli_option {
	const char *name; // without dashes
	char letter;      // short form, or 0
	enum cli_kind kind;
	bool is_repeatable;  // CLI_VALUE that gathers; CLI_LIST always is
	size_t offset;       // of the field, in the struct that the group is used with
	const char *metavar; // of the value
	const char *help;    // lower case, no full stop
	int64_t min, max;
	const char *const *words; // CLI_WORD, or what a CLI_VALUE offers; NULL-terminated
	enum cli_completion completion;
	cli_parse_fn *parse;
};

// Options that belong together, shared by the commands that take them.
struct cli_group {
	const char *heading;
	const struct cli_option *options;
	size_t count;
};

// A group, and where its fields begin in the command's options struct.
struct cli_group_use {
	const struct cli_group *group;
	size_t offset;
};

// --help, --quiet, --verbose: fields of struct cli_general.
extern const struct cli_group cli_general_group;

// Is the option without a value, a flag or a count?
bool cli_option_is_bare(const struct cli_option *option);

// May the option be given more than once to say more?
bool cli_option_is_repeatable(const struct cli_option *option);
