// SPDX-License-Identifier: MIT
// Jobs as they change: what `list --watch` stands on.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "jobs/listing.h"
#include "kube/client.h"

struct jobs_watch_options {
	const char *namespace; // NULL: all
	const char *selector;  // labels; NULL: none
	// First all jobs, perhaps none; then those whose state, reason, node or pods have become others, and
	// those that are gone, at most ten times a second. It may reorder and shorten CHANGED, and keeps nothing of
	// it. The server may be asked only where CHANGED is empty. False with *err ends it.
	bool (*on_change)(void *context, struct jobs_listing *changed, struct err *err);
	// It cannot be watched now; tried again after PAUSE_MS.
	void (*on_trouble)(void *context, const struct err *failure, int64_t pause_ms);
	void *context;
};

// Watches until a failure, which it returns as false: that of on_change, or that the first lists cannot be
// had. What fails later is tried again.
bool jobs_watch(struct kube_client *client, const struct jobs_watch_options *options,
                struct err *err);
