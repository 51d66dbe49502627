// SPDX-License-Identifier: MIT
// vpsml __options: every option of every command, for the tests that hold help, man pages and
// completions to the table. A line each, its fields between tabs, in the order of the header line.
#include "cmd/commands.h"

#include "cli/output.h"
#include "cli/walk.h"

enum { DUMP_MAX_BYTES = 4 * 1024 * 1024 };

static const char *const kinds[] = {
	[CLI_FLAG] = "flag", [CLI_COUNT] = "count", [CLI_STRING] = "string",
	[CLI_LIST] = "list", [CLI_INT] = "int",     [CLI_DURATION] = "duration",
	[CLI_WORD] = "word", [CLI_VALUE] = "value",
};

static const char *const completions[CLI_COMPLETE_COUNT] = {
	[CLI_COMPLETE_NONE] = "",
	[CLI_COMPLETE_FILE] = "file",
	[CLI_COMPLETE_FOLDER] = "folder",
	[CLI_COMPLETE_VERB] = "verb",
	[CLI_COMPLETE_JOB] = "job",
	[CLI_COMPLETE_NODE] = "node",
	[CLI_COMPLETE_NAMESPACE] = "namespace",
	[CLI_COMPLETE_CLASS] = "class",
	[CLI_COMPLETE_CONTEXT] = "context",
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void add_option(struct strbuf *out, const struct cli_command *command, const char *path,
                       const struct cli_group *group, const struct cli_option *option)
{
	strbuf_addf(out, "%s\t%s\t%s\t%s\t%.*s\t%s\t%s\t%s\t%s\t", path, or_empty(command->page),
	            group->heading, option->name, option->letter != 0, &option->letter,
	            or_empty(option->metavar), kinds[option->kind],
	            cli_option_is_repeatable(option) ? "many" : "once",
	            completions[option->completion]);
	for (size_t i = 0; option->words && option->words[i]; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", option->words[i]);
	strbuf_addf(out, "\t%s\n", or_empty(option->help));
}

static void add_options(const struct cli_command *command, const char *path, void *data)
{
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *option;

	while ((option = cli_next_option(command, &cursor)))
		add_option(data, command, path, cli_cursor_group(command, &cursor), option);
}

static bool run(struct cli_context *context, void *options, struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(DUMP_MAX_BYTES);

	(void)options;
	strbuf_add(&out, "command\tpage\tgroup\tlong\tletter\tmetavar\tkind\ttimes\tcompletion\twords\t"
	                 "help\n");
	cli_walk(&cmd_root, cmd_root.name, add_options, &out);
	return cli_write_out(context, &out, err);
}

const struct cli_command cmd_options = {
	.name = "__options",
	.section = "Other",
	.summary = "list every option of every command",
	.is_hidden = true,
	.run = run,
};
