// SPDX-License-Identifier: MIT
// vpsml top: which GPUs are held, by whom, and what they do.
#include "cmd/commands.h"

#include "base/parse.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/load_text.h"
#include "kube/timestamp.h"

enum { OUT_MAX_BYTES = 64 * 1024 * 1024 };

enum top_format { TOP_TABLE, TOP_JSON, TOP_CSV, TOP_PROMETHEUS };

struct top_options {
	struct cmd_cluster_options cluster;
	bool is_once;
	const char *format; // a word; NULL: the first
};

static const char *const format_words[] = {"table", "json", "csv", "prometheus", NULL};

static const struct cli_option rows[] = {
	{.name = "once",
     .kind = CLI_FLAG,
     .offset = offsetof(struct top_options, is_once),
     .help = "show one picture and end"},
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .offset = offsetof(struct top_options, format),
     .metavar = "FORMAT",
     .words = format_words,
     .help = "with --once: table, json, csv (a line a GPU) or prometheus (default: table)"},
};
static const struct cli_group group = {"Top", rows, COUNT_OF(rows)};

static void release(void *data)
{
	cmd_cluster_options_release(&((struct top_options *)data)->cluster);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct top_options *options = data;

	(void)context;
	if (!options->is_once)
		faults_add(faults, "the live screen is not there yet: --once shows one picture");
}

static bool write_tree(struct strbuf *out, const struct cmd_load *load, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf time = STRBUF_INIT(64);

	kube_timestamp_write(&time, load->snapshot->now_ms);
	json_build_open_object(&b, NULL);
	json_put_text(&b, "time", &time);
	cmd_load_put_nodes(&b, load);
	cmd_load_put_rest(&b, load);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (tree)
		json_write_pretty(out, tree);
	return tree;
}

static bool write_as(struct strbuf *out, const struct cmd_load *load, const char *format,
                     struct err *err)
{
	size_t index = TOP_TABLE;

	if (format && !parse_word(format, format_words, &index, err))
		return false;
	switch ((enum top_format)index) {
	case TOP_JSON:
		return write_tree(out, load, err);
	case TOP_CSV:
		return cmd_load_write_csv(out, load, err);
	case TOP_PROMETHEUS:
		cmd_load_write_prometheus(out, load);
		return true;
	case TOP_TABLE:
		break;
	}
	return cmd_load_write_text(out, load, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct top_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_cmd_load_ struct cmd_load load = {NULL, false};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!cluster || !cmd_load_collect(context, cluster, true, &load, err))
		return false;
	cmd_load_warn(&load, &faults);
	cli_show_warnings(context, &faults);
	return write_as(&out, &load, options->format, err) && cli_write_out(context, &out, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct top_options, cluster)},
};

static const struct cli_example examples[] = {
	{"who holds which GPU, and does it work", "vpsml top --once"},
	{"GPUs that are held and idle, for a script",
     "vpsml top --once -o csv | awk -F, '$6 == \"idle\"'"},
};

const struct cli_command cmd_top = {
	.name = "top",
	.page = "vpsml-top",
	.section = "Watch",
	.summary = "show the load of nodes and GPUs, and who holds them",
	.about =
		"Shows nodes with the load of their CPUs, memory and GPUs, each GPU with the pod, job and "
		"user that hold it, and pods that wait for GPUs.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct top_options),
	.release = release,
	.check = check,
	.run = run,
};
