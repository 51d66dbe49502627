// SPDX-License-Identifier: MIT
#include "jobs/missing.h"

#include "unit.h"

static const struct {
	const char *name, *names, *text; // names: a blank between them
} cases[] = {
	{"cnn", "gan cnm nlp", "did you mean \"cnm\"?"},
	{"cnn", "gan cnm cnn2 nlp", "did you mean \"cnm\" or \"cnn2\"?"},
	// what --name-prefix makes of a name
	{"sweep", "gan sweep-x7k2p sweep-z9f3q", "did you mean \"sweep-x7k2p\" or \"sweep-z9f3q\"?"},
	{"a", "a1 a2 a3 a4 a5 a6", "did you mean \"a1\", \"a2\", \"a3\", \"a4\" or \"a5\"?"},
	{"zebra", "gan nlp", "there are gan, nlp"},
	{"zebra", "gan", "there is gan"},
	{"zebra", "b c d e f g h", "there are b, c, d, e, f and 2 more"},
};

static void the_nearest_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		_cleanup_strv_ struct strv names = STRV_INIT;
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);
		_cleanup_err_ struct err err = ERR_INIT;

		assert_true(strv_split(&names, cases[i].names, ' ', &err));
		jobs_nearest_write(&text, cases[i].name, &names);
		assert_string_equal(strbuf_get(&text), cases[i].text);
	}
}

static void nothing_without_names(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);
	const struct strv none = STRV_INIT;

	(void)state;
	jobs_nearest_write(&text, "x", &none);
	assert_string_equal(strbuf_get(&text), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_first),
		cmocka_unit_test(nothing_without_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
