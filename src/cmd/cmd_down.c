// SPDX-License-Identifier: MIT
// vpsml down, remove: take all hosts, or some, out of the cluster.
#include "cmd/commands.h"

#include "cmd/teardown.h"

enum { HOSTS_MAX = 1000 };

static void init(void *data)
{
	cmd_teardown_options_init(data);
}

static void release(void *data)
{
	cmd_teardown_options_release(data);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	(void)context;
	cmd_teardown_check(data, faults);
}

static void check_remove(struct cli_context *context, void *data, struct faults *faults)
{
	check(context, data, faults);
	if (!context->words.count)
		faults_add(faults, "which hosts? HOST..., as cluster.yaml names them");
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	return cmd_teardown(context, data, &context->words, err);
}

static const struct cli_group_use down_groups[] = {
	{&cmd_teardown_group, 0},
	{&cmd_hosts_group, offsetof(struct cmd_teardown_options, hosts)},
};

static const struct cli_group_use remove_groups[] = {
	{&cmd_teardown_group, 0},
	{&cmd_teardown_drain_group, 0},
	{&cmd_hosts_group, offsetof(struct cmd_teardown_options, hosts)},
};

static const struct cli_example down_examples[] = {
	{"without asking, in a script", "vpsml down --yes --cluster lab"},
};

static const struct cli_example remove_examples[] = {
	{"a host that goes back to where it was rented", "vpsml remove gpu-1 --yes --cluster lab"},
};

const struct cli_command cmd_down = {
	.name = "down",
	.page = "vpsml-down",
	.section = "Cluster",
	.summary = "end the cluster: take all hosts out of it",
	.about =
		"Resets every host of cluster.yaml and cleans up what kubeadm leaves: network links, "
		"firewall rules, files. All that the cluster holds is lost. Packages stay. It asks for the "
		"cluster's name first.",
	.groups = down_groups,
	.group_count = COUNT_OF(down_groups),
	.examples = down_examples,
	.example_count = COUNT_OF(down_examples),
	.options_size = sizeof(struct cmd_teardown_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};

const struct cli_command cmd_remove = {
	.name = "remove",
	.page = "vpsml-down",
	.section = "Cluster",
	.args = "HOST...",
	.summary = "take hosts out of the cluster and of cluster.yaml",
	.about =
		"Empties the hosts' nodes, resets the hosts, deletes the nodes, and takes the hosts out of "
		"cluster.yaml. It asks for the cluster's name first.",
	.groups = remove_groups,
	.group_count = COUNT_OF(remove_groups),
	.examples = remove_examples,
	.example_count = COUNT_OF(remove_examples),
	.word_max = HOSTS_MAX,
	.options_size = sizeof(struct cmd_teardown_options),
	.init = init,
	.release = release,
	.check = check_remove,
	.run = run,
};
