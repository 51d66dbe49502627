// SPDX-License-Identifier: MIT
#include "base/json_build.h"

#include <math.h>

#include "unit.h"

static void build_job(struct json_build *b)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "kind", "Job");
	json_put_bool(b, "suspend", false);
	json_put_null(b, "status");
	json_build_open_array(b, "args");
	json_put_string(b, NULL, "train.py");
	json_put_i64(b, NULL, -3);
	json_put_number(b, NULL, 0.5);
	json_build_open_object(b, NULL);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void expect(struct json_build *b, const char *text)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_build_take(b, &err);

	assert_non_null(tree);
	json_write(&out, tree);
	assert_string_equal(strbuf_get(&out), text);
}

static void refuse(struct json_build *b)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_null(json_build_take(b, &err));
	assert_int_not_equal(err.kind, ERR_NONE);
}

static void builds_from_the_root_down(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	(void)state;
	build_job(&b);
	expect(&b, "{\"kind\":\"Job\",\"suspend\":false,\"status\":null,"
	           "\"args\":[\"train.py\",-3,0.5,{}]}");
}

static void root_may_be_a_single_value(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	(void)state;
	json_put_string(&b, NULL, "alone");
	expect(&b, "\"alone\"");
}

static void takes_trees(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	json_build_open_array(&b, NULL);
	json_put_tree(&b, NULL, json_parse("{\"a\":1}", 7, &err));
	json_build_close(&b);
	expect(&b, "[{\"a\":1}]");
	json_put_tree(&b, NULL, NULL);
	refuse(&b);
}

static void misuse_fails_the_build(void **state)
{
	(void)state;
	for (int kind = 0; kind < 9; kind++) {
		_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

		if (kind == 0) { // nothing at all
			refuse(&b);
			continue;
		}
		json_build_open_object(&b, kind == 1 ? "name of a root" : NULL);
		if (kind == 2)
			json_put_null(&b, NULL); // a member without a name
		if (kind == 3)
			json_build_open_array(&b, "never closed");
		if (kind == 4)
			json_build_close(&b); // once too often
		if (kind == 5)
			json_put_string(&b, "s", NULL);
		if (kind == 6)
			json_put_i64(&b, "n", (INT64_C(1) << 53) + 1);
		if (kind == 7)
			json_put_number(&b, "n", INFINITY);
		if (kind == 8)
			json_put_number(&b, "n", NAN);
		json_build_close(&b);
		refuse(&b);
	}
}

static void a_second_root_fails_the_build(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	(void)state;
	json_put_null(&b, NULL);
	json_put_null(&b, NULL);
	refuse(&b);
}

static void a_name_in_a_list_fails_the_build(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	(void)state;
	json_build_open_array(&b, NULL);
	json_put_null(&b, "name");
	json_build_close(&b);
	refuse(&b);
}

static void holds_the_depth(void **state)
{
	(void)state;
	for (int depth = JSON_MAX_DEPTH; depth <= JSON_MAX_DEPTH + 1; depth++) {
		_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_json_ struct json *tree = NULL;

		for (int i = 0; i < depth; i++)
			json_build_open_array(&b, NULL);
		for (int i = 0; i < depth; i++)
			json_build_close(&b);
		tree = json_build_take(&b, &err);
		assert_int_equal(tree != NULL, depth == JSON_MAX_DEPTH);
	}
}

static void largest_exact_integers_pass(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	(void)state;
	json_build_open_array(&b, NULL);
	json_put_i64(&b, NULL, INT64_C(1) << 53);
	json_put_i64(&b, NULL, -(INT64_C(1) << 53));
	json_build_close(&b);
	expect(&b, "[9007199254740992,-9007199254740992]");
}

static void a_text_that_failed_fails_the_build(void **state)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_build_ struct json_build failed = JSON_BUILD_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(3);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	strbuf_add(&text, "abc");
	json_put_text(&b, NULL, &text);
	expect(&b, "\"abc\"");
	strbuf_add(&text, "d");
	json_put_text(&failed, NULL, &text);
	assert_null(json_build_take(&failed, &err));
}

static void every_failed_allocation_fails_the_build(void **state)
{
	(void)state;
	for (size_t nth = 1;; nth++) {
		_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
		_cleanup_json_ struct json *tree = NULL;
		_cleanup_err_ struct err err = ERR_INIT;

		unit_fail_allocation(nth);
		build_job(&b);
		unit_fail_allocation(0);
		tree = json_build_take(&b, &err);
		if (tree) {
			assert_true(nth > 10);
			return;
		}
		assert_int_equal(err.kind, ERR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_from_the_root_down),
		cmocka_unit_test(root_may_be_a_single_value),
		cmocka_unit_test(takes_trees),
		cmocka_unit_test(misuse_fails_the_build),
		cmocka_unit_test(a_second_root_fails_the_build),
		cmocka_unit_test(a_name_in_a_list_fails_the_build),
		cmocka_unit_test(holds_the_depth),
		cmocka_unit_test(largest_exact_integers_pass),
		cmocka_unit_test(a_text_that_failed_fails_the_build),
		cmocka_unit_test(every_failed_allocation_fails_the_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
