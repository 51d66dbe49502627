// SPDX-License-Identifier: MIT
// The Deployment of a workload as API object (apps/v1).
#pragma once

#include "kube/workload.h"

// The Deployment, owned by the caller. It says nothing of replicas where an autoscaler decides.
struct json *kube_deployment_build(const struct kube_workload *workload,
                                   struct err *err) _nodiscard_;
