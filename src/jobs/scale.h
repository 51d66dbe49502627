// SPDX-License-Identifier: MIT
// How many pods run: a Deployment's replicas, an Indexed Job's workers, how many tasks of an array run at
// once.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/json.h"
#include "jobs/target.h"
#include "kube/client.h"

enum jobs_scale_way {
	JOBS_SCALE_REPLICAS, // of a Deployment
	JOBS_SCALE_WORKERS,  // completions and parallelism of an Indexed Job (elastic; Kubernetes 1.27)
	JOBS_SCALE_AT_ONCE,  // parallelism alone
};

struct jobs_scaling {
	enum jobs_scale_way way;
	int64_t from; // how many it was; N itself: nothing was done
};

// Scales TARGET to N. FAULTS gets warnings: an autoscaler that will move it back, pods that were told the
// old number. Refuses what has one pod, has ended, or has fewer tasks.
bool jobs_scale(struct kube_client *client, const char *namespace, const struct jobs_target *target,
                int64_t n, struct jobs_scaling *ret, struct faults *faults,
                struct err *err) _nodiscard_;

// The same for a Job (as the API server has it), without doing it. Pure.
bool jobs_scale_plan(const struct json *job, const char *name, int64_t n, struct jobs_scaling *ret,
                     struct faults *faults, struct err *err) _nodiscard_;
