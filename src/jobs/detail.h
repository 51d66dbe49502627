// SPDX-License-Identifier: MIT
// One job in full, or a Deployment or pod in the same words: its state as `list` has it, its pods one by
// one, and what happened to them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "jobs/listing.h"
#include "jobs/target.h"
#include "kube/client.h"

struct jobs_detail {
	enum jobs_kind kind;
	struct jobs_item item; // of a Deployment or pod: as if it were a Job
	struct json *object;   // as the API server has it
	struct jobs_item
		*pods; // each as if it were a Job of one pod; in an Indexed Job by index, else by name
	struct kube_pod_info *pod_infos; // of the same pods in the same order
	size_t pod_count;
	struct kube_event_info *events; // of the job and of up to eight pods of its that are in trouble
	size_t event_count;             // oldest first
};

#define _cleanup_jobs_detail_ _cleanup_(jobs_detail_release)

// Asks for TARGET, its pods and their events: three requests, and one for each pod in trouble. Events that
// we may not read are left out. Missing: as jobs_missing. *RET is released by the caller in any case.
bool jobs_detail_get(struct kube_client *client, const char *namespace,
                     const struct jobs_target *target, struct jobs_detail *ret,
                     struct err *err) _nodiscard_;

// The spec of its pods, borrowed from the object; NULL where it has none.
const struct json *jobs_detail_pod_spec(const struct jobs_detail *detail);

void jobs_detail_release(struct jobs_detail *detail);

// Makes *RET the pod as if it were a Job of one pod, so that what is said of jobs can be said of it.
bool jobs_item_of_pod(const struct kube_pod_info *pod, struct jobs_item *ret,
                      struct err *err) _nodiscard_;
