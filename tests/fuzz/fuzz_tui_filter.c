// SPDX-License-Identifier: MIT
// A filter as typed.
#include "fuzz.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tui/filter.h"

static struct tui_datum get(const void *context, size_t row, size_t field)
{
	static const struct tui_datum data[] = {
		{TUI_NUMBER, 5, ""}, {TUI_TEXT, 0, "ml/anna"}, {TUI_NOTHING, 0, ""}};

	(void)context;
	(void)row;
	return data[field];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const fields[] = {"gpu", "owner", "age"};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);
	_cleanup_tui_filter_ struct tui_filter *filter =
		tui_filter_parse(text, fields, COUNT_OF(fields), &err);

	if (!filter && err.kind != ERR_USAGE)
		abort();
	if (filter)
		(void)tui_filter_holds(filter, get, NULL, 0);
	return 0;
}
