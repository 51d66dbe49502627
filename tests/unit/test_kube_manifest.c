// SPDX-License-Identifier: MIT
#include "kube/manifest.h"

#include <string.h>

#include "unit.h"

#define JOB "apiVersion: batch/v1\nkind: Job\n"

// Reads TEXT; the faults, a line each, must be EXPECTED.
static void read_text(struct kube_manifests *manifests, const char *text, const char *expected)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(kube_manifests_add(manifests, "f", text, strlen(text), &faults, &err));
	kube_manifests_check_twice(manifests, &faults);
	assert_int_equal(faults_none(&faults, &err), !expected);
	if (expected)
		assert_string_equal(err_message(&err), expected);
}

static void check_faults(const char *text, const char *expected)
{
	_cleanup_kube_manifests_ struct kube_manifests manifests = KUBE_MANIFESTS_INIT;

	read_text(&manifests, text, expected);
}

static void takes_documents_and_lists(void **state)
{
	_cleanup_kube_manifests_ struct kube_manifests manifests = KUBE_MANIFESTS_INIT;
	_cleanup_strbuf_ struct strbuf place = STRBUF_INIT(4096);

	(void)state;
	read_text(&manifests,
	          "---\n" JOB "metadata: {name: a, namespace: ml}\n---\n"
	          "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"
	          "  {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"b\"}},\n"
	          "  {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"generateName\": "
	          "\"c-\"}}]}\n",
	          NULL);
	assert_int_equal(manifests.count, 3);
	assert_string_equal(manifests.items[0].namespace, "ml");
	assert_string_equal(manifests.items[1].name, "b");
	assert_true(manifests.items[2].is_prefix);
	kube_manifest_write_place(&manifests.items[1], NULL, &place);
	assert_string_equal(strbuf_get(&place), "f:7:3");
}

static void takes_json_that_no_yaml_reader_takes(void **state)
{
	_cleanup_kube_manifests_ struct kube_manifests manifests = KUBE_MANIFESTS_INIT;

	(void)state;
	read_text(
		&manifests,
		"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"annotations\":"
		"{\"face\":\"\\ud83d\\ude00\"}}}",
		NULL);
	assert_int_equal(manifests.count, 1);
}

static void refuses_what_is_no_object(void **state)
{
	(void)state;
	check_faults("", "f: no object is in it");
	check_faults("# nothing\n---\n---\n", "f: no object is in it");
	check_faults("- 1\n", "f:1:1: not an object of Kubernetes: no map");
	check_faults("kind: Job\n", "f:1:1: not an object of Kubernetes: no apiVersion or no kind");
	check_faults("apiVersion: 1\nkind: Job\n", "f:1:13: apiVersion is not a string");
	check_faults(JOB, "f:1:1: Job without metadata.name");
	check_faults(JOB "metadata: [a]\n", "f:3:11: metadata is not a map");
	check_faults(JOB "metadata: {name: 7}\n",
	             "f:3:18: metadata.name is not a string\nf:1:1: Job without metadata.name");
	check_faults(JOB "metadata: {name: \"\"}\n", "f:1:1: Job without metadata.name");
	check_faults(JOB "\tmetadata: {}\n", "f:3:1: a tab cannot stand here: indent with blanks");
}

static void tells_all_faults_at_once(void **state)
{
	(void)state;
	check_faults(JOB "metadata: {name: a}\n---\n" JOB "metadata: {name: a}\n---\nkind: Pod\n",
	             "f:9:1: not an object of Kubernetes: no apiVersion or no kind\n"
	             "f:5:1: Job \"a\" is in f:1:1 too");
}

// k/k#50850: a name that the pods' labels do not take.
static void k8s_50850_long_names(void **state)
{
	static const char name64[] = "a123456789b123456789c123456789d123456789e123456789f123456789g123";
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096), expected = STRBUF_INIT(4096);

	(void)state;
	strbuf_addf(&text, JOB "metadata: {name: %s}\n", name64);
	strbuf_addf(&expected, "f:3:18: name \"%s\" has 64 bytes, 63 are allowed", name64);
	check_faults(strbuf_get(&text), strbuf_get(&expected));
	strbuf_clear(&text);
	strbuf_addf(&text, JOB "metadata: {name: %.63s}\n", name64);
	check_faults(strbuf_get(&text), NULL);
}

static void check_built(const char *text, const struct kube_manifest_changes *changes,
                        const char *expected)
{
	_cleanup_kube_manifests_ struct kube_manifests manifests = KUBE_MANIFESTS_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;

	read_text(&manifests, text, NULL);
	tree = kube_manifest_build(&manifests.items[0], changes, &err);
	assert_non_null(tree);
	json_write(&out, tree);
	assert_string_equal(strbuf_get(&out), expected);
}

static void changes_who_it_is_and_nothing_else(void **state)
{
	const struct kube_manifest_changes mark = {
		.name = "a", .request_id = "id", .user = "ann", .namespace = "ml"};
	const struct kube_manifest_changes none = {.name = "a-x"};

	(void)state;
	check_built(JOB "metadata: {generateName: a-, namespace: x, labels: {l: v}, finalizers: [f]}\n"
	                "spec: {suspend: true, backoffLimit: 6}\n",
	            &mark,
	            "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"a\","
	            "\"namespace\":\"ml\",\"labels\":{\"l\":\"v\",\"vpsml.dev/user\":\"ann\"},"
	            "\"annotations\":{\"vpsml.dev/request-id\":\"id\"},\"finalizers\":[\"f\"]},"
	            "\"spec\":{\"suspend\":true,\"backoffLimit\":6}}");
	check_built(JOB "metadata: {name: a, labels: {vpsml.dev/user: bob}, annotations: "
	                "{vpsml.dev/request-id: old, b: c}}\n",
	            &mark,
	            "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"a\","
	            "\"namespace\":\"ml\",\"labels\":{\"vpsml.dev/user\":\"bob\"},"
	            "\"annotations\":{\"b\":\"c\",\"vpsml.dev/request-id\":\"id\"}}}");
	check_built(JOB "metadata: {name: a, labels: null, annotations: [1]}\n", &none,
	            "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"a-x\","
	            "\"annotations\":[1]}}");
}

// Everything with FAIL_AT allocations; true if none of them was the one that fails.
static bool goes_through(size_t fail_at)
{
	static const char text[] = JOB "metadata: {name: a, labels: {l: v}}\n---\n{\"a\": 1}\n";
	const struct kube_manifest_changes changes = {.name = "a", .request_id = "id", .user = "u"};
	_cleanup_kube_manifests_ struct kube_manifests manifests = KUBE_MANIFESTS_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;
	bool is_ok;

	unit_fail_allocation(fail_at);
	is_ok = kube_manifests_add(&manifests, "f", text, strlen(text), &faults, &err);
	if (is_ok && manifests.count)
		tree = kube_manifest_build(&manifests.items[0], &changes, &err);
	is_ok = !*unit_countdown();
	unit_fail_allocation(0);
	return !is_ok;
}

static void survives_any_allocation(void **state)
{
	size_t fail_at = 1;

	(void)state;
	while (!goes_through(fail_at))
		fail_at++;
	assert_true(fail_at > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_documents_and_lists),
		cmocka_unit_test(takes_json_that_no_yaml_reader_takes),
		cmocka_unit_test(refuses_what_is_no_object),
		cmocka_unit_test(tells_all_faults_at_once),
		cmocka_unit_test(k8s_50850_long_names),
		cmocka_unit_test(changes_who_it_is_and_nothing_else),
		cmocka_unit_test(survives_any_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
