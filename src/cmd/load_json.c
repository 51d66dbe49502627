// SPDX-License-Identifier: MIT
// The load of a cluster as JSON: numbers as numbers, units in the keys, null for what is unknown.
#include "cmd/load.h"

static void put_text(struct json_build *b, const char *name, const char *text)
{
	if (text && *text)
		json_put_string(b, name, text);
	else
		json_put_null(b, name);
}

static void put_if(struct json_build *b, const char *name, bool is_known, int64_t number)
{
	if (is_known)
		json_put_i64(b, name, number);
	else
		json_put_null(b, name);
}

// The values that are known now, by their names; how old the newest is, and where it is from.
static void put_values(struct json_build *b, const struct mon_value *values,
                       const char *const *names, size_t count, int64_t now_ms)
{
	const struct mon_value *newest = NULL;

	for (size_t i = 0; i < count; i++) {
		if (mon_value_is_known(&values[i]))
			json_put_number(b, names[i], values[i].number);
		else
			json_put_null(b, names[i]);
		if (values[i].state != MON_NONE && (!newest || values[i].at_ms > newest->at_ms))
			newest = &values[i];
	}
	put_if(b, "age_ms", newest, newest ? now_ms - newest->at_ms : 0);
	put_text(b, "source", newest ? mon_source_words[newest->source] : NULL);
}

static void put_roles(struct json_build *b, const struct mon_node *node)
{
	bool is_gpu_node = cmd_load_is_gpu_node(node);

	json_build_open_array(b, "roles");
	if (*node->role)
		json_put_string(b, NULL, node->role);
	if (is_gpu_node)
		json_put_string(b, NULL, "gpu");
	if (!*node->role && !is_gpu_node)
		json_put_string(b, NULL, "worker");
	json_build_close(b);
}

static void put_node(struct json_build *b, const struct cmd_load *load, const struct mon_node *node)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);

	json_build_open_object(b, NULL);
	json_put_string(b, "name", node->name);
	cmd_load_add_state(&text, node);
	json_put_text(b, "state", &text);
	put_roles(b, node);
	put_text(b, "version", node->version);
	put_text(b, "gpu_type", node->pool);
	json_put_i64(b, "gpus", node->gpus_allocatable);
	put_if(b, "gpus_allocated", load->has_pods, node->gpus_allocated);
	put_if(b, "pods", load->has_pods, (int64_t)node->pod_count);
	json_put_i64(b, "cpu_capacity_milli", node->cpu_capacity_milli);
	json_put_i64(b, "cpu_allocatable_milli", node->cpu_allocatable_milli);
	put_if(b, "cpu_requested_milli", load->has_pods, node->cpu_requested_milli);
	json_put_i64(b, "memory_capacity_bytes", node->memory_capacity_bytes);
	json_put_i64(b, "memory_allocatable_bytes", node->memory_allocatable_bytes);
	put_if(b, "memory_requested_bytes", load->has_pods, node->memory_requested_bytes);
	json_build_open_object(b, "used");
	put_values(b, node->values, mon_node_value_names, MON_NODE_VALUES, load->snapshot->now_ms);
	json_build_close(b);
	json_build_close(b);
}

void cmd_load_put_nodes(struct json_build *b, const struct cmd_load *load)
{
	json_build_open_array(b, "nodes");
	for (size_t i = 0; i < load->snapshot->node_count; i++)
		put_node(b, load, &load->snapshot->nodes[i]);
	json_build_close(b);
}

static void put_owners(struct json_build *b, const struct mon_snapshot *s,
                       const struct mon_gpu *gpu)
{
	json_build_open_array(b, "owners");
	for (size_t i = 0; i < gpu->owner_count; i++) {
		const struct mon_owner *owner = &s->owners[gpu->owner_first + i];
		const struct mon_pod *pod =
			owner->pod_index != MON_NO_INDEX ? &s->pods[owner->pod_index] : NULL;

		json_build_open_object(b, NULL);
		put_text(b, "namespace", owner->namespace);
		put_text(b, "pod", owner->pod);
		put_text(b, "job", pod ? pod->job_name : NULL);
		put_text(b, "user", pod ? pod->user : NULL);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_gpu(struct json_build *b, const struct mon_snapshot *s, const struct mon_gpu *gpu)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "node", s->nodes[gpu->node].name);
	put_if(b, "index", gpu->index >= 0, gpu->index);
	put_if(b, "instance", gpu->instance >= 0, gpu->instance);
	put_text(b, "uuid", gpu->uuid);
	put_text(b, "model", gpu->model);
	put_text(b, "profile", gpu->profile);
	json_put_string(b, "state", cmd_load_gpu_state(s, gpu));
	put_values(b, gpu->values, mon_gpu_value_names, MON_GPU_VALUES, s->now_ms);
	put_owners(b, s, gpu);
	json_build_close(b);
}

static void put_waiting(struct json_build *b, const struct mon_snapshot *s,
                        const struct mon_waiting *waiting)
{
	const struct mon_pod *pod = waiting->pod != MON_NO_INDEX ? &s->pods[waiting->pod] : NULL;
	const struct mon_job *job = waiting->job != MON_NO_INDEX ? &s->jobs[waiting->job] : NULL;

	json_build_open_object(b, NULL);
	put_text(b, "namespace", pod ? pod->namespace : job->namespace);
	put_text(b, "pod", pod ? pod->name : NULL);
	put_text(b, "job", pod ? pod->job_name : job->name);
	put_text(b, "user", pod ? pod->user : job->user);
	json_put_i64(b, "gpus", waiting->gpus);
	json_put_i64(b, "age_ms", s->now_ms - waiting->since_ms);
	put_text(b, "why", waiting->why);
	json_build_close(b);
}

static void put_total(struct json_build *b, const char *name, const struct mon_total *total)
{
	json_build_open_object(b, name);
	json_put_number(b, "sum", total->sum);
	json_put_number(b, "of", total->of);
	json_put_i64(b, "known", (int64_t)total->known);
	json_put_i64(b, "count", (int64_t)total->count);
	json_build_close(b);
}

static void put_totals(struct json_build *b, const struct cmd_load *load)
{
	const struct mon_totals *totals = &load->snapshot->totals;

	json_build_open_object(b, "totals");
	json_put_i64(b, "nodes", (int64_t)totals->nodes);
	json_put_i64(b, "nodes_not_ready", (int64_t)totals->nodes_not_ready);
	json_put_i64(b, "gpus", totals->gpus_allocatable);
	put_if(b, "gpus_allocated", load->has_pods, totals->gpus_allocated);
	json_put_i64(b, "gpus_busy", (int64_t)totals->gpus_busy);
	json_put_i64(b, "gpus_silent", (int64_t)totals->gpus_silent);
	put_total(b, "gpu_util_pct", &totals->gpu_util_pct);
	put_total(b, "vram_bytes", &totals->vram_bytes);
	put_total(b, "cpu_milli", &totals->cpu_milli);
	put_total(b, "memory_bytes", &totals->memory_bytes);
	json_build_close(b);
}

static void put_problems(struct json_build *b, const struct cmd_load *load)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	cmd_load_warn(load, &faults);
	json_build_open_array(b, "problems");
	for (size_t i = 0; i < faults.warnings.count; i++)
		json_put_string(b, NULL, faults.warnings.items[i]);
	json_build_close(b);
}

void cmd_load_put_rest(struct json_build *b, const struct cmd_load *load)
{
	const struct mon_snapshot *s = load->snapshot;

	json_build_open_array(b, "gpus");
	for (size_t i = 0; i < s->gpu_count; i++)
		put_gpu(b, s, &s->gpus[i]);
	json_build_close(b);
	json_build_open_array(b, "queue");
	for (size_t i = 0; i < s->queue_count; i++)
		put_waiting(b, s, &s->queue[i]);
	json_build_close(b);
	put_totals(b, load);
	put_problems(b, load);
}
