// SPDX-License-Identifier: MIT
// What a name on the command line stands for: "cnn" and "job/cnn" a Job, "deploy/web" a Deployment,
// "pod/shell" a pod, with kubectl's words for them and as -o name prints them.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strbuf.h"
#include "base/strv.h"
#include "kube/collection.h"

enum jobs_kind { JOBS_KIND_JOB, JOBS_KIND_DEPLOYMENT, JOBS_KIND_POD };

struct jobs_target {
	enum jobs_kind kind;
	const char *name; // borrowed from the text
};

// Refuses other kinds, and a name that is empty or has a slash.
bool jobs_target_parse(const char *text, struct jobs_target *ret, struct err *err) _nodiscard_;

// Cuts each of WORDS down to the name of a Job. FAULTS gets what is no Job, with DOES ("can be suspended").
void jobs_target_check_jobs(struct strv *words, const char *does, struct faults *faults);

// Where it is in the API.
const struct kube_collection *jobs_target_collection(enum jobs_kind kind);

// Adds "job.batch/cnn", as kubectl names it.
void jobs_target_write(struct strbuf *out, enum jobs_kind kind, const char *name);
