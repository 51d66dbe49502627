// SPDX-License-Identifier: MIT
// Does a namespace let the pods be made? A Job whose pods are refused by a ResourceQuota or a LimitRange is
// accepted, and then owns none (kubernetes/kubernetes#90124). Pure.
#pragma once

#include "base/faults.h"
#include "jobs/needs.h"
#include "kube/limit_info.h"
#include "kube/quota_info.h"

// Warns of what QUOTA will refuse: a container without a request or limit that the quota counts (LIMITS may
// fill it in; COUNT of them, which may be 0), more than it allows in all, more than is left. A quota
// with scopes counts some pods alone and is passed over.
void jobs_quota_check(const struct jobs_needs *needs, const struct kube_quota_info *quota,
                      const struct kube_limit_info *limits, size_t count, struct faults *faults);

// Warns of a container that asks for more, or less, than LIMITS allows.
void jobs_limits_check(const struct jobs_needs *needs, const struct kube_limit_info *limits,
                       struct faults *faults);
