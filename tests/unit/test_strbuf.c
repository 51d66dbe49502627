// SPDX-License-Identifier: MIT
#include "base/strbuf.h"

#include "unit.h"

static void collects_text_of_every_kind(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(1000);

	(void)state;
	assert_string_equal(strbuf_get(&buf), "");
	strbuf_add(&buf, "node ");
	strbuf_add_n(&buf, "gpu-1xxx", 5);
	strbuf_add_char(&buf, ':');
	strbuf_add_repeat(&buf, '.', 3);
	strbuf_addf(&buf, "%d%%", 42);
	assert_string_equal(strbuf_get(&buf), "node gpu-1:...42%");
	assert_int_equal(buf.len, 17);
}

static void keeps_bytes_after_a_nul(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(10);

	(void)state;
	strbuf_add_n(&buf, "a\0b", 3);
	assert_int_equal(buf.len, 3);
	assert_memory_equal(buf.data, "a\0b", 4);
}

static void takes_exactly_its_cap(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(8);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	strbuf_add(&buf, "12345678");
	assert_true(strbuf_ok(&buf, &err));
	strbuf_add_char(&buf, '9');
	assert_false(strbuf_ok(&buf, &err));
	assert_string_equal(err_message(&err), "text longer than 8 bytes");
	assert_int_equal(err.kind, ERR_FAILED);
	assert_string_equal(strbuf_get(&buf), "12345678");
}

static void failure_is_sticky(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(4);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	strbuf_add(&buf, "12345");
	strbuf_add(&buf, "a");
	strbuf_addf(&buf, "%s", "b");
	strbuf_add_repeat(&buf, 'c', 2);
	assert_string_equal(strbuf_get(&buf), "");
	assert_null(strbuf_take(&buf, &err));
	strbuf_clear(&buf);
	strbuf_add(&buf, "1234");
	assert_true(strbuf_ok(&buf, &err));
}

static void cap_of_zero_takes_nothing(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(0);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *text = NULL;

	(void)state;
	strbuf_add(&buf, "");
	text = strbuf_take(&buf, &err);
	assert_string_equal(text, "");
	strbuf_add_char(&buf, 'x');
	assert_false(strbuf_ok(&buf, &err));
}

static void take_hands_the_text_over(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(100);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *first = NULL, *second = NULL;

	(void)state;
	strbuf_add(&buf, "first");
	first = strbuf_take(&buf, &err);
	strbuf_add(&buf, "second");
	second = strbuf_take(&buf, &err);
	assert_string_equal(first, "first");
	assert_string_equal(second, "second");
	assert_int_equal(buf.len, 0);
}

static void grows_over_many_blocks(void **state)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(100000);

	(void)state;
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&buf, "%04d", i);
	assert_int_equal(buf.len, 40000);
	assert_memory_equal(buf.data + 4 * 9999, "9999", 5);
}

static void every_failed_allocation_is_reported(void **state)
{
	(void)state;
	for (size_t nth = 1; nth <= 4; nth++) {
		_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(100000);
		_cleanup_err_ struct err err = ERR_INIT;

		unit_fail_allocation(nth);
		for (int i = 0; i < 100; i++)
			strbuf_addf(&buf, "line %d\n", i);
		unit_fail_allocation(0);
		assert_true(buf.failed);
		assert_false(buf.is_over_max);
		assert_int_equal(strlen(strbuf_get(&buf)), buf.len);
		assert_false(strbuf_ok(&buf, &err));
		assert_int_equal(err.kind, ERR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collects_text_of_every_kind),
		cmocka_unit_test(keeps_bytes_after_a_nul),
		cmocka_unit_test(takes_exactly_its_cap),
		cmocka_unit_test(failure_is_sticky),
		cmocka_unit_test(cap_of_zero_takes_nothing),
		cmocka_unit_test(take_hands_the_text_over),
		cmocka_unit_test(grows_over_many_blocks),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
