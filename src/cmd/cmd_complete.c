// SPDX-License-Identifier: MIT
// vpsml __complete -- WORD...: what may stand at the cursor of an unfinished command line, for the
// completion scripts. A line each: a name, or in a last line behind a tab what to tell the user. It
// says nothing else, asks nobody, and takes two seconds at most: who presses the tab key must not
// wait, nor see the faults of a line that is not finished. With --cobra it offers commands and
// options too, in the form in which kubectl asks a plugin (cobra's).
#include "cmd/commands.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/offer.h"
#include "cli/output.h"
#include "cli/place.h"
#include "cmd/place_names.h"

enum { TEXT_MAX_BYTES = 1024 * 1024 };

struct complete_options {
	bool is_cobra;
};

// Names that no shell could take apart, or that were typed before, are left out.
static bool is_offered(const struct cli_context *context, const struct cli_place *place,
                       const char *name)
{
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7F)
			return false;
	if (place->wish != CLI_WISH_WORD)
		return true;
	for (size_t i = place->verb_count; i + 1 < context->command.count; i++)
		if (!strcmp(context->command.items[i], name) && context->command.items[i - 1][0] != '-')
			return false;
	return true;
}

static void offer_names(struct cli_context *context, const struct cli_place *place, bool is_cobra,
                        struct strbuf *out)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_err_ struct err ignored = ERR_INIT;
	bool has_more = false;

	if (!cmd_place_names(context, place, &names, &has_more, &ignored))
		return;
	for (size_t i = 0; i < names.count; i++)
		if (is_offered(context, place, names.items[i]))
			strbuf_addf(out, "%s\n", names.items[i]);
	if (!has_more)
		return;
	strbuf_add(out, is_cobra ? "_activeHelp_ " : "\t");
	if (names.count)
		strbuf_addf(out, "there are more than these %zu: type some letters\n", names.count);
	else
		strbuf_add(out, "there are more names than could be looked at\n");
}

// How cobra is told what else to do: 4 offers no files, 0 does, 16 folders alone.
static int directive_of(enum cli_completion completion)
{
	if (completion == CLI_COMPLETE_FOLDER)
		return 16;
	return completion == CLI_COMPLETE_FILE ? 0 : 4;
}

// Nobody is there to ask, and nothing is to be seen but the answer.
static void be_silent(struct cli_context *context)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	context->general.is_quiet = true;
	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct complete_options *options = data;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(TEXT_MAX_BYTES);
	struct cli_place place;

	if (!context->command.count)
		return true;
	be_silent(context);
	cli_place_find(&place, &cmd_root, context->command.items, context->command.count);
	if (options->is_cobra)
		cli_offer(&out, &place);
	offer_names(context, &place, options->is_cobra, &out);
	if (options->is_cobra)
		strbuf_addf(&out, ":%d\n", directive_of(cli_place_completion(&place)));
	return cli_write_out(context, &out, err);
}

static const struct cli_option rows[] = {
	{.name = "cobra",
     .kind = CLI_FLAG,
     .offset = offsetof(struct complete_options, is_cobra),
     .help = "answer as kubectl expects it of a plugin"},
};
static const struct cli_group group = {"Completion", rows, COUNT_OF(rows)};
static const struct cli_group_use groups[] = {{&group, 0}};

const struct cli_command cmd_complete = {
	.name = "__complete",
	.section = "Other",
	.summary = "tell a shell what may stand at the cursor",
	.is_hidden = true,
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.takes_command = true,
	.options_size = sizeof(struct complete_options),
	.run = run,
};
