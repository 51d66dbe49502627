// SPDX-License-Identifier: MIT
#include "cli/table.h"

#include <locale.h>
#include <string.h>

#include "unit.h"

static const struct cli_column columns[] = {
	{"NAME", false, false}, {"GPUS", false, true}, {"NODE", true, false}, {"REASON", false, false}};

static void fill(struct cli_table *table, const char *const *cells, size_t count)
{
	_cleanup_err_ struct err err = ERR_INIT;

	for (size_t i = 0; i < count; i++)
		assert_true(cli_table_add(table, cells[i], &err));
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	static const char *const cells[] = {"cnn", "2", "n1", "", "a-long-name", "16", NULL, "x y"};
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(columns);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	(void)state;
	fill(&table, cells, COUNT_OF(cells));
	cli_table_write(&out, &table, false);
	assert_string_equal(strbuf_get(&out), "NAME         GPUS  REASON\n"
	                                      "cnn             2  -\n"
	                                      "a-long-name    16  x y\n");
	strbuf_clear(&out);
	cli_table_write(&out, &table, true);
	assert_string_equal(strbuf_get(&out), "NAME         GPUS  NODE  REASON\n"
	                                      "cnn             2  n1    -\n"
	                                      "a-long-name    16  -     x y\n");
}

static void wide_characters_take_two_columns(void **state)
{
	static const char *const cells[] = {
		"\xE8\xAE\xAD\xE7\xBB\x83", "1", "", "r", "abcde", "1", "", "r"};
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(columns);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	fill(&table, cells, COUNT_OF(cells));
	cli_table_write(&out, &table, false);
	assert_string_equal(strbuf_get(&out), "NAME   GPUS  REASON\n"
	                                      "\xE8\xAE\xAD\xE7\xBB\x83      1  r\n"
	                                      "abcde     1  r\n");
}

// CVE-2021-25743
static void escapes_in_cells_reach_no_terminal(void **state)
{
	static const char *const cells[] = {"a\033[2Jb", "1\n2", "", "\r"};
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(columns);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	(void)state;
	fill(&table, cells, COUNT_OF(cells));
	cli_table_write(&out, &table, true);
	assert_null(strchr(strbuf_get(&out), '\033'));
	assert_null(strchr(strbuf_get(&out), '\r'));
	assert_non_null(strstr(strbuf_get(&out), "a^[[2Jb"));
}

static void csv_quotes_what_needs_it(void **state)
{
	static const char *const cells[] = {"a,b", "1", "n", "say \"x\""};
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(columns);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	(void)state;
	fill(&table, cells, COUNT_OF(cells));
	cli_table_write_csv(&out, &table);
	assert_string_equal(strbuf_get(&out), "NAME,GPUS,NODE,REASON\n\"a,b\",1,n,\"say \"\"x\"\"\"\n");
}

static void no_rows_no_titles(void **state)
{
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(columns);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	(void)state;
	cli_table_write(&out, &table, true);
	assert_string_equal(strbuf_get(&out), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(wide_characters_take_two_columns),
		cmocka_unit_test(escapes_in_cells_reach_no_terminal),
		cmocka_unit_test(csv_quotes_what_needs_it),
		cmocka_unit_test(no_rows_no_titles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
