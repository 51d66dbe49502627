// SPDX-License-Identifier: MIT
// vpsml run: post a job and stay with it.
#include "cmd/commands.h"

#include "cmd/job_follow.h"
#include "cmd/submission.h"
#include "cmd/workload_options.h"

struct run_options {
	struct cmd_submission submission;
	struct cmd_follow_options follow;
};

static const struct cli_option rows[] = {
	{.name = "name-prefix",
     .kind = CLI_FLAG,
     .offset = offsetof(struct run_options, submission.is_name_prefix),
     .help = "NAME is a prefix: five random characters are added"},
	{.name = "replace",
     .kind = CLI_FLAG,
     .offset = offsetof(struct run_options, submission.replaces),
     .help = "delete the job that has the name now, with its pods, and take its place"},
	{.name = "timestamps",
     .kind = CLI_FLAG,
     .offset = offsetof(struct run_options, follow.shows_timestamps),
     .help = "when each line of the log was written"},
};
static const struct cli_group group = {"Submission", rows, COUNT_OF(rows)};

static void init(void *data)
{
	struct run_options *options = data;

	cmd_submission_init(&options->submission);
	cmd_follow_options_init(&options->follow);
}

static void release(void *data)
{
	cmd_submission_release(&((struct run_options *)data)->submission);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct run_options *options = data;

	cmd_submission_check(context, &options->submission, faults);
}

// Ends as the job does. Before it is accepted the usual statuses tell what was wrong; but they would look
// like the job's own, so all of them are 125 but a wrong command line.
static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct run_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;

	context->failure_status = CMD_EXIT_OWN_FAILURE;
	cluster = cmd_cluster_open(context, &options->submission.cluster, err);
	return cluster && cmd_submission_post(context, &options->submission, cluster, false, err) &&
	       cmd_submission_follow(context, &options->submission, &options->follow, cluster, true,
	                             err);
}

#define USE(group_name)                                                  \
	{                                                                    \
		&(group_name), offsetof(struct run_options, submission.workload) \
	}

static const struct cli_group_use groups[] = {
	{&group, 0},
	USE(cmd_container_group),
	USE(cmd_resources_group),
	USE(cmd_environment_group),
	USE(cmd_storage_group),
	USE(cmd_placement_group),
	USE(cmd_job_group),
	USE(cmd_time_group),
	USE(cmd_metadata_group),
	{&cmd_wait_group, offsetof(struct run_options, follow)},
	{&cmd_cluster_group, offsetof(struct run_options, submission.cluster)},
};

static const struct cli_example examples[] = {
	{"train, see the log, and exit as the training did",
     "vpsml run cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
     "      --memory 4Gi -- python train.py"},
};

const struct cli_command cmd_run = {
	.name = "run",
	.page = "vpsml-submit",
	.section = "Jobs",
	.args = "NAME",
	.summary = "post a job, follow its log, and exit as it did",
	.about =
		"Posts a job as submit does, shows its log until it ends, and exits with the status of its "
		"container: killed for memory is 137, the time limit 124, deleted 126, and every failure "
		"of vpsml itself 125. Ctrl-C detaches, and a second one within two seconds cancels.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct run_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
