// SPDX-License-Identifier: MIT
// The load of a cluster in Prometheus' text format, for a scrape by a cron job or node_exporter's
// textfile collector.
#include <inttypes.h>

#include "cmd/load.h"

// Texts of a snapshot are harmless already.
static void add_label(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, ",%s=\"", name);
	for (const char *c = value; *c; c++) {
		if (*c == '\\' || *c == '"')
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, *c);
	}
	strbuf_add_char(out, '"');
}

static void add_head(struct strbuf *out, const char *prefix, const char *name)
{
	strbuf_addf(out, "# TYPE %s_%s gauge\n", prefix, name);
}

static void add_node(struct strbuf *out, const char *name, const struct mon_node *node,
                     double number)
{
	strbuf_addf(out, "vpsml_node_%s{node=\"%s\"} %.15g\n", name, node->name, number);
}

static void write_nodes(struct strbuf *out, const struct cmd_load *load)
{
	const struct mon_snapshot *s = load->snapshot;

	add_head(out, "vpsml_node", "ready");
	for (size_t i = 0; i < s->node_count; i++)
		add_node(out, "ready", &s->nodes[i], s->nodes[i].ready == MON_YES);
	add_head(out, "vpsml_node", "gpus");
	for (size_t i = 0; i < s->node_count; i++)
		add_node(out, "gpus", &s->nodes[i], (double)s->nodes[i].gpus_allocatable);
	add_head(out, "vpsml_node", "gpus_allocated");
	for (size_t i = 0; load->has_pods && i < s->node_count; i++)
		add_node(out, "gpus_allocated", &s->nodes[i], (double)s->nodes[i].gpus_allocated);
	for (size_t which = 0; which < MON_NODE_VALUES; which++) {
		add_head(out, "vpsml_node", mon_node_value_names[which]);
		for (size_t i = 0; i < s->node_count; i++)
			if (mon_value_is_known(&s->nodes[i].values[which]))
				add_node(out, mon_node_value_names[which], &s->nodes[i],
				         s->nodes[i].values[which].number);
	}
}

static void add_gpu(struct strbuf *out, const struct mon_snapshot *s, const struct mon_gpu *gpu,
                    size_t which)
{
	const struct mon_owner *owner = cmd_load_owner(s, gpu);
	const struct mon_pod *pod = cmd_load_owner_pod(s, gpu);

	if (!mon_value_is_known(&gpu->values[which]))
		return;
	strbuf_addf(out, "vpsml_gpu_%s{node=\"%s\"", mon_gpu_value_names[which],
	            s->nodes[gpu->node].name);
	if (gpu->index >= 0)
		strbuf_addf(out, ",gpu=\"%" PRId64 "\"", gpu->index);
	if (gpu->instance >= 0)
		strbuf_addf(out, ",instance_id=\"%" PRId64 "\"", gpu->instance);
	add_label(out, "uuid", gpu->uuid);
	add_label(out, "namespace", owner ? owner->namespace : "");
	add_label(out, "pod", owner ? owner->pod : "");
	add_label(out, "job", pod ? pod->job_name : "");
	add_label(out, "user", pod ? pod->user : "");
	strbuf_addf(out, "} %.15g\n", gpu->values[which].number);
}

void cmd_load_write_prometheus(struct strbuf *out, const struct cmd_load *load)
{
	const struct mon_snapshot *s = load->snapshot;

	write_nodes(out, load);
	for (size_t which = 0; which < MON_GPU_VALUES; which++) {
		add_head(out, "vpsml_gpu", mon_gpu_value_names[which]);
		for (size_t i = 0; i < s->gpu_count; i++)
			add_gpu(out, s, &s->gpus[i], which);
	}
}
