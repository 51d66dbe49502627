// SPDX-License-Identifier: MIT
// Requests and limits of a container or pod, as the API server shows them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json_pick.h"

struct kube_requests {
	int64_t cpu_milli, memory_bytes;
	int64_t memory_limit_bytes; // 0: none (for several containers: some has none)
	int64_t gpus;
};

// Is this resource a GPU: nvidia.com/gpu, amd.com/gpu, nvidia.com/mig-…, gpu.intel.com/…?
bool kube_resource_is_gpu(const char *name);

// Adds what a member of resources.requests or resources.limits says: event->name is the resource. Others than CPU, memory
// and GPUs are passed over.
bool kube_requests_take(struct kube_requests *requests, const struct json_pick_event *event,
                        struct err *err) _nodiscard_;

// Adds one container's REQUESTS to those of the others; where it has none of a resource its LIMITS
// stand for them, as the API server has it for pods. *HAS_NO_LIMIT remembers, from call to call,
// that one of them has no memory limit; the sum then has none either.
void kube_requests_add(struct kube_requests *sum, const struct kube_requests *requests,
                       const struct kube_requests *limits, bool *has_no_limit);
