// SPDX-License-Identifier: MIT
#include "base/faults.h"

#include "unit.h"

static void none_is_success_and_leaves_err_alone(void **state)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	faults_warn(&faults, "only a warning");
	assert_true(faults_none(&faults, &err));
	assert_int_equal(err.kind, ERR_NONE);
	assert_int_equal(faults.warnings.count, 1);
}

static void all_errors_come_in_one_message(void **state)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	faults_add(&faults, "--gpus: \"%s\" is not a whole number", "0.5");
	faults_warn(&faults, "no memory request");
	faults_add(&faults, "NAME is missing");
	assert_false(faults_none(&faults, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err),
	                    "--gpus: \"0.5\" is not a whole number\nNAME is missing");
}

static void an_option_that_was_refused_is_not_missing(void **state)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	(void)state;
	faults_add(&faults, "--cpu-limit: \"x\" is not a quantity");
	faults_warn(&faults, "--memory: none");
	assert_true(faults_has(&faults, "--cpu-limit"));
	assert_false(faults_has(&faults, "--cpu"));
	assert_false(faults_has(&faults, "--memory"));
}

static void a_line_feed_inside_a_fault_is_shown(void **state)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	faults_add(&faults, "--cpu: \"%s\" is not a quantity", "1\n2");
	faults_add(&faults, "--image: missing");
	assert_false(faults_none(&faults, &err));
	assert_string_equal(err_message(&err), "--cpu: \"1^J2\" is not a quantity\n--image: missing");
}

static void take_keeps_message_and_hint(void **state)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	err_set(&err, ERR_USAGE, "\"8GB\" is not a quantity");
	err_hint(&err, "8G or 8Gi?");
	faults_take(&faults, &err);
	assert_int_equal(err.kind, ERR_NONE);
	assert_string_equal(faults.errors.items[0], "\"8GB\" is not a quantity: 8G or 8Gi?");
	err_set(&err, ERR_USAGE, "second");
	faults_take(&faults, &err);
	assert_string_equal(faults.errors.items[1], "second");
}

static void memory_that_runs_out_is_not_forgotten(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (size_t nth = 1; nth <= 2; nth++) {
		_cleanup_faults_ struct faults faults = FAULTS_INIT;

		unit_fail_allocation(nth);
		faults_add(&faults, "a fault");
		unit_fail_allocation(0);
		assert_false(faults_none(&faults, &err));
		assert_int_equal(err.kind, ERR_MEMORY);
	}
	{
		_cleanup_faults_ struct faults faults = FAULTS_INIT;

		err_memory(&err);
		faults_take(&faults, &err);
		assert_false(faults_none(&faults, &err));
		assert_int_equal(err.kind, ERR_MEMORY);
	}
}

// A value of 100 KiB in a message must not be told as "out of memory".
static void a_fault_too_long_to_show_is_still_one(void **state)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	faults_add(&faults, "%0100000d is too large", 7);
	faults_add(&faults, "second");
	assert_false(faults_none(&faults, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), "a fault whose text is too long to show\nsecond");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_success_and_leaves_err_alone),
		cmocka_unit_test(all_errors_come_in_one_message),
		cmocka_unit_test(an_option_that_was_refused_is_not_missing),
		cmocka_unit_test(a_line_feed_inside_a_fault_is_shown),
		cmocka_unit_test(take_keeps_message_and_hint),
		cmocka_unit_test(memory_that_runs_out_is_not_forgotten),
		cmocka_unit_test(a_fault_too_long_to_show_is_still_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
