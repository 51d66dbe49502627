// SPDX-License-Identifier: MIT
// The pod of a workload as API object (core/v1).
#pragma once

#include "base/json_build.h"
#include "kube/workload.h"

// Puts "spec" of the pod, as a Pod or a template has it, with the scheduling rules of GPU and of
// light pods.
void kube_pod_put_spec(const struct kube_workload *workload, struct json_build *b);

// A whole Pod, owned by the caller.
struct json *kube_pod_build(const struct kube_workload *workload, struct err *err) _nodiscard_;

// Must it run on a node with GPUs: does it hold one, or does its affinity or selector say so?
bool kube_pod_wants_gpu_nodes(const struct kube_pod *pod);

// Does its node selector ask for them: gpu=true?
bool kube_pod_selects_gpu_nodes(const struct kube_pod *pod);
