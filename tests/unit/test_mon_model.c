// SPDX-License-Identifier: MIT
#include "mon/model.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "unit.h"

#define NOW INT64_C(1796095800000)
#define GIB (1024.0 * 1024 * 1024)

static struct mon_snapshot *begin(void)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct mon_snapshot *s = mon_snapshot_new(&err);

	assert_non_null(s);
	s->interval_ms = 5000;
	return s;
}

static void finish(struct mon_snapshot *s, struct mon_history *history, int64_t now_ms)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(mon_snapshot_finish(s, history, &mon_thresholds_default, now_ms, &err));
}

static struct mon_history *remember(void)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct mon_history *history = mon_history_new(&err);

	assert_non_null(history);
	return history;
}

static int64_t add_node(struct mon_snapshot *s, const char *name, int64_t gpus, int64_t now_ms)
{
	int64_t index;
	struct mon_node *node = mon_snapshot_node(s, name, &index);

	node->is_in_api = true;
	node->ready = MON_YES;
	node->gpu_heard_ms = now_ms;
	node->cpu_capacity_milli = 64000;
	node->memory_capacity_bytes = 503 * INT64_C(1024) * 1024 * 1024;
	mon_snapshot_add_resource(s, index, "nvidia.com/gpu", gpus);
	return index;
}

static int64_t add_gpu(struct mon_snapshot *s, int64_t node, const char *uuid, int64_t number,
                       double util, int64_t at_ms)
{
	int64_t index;
	struct mon_gpu *gpu = mon_snapshot_gpu(s, node, uuid, number, MON_WHOLE_GPU, &index);

	mon_value_set(&gpu->values[MON_GPU_UTIL_PCT], util, at_ms, MON_SOURCE_SSH);
	mon_value_set(&gpu->values[MON_GPU_VRAM_USED_BYTES], 40 * GIB, at_ms, MON_SOURCE_SSH);
	mon_value_set(&gpu->values[MON_GPU_VRAM_TOTAL_BYTES], 80 * GIB, at_ms, MON_SOURCE_SSH);
	return index;
}

static struct mon_pod *add_pod(struct mon_snapshot *s, const char *name, const char *node,
                               int64_t gpus)
{
	struct mon_pod *pod = mon_snapshot_add_pod(s, "ml", name);

	pod->node_name = mon_snapshot_text(s, node);
	pod->phase = MON_POD_RUNNING;
	pod->gpus = gpus;
	pod->gpu_resource = "nvidia.com/gpu";
	return pod;
}

static void own(struct mon_snapshot *s, int64_t gpu, const char *pod)
{
	mon_snapshot_add_owner(s,
	                       &(struct mon_owner){.gpu = (size_t)gpu, .namespace = "ml", .pod = pod});
}

static const struct mon_gpu *gpu_of(const struct mon_snapshot *s, const char *uuid)
{
	for (size_t i = 0; i < s->gpu_count; i++)
		if (strcmp(s->gpus[i].uuid, uuid) == 0 && s->gpus[i].instance == MON_WHOLE_GPU)
			return &s->gpus[i];
	fail_msg("no GPU %s", uuid);
	return NULL;
}

static void test_sorted_as_people_count(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t ten = add_node(s, "gpu-10", 1, NOW), two = add_node(s, "gpu-2", 1, NOW);

	(void)state;
	add_gpu(s, ten, "GPU-ten", 0, 50, NOW);
	add_gpu(s, two, "GPU-two", 0, 50, NOW);
	finish(s, NULL, NOW);
	assert_string_equal(s->nodes[0].name, "gpu-2");
	assert_string_equal(s->nodes[1].name, "gpu-10");
	assert_string_equal(s->gpus[s->nodes[1].gpu_first].uuid, "GPU-ten");
	assert_int_equal(s->nodes[1].gpus_allocatable, 1);
}

// Two sources speak of one GPU: the later number wins, and n/a never hides a number.
static void test_two_sources_one_gpu(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t node = add_node(s, "gpu-a", 1, NOW);
	struct mon_gpu *gpu;

	(void)state;
	add_gpu(s, node, "GPU-1", 0, 97, NOW);
	gpu = mon_snapshot_gpu(s, node, "GPU-1", 0, MON_WHOLE_GPU, NULL);
	mon_value_set(&gpu->values[MON_GPU_UTIL_PCT], 12, NOW - 20000, MON_SOURCE_EXPORTER);
	mon_value_set_na(&gpu->values[MON_GPU_VRAM_USED_BYTES], NOW, MON_SOURCE_EXPORTER);
	finish(s, NULL, NOW);
	assert_int_equal(s->gpu_count, 1);
	assert_float_equal(s->gpus[0].values[MON_GPU_UTIL_PCT].number, 97, 0);
	assert_int_equal(s->gpus[0].values[MON_GPU_VRAM_USED_BYTES].state, MON_NUMBER);
}

static void test_old_values_are_stale(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t node = add_node(s, "gpu-a", 2, NOW);

	(void)state;
	add_gpu(s, node, "GPU-old", 0, 97, NOW - 15001);
	add_gpu(s, node, "GPU-new", 1, 31, NOW - 15000);
	finish(s, NULL, NOW);
	assert_int_equal(gpu_of(s, "GPU-old")->values[MON_GPU_UTIL_PCT].state, MON_STALE);
	assert_float_equal(gpu_of(s, "GPU-old")->values[MON_GPU_UTIL_PCT].number, 97, 0);
	assert_float_equal(s->nodes[0].gpu_util_pct.number, 31, 0); // of the one that is known
	assert_int_equal(s->totals.gpu_util_pct.known, 1);
	assert_int_equal(s->totals.gpu_util_pct.count, 2);
	assert_int_equal(s->totals.gpus_silent, 1);
}

// D23, kube-capacity#69: a pod that is over holds nothing.
static void test_kube_capacity_69_finished_pods(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();

	(void)state;
	add_node(s, "gpu-a", 8, NOW);
	add_pod(s, "over", "gpu-a", 8)->phase = MON_POD_SUCCEEDED;
	add_pod(s, "failed", "gpu-a", 8)->phase = MON_POD_FAILED;
	add_pod(s, "waiting", "", 8)->phase = MON_POD_PENDING;
	add_pod(s, "runs", "gpu-a", 1);
	finish(s, NULL, NOW);
	assert_int_equal(s->nodes[0].gpus_allocated, 1);
	assert_int_equal(s->totals.gpus_allocated, 1);
	assert_int_equal(s->resources[0].allocated, 1);
	assert_int_equal(s->queue_count, 1);
}

// D9, DCGM#199: a sentinel is no use.
static void test_dcgm_199_wild_utilisation(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	_cleanup_mon_history_ struct mon_history *history = remember();
	int64_t node = add_node(s, "gpu-a", 1, NOW);

	(void)state;
	add_gpu(s, node, "GPU-6e", 0, 4294967295.0, NOW);
	finish(s, history, NOW);
	assert_int_equal(s->gpus[0].values[MON_GPU_UTIL_PCT].state, MON_NA);
	assert_int_equal(mon_ring_get(s->gpus[0].util_ring, NOW, 0), MON_RING_GAP);
	assert_int_equal(s->totals.gpus_silent, 1);
}

// D15, dcgm-exporter#151: one GPU, two pods.
static void test_dcgm_exporter_151_shared_gpu(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t node = add_node(s, "gpu-a", 4, NOW);
	int64_t gpu = add_gpu(s, node, "GPU-1", 0, 50, NOW);

	(void)state;
	assert_int_equal(add_gpu(s, node, "GPU-1", 0, 50, NOW), gpu);
	own(s, gpu, "a");
	own(s, gpu, "b");
	own(s, gpu, "a");
	add_pod(s, "a", "gpu-a", 1);
	add_pod(s, "b", "gpu-a", 1);
	finish(s, NULL, NOW);
	assert_int_equal(s->gpu_count, 1);
	assert_int_equal(s->gpus[0].owner_count, 2);
	assert_float_equal(s->totals.vram_bytes.sum, 40 * GIB, 0);
	assert_int_equal(s->pods[0].gpu_util_pct.state, MON_NONE); // nobody's alone
}

// D15: pod="" is "owner unknown", not "free", when requests say otherwise.
static void test_allocation_without_owner(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t all = add_node(s, "all", 2, NOW), some = add_node(s, "some", 2, NOW);
	int64_t none = add_node(s, "none", 1, NOW), alone = add_node(s, "alone", 1, NOW);

	(void)state;
	add_gpu(s, all, "all-0", 0, 50, NOW);
	add_gpu(s, all, "all-1", 1, 50, NOW);
	add_gpu(s, some, "some-0", 0, 50, NOW);
	add_gpu(s, some, "some-1", 1, 50, NOW);
	add_gpu(s, none, "none-0", 0, 0, NOW);
	add_gpu(s, alone, "alone-0", 0, 0, NOW);
	add_pod(s, "p", "all", 1);
	add_pod(s, "q", "all", 1);
	add_pod(s, "r", "some", 1);
	add_pod(s, "t", "alone", 1);
	finish(s, NULL, NOW);
	assert_int_equal(gpu_of(s, "all-0")->allocated, MON_YES);
	assert_int_equal(gpu_of(s, "all-0")->owner_count, 0); // p's or q's
	assert_int_equal(gpu_of(s, "some-0")->allocated, MON_UNKNOWN);
	assert_int_equal(gpu_of(s, "none-0")->allocated, MON_NO);
	assert_int_equal(gpu_of(s, "alone-0")->owner_count, 1); // nobody else can have it
	assert_string_equal(s->owners[gpu_of(s, "alone-0")->owner_first].pod, "t");
	assert_int_equal(s->owners[gpu_of(s, "alone-0")->owner_first].how, MON_OWNER_REQUEST);
}

// D3, nvidia_gpu_exporter#203: a MIG device has no use of its own, and is never idle.
static void test_nvidia_gpu_exporter_203_mig(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	_cleanup_mon_history_ struct mon_history *history = remember();
	int64_t node = add_node(s, "gpu-a", 2, NOW), mig;
	struct mon_gpu *gpu = mon_snapshot_gpu(s, node, "GPU-3b", 1, MON_WHOLE_GPU, &mig);

	(void)state;
	mon_value_set_na(&gpu->values[MON_GPU_UTIL_PCT], NOW, MON_SOURCE_SSH);
	mon_value_set(&gpu->values[MON_GPU_VRAM_USED_BYTES], 11125 * 1048576.0, NOW, MON_SOURCE_SSH);
	mon_value_set(&gpu->values[MON_GPU_VRAM_TOTAL_BYTES], 81559 * 1048576.0, NOW, MON_SOURCE_SSH);
	gpu = mon_snapshot_gpu(s, node, "GPU-3b", 1, 3, NULL);
	mon_value_set(&gpu->values[MON_GPU_UTIL_PCT], 83, NOW, MON_SOURCE_EXPORTER);
	add_gpu(s, node, "GPU-0", 0, 21, NOW);
	finish(s, history, NOW);
	assert_int_equal(gpu_of(s, "GPU-3b")->kind, MON_GPU_MIG_PARENT);
	assert_int_equal(s->gpus[2].kind, MON_GPU_MIG_INSTANCE);
	assert_float_equal(s->gpus[2].values[MON_GPU_UTIL_PCT].number, 83, 0);
	assert_float_equal(s->nodes[0].gpu_util_pct.number, 21, 0); // not in the mean
	assert_int_equal(s->totals.gpu_util_pct.count, 1);
	assert_int_equal(s->totals.gpus, 2);
	assert_int_equal(s->totals.gpus_busy, 2);
	assert_int_equal(s->totals.gpus_idle, 0);
	assert_float_equal(s->totals.vram_bytes.sum, (11125 + 40 * 1024) * 1048576.0, 1);
}

// D25, arena#397: no GPU, no memory: nothing is divided by nothing.
static void test_arena_397_nothing_to_divide(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t node = add_node(s, "gpu-a", 0, NOW);
	struct mon_gpu *gpu = mon_snapshot_gpu(s, node, "GPU-1", 0, MON_WHOLE_GPU, NULL);

	(void)state;
	s->nodes[0].cpu_capacity_milli = 0;
	mon_value_set(&gpu->values[MON_GPU_VRAM_USED_BYTES], 0, NOW, MON_SOURCE_SSH);
	mon_value_set(&gpu->values[MON_GPU_VRAM_TOTAL_BYTES], 0, NOW, MON_SOURCE_SSH);
	mon_value_set(&gpu->values[MON_GPU_POWER_W], NAN, NOW, MON_SOURCE_SSH);
	finish(s, NULL, NOW);
	assert_int_equal(s->totals.vram_bytes.known, 0);
	assert_int_equal(s->totals.vram_bytes.count, 1);
	assert_int_equal(s->nodes[0].vram_used_bytes.state, MON_NONE);
	assert_int_equal(s->gpus[0].values[MON_GPU_POWER_W].state, MON_NA);
}

// D26, k9s#3466: resources by their own names.
static void test_k9s_3466_resource_names(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t node;

	(void)state;
	mon_snapshot_node(s, "gpu-a", &node);
	mon_snapshot_add_resource(s, node, "nvidia.com/mig-1g.10gb", 7);
	mon_snapshot_add_resource(s, node, "nvidia.com/gpu.shared", 8);
	add_pod(s, "p", "gpu-a", 2)->gpu_resource = "nvidia.com/mig-1g.10gb";
	finish(s, NULL, NOW);
	assert_int_equal(s->nodes[0].resource_count, 2);
	assert_string_equal(s->resources[0].name, "nvidia.com/gpu.shared");
	assert_int_equal(s->resources[0].allocated, 0);
	assert_int_equal(s->resources[1].allocated, 2);
	assert_int_equal(s->nodes[0].gpus_allocatable, 15);
}

// D19: one of three nodes is silent; the sum says so.
static void test_one_of_three_nodes_is_silent(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	static const char *const names[] = {"a", "b", "c"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		add_node(s, names[i], 0, 0);
		if (i < 2)
			mon_value_set(&s->nodes[i].values[MON_NODE_CPU_MILLI], 32000, NOW, MON_SOURCE_API);
	}
	finish(s, NULL, NOW);
	assert_int_equal(s->totals.cpu_milli.known, 2);
	assert_int_equal(s->totals.cpu_milli.count, 3);
	assert_float_equal(s->totals.cpu_milli.of, 128000, 0);
	assert_int_equal(s->totals.nodes_up, 2);
	assert_int_equal(s->totals.nodes_no_data, 1);
}

// D34, kubernetes#6159: a clock that runs ahead gives no negative age.
static void test_kubernetes_6159_time_ahead(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	int64_t node = add_node(s, "gpu-a", 1, NOW);

	(void)state;
	add_gpu(s, node, "GPU-1", 0, 50, NOW + 42000);
	finish(s, NULL, NOW);
	assert_int_equal(s->gpus[0].values[MON_GPU_UTIL_PCT].at_ms, NOW);
	assert_int_equal(s->nodes[0].heard_ms, NOW);
}

// One look at a GPU that is allocated to a pod, NUMBER looks after the first.
static struct mon_snapshot *look(struct mon_history *history, int64_t now_ms, double util,
                                 double xid, bool has_gpu)
{
	struct mon_snapshot *s = begin();
	int64_t node = add_node(s, "gpu-a", 2, now_ms), gpu;

	add_gpu(s, node, "GPU-0", 0, 90, now_ms);
	if (has_gpu) {
		gpu = add_gpu(s, node, "GPU-1", 1, util, now_ms);
		mon_value_set(&s->gpus[gpu].values[MON_GPU_XID], xid, now_ms, MON_SOURCE_EXPORTER);
		own(s, gpu, "p");
	}
	add_pod(s, "p", "gpu-a", 1)->started_ms = NOW - 1000;
	finish(s, history, now_ms);
	return s;
}

static void test_idle_after_ten_minutes(void **state)
{
	_cleanup_mon_history_ struct mon_history *history = remember();
	int64_t now_ms = NOW;

	(void)state;
	for (; now_ms < NOW + 600 * 1000; now_ms += 5000) {
		_cleanup_mon_snapshot_ struct mon_snapshot *s = look(history, now_ms, 1, 0, true);

		assert_int_equal(mon_gpu_idle_s(s, gpu_of(s, "GPU-1")), 0);
		assert_int_equal(s->totals.gpus_quiet, 1);
	}
	{
		_cleanup_mon_snapshot_ struct mon_snapshot *s = look(history, now_ms, 4.9, 0, true);

		assert_int_equal(mon_gpu_idle_s(s, gpu_of(s, "GPU-1")), 600);
		assert_int_equal(s->totals.gpus_idle, 1);
		assert_int_equal(s->totals.gpus_busy, 1);
		assert_int_equal(s->alerts.of_kind[MON_ALERT_IDLE], 1);
		assert_string_equal(s->alerts.items[0].text, "ml/p 1 GPU idle 10m on gpu-a");
	}
	{
		_cleanup_mon_snapshot_ struct mon_snapshot *s = look(history, now_ms + 5000, 5, 0, true);

		assert_int_equal(gpu_of(s, "GPU-1")->quiet_since_ms, 0);
		assert_int_equal(s->alerts.count, 0);
	}
}

// A silence proves nothing: the minutes start again behind it.
static void test_idle_starts_again_after_silence(void **state)
{
	_cleanup_mon_history_ struct mon_history *history = remember();
	_cleanup_mon_snapshot_ struct mon_snapshot *first = look(history, NOW, 0, 0, true);
	_cleanup_mon_snapshot_ struct mon_snapshot *later =
		look(history, NOW + 3600 * 1000, 0, 0, true);

	(void)state;
	assert_int_equal(gpu_of(first, "GPU-1")->quiet_since_ms, NOW);
	assert_int_equal(gpu_of(later, "GPU-1")->quiet_since_ms, NOW + 3600 * 1000);
}

// D12, dcgm-exporter#500: one event when the code changes; "may be old" where it was there at the start.
static void test_dcgm_exporter_500_sticky_xid(void **state)
{
	_cleanup_mon_history_ struct mon_history *history = remember();
	_cleanup_mon_history_ struct mon_history *restarted = remember();
	_cleanup_mon_snapshot_ struct mon_snapshot *none = look(history, NOW, 50, 0, true);
	_cleanup_mon_snapshot_ struct mon_snapshot *one = look(history, NOW + 5000, 50, 31, true);
	_cleanup_mon_snapshot_ struct mon_snapshot *two = look(history, NOW + 10000, 50, 31, true);
	_cleanup_mon_snapshot_ struct mon_snapshot *old = look(restarted, NOW + 15000, 50, 31, true);

	(void)state;
	assert_int_equal(none->alerts.of_kind[MON_ALERT_XID], 0);
	assert_int_equal(gpu_of(one, "GPU-1")->xid_first_ms, NOW + 5000);
	assert_int_equal(gpu_of(two, "GPU-1")->xid_first_ms, NOW + 5000);
	assert_false(gpu_of(two, "GPU-1")->is_xid_old);
	assert_true(gpu_of(old, "GPU-1")->is_xid_old);
	assert_int_equal(two->alerts.of_kind[MON_ALERT_XID], 1);
	assert_string_equal(two->alerts.items[0].text, "gpu-a#1 XID 31");
}

// D4, dcgm-exporter#604: a GPU that vanishes is LOST until it is dismissed or comes back.
static void test_dcgm_exporter_604_lost_gpu(void **state)
{
	_cleanup_mon_history_ struct mon_history *history = remember();
	_cleanup_mon_snapshot_ struct mon_snapshot *there = look(history, NOW, 50, 0, true);
	_cleanup_mon_snapshot_ struct mon_snapshot *gone = look(history, NOW + 5000, 50, 0, false);
	_cleanup_mon_snapshot_ struct mon_snapshot *still = look(history, NOW + 10000, 50, 0, false);

	(void)state;
	assert_int_equal(there->totals.gpus_lost, 0);
	assert_true(gpu_of(gone, "GPU-1")->is_lost);
	assert_int_equal(gpu_of(still, "GPU-1")->lost_since_ms, NOW + 5000);
	assert_int_equal(still->totals.gpus_lost, 1);
	assert_int_equal(still->alerts.count, 1);
	assert_int_equal(still->alerts.items[0].kind, MON_ALERT_GPU_LOST);
	assert_float_equal(gpu_of(still, "GPU-0")->values[MON_GPU_UTIL_PCT].number, 90, 0);
	mon_history_dismiss_lost(history);
	{
		_cleanup_mon_snapshot_ struct mon_snapshot *s = look(history, NOW + 15000, 50, 0, false);
		_cleanup_mon_snapshot_ struct mon_snapshot *back = look(history, NOW + 20000, 50, 0, true);

		assert_int_equal(s->gpu_count, 1);
		assert_int_equal(back->totals.gpus_lost, 0);
	}
}

// metrics.k8s.io gives one sample three times: it is one in the graph, over its window of 15 s.
static void test_ring_is_keyed_on_the_sample(void **state)
{
	struct mon_ring ring = {.last_slot = 0};

	(void)state;
	mon_ring_add(&ring, NOW, 15000, 40);
	mon_ring_add(&ring, NOW, 15000, 40);
	mon_ring_add(&ring, NOW + 15000, 15000, 60);
	assert_int_equal(mon_ring_get(&ring, NOW + 15000, 0), 60);
	assert_int_equal(mon_ring_get(&ring, NOW + 15000, 2), 60);
	assert_int_equal(mon_ring_get(&ring, NOW + 15000, 3), 40);
	assert_int_equal(mon_ring_get(&ring, NOW + 15000, 5), 40);
	assert_int_equal(mon_ring_get(&ring, NOW + 15000, 6), MON_RING_GAP);
	assert_int_equal(mon_ring_get(&ring, NOW + 20000, 0), MON_RING_GAP); // not yet
	mon_ring_add(&ring, NOW + 25000, 5000, 70);
	assert_int_equal(mon_ring_get(&ring, NOW + 25000, 1), MON_RING_GAP); // a gap stays one
	mon_ring_add(&ring, NOW + 10000000, 5000, 10);
	assert_int_equal(mon_ring_get(&ring, NOW + 10000000, 1), MON_RING_GAP);
	mon_ring_add(&ring, NOW, 5000, 99); // too old
	assert_int_equal(mon_ring_get(&ring, NOW + 10000000, 0), 10);
}

// Nobody has listed the jobs: their pods tell.
static void test_jobs_from_their_pods(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();
	struct mon_pod *pod;

	(void)state;
	add_node(s, "gpu-a", 8, NOW);
	mon_snapshot_add_job(s, "ml", "listed")->state = JOBS_SUSPENDED;
	add_pod(s, "l-0", "gpu-a", 1)->job_name = "listed";
	add_pod(s, "r-0", "gpu-a", 2)->job_name = "runs";
	pod = add_pod(s, "r-1", "", 2);
	pod->phase = MON_POD_PENDING;
	pod->reason = "no room";
	pod->job_name = "runs";
	pod = add_pod(s, "w-0", "", 4);
	pod->phase = MON_POD_PENDING;
	pod->reason = "no room";
	pod->job_name = "waits";
	pod->created_ms = NOW - 60000;
	pod = add_pod(s, "w-1", "gpu-a", 4);
	pod->phase = MON_POD_FAILED;
	pod->ended_ms = NOW;
	pod->job_name = "waits";
	add_pod(s, "alone", "gpu-a", 0);
	mon_snapshot_infer_jobs(s);
	finish(s, NULL, NOW);
	assert_int_equal(s->job_count, 3);
	assert_string_equal(s->jobs[0].name, "listed");
	assert_int_equal(s->jobs[0].state, JOBS_SUSPENDED);
	assert_int_equal(s->jobs[1].state, JOBS_RUNNING);
	assert_int_equal(s->jobs[1].gpus, 4);
	assert_int_equal(s->jobs[1].gpus_running, 2);
	assert_string_equal(s->jobs[1].why, "");
	assert_int_equal(s->jobs[2].state, JOBS_PENDING);
	assert_string_equal(s->jobs[2].why, "no room");
	assert_int_equal(s->jobs[2].gpus, 4);
	assert_int_equal(s->jobs[2].ended_ms, 0);
	assert_int_equal(s->queue_count, 1);
	assert_int_equal(s->queue[0].since_ms, NOW - 60000);
}

static void test_outside_text_is_harmless(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = begin();

	(void)state;
	mon_snapshot_node(s, "evil\033[2Jnode", NULL);
	mon_snapshot_node(s, "evil\033[2Jnode", NULL);
	assert_int_equal(s->node_count, 1);
	assert_string_equal(s->nodes[0].name, "evil^[[2Jnode");
}

static size_t allowed;

static bool fail_after(size_t size)
{
	(void)size;
	return allowed-- == 0;
}

static void test_any_allocation_may_fail(void **state)
{
	bool is_done = false;

	(void)state;
	for (size_t i = 0; !is_done; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_mon_history_ struct mon_history *history = NULL;
		_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;
		int64_t node;

		allowed = i;
		mem_set_failure_hook(fail_after);
		history = mon_history_new(&err);
		s = history ? mon_snapshot_new(&err) : NULL;
		if (s) {
			node = add_node(s, "gpu-a", 2, NOW);
			own(s, add_gpu(s, node, "GPU-0", 0, 1, NOW), "p");
			add_gpu(s, node, "GPU-1", 1, 1, NOW);
			add_pod(s, "p", "gpu-a", 2)->job_name = "j";
			mon_snapshot_add_job(s, "ml", "j")->state = JOBS_RUNNING;
			mon_snapshot_add_job(s, "ml", "k")->state = JOBS_PENDING;
			mon_snapshot_add_note(s, "metrics.k8s.io: 404", NOW);
			is_done = mon_snapshot_finish(s, history, &mon_thresholds_default, NOW, &err);
		}
		mem_set_failure_hook(NULL);
		if (!is_done)
			assert_int_equal(err.kind, ERR_MEMORY);
		assert_true(i < 10000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sorted_as_people_count),
		cmocka_unit_test(test_two_sources_one_gpu),
		cmocka_unit_test(test_old_values_are_stale),
		cmocka_unit_test(test_kube_capacity_69_finished_pods),
		cmocka_unit_test(test_dcgm_199_wild_utilisation),
		cmocka_unit_test(test_dcgm_exporter_151_shared_gpu),
		cmocka_unit_test(test_allocation_without_owner),
		cmocka_unit_test(test_nvidia_gpu_exporter_203_mig),
		cmocka_unit_test(test_arena_397_nothing_to_divide),
		cmocka_unit_test(test_k9s_3466_resource_names),
		cmocka_unit_test(test_one_of_three_nodes_is_silent),
		cmocka_unit_test(test_kubernetes_6159_time_ahead),
		cmocka_unit_test(test_idle_after_ten_minutes),
		cmocka_unit_test(test_idle_starts_again_after_silence),
		cmocka_unit_test(test_dcgm_exporter_500_sticky_xid),
		cmocka_unit_test(test_dcgm_exporter_604_lost_gpu),
		cmocka_unit_test(test_ring_is_keyed_on_the_sample),
		cmocka_unit_test(test_jobs_from_their_pods),
		cmocka_unit_test(test_outside_text_is_harmless),
		cmocka_unit_test(test_any_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
