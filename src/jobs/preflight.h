// SPDX-License-Identifier: MIT
// What the API server does not check before it takes a job: a priority class, claim, Secret or service
// account that is not there, a quota that is too small, a need that no node meets. Such a job is accepted
// and then has no pods, or pods that never run.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "kube/client.h"
#include "kube/workload.h"

// Asks the server what WORKLOAD needs to know of it, all at once, and checks it. Sets workload->server (what
// it has), and the runtime class and scheduler of GPU pods; names a priority class where vpsml's own are set
// up and none was asked for. FAULTS gets what is certain to fail, as errors, and what may wait for ever, as
// warnings. What we may not read is not checked.
bool jobs_preflight(struct kube_client *client, const char *namespace,
                    struct kube_workload *workload, struct faults *faults,
                    struct err *err) _nodiscard_;
