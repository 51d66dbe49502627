// SPDX-License-Identifier: MIT
// Taking hosts out of their cluster: what `remove` and `down` have in common.
#pragma once

#include "cli/option.h"
#include "cmd/cluster_file.h"
#include "cmd/hosts.h"

struct cmd_teardown_options {
	struct cmd_file_options file; // without --limit
	struct cmd_hosts_options hosts;
	const char *output; // "text" or "json"; NULL: text
	bool is_sure;
	char *cluster; // what the user calls it, with --yes
	bool is_forced;
	int64_t drain_limit_s;
};

// Rows of -f, -o, --yes, --cluster, for a struct cmd_teardown_options; and of those of `remove`.
extern const struct cli_group cmd_teardown_group, cmd_teardown_drain_group;

void cmd_teardown_options_init(struct cmd_teardown_options *options);
void cmd_teardown_options_release(struct cmd_teardown_options *options);
// Adds what is wrong between the options.
void cmd_teardown_check(const struct cmd_teardown_options *options, struct faults *faults);

// Takes the hosts called NAMES (none: all) out of the cluster, after asking. All of them: the
// cluster ends. Some: their nodes are emptied and deleted first, and the file loses them.
bool cmd_teardown(struct cli_context *context, const struct cmd_teardown_options *options,
                  const struct strv *names, struct err *err) _nodiscard_;
