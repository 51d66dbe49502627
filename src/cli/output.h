// SPDX-License-Identifier: MIT
// What -o means, and writing a result to standard output in one piece.
#pragma once

#include "base/strbuf.h"
#include "cli/option.h"

enum cli_format {
	CLI_FORMAT_TABLE,
	CLI_FORMAT_WIDE,
	CLI_FORMAT_JSON,
	CLI_FORMAT_YAML,
	CLI_FORMAT_NAME,
	CLI_FORMAT_CSV,
};

// The words of enum cli_format in its order, NULL-terminated; what -o takes unless a command
// takes less.
extern const char *const cli_format_words[];

// Parses a value of -o into an enum cli_format.
cli_parse_fn cli_parse_format;

// Writes the finished text to context->out and flushes it. A text that failed is an error and
// writes nothing; so is a full disk. A reader that went away is not (the kind is ERR_NONE).
bool cli_write_out(struct cli_context *context, const struct strbuf *text,
                   struct err *err) _nodiscard_;
