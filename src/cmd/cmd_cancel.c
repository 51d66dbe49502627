// SPDX-License-Identifier: MIT
// vpsml cancel: end jobs, and be done when their pods are gone.
#include "cmd/commands.h"

#include "base/mem.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cmd/cluster.h"
#include "jobs/cancel.h"
#include "jobs/collect.h"
#include "jobs/target.h"

enum { NAMES_MAX_COUNT = 1000, DEFAULT_LIMIT_S = 300 };

struct cancel_options {
	struct cmd_cluster_options cluster;
	char *selector;
	struct jobs_states states;
	bool is_all, does_not_wait;
	int64_t limit_s;
};

static bool parse_states(struct cli_context *context, const char *text, void *field,
                         struct err *err)
{
	(void)context;
	return jobs_states_parse(field, text, err);
}

static const struct cli_option rows[] = {
	{.name = "selector",
     .letter = 'l',
     .kind = CLI_STRING,
     .offset = offsetof(struct cancel_options, selector),
     .metavar = "SELECTOR",
     .help = "jobs with these labels"},
	{.name = "state",
     .kind = CLI_VALUE,
     .is_repeatable = true,
     .offset = offsetof(struct cancel_options, states),
     .metavar = "STATE[,...]",
     .words = jobs_state_words,
     .parse = parse_states,
     .help = "of these, jobs in one of these states alone"},
	{.name = "all",
     .kind = CLI_FLAG,
     .offset = offsetof(struct cancel_options, is_all),
     .help = "every job of the namespace"},
	{.name = "no-wait",
     .kind = CLI_FLAG,
     .offset = offsetof(struct cancel_options, does_not_wait),
     .help = "do not wait until the pods are gone"},
	{.name = "timeout",
     .kind = CLI_DURATION,
     .min = 1,
     .offset = offsetof(struct cancel_options, limit_s),
     .metavar = "DURATION",
     .help = "wait at most so long for the pods to go (default: 5m)"},
};
static const struct cli_group group = {"Jobs", rows, COUNT_OF(rows)};

static void init(void *data)
{
	((struct cancel_options *)data)->limit_s = DEFAULT_LIMIT_S;
}

static void release(void *data)
{
	struct cancel_options *options = data;

	cmd_cluster_options_release(&options->cluster);
	mem_free(options->selector);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct cancel_options *options = data;
	int ways = (context->words.count > 0) + (options->selector != NULL) + options->is_all;

	if (!ways)
		faults_add(faults, "which jobs? NAME..., --selector or --all");
	else if (ways > 1)
		faults_add(faults, "names, --selector and --all exclude each other");
	if (context->words.count && options->states.is_set)
		faults_add(faults, "--state: says nothing beside names");
	for (size_t i = 0; i < context->words.count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		struct jobs_target target;

		if (!jobs_target_parse(context->words.items[i], &target, &err))
			faults_take(faults, &err);
	}
}

// The names of the jobs that are meant.
static bool find_names(struct cli_context *context, const struct cancel_options *options,
                       struct cmd_cluster *cluster, struct strv *names, struct err *err)
{
	struct jobs_listing listing = {NULL, 0, false};
	struct jobs_query query = {.namespace = cmd_cluster_namespace(cluster),
	                           .selector = options->selector};
	bool is_ok = true;

	for (size_t i = 0; i < context->words.count; i++)
		if (!strv_add(names, context->words.items[i], err))
			return false;
	if (names->count)
		return true;
	is_ok = jobs_collect(cmd_cluster_client(cluster), &query, &listing, err);
	if (is_ok)
		jobs_listing_filter(&listing, &options->states, NULL);
	for (size_t i = 0; is_ok && i < listing.count; i++)
		is_ok = strv_add(names, listing.items[i].job.name, err);
	jobs_listing_release(&listing);
	return is_ok;
}

static bool say(struct cli_context *context, const struct strv *names, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024 * 1024);

	for (size_t i = 0; i < names->count; i++)
		strbuf_addf(&text, "%s cancelled\n", names->items[i]);
	return context->general.is_quiet || cli_write_out(context, &text, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct cancel_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_strv_ struct strv names = STRV_INIT, deleted = STRV_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!cluster || !find_names(context, options, cluster, &names, err))
		return false;
	if (!names.count) {
		cli_progress_clear(context);
		if (!context->general.is_quiet)
			fprintf(context->err, "no such jobs\n");
		return true;
	}
	cmd_cluster_waits_for(cluster, "waiting until the pods of %zu job%s are gone", names.count,
	                      names.count == 1 ? "" : "s");
	if (!jobs_cancel(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster), &names,
	                 options->does_not_wait ? 0 : options->limit_s * 1000, &deleted, &faults,
	                 err) ||
	    !say(context, &deleted, err))
		return false;
	if (faults_none(&faults, err))
		return true;
	err->kind = ERR_REFUSED;
	return false;
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct cancel_options, cluster)},
};

static const struct cli_example examples[] = {
	{"one job; its GPUs are free when this returns", "vpsml cancel cnn"},
	{"a deployment and its autoscaler", "vpsml cancel deploy/web"},
	{"everything that waits", "vpsml cancel --all --state pending,suspended"},
};

const struct cli_command cmd_cancel = {
	.name = "cancel",
	.alias = "delete",
	.page = "vpsml-cancel",
	.section = "Jobs",
	.args = "[NAME...]",
	.summary = "end jobs and free what they hold",
	.about =
		"Deletes jobs, deployments (deploy/NAME) and pods (pod/NAME) together with their pods, and "
		"returns when the pods are gone and their GPUs are free.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_max = NAMES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_JOB,
	.options_size = sizeof(struct cancel_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
