// SPDX-License-Identifier: MIT
// Following a job on a terminal: its log on standard output, what happens to it on standard error, and the
// exit status that its end stands for. For logs, wait and run.
#pragma once

#include "cli/context.h"
#include "cli/option.h"
#include "cmd/cluster.h"
#include "jobs/follow.h"

// Statuses of run and wait beside the job's own.
enum {
	CMD_EXIT_TIME_LIMIT = 124,
	CMD_EXIT_OWN_FAILURE = 125, // every failure of vpsml itself
	CMD_EXIT_CANCELLED = 126,   // cancelled or deleted
};

struct cmd_follow_options {
	bool shows_timestamps;
	int64_t limit_s;       // 0: no limit
	int64_t start_limit_s; // 0: no limit
};

// The defaults: no limit, but ten minutes for the start.
void cmd_follow_options_init(struct cmd_follow_options *options);

// --timeout, --start-timeout: fields of struct cmd_follow_options.
extern const struct cli_group cmd_wait_group;

struct cmd_follow {
	struct cli_context *context;
	const struct cmd_follow_options *options;
	struct jobs_follow_options jobs; // what is not a callback is the caller's
	bool says_states;                // tell on standard error what becomes of the job
	bool is_run;                     // the first interrupt detaches, a second one cancels
	struct cmd_cluster *cluster;     // cmd_follow_job's own
	bool has_line;                   // likewise: the log has begun
};

// Follows jobs.name in jobs.namespace. True when the job has ended: *ret_status is its exit status (an end
// by the time limit is 124); false with *err: missing, deleted, stuck, interrupted, and
// context->failure_status set to the status that it stands for.
bool cmd_follow_job(struct cmd_cluster *cluster, struct cmd_follow *follow, int *ret_status,
                    struct err *err) _nodiscard_;
