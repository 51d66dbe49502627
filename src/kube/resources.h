// SPDX-License-Identifier: MIT
// What a container asks for: CPU, memory, GPUs, shared memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/faults.h"
#include "base/json_build.h"
#include "kube/quantity.h"

#define KUBE_GPU_RESOURCE "nvidia.com/gpu"

struct kube_resources {
	struct kube_quantity cpu, cpu_limit; // a request without a limit may use what is idle
	struct kube_quantity memory;         // request, and the limit too unless:
	struct kube_quantity memory_limit;   // was given
	int64_t gpus;                        // 0: none
	char *gpu_resource;                  // NULL: KUBE_GPU_RESOURCE
	struct kube_quantity shm;            // size of /dev/shm: see kube_resources_shm
	bool has_no_shm;                     // `--shm 0`: leave /dev/shm as the runtime makes it
};

// The extended resource that stands for a GPU.
const char *kube_resources_gpu(const struct kube_resources *resources);

// The memory limit: given, or the request; not set where neither is.
struct kube_quantity kube_resources_memory_limit(const struct kube_resources *resources);

// The size of /dev/shm: what was given; else, with GPUs (their data loaders need it), half the
// memory limit or 1Gi without one; else not set. It counts as memory of the container.
struct kube_quantity kube_resources_shm(const struct kube_resources *resources);

// Adds faults: a request above its limit, shm above the memory limit, a bad resource name; warns
// where nothing is asked for (such pods are the first to be killed).
void kube_resources_check(const struct kube_resources *resources, struct faults *faults);

// Puts the container's "resources"; nothing where nothing is asked for. GPUs stand in the limits
// alone, as extended resources should.
void kube_resources_put(const struct kube_resources *resources, struct json_build *b);

void kube_resources_release(struct kube_resources *resources);
