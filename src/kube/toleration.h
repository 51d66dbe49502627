// SPDX-License-Identifier: MIT
// Tolerations: which taints a pod may ignore.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json_build.h"

struct kube_toleration {
	char *key;          // NULL: every taint
	char *value;        // NULL: any value
	const char *effect; // NULL: any effect
};

struct kube_tolerations {
	struct kube_toleration *items;
	size_t count;
};

// "KEY[=VALUE][:EFFECT]", or "all". EFFECT is NoSchedule, PreferNoSchedule or NoExecute.
bool kube_tolerations_parse(struct kube_tolerations *list, const char *text,
                            struct err *err) _nodiscard_;

// Puts the pod's tolerations, with one more for the taint GPU_KEY (any value and effect) unless that
// is NULL or among them; nothing where there are none.
void kube_tolerations_put(const struct kube_tolerations *list, const char *gpu_key,
                          struct json_build *b);

void kube_tolerations_release(struct kube_tolerations *list);
