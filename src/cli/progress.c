// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { WIDTH_UNKNOWN = 80, TEXT_MAX_BYTES = 4096 };

static const char to_start_and_erase[] = "\r\033[K";

static size_t width_of(FILE *terminal)
{
	struct winsize size = {0};

	if (ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return WIDTH_UNKNOWN;
}

static bool is_wanted(const struct cli_context *context)
{
	const char *term = cli_getenv(context, "TERM");

	return !context->general.is_quiet && term && strcmp(term, "dumb") &&
	       isatty(fileno(context->err));
}

// Cuts TEXT at its end to WIDTH columns: a line that wraps could not be erased.
static void cut(struct strbuf *text, size_t width)
{
	while (text->len && text_width(text->data) > width) {
		do
			text->len--;
		while (text->len && (text->data[text->len] & 0xc0) == 0x80);
		text->data[text->len] = '\0';
	}
}

void cli_progress_show(struct cli_context *context, const char *text, int64_t seconds)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(TEXT_MAX_BYTES);

	if (!is_wanted(context))
		return;
	strbuf_add(&line, "vpsml: ");
	text_sanitize(&line, text, strlen(text), TEXT_ONE_LINE);
	strbuf_addf(&line, ", %" PRId64 " s", seconds);
	if (line.failed) // it can be done without
		return;
	cut(&line, width_of(context->err) - 1);
	fprintf(context->err, "%s%s", to_start_and_erase, strbuf_get(&line));
	fflush(context->err);
	context->has_progress = true;
}

void cli_progress_clear(struct cli_context *context)
{
	if (!context->has_progress)
		return;
	context->has_progress = false;
	fputs(to_start_and_erase, context->err);
	fflush(context->err);
}
