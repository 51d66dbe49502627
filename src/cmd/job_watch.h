// SPDX-License-Identifier: MIT
// Jobs on standard output as they change, until that fails or the program is ended.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "cli/context.h"
#include "cmd/cluster.h"
#include "cmd/job_output.h"
#include "jobs/listing.h"

struct cmd_job_watch {
	struct cli_context *context;
	struct cmd_cluster *cluster;
	bool is_all_namespaces;
	const char *selector; // labels; NULL: none
	const struct jobs_states *states;
	const char *user; // NULL: all
	enum jobs_order order;
	struct cmd_jobs_stream stream;
	bool has_begun; // false at the start
};

// First all jobs that are chosen, in their order; then those that change. Returns only where it fails, false:
// at the start also for a namespace that is not there.
bool cmd_job_watch_run(struct cmd_job_watch *watch, struct err *err) _nodiscard_;
