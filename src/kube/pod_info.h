// SPDX-License-Identifier: MIT
// A pod as the API server shows it: what we read of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kube/record.h"
#include "kube/requests.h"

enum kube_container_state {
	KUBE_CONTAINER_UNKNOWN, // no status yet
	KUBE_CONTAINER_WAITING,
	KUBE_CONTAINER_RUNNING,
	KUBE_CONTAINER_TERMINATED,
};

struct kube_container_info {
	char *name;
	bool is_init;
	enum kube_container_state state;
	char *reason, *message;          // of waiting or terminated; NULL: none
	int64_t exit_code, signal;       // of terminated
	int64_t started_ms, finished_ms; // 0: not yet
	int64_t restarts;
	// The run before this one, where kubelet restarted it.
	bool has_last;
	char *last_reason;
	int64_t last_exit_code;
};

// What is kept while a list inside a pod is read.
struct kube_pod_scratch {
	char *type, *truth, *reason, *message; // of a condition
	char *owner_kind, *owner_name, *owner_uid;
	bool is_controller;
	struct kube_requests container, limits; // of one container
	struct kube_requests init;              // the most of any init container
	bool has_no_memory_limit;               // one that was read before
	struct kube_container_info status;
};

struct kube_pod_info {
	char *name, *namespace, *uid;
	int64_t created_ms;
	int64_t deleted_ms;                        // 0: is not being deleted
	char *job;                                 // label job-name; NULL: none
	char *app;                                 // label app.kubernetes.io/name
	char *user;                                // label vpsml.dev/user
	char *owner_kind, *owner_name, *owner_uid; // its controller; NULL: none
	char *index;                               // in an Indexed Job, a number; NULL: none
	char *node;                                // NULL: not scheduled
	int64_t priority;
	char *priority_class;
	struct kube_requests requests; // of its containers; see kube_pod_info_requests
	char *phase;                   // Pending, Running, Succeeded, Failed, Unknown
	char *reason, *message;
	int64_t started_ms;      // kubelet took it; 0: not yet
	char *scheduling_reason; // of PodScheduled=False: Unschedulable, SchedulingGated
	char *scheduling_message;
	char *disruption_reason; // of DisruptionTarget=True: PreemptionByScheduler, …
	bool is_ready;
	struct kube_container_info *containers; // init containers too
	size_t container_count;

	struct kube_pod_scratch scratch;
};

extern const struct kube_record_kind kube_pod_record; // of struct kube_pod_info

void kube_pod_info_release(struct kube_pod_info *pod);

// What the scheduler reserves for it: the sum of its containers, or the largest init container.
struct kube_requests kube_pod_info_requests(const struct kube_pod_info *pod);
