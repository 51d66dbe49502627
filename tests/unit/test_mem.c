// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <string.h>

#include "unit.h"

static void new_memory_is_zero(void **state)
{
	static const char zeros[100];
	_cleanup_free_ char *block = mem_alloc(sizeof(zeros));

	(void)state;
	assert_memory_equal(block, zeros, sizeof(zeros));
}

static void copies_end_in_nul(void **state)
{
	_cleanup_free_ char *whole = mem_dup("abc"), *part = mem_dup_n("abcdef", 2),
						*empty = mem_dup_n(NULL, 0);

	(void)state;
	assert_string_equal(whole, "abc");
	assert_string_equal(part, "ab");
	assert_string_equal(empty, "");
}

static void append_grows_an_array(void **state)
{
	int *items = NULL;
	size_t count = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_true(mem_append(&items, &count, &i, sizeof(i)));
	assert_int_equal(count, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	count = 3; // forgotten items are written over
	assert_true(mem_append(&items, &count, &(int){-1}, sizeof(int)));
	assert_true(mem_append(&items, &count, &(int){-2}, sizeof(int)));
	assert_int_equal(items[2], 2);
	assert_int_equal(items[4], -2);
	mem_free(items);
}

static void append_that_fails_changes_nothing(void **state)
{
	int *items = NULL;
	size_t count = 0;

	(void)state;
	assert_true(mem_append(&items, &count, &(int){7}, sizeof(int)));
	unit_fail_allocation(1);
	assert_false(mem_append(&items, &count, &(int){8}, sizeof(int)));
	unit_fail_allocation(0);
	assert_int_equal(count, 1);
	assert_int_equal(items[0], 7);
	mem_free(items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_memory_is_zero),
		cmocka_unit_test(copies_end_in_nul),
		cmocka_unit_test(append_grows_an_array),
		cmocka_unit_test(append_that_fails_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
