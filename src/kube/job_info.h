// SPDX-License-Identifier: MIT
// A Job as the API server shows it: what we read of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kube/record.h"
#include "kube/requests.h"

// What is kept while a list inside a job is read.
struct kube_job_scratch {
	char *type, *truth, *reason, *message; // of a condition
	int64_t since_ms;
	struct kube_requests container, limits; // of one container
	bool has_no_memory_limit;
};

struct kube_job_info {
	char *name, *namespace, *uid;
	int64_t created_ms, deleted_ms;   // deleted: 0 unless it is being deleted
	char *user, *queue;               // labels; NULL: none
	char *request_id;                 // annotation vpsml.dev/request-id
	int64_t parallelism, completions; // 0: not said
	int64_t deadline_s;               // activeDeadlineSeconds; 0: none
	int64_t retries;                  // backoffLimit
	bool is_suspended;
	char *completion_mode; // NonIndexed, Indexed
	char *priority_class;
	struct kube_requests requests; // of one pod
	int64_t active, ready, succeeded, failed;
	int64_t started_ms;  // 0: not yet
	int64_t finished_ms; // when it became complete or failed; 0: not yet
	bool is_complete, is_failed;
	bool is_ending;                       // it will be one of them as soon as its pods have gone
	char *failed_reason, *failed_message; // BackoffLimitExceeded, DeadlineExceeded, …

	struct kube_job_scratch scratch;
};

extern const struct kube_record_kind kube_job_record; // of struct kube_job_info

void kube_job_info_release(struct kube_job_info *job);
