// SPDX-License-Identifier: MIT
// vpsml drain: empty nodes, for work on them or for good.
#include "cmd/commands.h"

#include <inttypes.h>

#include "base/text.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/prompt.h"
#include "cmd/cluster.h"
#include "cmd/node_names.h"
#include "kube/drain.h"

enum { NODES_MAX_COUNT = 1000, DEFAULT_LIMIT_S = 300, TEXT_MAX_BYTES = 1024 * 1024 };

struct drain_options {
	struct cmd_cluster_options cluster;
	bool is_forced, is_sure;
	int64_t limit_s;
};

static const struct cli_option rows[] = {
	{.name = "timeout",
     .kind = CLI_DURATION,
     .min = 1,
     .offset = offsetof(struct drain_options, limit_s),
     .metavar = "DURATION",
     .help = "wait at most so long for the pods to go (default: 5m)"},
	{.name = "force",
     .kind = CLI_FLAG,
     .offset = offsetof(struct drain_options, is_forced),
     .help = "evict pods too that nothing makes again elsewhere"},
	{.name = "yes",
     .kind = CLI_FLAG,
     .offset = offsetof(struct drain_options, is_sure),
     .help = "do not ask before pods that hold GPUs are evicted"},
};
static const struct cli_group group = {"Drain", rows, COUNT_OF(rows)};

static void init(void *data)
{
	((struct drain_options *)data)->limit_s = DEFAULT_LIMIT_S;
}

static void release(void *data)
{
	cmd_cluster_options_release(&((struct drain_options *)data)->cluster);
}

static void add_pod(struct strbuf *out, const struct kube_drain_pod *pod)
{
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(TEXT_MAX_BYTES);

	strbuf_addf(&name, "%s/%s", pod->namespace, pod->name);
	text_sanitize(out, strbuf_get(&name), name.len, TEXT_ONE_LINE);
}

static void on_pod(void *context, const struct kube_drain_pod *pod)
{
	struct cli_context *cli = context;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(TEXT_MAX_BYTES);

	if (cli->general.is_quiet)
		return;
	strbuf_add(&line, "pod ");
	add_pod(&line, pod);
	if (pod->state == KUBE_DRAIN_GOES) {
		strbuf_add(&line, " evicted");
	} else if (pod->state == KUBE_DRAIN_BLOCKED && pod->blocked) {
		strbuf_add(&line, " waits: ");
		text_sanitize(&line, pod->blocked, strlen(pod->blocked), TEXT_ONE_LINE);
	} else {
		strbuf_add(&line, " gone");
	}
	cli_progress_clear(cli);
	fprintf(cli->err, "%s\n", strbuf_get(&line));
}

static bool add_nodes(const struct cli_context *context, struct kube_drain *drain, struct err *err)
{
	for (size_t i = 0; i < context->words.count; i++)
		if (!kube_drain_add(drain, context->words.items[i], err))
			return false;
	return true;
}

// Pods that would be lost for good.
static bool check_bare(const struct kube_drain *drain, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	for (size_t i = 0; i < drain->count; i++) {
		const struct kube_drain_pod *pod = &drain->pods[i];

		if (pod->is_bare)
			faults_add(&faults, "pod %s/%s on %s: nothing makes it again elsewhere", pod->namespace,
			           pod->name, pod->node);
	}
	return faults_none(&faults, err) ||
	       err_hint(err, "--force evicts them all the same, and they are lost");
}

// "job ml/cnn of ana holds 2 GPUs on gpu-1 (pod cnn-x)" a line; how many there are.
static size_t add_gpu_holders(struct strbuf *out, const struct kube_drain *drain)
{
	size_t count = 0;

	for (size_t i = 0; i < drain->count; i++) {
		const struct kube_drain_pod *pod = &drain->pods[i];

		if (!pod->gpus || pod->state == KUBE_DRAIN_GOES)
			continue;
		count++;
		if (pod->job)
			strbuf_addf(out, "job %s/%s", pod->namespace, pod->job);
		else
			strbuf_addf(out, "pod %s/%s", pod->namespace, pod->name);
		if (pod->user)
			strbuf_addf(out, " of %s", pod->user);
		strbuf_addf(out, " holds %" PRId64 " GPU%s on %s\n", pod->gpus, pod->gpus == 1 ? "" : "s",
		            pod->node);
	}
	return count;
}

static bool ask_about_gpus(struct cli_context *context, const struct kube_drain *drain,
                           struct err *err)
{
	_cleanup_strbuf_ struct strbuf holders = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf shown = STRBUF_INIT(TEXT_MAX_BYTES);
	bool is_sure = false;

	if (!add_gpu_holders(&holders, drain))
		return true;
	text_sanitize(&shown, strbuf_get(&holders), holders.len, TEXT_KEEP_LINES);
	cli_progress_clear(context);
	fprintf(context->err, "%s", strbuf_get(&shown));
	if (!cli_can_ask()) {
		err_set(err, ERR_USAGE,
		        "pods that hold GPUs would be evicted, and what they have not saved "
		        "is lost");
		return err_hint(err, "--yes says that this is meant");
	}
	if (!cli_ask_yes("They are evicted, and what they have not saved is lost. Go on? [yes/no] ",
	                 &is_sure, err))
		return false;
	return is_sure || err_set(err, ERR_FAILED, "nothing was evicted");
}

static bool close_nodes(struct cli_context *context, struct kube_client *client, struct err *err)
{
	for (size_t i = 0; i < context->words.count; i++) {
		const char *node = context->words.items[i];
		bool is_changed;

		if (!kube_cordon(client, node, true, &is_changed, err))
			return false;
		cli_progress_clear(context);
		if (is_changed && !context->general.is_quiet)
			fprintf(context->err, "node %s cordoned\n", node);
	}
	return true;
}

static bool say_drained(struct cli_context *context, struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(TEXT_MAX_BYTES);

	for (size_t i = 0; i < context->words.count; i++)
		strbuf_addf(&out, "node/%s drained\n", context->words.items[i]);
	return context->general.is_quiet || cli_write_out(context, &out, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct drain_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_kube_drain_ struct kube_drain drain = {.on_pod = on_pod, .context = context};

	if (!cluster)
		return false;
	drain.client = cmd_cluster_client(cluster);
	if (!add_nodes(context, &drain, err) || (!options->is_forced && !check_bare(&drain, err)) ||
	    (!options->is_sure && !ask_about_gpus(context, &drain, err)) ||
	    !close_nodes(context, drain.client, err))
		return false;
	// Closed now: what came before that has to go as well.
	kube_drain_release(&drain);
	if (!add_nodes(context, &drain, err))
		return false;
	if (!kube_drain_run(&drain, options->limit_s * 1000, err))
		return err_hint(err, "the nodes stay closed: try again, or \"vpsml uncordon\" them");
	return say_drained(context, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct drain_options, cluster)},
};

static const struct cli_example examples[] = {
	{"empty a node before its kernel is updated", "vpsml drain gpu-1 --timeout 15m"},
};

const struct cli_command cmd_drain = {
	.name = "drain",
	.page = "vpsml-drain",
	.section = "Cluster",
	.args = "NODE...",
	.summary = "empty nodes, as far as disruption budgets allow",
	.about =
		"Closes nodes for new pods and evicts those that are there; returns when they are gone. "
		"Pods of DaemonSets stay.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = NODES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_NODE,
	.options_size = sizeof(struct drain_options),
	.init = init,
	.release = release,
	.check = cmd_check_node_names,
	.run = run,
};
