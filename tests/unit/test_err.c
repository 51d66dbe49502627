// SPDX-License-Identifier: MIT
#include "base/err.h"

#include "unit.h"

static void message_grows_outwards(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(err_set(&err, ERR_UNREACHABLE, "timed out after %d s", 10));
	assert_false(err_wrap(&err, "connect %s", "10.0.0.5:22"));
	assert_false(err_wrap(&err, "node %s", "gpu-1"));
	assert_string_equal(err_message(&err), "node gpu-1: connect 10.0.0.5:22: timed out after 10 s");
	assert_int_equal(err_exit_status(err.kind), 3);
}

static void second_set_replaces_first(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	err_set(&err, ERR_USAGE, "first");
	err_hint(&err, "try this");
	err_set(&err, ERR_FAILED, "second");
	assert_string_equal(err_message(&err), "second");
	assert_null(err.hint);
	assert_int_equal(err.kind, ERR_FAILED);
}

static void out_of_memory_has_a_message(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	unit_fail_allocation(1);
	err_set(&err, ERR_USAGE, "never formatted");
	unit_fail_allocation(0);
	assert_int_equal(err.kind, ERR_MEMORY);
	assert_string_equal(err_message(&err), "out of memory");
}

static void exit_statuses_are_the_documented_ones(void **state)
{
	static const int expected[ERR_KIND_COUNT] = {0, 1, 1, 2, 3, 4, 5, 6};

	(void)state;
	for (int kind = 0; kind < ERR_KIND_COUNT; kind++)
		assert_int_equal(err_exit_status((enum err_kind)kind), expected[kind]);
}

static void copies_keep_kind_message_and_hint(void **state)
{
	_cleanup_err_ struct err from = ERR_INIT, to = ERR_INIT;

	(void)state;
	err_set(&from, ERR_REFUSED, "no");
	err_hint(&from, "ask");
	assert_false(err_copy(&to, &from));
	assert_int_equal(to.kind, ERR_REFUSED);
	assert_string_equal(err_message(&to), "no");
	assert_string_equal(to.hint, "ask");
	assert_true(to.message != from.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_grows_outwards),
		cmocka_unit_test(second_set_replaces_first),
		cmocka_unit_test(out_of_memory_has_a_message),
		cmocka_unit_test(copies_keep_kind_message_and_hint),
		cmocka_unit_test(exit_statuses_are_the_documented_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
