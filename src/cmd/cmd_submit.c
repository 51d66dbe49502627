// SPDX-License-Identifier: MIT
// vpsml submit: post a job, a pod, a deployment, or what is in files.
#include "cmd/commands.h"

#include <string.h>

#include "cmd/job_follow.h"
#include "cmd/objects.h"
#include "cmd/submission.h"
#include "cmd/submit_files.h"
#include "cmd/workload_options.h"

struct submit_options {
	struct cmd_submission submission;
	struct strv files;
	const char *kind; // word; NULL: job
	bool waits;
	struct cmd_follow_options follow;
};

static const char *const kind_words[] = {"job", "pod", "deployment", NULL};
static const char *const dry_run_words[] = {"none", "client", "server", NULL};

static const struct cli_option rows[] = {
	{.name = "filename",
     .letter = 'f',
     .kind = CLI_LIST,
     .completion = CLI_COMPLETE_FILE,
     .offset = offsetof(struct submit_options, files),
     .metavar = "FILE",
     .help = "post what is in FILE, YAML or JSON, instead of what flags say; -: standard input"},
	{.name = "kind",
     .kind = CLI_WORD,
     .offset = offsetof(struct submit_options, kind),
     .metavar = "KIND",
     .words = kind_words,
     .help = "job, pod or deployment (default: job)"},
	{.name = "name-prefix",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, submission.is_name_prefix),
     .help = "NAME, or a name in FILE, is a prefix: five random characters are added"},
	{.name = "replace",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, submission.replaces),
     .help = "delete what has the name now, with its pods, and take its place"},
	{.name = "dry-run",
     .kind = CLI_WORD,
     .offset = offsetof(struct submit_options, submission.dry_run),
     .metavar = "WHO",
     .words = dry_run_words,
     .help = "none, client (only show it) or server (let the server check it) (default: none)"},
	{.name = "wait",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, waits),
     .help = "wait until the job has ended, and exit as it did"},
};
static const struct cli_group group = {"Submission", rows, COUNT_OF(rows)};

static void init(void *data)
{
	struct submit_options *options = data;

	cmd_submission_init(&options->submission);
	cmd_follow_options_init(&options->follow);
}

static void release(void *data)
{
	struct submit_options *options = data;

	cmd_submission_release(&options->submission);
	strv_release(&options->files);
}

// Is NAME one of the options that describe a workload?
static bool describes_workload(const char *name)
{
	const struct cli_group *const described[] = {
		&cmd_container_group, &cmd_resources_group,  &cmd_environment_group,
		&cmd_storage_group,   &cmd_placement_group,  &cmd_job_group,
		&cmd_time_group,      &cmd_deployment_group, &cmd_metadata_group,
	};

	for (size_t i = 0; i < COUNT_OF(described); i++)
		for (size_t j = 0; j < described[i]->count; j++)
			if (!strcmp(described[i]->options[j].name, name))
				return true;
	return false;
}

// A file says all that these flags could: none of them is dropped in silence.
static void check_given(const struct cli_context *context, struct faults *faults)
{
	for (size_t i = 0; i < context->given.count; i++) {
		const char *name = context->given.items[i];

		if (!strcmp(name, "kind") || !strcmp(name, "wait") || describes_workload(name))
			faults_add(faults, "--%s: says nothing beside --filename", name);
	}
	if (context->words.count)
		faults_add(faults, "NAME and --filename exclude each other");
	if (context->has_command)
		faults_add(faults, "COMMAND and --filename exclude each other");
}

static void check_files(const struct cli_context *context, const struct submit_options *options,
                        struct faults *faults)
{
	size_t streams = 0;

	check_given(context, faults);
	for (size_t i = 0; i < options->files.count; i++)
		streams += !strcmp(options->files.items[i], "-");
	if (streams > 1)
		faults_add(faults, "--filename: standard input can be read once");
	if (options->submission.is_name_prefix && options->submission.replaces)
		faults_add(faults, "--name-prefix and --replace exclude each other");
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct submit_options *options = data;
	const char *kind = options->kind ? options->kind : kind_words[0];

	if (options->files.count) {
		check_files(context, options, faults);
		return;
	}
	if (!context->words.count) {
		faults_add(faults, "missing argument: NAME, or --filename FILE");
		return;
	}
	options->submission.workload.kind = !strcmp(kind, "pod")          ? KUBE_WORKLOAD_POD
	                                    : !strcmp(kind, "deployment") ? KUBE_WORKLOAD_DEPLOYMENT
	                                                                  : KUBE_WORKLOAD_JOB;
	cmd_submission_check(context, &options->submission, faults);
	if (options->waits && options->submission.workload.kind != KUBE_WORKLOAD_JOB)
		faults_add(faults, "--wait: waits for jobs alone");
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct submit_options *options = data;
	const struct cmd_submission *submission = &options->submission;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;

	if (options->files.count)
		return cmd_submit_files(context, submission, &options->files, err);
	if (cmd_submission_is_dry_run(submission, "client"))
		return cmd_submission_show(context, submission, err);
	cluster = cmd_cluster_open(context, &submission->cluster, err);
	if (!cluster || !cmd_submission_post(context, &options->submission, cluster, true, err))
		return false;
	if (!options->waits || cmd_submission_is_dry_run(submission, "server"))
		return true;
	return cmd_submission_follow(context, submission, &options->follow, cluster, false, err);
}

#define USE(group_name)                                                     \
	{                                                                       \
		&(group_name), offsetof(struct submit_options, submission.workload) \
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
	USE(cmd_deployment_group),
	USE(cmd_metadata_group),
	{&cmd_made_output_group, offsetof(struct submit_options, submission.format)},
	{&cmd_wait_group, offsetof(struct submit_options, follow)},
	{&cmd_cluster_group, offsetof(struct submit_options, submission.cluster)},
};

static const struct cli_example examples[] = {
	{"one GPU, one CPU, 4 GiB", "vpsml submit cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
                                "      --memory 4Gi -- python train.py"},
	{"a new name each time, and only that on standard output",
     "vpsml submit nlp --name-prefix -q --image nlp:1 --cpu 2 \\\n"
     "      --memory 4Gi -- python train.py"},
	{"many jobs out of a file: all are checked, then all are made", "vpsml submit -f jobs.yaml"},
	{"let the server check it, and create nothing",
     "vpsml submit cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
     "      --memory 4Gi --dry-run server -- python train.py"},
};

const struct cli_command cmd_submit = {
	.name = "submit",
	.page = "vpsml-submit",
	.section = "Jobs",
	.args = "[NAME]",
	.summary = "post a job, a pod, a deployment, or what is in files",
	.about =
		"Posts a job (or a pod, or a deployment) and returns; with --filename all that is in "
		"files. "
		"Before it does, it asks the cluster for what the server would not check: the priority "
		"class, claims, Secrets and accounts, quotas, and whether any node is large enough. A "
		"reply "
		"that is lost never makes two jobs.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct submit_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
