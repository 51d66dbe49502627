// SPDX-License-Identifier: MIT
// The Job of a workload as API object (batch/v1).
#pragma once

#include "kube/workload.h"

// The Job, owned by the caller: one pod; or an Indexed Job, whose pods are workers that train
// together or the tasks of an array. Fields newer than the oldest servers: podFailurePolicy (beta in
// 1.26), podReplacementPolicy and backoffLimitPerIndex (1.29).
struct json *kube_job_build(const struct kube_workload *workload, struct err *err) _nodiscard_;
