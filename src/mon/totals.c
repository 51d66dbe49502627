// SPDX-License-Identifier: MIT
// Sums and means, each over what is known, with the count that it covers.
#include "mon/join.h"

#include "base/mem.h"
#include "mon/model.h"

static bool is_known(const struct mon_gpu *gpu, enum mon_gpu_value which)
{
	return mon_value_is_known(&gpu->values[which]);
}

// The instances of the MIG parent at gpus[0] stand behind it.
static size_t instance_count(const struct mon_gpu *gpus, size_t left)
{
	size_t count = 0;

	while (count + 1 < left && gpus[count + 1].kind == MON_GPU_MIG_INSTANCE &&
	       gpus[count + 1].index == gpus->index)
		count++;
	return count;
}

// The use of a device: its own, or the highest of its instances; -1: not known.
static double device_use(const struct mon_gpu *gpus, size_t left)
{
	double use = mon_value_or(&gpus->values[MON_GPU_UTIL_PCT], -1);

	if (gpus->kind != MON_GPU_MIG_PARENT)
		return use;
	for (size_t i = 1; i <= instance_count(gpus, left); i++) {
		double instance = mon_value_or(&gpus[i].values[MON_GPU_UTIL_PCT], -1);

		if (instance > use)
			use = instance;
	}
	return use;
}

static void count_device(struct mon_snapshot *s, struct mon_node *node, const struct mon_gpu *gpus,
                         size_t left)
{
	struct mon_totals *totals = &s->totals;
	double use = device_use(gpus, left);
	bool is_quiet = use >= 0 && use < s->thresholds.idle_pct;

	totals->gpus++;
	node->gpus_faulty += mon_gpu_is_faulty(s, gpus);
	node->gpus_reporting += use >= 0 && !gpus->is_lost;
	if (gpus->is_lost) {
		totals->gpus_lost++;
		node->gpus_lost++;
	} else if (use >= 0 && !is_quiet) {
		totals->gpus_busy++;
		node->gpus_busy++;
	} else if (mon_gpu_idle_s(s, gpus)) {
		totals->gpus_idle++;
		node->gpus_idle++;
	} else if (gpus->allocated == MON_NO && use >= 0) {
		totals->gpus_free++;
		node->gpus_free++;
	} else if (is_quiet) {
		totals->gpus_quiet++;
	} else {
		totals->gpus_silent++;
	}
}

// Adds VALUE to the sum, or takes it where it is higher.
static void fold(struct mon_value *sum, const struct mon_value *value, bool is_highest)
{
	int64_t at_ms =
		sum->state == MON_NUMBER && sum->at_ms < value->at_ms ? sum->at_ms : value->at_ms;

	if (!mon_value_is_known(value))
		return;
	if (sum->state != MON_NUMBER)
		*sum = *value;
	else if (!is_highest)
		sum->number += value->number;
	else if (value->number > sum->number)
		sum->number = value->number;
	sum->at_ms = at_ms; // as old as the oldest
}

static void add_total(struct mon_total *total, const struct mon_value *value,
                      const struct mon_value *of)
{
	total->count++;
	if (!mon_value_is_known(value) || (of && (!mon_value_is_known(of) || of->number <= 0)))
		return;
	total->known++;
	total->sum += value->number;
	total->of += of ? of->number : 0;
}

static void sum_device(struct mon_snapshot *s, struct mon_node *node, const struct mon_gpu *gpu,
                       size_t *util_count)
{
	const struct mon_value *values = gpu->values;

	if (gpu->is_lost)
		return;
	if (gpu->kind == MON_GPU_DEVICE) {
		fold(&node->gpu_util_pct, &values[MON_GPU_UTIL_PCT], false);
		*util_count += is_known(gpu, MON_GPU_UTIL_PCT);
		add_total(&s->totals.gpu_util_pct, &values[MON_GPU_UTIL_PCT], NULL);
	}
	add_total(&s->totals.vram_bytes, &values[MON_GPU_VRAM_USED_BYTES],
	          &values[MON_GPU_VRAM_TOTAL_BYTES]);
	add_total(&s->totals.power_w, &values[MON_GPU_POWER_W], &values[MON_GPU_POWER_LIMIT_W]);
	if (is_known(gpu, MON_GPU_VRAM_USED_BYTES) &&
	    mon_value_or(&values[MON_GPU_VRAM_TOTAL_BYTES], 0) > 0) {
		fold(&node->vram_used_bytes, &values[MON_GPU_VRAM_USED_BYTES], false);
		fold(&node->vram_total_bytes, &values[MON_GPU_VRAM_TOTAL_BYTES], false);
	}
	fold(&node->temperature_c, &values[MON_GPU_TEMPERATURE_C], true);
	fold(&node->power_w, &values[MON_GPU_POWER_W], false);
}

// A node that had numbers and lost them shows that, not nothing.
static void mark_stale(struct mon_value *sum, const struct mon_value *value)
{
	if (sum->state == MON_NONE && value->state == MON_STALE)
		*sum = *value;
	else if (sum->state == MON_STALE && value->state == MON_STALE && value->at_ms > sum->at_ms)
		sum->at_ms = value->at_ms;
	else if (sum->state == MON_NONE && value->state == MON_NA)
		*sum = *value;
}

static void hear(int64_t *latest_ms, const struct mon_value *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if ((values[i].state == MON_NUMBER || values[i].state == MON_STALE) &&
		    values[i].at_ms > *latest_ms)
			*latest_ms = values[i].at_ms;
}

static void count_gpus(struct mon_snapshot *s, struct mon_node *node)
{
	const struct mon_gpu *gpus = s->gpus ? s->gpus + node->gpu_first : NULL;
	size_t util_count = 0;

	node->heard_ms = node->gpu_heard_ms;
	hear(&node->heard_ms, node->values, MON_NODE_VALUES);
	for (size_t i = 0; i < node->gpu_count; i++) {
		hear(&node->heard_ms, gpus[i].values, MON_GPU_VALUES);
		if (gpus[i].kind == MON_GPU_MIG_INSTANCE)
			continue;
		count_device(s, node, &gpus[i], node->gpu_count - i);
		sum_device(s, node, &gpus[i], &util_count);
	}
	if (util_count)
		node->gpu_util_pct.number /= (double)util_count;
	for (size_t i = 0; i < node->gpu_count; i++) {
		if (gpus[i].kind == MON_GPU_MIG_INSTANCE || gpus[i].is_lost)
			continue;
		mark_stale(&node->gpu_util_pct, &gpus[i].values[MON_GPU_UTIL_PCT]);
		mark_stale(&node->vram_used_bytes, &gpus[i].values[MON_GPU_VRAM_USED_BYTES]);
		mark_stale(&node->temperature_c, &gpus[i].values[MON_GPU_TEMPERATURE_C]);
	}
}

static void count_node(struct mon_snapshot *s, struct mon_node *node)
{
	struct mon_totals *totals = &s->totals;
	const struct mon_value cpu = {(double)node->cpu_capacity_milli, 0,
	                              node->cpu_capacity_milli ? MON_NUMBER : MON_NONE, 0};
	const struct mon_value memory = {(double)node->memory_capacity_bytes, 0,
	                                 node->memory_capacity_bytes ? MON_NUMBER : MON_NONE, 0};

	count_gpus(s, node);
	totals->nodes++;
	totals->nodes_up += mon_node_is_up(s, node);
	totals->nodes_not_ready += node->ready == MON_NO;
	totals->nodes_no_data += s->now_ms - node->heard_ms > s->thresholds.no_data_s * 1000;
	mon_add_capped(&totals->gpus_allocatable, node->gpus_allocatable);
	mon_add_capped(&totals->gpus_allocated, node->gpus_allocated);
	add_total(&totals->cpu_milli, &node->values[MON_NODE_CPU_MILLI], &cpu);
	add_total(&totals->memory_bytes, &node->values[MON_NODE_MEMORY_BYTES], &memory);
}

bool mon_node_is_up(const struct mon_snapshot *s, const struct mon_node *node)
{
	if (node->ready != MON_YES && node->is_in_api)
		return false;
	return node->heard_ms && s->now_ms - node->heard_ms <= s->thresholds.no_data_s * 1000;
}

int64_t mon_gpu_idle_s(const struct mon_snapshot *s, const struct mon_gpu *gpu)
{
	int64_t since_ms = gpu->quiet_since_ms;

	if (gpu->allocated != MON_YES || !since_ms || gpu->is_lost || gpu->kind == MON_GPU_MIG_PARENT ||
	    !is_known(gpu, MON_GPU_UTIL_PCT))
		return 0;
	for (size_t i = 0; i < gpu->owner_count; i++) {
		int64_t pod = s->owners[gpu->owner_first + i].pod_index;

		if (pod != MON_NO_INDEX && s->pods[pod].started_ms > since_ms)
			since_ms = s->pods[pod].started_ms; // nobody wasted it before
	}
	if ((s->now_ms - since_ms) / 1000 < s->thresholds.idle_s)
		return 0;
	return (s->now_ms - since_ms) / 1000;
}

bool mon_gpu_is_faulty(const struct mon_snapshot *s, const struct mon_gpu *gpu)
{
	return gpu->is_lost || *gpu->health || mon_value_or(&gpu->values[MON_GPU_XID], 0) > 0 ||
	       mon_value_or(&gpu->values[MON_GPU_ECC], 0) > 0 ||
	       mon_value_or(&gpu->values[MON_GPU_TEMPERATURE_C], 0) >= s->thresholds.temperature_c;
}

bool mon_totals_count(struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < s->node_count; i++)
		count_node(s, &s->nodes[i]);
	for (size_t i = 0; i < s->job_count; i++) {
		enum jobs_state state = s->jobs[i].state;

		s->totals.jobs_pending += state == JOBS_PENDING;
		s->totals.jobs_running += state == JOBS_RUNNING || state == JOBS_STARTING;
		s->totals.jobs_failed += state == JOBS_FAILED;
	}
	return mon_jobs_count(s, err);
}
