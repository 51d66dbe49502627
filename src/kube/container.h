// SPDX-License-Identifier: MIT
// The containers of a workload's pod.
#pragma once

#include "base/json_build.h"
#include "kube/workload.h"

// The init container in which workers wait for the first one's address.
#define KUBE_WAIT_CONTAINER "wait-for-rank-0"

// Puts "initContainers", where the workers must wait for the first one's address, and "containers".
void kube_container_put_all(const struct kube_workload *workload, struct json_build *b);
