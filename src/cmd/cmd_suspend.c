// SPDX-License-Identifier: MIT
// vpsml suspend and vpsml resume: hold jobs back, and let them go on.
#include "cmd/commands.h"

#include "cli/output.h"
#include "cmd/cluster.h"
#include "jobs/pods_left.h"
#include "jobs/suspend.h"
#include "jobs/target.h"

enum { NAMES_MAX_COUNT = 1000, DEFAULT_LIMIT_S = 300, TEXT_MAX_BYTES = 1024 * 1024 };

struct suspend_options {
	struct cmd_cluster_options cluster;
	bool waits;
	int64_t limit_s;
};

static const struct cli_option rows[] = {
	{.name = "wait",
     .kind = CLI_FLAG,
     .offset = offsetof(struct suspend_options, waits),
     .help = "return when the pods have ended and their GPUs are free"},
	{.name = "timeout",
     .kind = CLI_DURATION,
     .min = 1,
     .offset = offsetof(struct suspend_options, limit_s),
     .metavar = "DURATION",
     .help = "with --wait: wait at most so long (default: 5m)"},
};
static const struct cli_group group = {"Waiting", rows, COUNT_OF(rows)};

static void init(void *data)
{
	((struct suspend_options *)data)->limit_s = DEFAULT_LIMIT_S;
}

static void release(void *data)
{
	cmd_cluster_options_release(&((struct suspend_options *)data)->cluster);
}

static void check_suspend(struct cli_context *context, void *data, struct faults *faults)
{
	const struct suspend_options *options = data;

	if (options->limit_s != DEFAULT_LIMIT_S && !options->waits)
		faults_add(faults, "--timeout: says nothing without --wait");
	jobs_target_check_jobs(&context->words, "can be suspended; scale a Deployment to 0", faults);
}

static void check_resume(struct cli_context *context, void *data, struct faults *faults)
{
	(void)data;
	jobs_target_check_jobs(&context->words, "can be resumed; scale a Deployment", faults);
}

// What was done to each job.
struct done {
	bool is_suspended; // that is what they become
	bool waits;
	struct strv changed;
	struct strbuf text;
	struct faults faults;
};

static void say(struct done *done, const char *name, bool is_changed)
{
	const char *word = done->is_suspended ? "suspended" : "resumed";

	strbuf_addf(&done->text, "job.batch/%s ", name);
	if (!is_changed)
		strbuf_add(&done->text, done->is_suspended ? "is suspended already" : "is not suspended");
	else if (done->is_suspended && !done->waits)
		strbuf_addf(&done->text, "%s; its pods are ending", word);
	else
		strbuf_add(&done->text, word);
	strbuf_add_char(&done->text, '\n');
}

static bool do_each(struct done *done, const struct cli_context *context,
                    struct cmd_cluster *cluster, struct err *err)
{
	for (size_t i = 0; i < context->words.count; i++) {
		_cleanup_err_ struct err one = ERR_INIT;
		const char *name = context->words.items[i];
		bool is_changed;

		if (jobs_suspend(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster), name,
		                 done->is_suspended, &is_changed, &one)) {
			say(done, name, is_changed);
			if (!strv_add(&done->changed, name, err))
				return false;
		} else if (one.kind == ERR_REFUSED && context->words.count > 1) {
			faults_take(&done->faults, &one);
		} else {
			return err_copy(err, &one);
		}
	}
	return true;
}

static bool suspend_all(struct done *done, struct cli_context *context,
                        const struct suspend_options *options, struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);

	if (!cluster || !do_each(done, context, cluster, err))
		return false;
	if (done->waits && done->changed.count &&
	    !jobs_wait_for_pods(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster),
	                        &done->changed, true, options->limit_s * 1000, err))
		return false;
	if (!context->general.is_quiet && !cli_write_out(context, &done->text, err))
		return false;
	if (faults_none(&done->faults, err))
		return true;
	err->kind = ERR_REFUSED;
	return false;
}

static bool run(struct cli_context *context, const struct suspend_options *options,
                bool is_suspended, struct err *err)
{
	struct done done = {.is_suspended = is_suspended,
	                    .waits = is_suspended && options->waits,
	                    .changed = STRV_INIT,
	                    .text = STRBUF_INIT(TEXT_MAX_BYTES),
	                    .faults = FAULTS_INIT};
	bool is_ok = suspend_all(&done, context, options, err);

	strv_release(&done.changed);
	strbuf_release(&done.text);
	faults_release(&done.faults);
	return is_ok;
}

static bool run_suspend(struct cli_context *context, void *data, struct err *err)
{
	return run(context, data, true, err);
}

static bool run_resume(struct cli_context *context, void *data, struct err *err)
{
	return run(context, data, false, err);
}

static const struct cli_group_use suspend_groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct suspend_options, cluster)},
};
static const struct cli_group_use resume_groups[] = {
	{&cmd_cluster_group, offsetof(struct suspend_options, cluster)},
};

static const struct cli_example suspend_examples[] = {
	{"free the GPUs of a job for another one", "vpsml suspend cnn --wait"},
};
static const struct cli_example resume_examples[] = {
	{"let it start again", "vpsml resume cnn"},
};

const struct cli_command cmd_suspend = {
	.name = "suspend",
	.page = "vpsml-suspend",
	.section = "Jobs",
	.args = "JOB...",
	.summary = "hold jobs back and free what they hold",
	.about =
		"Ends the pods of jobs, which then wait until they are resumed. A pod gets SIGTERM first; "
		"what it has not saved by the end of its grace period is lost.",
	.groups = suspend_groups,
	.group_count = COUNT_OF(suspend_groups),
	.examples = suspend_examples,
	.example_count = COUNT_OF(suspend_examples),
	.word_min = 1,
	.word_max = NAMES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct suspend_options),
	.init = init,
	.release = release,
	.check = check_suspend,
	.run = run_suspend,
};

const struct cli_command cmd_resume = {
	.name = "resume",
	.page = "vpsml-suspend",
	.section = "Jobs",
	.args = "JOB...",
	.summary = "let suspended jobs start",
	.about =
		"Lets jobs that were suspended, or submitted with --suspend, start. Their pods begin anew.",
	.groups = resume_groups,
	.group_count = COUNT_OF(resume_groups),
	.examples = resume_examples,
	.example_count = COUNT_OF(resume_examples),
	.word_min = 1,
	.word_max = NAMES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct suspend_options),
	.init = init,
	.release = release,
	.check = check_resume,
	.run = run_resume,
};
