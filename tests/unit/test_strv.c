// SPDX-License-Identifier: MIT
#include "base/strv.h"

#include "unit.h"

static void serves_as_an_argv(void **state)
{
	_cleanup_strv_ struct strv list = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_true(strv_add(&list, "word", &err));
	assert_int_equal(list.count, 100);
	assert_string_equal(list.items[99], "word");
	assert_null(list.items[100]);
}

static void splits_and_keeps_empty_pieces(void **state)
{
	_cleanup_strv_ struct strv list = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(strv_split(&list, ",a,,b,", ',', &err));
	assert_int_equal(list.count, 5);
	assert_string_equal(list.items[0], "");
	assert_string_equal(list.items[1], "a");
	assert_string_equal(list.items[2], "");
	assert_string_equal(list.items[3], "b");
	assert_string_equal(list.items[4], "");
	assert_true(strv_split(&list, "", ',', &err));
	assert_int_equal(list.count, 6);
}

static void adds_part_of_a_text(void **state)
{
	_cleanup_strv_ struct strv list = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(strv_add_n(&list, "abcdef", 3, &err));
	assert_true(strv_add_n(&list, "abcdef", 0, &err));
	assert_string_equal(list.items[0], "abc");
	assert_string_equal(list.items[1], "");
}

static void finds_whole_words_only(void **state)
{
	_cleanup_strv_ struct strv list = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(strv_contains(&list, ""));
	assert_true(strv_split(&list, "gpu cpu", ' ', &err));
	assert_true(strv_contains(&list, "cpu"));
	assert_false(strv_contains(&list, "cp"));
	assert_false(strv_contains(&list, "CPU"));
}

static void sorts_by_byte_value(void **state)
{
	_cleanup_strv_ struct strv list = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	strv_sort(&list);
	assert_true(strv_split(&list, "b \xC3\xA4 B 10 9", ' ', &err));
	strv_sort(&list);
	assert_string_equal(list.items[0], "10");
	assert_string_equal(list.items[1], "9");
	assert_string_equal(list.items[2], "B");
	assert_string_equal(list.items[3], "b");
	assert_string_equal(list.items[4], "\xC3\xA4");
	assert_null(list.items[5]);
}

static void take_frees_what_it_cannot_keep(void **state)
{
	_cleanup_strv_ struct strv list = STRV_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	char *text = mem_dup("owned");

	(void)state;
	unit_fail_allocation(1);
	assert_false(strv_take(&list, text, &err)); // valgrind and ASan see a leak
	unit_fail_allocation(0);
	assert_int_equal(err.kind, ERR_MEMORY);
	assert_false(strv_take(&list, NULL, &err));
	assert_int_equal(list.count, 0);
}

static void every_failed_allocation_is_reported(void **state)
{
	(void)state;
	for (size_t nth = 1;; nth++) {
		_cleanup_strv_ struct strv list = STRV_INIT;
		_cleanup_err_ struct err err = ERR_INIT;
		bool is_ok;

		unit_fail_allocation(nth);
		is_ok = strv_split(&list, "a,b,c,d,e,f,g,h,i,j", ',', &err);
		unit_fail_allocation(0);
		if (is_ok) {
			assert_int_equal(nth, 13); // ten words, two blocks
			return;
		}
		assert_int_equal(err.kind, ERR_MEMORY);
		assert_true(list.count < 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(serves_as_an_argv),
		cmocka_unit_test(splits_and_keeps_empty_pieces),
		cmocka_unit_test(adds_part_of_a_text),
		cmocka_unit_test(finds_whole_words_only),
		cmocka_unit_test(sorts_by_byte_value),
		cmocka_unit_test(take_frees_what_it_cannot_keep),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
