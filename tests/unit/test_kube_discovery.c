// SPDX-License-Identifier: MIT
#include "kube/discovery.h"

#include <string.h>

#include "unit.h"

static const char *parse(const char *text, const char *const *versions)
{
	_cleanup_err_ struct err err = ERR_INIT;
	const char *version = "untouched";

	if (!kube_discovery_parse(text, strlen(text), versions, &version, &err))
		return "error";
	return version ? version : "none";
}

static void best_version_wins_whatever_the_server_prefers(void **state)
{
	(void)state;
	assert_string_equal(parse("{\"versions\":[{\"version\":\"v1\"},{\"version\":\"v2\"}],"
	                          "\"preferredVersion\":{\"version\":\"v1\"}}",
	                          kube_autoscaling_versions),
	                    "v2");
	assert_string_equal(parse("{\"versions\":[{\"version\":\"v1\"},{\"version\":\"v2beta2\"}]}",
	                          kube_autoscaling_versions),
	                    "v2beta2");
	assert_string_equal(parse("{\"versions\":[{\"version\":\"v1beta1\"}]}", kube_metrics_versions),
	                    "v1beta1");
}

static void unknown_versions_are_none(void **state)
{
	(void)state;
	assert_string_equal(parse("{\"versions\":[{\"version\":\"v3\"},{},7]}", kube_metrics_versions),
	                    "none");
	assert_string_equal(parse("{\"versions\":[]}", kube_metrics_versions), "none");
	assert_string_equal(parse("{}", kube_metrics_versions), "error");
	assert_string_equal(parse("<html>", kube_metrics_versions), "error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_version_wins_whatever_the_server_prefers),
		cmocka_unit_test(unknown_versions_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
