// SPDX-License-Identifier: MIT
// What the API server does not check before it takes a job: a priority class, claim, Secret or service
// account that is not there, a quota that is too small, a need that no node meets. Such a job is accepted
// and then has no pods, or pods that never run.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strv.h"
#include "jobs/facts.h"
#include "kube/client.h"
#include "kube/workload.h"

struct jobs_preflight {
	struct faults
		*faults; // gets what is certain to fail, as errors, and what may wait for ever, as warnings
	struct strv *unchecked; // gets what we may not read, in words; NULL: nobody asks
};

// Asks the server what WORKLOAD needs to know of it, all at once, and checks it. Sets workload->server (what
// it has), the version of its autoscaler, and the runtime class and scheduler of GPU pods; names a priority
// class where vpsml's own are set up and none was asked for. What we may not read is not checked.
bool jobs_preflight(struct kube_client *client, const char *namespace,
                    struct kube_workload *workload, const struct jobs_preflight *preflight,
                    struct err *err) _nodiscard_;

// The same for COUNT objects out of files, which may refer to each other. *RET_MINOR gets the server's
// version 1.N.
bool jobs_preflight_objects(struct kube_client *client, struct jobs_needs *needs, size_t count,
                            const struct jobs_preflight *preflight, int64_t *ret_minor,
                            struct err *err) _nodiscard_;

// Hands on what FACTS could not read.
bool jobs_preflight_tell(const struct jobs_facts *facts, const struct jobs_preflight *preflight,
                         struct err *err) _nodiscard_;
