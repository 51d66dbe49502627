// SPDX-License-Identifier: MIT
// vpsml up: bring hosts and cluster to what cluster.yaml says.
#include "cmd/commands.h"

#include "cmd/converge.h"

struct up_options {
	struct cmd_converge_options all;
};

static void init(void *data)
{
	cmd_converge_options_init(&((struct up_options *)data)->all);
}

static void release(void *data)
{
	cmd_converge_options_release(&((struct up_options *)data)->all);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	return cmd_converge(context, &((struct up_options *)data)->all, err);
}

static const struct cli_group_use groups[] = {
	{&cmd_converge_group, offsetof(struct up_options, all)},
	{&cmd_file_group, offsetof(struct up_options, all.file)},
	{&cmd_hosts_group, offsetof(struct up_options, all.hosts)},
};

static const struct cli_example examples[] = {
	{"everything in cluster.yaml", "vpsml up"},
	{"one host that was repaired", "vpsml up --limit gpu-1"},
};

const struct cli_command cmd_up = {
	.name = "up",
	.page = "vpsml-up",
	.section = "Cluster",
	.summary = "bring hosts and cluster to what cluster.yaml says",
	.about =
		"Asks every host what it is, checks all of them, then does what is due: prepares them, "
		"initializes the first control plane, joins the others, and gives the cluster its network, "
		"metrics and GPUs. Run again after a failure, it goes on where it was; where nothing is "
		"due, "
		"it changes nothing. It never removes or upgrades.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct up_options),
	.init = init,
	.release = release,
	.run = run,
};
