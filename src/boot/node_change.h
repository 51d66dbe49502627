// SPDX-License-Identifier: MIT
// Labels and a taint that a node is to have, as a merge patch of what it lacks. Pure.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "boot/inventory.h"

struct boot_node_wants {
	const struct boot_pair *labels;
	size_t label_count;
	const char *taint_key;    // NULL: no taint is touched
	const char *taint_effect; // with it; a taint of ours with another effect goes
};

// *RET is a JSON merge patch (RFC 7396) for NODE, a Node as the server shows it, owned by the caller;
// NULL where it lacks nothing. The patch states the node's resourceVersion, since a list of taints is
// replaced as a whole. WORDS gets what changes: "label gpu=true, taint nvidia.com/gpu:NoSchedule".
bool boot_node_change(const struct json *node, const struct boot_node_wants *wants,
                      struct json **ret, struct strbuf *words, struct err *err) _nodiscard_;
