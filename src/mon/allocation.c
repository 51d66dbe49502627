// SPDX-License-Identifier: MIT
// Which GPUs are given away, and to whom: the exporter's labels and processes say it of single GPUs,
// requests only say how many. What follows from both is filled in; the rest stays unknown.
#include "mon/join.h"

#include "base/mem.h"
#include "mon/model.h"

// What is known of one node while its GPUs are gone through.
struct share {
	size_t units, owned, given; // units can be given away: devices that are whole, and instances
	size_t seekers;             // pods that ask for more GPUs than they are known to hold
	int64_t seeker, seeker_wants;
};

static bool is_over(const struct mon_pod *pod)
{
	return pod->phase == MON_POD_SUCCEEDED || pod->phase == MON_POD_FAILED;
}

static bool is_unit(const struct mon_gpu *gpu)
{
	return gpu->kind != MON_GPU_MIG_PARENT && !gpu->is_lost;
}

static void count_held(struct mon_snapshot *s)
{
	for (size_t i = 0; i < s->gpu_count; i++)
		for (size_t k = 0; k < s->gpus[i].owner_count; k++) {
			int64_t pod = s->owners[s->gpus[i].owner_first + k].pod_index;

			if (pod != MON_NO_INDEX)
				s->pods[pod].gpus_held++;
		}
}

static void count_seekers(const struct mon_snapshot *s, struct share *shares)
{
	for (size_t i = 0; i < s->pod_count; i++) {
		const struct mon_pod *pod = &s->pods[i];
		struct share *share;

		if (pod->node == MON_NO_INDEX || is_over(pod) || pod->gpus <= (int64_t)pod->gpus_held)
			continue;
		share = &shares[pod->node];
		share->seekers++;
		share->seeker = (int64_t)i;
		share->seeker_wants = pod->gpus - (int64_t)pod->gpus_held;
	}
}

// Whether a GPU of the node that has no known owner is given away.
static enum mon_truth rest_is_allocated(const struct mon_node *node, const struct share *share)
{
	if (!node->is_in_api)
		return MON_UNKNOWN;
	if (node->gpus_allocated <= 0)
		return MON_NO;
	if (node->gpus_allocatable > (int64_t)share->units)
		return MON_UNKNOWN; // shared GPUs: one request is not one GPU
	if (node->gpus_allocated >= (int64_t)share->units)
		return MON_YES;
	return node->gpus_allocated <= (int64_t)share->owned ? MON_NO : MON_UNKNOWN;
}

static void allocate_units(struct mon_snapshot *s, const struct mon_node *node, struct share *share)
{
	struct mon_gpu *gpus = s->gpus ? s->gpus + node->gpu_first : NULL;
	enum mon_truth rest;

	for (size_t i = 0; i < node->gpu_count; i++) {
		share->units += is_unit(&gpus[i]);
		share->owned += is_unit(&gpus[i]) && gpus[i].owner_count;
	}
	rest = rest_is_allocated(node, share);
	for (size_t i = 0; i < node->gpu_count; i++) {
		if (gpus[i].owner_count)
			gpus[i].allocated = MON_YES;
		else if (is_unit(&gpus[i]))
			gpus[i].allocated = rest;
		share->given += !gpus[i].owner_count && gpus[i].allocated == MON_YES;
	}
}

// A parent is given away as soon as one of its instances is.
static void allocate_parents(struct mon_gpu *gpus, size_t count)
{
	struct mon_gpu *parent = NULL;

	for (size_t i = 0; i < count; i++) {
		if (gpus[i].kind == MON_GPU_MIG_PARENT) {
			parent = &gpus[i];
			if (!parent->owner_count)
				parent->allocated = MON_NO;
		} else if (gpus[i].kind == MON_GPU_MIG_INSTANCE && parent &&
		           parent->index == gpus[i].index && parent->allocated != MON_YES &&
		           gpus[i].allocated != MON_NO) {
			parent->allocated = gpus[i].allocated;
		}
	}
}

// Gives the GPUs without an owner to the one pod that can have them.
static bool own_by_request(struct mon_snapshot *s, const struct mon_node *node,
                           const struct share *share, struct err *err)
{
	struct mon_pod *pod;

	if (share->seekers != 1 || !share->given || share->seeker_wants != (int64_t)share->given)
		return true;
	pod = &s->pods[share->seeker];
	for (size_t i = 0; i < node->gpu_count; i++) {
		struct mon_gpu *gpu = &s->gpus[node->gpu_first + i];
		struct mon_owner owner = {
			node->gpu_first + i, MON_OWNER_REQUEST, pod->namespace, pod->name, "", "",
			share->seeker};

		if (gpu->owner_count || gpu->allocated != MON_YES || !is_unit(gpu))
			continue;
		if (!mem_append(&s->owners, &s->owner_count, &owner, sizeof owner))
			return err_memory(err);
		gpu->owner_first = s->owner_count - 1;
		gpu->owner_count = 1;
		pod->gpus_held++;
	}
	return true;
}

bool mon_allocation_join(struct mon_snapshot *s, struct err *err)
{
	_cleanup_free_ struct share *shares = mem_alloc((s->node_count + 1) * sizeof *shares);

	if (!shares)
		return err_memory(err);
	count_held(s);
	count_seekers(s, shares);
	for (size_t i = 0; i < s->node_count; i++) {
		const struct mon_node *node = &s->nodes[i];

		allocate_units(s, node, &shares[i]);
		if (!own_by_request(s, node, &shares[i], err))
			return false;
		if (node->gpu_count)
			allocate_parents(s->gpus + node->gpu_first, node->gpu_count);
	}
	return true;
}
