// SPDX-License-Identifier: MIT
// vpsml logs: what a job's containers have written, and write.
#include "cmd/commands.h"

#include <inttypes.h>

#include "base/mem.h"
#include "cmd/job_follow.h"
#include "jobs/target.h"

struct logs_options {
	struct cmd_cluster_options cluster;
	struct cmd_follow_options follow;
	bool follows, is_previous;
	char *container;
	int64_t index; // -1: all
	int64_t since_s, tail;
};

#define AT(member) .offset = offsetof(struct logs_options, member)

static const struct cli_option rows[] = {
	{.name = "follow",
     .letter = 'f',
     .kind = CLI_FLAG,
     AT(follows),
     .help = "go on until the job ends"},
	{.name = "container",
     .letter = 'c',
     .kind = CLI_STRING,
     AT(container),
     .metavar = "NAME",
     .help = "of this container alone"},
	{.name = "index",
     .kind = CLI_INT,
     .min = 0,
     .max = INT32_MAX,
     AT(index),
     .metavar = "N",
     .help = "of this worker or array task alone"},
	{.name = "tail",
     .kind = CLI_INT,
     .min = 0,
     .max = INT32_MAX,
     AT(tail),
     .metavar = "N",
     .help = "the last N lines of each container"},
	{.name = "since",
     .kind = CLI_DURATION,
     .min = 1,
     AT(since_s),
     .metavar = "DURATION",
     .help = "lines of this last time alone"},
	{.name = "previous",
     .letter = 'p',
     .kind = CLI_FLAG,
     AT(is_previous),
     .help = "of the run before kubelet restarted the container"},
	{.name = "timestamps",
     .kind = CLI_FLAG,
     AT(follow.shows_timestamps),
     .help = "when each line was written"},
};
static const struct cli_group group = {"Log", rows, COUNT_OF(rows)};

static void init(void *data)
{
	struct logs_options *options = data;

	options->index = options->tail = -1;
}

static void release(void *data)
{
	struct logs_options *options = data;

	cmd_cluster_options_release(&options->cluster);
	mem_free(options->container);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	const struct logs_options *options = data;

	jobs_target_check_jobs(&context->words, "has a log here", faults);
	if (options->follows && options->is_previous)
		faults_add(faults, "--follow and --previous exclude each other");
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct logs_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	struct cmd_follow follow = {.context = context, .options = &options->follow};
	char index[24];
	int status;

	if (!cluster)
		return false;
	snprintf(index, sizeof(index), "%" PRId64, options->index);
	follow.jobs = (struct jobs_follow_options){
		.namespace = cmd_cluster_namespace(cluster),
		.name = context->words.items[0],
		.has_logs = true,
		.ends_with_logs = !options->follows,
		.container = options->container,
		.index = options->index < 0 ? NULL : index,
		.is_previous = options->is_previous,
		.since_s = options->since_s,
		.tail = options->tail,
	};
	if (cmd_follow_job(cluster, &follow, &status, err))
		return true;
	// The log is what was asked for, not the job: failures have the usual statuses.
	if (context->failure_status == CMD_EXIT_OWN_FAILURE ||
	    context->failure_status == CMD_EXIT_CANCELLED)
		context->failure_status = 0;
	return false;
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct logs_options, cluster)},
};

static const struct cli_example examples[] = {
	{"follow a job until it ends", "vpsml logs -f cnn"},
	{"the end of what one worker wrote", "vpsml logs gan --index 2 --tail 20"},
};

const struct cli_command cmd_logs = {
	.name = "logs",
	.page = "vpsml-logs",
	.section = "Jobs",
	.args = "JOB",
	.summary = "show what a job has written",
	.about =
		"Shows the log of every container of a job, with the pod's name in front where there are "
		"several. With --follow it goes on until the job ends; a connection that breaks is made "
		"anew, and no line is lost or comes twice.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 1,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct logs_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
