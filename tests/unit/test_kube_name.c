// SPDX-License-Identifier: MIT
#include "kube/name.h"

#include "table.h"

static bool check_env(const char *name, struct err *err)
{
	return kube_name_check_env(name, NULL, err);
}

static bool check_old_env(const char *name, struct err *err)
{
	bool is_old_style = false;

	return kube_name_check_env(name, &is_old_style, err) && is_old_style;
}

static const struct {
	const char *name;
	bool (*is_legal)(const char *, struct err *);
} kinds[] = {
	{"label", kube_name_check_label},
	{"subdomain", kube_name_check_subdomain},
	{"key", kube_name_check_key},
	{"value", kube_name_check_label_value},
	{"env", check_env},
	{"env-old", check_old_env},
	{"secret-key", kube_name_check_secret_key},
};

static void check_row(struct table_row *row)
{
	_cleanup_err_ struct err err = ERR_INIT;
	size_t i = 0;

	while (strcmp(kinds[i].name, row->cells[0]) != 0)
		assert_true(++i < COUNT_OF(kinds));
	if (kinds[i].is_legal(row->cells[1], &err) != !strcmp(row->cells[2], "ok"))
		fail_msg("%s \"%s\" should be %s", row->cells[0], row->cells[1], row->cells[2]);
}

static void judges_names_as_kubernetes_does(void **state)
{
	(void)state;
	table_check("names.tsv", 500, check_row);
}

// As apimachinery's IsValidPathSegmentName has it; an empty one would be the collection's path.
static void a_path_takes_one_segment(void **state)
{
	static const char *const bad[] = {"", ".", "..", "a/b", "../x", "/", "a%2fb"};
	static const char *const good[] = {"gpu-1", "a.b", "...", "A b", "\303\251"};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		assert_false(kube_name_check_path(bad[i], &err));
		assert_int_equal(err.kind, ERR_USAGE);
		err_clear(&err);
	}
	for (size_t i = 0; i < COUNT_OF(good); i++)
		assert_true(kube_name_check_path(good[i], &err));
}

// [-._A-Za-z][-._A-Za-z0-9]* alone, before 1.32.
static void old_servers_take_fewer_variables(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	bool is_old_style = false;

	(void)state;
	assert_true(kube_name_check_env("FOO", &is_old_style, &err));
	assert_true(is_old_style);
	assert_true(kube_name_check_env("1FOO", &is_old_style, &err));
	assert_false(is_old_style);
	assert_true(kube_name_check_env("A*B", &is_old_style, &err));
	assert_false(is_old_style);
}

static void expect_name(const char *name, const char *suggestion)
{
	_cleanup_err_ struct err err = ERR_INIT;
	char hint[128];

	if (!suggestion) {
		if (!kube_name_check(name, &err))
			fail_msg("%s", err_message(&err));
		return;
	}
	if (kube_name_check(name, &err))
		fail_msg("\"%s\" was taken", name);
	assert_int_equal(err.kind, ERR_USAGE);
	snprintf(hint, sizeof(hint), "\"%s\"?", suggestion);
	assert_string_equal(err.hint, hint);
	err_clear(&err);
	assert_true(kube_name_check(suggestion, &err));
}

#define FIFTY "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwx"

static void paddlecloud_203_names_with_a_suggestion(void **state)
{
	(void)state;
	expect_name("cnn", NULL);
	expect_name("a", NULL);
	expect_name("a-1", NULL);
	expect_name(FIFTY "yz", NULL);
	expect_name("fit_a_line", "fit-a-line");
	expect_name("KS Test", "ks-test");
	expect_name("1gan", "gan");
	expect_name("a.b", "a-b");
	expect_name("-x", "x");
	expect_name("x-", "x");
	expect_name("\xC3\xA9", "job");
	expect_name("", "job");
	expect_name("__", "job");
	expect_name("2024", "job");
	expect_name("caf\xC3\xA9"
	            "2",
	            "caf-2");
	expect_name(FIFTY "y-z", FIFTY "y");
	expect_name(FIFTY "yz1", FIFTY "yz");
}

static void k8s_50850_long_names_say_how_long(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_false(kube_name_check(FIFTY "aaaaaaaaaaaaaa", &err));
	assert_string_equal(err_message(&err),
	                    "name \"" FIFTY "aaaaaaaaaaaaaa\" has 64 bytes, 52 are allowed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_names_as_kubernetes_does),
		cmocka_unit_test(a_path_takes_one_segment),
		cmocka_unit_test(old_servers_take_fewer_variables),
		cmocka_unit_test(paddlecloud_203_names_with_a_suggestion),
		cmocka_unit_test(k8s_50850_long_names_say_how_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
