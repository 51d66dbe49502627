// SPDX-License-Identifier: MIT
// Rows and columns, as text for people or as CSV. Cells are made harmless for a terminal.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/strv.h"

struct cli_column {
	const char *title; // upper case
	bool is_wide;      // shown with -o wide alone
	bool is_right;     // numbers: aligned at their right end
};

struct cli_table {
	const struct cli_column *columns;
	size_t column_count;
	struct strv cells; // row after row
};

enum { CLI_COLUMNS_MAX = 64 };

// How wide each column has become, from rows to rows that come later. Zeroed: nothing was written yet.
struct cli_widths {
	size_t columns[CLI_COLUMNS_MAX];
	bool has_titles;
};

#define CLI_TABLE_INIT(array)               \
	{                                       \
		(array), COUNT_OF(array), STRV_INIT \
	}
#define _cleanup_cli_table_ _cleanup_(cli_table_release)

// Appends the next cell of the row, or begins the next row where this one is full. NULL or "" is
// shown as "-".
bool cli_table_add(struct cli_table *table, const char *text, struct err *err) _nodiscard_;

// Adds the rows under their titles, columns two blanks apart. No row: nothing.
void cli_table_write(struct strbuf *out, const struct cli_table *table, bool is_wide);

// The same piece by piece: titles where none were written yet, then the rows in columns that are never
// narrower than before.
void cli_table_write_more(struct strbuf *out, const struct cli_table *table, bool is_wide,
                          struct cli_widths *widths);

// Adds titles and rows as RFC 4180 has them, every column, lines ended by LF. A "-" stands for nothing.
void cli_table_write_csv(struct strbuf *out, const struct cli_table *table);

// The rows alone.
void cli_table_write_csv_rows(struct strbuf *out, const struct cli_table *table);

void cli_table_release(struct cli_table *table);
