// SPDX-License-Identifier: MIT
// The log of one container, line by line. A connection that breaks is made anew, from where the last line
// was: none is lost and none comes twice.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"

struct jobs_log_options {
	const char *namespace, *pod, *container;
	bool follows;     // goes on as lines are written, until the container ends
	bool is_previous; // of the run before kubelet restarted the container
	int64_t since_s;  // of the last so many seconds alone; 0: all
	int64_t tail;     // of the last so many lines alone; -1: all

	// A line without its line feed; TIMESTAMP (RFC 3339) is when it was written. Borrowed.
	bool (*on_line)(void *context, const char *timestamp, size_t timestamp_len, const char *text,
	                size_t len, struct err *err);
	// The log is over: the container ended, kubelet rotated it away, or (FAILURE) it cannot be read.
	void (*on_end)(void *context, const struct err *failure);
	void *context;
};

struct jobs_log_stream;

// Starts to read; the strings are copied.
struct jobs_log_stream *jobs_log_open(struct kube_client *client,
                                      const struct jobs_log_options *options,
                                      struct err *err) _nodiscard_;

// Reads on from the last line, after on_end: for a container that has not ended.
bool jobs_log_reopen(struct jobs_log_stream *stream, struct err *err) _nodiscard_;

// Not from on_line.
void jobs_log_free(struct jobs_log_stream *stream);
