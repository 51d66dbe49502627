// SPDX-License-Identifier: MIT
// The zsh script: rows of the tables as arrays, which _describe and _arguments understand.
#include "cli/complete_shell.h"

#include <string.h>

// The action of _arguments for each kind; a blank shows what is wanted and offers nothing.
static const char *const actions[CLI_COMPLETE_COUNT] = {
	[CLI_COMPLETE_NONE] = " ",
	[CLI_COMPLETE_FILE] = "_files",
	[CLI_COMPLETE_FOLDER] = "_files -/",
	[CLI_COMPLETE_VERB] = "_vpsml_verbs",
	[CLI_COMPLETE_JOB] = "_vpsml_ask",
	[CLI_COMPLETE_NODE] = "_vpsml_ask",
	[CLI_COMPLETE_NAMESPACE] = "_vpsml_ask",
	[CLI_COMPLETE_CLASS] = "_vpsml_ask",
	[CLI_COMPLETE_CONTEXT] = "_vpsml_ask",
};

enum { NUMBERED_MAX = 4 };

// Characters that stand for themselves in a word of zsh.
static const char plain[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+%:,";

static const char head[] =
	"#compdef vpsml\n"
	"# zsh completion for vpsml, written by \"vpsml completion zsh\": do not edit.\n"
	"\n"
	"# The rows of the command at place: verbs to describe, the verb that each word means, and\n"
	"# what _arguments takes.\n"
	"_vpsml_rows() {\n"
	"\tverbs=() verb_of=() specs=() takes_command=''\n"
	"\tcase $place in\n";

static const char functions[] =
	"\tesac\n"
	"}\n"
	"\n"
	"# Offers the verbs below the command that the words before the cursor name.\n"
	"_vpsml_verbs() {\n"
	"\tlocal word place=vpsml\n"
	"\t_vpsml_rows\n"
	"\tfor word in ${(M)words[2,CURRENT-1]:#[^-]*}; do\n"
	"\t\tplace+=\" ${verb_of[$word]-}\"\n"
	"\t\t_vpsml_rows\n"
	"\tdone\n"
	"\t(( $#verbs )) && _describe -t commands command verbs\n"
	"}\n"
	"\n"
	"# Offers what vpsml itself finds out; a note stands behind a tab.\n"
	"_vpsml_ask() {\n"
	"\tlocal -a lines expl\n"
	"\tlines=(${(f)\"$(\"$program\" __complete -- \"$before[@]\" \"${(Q)IPREFIX}${(Q)PREFIX}\" "
	"2>/dev/null)\"})\n"
	"\t(( $#lines )) || return 1\n"
	"\tif [[ $lines[-1] == $'\\t'* ]]; then\n"
	"\t\t_message -r \"${lines[-1]#?}\"\n"
	"\t\tlines[-1]=()\n"
	"\tfi\n"
	"\t_wanted names expl name compadd -a lines\n"
	"}\n"
	"\n"
	"_vpsml() {\n"
	"\tlocal place=vpsml curcontext=$curcontext takes_command program=${(Q)words[1]}\n"
	"\tlocal -a verbs specs before\n"
	"\tlocal -A verb_of\n"
	"\tinteger dashes\n"
	"\n"
	"\tbefore=(\"${(@Q)words[2,CURRENT-1]}\")\n"
	"\t_vpsml_rows\n"
	"\twhile (( CURRENT > 2 )) && [[ -n ${verb_of[$words[2]]-} ]]; do\n"
	"\t\tplace+=\" $verb_of[$words[2]]\"\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\t\t_vpsml_rows\n"
	"\tdone\n"
	"\tcurcontext=\"${curcontext%:*:*}:${place// /-}:\"\n"
	"\tif (( $#verbs && CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
	"\t\t_describe -t commands command verbs\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tdashes=$words[(i)--]\n"
	"\tif [[ -n $takes_command ]] && (( dashes < CURRENT )); then\n"
	"\t\tshift $dashes words\n"
	"\t\t(( CURRENT -= dashes ))\n"
	"\t\t_normal\n"
	"\t\treturn\n"
	"\tfi\n"
	"\t_arguments -s -S : $specs\n"
	"}\n"
	"\n"
	"# A file in $fpath is itself the function at its first call.\n"
	"if [[ ${funcstack[1]-} == _vpsml ]]; then\n"
	"\t_vpsml \"$@\"\n"
	"else\n"
	"\tcompdef _vpsml vpsml\n"
	"fi\n";

// ":WHAT:ACTION" of a value.
static void add_action(struct strbuf *spec, const char *what, const char *const *words,
                       enum cli_completion completion)
{
	strbuf_add_char(spec, ':');
	cli_complete_add_escaped(spec, what, ":\\");
	strbuf_add_char(spec, ':');
	if (!words) {
		strbuf_add(spec, actions[completion]);
		return;
	}
	strbuf_add_char(spec, '(');
	for (size_t i = 0; words[i]; i++) {
		strbuf_add(spec, i ? " " : "");
		// zsh evaluates the words; the colon is for _arguments, which splits before.
		for (const char *c = words[i]; *c; c++) {
			if (!strchr(plain, *c) || *c == ':')
				strbuf_add_char(spec, '\\');
			strbuf_add_char(spec, *c);
		}
	}
	strbuf_add_char(spec, ')');
}

// One spec of _arguments, for NAME ("--env" or "-e").
static void add_spec(struct strbuf *out, const struct cli_option *option, const char *name)
{
	_cleanup_strbuf_ struct strbuf spec = STRBUF_INIT(4096);
	bool is_long = name[1] == '-';

	if (cli_option_is_repeatable(option))
		strbuf_add_char(&spec, '*');
	else if (option->letter)
		strbuf_addf(&spec, "(-%c --%s)", option->letter, option->name);
	strbuf_add(&spec, name);
	if (!cli_option_is_bare(option))
		strbuf_add_char(&spec, is_long ? '=' : '+');
	strbuf_add_char(&spec, '[');
	cli_complete_add_escaped(&spec, option->help, "[]:\\");
	strbuf_add_char(&spec, ']');
	if (!cli_option_is_bare(option))
		add_action(&spec, option->metavar, option->words, option->completion);
	out->failed |= spec.failed;
	strbuf_add(out, "\t\t\t");
	cli_complete_add_quoted(out, strbuf_get(&spec));
	strbuf_add_char(out, '\n');
}

static void add_option(struct strbuf *out, const struct cli_option *option)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(256);

	if (option->letter) {
		const char letter[] = {'-', option->letter, '\0'};

		add_spec(out, option, letter);
	}
	strbuf_addf(&name, "--%s", option->name);
	out->failed |= name.failed;
	add_spec(out, option, strbuf_get(&name));
}

// The arguments one by one, since zsh would offer more than so many; a long list is left open.
static void add_arguments(struct strbuf *out, const struct cli_command *command)
{
	size_t count = command->word_max > NUMBERED_MAX ? 1 : command->word_max;

	for (size_t i = 1; i <= count; i++) {
		_cleanup_strbuf_ struct strbuf spec = STRBUF_INIT(4096);

		if (command->word_max > NUMBERED_MAX)
			strbuf_add_char(&spec, '*');
		else
			strbuf_addf(&spec, "%zu", i);
		add_action(&spec, command->args, command->arg_words, command->arg_completion);
		out->failed |= spec.failed;
		strbuf_add(out, "\t\t\t");
		cli_complete_add_quoted(out, strbuf_get(&spec));
		strbuf_add_char(out, '\n');
	}
}

static void add_verbs(struct strbuf *out, const struct cli_command *command)
{
	strbuf_add(out, "\t\tverbs=(\n");
	for (size_t i = 0; command->verbs[i]; i++) {
		const struct cli_command *verb = command->verbs[i];
		_cleanup_strbuf_ struct strbuf row = STRBUF_INIT(4096);

		if (verb->is_hidden)
			continue;
		strbuf_addf(&row, "%s:%s", verb->name, verb->summary);
		out->failed |= row.failed;
		strbuf_add(out, "\t\t\t");
		cli_complete_add_quoted(out, strbuf_get(&row));
		strbuf_add_char(out, '\n');
	}
	strbuf_add(out, "\t\t)\n\t\tverb_of=(\n");
	for (size_t i = 0; command->verbs[i]; i++) {
		const struct cli_command *verb = command->verbs[i];

		if (verb->is_hidden)
			continue;
		strbuf_addf(out, "\t\t\t%s %s\n", verb->name, verb->name);
		if (verb->alias)
			strbuf_addf(out, "\t\t\t%s %s\n", verb->alias, verb->name);
	}
	strbuf_add(out, "\t\t)\n");
}

static void add_rows(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *row;

	strbuf_addf(out, "\t'%s')\n", path);
	if (command->verbs)
		add_verbs(out, command);
	strbuf_add(out, "\t\tspecs=(\n");
	while ((row = cli_next_option(command, &cursor)))
		add_option(out, row);
	add_arguments(out, command);
	strbuf_add(out, "\t\t)\n");
	if (command->takes_command)
		strbuf_add(out, "\t\ttakes_command=1\n");
	strbuf_add(out, "\t\t;;\n");
}

void cli_complete_zsh(struct strbuf *out, const struct cli_command *root)
{
	strbuf_add(out, head);
	cli_walk(root, root->name, add_rows, out);
	strbuf_add(out, functions);
}
