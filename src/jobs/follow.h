// SPDX-License-Identifier: MIT
// Staying with a job until it ends: its log as it is written, and how it ended.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "jobs/listing.h"
#include "kube/client.h"

// Where a line comes from.
struct jobs_source {
	const char *pod, *container;
	const char *index;   // in an Indexed Job; NULL: none
	bool is_one_of_many; // there is more than one source: say which
};

struct jobs_follow_options {
	const char *namespace, *name;
	bool has_logs;         // reads the containers' logs
	bool ends_with_logs;   // what has been written, and no more: do not wait for the job
	const char *container; // of this container alone; NULL: all
	const char *index;     // of this index alone; NULL: all
	bool is_previous;
	int64_t since_s, tail;  // as in struct jobs_log_options
	bool is_patient;        // a server that does not answer at the start is asked again too
	int64_t limit_ms;       // the longest to stay; 0: no limit
	int64_t start_limit_ms; // the longest that an image or a configuration may be bad; 0: no limit

	bool (*on_line)(void *context, const struct jobs_source *source, const char *timestamp,
	                size_t timestamp_len, const char *text, size_t len, struct err *err);
	void (*on_state)(void *context, const struct jobs_item *item); // it changed; NULL: nobody cares
	void (*on_trouble)(void *context, const struct err *failure, int64_t pause_ms); // or NULL
	bool (*is_interrupted)(void *context); // asked now and then, and after each signal
	void *context;
};

enum jobs_end {
	JOBS_END_DONE,    // the job has ended
	JOBS_END_LOGS,    // with ends_with_logs: all was read
	JOBS_END_MISSING, // there is no such job
	JOBS_END_GONE,    // it was deleted
	JOBS_END_LIMIT,   // limit_ms is over
	JOBS_END_STUCK,   // start_limit_ms is over
	JOBS_END_INTERRUPTED,
};

struct jobs_ending {
	enum jobs_end end;
	int64_t exit_status; // of JOBS_END_DONE
	char *reason;        // a few words: exit 7, OOMKilled, ErrImagePull; NULL: nothing to say
	char *message;       // more of it; NULL
	size_t source_count; // logs that were there
};

// Runs the loop until one of the ends. Fails where a log or, at the start, the job cannot be read, or memory
// is short; a server that does not answer later is asked again.
bool jobs_follow(struct kube_client *client, const struct jobs_follow_options *options,
                 struct jobs_ending *ret, struct err *err) _nodiscard_;

void jobs_ending_release(struct jobs_ending *ending);
