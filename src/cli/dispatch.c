// SPDX-License-Identifier: MIT
#include "cli/command.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/parse_args.h"

enum { VERB_MAX_COUNT = 64, HELP_MAX_BYTES = 64 * 1024 };

const struct cli_command *cli_find_verb(const struct cli_command *command, const char *name)
{
	for (size_t i = 0; command->verbs[i]; i++) {
		const struct cli_command *verb = command->verbs[i];

		if (!strcmp(verb->name, name) || (verb->alias && !strcmp(verb->alias, name)))
			return verb;
	}
	return NULL;
}

static bool unknown_verb(const struct cli_command *command, const char *path, const char *name,
                         struct err *err)
{
	const char *names[VERB_MAX_COUNT];
	const char *nearest;
	size_t count = 0;

	for (size_t i = 0; command->verbs[i] && count < COUNT_OF(names); i++)
		if (!command->verbs[i]->is_hidden)
			names[count++] = command->verbs[i]->name;
	nearest = text_nearest(name, names, count);
	if (nearest)
		return err_set(err, ERR_USAGE, "unknown command \"%s\": did you mean \"%s\"?", name,
		               nearest);
	return err_set(err, ERR_USAGE, "unknown command \"%s\": see \"%s --help\"", name, path);
}

static bool show_help(struct cli_context *context, const struct cli_command *command,
                      const char *path, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(HELP_MAX_BYTES);

	cli_help(&text, command, path, context->program);
	return cli_write_out(context, &text, err);
}

// Parses, checks and runs a command that has no verbs.
static bool run(const struct cli_command *command, void *options, struct cli_context *context,
                const char *path, int argc, char *const *argv, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	bool is_complete;

	is_complete = cli_parse_args(command, options, context, argc, argv, &faults);
	if (context->general.is_help_wanted)
		return show_help(context, command, path, err);
	if (is_complete && command->check)
		command->check(context, options, &faults);
	if (!faults_none(&faults, err))
		return false;
	cli_show_warnings(context, &faults);
	return command->run(context, options, err);
}

static bool run_leaf(const struct cli_command *command, struct cli_context *context,
                     const char *path, int argc, char *const *argv, struct err *err)
{
	_cleanup_free_ void *options = mem_alloc(command->options_size);
	bool is_ok;

	if (!options)
		return err_memory(err);
	if (command->init)
		command->init(options);
	is_ok = run(command, options, context, path, argc, argv, err);
	if (command->release)
		command->release(options);
	return is_ok;
}

// The command's words as dispatching leaves them: options that stood before its name come first.
struct words {
	char **items;
	int count;
	int leading; // how many of them are such options
	bool has_help;
};

static void count_leading(struct words *words, const struct cli_command *root)
{
	words->leading = cli_count_leading(root->leading, words->count, words->items, &words->has_help);
}

// A command that has verbs, with no verb behind it.
static bool run_group(const struct cli_command *command, struct cli_context *context,
                      const char *path, const struct words *words, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	cli_parse_args(command, NULL, context, words->count - words->leading,
	               words->items + words->leading, &faults);
	if (words->has_help || context->general.is_help_wanted)
		return show_help(context, command, path, err);
	if (!faults_none(&faults, err))
		return false;
	return err_set(err, ERR_USAGE, "no command: see \"%s --help\"", path);
}

// Takes the command's name out: options before it go to the front of what is behind it.
static void take_name(struct words *words)
{
	for (int i = words->leading; i > 0; i--)
		words->items[i] = words->items[i - 1];
	words->items++;
	words->count--;
}

static bool dispatch(const struct cli_command *root, struct cli_context *context,
                     struct words *words, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(256);
	const struct cli_command *command = root;

	if (!context->program)
		context->program = root->name;
	strbuf_add(&path, context->program);
	for (;;) {
		const struct cli_command *verb;
		const char *name;

		count_leading(words, root);
		if (!command->verbs || words->leading == words->count ||
		    words->items[words->leading][0] == '-')
			break;
		name = words->items[words->leading];
		verb = cli_find_verb(command, name);
		if (!verb)
			return unknown_verb(command, strbuf_get(&path), name, err);
		command = verb;
		strbuf_addf(&path, " %s", verb->name);
		take_name(words);
	}
	if (!strbuf_ok(&path, err))
		return false;
	if (command->verbs)
		return run_group(command, context, strbuf_get(&path), words, err);
	return run_leaf(command, context, strbuf_get(&path), words->count, words->items, err);
}

bool cli_dispatch(const struct cli_command *root, struct cli_context *context, int argc,
                  char *const *argv, struct err *err)
{
	_cleanup_free_ char **items = mem_alloc(((size_t)argc + 1) * sizeof(*items));
	struct words words = {.items = items, .count = argc};

	if (!items)
		return err_memory(err);
	memcpy(items, argv, (size_t)argc * sizeof(*items));
	return dispatch(root, context, &words, err);
}
