// SPDX-License-Identifier: MIT
#include "cmd/commands.h"

#include "cmd/cluster.h"

static const struct cli_command *const verbs[] = {
	&cmd_init,    &cmd_join,     &cmd_up,      &cmd_kubeconfig, &cmd_remove, &cmd_down,
	&cmd_plan,    &cmd_status,   &cmd_setup,   &cmd_cordon,     &cmd_drain,  &cmd_uncordon,
	&cmd_ssh,     &cmd_submit,   &cmd_run,     &cmd_list,       &cmd_get,    &cmd_logs,
	&cmd_wait,    &cmd_cancel,   &cmd_suspend, &cmd_resume,     &cmd_scale,  &cmd_autoscale,
	&cmd_render,  &cmd_top,      &cmd_nodes,   &cmd_completion, &cmd_help,   &cmd_version,
	&cmd_options, &cmd_complete, NULL,
};

const struct cli_command cmd_root = {
	.name = "vpsml",
	.summary = "turn rented servers into a Kubernetes cluster that trains models",
	.about =
		"Turns rented servers, some with GPUs, into a Kubernetes cluster that trains models, and "
		"keeps the GPUs busy.",
	.page = "vpsml",
	.verbs = verbs,
	.leading = &cmd_cluster_group,
};
