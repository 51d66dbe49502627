// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include <string.h>

#include "base/text.h"

enum { WIDTH = 80, OPTION_COLUMN = 28, VERB_COLUMN = 15 };

void cli_option_synopsis(struct strbuf *out, const struct cli_option *option)
{
	if (option->letter)
		strbuf_addf(out, "-%c, ", option->letter);
	else
		strbuf_add(out, "    ");
	strbuf_addf(out, "--%s", option->name);
	if (option->metavar)
		strbuf_addf(out, " %s", option->metavar);
}

// TEXT at COLUMN, after a left part that ends at USED columns; on a line of its own if it must.
static void add_right(struct strbuf *out, size_t used, size_t column, const char *text)
{
	if (used + 2 > column) {
		strbuf_add_char(out, '\n');
		used = 0;
	}
	strbuf_add_repeat(out, ' ', column - used);
	text_wrap(out, text, column, column, WIDTH);
	strbuf_add_char(out, '\n');
}

static void add_option(struct strbuf *out, const struct cli_option *option)
{
	_cleanup_strbuf_ struct strbuf left = STRBUF_INIT(256);
	_cleanup_strbuf_ struct strbuf right = STRBUF_INIT(4096);

	strbuf_add(&left, "  ");
	cli_option_synopsis(&left, option);
	strbuf_add(&right, option->help);
	if (cli_option_is_repeatable(option))
		strbuf_add(&right, " (repeatable)");
	out->failed |= left.failed || right.failed;
	strbuf_add(out, strbuf_get(&left));
	add_right(out, text_width(strbuf_get(&left)), OPTION_COLUMN, strbuf_get(&right));
	out->failed |= left.failed || right.failed;
}

static void add_group(struct strbuf *out, const struct cli_group *group)
{
	strbuf_addf(out, "\n%s:\n", group->heading);
	for (size_t i = 0; i < group->count; i++)
		add_option(out, &group->options[i]);
}

static void add_verb(struct strbuf *out, const struct cli_command *verb)
{
	_cleanup_strbuf_ struct strbuf right = STRBUF_INIT(4096);

	strbuf_add(&right, verb->summary);
	if (verb->alias)
		strbuf_addf(&right, " (also: %s)", verb->alias);
	out->failed |= right.failed;
	strbuf_addf(out, "  %s", verb->name);
	add_right(out, 2 + strlen(verb->name), VERB_COLUMN, strbuf_get(&right));
	out->failed |= right.failed;
}

static void add_verbs(struct strbuf *out, const struct cli_command *command)
{
	const char *section = NULL;

	for (size_t i = 0; command->verbs[i]; i++) {
		const struct cli_command *verb = command->verbs[i];

		if (verb->is_hidden)
			continue;
		if (!section || strcmp(section, verb->section) != 0)
			strbuf_addf(out, "\n%s:\n", verb->section);
		section = verb->section;
		add_verb(out, verb);
	}
}

static void add_usage(struct strbuf *out, const struct cli_command *command, const char *path)
{
	size_t indent = strlen("Usage: ") + strlen(path) + 1;
	_cleanup_strbuf_ struct strbuf args = STRBUF_INIT(1024);

	strbuf_addf(out, "Usage: %s ", path);
	if (command->verbs)
		strbuf_add(&args, "COMMAND [OPTION...]");
	else
		strbuf_addf(&args, "%s%s[OPTION...]%s", command->args ? command->args : "",
		            command->args ? " " : "", command->takes_command ? " [-- COMMAND...]" : "");
	text_wrap(out, strbuf_get(&args), indent, indent, WIDTH);
	out->failed |= args.failed;
	strbuf_add_char(out, '\n');
}

// Lines begin with our own name, and are shown with the one that we were started by.
static void add_examples(struct strbuf *out, const struct cli_command *command, const char *program)
{
	static const char own[] = "vpsml ";

	if (command->example_count)
		strbuf_add(out, "\nExamples:\n");
	for (size_t i = 0; i < command->example_count; i++) {
		const struct cli_example *example = &command->examples[i];
		bool is_own = !strncmp(example->line, own, sizeof(own) - 1);

		strbuf_addf(out, "  # %s\n  %s%s%s\n", example->what, is_own ? program : "",
		            is_own ? " " : "", example->line + (is_own ? sizeof(own) - 1 : 0));
	}
}

// Each line of TEXT is a paragraph.
static void add_about(struct strbuf *out, const char *text)
{
	for (;;) {
		_cleanup_strbuf_ struct strbuf paragraph = STRBUF_INIT(4096);
		size_t len = strcspn(text, "\n");

		strbuf_add_n(&paragraph, text, len);
		out->failed |= paragraph.failed;
		text_wrap(out, strbuf_get(&paragraph), 0, 0, WIDTH);
		out->failed |= paragraph.failed;
		strbuf_add_char(out, '\n');
		if (!text[len])
			return;
		strbuf_add_char(out, '\n');
		text += len + 1;
	}
}

// Where there is more to read.
static void add_links(struct strbuf *out, const struct cli_command *command, const char *path)
{
	if (command->verbs)
		strbuf_addf(out, "\nSee \"%s COMMAND --help\" for the options of a command.\n", path);
	if (command->page)
		strbuf_addf(out, "%sSee %s(1) for more.\n", command->verbs ? "" : "\n", command->page);
}

void cli_help(struct strbuf *out, const struct cli_command *command, const char *path,
              const char *program)
{
	add_usage(out, command, path);
	strbuf_add_char(out, '\n');
	add_about(out, command->about ? command->about : command->summary);
	if (command->verbs)
		add_verbs(out, command);
	for (size_t i = 0; i < command->group_count; i++)
		add_group(out, command->groups[i].group);
	add_group(out, &cli_general_group);
	add_examples(out, command, program);
	add_links(out, command, path);
}
