// SPDX-License-Identifier: MIT
// vpsml wait: until jobs have ended; exits as they did.
#include "cmd/commands.h"

#include "cmd/job_follow.h"
#include "jobs/target.h"

enum { NAMES_MAX_COUNT = 1000 };

struct wait_options {
	struct cmd_cluster_options cluster;
	struct cmd_follow_options follow;
};

static void init(void *data)
{
	cmd_follow_options_init(&((struct wait_options *)data)->follow);
}

static void release(void *data)
{
	cmd_cluster_options_release(&((struct wait_options *)data)->cluster);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	(void)data;
	jobs_target_check_jobs(&context->words, "can be waited for", faults);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct wait_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;

	context->failure_status = CMD_EXIT_OWN_FAILURE;
	cluster = cmd_cluster_open(context, &options->cluster, err);
	if (!cluster)
		return false;
	for (size_t i = 0; i < context->words.count; i++) {
		struct cmd_follow follow = {.context = context,
		                            .options = &options->follow,
		                            .says_states = true,
		                            .jobs = {.namespace = cmd_cluster_namespace(cluster),
		                                     .name = context->words.items[i],
		                                     .tail = -1}};
		int status;

		if (!cmd_follow_job(cluster, &follow, &status, err)) {
			if (!context->failure_status)
				context->failure_status = CMD_EXIT_OWN_FAILURE;
			return false;
		}
		if (status > context->exit_status)
			context->exit_status = status;
	}
	return true;
}

static const struct cli_group_use groups[] = {
	{&cmd_wait_group, offsetof(struct wait_options, follow)},
	{&cmd_cluster_group, offsetof(struct wait_options, cluster)},
};

static const struct cli_example examples[] = {
	{"until both have ended; the status is the higher one", "vpsml wait cnn nlp"},
	{"at most two hours", "vpsml wait cnn --timeout 2h"},
};

const struct cli_command cmd_wait = {
	.name = "wait",
	.page = "vpsml-wait",
	.section = "Jobs",
	.args = "JOB...",
	.summary = "wait until jobs have ended, and exit as they did",
	.about =
		"Waits until the jobs have ended and exits with the highest status of their containers. "
		"Failures of vpsml itself are 125, the time limit is 124, a job that was deleted 126.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = NAMES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct wait_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
