// SPDX-License-Identifier: MIT
// Could any node ever run such a pod? Asked before it is posted: the API server takes a job that fits
// nowhere, and it then waits for ever. Nodes are folded in one by one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "jobs/needs.h"
#include "kube/node_info.h"
#include "kube/requests.h"

struct jobs_fit {
	struct kube_requests need;
	const char *gpu_resource;  // what the pod calls a GPU; NULL: it wants none
	bool must_not_be_gpu_node; // by its affinity, where nodes have the label
	int64_t node_count;
	int64_t fitting_count;
	int64_t labelled_count;       // nodes with gpu=true
	struct kube_requests largest; // each resource's most on one node
};

// What one pod of NEEDS asks for. The strings are borrowed from it.
void jobs_fit_init(struct jobs_fit *fit, const struct jobs_needs *needs);

// Folds NODE in; nothing of it is kept.
void jobs_fit_add(struct jobs_fit *fit, const struct kube_node_info *node);

// Forgets the nodes, not the need.
void jobs_fit_forget(struct jobs_fit *fit);

// True if some node could run it once it is empty; else adds why not: "no node has 8
// nvidia.com/gpu: the largest has 4".
bool jobs_fit_explain(const struct jobs_fit *fit, struct strbuf *out);
