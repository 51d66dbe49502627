// SPDX-License-Identifier: MIT
// What is, and what is due, on all hosts of cluster.yaml: for plan and status. Nothing is changed.
#pragma once

#include "boot/cluster_steps.h"
#include "boot/gather.h"
#include "boot/plan.h"
#include "cli/context.h"
#include "cmd/cluster_file.h"

struct cmd_plan {
	struct boot_inventory inventory;
	struct boot_gathered *gathered;    // one a host
	const struct boot_facts **facts;   // the same; NULL: not known
	struct boot_steps *steps;          // one a host, those that are due
	struct boot_cluster_steps cluster; // those of a new cluster; none where there is one
	struct faults faults;              // what is wrong with the hosts, and warnings
	struct cmd_hosts *hosts;
};

// Reads the file and asks the hosts. False is a failure of the whole; what is wrong with hosts is in
// the plan: `faults`, and boot_gather_failures for those that did not answer.
bool cmd_plan_make(struct cli_context *context, const struct cmd_file_options *file,
                   const struct cmd_hosts_options *ssh, struct cmd_plan *ret,
                   struct err *err) _nodiscard_;

// Is the host in the cluster already? IS_KNOWN false: it did not answer.
enum boot_membership cmd_plan_membership(const struct cmd_plan *plan, size_t index,
                                         const char **ret_server);

// Does the first control plane run? Else the cluster is still to be made.
bool cmd_plan_has_cluster(const struct cmd_plan *plan);

// "control-plane+worker", …
const char *cmd_plan_role(const struct boot_host *host);

void cmd_plan_release(struct cmd_plan *plan);
#define _cleanup_cmd_plan_ _cleanup_(cmd_plan_release)
