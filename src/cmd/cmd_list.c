// SPDX-License-Identifier: MIT
// vpsml list: jobs with their state, and why they are in it.
#include "cmd/commands.h"

#include "base/mem.h"
#include "base/parse.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cmd/cluster.h"
#include "cmd/job_output.h"
#include "cmd/job_watch.h"
#include "jobs/collect.h"
#include "jobs/missing.h"

enum { LIST_MAX_BYTES = 64 * 1024 * 1024 };

struct list_options {
	struct cmd_cluster_options cluster;
	bool is_all_namespaces;
	char *selector;
	struct jobs_states states;
	char *user;
	enum jobs_order order;
	enum cli_format format;
	bool is_watching;
};

static bool parse_states(struct cli_context *context, const char *text, void *field,
                         struct err *err)
{
	(void)context;
	return jobs_states_parse(field, text, err);
}

static bool parse_order(struct cli_context *context, const char *text, void *field, struct err *err)
{
	size_t index;

	(void)context;
	if (!parse_word(text, jobs_order_words, &index, err))
		return false;
	*(enum jobs_order *)field = (enum jobs_order)index;
	return true;
}

static const struct cli_option rows[] = {
	{.name = "all-namespaces",
     .letter = 'A',
     .kind = CLI_FLAG,
     .offset = offsetof(struct list_options, is_all_namespaces),
     .help = "jobs of every namespace"},
	{.name = "selector",
     .letter = 'l',
     .kind = CLI_STRING,
     .offset = offsetof(struct list_options, selector),
     .metavar = "SELECTOR",
     .help = "jobs with these labels alone, as kubectl takes them"},
	{.name = "state",
     .kind = CLI_VALUE,
     .is_repeatable = true,
     .offset = offsetof(struct list_options, states),
     .metavar = "STATE[,...]",
     .words = jobs_state_words,
     .parse = parse_states,
     .help = "jobs in these states alone: pending, starting, running, suspended, succeeded, "
             "failed, terminating; with --watch also deleted"},
	{.name = "user",
     .letter = 'u',
     .kind = CLI_STRING,
     .offset = offsetof(struct list_options, user),
     .metavar = "USER",
     .help = "jobs that this user submitted"},
	{.name = "sort",
     .kind = CLI_VALUE,
     .offset = offsetof(struct list_options, order),
     .metavar = "KEY",
     .words = jobs_order_words,
     .parse = parse_order,
     .help = "age, name, state, gpus, wait, run or node (default: age, newest first)"},
	{.name = "output",
     .letter = 'o',
     .kind = CLI_VALUE,
     .offset = offsetof(struct list_options, format),
     .metavar = "FORMAT",
     .words = cli_format_words,
     .parse = cli_parse_format,
     .help = "table, wide, json, yaml, name or csv (default: table)"},
	{.name = "watch",
     .letter = 'w',
     .kind = CLI_FLAG,
     .offset = offsetof(struct list_options, is_watching),
     .help = "go on: a line for each job whose state, reason, node or pods change"},
};
static const struct cli_group group = {"Jobs", rows, COUNT_OF(rows)};

static void release(void *data)
{
	struct list_options *options = data;

	cmd_cluster_options_release(&options->cluster);
	mem_free(options->selector);
	mem_free(options->user);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct list_options *options = data;

	(void)context;
	if (options->is_all_namespaces && options->cluster.namespace)
		faults_add(faults, "--all-namespaces and --namespace exclude each other");
}

// Of what is shown, does anything come from pods?
static bool needs_pods(const struct list_options *options)
{
	bool is_sorted_by_pods = options->order != JOBS_BY_AGE && options->order != JOBS_BY_NAME &&
	                         options->order != JOBS_BY_GPUS;

	return options->format != CLI_FORMAT_NAME || options->states.is_set || is_sorted_by_pods;
}

static void say_none(struct cli_context *context, const struct list_options *options,
                     const char *namespace)
{
	if (context->general.is_quiet || options->format > CLI_FORMAT_WIDE)
		return;
	cli_progress_clear(context);
	if (options->is_all_namespaces)
		fprintf(context->err, "no jobs\n");
	else
		fprintf(context->err, "no jobs in namespace \"%s\"\n", namespace);
}

// A namespace without jobs may be one that is not there.
static bool check_namespace(struct cmd_cluster *cluster, const struct list_options *options,
                            struct err *err)
{
	return options->is_all_namespaces ||
	       !jobs_namespace_is_missing(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster),
	                                  err);
}

static int64_t now_of(const struct cli_context *context)
{
	return context->clock->wall_ms(context->clock->context);
}

static bool is_wide(const struct list_options *options)
{
	return options->format == CLI_FORMAT_WIDE || options->is_all_namespaces;
}

static bool list(struct cli_context *context, const struct list_options *options,
                 struct cmd_cluster *cluster, struct err *err)
{
	_cleanup_(jobs_listing_release) struct jobs_listing listing = {NULL, 0, false};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(LIST_MAX_BYTES);
	struct jobs_query query = {.selector = options->selector, .has_no_pods = !needs_pods(options)};
	int64_t now_ms = now_of(context);

	if (!options->is_all_namespaces)
		query.namespace = cmd_cluster_namespace(cluster);
	if (!jobs_collect(cmd_cluster_client(cluster), &query, &listing, err))
		return false;
	if (!listing.count && !check_namespace(cluster, options, err))
		return false;
	jobs_listing_filter(&listing, &options->states, options->user);
	jobs_listing_sort(&listing, options->order, now_ms);
	if (!listing.count)
		say_none(context, options, cmd_cluster_namespace(cluster));
	return cmd_jobs_write(&out, &listing, options->format, is_wide(options), now_ms, err) &&
	       cli_write_out(context, &out, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct list_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	struct cmd_job_watch watch = {
		.context = context,
		.cluster = cluster,
		.is_all_namespaces = options->is_all_namespaces,
		.selector = options->selector,
		.states = &options->states,
		.user = options->user,
		.order = options->order,
		.stream = {.format = options->format, .is_wide = is_wide(options)}};

	if (!cluster)
		return false;
	return options->is_watching ? cmd_job_watch_run(&watch, err)
	                            : list(context, options, cluster, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct list_options, cluster)},
};

static const struct cli_example examples[] = {
	{"what waits and what runs, in every namespace", "vpsml list -A --state pending,running"},
	{"names of failed jobs, for a script", "vpsml list --state failed -o name"},
	{"each job that fails, as it does", "vpsml list --watch --state failed"},
};

const struct cli_command cmd_list = {
	.name = "list",
	.alias = "ps",
	.page = "vpsml-list",
	.section = "Jobs",
	.summary = "show jobs, their state, and the reason for it",
	.about =
		"Shows jobs with their state, GPUs, node, how long they waited and ran, and the reason "
		"where one is pending or failed.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct list_options),
	.release = release,
	.check = check,
	.run = run,
};
