// SPDX-License-Identifier: MIT
// The tables in data/, which oracle/main.go makes with Kubernetes' own code.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { TABLE_MAX_CELLS = 4, TABLE_LINE_BYTES = 8192 };

struct table_row {
	char line[TABLE_LINE_BYTES];
	char *cells[TABLE_MAX_CELLS]; // in line, unescaped
	size_t count;
};

// "\20" is a blank; a backslash alone is the empty text.
static inline void table_unescape(char *cell)
{
	char *out = cell, hex[3] = "";

	while (*cell) {
		if (*cell != '\\') {
			*out++ = *cell++;
			continue;
		}
		memcpy(hex, cell + 1, 2);
		*out++ = (char)strtol(hex, NULL, 16);
		cell += 3;
	}
	*out = '\0';
}

// The next row that is no comment; false at the end.
static inline bool table_next(FILE *file, struct table_row *row)
{
	do {
		if (!fgets(row->line, sizeof(row->line), file))
			return false;
	} while (row->line[0] == '#');
	row->line[strcspn(row->line, "\n")] = '\0';
	row->count = 0;
	for (char *at = row->line; at && row->count < TABLE_MAX_CELLS;) {
		char *tab = strchr(at, '\t');

		if (tab)
			*tab = '\0';
		row->cells[row->count++] = at;
		at = tab ? tab + 1 : NULL;
	}
	for (size_t i = 0; i < row->count; i++) {
		if (!strcmp(row->cells[i], "\\"))
			row->cells[i][0] = '\0';
		table_unescape(row->cells[i]);
	}
	return true;
}

// Calls CHECK with each row of data/NAME; fails where there are fewer than LEAST.
static inline void table_check(const char *name, size_t least, void (*check)(struct table_row *))
{
	char path[4096];
	struct table_row row;
	size_t count = 0;
	FILE *file;

	assert_non_null(getenv("TEST_DATA"));
	snprintf(path, sizeof(path), "%s/%s", getenv("TEST_DATA"), name);
	file = fopen(path, "r");
	assert_non_null(file);
	for (; table_next(file, &row); count++)
		check(&row);
	fclose(file);
	assert_true(count >= least);
}
