// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <string.h>

#include "unit.h"

static const char job[] = "{\"metadata\":{\"name\":\"train\"},\"spec\":{\"count\":3,\"half\":1.5,"
						  "\"suspend\":true,\"none\":null,\"containers\":[{\"image\":\"a\"},"
						  "{\"image\":\"b\",\"ports\":[80,[443]]}]}}";

static struct json *parse(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct json *tree = json_parse(text, strlen(text), &err);

	if (!tree)
		fail_msg("%s: %s", text, err_message(&err));
	return tree;
}

static void refuse(const char *text, size_t len, const char *message)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_null(json_parse(text, len, &err));
	if (message)
		assert_string_equal(err_message(&err), message);
	assert_int_equal(err.kind, ERR_FAILED);
}

static void finds_values_by_path(void **state)
{
	_cleanup_json_ struct json *tree = parse(job);

	(void)state;
	assert_string_equal(json_string(json_find(tree, "metadata.name")), "train");
	assert_string_equal(json_string(json_find(tree, "spec.containers[1].image")), "b");
	assert_int_equal(json_number(json_find(tree, "spec.containers[1].ports[1][0]")), 443);
	assert_ptr_equal(json_find(tree, ""), tree);
	assert_null(json_find(tree, "spec.containers[2]"));
	assert_null(json_find(tree, "spec.container"));
	assert_null(json_find(tree, "spec.containersX"));
	assert_null(json_find(tree, "metadata.name.more"));
	assert_null(json_find(tree, "metadata[0].x"));
}

static void errors_name_the_path(void **state)
{
	_cleanup_json_ struct json *tree = parse(job);
	_cleanup_err_ struct err err = ERR_INIT;
	const struct json *value = NULL;
	const char *text = NULL;
	int64_t number = 42;
	bool is_true = false;

	(void)state;
	assert_false(json_get_string(tree, "spec.containers[0].name", &text, &err));
	assert_string_equal(err_message(&err), "spec.containers[0].name: missing");
	assert_false(json_get_string(tree, "spec.count", &text, &err));
	assert_string_equal(err_message(&err), "spec.count: a number, not a string");
	assert_false(json_get_i64(tree, "metadata.name", &number, &err));
	assert_string_equal(err_message(&err), "metadata.name: a string, not a number");
	assert_false(json_get_i64(tree, "spec.half", &number, &err));
	assert_string_equal(err_message(&err), "spec.half: 1.5 is not a whole number");
	assert_false(json_get_bool(tree, "spec.none", &is_true, &err));
	assert_string_equal(err_message(&err), "spec.none: null, not true or false");
	assert_false(json_get_array(tree, "spec", &value, &err));
	assert_string_equal(err_message(&err), "spec: an object, not a list");
	assert_false(json_get_object(tree, "spec.containers", &value, &err));
	assert_string_equal(err_message(&err), "spec.containers: a list, not an object");
	assert_int_equal(number, 42);
	assert_null(text);
}

static void getters_return_what_is_there(void **state)
{
	_cleanup_json_ struct json *tree = parse(job);
	_cleanup_err_ struct err err = ERR_INIT;
	const struct json *value = NULL;
	const char *text = NULL;
	int64_t number = 42;
	bool is_true = false;

	(void)state;
	assert_true(json_get_string(tree, "metadata.name", &text, &err));
	assert_string_equal(text, "train");
	assert_true(json_get_i64(tree, "spec.count", &number, &err));
	assert_int_equal(number, 3);
	assert_true(json_get_bool(tree, "spec.suspend", &is_true, &err));
	assert_true(is_true);
	assert_true(json_get_array(tree, "spec.containers", &value, &err));
	assert_string_equal(json_string(json_find(value, "[1].image")), "b");
	assert_true(json_get_object(tree, "spec.containers[0]", &value, &err));
	assert_int_equal(err.kind, ERR_NONE);
}

static void optional_getters_leave_the_default(void **state)
{
	_cleanup_json_ struct json *tree = parse(job);
	_cleanup_err_ struct err err = ERR_INIT;
	const char *text = "default";
	int64_t number = 42;
	bool is_true = true;

	(void)state;
	assert_true(json_get_string_optional(tree, "spec.absent", &text, &err));
	assert_true(json_get_string_optional(tree, "spec.none", &text, &err));
	assert_string_equal(text, "default");
	assert_true(json_get_i64_optional(tree, "spec.none", &number, &err));
	assert_int_equal(number, 42);
	assert_true(json_get_bool_optional(tree, "a.b.c", &is_true, &err));
	assert_true(is_true);
	assert_false(json_get_bool_optional(tree, "spec.count", &is_true, &err));
	assert_string_equal(err_message(&err), "spec.count: a number, not true or false");
	assert_true(json_get_i64_optional(tree, "spec.count", &number, &err));
	assert_int_equal(number, 3);
}

// cJSON#151: a double holds whole numbers to 2^53 only.
static void cjson_151_large_integers(void **state)
{
	_cleanup_json_ struct json *tree = parse("[9007199254740992, 9007199254740994, -1e300]");
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t number = 42;

	(void)state;
	assert_true(json_get_i64(tree, "[0]", &number, &err));
	assert_true(number == INT64_C(9007199254740992));
	assert_false(json_get_i64(tree, "[1]", &number, &err));
	assert_false(json_get_i64(tree, "[2]", &number, &err));
}

static void names_are_case_sensitive(void **state)
{
	_cleanup_json_ struct json *tree = parse("{\"Name\":1,\"name\":2}");

	(void)state;
	assert_int_equal(json_number(json_find(tree, "name")), 2);
	assert_int_equal(json_number(json_find(tree, "Name")), 1);
}

static void walks_in_order(void **state)
{
	_cleanup_json_ struct json *tree = parse("{\"b\":1,\"a\":[true,false]}");
	const struct json *child = json_first(tree), *item;

	(void)state;
	assert_string_equal(json_name(child), "b");
	child = json_next(child);
	assert_string_equal(json_name(child), "a");
	assert_null(json_next(child));
	item = json_first(child);
	assert_null(json_name(item));
	assert_true(json_is_true(item));
	assert_false(json_is_true(json_next(item)));
	assert_null(json_first(item));
}

static void getters_of_another_type_are_harmless(void **state)
{
	_cleanup_json_ struct json *tree = parse("[null,\"x\",1]");

	(void)state;
	assert_string_equal(json_string(json_find(tree, "[0]")), "");
	assert_string_equal(json_string(json_find(tree, "[2]")), "");
	assert_int_equal(json_number(json_find(tree, "[1]")), 0);
	assert_false(json_is_true(json_find(tree, "[2]")));
}

static void refuses_what_follows_the_value(void **state)
{
	static const char with_nul[] = "{}\0";

	(void)state;
	refuse("{} x", 4, "not JSON at byte 2");
	refuse("{}{}", 4, "not JSON at byte 2");
	refuse(with_nul, 3, NULL);
	refuse("", 0, NULL);
	refuse("{\"a\":1", 6, NULL);
	refuse("[1,]", 4, NULL);
	refuse("nul", 3, NULL);
	json_free(parse(" {} \r\n\t"));
}

static void refuses_deep_nesting(void **state)
{
	char text[2 * 65 + 1];

	(void)state;
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	text[2 * 65] = '\0';
	refuse(text, 2 * 65, "JSON nested deeper than 64 levels");
	refuse(text, 65, "JSON nested deeper than 64 levels");
	text[2 * 65 - 1] = '\0';
	json_free(parse(text + 1)); // 64 levels
	json_free(
		parse("\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[\""));
}

// Infinity could be read but never written back.
static void refuses_numbers_beyond_a_double(void **state)
{
	(void)state;
	refuse("{\"a\":[1e999]}", 13, "a number that is too large for JSON");
	refuse("-1e999", 6, "a number that is too large for JSON");
	json_free(parse("[1e308, 1e-999]"));
}

static void every_failed_allocation_is_reported(void **state)
{
	(void)state;
	for (size_t nth = 1;; nth++) {
		_cleanup_json_ struct json *tree = NULL;
		_cleanup_err_ struct err err = ERR_INIT;

		unit_fail_allocation(nth);
		tree = json_parse(job, strlen(job), &err);
		unit_fail_allocation(0);
		if (tree) {
			assert_true(nth > 20);
			return;
		}
		assert_int_not_equal(err.kind, ERR_NONE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_values_by_path),
		cmocka_unit_test(errors_name_the_path),
		cmocka_unit_test(getters_return_what_is_there),
		cmocka_unit_test(optional_getters_leave_the_default),
		cmocka_unit_test(cjson_151_large_integers),
		cmocka_unit_test(names_are_case_sensitive),
		cmocka_unit_test(walks_in_order),
		cmocka_unit_test(getters_of_another_type_are_harmless),
		cmocka_unit_test(refuses_what_follows_the_value),
		cmocka_unit_test(refuses_deep_nesting),
		cmocka_unit_test(refuses_numbers_beyond_a_double),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
