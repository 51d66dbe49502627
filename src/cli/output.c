// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <errno.h>

#include "base/parse.h"
#include "cli/progress.h"

const char *const cli_format_words[] = {"table", "wide", "json", "yaml", "name", "csv", NULL};

bool cli_parse_format(struct cli_context *context, const char *text, void *field, struct err *err)
{
	size_t index;

	(void)context;
	if (!parse_word(text, cli_format_words, &index, err))
		return false;
	*(enum cli_format *)field = (enum cli_format)index;
	return true;
}

bool cli_write_out(struct cli_context *context, const struct strbuf *text, struct err *err)
{
	if (!strbuf_ok(text, err))
		return false;
	cli_progress_clear(context);
	errno = 0;
	if (fwrite(text->data ? text->data : "", 1, text->len, context->out) == text->len &&
	    !fflush(context->out))
		return true;
	if (errno == EPIPE)
		return false;
	return err_errno(err, "standard output");
}
