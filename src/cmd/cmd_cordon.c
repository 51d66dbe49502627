// SPDX-License-Identifier: MIT
// vpsml cordon, uncordon: close nodes for new pods, and open them again.
#include "cmd/commands.h"

#include "base/text.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/node_names.h"
#include "kube/drain.h"

enum { NODES_MAX_COUNT = 1000, OUT_MAX_BYTES = 1024 * 1024 };

struct cordon_options {
	struct cmd_cluster_options cluster;
};

static void release(void *data)
{
	cmd_cluster_options_release(&((struct cordon_options *)data)->cluster);
}

// Each node; a node that is refused does not keep the others from it.
static bool set_all(struct cli_context *context, const struct cordon_options *options,
                    bool is_closed, struct strbuf *out, struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	if (!cluster)
		return false;
	for (size_t i = 0; i < context->words.count; i++) {
		const char *node = context->words.items[i];
		_cleanup_err_ struct err one = ERR_INIT;
		bool is_changed;

		if (kube_cordon(cmd_cluster_client(cluster), node, is_closed, &is_changed, &one)) {
			strbuf_add(out, "node/");
			text_sanitize(out, node, strlen(node), TEXT_ONE_LINE);
			strbuf_addf(out, " %s%s\n", is_changed ? "" : "already ",
			            is_closed ? "cordoned" : "uncordoned");
		} else if (one.kind == ERR_REFUSED) {
			faults_take(&faults, &one);
		} else {
			return err_copy(err, &one);
		}
	}
	if (faults_none(&faults, err))
		return true;
	err->kind = ERR_REFUSED;
	return false;
}

static bool set(struct cli_context *context, void *data, bool is_closed, struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	_cleanup_err_ struct err unwritten = ERR_INIT;
	bool is_ok = set_all(context, data, is_closed, &out, err);

	if (!out.len || context->general.is_quiet)
		return is_ok;
	return cli_write_out(context, &out, is_ok ? err : &unwritten) && is_ok;
}

static bool run_cordon(struct cli_context *context, void *data, struct err *err)
{
	return set(context, data, true, err);
}

static bool run_uncordon(struct cli_context *context, void *data, struct err *err)
{
	return set(context, data, false, err);
}

static const struct cli_group_use groups[] = {
	{&cmd_cluster_group, offsetof(struct cordon_options, cluster)},
};

static const struct cli_example cordon_examples[] = {
	{"nothing new on a node; what runs there goes on", "vpsml cordon gpu-1"},
};
static const struct cli_example uncordon_examples[] = {
	{"after the work on it", "vpsml uncordon gpu-1"},
};

const struct cli_command cmd_cordon = {
	.name = "cordon",
	.page = "vpsml-drain",
	.section = "Cluster",
	.args = "NODE...",
	.summary = "close nodes for new pods",
	.about = "Marks nodes as unschedulable. What runs on them goes on.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = cordon_examples,
	.example_count = COUNT_OF(cordon_examples),
	.word_min = 1,
	.word_max = NODES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_NODE,
	.options_size = sizeof(struct cordon_options),
	.release = release,
	.check = cmd_check_node_names,
	.run = run_cordon,
};

const struct cli_command cmd_uncordon = {
	.name = "uncordon",
	.page = "vpsml-drain",
	.section = "Cluster",
	.args = "NODE...",
	.summary = "open nodes for new pods again",
	.about = "Takes the mark away that cordon and drain leave on nodes.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = uncordon_examples,
	.example_count = COUNT_OF(uncordon_examples),
	.word_min = 1,
	.word_max = NODES_MAX_COUNT,
	.arg_completion = CLI_COMPLETE_NODE,
	.options_size = sizeof(struct cordon_options),
	.release = release,
	.check = cmd_check_node_names,
	.run = run_uncordon,
};
