// SPDX-License-Identifier: MIT
#include "boot/node_change.h"

#include <string.h>

#include "unit.h"

static const struct boot_pair labels[] = {{(char *)"gpu", (char *)"true"}};

// PATCH NULL: nothing is lacking.
static void check(const char *node, const char *effect, const char *patch, const char *words)
{
	struct boot_node_wants wants = {labels, 1, effect ? "nvidia.com/gpu" : NULL, effect};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse(node, strlen(node), &err), *made = NULL;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096), said = STRBUF_INIT(4096);

	assert_true(boot_node_change(tree, &wants, &made, &said, &err));
	assert_int_equal(made != NULL, patch != NULL);
	if (made)
		json_write(&text, made);
	assert_string_equal(strbuf_get(&text), patch ? patch : "");
	assert_string_equal(strbuf_get(&said), words);
}

static void what_is_lacking(void **state)
{
	(void)state;
	check("{\"metadata\":{\"resourceVersion\":\"7\"}}", NULL,
	      "{\"metadata\":{\"resourceVersion\":\"7\",\"labels\":{\"gpu\":\"true\"}}}",
	      "label gpu=true");
	check("{\"metadata\":{\"resourceVersion\":\"7\",\"labels\":{\"gpu\":\"true\"}}}", NULL, NULL,
	      "");
	check("{\"metadata\":{\"resourceVersion\":\"7\",\"labels\":{\"gpu\":\"false\"}}}", NULL,
	      "{\"metadata\":{\"resourceVersion\":\"7\",\"labels\":{\"gpu\":\"true\"}}}",
	      "label gpu=true");
}

#define LABELLED "\"metadata\":{\"resourceVersion\":\"7\",\"labels\":{\"gpu\":\"true\"}}"
#define OURS "{\"key\":\"nvidia.com/gpu\",\"value\":\"true\",\"effect\":\"NoSchedule\"}"
#define OTHERS \
	"{\"key\":\"storage\",\"effect\":\"NoSchedule\",\"timeAdded\":\"2026-12-01T00:00:00Z\"}"

static void other_taints_stay(void **state)
{
	(void)state;
	check("{" LABELLED ",\"spec\":{\"taints\":[" OTHERS "]}}", "NoSchedule",
	      "{\"metadata\":{\"resourceVersion\":\"7\"},\"spec\":{\"taints\":[" OTHERS "," OURS "]}}",
	      "taint nvidia.com/gpu:NoSchedule");
	check("{" LABELLED ",\"spec\":{\"taints\":[" OURS "," OTHERS "]}}", "NoSchedule", NULL, "");
}

// The same taint with another effect goes; NoExecute is somebody else's decision.
static void one_effect(void **state)
{
	(void)state;
	check("{" LABELLED ",\"spec\":{\"taints\":[{\"key\":\"nvidia.com/gpu\",\"effect\":"
	      "\"PreferNoSchedule\"}]}}",
	      "NoSchedule",
	      "{\"metadata\":{\"resourceVersion\":\"7\"},\"spec\":{\"taints\":[" OURS "]}}",
	      "taint nvidia.com/gpu:NoSchedule");
	check("{" LABELLED
	      ",\"spec\":{\"taints\":[{\"key\":\"nvidia.com/gpu\",\"effect\":\"NoExecute\"}," OURS
	      "]}}",
	      "NoSchedule", NULL, "");
	check("{" LABELLED ",\"spec\":{\"taints\":[" OURS "]}}", NULL, NULL, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_lacking),
		cmocka_unit_test(other_taints_stay),
		cmocka_unit_test(one_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
