// SPDX-License-Identifier: MIT
#include "kube/hpa.h"

#include <string.h>

#include "unit.h"

static void check_target(const char *text, const char *kind, const char *name)
{
	struct kube_hpa hpa = {.name = NULL};
	_cleanup_err_ struct err err = ERR_INIT;

	if (kube_hpa_parse_target(&hpa, text, &err) != (kind != NULL))
		fail_msg("\"%s\": %s", text, kind ? err_message(&err) : "taken");
	if (kind) {
		assert_string_equal(hpa.target_kind, kind);
		assert_string_equal(hpa.target_name, name);
	} else {
		assert_int_equal(err.kind, ERR_USAGE);
	}
	kube_hpa_release(&hpa);
}

static void takes_kubectls_words(void **state)
{
	static const char *const bad[] = {
		"",           "web",     "deploy",    "deploy/",           "/web", "deploy/Web", "po/a",
		"deploy/a/b", ".apps/a", "deployx/a", "deployment.batch/a"};

	(void)state;
	check_target("deploy/web", "Deployment", "web");
	check_target("deployment/web", "Deployment", "web");
	check_target("deployments/web.a", "Deployment", "web.a");
	check_target("deployment.apps/web", "Deployment", "web");
	check_target("Deployment/web", "Deployment", "web");
	check_target("sts/a", "StatefulSet", "a");
	check_target("statefulset.apps/a", "StatefulSet", "a");
	check_target("rs/a", "ReplicaSet", "a");
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		check_target(bad[i], NULL, NULL);
}

static void website_41394_a_job_has_no_scale(void **state)
{
	static const char *const jobs[] = {"job/x", "jobs/x", "Job/x", "job.batch/x"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(jobs); i++) {
		struct kube_hpa hpa = {.name = NULL};
		_cleanup_err_ struct err err = ERR_INIT;

		assert_false(kube_hpa_parse_target(&hpa, jobs[i], &err));
		assert_string_equal(err_message(&err),
		                    "a Job has no scale, so no autoscaler can change it");
		assert_string_equal(err.hint, "autoscale a Deployment: deploy/NAME");
	}
}

static void reads_ranges(void **state)
{
	static const char *const bad[] = {"",      "5",   "-5",   "0-5",          "5-1", "1-",
	                                  "1-5-9", "a-b", "1..5", "1-2147483648", " 1-5"};
	struct kube_hpa hpa = {.name = NULL};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_hpa_parse_range(&hpa, "1-5", &err));
	assert_int_equal(hpa.min_replicas, 1);
	assert_int_equal(hpa.max_replicas, 5);
	assert_true(kube_hpa_parse_range(&hpa, "3-3", &err));
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		if (kube_hpa_parse_range(&hpa, bad[i], &err))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(err.kind, ERR_USAGE);
	}
	assert_int_equal(hpa.max_replicas, 3);
}

static void reads_targets(void **state)
{
	struct kube_hpa_target target;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_true(kube_hpa_parse_cpu("50%", &target, &err));
	assert_int_equal(target.utilization_pct, 50);
	assert_true(kube_hpa_parse_cpu("500m", &target, &err));
	assert_int_equal(target.utilization_pct, 0);
	assert_int_equal(kube_quantity_milli(&target.average), 500);
	assert_true(kube_hpa_parse_memory("200Mi", &target, &err));
	assert_int_equal(target.average.units, 200 << 20);
	assert_false(kube_hpa_parse_cpu("50", &target, &err));
	assert_string_equal(err.hint, "50% of the request, or an amount like 500m?");
	assert_false(kube_hpa_parse_memory("80", &target, &err));
	assert_string_equal(err.hint, "80% of the request, or an amount like 200Mi?");
}

static void refuses_targets_that_are_none(void **state)
{
	static const char *const bad[] = {"",     "%", "0%", "-5%", "10001%", "5.5%", "50 %",
	                                  "50%%", "0", "0m", "-5",  "x",      "8GB",  "0.5%"};
	struct kube_hpa_target target = {.is_set = false};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		_cleanup_err_ struct err err = ERR_INIT;

		if (kube_hpa_parse_cpu(bad[i], &target, &err) ||
		    kube_hpa_parse_memory(bad[i], &target, &err))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(err.kind, ERR_USAGE);
	}
	assert_false(target.is_set);
}

static struct kube_hpa example(void)
{
	struct kube_hpa hpa = {.max_replicas = 5};
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(kube_hpa_parse_target(&hpa, "deploy/web", &err));
	assert_true(kube_hpa_parse_cpu("50%", &hpa.cpu, &err));
	return hpa;
}

static void expect_built(struct kube_hpa *hpa, const char *json)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_json_ struct json *tree = kube_hpa_build(hpa, &err);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(8192);

	assert_non_null(tree);
	kube_hpa_check(hpa, &faults);
	assert_int_equal(faults.errors.count, 0);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
	kube_hpa_release(hpa);
}

#define TARGET \
	"\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"web\"}"
#define CPU_HALF                                                          \
	"\"metrics\":[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\"," \
	"\"target\":{\"type\":\"Utilization\",\"averageUtilization\":50}}}"

static void coredns_helm_101_each_version_has_its_shape(void **state)
{
	struct kube_hpa hpa = example();

	(void)state;
	expect_built(&hpa, "{\"apiVersion\":\"autoscaling/v2\",\"kind\":\"HorizontalPodAutoscaler\","
	                   "\"metadata\":{\"name\":\"web\"},\"spec\":{" TARGET
	                   ",\"minReplicas\":1,\"maxReplicas\":5," CPU_HALF "]}}");
	hpa = example();
	hpa.version = KUBE_HPA_V2BETA2;
	expect_built(&hpa,
	             "{\"apiVersion\":\"autoscaling/v2beta2\",\"kind\":\"HorizontalPodAutoscaler\","
	             "\"metadata\":{\"name\":\"web\"},\"spec\":{" TARGET
	             ",\"minReplicas\":1,\"maxReplicas\":5," CPU_HALF "]}}");
	hpa = example();
	hpa.version = KUBE_HPA_V1;
	expect_built(&hpa,
	             "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"HorizontalPodAutoscaler\","
	             "\"metadata\":{\"name\":\"web\"},\"spec\":{" TARGET
	             ",\"minReplicas\":1,\"maxReplicas\":5,\"targetCPUUtilizationPercentage\":50}}");
}

static void writes_amounts(void **state)
{
	struct kube_hpa hpa = example();
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	hpa.min_replicas = 2;
	hpa.name = mem_dup("own");
	hpa.namespace = mem_dup("team");
	assert_true(kube_hpa_parse_memory("1.5Gi", &hpa.memory, &err));
	expect_built(&hpa, "{\"apiVersion\":\"autoscaling/v2\",\"kind\":\"HorizontalPodAutoscaler\","
	                   "\"metadata\":{\"name\":\"own\",\"namespace\":\"team\"},\"spec\":{" TARGET
	                   ",\"minReplicas\":2,\"maxReplicas\":5," CPU_HALF
	                   ",{\"type\":\"Resource\",\"resource\":{\"name\":\"memory\",\"target\":"
	                   "{\"type\":\"AverageValue\",\"averageValue\":\"1536Mi\"}}}]}}");
}

static void expect_fault(const struct kube_hpa *hpa, const char *text)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	kube_hpa_check(hpa, &faults);
	assert_int_equal(faults.errors.count, 1);
	assert_string_equal(faults.errors.items[0], text);
}

static void finds_every_fault(void **state)
{
	struct kube_hpa hpa = example();
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	hpa.min_replicas = 6;
	expect_fault(&hpa, "--min: 6 is above --max 5");
	hpa.max_replicas = 0;
	expect_fault(&hpa, "no maximum of replicas: --max N");
	hpa.max_replicas = 6;
	hpa.cpu.is_set = false;
	expect_fault(&hpa, "nothing to scale by: --cpu-target 50% or --memory-target 200Mi");
	assert_true(kube_hpa_parse_memory("80%", &hpa.memory, &err));
	hpa.version = KUBE_HPA_V1;
	expect_fault(&hpa, "--memory-target: autoscaling/v1 knows CPU only");
	hpa.memory.is_set = false;
	assert_true(kube_hpa_parse_cpu("500m", &hpa.cpu, &err));
	expect_fault(&hpa, "--cpu-target: autoscaling/v1 knows shares of the request only, as 50%");
	kube_hpa_release(&hpa);
}

static void what_was_refused_is_not_missing(void **state)
{
	struct kube_hpa hpa = {.min_replicas = 3};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	(void)state;
	faults_add(&faults, "--max: \"x\" is not a whole number");
	faults_add(&faults, "--cpu-target: \"50\" has no unit");
	kube_hpa_check(&hpa, &faults);
	assert_int_equal(faults.errors.count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_kubectls_words),
		cmocka_unit_test(website_41394_a_job_has_no_scale),
		cmocka_unit_test(reads_ranges),
		cmocka_unit_test(reads_targets),
		cmocka_unit_test(refuses_targets_that_are_none),
		cmocka_unit_test(coredns_helm_101_each_version_has_its_shape),
		cmocka_unit_test(writes_amounts),
		cmocka_unit_test(finds_every_fault),
		cmocka_unit_test(what_was_refused_is_not_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
