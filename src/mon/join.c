// SPDX-License-Identifier: MIT
// Sorts what was poured, links it, and says whose each GPU is.
#include "mon/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mon/index.h"
#include "mon/model.h"

// Orders names as people do: gpu-2 before gpu-10.
static int compare_names(const char *a, const char *b)
{
	const char *x = a, *y = b;

	while (*x && *y) {
		if (*x >= '1' && *x <= '9' && *y >= '1' && *y <= '9') {
			size_t x_len = strspn(x, "0123456789"), y_len = strspn(y, "0123456789");
			int order = strncmp(x, y, x_len);

			if (x_len != y_len)
				return x_len < y_len ? -1 : 1;
			if (order)
				return order;
			x += x_len;
			y += y_len;
		} else if (*x != *y) {
			return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
		} else {
			x++;
			y++;
		}
	}
	return *x || *y ? (*x ? 1 : -1) : strcmp(a, b);
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_nodes(const void *a, const void *b)
{
	const struct mon_node *x = a, *y = b;

	return compare_names(x->name, y->name);
}

static int compare_gpus(const void *a, const void *b)
{
	const struct mon_gpu *x = a, *y = b;
	int order = compare_numbers(x->node, y->node);

	if (!order)
		order = compare_numbers(x->index, y->index);
	if (!order)
		order = compare_numbers(x->instance, y->instance);
	return order ? order : strcmp(x->uuid, y->uuid);
}

static int compare_resources(const void *a, const void *b)
{
	const struct mon_resource *x = a, *y = b;
	int order = compare_numbers(x->node, y->node);

	return order ? order : strcmp(x->name, y->name);
}

static int compare_pods(const void *a, const void *b)
{
	const struct mon_pod *x = a, *y = b;
	int order = strcmp(x->namespace, y->namespace);

	return order ? order : compare_names(x->name, y->name);
}

static int compare_jobs(const void *a, const void *b)
{
	const struct mon_job *x = a, *y = b;
	int order = strcmp(x->namespace, y->namespace);

	return order ? order : compare_names(x->name, y->name);
}

static int compare_owners(const void *a, const void *b)
{
	const struct mon_owner *x = a, *y = b;
	int order = compare_numbers((int64_t)x->gpu, (int64_t)y->gpu);

	if (!order)
		order = strcmp(x->namespace, y->namespace);
	if (!order)
		order = strcmp(x->pod, y->pod);
	if (!order)
		order = strcmp(x->pod_uid, y->pod_uid);
	return order ? order : compare_numbers(x->how, y->how);
}

static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size, compare);
}

static int64_t mapped(const int64_t *map, size_t count, int64_t old)
{
	return old >= 0 && (size_t)old < count ? map[old] : MON_NO_INDEX;
}

// Sorts the nodes, and puts their new numbers where the old ones are used.
static bool sort_nodes(struct mon_snapshot *s, struct err *err)
{
	_cleanup_free_ int64_t *map = mem_alloc((s->node_count + 1) * sizeof *map);

	if (!map)
		return err_memory(err);
	for (size_t i = 0; i < s->node_count; i++)
		s->nodes[i].poured = i;
	sort(s->nodes, s->node_count, sizeof *s->nodes, compare_nodes);
	for (size_t i = 0; i < s->node_count; i++)
		map[s->nodes[i].poured] = (int64_t)i;
	for (size_t i = 0; i < s->gpu_count; i++)
		s->gpus[i].node = mapped(map, s->node_count, s->gpus[i].node);
	for (size_t i = 0; i < s->resource_count; i++)
		s->resources[i].node = mapped(map, s->node_count, s->resources[i].node);
	for (size_t i = 0; i < s->node_count; i++)
		*mon_index_place(s->node_index, s->nodes[i].name) =
			(long)i; // it is there: no memory needed
	return true;
}

// Drops what was poured for no node.
static void drop_homeless(struct mon_snapshot *s)
{
	size_t gpus = 0, resources = 0;

	for (size_t i = 0; i < s->gpu_count; i++)
		if (s->gpus[i].node >= 0)
			s->gpus[gpus++] = s->gpus[i];
	for (size_t i = 0; i < s->resource_count; i++)
		if (s->resources[i].node >= 0)
			s->resources[resources++] = s->resources[i];
	s->gpu_count = gpus;
	s->resource_count = resources;
}

static bool sort_gpus(struct mon_snapshot *s, struct err *err)
{
	size_t poured = s->gpu_count, kept = 0;
	_cleanup_free_ int64_t *map = mem_alloc((poured + 1) * sizeof *map);

	if (!map)
		return err_memory(err);
	for (size_t i = 0; i < poured; i++) {
		s->gpus[i].poured = i;
		map[i] = MON_NO_INDEX;
	}
	drop_homeless(s);
	sort(s->gpus, s->gpu_count, sizeof *s->gpus, compare_gpus);
	for (size_t i = 0; i < s->gpu_count; i++)
		map[s->gpus[i].poured] = (int64_t)i;
	for (size_t i = 0; i < s->owner_count; i++) {
		int64_t gpu = mapped(map, poured, (int64_t)s->owners[i].gpu);

		if (gpu == MON_NO_INDEX)
			continue;
		s->owners[kept] = s->owners[i];
		s->owners[kept++].gpu = (size_t)gpu;
	}
	s->owner_count = kept;
	return true;
}

// A use that no GPU can have is a sentinel of its source (DCGM#199).
static void refuse_wild(struct mon_value *util)
{
	if (util->state == MON_NUMBER && (util->number < 0 || util->number > 100))
		util->state = MON_NA;
}

static void age(struct mon_value *values, size_t count, int64_t now_ms)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i].at_ms > now_ms)
			values[i].at_ms = now_ms; // a clock that runs ahead: no negative age
		mon_value_age(&values[i], now_ms);
	}
}

static void age_all(struct mon_snapshot *s)
{
	for (size_t i = 0; i < s->node_count; i++)
		age(s->nodes[i].values, MON_NODE_VALUES, s->now_ms);
	for (size_t i = 0; i < s->gpu_count; i++) {
		refuse_wild(&s->gpus[i].values[MON_GPU_UTIL_PCT]);
		age(s->gpus[i].values, MON_GPU_VALUES, s->now_ms);
	}
	for (size_t i = 0; i < s->pod_count; i++)
		age(s->pods[i].values, MON_POD_VALUES, s->now_ms);
}

void mon_add_capped(int64_t *sum, int64_t amount)
{
	if (__builtin_add_overflow(*sum, amount, sum))
		*sum = amount > 0 ? INT64_MAX : INT64_MIN;
}

static void link_ranges(struct mon_snapshot *s)
{
	for (size_t i = 0; i < s->gpu_count; i++) {
		struct mon_node *node = &s->nodes[s->gpus[i].node];

		if (!node->gpu_count++)
			node->gpu_first = i;
	}
	for (size_t i = 0; i < s->resource_count; i++) {
		struct mon_node *node = &s->nodes[s->resources[i].node];

		if (!node->resource_count++)
			node->resource_first = i;
		mon_add_capped(&node->gpus_allocatable, s->resources[i].allocatable);
	}
	// A parent is one whether its source says so or only lists its instances.
	for (size_t i = 1; i < s->gpu_count; i++)
		if (s->gpus[i].kind == MON_GPU_MIG_INSTANCE)
			for (size_t k = i; k-- > 0 && s->gpus[k].node == s->gpus[i].node &&
			                   s->gpus[k].index == s->gpus[i].index;)
				if (s->gpus[k].instance == MON_WHOLE_GPU)
					s->gpus[k].kind = MON_GPU_MIG_PARENT;
}

// Requests count while the pod is bound and not over (kube-capacity#69).
static bool holds_resources(const struct mon_pod *pod)
{
	return pod->node != MON_NO_INDEX && pod->phase != MON_POD_SUCCEEDED &&
	       pod->phase != MON_POD_FAILED;
}

static void count_requests(struct mon_snapshot *s, const struct mon_pod *pod)
{
	struct mon_node *node = &s->nodes[pod->node];

	node->pod_count++;
	mon_add_capped(&node->cpu_requested_milli, pod->cpu_milli);
	mon_add_capped(&node->memory_requested_bytes, pod->memory_bytes);
	mon_add_capped(&node->gpus_allocated, pod->gpus);
	for (size_t i = 0; i < node->resource_count; i++) {
		struct mon_resource *resource = &s->resources[node->resource_first + i];

		if (!*pod->gpu_resource || strcmp(resource->name, pod->gpu_resource) == 0) {
			mon_add_capped(&resource->allocated, pod->gpus);
			return;
		}
	}
}

// The index of namespace/name among sorted jobs, or MON_NO_INDEX.
static int64_t find_job(const struct mon_snapshot *s, const char *namespace, const char *name)
{
	const struct mon_job key = {.namespace = namespace, .name = name};
	const struct mon_job *job;

	if (!s->job_count || !*name)
		return MON_NO_INDEX;
	job = bsearch(&key, s->jobs, s->job_count, sizeof key, compare_jobs);
	return job ? job - s->jobs : MON_NO_INDEX;
}

static void link_pods(struct mon_snapshot *s)
{
	for (size_t i = 0; i < s->pod_count; i++) {
		struct mon_pod *pod = &s->pods[i];

		pod->node = *pod->node_name ? mon_index_find(s->node_index, pod->node_name) : MON_NO_INDEX;
		pod->job = find_job(s, pod->namespace, pod->job_name);
		if (holds_resources(pod))
			count_requests(s, pod);
	}
}

static int64_t find_pod(const struct mon_snapshot *s, const struct mon_index *by_uid,
                        const struct mon_owner *owner)
{
	const struct mon_pod key = {.namespace = owner->namespace, .name = owner->pod};
	const struct mon_pod *pod = NULL;

	if (*owner->pod && s->pod_count)
		pod = bsearch(&key, s->pods, s->pod_count, sizeof key, compare_pods);
	if (pod)
		return pod - s->pods;
	return *owner->pod_uid ? mon_index_find(by_uid, owner->pod_uid) : MON_NO_INDEX;
}

static bool index_uids(const struct mon_snapshot *s, struct mon_index *by_uid, struct err *err)
{
	for (size_t i = 0; i < s->pod_count; i++) {
		long *place = *s->pods[i].uid ? mon_index_place(by_uid, s->pods[i].uid) : NULL;

		if (place)
			*place = (long)i;
		else if (*s->pods[i].uid)
			return err_memory(err);
	}
	return true;
}

static bool is_same_owner(const struct mon_owner *a, const struct mon_owner *b)
{
	if (a->gpu != b->gpu)
		return false;
	if (a->pod_index != MON_NO_INDEX || b->pod_index != MON_NO_INDEX)
		return a->pod_index == b->pod_index;
	return strcmp(a->namespace, b->namespace) == 0 && strcmp(a->pod, b->pod) == 0 &&
	       strcmp(a->pod_uid, b->pod_uid) == 0;
}

// Names the pods of owners and drops those that are said twice.
static void name_owners(struct mon_snapshot *s, const struct mon_index *by_uid)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->owner_count; i++) {
		struct mon_owner owner = s->owners[i];
		bool is_known = false;

		owner.pod_index = find_pod(s, by_uid, &owner);
		if (owner.pod_index != MON_NO_INDEX) {
			owner.namespace = s->pods[owner.pod_index].namespace;
			owner.pod = s->pods[owner.pod_index].name;
		}
		for (size_t k = kept; k-- > 0 && s->owners[k].gpu == owner.gpu && !is_known;)
			is_known = is_same_owner(&s->owners[k], &owner);
		if (!is_known)
			s->owners[kept++] = owner;
	}
	s->owner_count = kept;
}

static bool link_owners(struct mon_snapshot *s, struct err *err)
{
	struct mon_index *by_uid = mon_index_new();

	if (!by_uid || !index_uids(s, by_uid, err)) {
		mon_index_free(by_uid);
		return err_memory(err);
	}
	sort(s->owners, s->owner_count, sizeof *s->owners, compare_owners);
	name_owners(s, by_uid);
	mon_index_free(by_uid);
	for (size_t i = 0; i < s->owner_count; i++) {
		struct mon_gpu *gpu = &s->gpus[s->owners[i].gpu];

		if (!gpu->owner_count++)
			gpu->owner_first = i;
	}
	return true;
}

bool mon_snapshot_finish(struct mon_snapshot *s, struct mon_history *history,
                         const struct mon_thresholds *thresholds, int64_t now_ms, struct err *err)
{
	s->now_ms = now_ms;
	s->thresholds = *thresholds;
	if (history && !mon_history_recall(history, s, err))
		return false;
	if (s->is_out_of_memory)
		return err_memory(err);
	if (!sort_nodes(s, err) || !sort_gpus(s, err))
		return false;
	sort(s->resources, s->resource_count, sizeof *s->resources, compare_resources);
	sort(s->pods, s->pod_count, sizeof *s->pods, compare_pods);
	sort(s->jobs, s->job_count, sizeof *s->jobs, compare_jobs);
	age_all(s);
	link_ranges(s);
	link_pods(s);
	if (!link_owners(s, err) || !mon_allocation_join(s, err) ||
	    (history && !mon_history_join(history, s, err)) || !mon_totals_count(s, err) ||
	    (history && !mon_history_count(history, s, err)) || !mon_alerts_find(s, err))
		return false;
	if (s->is_out_of_memory)
		return err_memory(err);
	s->is_finished = true;
	return true;
}
