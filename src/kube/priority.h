// SPDX-License-Identifier: MIT
// PriorityClass: who goes first when not all fit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"

// A 32-bit number; values above the maximum are the system's.
enum { KUBE_PRIORITY_MIN = -2147483647, KUBE_PRIORITY_MAX = 1000000000 };

struct kube_priority {
	const char *name;
	int64_t value;
	bool preempts; // evicts lower pods; else it only goes first in the queue
	const char *description;
};

// The classes that vpsml sets up: vpsml-low, -normal, -high, -urgent. Only the last preempts.
extern const struct kube_priority kube_priority_defaults[];
extern const size_t kube_priority_default_count;

// The name: a DNS subdomain that does not begin with "system-".
bool kube_priority_check(const struct kube_priority *priority, struct err *err) _nodiscard_;

// The object, owned by the caller.
struct json *kube_priority_build(const struct kube_priority *priority, struct err *err) _nodiscard_;
