// SPDX-License-Identifier: MIT
// What vpsml's jobs count on in a cluster: labels and a taint on GPU nodes, priority classes, the runtime
// class nvidia, and ConfigMap kube-system/vpsml. The same for `setup` and `up`; twice is once.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strv.h"
#include "kube/apply.h"
#include "kube/client.h"

struct boot_setup {
	struct kube_client *client;
	const char *gpu_resource;     // that taints nodes which are named: nvidia.com/gpu
	const char *taint_effect;     // PreferNoSchedule or NoSchedule; NULL: no taint is touched
	const struct strv *gpu_nodes; // beside those that offer GPUs already
	bool has_runtime_class;    // make it, unless the GPU nodes say that they have no such runtime
	const char *gpu_scheduler; // profile of the scheduler that packs GPU jobs; NULL: there is none
	bool is_dry_run;           // the server says what it would do, and keeps nothing
	// One object is done: "node/gpu-1". DETAIL says what changed of a node, else it is NULL.
	void (*on_object)(void *context, const char *object, enum kube_apply_outcome outcome,
	                  const char *detail);
	void *context;
};

// Nothing is changed before all was looked at. FAULTS gets nodes that are not there, and NoSchedule
// where then no node would be left for other pods: then it fails with *err unset, as these are the
// caller's to show; and warnings.
bool boot_setup(const struct boot_setup *setup, struct faults *faults, struct err *err) _nodiscard_;
