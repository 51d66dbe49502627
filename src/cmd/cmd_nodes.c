// SPDX-License-Identifier: MIT
// vpsml nodes: what each node has, what is asked of it, and what is used.
#include "cmd/commands.h"

#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/load.h"
#include "yaml/yaml.h"

enum { OUT_MAX_BYTES = 64 * 1024 * 1024 };

struct nodes_options {
	struct cmd_cluster_options cluster;
	enum cli_format format;
};

static const struct cli_option rows[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_VALUE,
     .offset = offsetof(struct nodes_options, format),
     .metavar = "FORMAT",
     .words = cli_format_words,
     .parse = cli_parse_format,
     .help = "table, wide, json, yaml, name or csv (default: table)"},
};
static const struct cli_group group = {"Nodes", rows, COUNT_OF(rows)};

static void release(void *data)
{
	cmd_cluster_options_release(&((struct nodes_options *)data)->cluster);
}

static const struct cli_column columns[] = {
	{"NAME", false, false},    {"STATE", false, false},   {"ROLES", false, false},
	{"GPUS", false, true},     {"CPU-USED", false, true}, {"CPU-REQ", false, true},
	{"CPU", false, true},      {"MEM-USED", false, true}, {"MEM-REQ", false, true},
	{"MEM", false, true},      {"VERSION", false, false}, {"PODS", true, true},
	{"GPU-TYPE", true, false},
};

// Numbers as numbers, with their units in the titles.
static const struct cli_column csv_columns[] = {
	{"name", false, false},
	{"state", false, false},
	{"roles", false, false},
	{"gpus_allocated", false, false},
	{"gpus", false, false},
	{"cpu_used_milli", false, false},
	{"cpu_requested_milli", false, false},
	{"cpu_allocatable_milli", false, false},
	{"memory_used_bytes", false, false},
	{"memory_requested_bytes", false, false},
	{"memory_allocatable_bytes", false, false},
	{"version", false, false},
};

typedef void write_fn(struct strbuf *out, int64_t number);

static bool add_used(struct cli_table *table, const struct mon_value *value, write_fn *write,
                     struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);
	bool is_old = value->state == MON_STALE;

	if (!is_old && !mon_value_is_known(value))
		return cli_table_add(table, "n/a", err);
	write(&text, (int64_t)value->number);
	strbuf_add(&text, is_old ? " (stale)" : "");
	return cmd_load_add_cell(table, &text, err);
}

static bool add_known(struct cli_table *table, bool is_known, int64_t number, write_fn *write,
                      struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	if (!is_known)
		return cli_table_add(table, "n/a", err);
	write(&text, number);
	return cmd_load_add_cell(table, &text, err);
}

static bool add_name(struct cli_table *table, const struct mon_node *node, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);

	if (!cli_table_add(table, node->name, err))
		return false;
	cmd_load_add_state(&text, node);
	if (!cmd_load_add_cell(table, &text, err))
		return false;
	cmd_load_add_roles(&text, node);
	return cmd_load_add_cell(table, &text, err);
}

static bool add_row(struct cli_table *table, const struct cmd_load *load,
                    const struct mon_node *node, struct err *err)
{
	_cleanup_strbuf_ struct strbuf gpus = STRBUF_INIT(64);
	const struct mon_value *values = node->values;
	bool has_pods = load->has_pods;

	cmd_load_add_gpus(&gpus, load, node);
	return add_name(table, node, err) && cmd_load_add_cell(table, &gpus, err) &&
	       add_used(table, &values[MON_NODE_CPU_MILLI], cmd_load_add_cpus, err) &&
	       add_known(table, has_pods, node->cpu_requested_milli, cmd_load_add_cpus, err) &&
	       add_known(table, true, node->cpu_allocatable_milli, cmd_load_add_cpus, err) &&
	       add_used(table, &values[MON_NODE_MEMORY_BYTES], cmd_load_add_bytes, err) &&
	       add_known(table, has_pods, node->memory_requested_bytes, cmd_load_add_bytes, err) &&
	       add_known(table, true, node->memory_allocatable_bytes, cmd_load_add_bytes, err) &&
	       cli_table_add(table, node->version, err) &&
	       cmd_load_add_number(table, has_pods, (double)node->pod_count, err) &&
	       cli_table_add(table, node->pool, err);
}

static bool add_value(struct cli_table *table, const struct mon_value *value, struct err *err)
{
	return cmd_load_add_number(table, mon_value_is_known(value), value->number, err);
}

static bool add_csv_row(struct cli_table *table, const struct cmd_load *load,
                        const struct mon_node *node, struct err *err)
{
	const struct mon_value *values = node->values;
	bool has_pods = load->has_pods;

	return add_name(table, node, err) &&
	       cmd_load_add_number(table, has_pods, (double)node->gpus_allocated, err) &&
	       cmd_load_add_number(table, true, (double)node->gpus_allocatable, err) &&
	       add_value(table, &values[MON_NODE_CPU_MILLI], err) &&
	       cmd_load_add_number(table, has_pods, (double)node->cpu_requested_milli, err) &&
	       cmd_load_add_number(table, true, (double)node->cpu_allocatable_milli, err) &&
	       add_value(table, &values[MON_NODE_MEMORY_BYTES], err) &&
	       cmd_load_add_number(table, has_pods, (double)node->memory_requested_bytes, err) &&
	       cmd_load_add_number(table, true, (double)node->memory_allocatable_bytes, err) &&
	       cli_table_add(table, node->version, err);
}

static bool write_table(struct strbuf *out, const struct cmd_load *load, enum cli_format format,
                        struct err *err)
{
	bool is_csv = format == CLI_FORMAT_CSV;
	_cleanup_cli_table_ struct cli_table table = {
		is_csv ? csv_columns : columns, is_csv ? COUNT_OF(csv_columns) : COUNT_OF(columns),
		STRV_INIT};

	for (size_t i = 0; i < load->snapshot->node_count; i++)
		if (!(is_csv ? add_csv_row : add_row)(&table, load, &load->snapshot->nodes[i], err))
			return false;
	if (is_csv)
		cli_table_write_csv(out, &table);
	else
		cli_table_write(out, &table, format == CLI_FORMAT_WIDE);
	return true;
}

static bool write_tree(struct strbuf *out, const struct cmd_load *load, enum cli_format format,
                       struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	cmd_load_put_nodes(&b, load);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	if (format == CLI_FORMAT_YAML)
		return yaml_write(out, tree, err);
	json_write_pretty(out, tree);
	return true;
}

static bool write_nodes(struct strbuf *out, const struct cmd_load *load, enum cli_format format,
                        struct err *err)
{
	if (format == CLI_FORMAT_NAME) {
		for (size_t i = 0; i < load->snapshot->node_count; i++)
			strbuf_addf(out, "node/%s\n", load->snapshot->nodes[i].name);
		return true;
	}
	if (format == CLI_FORMAT_JSON || format == CLI_FORMAT_YAML)
		return write_tree(out, load, format, err);
	return write_table(out, load, format, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct nodes_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_cmd_load_ struct cmd_load load = {NULL, false};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!cluster || !cmd_load_collect(context, cluster, false, &load, err))
		return false;
	if (options->format != CLI_FORMAT_NAME)
		cmd_load_warn(&load, &faults);
	cli_show_warnings(context, &faults);
	return write_nodes(&out, &load, options->format, err) && cli_write_out(context, &out, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct nodes_options, cluster)},
};

static const struct cli_example examples[] = {
	{"each node's load and what pods ask of it", "vpsml nodes"},
	{"for a script, numbers as numbers", "vpsml nodes -o json"},
};

const struct cli_command cmd_nodes = {
	.name = "nodes",
	.page = "vpsml-nodes",
	.section = "Watch",
	.summary = "show nodes with what is used, asked for and there",
	.about =
		"Shows each node's state and roles, its GPUs and how many of them pods hold, and its CPUs "
		"and memory: in use, asked for by pods, and there for pods.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct nodes_options),
	.release = release,
	.run = run,
};
