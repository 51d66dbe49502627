// SPDX-License-Identifier: MIT
#include "cli/manual.h"

#include <string.h>

#include "base/strv.h"
#include "cli/mdoc.h"
#include "cli/walk.h"

static const char begin_mark[] = ".\\\" BEGIN ", end_mark[] = ".\\\" END";

enum { GROUPS_MAX = 64, PATH_MAX_BYTES = 256 };

// A block being written: of COMMAND, which PATH leads to.
struct block {
	struct strbuf *out;
	const struct cli_command *command;
	const char *path;
};

typedef void block_fn(const struct block *block);

// A walk over the commands that one man page describes.
struct page_walk {
	const char *page;
	cli_walk_fn *visit;
	void *data;
};

static void visit_of_page(const struct cli_command *command, const char *path, void *data)
{
	const struct page_walk *walk = data;

	if (!walk->page || (command->page && !strcmp(walk->page, command->page)))
		walk->visit(command, path, walk->data);
}

// As cli_walk, over what has the same page as the block's command.
static void walk_page(const struct block *block, cli_walk_fn *visit, void *data)
{
	struct page_walk walk = {block->command->page, visit, data};

	cli_walk(block->command, block->path, visit_of_page, &walk);
}

// "NAME", "[NAME]", "RULE..." or "bash|zsh|fish", as macros.
static void add_args(struct strbuf *out, const char *args)
{
	size_t len = strlen(args);
	bool is_optional = args[0] == '[';
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(PATH_MAX_BYTES);
	const char *text;

	strbuf_add_n(&name, args + is_optional, len - 2 * is_optional);
	text = strbuf_get(&name);
	len = strlen(text);
	if (len > 3 && !strcmp(text + len - 3, "..."))
		name.data[len -= 3] = '\0';
	strbuf_add(out, is_optional ? "Op Ar " : strchr(text, '|') ? "Cm " : "Ar ");
	mdoc_argument(out, text);
	if (len < name.len)
		strbuf_add(out, " ...");
	out->failed |= name.failed;
}

static void add_usage(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;
	const char *verbs = path + strcspn(path, " ");

	if (command->verbs)
		return;
	strbuf_addf(out, ".Nm vpsml\n.Cm%s\n", verbs);
	if (command->args) {
		strbuf_add_char(out, '.');
		add_args(out, command->args);
		strbuf_add_char(out, '\n');
	}
	strbuf_add(out, ".Op Ar OPTION ...\n");
	if (command->takes_command)
		strbuf_add(out, ".Op Fl - Ar COMMAND ...\n");
}

static void write_synopsis(const struct block *block)
{
	walk_page(block, add_usage, block->out);
}

static void write_commands(const struct block *block)
{
	const char *section = "";

	for (size_t i = 0; block->command->verbs && block->command->verbs[i]; i++) {
		const struct cli_command *verb = block->command->verbs[i];

		if (verb->is_hidden)
			continue;
		if (strcmp(section, verb->section) != 0) {
			strbuf_add(block->out, *section ? ".El\n" : "");
			strbuf_addf(block->out, ".Ss %s\n.Bl -tag -width completion\n", verb->section);
		}
		section = verb->section;
		strbuf_addf(block->out, ".It Cm %s\n", verb->name);
		mdoc_text(block->out, verb->summary);
	}
	strbuf_add(block->out, *section ? ".El\n" : "");
}

static void add_verb(const struct cli_command *command, const char *path, void *data)
{
	struct strbuf *out = data;

	(void)path;
	if (command->verbs)
		return;
	strbuf_addf(out, ".It Cm %s", command->name);
	if (command->args) {
		strbuf_add_char(out, ' ');
		add_args(out, command->args);
	}
	strbuf_add_char(out, '\n');
	mdoc_text(out, command->about ? command->about : command->summary);
	if (command->alias)
		strbuf_addf(out, "Also called\n.Cm %s .\n", command->alias);
}

static void write_verbs(const struct block *block)
{
	strbuf_add(block->out, ".Bl -tag -width Ds\n");
	walk_page(block, add_verb, block->out);
	strbuf_add(block->out, ".El\n");
}

static void add_option(struct strbuf *out, const struct cli_option *option)
{
	strbuf_add(out, ".It ");
	if (option->letter)
		strbuf_addf(out, "Fl %c , ", option->letter);
	strbuf_addf(out, "Fl -%s", option->name);
	if (option->metavar) {
		strbuf_add(out, " Ar ");
		mdoc_argument(out, option->metavar);
	}
	strbuf_add_char(out, '\n');
	mdoc_text(out, option->help);
	if (cli_option_is_repeatable(option))
		strbuf_add(out, "(repeatable)\n");
}

static void add_group(struct strbuf *out, const struct cli_group *group, const char *users)
{
	strbuf_addf(out, ".Ss %s%s\n.Bl -tag -width Ds\n", group->heading, users);
	for (size_t i = 0; i < group->count; i++)
		add_option(out, &group->options[i]);
	strbuf_add(out, ".El\n");
}

// The groups that the commands below one take, in the order of their first use.
struct groups {
	const struct cli_group *items[GROUPS_MAX];
	size_t count;
	size_t command_count;
};

static void gather(const struct cli_command *command, const char *path, void *data)
{
	struct groups *groups = data;

	(void)path;
	groups->command_count += !command->verbs;
	for (size_t i = 0; i < command->group_count; i++) {
		const struct cli_group *group = command->groups[i].group;
		size_t known = 0;

		while (known < groups->count && groups->items[known] != group)
			known++;
		if (known == groups->count && groups->count < GROUPS_MAX)
			groups->items[groups->count++] = group;
	}
}

// The names of the commands that take a group.
struct users {
	const struct cli_group *group;
	struct strbuf names;
	size_t count;
};

static void name_user(const struct cli_command *command, const char *path, void *data)
{
	struct users *users = data;

	(void)path;
	for (size_t i = 0; i < command->group_count; i++) {
		if (command->groups[i].group != users->group)
			continue;
		strbuf_addf(&users->names, "%s%s", users->count++ ? ", " : " (", command->name);
	}
}

static void write_options(const struct block *block)
{
	struct groups groups = {.count = 0};

	walk_page(block, gather, &groups);
	for (size_t i = 0; i < groups.count; i++) {
		struct users users = {groups.items[i], STRBUF_INIT(1024), 0};

		walk_page(block, name_user, &users);
		strbuf_add_char(&users.names, ')');
		block->out->failed |= users.names.failed;
		add_group(block->out, groups.items[i],
		          users.count < groups.command_count ? strbuf_get(&users.names) : "");
		strbuf_release(&users.names);
	}
	add_group(block->out, &cli_general_group, "");
}

// A paragraph begins before every example but the first, which is why there is a count.
struct examples {
	struct strbuf *out;
	size_t count;
};

static void add_examples(const struct cli_command *command, const char *path, void *data)
{
	struct examples *examples = data;
	struct strbuf *out = examples->out;

	(void)path;
	for (size_t i = 0; i < command->example_count; i++) {
		strbuf_add(out, examples->count++ ? ".Pp\n" : "");
		mdoc_text(out, command->examples[i].what);
		strbuf_add(out, ".Bd -literal -offset indent\n");
		mdoc_literal(out, command->examples[i].line);
		strbuf_add(out, ".Ed\n");
	}
}

static void write_examples(const struct block *block)
{
	struct examples examples = {block->out, 0};

	walk_page(block, add_examples, &examples);
}

// The pages of a command's verbs, without its own.
struct pages {
	const char *own;
	struct strv list;
	bool failed;
};

static void add_page(const struct cli_command *command, const char *path, void *data)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct pages *pages = data;

	(void)path;
	if (command->page && strcmp(command->page, pages->own) != 0 &&
	    !strv_contains(&pages->list, command->page))
		pages->failed |= !strv_add(&pages->list, command->page, &err);
}

static void write_pages(const struct block *block)
{
	struct pages pages = {block->command->page, STRV_INIT, false};

	cli_walk(block->command, block->path, add_page, &pages);
	strv_sort(&pages.list);
	for (size_t i = 0; i < pages.list.count; i++)
		strbuf_addf(block->out, ".Xr %s 1%s\n", pages.list.items[i],
		            i + 1 < pages.list.count ? " ," : "");
	block->out->failed |= pages.failed;
	strv_release(&pages.list);
}

static const struct {
	const char *kind;
	block_fn *write;
} kinds[] = {
	{"synopsis", write_synopsis}, {"commands", write_commands}, {"verbs", write_verbs},
	{"options", write_options},   {"examples", write_examples}, {"pages", write_pages},
};

// Writes what MARK ("options vpsml render") asks for.
static bool write_block(struct strbuf *out, const char *mark, const struct cli_command *root,
                        struct err *err)
{
	size_t len = strcspn(mark, " ");
	const char *path = mark + len + (mark[len] == ' ');
	struct block block = {out, cli_find_path(root, path), path};

	if (!block.command)
		return err_set(err, ERR_FAILED, "no command \"%s\"", path);
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (strlen(kinds[i].kind) != len || strncmp(mark, kinds[i].kind, len) != 0)
			continue;
		kinds[i].write(&block);
		return true;
	}
	return err_set(err, ERR_FAILED, "no block \"%.*s\"", (int)len, mark);
}

// Where the line begins that starts with MARK, in TEXT or behind; NULL where there is none.
static const char *find_line(const char *text, const char *mark)
{
	while (strncmp(text, mark, strlen(mark)) != 0) {
		text = strchr(text, '\n');
		if (!text)
			return NULL;
		text++;
	}
	return text;
}

bool cli_manual_fill(struct strbuf *out, const char *page, const struct cli_command *root,
                     struct err *err)
{
	const char *begin;

	while ((begin = find_line(page, begin_mark))) {
		const char *mark = begin + strlen(begin_mark);
		const char *end = find_line(begin, end_mark);
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(PATH_MAX_BYTES);

		strbuf_add_n(&text, mark, strcspn(mark, "\n"));
		if (!end)
			return err_set(err, ERR_FAILED, "%s: no end", strbuf_get(&text));
		strbuf_add_n(out, page, (size_t)(mark - page));
		strbuf_addf(out, "%s\n", strbuf_get(&text));
		if (!write_block(out, strbuf_get(&text), root, err))
			return false;
		page = end;
		strbuf_add(out, end_mark);
		page += strlen(end_mark);
	}
	strbuf_add(out, page);
	return true;
}
