// SPDX-License-Identifier: MIT
// Node affinity: which nodes a pod must or would rather run on.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json_build.h"
#include "base/strv.h"

// The label of a node with GPUs, set at bootstrap and by `vpsml setup`: gpu=true.
#define KUBE_GPU_NODE_LABEL "gpu"
#define KUBE_GPU_NODE_VALUE "true"
// The label that NVIDIA's GPU feature discovery sets to the product, e.g. NVIDIA-A100-SXM4-80GB.
#define KUBE_GPU_TYPE_LABEL "nvidia.com/gpu.product"

enum kube_node_operator {
	KUBE_NODE_IN,
	KUBE_NODE_NOT_IN,
	KUBE_NODE_EXISTS,
	KUBE_NODE_DOES_NOT_EXIST,
	KUBE_NODE_GREATER,
	KUBE_NODE_LESS,
};

// One expression over a node's labels.
struct kube_node_rule {
	char *key;
	enum kube_node_operator op;
	struct strv values;
	int64_t weight; // 1 to 100: preferred; 0: required
};

struct kube_affinity {
	struct kube_node_rule *items;
	size_t count;
};

// "KEY=V[,V…]", "KEY!=V[,V…]", "KEY", "!KEY", "KEY>N", "KEY<N"; "@WEIGHT" behind it makes a
// requirement a preference.
bool kube_affinity_parse(struct kube_affinity *affinity, const char *text,
                         struct err *err) _nodiscard_;

// Appends a rule with one value.
bool kube_affinity_add(struct kube_affinity *affinity, const char *key, enum kube_node_operator op,
                       const char *value, int64_t weight, struct err *err) _nodiscard_;

// Appends copies of the rules of OTHER.
bool kube_affinity_add_all(struct kube_affinity *affinity, const struct kube_affinity *other,
                           struct err *err) _nodiscard_;

// Does it require nodes with GPUs: a required rule gpu In [true]?
bool kube_affinity_wants_gpu_nodes(const struct kube_affinity *affinity);

// Does a requirement rule out nodes with the label KEY=VALUE, whatever other labels they have?
bool kube_affinity_rules_out(const struct kube_affinity *affinity, const char *key,
                             const char *value);

// Puts the member "affinity"; nothing where there are no rules. Required rules are one term, so
// that all must hold; each preferred rule is a term of its own.
void kube_affinity_put(const struct kube_affinity *affinity, struct json_build *b);

// {"affinity": …}, owned by the caller.
struct json *kube_affinity_build(const struct kube_affinity *affinity, struct err *err) _nodiscard_;

void kube_affinity_release(struct kube_affinity *affinity);
