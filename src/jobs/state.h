// SPDX-License-Identifier: MIT
// The state of a job, from the Job and its pods together. `list`, `get`, `wait` and `run` all take
// it from here.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "jobs/outcome.h"
#include "kube/job_info.h"

enum jobs_state {
	JOBS_PENDING,  // waits for room, or for its pods
	JOBS_STARTING, // has a node; images are pulled, containers made
	JOBS_RUNNING,
	JOBS_SUSPENDED,
	JOBS_SUCCEEDED,
	JOBS_FAILED,
	JOBS_TERMINATING, // is being deleted
	JOBS_DELETED,     // was there, and is not any more
	JOBS_STATE_COUNT,
};

extern const char *const jobs_state_words[]; // as shown and as --state takes them; NULL-terminated

// The state that a job is in, from its own status and from what its pods say together.
enum jobs_state jobs_state_of(const struct kube_job_info *job, const struct jobs_outcome *outcome);

// Is nothing going to change any more?
bool jobs_state_is_end(enum jobs_state state);

// Adds the REASON column: a few words, or nothing. CREATE_FAILURE is the message of the last
// FailedCreate event (a quota, an admission hook), or NULL: a job that has one has no pods, and its
// status does not tell why.
void jobs_reason_write(struct strbuf *out, const struct kube_job_info *job,
                       const struct jobs_outcome *outcome, const char *create_failure);

// The status for the shell: 0; the highest exit code of its containers; 124 where the time limit ended
// it; 1 where it failed and no container tells. Of an ended job.
int64_t jobs_exit_status_of(const struct kube_job_info *job, const struct jobs_outcome *outcome);

// Seconds from creation to the first start (to NOW while there is none), and from there to the end (to
// NOW while there is none). -1: it never started.
int64_t jobs_wait_s(const struct kube_job_info *job, const struct jobs_outcome *outcome,
                    int64_t now_ms);
int64_t jobs_run_s(const struct kube_job_info *job, const struct jobs_outcome *outcome,
                   int64_t now_ms);
