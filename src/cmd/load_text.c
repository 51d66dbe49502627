// SPDX-License-Identifier: MIT
#include "cmd/load_text.h"

#include <inttypes.h>

#include "mon/show.h"

enum { CELL_MAX_BYTES = 4096 };

static const struct cli_column node_columns[] = {
	{"NODE", false, false}, {"STATE", false, false}, {"GPUS", false, true},  {"CPU%", false, true},
	{"MEM%", false, true},  {"GPU%", false, true},   {"VRAM%", false, true}, {"AGE", false, true},
};

static const struct cli_column gpu_columns[] = {
	{"NODE", false, false}, {"GPU", false, false}, {"STATE", false, false}, {"UTIL%", false, true},
	{"VRAM", false, true},  {"OF", false, true},   {"W", false, true},      {"C", false, true},
	{"POD", false, false},  {"JOB", false, false}, {"USER", false, false},
};

static const struct cli_column queue_columns[] = {
	{"WAITING", false, false}, {"GPUS", false, true}, {"FOR", false, true},
	{"USER", false, false},    {"WHY", false, false},
};

static const struct cli_column csv_columns[] = {
	{"node", false, false},
	{"gpu", false, false},
	{"instance", false, false},
	{"uuid", false, false},
	{"model", false, false},
	{"state", false, false},
	{"namespace", false, false},
	{"pod", false, false},
	{"job", false, false},
	{"user", false, false},
	// the GPU's values, in the order of enum mon_gpu_value
	{"util_pct", false, false},
	{"vram_used_bytes", false, false},
	{"vram_reserved_bytes", false, false},
	{"vram_total_bytes", false, false},
	{"temperature_c", false, false},
	{"power_w", false, false},
	{"power_limit_w", false, false},
	{"throttle_bits", false, false},
	{"ecc_errors", false, false},
	{"xid", false, false},
	{"sm_clock_mhz", false, false},
};

// A whole number, "n/a", or "31 (stale)".
static bool add_value(struct cli_table *table, const struct mon_value *value, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);
	bool is_old = value->state == MON_STALE;

	if (!is_old && !mon_value_is_known(value))
		return cli_table_add(table, "n/a", err);
	strbuf_addf(&text, "%.0f%s", value->number, is_old ? " (stale)" : "");
	return cmd_load_add_cell(table, &text, err);
}

// VALUE as percent of WHOLE, in the value's own state.
static bool add_share(struct cli_table *table, const struct mon_value *value, double whole,
                      struct err *err)
{
	struct mon_value share = *value;

	if (whole > 0)
		share.number = value->number * 100 / whole;
	else
		share.state = MON_NA;
	return add_value(table, &share, err);
}

static bool add_gpu_shares(struct cli_table *table, const struct mon_node *node, struct err *err)
{
	if (!cmd_load_is_gpu_node(node))
		return cli_table_add(table, NULL, err) && cli_table_add(table, NULL, err);
	return add_value(table, &node->gpu_util_pct, err) &&
	       add_share(table, &node->vram_used_bytes, node->vram_total_bytes.number, err);
}

static bool add_node(struct cli_table *table, const struct cmd_load *load,
                     const struct mon_node *node, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);
	const struct mon_value *cpu = &node->values[MON_NODE_CPU_MILLI];

	if (!cli_table_add(table, node->name, err))
		return false;
	cmd_load_add_state(&text, node);
	if (!cmd_load_add_cell(table, &text, err))
		return false;
	cmd_load_add_gpus(&text, load, node);
	if (!cmd_load_add_cell(table, &text, err) ||
	    !add_share(table, cpu, (double)node->cpu_capacity_milli, err) ||
	    !add_share(table, &node->values[MON_NODE_MEMORY_BYTES], (double)node->memory_capacity_bytes,
	               err) ||
	    !add_gpu_shares(table, node, err))
		return false;
	if (cpu->at_ms)
		mon_show_age(&text, (load->snapshot->now_ms - cpu->at_ms) / 1000);
	return cmd_load_add_cell(table, &text, err);
}

static bool add_bytes(struct cli_table *table, const struct mon_value *value, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	if (!mon_value_is_known(value))
		return cli_table_add(table, value->state == MON_STALE ? "stale" : "n/a", err);
	mon_show_bytes(&text, value->number);
	return cmd_load_add_cell(table, &text, err);
}

static bool add_owner(struct cli_table *table, const struct mon_snapshot *s,
                      const struct mon_gpu *gpu, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);
	const struct mon_owner *owner = cmd_load_owner(s, gpu);
	const struct mon_pod *pod = cmd_load_owner_pod(s, gpu);

	if (owner)
		strbuf_addf(&text, "%s/%s", owner->namespace, owner->pod);
	if (gpu->owner_count > 1)
		strbuf_addf(&text, " and %zu more", gpu->owner_count - 1);
	return cmd_load_add_cell(table, &text, err) &&
	       cli_table_add(table, pod ? pod->job_name : NULL, err) &&
	       cli_table_add(table, pod ? pod->user : NULL, err);
}

static bool add_gpu(struct cli_table *table, const struct mon_snapshot *s,
                    const struct mon_gpu *gpu, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);
	const struct mon_value *values = gpu->values;

	if (gpu->index >= 0)
		strbuf_addf(&text, "%" PRId64, gpu->index);
	if (gpu->instance >= 0)
		strbuf_addf(&text, ":%" PRId64 " %s", gpu->instance, gpu->profile);
	return cli_table_add(table, s->nodes[gpu->node].name, err) &&
	       cmd_load_add_cell(table, &text, err) &&
	       cli_table_add(table, cmd_load_gpu_state(s, gpu), err) &&
	       add_value(table, &values[MON_GPU_UTIL_PCT], err) &&
	       add_bytes(table, &values[MON_GPU_VRAM_USED_BYTES], err) &&
	       add_bytes(table, &values[MON_GPU_VRAM_TOTAL_BYTES], err) &&
	       add_value(table, &values[MON_GPU_POWER_W], err) &&
	       add_value(table, &values[MON_GPU_TEMPERATURE_C], err) && add_owner(table, s, gpu, err);
}

static bool add_waiting(struct cli_table *table, const struct mon_snapshot *s,
                        const struct mon_waiting *waiting, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);
	const struct mon_pod *pod = waiting->pod != MON_NO_INDEX ? &s->pods[waiting->pod] : NULL;
	const struct mon_job *job = waiting->job != MON_NO_INDEX ? &s->jobs[waiting->job] : NULL;

	strbuf_addf(&text, "%s/%s", pod ? pod->namespace : job->namespace, pod ? pod->name : job->name);
	if (!cmd_load_add_cell(table, &text, err) ||
	    !cmd_load_add_number(table, true, (double)waiting->gpus, err))
		return false;
	mon_show_age(&text, (s->now_ms - waiting->since_ms) / 1000);
	return cmd_load_add_cell(table, &text, err) &&
	       cli_table_add(table, pod ? pod->user : job->user, err) &&
	       cli_table_add(table, waiting->why, err);
}

static bool write_tables(struct strbuf *out, const struct cmd_load *load, struct err *err)
{
	const struct mon_snapshot *s = load->snapshot;
	_cleanup_cli_table_ struct cli_table nodes = CLI_TABLE_INIT(node_columns);
	_cleanup_cli_table_ struct cli_table gpus = CLI_TABLE_INIT(gpu_columns);
	_cleanup_cli_table_ struct cli_table queue = CLI_TABLE_INIT(queue_columns);

	for (size_t i = 0; i < s->node_count; i++)
		if (!add_node(&nodes, load, &s->nodes[i], err))
			return false;
	for (size_t i = 0; i < s->gpu_count; i++)
		if (!add_gpu(&gpus, s, &s->gpus[i], err))
			return false;
	for (size_t i = 0; i < s->queue_count; i++)
		if (!add_waiting(&queue, s, &s->queue[i], err))
			return false;
	cli_table_write(out, &nodes, false);
	strbuf_add(out, s->gpu_count ? "\n" : "");
	cli_table_write(out, &gpus, false);
	strbuf_add(out, s->queue_count ? "\n" : "");
	cli_table_write(out, &queue, false);
	return true;
}

// "  CPU 31%", or "  CPU 31% (2 of 3)" where some are silent.
static void add_total(struct strbuf *out, const char *name, const struct mon_total *total)
{
	if (!total->known || total->of <= 0) {
		strbuf_addf(out, "  %s n/a", name);
		return;
	}
	strbuf_addf(out, "  %s %.0f%%", name, total->sum * 100 / total->of);
	if (total->known < total->count)
		strbuf_addf(out, " (%zu of %zu)", total->known, total->count);
}

static void add_gpu_states(struct strbuf *out, const struct mon_snapshot *s)
{
	const struct mon_totals *totals = &s->totals;
	size_t idle = 0, known = totals->gpu_util_pct.known, count = totals->gpus;

	// Those whose exporter is silent are not among the devices.
	if (totals->gpus_allocatable > (int64_t)count)
		count = (size_t)totals->gpus_allocatable;
	for (size_t i = 0; i < s->gpu_count; i++)
		idle += !strcmp(cmd_load_gpu_state(s, &s->gpus[i]), "idle");
	if (!totals->gpus)
		return;
	strbuf_addf(out, "  %zu busy  %zu idle but held", totals->gpus_busy, idle);
	if (known < count)
		strbuf_addf(out, " (%zu of %zu)", known, count);
	add_total(out, "VRAM", &totals->vram_bytes);
}

static void write_header(struct strbuf *out, const struct cmd_load *load)
{
	const struct mon_totals *totals = &load->snapshot->totals;

	strbuf_addf(out, "nodes %zu/%zu ready", totals->nodes - totals->nodes_not_ready, totals->nodes);
	if (load->has_pods)
		strbuf_addf(out, "  GPUs %" PRId64 "/%" PRId64 " held", totals->gpus_allocated,
		            totals->gpus_allocatable);
	else
		strbuf_addf(out, "  GPUs n/a/%" PRId64 " held", totals->gpus_allocatable);
	add_gpu_states(out, load->snapshot);
	add_total(out, "CPU", &totals->cpu_milli);
	add_total(out, "MEM", &totals->memory_bytes);
	strbuf_add(out, "\n\n");
}

bool cmd_load_write_text(struct strbuf *out, const struct cmd_load *load, struct err *err)
{
	write_header(out, load);
	return write_tables(out, load, err);
}

static bool add_csv_row(struct cli_table *table, const struct mon_snapshot *s,
                        const struct mon_gpu *gpu, struct err *err)
{
	const struct mon_owner *owner = cmd_load_owner(s, gpu);
	const struct mon_pod *pod = cmd_load_owner_pod(s, gpu);

	if (!cli_table_add(table, s->nodes[gpu->node].name, err) ||
	    !cmd_load_add_number(table, gpu->index >= 0, (double)gpu->index, err) ||
	    !cmd_load_add_number(table, gpu->instance >= 0, (double)gpu->instance, err) ||
	    !cli_table_add(table, gpu->uuid, err) || !cli_table_add(table, gpu->model, err) ||
	    !cli_table_add(table, cmd_load_gpu_state(s, gpu), err) ||
	    !cli_table_add(table, owner ? owner->namespace : NULL, err) ||
	    !cli_table_add(table, owner ? owner->pod : NULL, err) ||
	    !cli_table_add(table, pod ? pod->job_name : NULL, err) ||
	    !cli_table_add(table, pod ? pod->user : NULL, err))
		return false;
	for (size_t i = 0; i < MON_GPU_VALUES; i++)
		if (!cmd_load_add_number(table, mon_value_is_known(&gpu->values[i]), gpu->values[i].number,
		                         err))
			return false;
	return true;
}

bool cmd_load_write_csv(struct strbuf *out, const struct cmd_load *load, struct err *err)
{
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(csv_columns);

	for (size_t i = 0; i < load->snapshot->gpu_count; i++)
		if (!add_csv_row(&table, load->snapshot, &load->snapshot->gpus[i], err))
			return false;
	cli_table_write_csv(out, &table);
	return true;
}
