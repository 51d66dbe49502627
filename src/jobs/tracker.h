// SPDX-License-Identifier: MIT
// One job and its pods, kept up to date: what wait, run and logs stand on.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "jobs/listing.h"
#include "kube/client.h"

struct jobs_tracker_options {
	const char *namespace, *name; // borrowed
	// Something may have changed. Called when both lists are whole, and after each change.
	void (*on_change)(void *context);
	// It cannot be watched now; tried again after PAUSE_MS.
	void (*on_trouble)(void *context, const struct err *failure, int64_t pause_ms);
	void *context;
};

struct jobs_tracker;

// Owned by the caller; fails on memory alone. Nothing has been asked when it returns.
struct jobs_tracker *jobs_tracker_start(struct kube_client *client,
                                        const struct jobs_tracker_options *options,
                                        struct err *err) _nodiscard_;

// From now on asks for the events that say why the job has no pods too (a quota, an admission hook); they
// come as changes. Once is enough. Who may not read them does without.
bool jobs_tracker_ask_events(struct jobs_tracker *tracker, struct err *err) _nodiscard_;

// Both lists are whole: what follows is the state of the server.
bool jobs_tracker_is_synced(const struct jobs_tracker *tracker);

// The job with what its pods say, or NULL while there is none. Borrowed until the loop runs again.
const struct jobs_item *jobs_tracker_item(const struct jobs_tracker *tracker);

// Was there one that is gone now?
bool jobs_tracker_is_gone(const struct jobs_tracker *tracker);

// Its pods, the ended ones too. Borrowed until the loop runs again.
const struct kube_pod_info *jobs_tracker_pods(const struct jobs_tracker *tracker,
                                              size_t *ret_count);

// Not from its own callbacks.
void jobs_tracker_free(struct jobs_tracker *tracker);
