// SPDX-License-Identifier: MIT
// vpsml scale: how many pods of a Deployment or a job run.
#include "cmd/commands.h"

#include <inttypes.h>

#include "base/parse.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "jobs/scale.h"

enum { TEXT_MAX_BYTES = 4096 };

struct scale_options {
	struct cmd_cluster_options cluster;
};

static void release(void *data)
{
	cmd_cluster_options_release(&((struct scale_options *)data)->cluster);
}

static bool parse_words(const struct cli_context *context, struct jobs_target *ret_target,
                        int64_t *ret_n, struct faults *faults)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!jobs_target_parse(context->words.items[0], ret_target, &err))
		faults_take(faults, &err);
	else if (ret_target->kind == JOBS_KIND_POD)
		faults_add(faults, "\"%s\": a pod is one and has no number", context->words.items[0]);
	if (!parse_i64(context->words.items[1], 0, INT32_MAX, ret_n, &err)) {
		err_wrap(&err, "N");
		faults_take(faults, &err);
	}
	return !faults->errors.count;
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct jobs_target target;
	int64_t n;

	(void)data;
	if (context->words.count == 2)
		parse_words(context, &target, &n, faults);
}

static bool say(struct cli_context *context, const struct jobs_target *target,
                const struct jobs_scaling *scaling, int64_t n, struct err *err)
{
	static const char *const words[] = {
		[JOBS_SCALE_REPLICAS] = "replicas",
		[JOBS_SCALE_WORKERS] = "workers",
		[JOBS_SCALE_AT_ONCE] = "at once",
	};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	jobs_target_write(&text, target->kind, target->name);
	if (n == scaling->from)
		strbuf_addf(&text, " has %" PRId64 " %s already\n", n, words[scaling->way]);
	else
		strbuf_addf(&text, " scaled from %" PRId64 " to %" PRId64 " %s\n", scaling->from, n,
		            words[scaling->way]);
	return context->general.is_quiet || cli_write_out(context, &text, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct scale_options *options = data;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;
	struct jobs_target target;
	struct jobs_scaling scaling;
	int64_t n;

	if (!parse_words(context, &target, &n, &faults))
		return faults_none(&faults, err);
	cluster = cmd_cluster_open(context, &options->cluster, err);
	if (!cluster || !jobs_scale(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster),
	                            &target, n, &scaling, &faults, err))
		return false;
	cli_show_warnings(context, &faults);
	return say(context, &target, &scaling, n, err);
}

static const struct cli_group_use groups[] = {
	{&cmd_cluster_group, offsetof(struct scale_options, cluster)},
};

static const struct cli_example examples[] = {
	{"three replicas", "vpsml scale deploy/web 3"},
	{"eight tasks of an array at once", "vpsml scale sweep 8"},
};

const struct cli_command cmd_scale = {
	.name = "scale",
	.page = "vpsml-scale",
	.section = "Jobs",
	.args = "JOB|deploy/NAME N",
	.summary = "change how many pods of a job or a deployment run",
	.about =
		"Sets the replicas of a Deployment, the workers of an Indexed Job, or how many tasks of an "
		"array run at once. A job of one pod cannot be scaled.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 2,
	.word_max = 2,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct scale_options),
	.release = release,
	.check = check,
	.run = run,
};
