// SPDX-License-Identifier: MIT
#include "base/parse.h"

#include "unit.h"

static void expect_i64(const char *text, int64_t expected)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 42;

	assert_true(parse_i64(text, INT64_MIN, INT64_MAX, &value, &err));
	assert_true(value == expected);
}

static void refuse_i64(const char *text, int64_t min, int64_t max, const char *message)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 42;

	assert_false(parse_i64(text, min, max, &value, &err));
	assert_int_equal(value, 42);
	assert_int_equal(err.kind, ERR_USAGE);
	if (message)
		assert_string_equal(err_message(&err), message);
}

static void reads_whole_numbers(void **state)
{
	(void)state;
	expect_i64("0", 0);
	expect_i64("-0", 0);
	expect_i64("+7", 7);
	expect_i64("-12", -12);
	expect_i64("007", 7);
	expect_i64("9223372036854775807", INT64_MAX);
	expect_i64("-9223372036854775807", -INT64_MAX);
	expect_i64("-9223372036854775808", INT64_MIN);
}

static void refuses_what_is_not_wholly_a_number(void **state)
{
	static const char *const texts[] = {"",
	                                    " 1",
	                                    "1 ",
	                                    "1x",
	                                    "x",
	                                    "--1",
	                                    "+",
	                                    "-",
	                                    "0x1",
	                                    "1e3",
	                                    "1.0",
	                                    "1_",
	                                    "\xD9\xA1",
	                                    "9223372036854775808",
	                                    "-9223372036854775809",
	                                    "99999999999999999999"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		refuse_i64(texts[i], INT64_MIN, INT64_MAX, NULL);
}

static void holds_its_range_and_names_it(void **state)
{
	(void)state;
	refuse_i64("65536", 1, 65535, "\"65536\" is not a whole number from 1 to 65535");
	refuse_i64("0", 1, 65535, "\"0\" is not a whole number from 1 to 65535");
	refuse_i64("-1", 0, INT64_MAX, "\"-1\" is not a whole number of at least 0");
}

static void expect_duration(const char *text, int64_t expected_s)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 0;

	if (!parse_duration_s(text, 1, &value, &err))
		fail_msg("%s: %s", text, err_message(&err));
	assert_int_equal(value, expected_s);
}

static void refuse_duration(const char *text, const char *message)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 42;

	assert_false(parse_duration_s(text, 1, &value, &err));
	assert_int_equal(value, 42);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
}

static void reads_durations_with_units(void **state)
{
	(void)state;
	expect_duration("90s", 90);
	expect_duration("2h30m", 9000);
	expect_duration("1d", 86400);
	expect_duration("1d2h3m4s", 93784);
	expect_duration("90m", 5400);
	expect_duration("36600d", INT64_C(36600) * 86400);
}

static void reads_slurm_durations(void **state)
{
	(void)state;
	expect_duration("00:00:01", 1);
	expect_duration("48:00:00", 172800);
	expect_duration("1-0", 86400);
	expect_duration("1-12", 129600);
	expect_duration("1-12:30", 131400);
	expect_duration("2-03:04:05", 183845);
}

static void refuses_a_bare_number(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value;

	(void)state;
	assert_false(parse_duration_s("90", 1, &value, &err));
	assert_string_equal(err_message(&err), "\"90\" has no unit");
	assert_string_equal(err.hint, "90s, 90m or 90h?");
}

static void refuses_what_is_no_duration(void **state)
{
	static const char *const texts[] = {"",
	                                    "s",
	                                    "1x",
	                                    "1h1h",
	                                    "1m1h",
	                                    "1h 1m",
	                                    "-1h",
	                                    "1.5h",
	                                    "10:30",
	                                    "1:2:3:4",
	                                    "1:60:00",
	                                    "1-",
	                                    "-1",
	                                    "1-2-3",
	                                    "1:00:61",
	                                    "1h30",
	                                    "36601d",
	                                    "1-1:",
	                                    "99999999999999999999s"};
	char message[64];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		snprintf(message, sizeof(message), "\"%s\" is not a duration", texts[i]);
		refuse_duration(texts[i], message);
	}
}

static void holds_the_least_duration(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 42;

	(void)state;
	refuse_duration("0s", "\"0s\" is shorter than 1 s");
	refuse_duration("0", "\"0\" is shorter than 1 s");
	assert_true(parse_duration_s("0", 0, &value, &err));
	assert_int_equal(value, 0);
	assert_true(parse_duration_s("0h", 0, &value, &err));
	assert_false(parse_duration_s("59s", 60, &value, &err));
}

static void finds_a_word_or_lists_them_all(void **state)
{
	static const char *const words[] = {"none", "client", "server", NULL};
	_cleanup_err_ struct err err = ERR_INIT;
	size_t index = 42;

	(void)state;
	assert_true(parse_word("server", words, &index, &err));
	assert_int_equal(index, 2);
	assert_false(parse_word("Server", words, &index, &err));
	assert_int_equal(index, 2);
	assert_string_equal(err_message(&err), "\"Server\" is not none, client or server");
	assert_false(parse_word("", words, &index, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_whole_numbers),
		cmocka_unit_test(refuses_what_is_not_wholly_a_number),
		cmocka_unit_test(holds_its_range_and_names_it),
		cmocka_unit_test(reads_durations_with_units),
		cmocka_unit_test(reads_slurm_durations),
		cmocka_unit_test(refuses_a_bare_number),
		cmocka_unit_test(refuses_what_is_no_duration),
		cmocka_unit_test(holds_the_least_duration),
		cmocka_unit_test(finds_a_word_or_lists_them_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
