// SPDX-License-Identifier: MIT
// vpsml submit: post a job, a pod or a deployment. vpsml run: post a job and stay with it.
#include "cmd/commands.h"

#include "base/mem.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/field_flags.h"
#include "cmd/job_follow.h"
#include "cmd/objects.h"
#include "cmd/workload_options.h"
#include "jobs/preflight.h"
#include "jobs/submit.h"

enum { DEFAULT_START_LIMIT_S = 600 };

struct submit_options {
	struct kube_workload workload;
	struct cmd_cluster_options cluster;
	const char *kind, *dry_run; // words; NULL: the first
	bool replaces, is_name_prefix;
	bool waits; // submit --wait
	struct cmd_follow_options follow;
};

static const char *const kind_words[] = {"job", "pod", "deployment", NULL};
static const char *const dry_run_words[] = {"none", "client", "server", NULL};

static const struct cli_option rows[] = {
	{.name = "kind",
     .kind = CLI_WORD,
     .offset = offsetof(struct submit_options, kind),
     .metavar = "KIND",
     .words = kind_words,
     .help = "job, pod or deployment (default: job)"},
	{.name = "name-prefix",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, is_name_prefix),
     .help = "NAME is a prefix: five random characters are added"},
	{.name = "replace",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, replaces),
     .help = "delete what has the name now, with its pods, and take its place"},
	{.name = "dry-run",
     .kind = CLI_WORD,
     .offset = offsetof(struct submit_options, dry_run),
     .metavar = "WHO",
     .words = dry_run_words,
     .help = "none, client (only show it) or server (let the server check it) (default: none)"},
	{.name = "wait",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, waits),
     .help = "wait until the job has ended, and exit as it did"},
};
static const struct cli_group group = {"Submission", rows, COUNT_OF(rows)};

static const struct cli_option run_rows[] = {
	{.name = "name-prefix",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, is_name_prefix),
     .help = "NAME is a prefix: five random characters are added"},
	{.name = "replace",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, replaces),
     .help = "delete the job that has the name now, with its pods, and take its place"},
	{.name = "timestamps",
     .kind = CLI_FLAG,
     .offset = offsetof(struct submit_options, follow.shows_timestamps),
     .help = "when each line of the log was written"},
};
static const struct cli_group run_group = {"Submission", run_rows, COUNT_OF(run_rows)};

static void init(void *data)
{
	struct submit_options *options = data;

	kube_workload_init(&options->workload);
	options->follow.start_limit_s = DEFAULT_START_LIMIT_S;
}

static void release(void *data)
{
	struct submit_options *options = data;

	kube_workload_release(&options->workload);
	cmd_cluster_options_release(&options->cluster);
}

static bool is_word(const char *given, const char *word)
{
	return given && !strcmp(given, word);
}

// What the flags of the other kinds would say is refused, not dropped.
static void check_kind(const struct kube_workload *workload, struct faults *faults)
{
	bool is_job = workload->kind == KUBE_WORKLOAD_JOB;
	bool is_deployment = workload->kind == KUBE_WORKLOAD_DEPLOYMENT;

	if (!is_job && (workload->retries || workload->ttl_s != KUBE_UNSET || workload->is_suspended ||
	                workload->workers || workload->array.is_set || workload->retry_on.count))
		faults_add(faults,
		           "--retry, --retry-on-exit, --ttl-after-finished, --suspend, --workers and "
		           "--array are for jobs alone");
	if (is_deployment && workload->time_s)
		faults_add(faults, "--time: a deployment has no end");
	if (!is_deployment && (workload->replicas != KUBE_UNSET || workload->hpa.max_replicas ||
	                       workload->hpa.cpu.is_set || workload->hpa.memory.is_set))
		faults_add(faults, "--replicas, --autoscale, --cpu-target and --memory-target are for "
		                   "deployments alone");
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct submit_options *options = data;
	struct kube_workload *workload = &options->workload;
	_cleanup_err_ struct err err = ERR_INIT;

	workload->kind = is_word(options->kind, "pod")          ? KUBE_WORKLOAD_POD
	                 : is_word(options->kind, "deployment") ? KUBE_WORKLOAD_DEPLOYMENT
	                                                        : KUBE_WORKLOAD_JOB;
	if (!cmd_workload_take_args(context, workload, &err) ||
	    (options->is_name_prefix && !jobs_extend_name(workload, &err))) {
		faults_take(faults, &err);
		return;
	}
	check_kind(workload, faults);
	kube_workload_check(workload, faults);
	if (options->waits && workload->kind != KUBE_WORKLOAD_JOB)
		faults_add(faults, "--wait: waits for jobs alone");
	if (options->is_name_prefix && options->replaces)
		faults_add(faults, "--name-prefix and --replace exclude each other");
}

static bool show(struct cli_context *context, const struct kube_workload *workload, struct err *err)
{
	struct kube_objects objects;
	bool is_ok;

	if (!kube_workload_build(workload, &objects, err))
		return false;
	is_ok = cmd_show_objects(context, (const struct json *const *)objects.items, objects.count,
	                         CLI_FORMAT_YAML, err);
	kube_objects_release(&objects);
	return is_ok;
}

// "job.batch/cnn created"; the name alone with --quiet, for scripts.
static bool say(struct cli_context *context, const struct kube_workload *workload, const char *what,
                struct err *err)
{
	static const char *const kinds[] = {"job.batch", "pod", "deployment.apps"};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);

	if (context->general.is_quiet)
		strbuf_addf(&text, "%s\n", workload->name);
	else
		strbuf_addf(&text, "%s/%s %s\n", kinds[workload->kind], workload->name, what);
	return cli_write_out(context, &text, err);
}

// Posts it; tells so with SAYS.
static bool submit(struct cli_context *context, struct submit_options *options,
                   struct cmd_cluster *cluster, bool says, struct err *err)
{
	struct kube_client *client = cmd_cluster_client(cluster);
	const char *namespace = cmd_cluster_namespace(cluster);
	struct jobs_submission submission = {.is_dry_run = is_word(options->dry_run, "server"),
	                                     .replaces = options->replaces,
	                                     .flag_of = cmd_flag_of_field};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!jobs_preflight(client, namespace, &options->workload, &faults, err) ||
	    !faults_none(&faults, err))
		return false;
	cli_show_warnings(context, &faults);
	if (options->replaces)
		cmd_cluster_waits_for(cluster, "waiting until the %s of this name is gone",
		                      kind_words[options->workload.kind]);
	return jobs_mark(&options->workload, cli_getenv(context, "USER"), err) &&
	       jobs_submit(client, namespace, &options->workload, &submission, err) &&
	       (!says ||
	        say(context, &options->workload,
	            submission.is_dry_run ? "would be created (server dry run)" : "created", err));
}

// Stays with the job that was posted: from here on our own failures are 125.
static bool follow_job(struct cli_context *context, struct submit_options *options,
                       struct cmd_cluster *cluster, bool has_logs, struct err *err)
{
	struct cmd_follow follow = {.context = context,
	                            .options = &options->follow,
	                            .says_states = true,
	                            .is_run = true,
	                            .jobs = {.namespace = cmd_cluster_namespace(cluster),
	                                     .name = options->workload.name,
	                                     .has_logs = has_logs,
	                                     .tail = -1}};

	return cmd_follow_job(cluster, &follow, &context->exit_status, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct submit_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;

	if (is_word(options->dry_run, "client"))
		return show(context, &options->workload, err);
	cluster = cmd_cluster_open(context, &options->cluster, err);
	if (!cluster || !submit(context, options, cluster, true, err))
		return false;
	if (!options->waits || options->dry_run)
		return true;
	return follow_job(context, options, cluster, false, err);
}

// Ends as the job does. Before it is accepted the usual statuses tell what was wrong; but they would look
// like the job's own, so all of them are 125 but a wrong command line.
static bool run_and_follow(struct cli_context *context, void *data, struct err *err)
{
	struct submit_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;

	context->failure_status = CMD_EXIT_OWN_FAILURE;
	cluster = cmd_cluster_open(context, &options->cluster, err);
	return cluster && submit(context, options, cluster, false, err) &&
	       follow_job(context, options, cluster, true, err);
}

#define USE(group_name)                                          \
	{                                                            \
		&(group_name), offsetof(struct submit_options, workload) \
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
	{&cmd_wait_group, offsetof(struct submit_options, follow)},
	{&cmd_cluster_group, offsetof(struct submit_options, cluster)},
};

static const struct cli_group_use run_groups[] = {
	{&run_group, 0},
	USE(cmd_container_group),
	USE(cmd_resources_group),
	USE(cmd_environment_group),
	USE(cmd_storage_group),
	USE(cmd_placement_group),
	USE(cmd_job_group),
	USE(cmd_time_group),
	USE(cmd_metadata_group),
	{&cmd_wait_group, offsetof(struct submit_options, follow)},
	{&cmd_cluster_group, offsetof(struct submit_options, cluster)},
};

static const struct cli_example run_examples[] = {
	{"train, see the log, and exit as the training did",
     "vpsml run cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
     "      --memory 4Gi -- python train.py"},
};

static const struct cli_example examples[] = {
	{"one GPU, one CPU, 4 GiB", "vpsml submit cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
                                "      --memory 4Gi -- python train.py"},
	{"a new name each time, and only that on standard output",
     "vpsml submit nlp --name-prefix -q --image nlp:1 --cpu 2 \\\n"
     "      --memory 4Gi -- python train.py"},
	{"let the server check it, and create nothing",
     "vpsml submit cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
     "      --memory 4Gi --dry-run server -- python train.py"},
};

const struct cli_command cmd_submit = {
	.name = "submit",
	.page = "vpsml-submit",
	.section = "Jobs",
	.args = "NAME",
	.summary = "post a job, a pod or a deployment",
	.about =
		"Posts a job (or a pod, or a deployment) and returns. Before it does, it asks the cluster "
		"for what the server would not check: the priority class, claims and accounts, and "
		"whether any node is large enough. A reply that is lost never makes two jobs.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct submit_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
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
	.groups = run_groups,
	.group_count = COUNT_OF(run_groups),
	.examples = run_examples,
	.example_count = COUNT_OF(run_examples),
	.word_min = 1,
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct submit_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run_and_follow,
};
