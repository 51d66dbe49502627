// SPDX-License-Identifier: MIT
// What a cluster has of what jobs need: asked for all at once.
//
//     jobs_facts_want(&facts, &needs, err) …     for each object
//     jobs_facts_ask(&facts, client, err)
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strv.h"
#include "jobs/fit.h"
#include "jobs/needs.h"
#include "kube/client.h"
#include "kube/limit_info.h"
#include "kube/quota_info.h"

// Names of one kind of object.
struct jobs_names {
	struct strv list;
	bool is_known; // the server let us read them
};

// A Secret or ConfigMap.
struct jobs_holder {
	enum jobs_ref_kind kind;
	const char *namespace, *name; // borrowed
	bool is_known, is_missing;
	bool has_keys; // `keys` are known
	struct strv keys;
};

struct jobs_namespace {
	const char *name; // borrowed
	bool is_known, is_missing;
	bool wants_claims, wants_accounts;
	struct jobs_names claims, accounts;
	bool has_quotas, has_limits; // we may read them
	struct kube_quota_info *quotas;
	size_t quota_count;
	struct kube_limit_info *limits;
	size_t limit_count;
};

// What an autoscaler is to scale.
struct jobs_target {
	const struct kube_collection *collection; // NULL: nobody asks
	const char *namespace, *name;
	bool is_known, is_missing;
	struct json *object;
	struct jobs_names scalers; // autoscalers that aim at it already
};

struct jobs_facts {
	// What is asked for, beside what jobs_facts_want adds.
	struct jobs_target target;
	bool wants_gpu_settings; // runtime classes, the packing profile
	bool wants_autoscaling;  // versions of it, and whether metrics are served
	bool wants_no_nodes;

	int64_t minor; // of the server's version 1.N; INT64_MAX: it does not say
	struct jobs_names classes, runtimes, settings;
	bool wants_runtimes;
	struct jobs_fit *fits; // of each object with pods, in the order of jobs_facts_want
	size_t fit_count;
	bool has_nodes;
	const char *autoscaling, *metrics; // version; NULL: none
	bool has_metrics;                  // `metrics` is known
	struct jobs_namespace *namespaces;
	size_t namespace_count;
	struct jobs_holder *holders;
	size_t holder_count;
	struct strv unchecked; // what we may not read, in words
};

// Adds what NEEDS refers to. Its strings are borrowed until the facts are released.
bool jobs_facts_want(struct jobs_facts *facts, const struct jobs_needs *needs,
                     struct err *err) _nodiscard_;

// Asks for all of it at once and waits. What we may not read is no failure: it is in `unchecked`.
bool jobs_facts_ask(struct jobs_facts *facts, struct kube_client *client,
                    struct err *err) _nodiscard_;

// The namespace, or the Secret or ConfigMap, that was asked for; NULL: none.
const struct jobs_namespace *jobs_facts_namespace(const struct jobs_facts *facts, const char *name);
const struct jobs_holder *jobs_facts_holder(const struct jobs_facts *facts, const char *namespace,
                                            enum jobs_ref_kind kind, const char *name);

void jobs_facts_release(struct jobs_facts *facts);
#define _cleanup_jobs_facts_ _cleanup_(jobs_facts_release)
