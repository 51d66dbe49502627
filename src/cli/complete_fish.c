// SPDX-License-Identifier: MIT
// The fish script: one `complete` a row, each with the condition under which it applies.
#include "cli/complete_shell.h"

#include <string.h>

// The arguments of `complete` that tell fish what the value of each kind is.
static const char *const actions[CLI_COMPLETE_COUNT] = {
	[CLI_COMPLETE_NONE] = "-x",
	[CLI_COMPLETE_FILE] = "-r -F",
	[CLI_COMPLETE_FOLDER] = "-x -a '(__vpsml_folders)'",
	[CLI_COMPLETE_VERB] = "-x -a '(__vpsml_verbs (__vpsml_words))'",
	[CLI_COMPLETE_JOB] = "-x -a '(__vpsml_ask)'",
	[CLI_COMPLETE_NODE] = "-x -a '(__vpsml_ask)'",
	[CLI_COMPLETE_NAMESPACE] = "-x -a '(__vpsml_ask)'",
	[CLI_COMPLETE_CLASS] = "-x -a '(__vpsml_ask)'",
	[CLI_COMPLETE_CONTEXT] = "-x -a '(__vpsml_ask)'",
};

// Characters that stand for themselves in a word of fish.
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:,";

static const char head[] =
	"# fish completion for vpsml, written by \"vpsml completion fish\": do not edit.\n"
	"\n";

static const char functions[] =
	"# The words before the cursor, without the program's name.\n"
	"function __vpsml_tokens\n"
	"    set -l tokens (commandline -opc)\n"
	"    set -e tokens[1]\n"
	"    string join -- \\n $tokens\n"
	"end\n"
	"\n"
	"# The verbs at the beginning of the line, a line each: the command.\n"
	"function __vpsml_command\n"
	"    set -l path\n"
	"    for word in (__vpsml_tokens)\n"
	"        set -l verb (__vpsml_verb $path $word); or break\n"
	"        set -a path $verb\n"
	"    end\n"
	"    string join -- \\n $path\n"
	"end\n"
	"\n"
	"# The words behind the command that are no option and no option's value.\n"
	"function __vpsml_words\n"
	"    set -l tokens (__vpsml_tokens)\n"
	"    set -l path (__vpsml_command)\n"
	"    set -l is_value 0\n"
	"    for word in $tokens[(math (count $path) + 1)..-1]\n"
	"        if test $is_value = 1; and not string match -q -- '--*' $word\n"
	"            set is_value 0\n"
	"            continue\n"
	"        end\n"
	"        set is_value 0\n"
	"        switch $word\n"
	"            case --\n"
	"                break\n"
	"            case '-?*'\n"
	"                __vpsml_takes_value $word $path; and set is_value 1\n"
	"            case '*'\n"
	"                echo $word\n"
	"        end\n"
	"    end\n"
	"end\n"
	"\n"
	"# Is the command the one given as arguments, and is the cursor not behind \"--\"?\n"
	"# Most conditions below ask this of one line, so the answer for it is kept.\n"
	"function __vpsml_in\n"
	"    set -l line (commandline -opc)\n"
	"    if test \"$line\" != \"$__vpsml_line\"\n"
	"        set -g __vpsml_line \"$line\"\n"
	"        set -g __vpsml_here (string join -- ' ' (__vpsml_command))\n"
	"        contains -- -- $line; and set -g __vpsml_here --\n"
	"    end\n"
	"    test \"$argv\" = \"$__vpsml_here\"\n"
	"end\n"
	"\n"
	"# The same, with nothing behind the command yet.\n"
	"function __vpsml_at\n"
	"    __vpsml_in $argv; and test (count (__vpsml_tokens)) = (count $argv)\n"
	"end\n"
	"\n"
	"# The same as __vpsml_in, with room for one more of $argv[1] plain words.\n"
	"function __vpsml_room\n"
	"    __vpsml_in $argv[2..-1]; and test (count (__vpsml_words)) -lt $argv[1]\n"
	"end\n"
	"\n"
	"# The same as __vpsml_in, where an option is not given yet: $argv[1] is flag or value, then\n"
	"# its long name, its letter, and the command. While its value is completed it stands last.\n"
	"function __vpsml_once\n"
	"    __vpsml_in $argv[4..-1]; or return\n"
	"    set -l tokens (__vpsml_tokens)\n"
	"    set -l given \"--$argv[2](=.*)?\"\n"
	"    test -n $argv[3]; and set given \"$given|-$argv[3].*\"\n"
	"    if test $argv[1] = value; and contains -- \"$tokens[-1]\" --$argv[2] -$argv[3]\n"
	"        set -e tokens[-1]\n"
	"    end\n"
	"    not string match -qr -- \"^(?:$given)\\$\" $tokens\n"
	"end\n"
	"\n"
	"# Is the cursor behind the \"--\" of a command that takes one?\n"
	"function __vpsml_has_rest\n"
	"    contains -- -- (__vpsml_tokens); and __vpsml_takes_command (__vpsml_command)\n"
	"end\n"
	"\n"
	"# What fish would offer if the words behind \"--\" were the whole line.\n"
	"function __vpsml_rest\n"
	"    set -l tokens (__vpsml_tokens)\n"
	"    set tokens $tokens[(math (contains -i -- -- $tokens) + 1)..-1]\n"
	"    complete -C (string join -- ' ' (string escape -- $tokens) (commandline -ct))\n"
	"end\n"
	"\n"
	"# What vpsml itself finds out. A note, which stands behind a tab, describes the last name.\n"
	"function __vpsml_ask\n"
	"    set -l tokens (commandline -opc)\n"
	"    set -l lines ($tokens[1] __complete -- $tokens[2..-1] (commandline -ct) 2>/dev/null)\n"
	"    if string match -q -- \\t'*' \"$lines[-1]\"\n"
	"        test (count $lines) -gt 1; and set lines[-2] $lines[-2]$lines[-1]\n"
	"        set -e lines[-1]\n"
	"    end\n"
	"    string join -- \\n $lines\n"
	"end\n"
	"\n"
	"function __vpsml_folders\n"
	"    __fish_complete_directories (commandline -ct | string replace -r -- '^-[^=]*=' '')\n"
	"end\n"
	"\n";

// Adds TEXT as one word of fish, in single quotes.
static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_add_char(out, '\'');
	cli_complete_add_escaped(out, text, "'\\");
	strbuf_add_char(out, '\'');
}

// The candidates of -a, which fish evaluates once more: a list of words in quotes.
static void add_words(struct strbuf *out, const char *const *words)
{
	_cleanup_strbuf_ struct strbuf list = STRBUF_INIT(4096);

	for (size_t i = 0; words[i]; i++) {
		strbuf_add(&list, i ? " " : "");
		if (words[i][strspn(words[i], plain)])
			add_quoted(&list, words[i]);
		else
			strbuf_add(&list, words[i]);
	}
	out->failed |= list.failed;
	add_quoted(out, strbuf_get(&list));
}

static void add_value(struct strbuf *out, const char *const *words, enum cli_completion completion)
{
	strbuf_add_char(out, ' ');
	if (!words) {
		strbuf_add(out, actions[completion]);
		return;
	}
	strbuf_add(out, "-x -a ");
	add_words(out, words);
}

static void add_verb_names(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;
	const char *above = cli_complete_verb_path(path);
	const char *blank = *above ? " " : "";

	for (size_t i = 0; command->verbs && command->verbs[i]; i++) {
		const struct cli_command *verb = command->verbs[i];

		if (verb->is_hidden)
			continue;
		strbuf_addf(out, "        case '%s%s%s'", above, blank, verb->name);
		if (verb->alias)
			strbuf_addf(out, " '%s%s%s'", above, blank, verb->alias);
		strbuf_addf(out, "\n            echo %s\n", verb->name);
	}
}

static void add_verb_help(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;

	if (!command->verbs)
		return;
	strbuf_addf(out, "        case '%s'\n", cli_complete_verb_path(path));
	for (size_t i = 0; command->verbs[i]; i++) {
		if (command->verbs[i]->is_hidden)
			continue;
		strbuf_addf(out, "            echo %s\\t", command->verbs[i]->name);
		add_quoted(out, command->verbs[i]->summary);
		strbuf_add_char(out, '\n');
	}
}

static void add_valued_options(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *option;
	bool has_any = false;

	while ((option = cli_next_option(command, &cursor))) {
		if (cli_option_is_bare(option))
			continue;
		if (!has_any)
			strbuf_addf(out, "        case '%s'\n            contains -- $argv[1]",
			            cli_complete_verb_path(path));
		strbuf_addf(out, " --%s", option->name);
		if (option->letter)
			strbuf_addf(out, " -%c", option->letter);
		has_any = true;
	}
	strbuf_add(out, has_any ? "\n" : "");
}

static void add_command_taker(const struct cli_command *command, const char *path, void *data)
{
	if (command->takes_command)
		strbuf_addf(data, " '%s'", cli_complete_verb_path(path));
}

static void add_tables(struct strbuf *out, const struct cli_command *root)
{
	strbuf_add(out, "# The name of the verb that the last word means, below the verbs before it.\n"
	                "function __vpsml_verb\n"
	                "    switch \"$argv\"\n");
	cli_walk(root, root->name, add_verb_names, out);
	strbuf_add(out, "        case '*'\n"
	                "            return 1\n"
	                "    end\n"
	                "end\n"
	                "\n"
	                "# The verbs below a command, with their summaries.\n"
	                "function __vpsml_verbs\n"
	                "    switch \"$argv\"\n");
	cli_walk(root, root->name, add_verb_help, out);
	strbuf_add(out, "    end\n"
	                "end\n"
	                "\n"
	                "# Does the option $argv[1] of the command behind it take a value?\n"
	                "function __vpsml_takes_value\n"
	                "    switch \"$argv[2..-1]\"\n");
	cli_walk(root, root->name, add_valued_options, out);
	strbuf_add(out, "        case '*'\n"
	                "            return 1\n"
	                "    end\n"
	                "end\n"
	                "\n"
	                "function __vpsml_takes_command\n"
	                "    contains -- \"$argv\"");
	cli_walk(root, root->name, add_command_taker, out);
	strbuf_add(out, "\nend\n\n");
}

static void add_option(struct strbuf *out, const struct cli_option *option, const char *verb_path)
{
	strbuf_add(out, "complete -c vpsml -n \"__vpsml_");
	if (cli_option_is_repeatable(option))
		strbuf_add(out, "in");
	else
		strbuf_addf(out, "once %s %s '%.*s'", cli_option_is_bare(option) ? "flag" : "value",
		            option->name, option->letter != 0, &option->letter);
	strbuf_addf(out, "%s%s\"", *verb_path ? " " : "", verb_path);
	if (option->letter)
		strbuf_addf(out, " -s %c", option->letter);
	strbuf_addf(out, " -l %s", option->name);
	if (!cli_option_is_bare(option))
		add_value(out, option->words, option->completion);
	strbuf_add(out, " -d ");
	add_quoted(out, option->help);
	strbuf_add_char(out, '\n');
}

static void add_rows(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *row;
	const char *verb_path = cli_complete_verb_path(path), *blank = *verb_path ? " " : "";

	strbuf_addf(out, "\n# %s\n", path);
	if (command->verbs)
		strbuf_addf(out, "complete -c vpsml -n '__vpsml_at%s%s' -a '(__vpsml_verbs%s%s)'\n", blank,
		            verb_path, blank, verb_path);
	if (command->arg_words || command->arg_completion != CLI_COMPLETE_NONE) {
		strbuf_addf(out, "complete -c vpsml -n '__vpsml_room %zu %s'", command->word_max,
		            verb_path);
		add_value(out, command->arg_words, command->arg_completion);
		strbuf_add_char(out, '\n');
	}
	while ((row = cli_next_option(command, &cursor)))
		add_option(out, row, verb_path);
}

void cli_complete_fish(struct strbuf *out, const struct cli_command *root)
{
	strbuf_add(out, head);
	add_tables(out, root);
	strbuf_add(out, functions);
	strbuf_add(out, "complete -c vpsml -f\n"
	                "complete -c vpsml -n __vpsml_has_rest -a '(__vpsml_rest)'\n");
	cli_walk(root, root->name, add_rows, out);
}
