// SPDX-License-Identifier: MIT
#include "mon/store.h"

#include <string.h>

#include "base/mem.h"
#include "unit.h"

#define NOW INT64_C(1796095800000)
#define MIB 1048576.0

static struct mon_store *store;
static struct err failure;

static int set_up(void **state)
{
	(void)state;
	failure = (struct err)ERR_INIT;
	store = mon_store_new(&failure);
	return store ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	mon_store_free(store);
	err_clear(&failure);
	return 0;
}

static void add_node(const char *name, int64_t gpus)
{
	struct kube_node_info node = {.name = mem_dup(name),
	                              .is_ready = true,
	                              .capacity = {.cpu_milli = 8000, .gpus = gpus},
	                              .allocatable = {.cpu_milli = 7900, .gpus = gpus}};

	if (gpus)
		node.gpu_resource = mem_dup("nvidia.com/gpu");
	assert_true(mon_store_put_node(store, &node, &failure));
	assert_null(node.name);
}

static void add_pod(const char *name, const char *node, const char *phase, int64_t gpus)
{
	struct kube_pod_info pod = {.namespace = mem_dup("ml"),
	                            .name = mem_dup(name),
	                            .job = mem_dup("cnn"),
	                            .phase = mem_dup(phase),
	                            .requests = {.cpu_milli = 1000, .gpus = gpus}};

	if (node)
		pod.node = mem_dup(node);
	assert_true(mon_store_put_pod(store, &pod, &failure));
}

// What the exporter on NODE printed.
static void add_page(const char *node, const char *text, int64_t at_ms)
{
	_cleanup_(mon_gpu_page_release) struct mon_gpu_page page = {NULL, 0};
	_cleanup_mon_prom_ struct mon_prom *prom = mon_prom_new(mon_gpu_page_take, &page, &failure);

	assert_true(mon_prom_feed(prom, text, strlen(text), &failure));
	assert_true(mon_prom_finish(prom, &failure));
	assert_true(mon_store_put_gpus(store, node, &page, 0, at_ms, &failure));
}

static struct mon_snapshot *pour(void)
{
	struct mon_snapshot *s = mon_snapshot_new(&failure);

	assert_non_null(s);
	mon_store_pour(store, s);
	assert_true(mon_snapshot_finish(s, NULL, &mon_thresholds_default, NOW, &failure));
	return s;
}

// Ended pods are bound still, and hold nothing.
static void kube_capacity_69(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("b", 0);
	add_node("a", 4);
	add_pod("p", "a", "Running", 2);
	add_pod("q", "a", "Succeeded", 4);
	add_pod("r", NULL, "Pending", 8);
	s = pour();
	assert_int_equal(s->node_count, 2);
	assert_string_equal(s->nodes[0].name, "a");
	assert_int_equal(s->nodes[0].gpus_allocated, 2);
	assert_int_equal(s->nodes[0].cpu_requested_milli, 1000);
	assert_int_equal(s->totals.gpus_allocatable, 4);
	assert_int_equal(s->queue_count, 1);
}

static void what_nobody_says_is_not_zero(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("a", 0);
	add_node("b", 0);
	assert_true(mon_store_put_usage(store, "a", 211, 1 << 30, NOW - 5000, &failure));
	assert_true(mon_store_put_usage(store, "gone", 1, 1, NOW, &failure));
	assert_int_equal(mon_store_silent_count(store), 1);
	s = pour();
	assert_int_equal(s->nodes[0].values[MON_NODE_CPU_MILLI].state, MON_NUMBER);
	assert_int_equal(s->nodes[1].values[MON_NODE_CPU_MILLI].state, MON_NONE);
	assert_int_equal(s->totals.cpu_milli.known, 1);
	assert_int_equal(s->totals.cpu_milli.count, 2);
}

static void what_was_said_grows_old(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("a", 1);
	assert_true(mon_store_put_usage(store, "a", 211, 1 << 30, NOW - 300000, &failure));
	add_page("a", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\"} 97\n", NOW - 300000);
	assert_true(mon_store_fail_gpus(store, "a", "gone", &failure));
	s = pour();
	assert_int_equal(s->nodes[0].values[MON_NODE_CPU_MILLI].state, MON_STALE);
	assert_int_equal(s->gpus[0].values[MON_GPU_UTIL_PCT].state, MON_STALE);
	assert_int_equal((int)s->gpus[0].values[MON_GPU_UTIL_PCT].number, 97);
	assert_string_equal(s->nodes[0].complaint, "gone");
}

// A utilization that cannot be is none, and no bar is cut off at 100 %.
static void dcgm_199(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("a", 1);
	add_page("a", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-6e\"} 4294967295\n", NOW);
	s = pour();
	assert_int_equal(s->gpu_count, 1);
	assert_int_equal(s->gpus[0].values[MON_GPU_UTIL_PCT].state, MON_NA);
}

// An instance's use is its engine's.
static void dcgm_exporter_216(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("a", 1);
	add_page("a",
	         "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",GPU_I_ID=\"3\",GPU_I_PROFILE=\"1g."
	         "10gb\"} 0\n"
	         "DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"0\",UUID=\"GPU-1\",GPU_I_ID=\"3\"} 0.83\n",
	         NOW);
	s = pour();
	assert_int_equal(s->gpu_count, 1);
	assert_int_equal((int)s->gpus[0].values[MON_GPU_UTIL_PCT].number, 83);
	assert_int_equal(s->gpus[0].instance, 3);
	assert_string_equal(s->gpus[0].profile, "1g.10gb");
}

// A GPU that pods share comes once for each: its memory counts once.
static void dcgm_exporter_151(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("a", 2);
	add_pod("p", "a", "Running", 1);
	add_page("a",
	         "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\",namespace=\"ml\",pod=\"p\"} 4000\n"
	         "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\",namespace=\"ml\",pod=\"q\"} 4000\n"
	         "DCGM_FI_DEV_FB_FREE{gpu=\"0\",UUID=\"GPU-1\",pod=\"\",namespace=\"\"} 4000\n"
	         "DCGM_FI_DEV_FB_RESERVED{gpu=\"0\",UUID=\"GPU-1\"} 192\n",
	         NOW);
	s = pour();
	assert_int_equal(s->gpu_count, 1);
	assert_int_equal(s->gpus[0].owner_count, 2);
	assert_string_equal(s->owners[0].pod, "p");
	assert_string_equal(s->pods[s->owners[0].pod_index].job_name, "cnn");
	assert_true(s->gpus[0].values[MON_GPU_VRAM_USED_BYTES].number == 4000 * MIB);
	assert_true(s->gpus[0].values[MON_GPU_VRAM_TOTAL_BYTES].number == 8192 * MIB);
}

static bool visit(void *context, const char *namespace, const char *pod, const char *node,
                  struct err *err)
{
	(void)err;
	strbuf_addf(context, "%s/%s@%s ", namespace, pod, node);
	return true;
}

static void exporters_that_run(void **state)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1024);

	(void)state;
	add_pod("nvidia-dcgm-exporter-x", "a", "Running", 0);
	add_pod("dcgm-exporter-y", "b", "Pending", 0);
	add_pod("dcgm-exporter-z", NULL, "Running", 0);
	add_pod("other", "a", "Running", 0);
	assert_true(mon_store_each_exporter(store, visit, &out, &failure));
	assert_string_equal(strbuf_get(&out), "ml/nvidia-dcgm-exporter-x@a ");
}

static void objects_change_and_go(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;

	(void)state;
	add_node("b", 1);
	add_node("a", 1);
	add_node("b", 2);
	add_node("c", 1);
	mon_store_drop_node(store, "a");
	mon_store_drop_node(store, "nosuch");
	add_pod("p", "b", "Pending", 1);
	add_pod("p", "b", "Running", 1);
	add_pod("q", "b", "Running", 1);
	mon_store_drop_pod(store, "ml", "q");
	s = pour();
	assert_int_equal(s->node_count, 2);
	assert_string_equal(s->nodes[0].name, "b");
	assert_int_equal(s->nodes[0].gpus_allocatable, 2);
	assert_int_equal(s->nodes[0].gpus_allocated, 1);
	assert_int_equal(s->pod_count, 1);
	assert_int_equal(s->pods[0].phase, MON_POD_RUNNING);
	mon_store_clear_pods(store);
	mon_store_clear_nodes(store);
	assert_int_equal(mon_store_node_count(store), 0);
}

static void memory_that_is_short(void **state)
{
	static const char page[] = "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",modelName=\"A100\","
							   "namespace=\"ml\",pod=\"p\","
							   "container=\"c\"} 97\n";
	bool is_done = false;

	(void)state;
	for (size_t nth = 1; !is_done; nth++) {
		_cleanup_(mon_gpu_page_release) struct mon_gpu_page gpus = {NULL, 0};
		_cleanup_err_ struct err err = ERR_INIT;
		struct mon_prom *prom;

		unit_fail_allocation(nth);
		prom = mon_prom_new(mon_gpu_page_take, &gpus, &err);
		is_done = prom && mon_prom_feed(prom, page, strlen(page), &err) &&
		          mon_prom_finish(prom, &err) &&
		          mon_store_put_gpus(store, "a", &gpus, 0, NOW, &err);
		unit_fail_allocation(0);
		assert_int_equal(err.kind, is_done ? ERR_NONE : ERR_MEMORY);
		mon_prom_free(prom);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(kube_capacity_69, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_nobody_says_is_not_zero, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_said_grows_old, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dcgm_199, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dcgm_exporter_216, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dcgm_exporter_151, set_up, tear_down),
		cmocka_unit_test_setup_teardown(exporters_that_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(objects_change_and_go, set_up, tear_down),
		cmocka_unit_test_setup_teardown(memory_that_is_short, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
