// SPDX-License-Identifier: MIT
// vpsml get: a job in full.
#include "cmd/commands.h"

#include "base/parse.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/job_detail.h"
#include "yaml/yaml.h"

enum { NAMES_MAX_COUNT = 1000, OUT_MAX_BYTES = 64 * 1024 * 1024 };

static const char *const format_words[] = {"text", "wide", "json", "yaml", "name", NULL};

struct get_options {
	struct cmd_cluster_options cluster;
	enum cli_format format;
};

// The words are those of cli_parse_format but for the first, which is no table here.
static bool parse_format(struct cli_context *context, const char *text, void *field,
                         struct err *err)
{
	size_t index;

	(void)context;
	if (!parse_word(text, format_words, &index, err))
		return false;
	*(enum cli_format *)field = (enum cli_format)index;
	return true;
}

static const struct cli_option rows[] = {
	{.name = "output",
     .letter = 'o',
     .kind = CLI_VALUE,
     .offset = offsetof(struct get_options, format),
     .metavar = "FORMAT",
     .words = format_words,
     .parse = parse_format,
     .help = "text, wide (labels and every event too), json, yaml or name (default: text)"},
};
static const struct cli_group group = {"Output", rows, COUNT_OF(rows)};

static void release(void *data)
{
	cmd_cluster_options_release(&((struct get_options *)data)->cluster);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	(void)data;
	for (size_t i = 0; i < context->words.count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct jobs_target target;

		if (!jobs_target_parse(context->words.items[i], &target, &err))
			faults_take(faults, &err);
	}
}

// What is shown of all, in the order of the names.
struct shown {
	const struct get_options *options;
	int64_t now_ms;
	struct strbuf text;
	struct json_build build;
	size_t count;
};

static bool show(struct shown *shown, const struct jobs_detail *detail, struct err *err)
{
	enum cli_format format = shown->options->format;
	bool is_wide = format == CLI_FORMAT_WIDE;

	if (format == CLI_FORMAT_JSON || format == CLI_FORMAT_YAML) {
		cmd_detail_put(&shown->build, detail, shown->now_ms);
	} else if (format == CLI_FORMAT_NAME) {
		jobs_target_write(&shown->text, detail->kind, detail->item.job.name);
		strbuf_add_char(&shown->text, '\n');
	} else {
		strbuf_add(&shown->text, shown->count++ ? "\n" : "");
		return cmd_detail_write(&shown->text, detail, shown->now_ms, is_wide, err);
	}
	return true;
}

static bool finish_tree(struct shown *shown, struct err *err)
{
	_cleanup_json_ struct json *tree = NULL;

	json_build_close(&shown->build);
	json_build_close(&shown->build);
	tree = json_build_take(&shown->build, err);
	if (!tree)
		return false;
	if (shown->options->format == CLI_FORMAT_YAML)
		return yaml_write(&shown->text, tree, err);
	json_write_pretty(&shown->text, tree);
	return true;
}

// Those that are there are shown, also where another one is not.
static bool show_all(struct shown *shown, struct cli_context *context, struct cmd_cluster *cluster,
                     struct faults *faults, struct err *err)
{
	for (size_t i = 0; i < context->words.count; i++) {
		_cleanup_jobs_detail_ struct jobs_detail detail = {.object = NULL};
		_cleanup_err_ struct err one = ERR_INIT;
		struct jobs_target target;

		if (!jobs_target_parse(context->words.items[i], &target, err))
			return false;
		if (jobs_detail_get(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster), &target,
		                    &detail, &one)) {
			if (!show(shown, &detail, err))
				return false;
		} else if (one.kind == ERR_REFUSED && context->words.count > 1) {
			faults_take(faults, &one);
		} else {
			return err_copy(err, &one);
		}
	}
	return true;
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct get_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	struct shown shown = {.options = options,
	                      .now_ms = context->clock->wall_ms(context->clock->context),
	                      .text = STRBUF_INIT(OUT_MAX_BYTES),
	                      .build = JSON_BUILD_INIT};
	bool has_tree = options->format == CLI_FORMAT_JSON || options->format == CLI_FORMAT_YAML;
	bool is_ok;

	json_build_open_object(&shown.build, NULL);
	json_build_open_array(&shown.build, "jobs");
	is_ok = cluster && show_all(&shown, context, cluster, &faults, err) &&
	        (!has_tree || finish_tree(&shown, err)) && cli_write_out(context, &shown.text, err);
	strbuf_release(&shown.text);
	json_build_release(&shown.build);
	if (!is_ok || faults_none(&faults, err))
		return is_ok;
	err->kind = ERR_REFUSED;
	return false;
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct get_options, cluster)},
};

static const struct cli_example examples[] = {
	{"everything about one job", "vpsml get cnn"},
	{"the same for a script", "vpsml get cnn gan -o json"},
	{"a Deployment", "vpsml get deploy/web"},
};

const struct cli_command cmd_get = {
	.name = "get",
	.alias = "describe",
	.page = "vpsml-get",
	.section = "Jobs",
	.args = "JOB...",
	.summary = "show a job in full: why it waits, its pods, its events",
	.about =
		"Shows jobs in full: state and reason as list has them, what they run and ask for, each of "
		"their pods with node, exit status and restarts, and what happened to them.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = NAMES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct get_options),
	.release = release,
	.check = check,
	.run = run,
};
