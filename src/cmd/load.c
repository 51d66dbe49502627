// SPDX-License-Identifier: MIT
#include "cmd/load.h"

#include <inttypes.h>

#include "mon/collect.h"

enum { KI = 1024, MI = 1024 * 1024, GI = 1024 * 1024 * 1024, SHOWN_MAX_FAILURES = 5 };

bool cmd_load_collect(struct cli_context *context, struct cmd_cluster *cluster, bool wants_gpus,
                      struct cmd_load *ret, struct err *err)
{
	_cleanup_mon_store_ struct mon_store *store = mon_store_new(err);
	_cleanup_mon_snapshot_ struct mon_snapshot *snapshot = mon_snapshot_new(err);
	struct mon_collect_options options = {
		.client = cmd_cluster_client(cluster), .clock = context->clock, .wants_gpus = wants_gpus};

	if (!store || !snapshot || !mon_collect(&options, store, err))
		return false;
	snapshot->link = MON_LINK_LIVE;
	mon_store_pour(store, snapshot);
	if (!mon_snapshot_finish(snapshot, NULL, &mon_thresholds_default,
	                         context->clock->wall_ms(context->clock->context), err))
		return false;
	ret->has_pods = !mon_store_has_failed(store, MON_STORE_PODS);
	ret->snapshot = TAKE(snapshot);
	return true;
}

void cmd_load_release(struct cmd_load *load)
{
	mon_snapshot_free(load->snapshot);
	*load = (struct cmd_load){NULL, false};
}

static void warn_of_nodes(const struct mon_snapshot *s, struct faults *faults)
{
	int64_t failures = 0;

	for (size_t i = 0; i < s->node_count; i++) {
		const struct mon_node *node = &s->nodes[i];

		if (*node->complaint && ++failures <= SHOWN_MAX_FAILURES)
			faults_warn(faults, "node %s: %s", node->name, node->complaint);
		if (node->malformed)
			faults_warn(faults, "node %s: dcgm-exporter: %" PRId64 " malformed %s passed over",
			            node->name, node->malformed, node->malformed == 1 ? "line" : "lines");
	}
	if (failures > SHOWN_MAX_FAILURES)
		faults_warn(faults, "%" PRId64 " more nodes whose dcgm-exporter did not answer",
		            failures - SHOWN_MAX_FAILURES);
}

void cmd_load_warn(const struct cmd_load *load, struct faults *faults)
{
	for (size_t i = 0; i < load->snapshot->note_count; i++)
		faults_warn(faults, "%s", load->snapshot->notes[i].text);
	warn_of_nodes(load->snapshot, faults);
}

bool cmd_load_is_gpu_node(const struct mon_node *node)
{
	return node->resource_count || node->gpu_count;
}

// NUMBER / UNIT, with a digit behind the point unless it is whole.
static void add_tenths(struct strbuf *out, int64_t number, int64_t unit)
{
	int64_t tenths = (number * 10 + unit / 2) / unit;

	if (tenths % 10)
		strbuf_addf(out, "%" PRId64 ".%" PRId64, tenths / 10, tenths % 10);
	else
		strbuf_addf(out, "%" PRId64, tenths / 10);
}

void cmd_load_add_cpus(struct strbuf *out, int64_t milli)
{
	if (milli > 0 && milli < 100)
		strbuf_addf(out, "0.%02" PRId64, milli < 10 ? 1 : milli / 10);
	else
		add_tenths(out, milli, 1000);
}

void cmd_load_add_bytes(struct strbuf *out, int64_t bytes)
{
	if (bytes >= GI)
		add_tenths(out, bytes / KI, GI / KI);
	else if (bytes)
		strbuf_addf(out, "%" PRId64, bytes / MI);
	strbuf_add(out, bytes >= GI ? "Gi" : bytes ? "Mi" : "0");
}

static void add_word(struct strbuf *out, const char *word)
{
	strbuf_addf(out, "%s%s", out->len ? "," : "", word);
}

void cmd_load_add_state(struct strbuf *out, const struct mon_node *node)
{
	static const char *const pressures[] = {"memory-pressure", "disk-pressure", "pid-pressure",
	                                        "no-network"};

	if (node->ready == MON_NO)
		add_word(out, "not-ready");
	for (size_t i = 0; i < COUNT_OF(pressures); i++)
		if (node->pressure & (1u << i))
			add_word(out, pressures[i]);
	if (node->is_cordoned)
		add_word(out, "cordoned");
	if (!out->len)
		add_word(out, node->ready == MON_YES ? "ready" : "unknown");
}

void cmd_load_add_roles(struct strbuf *out, const struct mon_node *node)
{
	if (*node->role)
		add_word(out, node->role);
	if (cmd_load_is_gpu_node(node))
		add_word(out, "gpu");
	if (!out->len)
		add_word(out, "worker");
}

void cmd_load_add_gpus(struct strbuf *out, const struct cmd_load *load, const struct mon_node *node)
{
	if (!cmd_load_is_gpu_node(node))
		return;
	if (load->has_pods)
		strbuf_addf(out, "%" PRId64 "/%" PRId64, node->gpus_allocated, node->gpus_allocatable);
	else
		strbuf_addf(out, "n/a/%" PRId64, node->gpus_allocatable);
}

const char *cmd_load_gpu_state(const struct mon_snapshot *snapshot, const struct mon_gpu *gpu)
{
	const struct mon_value *use = &gpu->values[MON_GPU_UTIL_PCT];

	if (gpu->is_lost)
		return "lost";
	if (use->state == MON_STALE)
		return "stale";
	if (!mon_value_is_known(use))
		return "n/a";
	if (use->number >= snapshot->thresholds.idle_pct)
		return "busy";
	if (gpu->allocated == MON_UNKNOWN)
		return "quiet";
	return gpu->allocated == MON_YES ? "idle" : "free";
}

const struct mon_owner *cmd_load_owner(const struct mon_snapshot *snapshot,
                                       const struct mon_gpu *gpu)
{
	return gpu->owner_count ? &snapshot->owners[gpu->owner_first] : NULL;
}

const struct mon_pod *cmd_load_owner_pod(const struct mon_snapshot *snapshot,
                                         const struct mon_gpu *gpu)
{
	const struct mon_owner *owner = cmd_load_owner(snapshot, gpu);

	return owner && owner->pod_index != MON_NO_INDEX ? &snapshot->pods[owner->pod_index] : NULL;
}

bool cmd_load_add_cell(struct cli_table *table, struct strbuf *text, struct err *err)
{
	bool is_ok = strbuf_ok(text, err) && cli_table_add(table, strbuf_get(text), err);

	strbuf_clear(text);
	return is_ok;
}

bool cmd_load_add_number(struct cli_table *table, bool is_known, double number, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	if (!is_known)
		return cli_table_add(table, NULL, err);
	strbuf_addf(&text, "%.15g", number);
	return cmd_load_add_cell(table, &text, err);
}
