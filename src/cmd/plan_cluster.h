// SPDX-License-Identifier: MIT
// What `up` would change in a cluster that runs: the API server is asked, and keeps nothing.
#pragma once

#include "cmd/cluster_plan.h"

// Adds a step for each object that would be made or changed to PLAN's cluster steps. Where the server
// cannot be asked, that is a warning of the plan.
bool cmd_plan_ask_cluster(struct cli_context *context, struct cmd_plan *plan,
                          struct err *err) _nodiscard_;
