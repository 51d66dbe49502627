// SPDX-License-Identifier: MIT
// What the pods of a job say together. Pods are folded in one by one and not kept, so that the memory
// does not grow with their number.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/pod_info.h"

// What a pod's condition means for its job; the higher one is shown.
enum jobs_trouble {
	JOBS_TROUBLE_NONE,
	JOBS_TROUBLE_STARTING,      // pulling, mounting, creating
	JOBS_TROUBLE_UNSCHEDULABLE, // fits nowhere now
	JOBS_TROUBLE_GATED,
	JOBS_TROUBLE_STUCK, // an image or configuration that will not come right by itself
	JOBS_TROUBLE_EXIT,  // a container ended with a code other than 0
	JOBS_TROUBLE_EVICTED,
	JOBS_TROUBLE_OOM,
};

struct jobs_outcome {
	int64_t pending, running, succeeded, failed; // pods
	int64_t ready;
	int64_t preempted; // pods that had to make room
	int64_t gpus_held; // by pods on a node that have not ended
	char *node;        // of the first such pod, or of the last that ended; NULL: none
	int64_t node_count;
	int64_t first_started_ms; // of any container; 0: none started
	int64_t last_finished_ms;

	enum jobs_trouble trouble;
	char *reason;       // short: OOMKilled, ImagePullBackOff, exit 7, …
	char *message;      // in full, where there is more to say
	bool has_exit_code; // of the job: the highest of its containers
	int64_t exit_code;
};

// Takes one more pod of the job into account.
bool jobs_outcome_add(struct jobs_outcome *outcome, const struct kube_pod_info *pod,
                      struct err *err) _nodiscard_;

// The status that a container's end stands for: its exit code; 137 where it was killed for memory,
// also when it says 0 (cortexlabs/cortex#1806); 128 + N for a signal.
int64_t jobs_exit_status(const struct kube_container_info *container);

// Does kubelet wait for something that will not come right by itself: an image that cannot be had,
// a configuration that is not there?
bool jobs_is_stuck_reason(const char *reason);

void jobs_outcome_release(struct jobs_outcome *outcome);
