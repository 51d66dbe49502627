// SPDX-License-Identifier: MIT
// Many jobs in each format of -o: all at once, or piece by piece as they change.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "cli/output.h"
#include "cli/table.h"
#include "jobs/listing.h"

// Adds all of LISTING: a table, with the wide columns where IS_WIDE; CSV; {"jobs": […]} as JSON or YAML; or
// names. NOW_MS: since the epoch.
bool cmd_jobs_write(struct strbuf *out, const struct jobs_listing *listing, enum cli_format format,
                    bool is_wide, int64_t now_ms, struct err *err) _nodiscard_;

// What was written before; zeroed at the start but for format and is_wide.
struct cmd_jobs_stream {
	enum cli_format format;
	bool is_wide;
	struct cli_widths widths;
	bool has_begun;
};

// Adds one more piece: rows under titles that come once, a JSON object a line, a YAML document each, or
// names.
bool cmd_jobs_write_more(struct strbuf *out, struct cmd_jobs_stream *stream,
                         const struct jobs_listing *listing, int64_t now_ms,
                         struct err *err) _nodiscard_;
