// SPDX-License-Identifier: MIT
// The headless Service that gives a Job's workers their names in DNS (core/v1).
#pragma once

#include "kube/workload.h"

// The Service, owned by the caller. It has the Job's name and selects the Job's pods, ready or not:
// they must find each other before they can be ready.
struct json *kube_service_build(const struct kube_workload *workload, struct err *err) _nodiscard_;
