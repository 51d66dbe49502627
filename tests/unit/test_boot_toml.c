// SPDX-License-Identifier: MIT
#include "boot/toml.h"

#include <string.h>

#include "unit.h"

static void parse(const char *text, struct toml *ret)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!toml_parse(text, strlen(text), ret, &err))
		fail_msg("%s", err_message(&err));
}

static void tables_and_keys(void **state)
{
	static const char text[] = "version = 2 # of the file\n"
							   "disabled_plugins = [ \"a\", # one\n  'b' ]\n"
							   "[plugins]\n  [plugins.'io.x.cri'.a]\n  \"b c\" = \"d # \\\" e\"\n"
							   "  x.y = {z = [1, 2]}\n";
	_cleanup_toml_ struct toml toml;

	(void)state;
	parse(text, &toml);
	assert_string_equal(toml_get(&toml, "", "version"), "2");
	assert_string_equal(toml_get(&toml, "", "disabled_plugins"), "[ \"a\", # one\n  'b' ]");
	assert_string_equal(toml_get(&toml, "plugins.\"io.x.cri\".a", "\"b c\""), "\"d # \\\" e\"");
	assert_string_equal(toml_get(&toml, "plugins.\"io.x.cri\".a.x", "y"), "{z = [1, 2]}");
	assert_null(toml_get(&toml, "plugins", "version"));
	assert_int_equal(toml.tables, strstr(text, "[plugins]") - text);
}

static void set_and_write(void **state)
{
	_cleanup_toml_ struct toml toml;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	parse("[a]\nx = 1\n[ab]\ny = 1\n[a.b]\nz = \"\"\"\nlong\n\"\"\"\n", &toml);
	assert_true(toml_set(&toml, "a", "x", "2", &err));
	assert_true(toml_set(&toml, "a.c", "n", "true", &err));
	assert_true(toml_set(&toml, "a", "w", "3", &err));
	toml_write_table(&out, &toml, "a");
	assert_string_equal(strbuf_get(&out), "\n[a]\nx = 2\nw = 3\n\n[a.b]\nz = \"\"\"\nlong\n\"\"\"\n"
	                                      "\n[a.c]\nn = true\n");
}

static void what_cannot_be_read_is_refused(void **state)
{
	static const char *const texts[] = {
		"a = [1\n", "a = \"x\n", "[[a]]\n",        "[a\n",  "a\n",
		"= 1\n",    "a = ]\n",   "a = 1\n[b] c\n", "a =\n", "[a.]\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct toml toml;
		_cleanup_err_ struct err err = ERR_INIT;

		if (toml_parse(texts[i], strlen(texts[i]), &toml, &err))
			fail_msg("taken: %s", texts[i]);
		assert_int_equal(err.kind, ERR_FAILED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_and_keys),
		cmocka_unit_test(set_and_write),
		cmocka_unit_test(what_cannot_be_read_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
