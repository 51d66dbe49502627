// SPDX-License-Identifier: MIT
// vpsml render affinity: the stanza alone, to be pasted into a pod's spec.
#include "cmd/commands.h"

#include "cmd/objects.h"
#include "kube/affinity.h"
#include "yaml/yaml.h"

struct affinity_options {
	struct kube_affinity affinity;
	enum cli_format format;
};

static void init(void *data)
{
	((struct affinity_options *)data)->format = CLI_FORMAT_YAML;
}

static void release(void *data)
{
	struct affinity_options *options = data;

	kube_affinity_release(&options->affinity);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct affinity_options *options = data;

	for (size_t i = 0; i < context->words.count; i++) {
		_cleanup_err_ struct err err = ERR_INIT;

		if (!kube_affinity_parse(&options->affinity, context->words.items[i], &err))
			faults_take(faults, &err);
	}
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct affinity_options *options = data;
	_cleanup_json_ struct json *tree = kube_affinity_build(&options->affinity, err);

	return tree && cmd_show_tree(context, tree, options->format, err);
}

static const struct cli_group_use groups[] = {
	{&cmd_tree_output_group, offsetof(struct affinity_options, format)},
};

static const struct cli_example examples[] = {
	{"GPU nodes alone", "vpsml render affinity gpu=true"},
	{"away from GPU nodes where possible", "vpsml render affinity 'gpu!=true@100'"},
};

const struct cli_command cmd_render_affinity = {
	.name = "affinity",
	.section = "Parts",
	.args = "RULE...",
	.summary = "the node affinity that rules make",
	.about =
		"Writes the affinity stanza of a pod. RULE is KEY=V,V, KEY!=V, KEY, !KEY, KEY>N or KEY<N "
		"over node labels; with @WEIGHT (1 to 100) behind it a preference, else a requirement.",
	.page = "vpsml-render",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 64,
	.options_size = sizeof(struct affinity_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
