// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <string.h>

#include "unit.h"

static void expect(const char *text, const char *line, const char *pretty)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse(text, strlen(text), &err);

	assert_non_null(tree);
	json_write(&out, tree);
	assert_string_equal(strbuf_get(&out), line);
	if (!pretty)
		return;
	strbuf_clear(&out);
	json_write_pretty(&out, tree);
	assert_string_equal(strbuf_get(&out), pretty);
}

static void keeps_order_and_nesting(void **state)
{
	(void)state;
	expect("{ \"b\" : [ 1 , {\"c\":null} ], \"a\" : { } , \"d\":[]}",
	       "{\"b\":[1,{\"c\":null}],\"a\":{},\"d\":[]}",
	       "{\n"
	       "  \"b\": [\n"
	       "    1,\n"
	       "    {\n"
	       "      \"c\": null\n"
	       "    }\n"
	       "  ],\n"
	       "  \"a\": {},\n"
	       "  \"d\": []\n"
	       "}\n");
	expect("true", "true", "true\n");
}

static void escapes_strings(void **state)
{
	(void)state;
	expect("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"",
	       "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"", NULL);
	expect("{\"\\n\":\"\\u00e9\\ud83d\\ude80\"}", "{\"\\n\":\"\xC3\xA9\xF0\x9F\x9A\x80\"}", NULL);
}

static void whole_numbers_have_no_exponent(void **state)
{
	(void)state;
	expect("[0,-0,1,-1,1e3,1000000000000000,9007199254740991,9007199254740992,-9007199254740992]",
	       "[0,0,1,-1,1000,1000000000000000,9007199254740991,9007199254740992,-9007199254740992]",
	       NULL);
}

static void numbers_read_back_as_they_were(void **state)
{
	(void)state;
	expect("[0.1,1.5,0.30000000000000004,1e300,-2.5e-7,1e16,5e-324,1.7976931348623157e308]",
	       "[0.1,1.5,0.30000000000000004,1e+300,-2.5e-07,1e+16,4.94065645841247e-324,"
	       "1.7976931348623157e+308]",
	       NULL);
}

static void stops_at_the_cap(void **state)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(6);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse("[1,2,3,4,5]", 11, &err);

	(void)state;
	json_write(&out, tree);
	assert_false(strbuf_ok(&out, &err));
	assert_true(out.len <= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_order_and_nesting),
		cmocka_unit_test(escapes_strings),
		cmocka_unit_test(whole_numbers_have_no_exponent),
		cmocka_unit_test(numbers_read_back_as_they_were),
		cmocka_unit_test(stops_at_the_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
