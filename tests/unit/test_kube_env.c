// SPDX-License-Identifier: MIT
#include "kube/env.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static char *look_up(const char *name)
{
	static char value[] = "from outside";

	return !strcmp(name, "SET_HERE") ? value : NULL;
}

static void expect(const struct kube_env *env, size_t index, const char *name, const char *value)
{
	assert_true(index < env->count);
	assert_string_equal(env->items[index].name, name);
	assert_string_equal(env->items[index].value, value);
}

static void refuse(const char *text, const char *message, const char *hint)
{
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(kube_env_parse(&env, text, look_up, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
	if (hint)
		assert_string_equal(err.hint, hint);
	assert_int_equal(env.count, 0);
	kube_env_release(&env);
}

static void arena_677_keeps_the_whole_value(void **state)
{
	static const char *const texts[] = {
		"PW=abc,def", "J={\"key\": \"value\"}", "A=b=c", "B= x ", "C=a\\n\n\t", "E="};
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_true(kube_env_parse(&env, texts[i], look_up, &err));
	expect(&env, 0, "PW", "abc,def");
	expect(&env, 1, "J", "{\"key\": \"value\"}");
	expect(&env, 2, "A", "b=c");
	expect(&env, 3, "B", " x ");
	expect(&env, 4, "C", "a\\n\n\t");
	expect(&env, 5, "E", "");
	kube_env_release(&env);
}

static void arena_transform_slice_a_name_alone_is_looked_up(void **state)
{
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_env_parse(&env, "SET_HERE", look_up, &err));
	expect(&env, 0, "SET_HERE", "from outside");
	refuse("FOO", "\"FOO\" is not set in the environment", "FOO=VALUE?");
	refuse("=x", "a variable has no name", NULL);
	refuse("", "a variable has no name", NULL);
	refuse("\xC3\xA9=x", "\"\xC3\xA9\" is not the name of a variable", NULL);
	kube_env_release(&env);
}

static void reads_secrets(void **state)
{
	static const char *const bad[] = {"A", "A=b", "=b:c", "A=:c", "A=b:", ":", "", "A:b=c"};
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_env_parse_secret(&env, "A=b:c.d", &err));
	assert_string_equal(env.items[0].name, "A");
	assert_null(env.items[0].value);
	assert_string_equal(env.items[0].secret, "b");
	assert_string_equal(env.items[0].secret_key, "c.d");
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		assert_false(kube_env_parse_secret(&env, bad[i], &err));
		assert_int_equal(err.kind, ERR_USAGE);
		err_clear(&err);
	}
	assert_int_equal(env.count, 1);
	kube_env_release(&env);
}

static void reads_files_as_docker_does(void **state)
{
	static const char text[] = "\xEF\xBB\xBF# comment\n\n  \nA=1\r\n  B= two words \nSET_HERE\n"
							   "C=\"quoted\"\n\t# indented\nD=a#b\nE=";
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_env_parse_file(&env, text, strlen(text), look_up, &err));
	assert_int_equal(env.count, 6);
	expect(&env, 0, "A", "1");
	expect(&env, 1, "B", " two words ");
	expect(&env, 2, "SET_HERE", "from outside");
	expect(&env, 3, "C", "\"quoted\"");
	expect(&env, 4, "D", "a#b");
	expect(&env, 5, "E", "");
	kube_env_release(&env);
}

static void refuse_file(const char *text, size_t len, const char *message)
{
	struct kube_env env = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	assert_false(kube_env_parse_file(&env, text, len, look_up, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err_message(&err), message);
	kube_env_release(&env);
}

static void names_the_line_of_a_file(void **state)
{
	(void)state;
	refuse_file("A=1\nB\n", 6, "line 2: \"B\" is not set in the environment");
	refuse_file("A=1\n\n=x", 7, "line 3: a variable has no name");
	refuse_file("A=1\nB=\0", 7, "line 2: not UTF-8 text");
	refuse_file("A=\xFF", 3, "line 1: not UTF-8 text");
	refuse_file("export A=1", 10, "line 1: blank in the name \"export A\"");
	refuse_file("A =1", 4, "line 1: blank in the name \"A \"");
	refuse_file("A B", 3, "line 1: blank in the name \"A B\"");
}

static struct json *put(const struct kube_env *env, const struct kube_env *override)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	json_build_open_array(&b, NULL);
	kube_env_put(env, override, &b);
	json_build_close(&b);
	return json_build_take(&b, &err);
}

static void expect_written(const struct kube_env *env, const struct kube_env *override,
                           const char *json)
{
	_cleanup_json_ struct json *tree = put(env, override);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);

	assert_non_null(tree);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
}

static void writes_each_name_once(void **state)
{
	struct kube_env env = {NULL, 0}, override = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_env_add(&env, "A", "1", &err) && kube_env_add(&env, "B", "$(A)", &err) &&
	            kube_env_add(&env, "A", "2", &err) && kube_env_parse_secret(&env, "C=s:k", &err) &&
	            kube_env_add(&override, "C", "", &err));
	expect_written(
		&env, NULL,
		"[{\"name\":\"B\",\"value\":\"$$(A)\"},{\"name\":\"A\",\"value\":\"2\"},"
		"{\"name\":\"C\",\"valueFrom\":{\"secretKeyRef\":{\"name\":\"s\",\"key\":\"k\"}}}]");
	expect_written(&env, &override,
	               "[{\"name\":\"B\",\"value\":\"$$(A)\"},{\"name\":\"A\",\"value\":\"2\"}]");
	expect_written(&override, NULL, "[{\"name\":\"C\",\"value\":\"\"}]");
	assert_true(kube_env_has(&env, "C"));
	assert_false(kube_env_has(&env, "c"));
	kube_env_release(&env);
	kube_env_release(&override);
}

static void expect_fault(const struct strv *list, size_t index, const char *text)
{
	assert_true(index < list->count);
	assert_string_equal(list->items[index], text);
}

static void finds_every_fault(void **state)
{
	struct kube_env env = {NULL, 0};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_env_add(&env, "A", "1", &err) && kube_env_add(&env, "1B", "", &err) &&
	            kube_env_add(&env, "A", "2", &err) &&
	            kube_env_parse_secret(&env, "D=Bad_Name:k", &err) &&
	            kube_env_parse_secret(&env, "E=good:bad key", &err));
	kube_env_check(&env, "--env", &faults);
	assert_int_equal(faults.errors.count, 2);
	assert_non_null(strstr(faults.errors.items[0], "--secret: \"Bad_Name\" is not a name"));
	assert_non_null(strstr(faults.errors.items[1], "--secret: \"bad key\" is not a Secret's key"));
	assert_int_equal(faults.warnings.count, 2);
	expect_fault(&faults.warnings, 0,
	             "--env: \"1B\" is a variable's name only since Kubernetes 1.32");
	expect_fault(&faults.warnings, 1, "--env: \"A\" is given twice, the last one counts");
	kube_env_release(&env);
}

static void warns_of_quotes_in_files(void **state)
{
	static const char text[] = "A=\"x\"\nB='y'\nC=\"\nD=\"a'\nE=a\"b\"\n";
	struct kube_env env = {NULL, 0};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_env_parse_file(&env, text, strlen(text), look_up, &err));
	kube_env_check_file(&env, &faults);
	assert_int_equal(faults.errors.count, 0);
	assert_int_equal(faults.warnings.count, 2);
	expect_fault(&faults.warnings, 0,
	             "--env-file: the quotes around the value of \"A\" belong to it");
	kube_env_release(&env);
}

// execve takes 131072 bytes, "NAME=VALUE" and its NUL.
static void k8s_83955_values_as_long_as_execve_takes(void **state)
{
	static char value[128 * 1024];
	struct kube_env env = {NULL, 0};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	memset(value, 'v', 128 * 1024 - 3);
	assert_true(kube_env_add(&env, "A", value, &err));
	kube_env_check(&env, "--env", &faults);
	assert_int_equal(faults.errors.count, 0);
	assert_true(kube_env_add(&env, "AB", value, &err));
	kube_env_check(&env, "--env", &faults);
	assert_int_equal(faults.errors.count, 1);
	expect_fault(&faults.errors, 0,
	             "--env: \"AB\" has 131072 bytes with its name, 131071 are allowed in a container");
	kube_env_release(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_677_keeps_the_whole_value),
		cmocka_unit_test(arena_transform_slice_a_name_alone_is_looked_up),
		cmocka_unit_test(reads_secrets),
		cmocka_unit_test(reads_files_as_docker_does),
		cmocka_unit_test(names_the_line_of_a_file),
		cmocka_unit_test(writes_each_name_once),
		cmocka_unit_test(finds_every_fault),
		cmocka_unit_test(warns_of_quotes_in_files),
		cmocka_unit_test(k8s_83955_values_as_long_as_execve_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
