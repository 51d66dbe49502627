// SPDX-License-Identifier: MIT
// Words on the command line that are names of nodes.
#pragma once

#include "base/faults.h"
#include "cli/context.h"

// The `check` of a command whose words are nodes: adds each that cannot be a name to FAULTS.
void cmd_check_node_names(struct cli_context *context, void *data, struct faults *faults);
