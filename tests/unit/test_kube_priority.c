// SPDX-License-Identifier: MIT
#include "kube/priority.h"

#include <string.h>

#include "unit.h"

static void expect_built(const struct kube_priority *priority, const char *json)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = kube_priority_build(priority, &err);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);

	assert_non_null(tree);
	assert_true(kube_priority_check(priority, &err));
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
}

static void builds_classes(void **state)
{
	const struct kube_priority plain = {"nightly", -10, false, NULL};

	(void)state;
	expect_built(&plain, "{\"apiVersion\":\"scheduling.k8s.io/v1\",\"kind\":\"PriorityClass\","
	                     "\"metadata\":{\"name\":\"nightly\"},\"value\":-10,"
	                     "\"preemptionPolicy\":\"Never\"}");
	expect_built(&kube_priority_defaults[3],
	             "{\"apiVersion\":\"scheduling.k8s.io/v1\",\"kind\":\"PriorityClass\","
	             "\"metadata\":{\"name\":\"vpsml-urgent\"},\"value\":1000000,"
	             "\"preemptionPolicy\":\"PreemptLowerPriority\","
	             "\"description\":\"goes first and evicts jobs of lower priority\"}");
}

// design.md §4: only the most urgent class evicts, and none is the global default.
static void ours_rise_and_only_the_last_preempts(void **state)
{
	static const int64_t values[] = {1000, 10000, 100000, 1000000};

	(void)state;
	assert_int_equal(kube_priority_default_count, COUNT_OF(values));
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		assert_int_equal(kube_priority_defaults[i].value, values[i]);
		assert_int_equal(kube_priority_defaults[i].preempts, i == 3);
	}
}

static void refuses_names_of_the_system(void **state)
{
	const struct kube_priority bad[] = {
		{"system-mine", 1, false, NULL}, {"Mine", 1, false, NULL}, {"", 1, false, NULL}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		_cleanup_err_ struct err err = ERR_INIT;

		assert_false(kube_priority_check(&bad[i], &err));
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_classes),
		cmocka_unit_test(ours_rise_and_only_the_last_preempts),
		cmocka_unit_test(refuses_names_of_the_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
