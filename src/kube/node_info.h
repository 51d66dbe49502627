// SPDX-License-Identifier: MIT
// A node as the API server shows it: what we read of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kube/record.h"
#include "kube/requests.h"

// What is kept while a list inside a node is read.
struct kube_node_scratch {
	char *type, *truth, *reason; // of a condition
	char *key, *effect;          // of a taint
	char *address_type, *address;
};

struct kube_node_info {
	char *name;
	int64_t created_ms;
	bool is_control_plane;           // label node-role.kubernetes.io/control-plane
	bool is_gpu_node;                // label gpu=true
	char *gpu_product;               // label nvidia.com/gpu.product; NULL: none
	bool is_unschedulable;           // cordoned
	char *kubelet_version, *address; // address: InternalIP
	struct kube_requests allocatable, capacity;
	int64_t allocatable_pods;
	bool is_ready;
	char *not_ready_reason;
	bool has_pressure;   // memory, disk or processes
	char *pressure;      // type of the first such condition
	bool is_gpu_tainted; // a taint whose key is a GPU resource
	bool has_hard_taint; // another one with NoSchedule or NoExecute
	char *gpu_resource;  // the first GPU resource among the allocatable ones; NULL: none

	struct kube_node_scratch scratch;
};

extern const struct kube_record_kind kube_node_record; // of struct kube_node_info

void kube_node_info_release(struct kube_node_info *node);
