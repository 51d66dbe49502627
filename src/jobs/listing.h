// SPDX-License-Identifier: MIT
// Many jobs at once, each with what its pods say: the model behind `list`, `wait` and `queue`. Jobs come
// first, then pods and events are folded into them and not kept.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "jobs/outcome.h"
#include "jobs/state.h"
#include "kube/event_info.h"
#include "kube/job_info.h"
#include "kube/pod_info.h"

struct jobs_item {
	struct kube_job_info job;
	struct jobs_outcome outcome;
	char *create_failure; // message of its last FailedCreate event; NULL: none
	int64_t create_failure_ms;
	bool is_gone;  // it was deleted
	uint64_t told; // for jobs_watch: stands for what was told of it last
};

struct jobs_listing {
	struct jobs_item *items;
	size_t count;
	bool is_indexed; // sorted by namespace and name
};

enum jobs_order {
	JOBS_BY_AGE,  // newest first
	JOBS_BY_NAME, // namespace, then name
	JOBS_BY_STATE,
	JOBS_BY_GPUS, // most first
	JOBS_BY_WAIT, // longest first
	JOBS_BY_RUN,
	JOBS_BY_NODE,
};

extern const char *const jobs_order_words[]; // of enum jobs_order, NULL-terminated

// A set of states, as --state takes it: "pending,running".
struct jobs_states {
	bool has[JOBS_STATE_COUNT];
	bool is_set; // else all
};

// Adds the states that TEXT names; the error lists the words that there are.
bool jobs_states_parse(struct jobs_states *states, const char *text, struct err *err) _nodiscard_;

// Takes over what *JOB holds and leaves it zeroed.
bool jobs_listing_take(struct jobs_listing *listing, struct kube_job_info *job,
                       struct err *err) _nodiscard_;

// Folds a pod into its job; pods of no job in the listing are passed over.
bool jobs_listing_add_pod(struct jobs_listing *listing, const struct kube_pod_info *pod,
                          struct err *err) _nodiscard_;

// Keeps the message of a FailedCreate event of a job in the listing.
bool jobs_listing_add_event(struct jobs_listing *listing, const struct kube_event_info *event,
                            struct err *err) _nodiscard_;

// The same for the one job.
bool jobs_item_add_event(struct jobs_item *item, const struct kube_event_info *event,
                         struct err *err) _nodiscard_;

// The job, or NULL.
struct jobs_item *jobs_listing_find(struct jobs_listing *listing, const char *namespace,
                                    const char *name);

// Is it in one of STATES and, where USER is not NULL, of this user?
bool jobs_item_matches(const struct jobs_item *item, const struct jobs_states *states,
                       const char *user);

// Drops what is in no state of STATES or, where USER is not NULL, belongs to another user.
void jobs_listing_filter(struct jobs_listing *listing, const struct jobs_states *states,
                         const char *user);

// Sorts for showing; equal ones by namespace and name. NOW_MS: since the epoch.
void jobs_listing_sort(struct jobs_listing *listing, enum jobs_order order, int64_t now_ms);

void jobs_listing_release(struct jobs_listing *listing);

// The state of its Job and pods together: see jobs_state_of.
enum jobs_state jobs_item_state(const struct jobs_item *item);

// What is behind its REASON, in full: the limit of memory that was reached, kubelet's words; NULL where
// there is no more to say. Borrowed from the item.
const char *jobs_item_message(const struct jobs_item *item, const char *reason);

// Pods that are to succeed; of one that has no end (a Deployment) pods that are to run.
int64_t jobs_item_pods_wanted(const struct jobs_item *item);

void jobs_item_release(struct jobs_item *item);

// GPUs that all its pods together ask for when they run at once.
int64_t jobs_item_gpus(const struct jobs_item *item);
