// SPDX-License-Identifier: MIT
// vpsml help [COMMAND...]: the same as vpsml COMMAND... --help
#include "cmd/commands.h"

#include "cli/help.h"
#include "cli/output.h"

static bool run(struct cli_context *context, void *options, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(256);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64 * 1024);
	const struct cli_command *command = &cmd_root;

	(void)options;
	strbuf_add(&path, context->program);
	for (size_t i = 0; i < context->words.count; i++) {
		const char *word = context->words.items[i];

		command = command->verbs ? cli_find_verb(command, word) : NULL;
		if (!command)
			return err_set(err, ERR_USAGE, "no help on \"%s\": see \"%s --help\"", word,
			               strbuf_get(&path));
		strbuf_addf(&path, " %s", command->name);
	}
	cli_help(&text, command, strbuf_get(&path), context->program);
	return cli_write_out(context, &text, err);
}

const struct cli_command cmd_help = {
	.name = "help",
	.section = "Other",
	.args = "[COMMAND...]",
	.summary = "show the help of a command",
	.about = "Shows the help of a command, as COMMAND --help does.",
	.page = "vpsml",
	.word_max = 4,
	.arg_completion = CLI_COMPLETE_VERB,
	.run = run,
};
