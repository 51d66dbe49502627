// SPDX-License-Identifier: MIT
// The names that a place in a command line asks for: of jobs, nodes, namespaces and classes from the
// cluster that the line means, of contexts from its kubeconfig.
#pragma once

#include "base/strv.h"
#include "cli/place.h"

// PLACE is in the words of context->command. Adds at most 200 names that begin with what was typed;
// *RET_HAS_MORE: there are more. Nothing where the place asks for none. Takes two seconds at most.
bool cmd_place_names(struct cli_context *context, const struct cli_place *place, struct strv *names,
                     bool *ret_has_more, struct err *err) _nodiscard_;
