// SPDX-License-Identifier: MIT
#include "kube/array.h"

#include <string.h>

#include "unit.h"

static void expect(const char *text, const struct kube_array *wanted, int64_t count, bool is_plain)
{
	struct kube_array array;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!kube_array_parse(text, &array, &err))
		fail_msg("%s", err_message(&err));
	assert_true(array.is_set);
	assert_int_equal(array.first, wanted->first);
	assert_int_equal(array.last, wanted->last);
	assert_int_equal(array.step, wanted->step);
	assert_int_equal(array.at_once, wanted->at_once);
	assert_int_equal(kube_array_count(&array), count);
	assert_int_equal(kube_array_is_plain(&array), is_plain);
}

static void reads_slurms_ranges(void **state)
{
	(void)state;
	expect("0-15", &(struct kube_array){true, 0, 15, 1, 0}, 16, true);
	expect("0-15%4", &(struct kube_array){true, 0, 15, 1, 4}, 16, true);
	expect("1-7:2", &(struct kube_array){true, 1, 7, 2, 0}, 4, false);
	expect("1-8:2", &(struct kube_array){true, 1, 7, 2, 0}, 4, false);
	expect("0-1:5", &(struct kube_array){true, 0, 0, 5, 0}, 1, false);
	expect("5-5", &(struct kube_array){true, 5, 5, 1, 0}, 1, false);
	expect("0-99999", &(struct kube_array){true, 0, 99999, 1, 0}, 100000, true);
	expect("0-199998:2%100000", &(struct kube_array){true, 0, 199998, 2, 100000}, 100000, false);
	expect("2147483647-2147483647", &(struct kube_array){true, INT32_MAX, INT32_MAX, 1, 0}, 1,
	       false);
}

static void refuses_what_is_no_range(void **state)
{
	static const char *const bad[] = {"",           "5",      "-",     "-5",
	                                  "5-",         "5-1",    "1,3,5", "0-5%0",
	                                  "0-5%",       "0-5:0",  "0-5:",  "0-5%4:2",
	                                  "0-5%-1",     "a-b",    "0--5",  "0-5-9",
	                                  "0-100000",   " 0-5",   "0-5 ",  "0-2147483648:100000",
	                                  "0-5%100001", "1-3,5-7"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct kube_array array = {.is_set = false};
		_cleanup_err_ struct err err = ERR_INIT;

		if (kube_array_parse(bad[i], &array, &err))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_string_equal(err.hint, "write it as 0-15, 1-7:2 or 0-99%4");
		assert_non_null(strstr(err_message(&err), bad[i]));
		assert_false(array.is_set);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_slurms_ranges),
		cmocka_unit_test(refuses_what_is_no_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
