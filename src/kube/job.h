// SPDX-License-Identifier: MIT
// The Job of a workload as API object (batch/v1).
#pragma once

#include "kube/workload.h"

// The Job, owned by the caller: one pod; or an Indexed Job, whose pods are workers that train
// together or the tasks of an array. Fields newer than the oldest servers: podFailurePolicy (beta in
// 1.26), podReplacementPolicy and backoffLimitPerIndex (1.29).
struct json *kube_job_build(const struct kube_workload *workload, struct err *err) _nodiscard_;

// A field of a Job that not every server has.
struct kube_job_field {
	const char *path;
	int64_t minor; // of the version 1.N since which it is on by default
};

extern const struct kube_job_field kube_job_fields[]; // ends with a NULL path

// Warns, in one line, of what workload->server is too old for and so is left out; adds a fault where it
// was asked for in so many words.
void kube_job_check_server(const struct kube_workload *workload, struct faults *faults);
