// SPDX-License-Identifier: MIT
#include "cli/parse_args.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

// One walk over argv.
struct parser {
	const struct cli_command *command;
	char *options; // the command's options struct
	struct cli_context *context;
	struct faults *faults;
	char *const *next; // what is left of argv
	char *const *end;
	bool has_stopped;
};

// A row that was found, and the field it fills.
struct target {
	const struct cli_option *option;
	void *field;
};

enum { NAME_MAX_COUNT = 128 };

static const char behind_its_name[] = "a command's own options come behind its name";

typedef bool match_fn(const struct cli_option *option, const char *name, size_t len);

static bool has_name(const struct cli_option *option, const char *name, size_t len)
{
	return !strncmp(option->name, name, len) && !option->name[len];
}

static bool has_letter(const struct cli_option *option, const char *name, size_t len)
{
	(void)len;
	return option->letter && option->letter == *name;
}

static const struct cli_option *match_in(const struct cli_group *group, match_fn *match,
                                         const char *name, size_t len)
{
	for (size_t i = 0; i < group->count; i++)
		if (match(&group->options[i], name, len))
			return &group->options[i];
	return NULL;
}

static struct target find_in(const struct cli_group *group, void *base, match_fn *match,
                             const char *name, size_t len)
{
	const struct cli_option *option = match_in(group, match, name, len);

	return (struct target){option, option ? (char *)base + option->offset : NULL};
}

static struct target find(struct parser *p, match_fn *match, const char *name, size_t len)
{
	struct target target = find_in(&cli_general_group, &p->context->general, match, name, len);

	for (size_t i = 0; !target.option && i < p->command->group_count; i++) {
		const struct cli_group_use *use = &p->command->groups[i];

		target = find_in(use->group, p->options + use->offset, match, name, len);
	}
	return target;
}

// The shortest of the COUNT names that begin with NAME, or NULL: "--mem" means "--memory".
static const char *complete(const char *name, const char *const *names, size_t count)
{
	const char *best = NULL;

	for (size_t i = 0; *name && i < count; i++)
		if (!strncmp(names[i], name, strlen(name)) && (!best || strlen(names[i]) < strlen(best)))
			best = names[i];
	return best;
}

// The long option that NAME most likely means, or NULL.
static const char *nearest_option(const struct parser *p, const char *name)
{
	const char *names[NAME_MAX_COUNT], *nearest;
	size_t count = 0;

	for (size_t i = 0; i < cli_general_group.count; i++)
		names[count++] = cli_general_group.options[i].name;
	for (size_t i = 0; i < p->command->group_count; i++) {
		const struct cli_group *group = p->command->groups[i].group;

		for (size_t j = 0; j < group->count && count < COUNT_OF(names); j++)
			names[count++] = group->options[j].name;
	}
	nearest = text_nearest(name, names, count);
	return nearest ? nearest : complete(name, names, count);
}

static void unknown_long(struct parser *p, const char *name)
{
	const char *nearest = nearest_option(p, name);

	if (nearest)
		faults_add(p->faults, "unknown option \"--%s\": did you mean \"--%s\"?", name, nearest);
	else if (p->command->verbs)
		faults_add(p->faults, "unknown option \"--%s\": %s", name, behind_its_name);
	else
		faults_add(p->faults, "unknown option \"--%s\": see \"--help\"", name);
	p->has_stopped = true;
}

static bool set_string(char **field, const char *text, struct err *err)
{
	char *copy = mem_dup(text);

	if (!copy)
		return err_memory(err);
	mem_free(*field);
	*field = copy;
	return true;
}

static bool set_word(const struct cli_option *option, const char *text, const char **field,
                     struct err *err)
{
	size_t index;

	if (!parse_word(text, option->words, &index, err))
		return false;
	*field = option->words[index];
	return true;
}

static bool set_duration(const struct cli_option *option, const char *text, int64_t *field,
                         struct err *err)
{
	int64_t value;

	if (!parse_duration_s(text, option->min, &value, err))
		return false;
	if (option->max && value > option->max)
		return err_set(err, ERR_USAGE, "\"%s\" is longer than %" PRId64 " s", text, option->max);
	*field = value;
	return true;
}

static bool set_value(struct parser *p, struct target target, const char *text, struct err *err)
{
	const struct cli_option *option = target.option;

	switch (option->kind) {
	case CLI_FLAG:
		*(bool *)target.field = true;
		return true;
	case CLI_COUNT:
		++*(int *)target.field;
		return true;
	case CLI_STRING:
		return set_string(target.field, text, err);
	case CLI_LIST:
		return strv_add(target.field, text, err);
	case CLI_INT:
		return parse_i64(text, option->min, option->max, target.field, err);
	case CLI_DURATION:
		return set_duration(option, text, target.field, err);
	case CLI_WORD:
		return set_word(option, text, target.field, err);
	case CLI_VALUE:
		return option->parse(p->context, text, target.field, err);
	}
	return false;
}

// The value of an option that needs one: ATTACHED (after "=" or the letter), else the next
// argument, unless that looks like a long option. NULL where there is none.
static const char *take_value(struct parser *p, const char *attached)
{
	if (attached)
		return attached;
	if (p->next == p->end || !strncmp(*p->next, "--", 2))
		return NULL;
	return *p->next++;
}

static void apply(struct parser *p, struct target target, const char *attached)
{
	_cleanup_err_ struct err err = ERR_INIT;
	const struct cli_option *option = target.option;
	const char *text = NULL;

	if (!cli_option_is_bare(option)) {
		text = take_value(p, attached);
		if (!text) {
			faults_add(p->faults, "--%s: needs a value: --%s %s", option->name, option->name,
			           option->metavar);
			return;
		}
		if (!text_is_utf8(text, strlen(text))) {
			faults_add(p->faults, "--%s: the value is not UTF-8", option->name);
			return;
		}
	}
	if (!strv_add(&p->context->given, option->name, &err) || !set_value(p, target, text, &err)) {
		err_wrap(&err, "--%s", option->name);
		faults_take(p->faults, &err);
	}
}

static void parse_long(struct parser *p, const char *arg)
{
	size_t len = strcspn(arg, "=");
	const char *attached = arg[len] ? arg + len + 1 : NULL;
	struct target target = find(p, has_name, arg, len);

	if (!target.option) {
		_cleanup_free_ char *name = mem_dup_n(arg, len);

		unknown_long(p, name ? name : "");
	} else if (attached && cli_option_is_bare(target.option)) {
		faults_add(p->faults, "--%s: takes no value", target.option->name);
	} else {
		apply(p, target, attached);
	}
}

// -q, -qh, -eK=V and -e K=V.
static void parse_short(struct parser *p, const char *letters)
{
	while (*letters) {
		struct target target = find(p, has_letter, letters, 1);

		if (!target.option) {
			faults_add(p->faults, "unknown option \"-%c\": %s", *letters,
			           p->command->verbs ? behind_its_name : "see \"--help\"");
			p->has_stopped = true;
			return;
		}
		letters++;
		if (!cli_option_is_bare(target.option)) {
			apply(p, target, *letters ? letters : NULL);
			return;
		}
		apply(p, target, NULL);
	}
}

static void add_to(struct parser *p, struct strv *list, const char *arg)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!text_is_utf8(arg, strlen(arg)))
		faults_add(p->faults, "argument \"%s\" is not UTF-8", arg);
	else if (!strv_add(list, arg, &err))
		faults_take(p->faults, &err);
}

static void parse_word_arg(struct parser *p, const char *arg)
{
	if (p->context->words.count < p->command->word_max)
		add_to(p, &p->context->words, arg);
	else if (p->command->takes_command)
		faults_add(p->faults, "unexpected argument \"%s\": the command comes after \"--\"", arg);
	else
		faults_add(p->faults, "unexpected argument \"%s\"", arg);
}

// What follows "--".
static void parse_rest(struct parser *p)
{
	struct strv *list = p->command->takes_command ? &p->context->command : &p->context->words;

	p->context->has_command = p->command->takes_command;
	while (p->next < p->end)
		add_to(p, list, *p->next++);
	if (p->context->words.count > p->command->word_max)
		faults_add(p->faults, "too many arguments");
}

bool cli_parse_args(const struct cli_command *command, void *options, struct cli_context *context,
                    int argc, char *const *argv, struct faults *faults)
{
	struct parser p = {command, options, context, faults, argv, argv + argc, false};

	while (p.next < p.end && !p.has_stopped) {
		const char *arg = *p.next++;

		if (!strcmp(arg, "--")) {
			parse_rest(&p);
			break;
		}
		if (!strncmp(arg, "--", 2))
			parse_long(&p, arg + 2);
		else if (arg[0] == '-' && arg[1])
			parse_short(&p, arg + 1);
		else
			parse_word_arg(&p, arg);
	}
	if (!p.has_stopped && !context->general.is_help_wanted &&
	    context->words.count < command->word_min)
		faults_add(faults, "missing argument: %s", command->args);
	return !p.has_stopped;
}

// The row of a leading option, or NULL.
static const struct cli_option *find_leading(const struct cli_group *group, match_fn *match,
                                             const char *name, size_t len)
{
	const struct cli_option *option = match_in(&cli_general_group, match, name, len);

	return option || !group ? option : match_in(group, match, name, len);
}

static bool is_help(const struct cli_option *option)
{
	return option->kind == CLI_FLAG && option->letter == 'h';
}

// How many words the options of one word ("-qn") take: 1, or 2 with a value behind; 0 where one is not
// known.
static int measure_letters(const struct cli_group *group, const char *letters, bool *ret_help)
{
	for (; *letters; letters++) {
		const struct cli_option *option = find_leading(group, has_letter, letters, 1);

		if (!option)
			return 0;
		*ret_help |= is_help(option);
		if (option->kind != CLI_FLAG)
			return letters[1] ? 1 : 2;
	}
	return 1;
}

static int measure_long(const struct cli_group *group, const char *arg, bool *ret_help)
{
	size_t len = strcspn(arg, "=");
	const struct cli_option *option = find_leading(group, has_name, arg, len);

	if (!option)
		return 0;
	*ret_help |= is_help(option);
	return option->kind == CLI_FLAG || arg[len] ? 1 : 2;
}

int cli_count_leading(const struct cli_group *group, int argc, char *const *argv, bool *ret_help)
{
	int count = 0;

	*ret_help = false;
	while (count < argc && argv[count][0] == '-' && argv[count][1]) {
		const char *arg = argv[count];
		int own = !strcmp(arg, "--") ? 0
		          : arg[1] == '-'    ? measure_long(group, arg + 2, ret_help)
		                             : measure_letters(group, arg + 1, ret_help);

		if (!own)
			break;
		count += own;
	}
	return count < argc ? count : argc;
}
