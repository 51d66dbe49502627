// SPDX-License-Identifier: MIT
// A plan as text for people, and as a tree for programs.
#pragma once

#include "base/json.h"
#include "base/strbuf.h"
#include "cmd/cluster_plan.h"

// What of the plan is shown.
struct cmd_plan_view {
	const struct cmd_plan *plan;
	const struct cmd_file_options *file; // for --limit
	int verbosity; // 1: file differences and commands; 2: how they are checked, too
};

// The steps that are shown, on how many hosts; those of a new cluster among them.
size_t cmd_plan_count(const struct cmd_plan_view *view, size_t *ret_hosts);

// Adds the text, harmless for a terminal.
bool cmd_plan_write(struct strbuf *out, const struct cmd_plan_view *view,
                    struct err *err) _nodiscard_;

// The same as a tree, owned by the caller.
struct json *cmd_plan_tree(const struct cmd_plan_view *view, struct err *err) _nodiscard_;
