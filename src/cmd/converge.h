// SPDX-License-Identifier: MIT
// Making hosts and cluster what cluster.yaml says: what `up`, `init` and `join` have in common.
#pragma once

#include "cli/option.h"
#include "cmd/cluster_file.h"
#include "cmd/hosts.h"

struct cmd_converge_options {
	struct cmd_file_options file;
	struct cmd_hosts_options hosts;
	const char *output;     // "text" or "json"; NULL: text
	char *kubeconfig;       // where the cluster's access goes; NULL: the user's
	bool has_no_kubeconfig; // nowhere
};

// Rows of -o, --kubeconfig, --no-kubeconfig, for a struct cmd_converge_options.
extern const struct cli_group cmd_converge_group;

void cmd_converge_options_init(struct cmd_converge_options *options);
void cmd_converge_options_release(struct cmd_converge_options *options);

// Does it all: asks the hosts, checks, changes, waits, and brings the kubeconfig. All that is wrong
// is told before anything is changed (ERR_USAGE).
bool cmd_converge(struct cli_context *context, const struct cmd_converge_options *options,
                  struct err *err) _nodiscard_;

// Who holds the cluster's lock meanwhile, in words: "USER at HOST, run ID". Adds it.
void cmd_add_holder(struct strbuf *out, const char *run_id);

// A new run's id: 8 hex digits.
bool cmd_make_run_id(char ret[9], struct err *err) _nodiscard_;

// The folder of a run's logs, owned by the caller.
char *cmd_run_folder(struct cli_context *context, const char *cluster, const char *run_id,
                     struct err *err) _nodiscard_;
