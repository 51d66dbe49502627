// SPDX-License-Identifier: MIT
// vpsml top: which GPUs are held, by whom, and what they do.
#include "cmd/commands.h"

#include "base/mem.h"
#include "base/parse.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/load_text.h"
#include "cmd/top_feed.h"
#include "cmd/top_screen.h"
#include "kube/timestamp.h"
#include "mon/record.h"

enum { OUT_MAX_BYTES = 64 * 1024 * 1024, MAX_INTERVAL_S = 60, PROGRAM_LIMIT_MS = 60000 };

enum top_format { TOP_TABLE, TOP_JSON, TOP_CSV, TOP_PROMETHEUS };

struct top_options {
	struct cmd_cluster_options cluster;
	bool is_once, is_ascii, is_reverse;
	const char *format; // a word; NULL: the first
	const char *view;   // a word; NULL: nodes
	char *filter, *sort, *replay, *record;
	int64_t interval_s;
};

static const char *const format_words[] = {"table", "json", "csv", "prometheus", NULL};
static const char *const view_words[] = {"nodes", "gpus", "pods", "jobs", "queue", "alerts", NULL};

static const struct cli_option rows[] = {
	{.name = "once",
     .kind = CLI_FLAG,
     .offset = offsetof(struct top_options, is_once),
     .help = "show one picture and end, as without a terminal"},
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .offset = offsetof(struct top_options, format),
     .metavar = "FORMAT",
     .words = format_words,
     .help = "one picture as table, json, csv (a line a GPU) or prometheus (default: table)"},
	{.name = "view",
     .kind = CLI_WORD,
     .offset = offsetof(struct top_options, view),
     .metavar = "VIEW",
     .words = view_words,
     .help = "begin with nodes, gpus, pods, jobs, queue or alerts (default: nodes)"},
	{.name = "filter",
     .kind = CLI_STRING,
     .offset = offsetof(struct top_options, filter),
     .metavar = "EXPRESSION",
     .help = "show rows of that view for which this holds: 'gpu<5 & alloc>0'"},
	{.name = "sort",
     .kind = CLI_STRING,
     .offset = offsetof(struct top_options, sort),
     .metavar = "FIELD",
     .help = "sort that view by this field"},
	{.name = "reverse",
     .kind = CLI_FLAG,
     .offset = offsetof(struct top_options, is_reverse),
     .help = "with --sort: the other way round"},
	{.name = "interval",
     .kind = CLI_DURATION,
     .min = 2,
     .offset = offsetof(struct top_options, interval_s),
     .metavar = "TIME",
     .help = "ask the cluster so often, 2s to 1m (default: 5s)"},
	{.name = "ascii",
     .kind = CLI_FLAG,
     .offset = offsetof(struct top_options, is_ascii),
     .help = "draw with ASCII alone, whatever the locale says"},
	{.name = "record",
     .kind = CLI_STRING,
     .offset = offsetof(struct top_options, record),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "add each picture to this file, a line of JSON each"},
	{.name = "replay",
     .kind = CLI_STRING,
     .offset = offsetof(struct top_options, replay),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "show what --record wrote; no cluster is asked"},
};
static const struct cli_group group = {"Top", rows, COUNT_OF(rows)};

static void release(void *data)
{
	struct top_options *options = data;

	cmd_cluster_options_release(&options->cluster);
	mem_free(options->filter);
	mem_free(options->sort);
	mem_free(options->replay);
	mem_free(options->record);
}

// A dashboard set up as the options say; what is wrong with them is added to FAULTS. NULL for want of
// memory alone.
static struct tui *make_screen(const struct top_options *options, struct faults *faults,
                               struct err *err)
{
	_cleanup_tui_ struct tui *tui = tui_new(err);
	_cleanup_err_ struct err filter = ERR_INIT, sort = ERR_INIT;
	size_t view = TUI_VIEW_NODES;

	if (!tui || (options->view && !parse_word(options->view, view_words, &view, err)))
		return NULL;
	tui_set_view(tui, (enum tui_view_id)view);
	if (options->interval_s)
		tui_set_interval_s(tui, (int)options->interval_s);
	if (!tui_set_filter(tui, options->filter, &filter)) {
		err_wrap(&filter, "--filter");
		faults_take(faults, &filter);
	}
	if (options->sort && !tui_set_sort(tui, options->sort, options->is_reverse, &sort)) {
		err_wrap(&sort, "--sort");
		faults_take(faults, &sort);
	}
	return TAKE(tui);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct top_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_tui_ struct tui *tui = make_screen(options, faults, &err);

	(void)context;
	if (!tui)
		faults_take(faults, &err);
	if (options->interval_s > MAX_INTERVAL_S)
		faults_add(faults, "--interval: more than a minute");
	if (options->is_reverse && !options->sort)
		faults_add(faults, "--reverse: needs --sort");
	if (options->record && options->replay)
		faults_add(faults, "--record: a record that is replayed cannot be recorded again");
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

// One picture of the cluster, or the last one of the record.
static bool look(struct cli_context *context, const struct top_options *options,
                 struct cmd_load *ret, struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;
	size_t bad;

	if (!options->replay) {
		cluster = cmd_cluster_open(context, &options->cluster, err);
		return cluster && cmd_load_collect(context, cluster, true, ret, err);
	}
	ret->snapshot = top_feed_last(options->replay, &bad, err);
	ret->has_pods = true;
	if (bad) {
		_cleanup_faults_ struct faults faults = FAULTS_INIT;

		faults_warn(&faults, "%s: %zu lines could not be read", options->replay, bad);
		cli_show_warnings(context, &faults);
	}
	return ret->snapshot;
}

static bool record_once(const char *path, const struct mon_snapshot *s, struct err *err)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(MON_RECORD_MAX_LINE_BYTES);

	return !path || (mon_record_write(&line, s, true, err) &&
	                 top_feed_append(path, strbuf_get(&line), line.len, err));
}

static bool run_once(struct cli_context *context, const struct top_options *options,
                     struct err *err)
{
	_cleanup_cmd_load_ struct cmd_load load = {NULL, false};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!look(context, options, &load, err) || !record_once(options->record, load.snapshot, err))
		return false;
	cmd_load_warn(&load, &faults);
	cli_show_warnings(context, &faults);
	return write_as(&out, &load, options->format, err) && cli_write_out(context, &out, err);
}

// A program for credentials may ask nobody: it would write over the screen.
static bool open_source(struct cli_context *context, struct top_options *options,
                        struct top_source *source, struct err *err)
{
	options->cluster.program_limit_ms = PROGRAM_LIMIT_MS;
	if (options->replay)
		return (source->replay = mem_dup(options->replay)) || err_memory(err);
	source->cluster = cmd_cluster_open(context, &options->cluster, err);
	return source->cluster;
}

static bool run_live(struct cli_context *context, struct top_options *options, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_tui_ struct tui *tui = make_screen(options, &faults, err);
	struct top_source source = {.record = options->record, .clock = context->clock};
	struct top_feed *feed;
	bool is_ok;

	if (!tui || !faults_none(&faults, err) || !open_source(context, options, &source, err))
		return false;
	source.interval_s = tui_interval_s(tui);
	feed = top_feed_start(&source, err);
	is_ok = feed && top_screen_run(context, feed, tui, options->is_ascii, err);
	top_feed_stop(feed);
	return is_ok;
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct top_options *options = data;

	if (options->is_once || options->format || !top_screen_is_possible(context))
		return run_once(context, options, err);
	return run_live(context, options, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct top_options, cluster)},
};

static const struct cli_example examples[] = {
	{"who holds which GPU, and does it work", "vpsml top"},
	{"GPUs that are held and not used", "vpsml top --view gpus --filter 'gpu<5 & alloc>0'"},
	{"a line of CSV for each GPU, for a script", "vpsml top -o csv"},
	{"keep what is seen, and look at it again", "vpsml top --record day.ndjson"},
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
