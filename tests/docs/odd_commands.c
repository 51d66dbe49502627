// SPDX-License-Identifier: MIT
// Prints the completion script of a table in which every text has what a shell could trip over.
#include "base/parse.h"

#include "cli/complete.h"

static const char *const odd_words[] = {"a b",   "c:d", "it's", "q\"q",    "$HOME", "back\\slash",
                                        "star*", "[x]", "~x",   "(brace)", "k=v",   NULL};

static const struct cli_option rows[] = {
	{.name = "odd",
     .letter = 'x',
     .kind = CLI_WORD,
     .metavar = "A:B[C]",
     .words = odd_words,
     .help = "one: of `these` [it's $HOME] \\n %s \"quoted\""},
	{.name = "many", .kind = CLI_LIST, .metavar = "W", .words = odd_words, .help = "many: of them"},
	{.name = "file",
     .letter = 'f',
     .kind = CLI_STRING,
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "a file"},
	{.name = "folder",
     .kind = CLI_STRING,
     .metavar = "FOLDER",
     .completion = CLI_COMPLETE_FOLDER,
     .help = "a folder"},
};
static const struct cli_group group = {"Odd", rows, COUNT_OF(rows)};
static const struct cli_group_use groups[] = {{&group, 0}};

static const struct cli_command words = {
	.name = "words",
	.alias = "w",
	.section = "Odd",
	.args = "WORD...",
	.summary = "it's: one [or] `two` $words \\ \"here\"",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.word_max = 2,
	.arg_words = odd_words,
};
static const struct cli_command hidden = {
	.name = "hidden",
	.section = "Odd",
	.summary = "not to be offered",
	.is_hidden = true,
};
static const struct cli_command file = {
	.name = "file",
	.section = "Odd",
	.args = "FILE",
	.summary = "takes a file",
	.word_max = 1,
	.arg_completion = CLI_COMPLETE_FILE,
};
static const struct cli_command *const inner_verbs[] = {&words, &hidden, &file, NULL};
static const struct cli_command inner = {
	.name = "inner", .alias = "i", .section = "Odd", .summary = "a group", .verbs = inner_verbs};
static const struct cli_command *const verbs[] = {&inner, NULL};
static const struct cli_command root = {.name = "vpsml", .verbs = verbs, .summary = "odd"};

int main(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1024 * 1024);
	_cleanup_err_ struct err err = ERR_INIT;
	size_t shell;

	if (argc != 2 || !parse_word(argv[1], cli_shell_words, &shell, &err))
		return 2;
	cli_complete(&out, (enum cli_shell)shell, &root);
	return strbuf_ok(&out, &err) && fputs(strbuf_get(&out), stdout) >= 0 ? 0 : 1;
}
