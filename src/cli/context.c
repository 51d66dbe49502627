// SPDX-License-Identifier: MIT
#include "cli/context.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/progress.h"

enum { MESSAGE_MAX_BYTES = 2 * 1024 * 1024 };

static const char red[] = "\033[1;31m", yellow[] = "\033[1;33m", plain[] = "\033[0m";

const char *cli_getenv(const struct cli_context *context, const char *name)
{
	return context->getenv(name);
}

bool cli_use_colour(const struct cli_context *context, FILE *stream)
{
	const char *no_colour = cli_getenv(context, "NO_COLOR");
	const char *term = cli_getenv(context, "TERM");

	return !(no_colour && *no_colour) && term && strcmp(term, "dumb") && isatty(fileno(stream));
}

// Prints "PREFIX: LABELTEXT" with the label in colour.
static void show_line(struct cli_context *context, const char *colour, const char *label,
                      const char *text, size_t len)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(MESSAGE_MAX_BYTES);
	bool is_coloured = *label && cli_use_colour(context, context->err);

	cli_progress_clear(context);
	strbuf_addf(&line, "vpsml: %s%s%s", is_coloured ? colour : "", label, is_coloured ? plain : "");
	text_sanitize(&line, text, len, TEXT_ONE_LINE);
	fprintf(context->err, "%s\n", strbuf_get(&line));
}

void cli_show_error(struct cli_context *context, const struct err *err)
{
	const char *text = err_message(err);

	for (;;) {
		size_t len = strcspn(text, "\n");

		show_line(context, red, "error: ", text, len);
		if (!text[len])
			break;
		text += len + 1;
	}
	if (err->hint)
		show_line(context, yellow, "hint: ", err->hint, strlen(err->hint));
}

void cli_show_warnings(struct cli_context *context, const struct faults *faults)
{
	if (context->general.is_quiet)
		return;
	for (size_t i = 0; i < faults->warnings.count; i++) {
		const char *text = faults->warnings.items[i];

		show_line(context, yellow, "warning: ", text, strlen(text));
	}
}

void cli_show_note(struct cli_context *context, const char *text)
{
	if (!context->general.is_quiet)
		show_line(context, plain, "", text, strlen(text));
}

void cli_show_log(struct cli_context *context, int level, const char *text)
{
	if (level <= context->general.verbosity)
		show_line(context, plain, "", text, strlen(text));
}

void cli_context_release(struct cli_context *context)
{
	strv_release(&context->words);
	strv_release(&context->command);
	strv_release(&context->given);
}
