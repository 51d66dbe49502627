// SPDX-License-Identifier: MIT
#include "kube/ready.h"

#include <string.h>

#include "kube/apply.h"
#include "unit.h"

static struct json *parse(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct json *tree = json_parse(text, strlen(text), &err);

	assert_non_null(tree);
	return tree;
}

// WHY NULL: it is ready.
static void check(const char *text, const char *why)
{
	_cleanup_json_ struct json *tree = parse(text);
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1024);

	assert_int_equal(kube_ready_explain(tree, &out), !why);
	assert_string_equal(strbuf_get(&out), why ? why : "");
}

static void daemon_set(void **state)
{
	(void)state;
	check("{\"kind\":\"DaemonSet\",\"metadata\":{\"generation\":2},\"status\":{"
	      "\"observedGeneration\":1,"
	      "\"desiredNumberScheduled\":3,\"updatedNumberScheduled\":3,\"numberAvailable\":3}}",
	      "its controller has not seen it yet");
	check("{\"kind\":\"DaemonSet\",\"metadata\":{\"generation\":2},\"status\":{"
	      "\"observedGeneration\":2,"
	      "\"desiredNumberScheduled\":3,\"updatedNumberScheduled\":3,\"numberAvailable\":2}}",
	      "2 of 3 pods are ready");
	// Pods of the revision before are available, but not what was asked for.
	check("{\"kind\":\"DaemonSet\",\"metadata\":{\"generation\":2},\"status\":{"
	      "\"observedGeneration\":2,"
	      "\"desiredNumberScheduled\":3,\"updatedNumberScheduled\":1,\"numberAvailable\":3}}",
	      "1 of 3 pods are ready");
	check("{\"kind\":\"DaemonSet\",\"metadata\":{\"generation\":2},\"status\":{"
	      "\"observedGeneration\":2,"
	      "\"desiredNumberScheduled\":3,\"updatedNumberScheduled\":3,\"numberAvailable\":3}}",
	      NULL);
	// No node is meant, as before the first GPU node is labelled.
	check("{\"kind\":\"DaemonSet\",\"metadata\":{\"generation\":1},\"status\":{"
	      "\"observedGeneration\":1,"
	      "\"desiredNumberScheduled\":0}}",
	      NULL);
}

static void deployment(void **state)
{
	(void)state;
	check("{\"kind\":\"Deployment\",\"metadata\":{\"generation\":1},\"spec\":{},"
	      "\"status\":{\"observedGeneration\":1}}",
	      "0 of 1 pods are ready");
	check("{\"kind\":\"Deployment\",\"metadata\":{\"generation\":1},\"spec\":{\"replicas\":2},"
	      "\"status\":{\"observedGeneration\":1,\"updatedReplicas\":2,\"availableReplicas\":2}}",
	      NULL);
}

static void condition(void **state)
{
	(void)state;
	check("{\"kind\":\"APIService\",\"status\":{\"conditions\":[{\"type\":\"Available\",\"status\":"
	      "\"False\",\"message\":\"no endpoints\"}]}}",
	      "not Available: no endpoints");
	check("{\"kind\":\"CustomResourceDefinition\"}", "not Established");
	check("{\"kind\":\"Node\",\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]"
	      "}}",
	      NULL);
	check("{\"kind\":\"ConfigMap\"}", NULL);
}

static void same(const char *a, const char *b, bool is_same)
{
	_cleanup_json_ struct json *x = parse(a), *y = parse(b);

	assert_int_equal(kube_apply_is_same(x, y), is_same);
}

static void what_the_server_counts_is_no_change(void **state)
{
	(void)state;
	same("{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\",\"generation\":1},\"spec\":{"
	     "\"x\":[1,"
	     "true,null]},\"status\":{\"n\":1}}",
	     "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"2\",\"managedFields\":[]},\"spec\":{"
	     "\"x\":[1,"
	     "true,null]}}",
	     true);
	same("{\"spec\":{\"x\":1}}", "{\"spec\":{\"x\":2}}", false);
	same("{\"spec\":{\"x\":1}}", "{\"spec\":{\"y\":1}}", false);
	same("{\"spec\":{\"x\":\"1\"}}", "{\"spec\":{\"x\":1}}", false);
	same("{\"spec\":{\"x\":[1]}}", "{\"spec\":{\"x\":[1,2]}}", false);
	same("{\"spec\":{\"x\":true}}", "{\"spec\":{\"x\":false}}", false);
	// Elsewhere these names are the object's own.
	same("{\"spec\":{\"generation\":1}}", "{\"spec\":{\"generation\":2}}", false);
	same("{\"spec\":{\"status\":1}}", "{\"spec\":{\"status\":2}}", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(daemon_set),
		cmocka_unit_test(deployment),
		cmocka_unit_test(condition),
		cmocka_unit_test(what_the_server_counts_is_no_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
