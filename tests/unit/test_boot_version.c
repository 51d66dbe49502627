// SPDX-License-Identifier: MIT
#include "boot/version.h"

#include "unit.h"

static void exact_versions(void **state)
{
	static const char *const wrong[] = {"",        "v",      "1.34",     "v1.34.4-rc.1",
	                                    "1.34.4 ", "1..4",   "1.34.x",   "v1.34.4.5",
	                                    "latest",  "-1.2.3", "1.99999.1"};
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_version version;

	(void)state;
	assert_true(boot_version_parse("v1.34.4", &version, &err));
	assert_int_equal(version.major, 1);
	assert_int_equal(version.minor, 34);
	assert_int_equal(version.patch, 4);
	assert_true(boot_version_parse("1.0.10", &version, &err));
	assert_int_equal(version.patch, 10);
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		assert_false(boot_version_parse(wrong[i], &version, &err));
		assert_int_equal(err.kind, ERR_USAGE);
		err_clear(&err);
	}
}

static void what_programs_print(void **state)
{
	struct boot_version version;

	(void)state;
	assert_true(boot_version_scan("1.6.20~ds1-1+b1", &version));
	assert_int_equal(version.patch, 20);
	assert_true(boot_version_scan("v2.1.5-rc.0", &version));
	assert_int_equal(version.major, 2);
	assert_true(boot_version_scan("1.7", &version));
	assert_int_equal(version.minor, 7);
	assert_int_equal(version.patch, 0);
	assert_false(boot_version_scan("containerd", &version));
}

static void order(void **state)
{
	const struct boot_version old = {1, 9, 20}, new = {1, 10, 0}, newer = {2, 0, 0};

	(void)state;
	assert_true(boot_version_compare(&old, &new) < 0);
	assert_true(boot_version_compare(&newer, &new) > 0);
	assert_int_equal(boot_version_compare(&old, &old), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_versions),
		cmocka_unit_test(what_programs_print),
		cmocka_unit_test(order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
