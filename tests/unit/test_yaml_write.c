// SPDX-License-Identifier: MIT
#include "yaml/yaml.h"

#include <string.h>

#include "base/json_build.h"
#include "unit.h"

// What JSON is as YAML.
static void expect(const char *json, const char *yaml)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse(json, strlen(json), &err);

	assert_non_null(tree);
	assert_true(yaml_write(&out, tree, &err));
	assert_string_equal(strbuf_get(&out), yaml);
}

// What the string TEXT is as YAML, in a list.
static void expect_text(const char *text, const char *yaml)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_array(&b, NULL);
	json_put_string(&b, NULL, text);
	json_build_close(&b);
	tree = json_build_take(&b, &err);
	assert_non_null(tree);
	assert_true(yaml_write(&out, tree, &err));
	assert_true(out.len > 3);
	assert_memory_equal(strbuf_get(&out), "- ", 2);
	assert_string_equal(strbuf_get(&out) + 2, yaml);
}

static void prints_blocks_as_kubectl_does(void **state)
{
	(void)state;
	expect(
		"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"spec\":{\"parallelism\":2,\"template\":"
		"{\"containers\":[{\"name\":\"main\",\"args\":[\"train.py\",\"a b\"]},{\"name\":\"b\"}]}}}",
		"apiVersion: batch/v1\n"
		"kind: Job\n"
		"spec:\n"
		"  parallelism: 2\n"
		"  template:\n"
		"    containers:\n"
		"    - name: main\n"
		"      args:\n"
		"      - train.py\n"
		"      - a b\n"
		"    - name: b\n");
}

static void nests_lists_in_lists(void **state)
{
	(void)state;
	expect("[[1,[2,3]],[{\"a\":[[]]}],4]", "- - 1\n"
	                                       "  - - 2\n"
	                                       "    - 3\n"
	                                       "- - a:\n"
	                                       "    - []\n"
	                                       "- 4\n");
}

static void keeps_empty_containers_and_plain_values(void **state)
{
	(void)state;
	expect("{\"a\":{},\"b\":[],\"c\":null,\"d\":true,\"e\":false,\"f\":\"\"}",
	       "a: {}\nb: []\nc: null\nd: true\ne: false\nf: \"\"\n");
	expect("{}", "{}\n");
	expect("[]", "[]\n");
	expect("\"x y\"", "x y\n");
	expect("null", "null\n");
	expect("3", "3\n");
}

static void writes_numbers_that_every_reader_takes_for_numbers(void **state)
{
	(void)state;
	expect("[0,-1,1.5,1e20,1e-7,-2.5e-7,1000000000000000,9007199254740992]",
	       "- 0\n- -1\n- 1.5\n- 1.0e+20\n- 1.0e-07\n- -2.5e-07\n- 1000000000000000\n"
	       "- 9007199254740992\n");
}

// kubernetes#23251: a label of true or 1e3 must stay text.
static void k8s_23251_label_true(void **state)
{
	(void)state;
	expect("{\"gpu\":\"true\",\"v\":\"1e3\"}", "gpu: \"true\"\nv: \"1e3\"\n");
}

// rook#2249, trident#899: affinity values.
static void rook_2249_affinity_values(void **state)
{
	(void)state;
	expect("{\"values\":[\"true\"]}", "values:\n- \"true\"\n");
}

// kubernetes#14948, #118649: -e A=true -e B=yes -e C=1e3 -e D=0755 -e E=
static void k8s_14948_environment_values(void **state)
{
	(void)state;
	expect("[\"true\",\"yes\",\"1e3\",\"0755\",\"\"]",
	       "- \"true\"\n- \"yes\"\n- \"1e3\"\n- \"0755\"\n- \"\"\n");
}

static void quotes_what_a_reader_could_retype(void **state)
{
	static const char *const texts[] = {
		"y",    "N",     "yes",  "No",   "on",    "OFF",     "True", "FALSE", "null",
		"NULL", "~",     "nan",  ".nan", ".inf",  "-inf",    "0",    "08",    "0755",
		"0o7",  "0x1F",  "0b11", "1:30", "1_000", "+1",      "-1",   ".5",    "1.",
		"1e3",  "1e400", "=",    "<<",   "-",     "--",      "---",  "...",   "2001-12-14",
		"a:",   "#a",    "-a",   "*a",   "&a",    "!a",      "@a",   "`a",    "%a",
		"? a",  "[a]",   "{a}",  "a, b", "10.0",  "10.0.0.5"};
	char quoted[32];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		snprintf(quoted, sizeof(quoted), "\"%s\"\n", texts[i]);
		expect_text(texts[i], quoted);
	}
	expect_text("a #b", "\"a #b\"\n");
	expect_text("a: b", "\"a: b\"\n");
	expect_text(" a", "\" a\"\n");
	expect_text("a ", "\"a \"\n");
}

static void leaves_plain_what_is_safe(void **state)
{
	static const char *const texts[] = {"pytorch:2.0-gpu",
	                                    "registry:5000/a/b@sha256:0af",
	                                    "nvidia.com/gpu",
	                                    "system:node:gpu-1",
	                                    "/data/set_1",
	                                    "_x",
	                                    "a=b",
	                                    "a+b",
	                                    "yes sir",
	                                    "trueish",
	                                    "v1.34.0",
	                                    "https://host:6443/x"};
	char plain[64];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		snprintf(plain, sizeof(plain), "%s\n", texts[i]);
		expect_text(texts[i], plain);
	}
}

static void quotes_keys_too(void **state)
{
	(void)state;
	expect("{\"y\":1,\"0755\":2,\"\":3,\"a: b\":4,\"x\\ny\":5,\"<<\":6}",
	       "\"y\": 1\n\"0755\": 2\n\"\": 3\n\"a: b\": 4\n\"x\\ny\": 5\n\"<<\": 6\n");
}

static void escapes_control_and_reordering_characters(void **state)
{
	(void)state;
	expect_text("a\tb", "\"a\\tb\"\n");
	expect_text("a\"b\\c", "\"a\\\"b\\\\c\"\n");
	expect_text("\x1b[2J\r\x07\x7f", "\"\\u001b[2J\\r\\u0007\\u007f\"\n");
	expect_text("\xC2\x85\xC2\x9B\xE2\x80\xA8\xE2\x80\xAE\xEF\xBB\xBF\xEF\xBF\xBF",
	            "\"\\u0085\\u009b\\u2028\\u202e\\ufeff\\uffff\"\n");
	expect_text("\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x9A\x80",
	            "\"\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x9A\x80\"\n");
}

static void writes_lines_as_a_block_where_they_survive(void **state)
{
	(void)state;
	expect("{\"s\":\"#!/bin/sh\\n\\nexit 0\\n\",\"t\":\"a\\n\\tb\\n# c: d\"}", "s: |\n"
	                                                                           "  #!/bin/sh\n"
	                                                                           "\n"
	                                                                           "  exit 0\n"
	                                                                           "t: |-\n"
	                                                                           "  a\n"
	                                                                           "  \tb\n"
	                                                                           "  # c: d\n");
	expect("[{\"a\":[\"x\\ny\"]}]", "- a:\n"
	                                "  - |-\n"
	                                "    x\n"
	                                "    y\n");
}

static void quotes_lines_that_a_block_would_change(void **state)
{
	(void)state;
	expect_text("a\n", "\"a\\n\"\n");
	expect_text(" a\nb", "\" a\\nb\"\n");
	expect_text("\na\nb", "\"\\na\\nb\"\n");
	expect_text("a\nb\n\n", "\"a\\nb\\n\\n\"\n");
	expect_text("a \nb", "\"a \\nb\"\n");
	expect_text("a\nb ", "\"a\\nb \"\n");
	expect_text("a\n  \nb", "\"a\\n  \\nb\"\n");
	expect_text("a\r\nb", "\"a\\r\\nb\"\n");
	expect_text("a\n\x1b[0m", "\"a\\n\\u001b[0m\"\n");
}

// Readers look for the colon of a key in 1024 characters only.
static void gives_a_long_key_its_question_mark(void **state)
{
	_cleanup_strbuf_ struct strbuf json = STRBUF_INIT(8192), yaml = STRBUF_INIT(8192);

	(void)state;
	strbuf_add(&json, "[{\"");
	strbuf_add_repeat(&json, 'k', 1100);
	strbuf_add(&json, "\":[1]}]");
	strbuf_add(&yaml, "- ? ");
	strbuf_add_repeat(&yaml, 'k', 1100);
	strbuf_add(&yaml, "\n  :\n  - 1\n");
	expect(strbuf_get(&json), strbuf_get(&yaml));
}

static void refuses_what_is_not_utf8(void **state)
{
	static const char bad[] = "{\"a\":\"x\xFFy\"}", bad_key[] = "{\"x\xC0\x80\":1}";
	const char *const texts[] = {bad, bad_key};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_json_ struct json *tree = json_parse(texts[i], strlen(texts[i]), &err);

		assert_non_null(tree);
		assert_false(yaml_write(&out, tree, &err));
		assert_string_equal(err_message(&err), "a string is not UTF-8 and so cannot be YAML");
	}
}

static void fails_like_its_buffer(void **state)
{
	static const char json[] = "{\"a\":[1,{\"b\":\"c d\",\"e\":\"f\\ng\"}],\"h\":1e30}";
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse(json, strlen(json), &err);

	(void)state;
	for (size_t max = 0; max < 40; max++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(max);

		assert_false(yaml_write(&out, tree, &err));
		assert_true(out.len <= max);
	}
	for (size_t nth = 1;; nth++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
		bool is_ok;

		unit_fail_allocation(nth);
		is_ok = yaml_write(&out, tree, &err);
		unit_fail_allocation(0);
		if (is_ok) {
			assert_true(nth > 1);
			return;
		}
		assert_int_equal(err.kind, ERR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_blocks_as_kubectl_does),
		cmocka_unit_test(nests_lists_in_lists),
		cmocka_unit_test(keeps_empty_containers_and_plain_values),
		cmocka_unit_test(writes_numbers_that_every_reader_takes_for_numbers),
		cmocka_unit_test(k8s_23251_label_true),
		cmocka_unit_test(rook_2249_affinity_values),
		cmocka_unit_test(k8s_14948_environment_values),
		cmocka_unit_test(quotes_what_a_reader_could_retype),
		cmocka_unit_test(leaves_plain_what_is_safe),
		cmocka_unit_test(quotes_keys_too),
		cmocka_unit_test(escapes_control_and_reordering_characters),
		cmocka_unit_test(writes_lines_as_a_block_where_they_survive),
		cmocka_unit_test(quotes_lines_that_a_block_would_change),
		cmocka_unit_test(gives_a_long_key_its_question_mark),
		cmocka_unit_test(refuses_what_is_not_utf8),
		cmocka_unit_test(fails_like_its_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
