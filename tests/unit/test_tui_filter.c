// SPDX-License-Identifier: MIT
#include "tui/filter.h"

#include <string.h>

#include "unit.h"

static const char *const fields[] = {"gpu", "alloc", "ns", "owner", "vram", "age"};

enum { ROWS = 3 };

// Two GPUs, the second without a use, and a third that is busy.
static struct tui_datum get(const void *context, size_t row, size_t field)
{
	static const struct tui_datum rows[ROWS][COUNT_OF(fields)] = {
		{{TUI_NUMBER, 3, ""},
	     {TUI_NUMBER, 1, ""},
	     {TUI_TEXT, 0, "ml"},
	     {TUI_TEXT, 0, "jupyter-Anna"},
	     {TUI_NUMBER, 70.1 * 1073741824, ""},
	     {TUI_NUMBER, 2460, ""}},
		{{TUI_NOTHING, 0, ""},
	     {TUI_NUMBER, 1, ""},
	     {TUI_TEXT, 0, "infra"},
	     {TUI_TEXT, 0, "eval & more"},
	     {TUI_NOTHING, 0, ""},
	     {TUI_NOTHING, 0, ""}},
		{{TUI_NUMBER, 97, ""},
	     {TUI_NUMBER, 0, ""},
	     {TUI_TEXT, 0, "ml"},
	     {TUI_TEXT, 0, ""},
	     {TUI_NUMBER, 0, ""},
	     {TUI_NUMBER, 59, ""}},
	};

	(void)context;
	return rows[row][field];
}

// The rows that hold, as a picture: "x.x".
static void assert_rows(const char *text, const char *want)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_tui_filter_ struct tui_filter *filter =
		tui_filter_parse(text, fields, COUNT_OF(fields), &err);
	char got[ROWS + 1] = "";

	if (!filter)
		fail_msg("%s: %s", text, err_message(&err));
	for (size_t row = 0; row < ROWS; row++)
		got[row] = tui_filter_holds(filter, get, NULL, row) ? 'x' : '.';
	if (strcmp(got, want) != 0)
		fail_msg("%s: %s, not %s", text, got, want);
}

static void assert_fault(const char *text, const char *message, const char *hint)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_null(tui_filter_parse(text, fields, COUNT_OF(fields), &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
	if (hint)
		assert_string_equal(err.hint, hint);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_rows("gpu<5", "x..");
	assert_rows("gpu<=3", "x..");
	assert_rows("gpu>=97", "..x");
	assert_rows("gpu=97%", "..x");
	assert_rows("gpu!=97", "x..");
	assert_rows("vram>40G", "x..");
	assert_rows("vram>71G", "...");
	assert_rows("age>41m", "...");
	assert_rows("age>=41m", "x..");
	assert_rows("age<1m", "..x");
	assert_rows("gpu<3.5", "x..");
}

// What is not known is neither small nor large, and not unequal either.
static void test_unknown_holds_never(void **state)
{
	(void)state;
	assert_rows("gpu<5 | gpu>=5", "x.x");
	assert_rows("gpu!=1", "x.x");
	assert_rows("!(gpu<5)", ".xx");
}

static void test_text(void **state)
{
	(void)state;
	assert_rows("ns=ML", "x.x");
	assert_rows("ns!=ml", ".x.");
	assert_rows("owner~anna", "x..");
	assert_rows("owner=\"eval & more\"", ".x.");
	assert_rows("anna", "x..");
	assert_rows("\"infra\"", ".x.");
	assert_rows("nobody", "...");
}

static void test_logic(void **state)
{
	(void)state;
	assert_rows("gpu<5 & alloc>0", "x..");
	assert_rows("gpu<5 && alloc>0 || ns=infra", "xx.");
	assert_rows("ns=infra | gpu<5 & alloc>0", "xx.");
	assert_rows("(ns=infra | gpu<5) & alloc>1", "...");
	assert_rows("!ns=ml", ".x.");
	assert_rows("!!ns=ml", "x.x");
	assert_rows("  ( gpu < 5 )  ", "x..");
}

static void test_faults(void **state)
{
	(void)state;
	assert_fault("gpuu<5", "no field \"gpuu\" in this view", "did you mean gpu?");
	assert_fault("gpu<x", "gpu: \"x\" is not a number", NULL);
	assert_fault("gpu<", "a word is missing", NULL);
	assert_fault("", "a word is missing", NULL);
	assert_fault("(gpu<5", "a bracket is not closed", NULL);
	assert_fault("gpu<5)", "& or | is missing at: )", NULL);
	assert_fault("gpu<5 alloc>0", "& or | is missing at: alloc>0", NULL);
	assert_fault("\"abc", "a quote is not closed at: \"abc", NULL);
	assert_fault("gpu<5 &", "a word is missing", NULL);
}

static void test_depth_has_a_limit(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	char text[201];

	(void)state;
	memset(text, '(', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_null(tui_filter_parse(text, fields, COUNT_OF(fields), &err));
	assert_int_equal(err.kind, ERR_USAGE);
}

static void test_any_allocation_may_fail(void **state)
{
	bool is_done = false;

	(void)state;
	for (size_t i = 1; !is_done; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_tui_filter_ struct tui_filter *filter = NULL;

		unit_fail_allocation(i);
		filter = tui_filter_parse("(a | gpu<5) & !owner~\"x y\"", fields, COUNT_OF(fields), &err);
		unit_fail_allocation(0);
		is_done = filter != NULL;
		if (!is_done)
			assert_int_equal(err.kind, ERR_MEMORY);
		assert_true(i < 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_unknown_holds_never),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_logic),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_depth_has_a_limit),
		cmocka_unit_test(test_any_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
