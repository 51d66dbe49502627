// SPDX-License-Identifier: MIT
#include "jobs/fit.h"

#include "kube/workload.h"
#include "unit.h"

#define GI (INT64_C(1) << 30)

static const struct kube_node_info nodes[] = {
	{.name = (char *)"cpu-1", .allocatable = {.cpu_milli = 16000, .memory_bytes = 64 * GI}},
	{.name = (char *)"gpu-1",
     .is_gpu_node = true,
     .gpu_resource = (char *)"nvidia.com/gpu",
     .allocatable = {.cpu_milli = 7910, .memory_bytes = 30 * GI + GI / 2, .gpus = 4}},
};

static struct kube_quantity gi(int64_t count)
{
	return (struct kube_quantity){true, count * GI, 0, KUBE_QUANTITY_BINARY};
}

static struct kube_quantity cpus(int64_t count)
{
	return (struct kube_quantity){true, count, 0, KUBE_QUANTITY_DECIMAL};
}

static void check(const struct kube_resources *resources, bool is_cpu_only, const char *expected)
{
	struct kube_workload workload;
	struct kube_objects objects;
	struct jobs_needs needs;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	struct jobs_fit fit;

	kube_workload_init(&workload);
	workload.pod.resources = *resources;
	workload.name = (char *)"x";
	workload.pod.image = (char *)"i";
	assert_true(kube_workload_build(&workload, &objects, &err));
	assert_true(jobs_needs_read(&needs, objects.items[0], "default", &err));
	needs.is_cpu_only = is_cpu_only;
	jobs_fit_init(&fit, &needs);
	for (size_t i = 0; i < COUNT_OF(nodes); i++)
		jobs_fit_add(&fit, &nodes[i]);
	assert_int_equal(jobs_fit_explain(&fit, &out), !expected);
	assert_string_equal(strbuf_get(&out), expected ? expected : "");
	jobs_needs_release(&needs);
	kube_objects_release(&objects);
}

static void what_fits(void **state)
{
	(void)state;
	check(&(struct kube_resources){.gpus = 4, .cpu = cpus(7), .memory = gi(30)}, false, NULL);
	check(&(struct kube_resources){.cpu = cpus(16), .memory = gi(64)}, true, NULL);
	check(&(struct kube_resources){.gpus = 0}, false, NULL);
}

static void what_fits_nowhere_says_what_is_short(void **state)
{
	(void)state;
	check(&(struct kube_resources){.gpus = 8}, false,
	      "no node has 8 nvidia.com/gpu: the largest has 4");
	check(&(struct kube_resources){.gpus = 1, .gpu_resource = (char *)"amd.com/gpu"}, false,
	      "no node has 1 amd.com/gpu: none has any");
	check(&(struct kube_resources){.memory = gi(65)}, false,
	      "no node has 65Gi of memory to give: the largest has 64Gi");
	check(&(struct kube_resources){.cpu = cpus(17)}, false,
	      "no node has 17 CPUs to give: the largest has 16");
	check(&(struct kube_resources){.gpus = 1, .memory = gi(31)}, false,
	      "no single node has all that is asked for together");
}

static void no_nodes_no_verdict(void **state)
{
	const struct jobs_needs needs = {.pod = {.gpus = 8}, .gpu_resource = "nvidia.com/gpu"};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	struct jobs_fit fit;

	(void)state;
	jobs_fit_init(&fit, &needs);
	assert_true(jobs_fit_explain(&fit, &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits),
		cmocka_unit_test(what_fits_nowhere_says_what_is_short),
		cmocka_unit_test(no_nodes_no_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
