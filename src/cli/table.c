// SPDX-License-Identifier: MIT
#include "cli/table.h"

#include <string.h>

#include "base/text.h"

enum { GAP = 2, CELL_MAX_BYTES = 64 * 1024 };

bool cli_table_add(struct cli_table *table, const char *text, struct err *err)
{
	struct strbuf cell = STRBUF_INIT(CELL_MAX_BYTES);
	bool is_ok;

	if (text && *text)
		text_sanitize(&cell, text, strlen(text), TEXT_ONE_LINE);
	else
		strbuf_add_char(&cell, '-');
	is_ok = strv_take(&table->cells, strbuf_take(&cell, err), err);
	strbuf_release(&cell);
	return is_ok;
}

static size_t row_count(const struct cli_table *table)
{
	return table->cells.count / table->column_count;
}

static const char *cell_at(const struct cli_table *table, size_t row, size_t column)
{
	return table->cells.items[row * table->column_count + column];
}

static size_t width_of(const struct cli_table *table, size_t column)
{
	size_t width = text_width(table->columns[column].title);

	for (size_t row = 0; row < row_count(table); row++) {
		size_t cell = text_width(cell_at(table, row, column));

		if (cell > width)
			width = cell;
	}
	return width;
}

// The last column that is shown: nothing is padded behind it.
static size_t last_column(const struct cli_table *table, bool is_wide)
{
	size_t last = table->column_count - 1;

	while (last && table->columns[last].is_wide && !is_wide)
		last--;
	return last;
}

static void write_cell(struct strbuf *out, const char *text, size_t width, bool is_right,
                       bool is_last)
{
	size_t own = text_width(text);
	size_t padding = width > own ? width - own : 0;

	if (is_right)
		strbuf_add_repeat(out, ' ', padding);
	strbuf_add(out, text);
	if (!is_last)
		strbuf_add_repeat(out, ' ', GAP + (is_right ? 0 : padding));
}

// Line 0 has the titles.
static void write_line(struct strbuf *out, const struct cli_table *table, size_t line, bool is_wide,
                       const struct cli_widths *widths)
{
	size_t last = last_column(table, is_wide);

	for (size_t column = 0; column <= last; column++) {
		const struct cli_column *c = &table->columns[column];

		if (c->is_wide && !is_wide)
			continue;
		write_cell(out, line ? cell_at(table, line - 1, column) : c->title, widths->columns[column],
		           c->is_right, column == last);
	}
	strbuf_add_char(out, '\n');
}

void cli_table_write_more(struct strbuf *out, const struct cli_table *table, bool is_wide,
                          struct cli_widths *widths)
{
	if (!row_count(table) || table->column_count > COUNT_OF(widths->columns))
		return;
	for (size_t column = 0; column < table->column_count; column++) {
		size_t width = width_of(table, column);

		if (width > widths->columns[column])
			widths->columns[column] = width;
	}
	for (size_t line = widths->has_titles; line <= row_count(table); line++)
		write_line(out, table, line, is_wide, widths);
	widths->has_titles = true;
}

void cli_table_write(struct strbuf *out, const struct cli_table *table, bool is_wide)
{
	struct cli_widths widths = {.has_titles = false};

	cli_table_write_more(out, table, is_wide, &widths);
}

static void write_csv_field(struct strbuf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		strbuf_add(out, text);
		return;
	}
	strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			strbuf_add_char(out, '"');
		strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}

void cli_table_write_csv(struct strbuf *out, const struct cli_table *table)
{
	for (size_t column = 0; column < table->column_count; column++) {
		if (column)
			strbuf_add_char(out, ',');
		write_csv_field(out, table->columns[column].title);
	}
	strbuf_add_char(out, '\n');
	cli_table_write_csv_rows(out, table);
}

void cli_table_write_csv_rows(struct strbuf *out, const struct cli_table *table)
{
	for (size_t row = 0; row < row_count(table); row++) {
		for (size_t column = 0; column < table->column_count; column++) {
			const char *cell = cell_at(table, row, column);

			if (column)
				strbuf_add_char(out, ',');
			write_csv_field(out, !strcmp(cell, "-") ? "" : cell);
		}
		strbuf_add_char(out, '\n');
	}
}

void cli_table_release(struct cli_table *table)
{
	strv_release(&table->cells);
}
