// SPDX-License-Identifier: MIT
#include "kube/timestamp.h"

#include "unit.h"

static void times_are_those_of_date(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{"1970-01-01T00:00:00Z", 0},
		{"2026-12-01T11:30:00Z", INT64_C(1796124600000)},
		{"2024-02-29T23:59:59Z", INT64_C(1709251199000)},
		{"2000-03-01T00:00:00.25Z", INT64_C(951868800250)},
		{"2026-12-01T19:30:00+08:00", INT64_C(1796124600000)},
		{"2026-12-01T11:30:00.123456789Z", INT64_C(1796124600123)},
		{"1969-12-31T23:59:59Z", -1000},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		int64_t ms;

		assert_true(kube_timestamp_parse(cases[i].text, &ms, &err));
		assert_int_equal(ms, cases[i].ms);
	}
}

static void what_is_no_time_is_refused(void **state)
{
	static const char *const texts[] = {"",
	                                    "2026-12-01",
	                                    "2026-13-01T00:00:00Z",
	                                    "2026-12-01T24:00:00Z",
	                                    "2026-12-01T00:00:00",
	                                    "2026-12-01T00:00:00Zx",
	                                    "26-12-01T00:00:00Z"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		int64_t ms;

		assert_false(kube_timestamp_parse(texts[i], &ms, &err));
	}
}

static void written_times_read_back(void **state)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64);

	(void)state;
	kube_timestamp_write(&out, INT64_C(1796124600999));
	assert_string_equal(strbuf_get(&out), "2026-12-01T11:30:00Z");
}

// What kubectl's duration.HumanDuration prints.
static void spans_are_kubectls(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} cases[] = {
		{-5, "0s"},          {0, "0s"},         {119, "119s"},      {120, "2m"},
		{200, "3m20s"},      {600, "10m"},      {10799, "179m"},    {10800, "3h"},
		{18420, "5h7m"},     {28800, "8h"},     {172799, "47h"},    {172800, "2d"},
		{273600, "3d4h"},    {691200, "8d"},    {63071999, "729d"}, {63072000, "2y"},
		{63936000, "2y10d"}, {252288000, "8y"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64);

		kube_span_write(&out, cases[i].seconds);
		assert_string_equal(strbuf_get(&out), cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_of_date),
		cmocka_unit_test(what_is_no_time_is_refused),
		cmocka_unit_test(written_times_read_back),
		cmocka_unit_test(spans_are_kubectls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
