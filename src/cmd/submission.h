// SPDX-License-Identifier: MIT
// What submit and run share: a workload from flags, checked against the cluster and posted.
#pragma once

#include "cli/output.h"
#include "cmd/cluster.h"
#include "cmd/job_follow.h"
#include "kube/workload.h"

struct cmd_submission {
	struct kube_workload workload;
	struct cmd_cluster_options cluster;
	const char *dry_run; // word; NULL: none
	bool replaces, is_name_prefix;
	enum cli_format format; // CLI_FORMAT_TABLE: a line that says what was made
};

void cmd_submission_init(struct cmd_submission *submission);
void cmd_submission_release(struct cmd_submission *submission);

// Is it --dry-run WHO?
bool cmd_submission_is_dry_run(const struct cmd_submission *submission, const char *who);

// Takes the name and the command from the arguments and checks the workload.
void cmd_submission_check(struct cli_context *context, struct cmd_submission *submission,
                          struct faults *faults);

// Posts it, once the cluster was found to have what it needs; tells so with SAYS.
bool cmd_submission_post(struct cli_context *context, struct cmd_submission *submission,
                         struct cmd_cluster *cluster, bool says, struct err *err) _nodiscard_;

// Stays with the job that was posted: from here on our own failures are 125.
bool cmd_submission_follow(struct cli_context *context, const struct cmd_submission *submission,
                           const struct cmd_follow_options *follow, struct cmd_cluster *cluster,
                           bool has_logs, struct err *err) _nodiscard_;

// Shows what it would post: --dry-run client.
bool cmd_submission_show(struct cli_context *context, const struct cmd_submission *submission,
                         struct err *err) _nodiscard_;

// Shows warnings, a few of many alike, and with -v what we may not read.
void cmd_show_preflight(struct cli_context *context, const struct faults *faults,
                        const struct strv *unchecked);

// Shows what the server made of it: ANSWERS, each an object in JSON, in FORMAT, which is no table.
bool cmd_show_answers(struct cli_context *context, const struct strv *answers,
                      enum cli_format format, struct err *err) _nodiscard_;
