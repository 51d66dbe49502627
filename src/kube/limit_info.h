// SPDX-License-Identifier: MIT
// A LimitRange as the API server shows it: what a namespace's containers get where they name nothing, and
// what they may ask for. Its rules for pods and claims are left out.
#pragma once

#include <stdbool.h>

#include "kube/quantity.h"
#include "kube/record.h"

// Of one resource.
struct kube_container_limits {
	struct kube_quantity max, min;
	struct kube_quantity limit, request; // defaults
};

struct kube_limit_info {
	char *name;
	struct kube_container_limits cpu, memory;

	// While an element of spec.limits is read.
	char *type;
	struct kube_container_limits next_cpu, next_memory;
};

extern const struct kube_record_kind kube_limit_record; // of struct kube_limit_info

void kube_limit_info_release(struct kube_limit_info *limits);
