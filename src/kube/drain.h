// SPDX-License-Identifier: MIT
// Emptying nodes: closed for new pods, then every pod is asked to go by the eviction API, which honours
// disruption budgets (https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/). Pods of
// DaemonSets and of the kubelet itself (mirror pods) stay, and those that have ended.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"

enum kube_drain_state {
	KUBE_DRAIN_STAYS,   // nothing was asked of it yet
	KUBE_DRAIN_BLOCKED, // its budget allows no more for now: it is asked again
	KUBE_DRAIN_GOES,    // it has its grace period
	KUBE_DRAIN_GONE,
};

struct kube_drain_pod {
	char *namespace, *name, *uid, *node;
	char *job;  // NULL: of no Job
	char *user; // label vpsml.dev/user; NULL: none
	int64_t gpus;
	bool is_bare; // nothing makes another one in its place
	enum kube_drain_state state;
	char *blocked; // why, as the server said; NULL: never was
	// Its own.
	struct kube_drain *drain;
	int64_t due_ms; // when it is asked next
	bool is_asked, is_seen;
};

struct kube_drain {
	struct kube_client *client;
	struct kube_drain_pod *pods;
	size_t count;
	// A pod's state has changed; may be NULL.
	void (*on_pod)(void *context, const struct kube_drain_pod *pod);
	void *context;
	// Its own.
	size_t asked_count;
	struct err failure;
};

#define _cleanup_kube_drain_ _cleanup_(kube_drain_release)

// Closes a node for new pods, or opens it. *ret_is_changed: it was not so before.
bool kube_cordon(struct kube_client *client, const char *node, bool is_closed, bool *ret_is_changed,
                 struct err *err) _nodiscard_;

// Finds the pods of NODE that have to go. Call it for each node; nothing is changed.
bool kube_drain_add(struct kube_drain *drain, const char *node, struct err *err) _nodiscard_;

// Evicts all that were added and waits until they are gone. After LIMIT_MS the error names the pods that
// are left, and what blocks them.
bool kube_drain_run(struct kube_drain *drain, int64_t limit_ms, struct err *err) _nodiscard_;

void kube_drain_release(struct kube_drain *drain);
