// SPDX-License-Identifier: MIT
// The load of a cluster as commands show it: `nodes`, and `top` without a terminal.
#pragma once

#include "base/json_build.h"
#include "cli/table.h"
#include "cmd/cluster.h"
#include "mon/model.h"

struct cmd_load {
	struct mon_snapshot *snapshot;
	bool has_pods; // else nobody knows what is asked of nodes
};

#define _cleanup_cmd_load_ _cleanup_(cmd_load_release)

// Asks the cluster once. WANTS_GPUS: its exporters too.
bool cmd_load_collect(struct cli_context *context, struct cmd_cluster *cluster, bool wants_gpus,
                      struct cmd_load *ret, struct err *err) _nodiscard_;
void cmd_load_release(struct cmd_load *load);

// Adds what is wrong with sources and exporters, as warnings.
void cmd_load_warn(const struct cmd_load *load, struct faults *faults);

// Does the node have GPUs, as far as is known?
bool cmd_load_is_gpu_node(const struct mon_node *node);

// Adds a number of CPUs ("7.9"), and of bytes ("30.5Gi").
void cmd_load_add_cpus(struct strbuf *out, int64_t milli);
void cmd_load_add_bytes(struct strbuf *out, int64_t bytes);

// Adds "ready", "not-ready", "cordoned", a pressure, with commas between; and "control-plane", "gpu",
// "worker".
void cmd_load_add_state(struct strbuf *out, const struct mon_node *node);
void cmd_load_add_roles(struct strbuf *out, const struct mon_node *node);

// Adds "2/4": GPUs that pods hold, of those that there are; nothing where there are none.
void cmd_load_add_gpus(struct strbuf *out, const struct cmd_load *load,
                       const struct mon_node *node);

// What a GPU is at: "busy"; "idle", which is held and not used; "free"; "quiet", where nobody knows whether
// it is held; "lost", "stale", "n/a".
const char *cmd_load_gpu_state(const struct mon_snapshot *snapshot, const struct mon_gpu *gpu);

// Its first owner, or NULL; and that one's pod, where the API server lists it, or NULL.
const struct mon_owner *cmd_load_owner(const struct mon_snapshot *snapshot,
                                       const struct mon_gpu *gpu);
const struct mon_pod *cmd_load_owner_pod(const struct mon_snapshot *snapshot,
                                         const struct mon_gpu *gpu);

// Adds the text as the table's next cell, and empties it.
bool cmd_load_add_cell(struct cli_table *table, struct strbuf *text, struct err *err) _nodiscard_;

// Adds a number as the next cell, for CSV; nothing where IS_KNOWN is false.
bool cmd_load_add_number(struct cli_table *table, bool is_known, double number,
                         struct err *err) _nodiscard_;

// Puts the array "nodes"; the arrays "gpus" and "queue", "totals", and "problems". What is unknown is
// null.
void cmd_load_put_nodes(struct json_build *b, const struct cmd_load *load);
void cmd_load_put_rest(struct json_build *b, const struct cmd_load *load);

// Adds the picture as Prometheus' text format. What is unknown is left out.
void cmd_load_write_prometheus(struct strbuf *out, const struct cmd_load *load);
