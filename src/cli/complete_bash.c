// SPDX-License-Identifier: MIT
// The bash script: rows of the tables as shell arrays, and functions that read the line by them.
// It runs in bash 3.2 too, where compopt is missing and an empty array counts as unset.
#include "cli/complete_shell.h"

// What the rows call a value of this kind; _vpsml_value in the script knows the names.
static const char *const actions[CLI_COMPLETE_COUNT] = {
	[CLI_COMPLETE_NONE] = "text",     [CLI_COMPLETE_FILE] = "file",
	[CLI_COMPLETE_FOLDER] = "folder", [CLI_COMPLETE_VERB] = "verb",
	[CLI_COMPLETE_JOB] = "ask",       [CLI_COMPLETE_NODE] = "ask",
	[CLI_COMPLETE_NAMESPACE] = "ask", [CLI_COMPLETE_CLASS] = "ask",
	[CLI_COMPLETE_CONTEXT] = "ask",
};

static const char head[] =
	"# bash completion for vpsml, written by \"vpsml completion bash\": do not edit.\n"
	"\n";

static const char split_code[] =
	"# Joins what COMP_WORDBREAKS took apart at \"=\" and \":\": words "
	"gets the words before the one\n"
	"# at the cursor, and cur that one, up to the cursor.\n"
	"_vpsml_split() {\n"
	"\tlocal i piece rest line=${COMP_LINE:0:COMP_POINT}\n"
	"\twords=() cur=''\n"
	"\tfor ((i = 0; i <= COMP_CWORD; i++)); do\n"
	"\t\tpiece=${COMP_WORDS[i]}\n"
	"\t\trest=${line#\"${line%%[![:space:]]*}\"}\n"
	"\t\t((i < COMP_CWORD)) || piece=$rest\n"
	"\t\tif [[ $i == 0 || $rest == \"$line\" ]]; then\n"
	"\t\t\tcur+=$piece\n"
	"\t\telse\n"
	"\t\t\twords+=(\"$cur\") cur=$piece\n"
	"\t\tfi\n"
	"\t\tline=${rest#\"$piece\"}\n"
	"\tdone\n"
	"}\n"
	"\n";

static const char follow_code[] =
	"# Follows the verbs at the beginning of \"$@\": sets path, how many words it has, and the\n"
	"# rows of the command.\n"
	"_vpsml_follow() {\n"
	"\tlocal i\n"
	"\tpath=vpsml depth=1\n"
	"\t_vpsml_rows\n"
	"\tfor word; do\n"
	"\t\tfor ((i = 0; i < ${#verbs[@]}; i += 3)); do\n"
	"\t\t\t[[ $word != \"${verbs[i]}\" && $word != \"${verbs[i + 1]}\" ]] || break\n"
	"\t\tdone\n"
	"\t\t((i < ${#verbs[@]})) || return 0\n"
	"\t\tpath+=\" ${verbs[i]}\" depth=$((depth + 1))\n"
	"\t\t_vpsml_rows\n"
	"\tdone\n"
	"}\n"
	"\n";

static const char find_code[] =
	"# Finds the row of the option $1, \"--long\" or \"-s\": sets name and action.\n"
	"_vpsml_find() {\n"
	"\tlocal row\n"
	"\tfor row in \"${options[@]}\"; do\n"
	"\t\t[[ \" ${row%%:*} \" == *\" $1 \"* ]] || continue\n"
	"\t\tname=${row%%[ :]*} row=${row#*:}\n"
	"\t\trow=${row#*:} action=${row%%:*}\n"
	"\t\treturn 0\n"
	"\tdone\n"
	"\treturn 1\n"
	"}\n"
	"\n"
	"# Reads the letters of \"-abc\"; a value may follow in the same word.\n"
	"_vpsml_letters() {\n"
	"\tlocal letters=$1\n"
	"\twhile [[ $letters ]] && _vpsml_find \"-${letters:0:1}\"; do\n"
	"\t\tgiven+=\" $name \" letters=${letters:1}\n"
	"\t\t[[ $action != flag ]] || continue\n"
	"\t\t[[ $letters ]] || waiting=$action key=$name\n"
	"\t\treturn 0\n"
	"\tdone\n"
	"}\n"
	"\n";

static const char read_code[] =
	"# Reads the words behind the command: the options that are given and the one that waits for\n"
	"# its value, plain words, and what comes after \"--\".\n"
	"_vpsml_read() {\n"
	"\tlocal word\n"
	"\twhile (($#)); do\n"
	"\t\tword=$1 waited=$waiting waiting=''\n"
	"\t\tshift\n"
	"\t\tcase $word in\n"
	"\t\t--)\n"
	"\t\t\tif [[ $takes_command ]]; then has_rest=1 rest=(\"$@\"); else plain+=(\"$@\"); fi\n"
	"\t\t\treturn 0\n"
	"\t\t\t;;\n"
	"\t\t--*)\n"
	"\t\t\t_vpsml_find \"${word%%=*}\" || continue\n"
	"\t\t\tgiven+=\" $name \"\n"
	"\t\t\t[[ $action == flag || $word == *=* ]] || waiting=$action key=$name\n"
	"\t\t\t;;\n"
	"\t\t*)\n"
	"\t\t\tif [[ $waited ]]; then\n"
	"\t\t\t\tcontinue\n"
	"\t\t\telif [[ $word == -?* ]]; then\n"
	"\t\t\t\t_vpsml_letters \"${word#-}\"\n"
	"\t\t\telse\n"
	"\t\t\t\tplain+=(\"$word\")\n"
	"\t\t\tfi\n"
	"\t\t\t;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"}\n"
	"\n";

// Readline replaces only the part after the last of COMP_WORDBREAKS, which is "$part".
static const char offer_code[] =
	"# Offers the word $1 with the help $2, if it begins with what was typed. What stands before\n"
	"# the part that readline replaces is cut off.\n"
	"_vpsml_offer() {\n"
	"\tlocal word=$front$1 typed=$cur head=${cur%\"$part\"}\n"
	"\t[[ $quote ]] || typed=${typed//\\\\/} head=${head//\\\\/}\n"
	"\t[[ $word == \"$typed\"* ]] || return 0\n"
	"\tword=${word#\"$head\"}\n"
	"\t[[ $quote ]] || printf -v word %q \"$word\"\n"
	"\tCOMPREPLY+=(\"$word\")\n"
	"\thelps+=(\"$2\")\n"
	"}\n"
	"\n"
	"# Offers each line of the input.\n"
	"_vpsml_offer_lines() {\n"
	"\tlocal line\n"
	"\twhile IFS= read -r line; do\n"
	"\t\t_vpsml_offer \"$line\" ''\n"
	"\tdone\n"
	"}\n"
	"\n";

static const char value_code[] =
	"# Leaves paths to readline ($1: default or dirnames), which quotes them best; where it does\n"
	"# not see the path alone, compgen (with $2) must do.\n"
	"_vpsml_paths() {\n"
	"\tif [[ ! $front || $part == \"${cur#\"$front\"}\" ]]; then\n"
	"\t\tcompopt -o \"$1\" 2>/dev/null && return\n"
	"\tfi\n"
	"\t_vpsml_offer_lines < <(compgen \"$2\" -- \"${cur#\"$front\"}\")\n"
	"}\n"
	"\n"
	"_vpsml_verbs() {\n"
	"\tlocal i\n"
	"\tfor ((i = 0; i < ${#verbs[@]}; i += 3)); do\n"
	"\t\t_vpsml_offer \"${verbs[i]}\" \"${verbs[i + 2]}\"\n"
	"\tdone\n"
	"}\n"
	"\n"
	"# Offers what vpsml itself finds out; a note stands behind a tab.\n"
	"_vpsml_ask() {\n"
	"\tlocal line typed=(\"${words[@]:1}\" \"$cur\")\n"
	"\ttyped=(\"${typed[@]//[\\\\\\'\\\"]/}\")\n"
	"\twhile IFS= read -r line; do\n"
	"\t\tcase $line in\n"
	"\t\t$'\\t'*) note=${line#?} ;;\n"
	"\t\t*) _vpsml_offer \"$line\" '' ;;\n"
	"\t\tesac\n"
	"\tdone < <(\"${words[0]}\" __complete -- \"${typed[@]}\" 2>/dev/null)\n"
	"}\n"
	"\n"
	"# Offers values of the kind $1, for the option or the command $2.\n"
	"_vpsml_value() {\n"
	"\tlocal word\n"
	"\tcase $1 in\n"
	"\twords)\n"
	"\t\t_vpsml_words \"$2\"\n"
	"\t\tfor word in \"${values[@]}\"; do\n"
	"\t\t\t_vpsml_offer \"$word\" ''\n"
	"\t\tdone\n"
	"\t\t;;\n"
	"\tfile) _vpsml_paths default -f ;;\n"
	"\tfolder) _vpsml_paths dirnames -d ;;\n"
	"\task) _vpsml_ask ;;\n"
	"\tverb)\n"
	"\t\t_vpsml_follow ${plain[@]+\"${plain[@]}\"}\n"
	"\t\t_vpsml_verbs\n"
	"\t\t;;\n"
	"\tesac\n"
	"}\n"
	"\n";

static const char option_code[] =
	"# Offers the options that may still be given.\n"
	"_vpsml_options() {\n"
	"\tlocal row names word help\n"
	"\tfor row in \"${options[@]}\"; do\n"
	"\t\tnames=${row%%:*} row=${row#*:} help=${row#*:}\n"
	"\t\t[[ ${row%%:*} == many || $given != *\" ${names%% *} \"* ]] || continue\n"
	"\t\tfor word in $names; do\n"
	"\t\t\t[[ $word != -? || $word == \"$cur\" ]] || continue\n"
	"\t\t\t_vpsml_offer \"$word\" \"${help#*:}\"\n"
	"\t\tdone\n"
	"\tdone\n"
	"}\n"
	"\n"
	"# Offers values for \"--long=\" or \"-s\" with something behind it.\n"
	"_vpsml_attached() {\n"
	"\tfront=$1\n"
	"\t_vpsml_find \"${1%=}\" && _vpsml_value \"$action\" \"$path $name\"\n"
	"}\n"
	"\n"
	"# A command of its own begins behind \"--\".\n"
	"_vpsml_rest() {\n"
	"\t[[ ${#rest[@]} != 0 || ! $cur ]] || _vpsml_offer_lines < <(compgen -c -- \"$cur\" | sort "
	"-u)\n"
	"\t_vpsml_paths default -f\n"
	"}\n"
	"\n";

static const char describe_code[] =
	"# Puts the help beside the words where they are listed only (the second tab).\n"
	"_vpsml_describe() {\n"
	"\tlocal i line width=0\n"
	"\t[[ ${COMP_TYPE-} == 63 && ${helps[*]-}$note == *[![:space:]]* ]] || return 0\n"
	"\tfor ((i = 0; i < ${#helps[@]}; i++)); do\n"
	"\t\t((width >= ${#COMPREPLY[i]})) || width=${#COMPREPLY[i]}\n"
	"\tdone\n"
	"\tfor ((i = 0; i < ${#helps[@]}; i++)); do\n"
	"\t\tprintf -v line '%-*s  %s' \"$width\" \"${COMPREPLY[i]}\" \"${helps[i]}\"\n"
	"\t\tCOMPREPLY[i]=${line:0:${COLUMNS:-80} - 1}\n"
	"\tdone\n"
	"\t[[ ! $note ]] || COMPREPLY+=(\"($note)\")\n"
	"}\n"
	"\n";

static const char main_code[] =
	"_vpsml() {\n"
	"\tlocal IFS=$' \\t\\n' cur words depth part=${2-} quote='' front=''\n"
	"\tlocal path verbs options arg arg_max takes_command values name action\n"
	"\tlocal word note='' helps=() given='' waited='' waiting='' key='' has_rest='' plain=() "
	"rest=()\n"
	"\tCOMPREPLY=()\n"
	"\t_vpsml_split\n"
	"\t_vpsml_follow \"${words[@]:1}\"\n"
	"\t_vpsml_read \"${words[@]:depth}\"\n"
	"\t[[ $cur != [\\\"\\']* ]] || quote=${cur:0:1} cur=${cur:1} part=${part#[\\\"\\']}\n"
	"\tif [[ $has_rest ]]; then\n"
	"\t\t_vpsml_rest\n"
	"\telif [[ $waiting && $cur != --* ]]; then\n"
	"\t\t_vpsml_value \"$waiting\" \"$path $key\"\n"
	"\telif [[ $cur == --*=* ]]; then\n"
	"\t\t_vpsml_attached \"${cur%%=*}=\"\n"
	"\telif [[ $cur == -[!-]?* ]]; then\n"
	"\t\t_vpsml_attached \"${cur:0:2}\"\n"
	"\telif [[ $cur == -* ]]; then\n"
	"\t\t_vpsml_options\n"
	"\telif ((${#verbs[@]})); then\n"
	"\t\t[[ $given || ${#plain[@]} != 0 ]] || _vpsml_verbs\n"
	"\telif ((${#plain[@]} < arg_max)); then\n"
	"\t\t_vpsml_value \"$arg\" \"$path\"\n"
	"\tfi\n"
	"\t_vpsml_describe\n"
	"}\n"
	"\n"
	"complete -F _vpsml vpsml\n";

static const char *action_name(const char *const *words, enum cli_completion completion)
{
	return words ? "words" : actions[completion];
}

// 'NAMES:TIMES:ACTION:HELP'
static void add_option(struct strbuf *out, const struct cli_option *option)
{
	_cleanup_strbuf_ struct strbuf row = STRBUF_INIT(4096);

	strbuf_addf(&row, "--%s", option->name);
	if (option->letter)
		strbuf_addf(&row, " -%c", option->letter);
	strbuf_addf(&row, ":%s:", cli_option_is_repeatable(option) ? "many" : "once");
	strbuf_add(&row, cli_option_is_bare(option) ? "flag"
	                                            : action_name(option->words, option->completion));
	strbuf_addf(&row, ":%s", option->help);
	out->failed |= row.failed;
	strbuf_add(out, "\t\t\t");
	cli_complete_add_quoted(out, strbuf_get(&row));
	strbuf_add_char(out, '\n');
}

// The verbs as triples: name, alias, summary.
static void add_verbs(struct strbuf *out, const struct cli_command *command)
{
	for (size_t i = 0; command->verbs[i]; i++) {
		const struct cli_command *verb = command->verbs[i];

		if (verb->is_hidden)
			continue;
		strbuf_addf(out, "\t\t\t%s '%s' ", verb->name, verb->alias ? verb->alias : "");
		cli_complete_add_quoted(out, verb->summary);
		strbuf_add_char(out, '\n');
	}
}

static void add_rows(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *row;

	strbuf_addf(out, "\t'%s')\n", path);
	if (command->verbs) {
		strbuf_add(out, "\t\tverbs=(\n");
		add_verbs(out, command);
		strbuf_add(out, "\t\t)\n");
	}
	strbuf_add(out, "\t\toptions=(\n");
	while ((row = cli_next_option(command, &cursor)))
		add_option(out, row);
	strbuf_add(out, "\t\t)\n");
	if (command->word_max)
		strbuf_addf(out, "\t\targ=%s arg_max=%zu\n",
		            action_name(command->arg_words, command->arg_completion), command->word_max);
	if (command->takes_command)
		strbuf_add(out, "\t\ttakes_command=1\n");
	strbuf_add(out, "\t\t;;\n");
}

static void add_words(struct strbuf *out, const char *path, const char *option,
                      const char *const *words)
{
	if (!words)
		return;
	strbuf_addf(out, "\t'%s%s%s') values=(", path, option ? " --" : "", option ? option : "");
	for (size_t i = 0; words[i]; i++) {
		strbuf_add(out, i ? " " : "");
		cli_complete_add_quoted(out, words[i]);
	}
	strbuf_add(out, ") ;;\n");
}

static void add_all_words(const struct cli_command *command, const char *path, void *data)
{
	struct cli_cursor cursor = {0, 0};
	const struct cli_option *row;

	add_words(data, path, NULL, command->arg_words);
	while ((row = cli_next_option(command, &cursor)))
		add_words(data, path, row->name, row->words);
}

void cli_complete_bash(struct strbuf *out, const struct cli_command *root)
{
	static const char *const functions[] = {split_code,  follow_code,   find_code,
	                                        read_code,   offer_code,    value_code,
	                                        option_code, describe_code, main_code};

	strbuf_add(out, head);
	strbuf_add(out, "# The rows of the command at path. verbs: name, alias, summary of each;\n"
	                "# options: names, how often, value and help of each.\n"
	                "_vpsml_rows() {\n"
	                "\tverbs=() options=() arg=text arg_max=0 takes_command=''\n"
	                "\tcase $path in\n");
	cli_walk(root, root->name, add_rows, out);
	strbuf_add(out, "\tesac\n}\n\n"
	                "# The values that $1 takes: a command's argument, or a command's option.\n"
	                "_vpsml_words() {\n"
	                "\tcase $1 in\n");
	cli_walk(root, root->name, add_all_words, out);
	strbuf_add(out, "\tesac\n}\n\n");
	for (size_t i = 0; i < COUNT_OF(functions); i++)
		strbuf_add(out, functions[i]);
}
