// SPDX-License-Identifier: MIT
#include "kube/resources.h"

#include <string.h>

#include "unit.h"

static struct kube_quantity quantity(const char *text)
{
	struct kube_quantity value;
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(kube_quantity_parse(text, &value, &err));
	return value;
}

static void expect_built(const struct kube_resources *resources, const char *json)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);

	json_build_open_object(&b, NULL);
	kube_resources_put(resources, &b);
	json_build_close(&b);
	tree = json_build_take(&b, &err);
	assert_non_null(tree);
	json_write(&text, tree);
	assert_string_equal(strbuf_get(&text), json);
}

static void memory_is_request_and_limit(void **state)
{
	struct kube_resources resources = {.memory = quantity("4Gi"), .cpu = quantity("2")};

	(void)state;
	expect_built(&resources, "{\"resources\":{\"requests\":{\"cpu\":\"2\",\"memory\":\"4Gi\"},"
	                         "\"limits\":{\"memory\":\"4Gi\"}}}");
	resources.memory_limit = quantity("8Gi");
	resources.cpu_limit = quantity("2500m");
	expect_built(&resources, "{\"resources\":{\"requests\":{\"cpu\":\"2\",\"memory\":\"4Gi\"},"
	                         "\"limits\":{\"cpu\":\"2500m\",\"memory\":\"8Gi\"}}}");
}

static void gpus_stand_in_the_limits_alone(void **state)
{
	struct kube_resources resources = {.gpus = 2};

	(void)state;
	expect_built(&resources, "{\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"2\"}}}");
	resources.gpu_resource = (char[]){"amd.com/gpu"};
	resources.memory_limit = quantity("1Gi");
	expect_built(&resources,
	             "{\"resources\":{\"limits\":{\"memory\":\"1Gi\",\"amd.com/gpu\":\"2\"}}}");
}

static void nothing_asked_is_nothing_written(void **state)
{
	struct kube_resources resources = {.gpus = 0};

	(void)state;
	expect_built(&resources, "{}");
}

static void pytorch_16979_gpu_pods_get_shared_memory(void **state)
{
	struct kube_resources resources = {.gpus = 1};
	struct kube_quantity shm = kube_resources_shm(&resources);

	(void)state;
	assert_true(shm.is_set);
	assert_true(shm.units == INT64_C(1) << 30);
	resources.memory = quantity("4Gi");
	assert_true(kube_resources_shm(&resources).units == INT64_C(2) << 30);
	resources.memory_limit = quantity("10Gi");
	assert_true(kube_resources_shm(&resources).units == INT64_C(5) << 30);
	resources.shm = quantity("64Mi");
	assert_true(kube_resources_shm(&resources).units == 64 << 20);
	resources.shm.is_set = false;
	resources.has_no_shm = true;
	assert_false(kube_resources_shm(&resources).is_set);
	resources = (struct kube_resources){.memory = quantity("4Gi")};
	assert_false(kube_resources_shm(&resources).is_set);
}

static void expect_fault(const struct kube_resources *resources, const char *text)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	kube_resources_check(resources, &faults);
	if (!text) {
		assert_int_equal(faults.errors.count, 0);
		return;
	}
	assert_int_equal(faults.errors.count, 1);
	assert_string_equal(faults.errors.items[0], text);
}

static void terraform_pr_783_limits_below_requests(void **state)
{
	struct kube_resources resources = {.memory = quantity("256Mi"),
	                                   .memory_limit = quantity("256M")};

	(void)state;
	expect_fault(&resources, "--memory-limit: 256M is below the request --memory 256Mi");
	resources.memory_limit = quantity("268435456");
	expect_fault(&resources, NULL);
	resources.cpu = quantity("1500m");
	resources.cpu_limit = quantity("1");
	expect_fault(&resources, "--cpu-limit: 1 is below the request --cpu 1500m");
}

static void shared_memory_counts_as_memory(void **state)
{
	struct kube_resources resources = {.memory = quantity("1Gi"), .shm = quantity("1025Mi")};

	(void)state;
	expect_fault(&resources,
	             "--shm: shared memory counts as memory of the container, which may have only 1Gi");
	resources.shm = quantity("1Gi");
	expect_fault(&resources, NULL);
	resources.shm = quantity("1025Mi");
	resources.memory_limit = quantity("2Gi");
	expect_fault(&resources, NULL);
}

static void takes_devices_alone_as_gpus(void **state)
{
	static const char *const good[] = {"nvidia.com/gpu", "amd.com/gpu", "nvidia.com/mig-1g.5gb",
	                                   "gpu.intel.com/i915"};
	static const char *const bad[] = {
		"gpu", "cpu", "memory", "", "kubernetes.io/gpu", "requests.nvidia.com/gpu",
		"x/",  "/x",  "a b/c"};
	struct kube_resources resources = {.gpus = 1, .cpu = quantity("1")};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		resources.gpu_resource = mem_dup(good[i]);
		expect_fault(&resources, NULL);
		mem_free(resources.gpu_resource);
	}
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		_cleanup_faults_ struct faults faults = FAULTS_INIT;

		resources.gpu_resource = mem_dup(bad[i]);
		kube_resources_check(&resources, &faults);
		mem_free(resources.gpu_resource);
		assert_int_equal(faults.errors.count, 1);
		assert_true(faults_has(&faults, "--gpu-resource"));
	}
}

static void warns_where_nothing_is_asked_for(void **state)
{
	struct kube_resources resources = {.gpus = 1};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	(void)state;
	kube_resources_check(&resources, &faults);
	assert_int_equal(faults.warnings.count, 1);
	resources.memory_limit = quantity("1Gi");
	kube_resources_check(&resources, &faults);
	assert_int_equal(faults.warnings.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_request_and_limit),
		cmocka_unit_test(gpus_stand_in_the_limits_alone),
		cmocka_unit_test(nothing_asked_is_nothing_written),
		cmocka_unit_test(pytorch_16979_gpu_pods_get_shared_memory),
		cmocka_unit_test(terraform_pr_783_limits_below_requests),
		cmocka_unit_test(shared_memory_counts_as_memory),
		cmocka_unit_test(takes_devices_alone_as_gpus),
		cmocka_unit_test(warns_where_nothing_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
