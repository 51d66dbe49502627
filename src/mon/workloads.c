// SPDX-License-Identifier: MIT
// What pods and jobs do with the GPUs that they hold, and what waits.
#include "mon/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "mon/model.h"

enum { NODES_NAMED = 2, MAX_NODES_BYTES = 512 };

// Use of the GPUs of one pod or job.
struct use {
	double util_sum, util_min, vram_sum;
	size_t util_count, vram_count;
	struct mon_value last; // for time and source
};

static void add_use(struct use *use, const struct mon_gpu *gpu)
{
	const struct mon_value *util = &gpu->values[MON_GPU_UTIL_PCT];
	const struct mon_value *vram = &gpu->values[MON_GPU_VRAM_USED_BYTES];

	if (mon_value_is_known(util)) {
		if (!use->util_count || util->number < use->util_min)
			use->util_min = util->number;
		use->util_sum += util->number;
		use->util_count++;
		use->last = *util;
	}
	if (mon_value_is_known(vram)) {
		use->vram_sum += vram->number;
		use->vram_count++;
		use->last = *vram;
	}
}

static struct mon_value value_of(const struct use *use, size_t count, double number)
{
	if (!count)
		return (struct mon_value){.state = MON_NONE};
	return (struct mon_value){number, use->last.at_ms, MON_NUMBER, use->last.source};
}

// A GPU that several pods share is nobody's use alone (dcgm-exporter#151).
static void collect_use(const struct mon_snapshot *s, struct use *pods, struct use *jobs)
{
	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct mon_gpu *gpu = &s->gpus[i];
		int64_t pod;

		if (gpu->owner_count != 1 || gpu->is_lost)
			continue;
		pod = s->owners[gpu->owner_first].pod_index;
		if (pod == MON_NO_INDEX)
			continue;
		add_use(&pods[pod], gpu);
		if (s->pods[pod].job != MON_NO_INDEX)
			add_use(&jobs[s->pods[pod].job], gpu);
	}
}

static void write_use(struct mon_snapshot *s, const struct use *pods, const struct use *jobs)
{
	for (size_t i = 0; i < s->pod_count; i++) {
		const struct use *use = &pods[i];

		s->pods[i].gpu_util_pct = value_of(
			use, use->util_count, use->util_sum / (double)(use->util_count ? use->util_count : 1));
		s->pods[i].vram_used_bytes = value_of(use, use->vram_count, use->vram_sum);
	}
	for (size_t i = 0; i < s->job_count; i++) {
		const struct use *use = &jobs[i];
		double mean = use->util_count ? use->util_sum / (double)use->util_count : 0;

		s->jobs[i].gpu_util_pct = value_of(use, use->util_count, mean);
		s->jobs[i].gpu_util_min_pct = value_of(use, use->util_count, use->util_min);
		s->jobs[i].vram_used_bytes = value_of(use, use->vram_count, use->vram_sum);
	}
}

static bool count_use(struct mon_snapshot *s, struct err *err)
{
	_cleanup_free_ struct use *pods = mem_alloc((s->pod_count + 1) * sizeof *pods);
	_cleanup_free_ struct use *jobs = mem_alloc((s->job_count + 1) * sizeof *jobs);

	if (!pods || !jobs)
		return err_memory(err);
	collect_use(s, pods, jobs);
	write_use(s, pods, jobs);
	return true;
}

struct place {
	int64_t job, node;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

// "gpu-a, gpu-b +3", of the COUNT places of one job. Returns how many places were the job's.
static size_t name_nodes(struct mon_snapshot *s, const struct place *places, size_t count)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_NODES_BYTES);
	size_t i, named = 0;

	for (i = 0; i < count && places[i].job == places->job; i++) {
		if (i && places[i].node == places[i - 1].node)
			continue;
		if (named < NODES_NAMED)
			strbuf_addf(&text, "%s%s", named ? ", " : "", s->nodes[places[i].node].name);
		named++;
	}
	if (named > NODES_NAMED)
		strbuf_addf(&text, " +%zu", named - NODES_NAMED);
	s->jobs[places->job].nodes = mon_snapshot_text_n(s, strbuf_get(&text), text.len);
	return i;
}

static bool place_jobs(struct mon_snapshot *s, struct err *err)
{
	_cleanup_free_ struct place *places = mem_alloc((s->pod_count + 1) * sizeof *places);
	size_t count = 0;

	if (!places)
		return err_memory(err);
	for (size_t i = 0; i < s->pod_count; i++) {
		const struct mon_pod *pod = &s->pods[i];

		if (pod->job == MON_NO_INDEX || pod->phase != MON_POD_RUNNING)
			continue;
		s->jobs[pod->job].pods_running++;
		mon_add_capped(&s->jobs[pod->job].gpus_running, pod->gpus);
		if (pod->node != MON_NO_INDEX)
			places[count++] = (struct place){pod->job, pod->node};
	}
	if (count > 1)
		qsort(places, count, sizeof *places, compare_places);
	for (size_t i = 0; i < count;)
		i += name_nodes(s, places + i, count - i);
	return true;
}

static int compare_waiting(const void *a, const void *b)
{
	const struct mon_waiting *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	if (x->since_ms != y->since_ms)
		return x->since_ms < y->since_ms ? -1 : 1;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->pod > y->pod) - (x->pod < y->pod);
}

static bool make_queue(struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < s->job_count; i++) {
		const struct mon_job *job = &s->jobs[i];
		const struct mon_waiting waiting = {(int64_t)i, MON_NO_INDEX,    job->priority,
		                                    job->gpus,  job->created_ms, job->why};

		if (job->state == JOBS_PENDING &&
		    !mem_append(&s->queue, &s->queue_count, &waiting, sizeof waiting))
			return err_memory(err);
	}
	for (size_t i = 0; i < s->pod_count; i++) {
		const struct mon_pod *pod = &s->pods[i];
		const struct mon_waiting waiting = {MON_NO_INDEX, (int64_t)i,      pod->priority,
		                                    pod->gpus,    pod->created_ms, pod->reason};

		if (pod->phase == MON_POD_PENDING && pod->node == MON_NO_INDEX &&
		    pod->job == MON_NO_INDEX && !pod->is_terminating &&
		    !mem_append(&s->queue, &s->queue_count, &waiting, sizeof waiting))
			return err_memory(err);
	}
	if (s->queue_count > 1)
		qsort(s->queue, s->queue_count, sizeof *s->queue, compare_waiting);
	return true;
}

bool mon_jobs_count(struct mon_snapshot *s, struct err *err)
{
	return count_use(s, err) && place_jobs(s, err) && make_queue(s, err);
}
