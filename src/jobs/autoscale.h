// SPDX-License-Identifier: MIT
// An autoscaler for what is in a cluster: in the newest version that the server has, and checked against
// what it is to scale.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "jobs/preflight.h"
#include "kube/client.h"
#include "kube/hpa.h"

// Asks for the target and the versions, all at once, and sets hpa->version. PREFLIGHT's faults get what
// the version cannot say and a second autoscaler of the same target, as errors; and as warnings what would
// keep it from working: no metrics, containers without the request that a share is of
// (kubernetes/kubernetes#79365), no replicas. That the target is not there fails.
bool jobs_autoscale_check(struct kube_client *client, const char *namespace, struct kube_hpa *hpa,
                          const struct jobs_preflight *preflight, struct err *err) _nodiscard_;
