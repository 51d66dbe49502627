// SPDX-License-Identifier: MIT
// HorizontalPodAutoscaler: how many replicas a Deployment (or its like) runs.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/faults.h"
#include "base/json.h"
#include "kube/collection.h"
#include "kube/quantity.h"

// The versions of the group autoscaling, oldest shape last.
enum kube_hpa_version {
	KUBE_HPA_V2,      // since 1.23
	KUBE_HPA_V2BETA2, // 1.12 to 1.25, the same shape
	KUBE_HPA_V1,      // CPU as a share of the request, nothing else
};

extern const char *const kube_hpa_version_words[]; // "autoscaling/v2" …, NULL-terminated

// What a metric is to be kept at: a share of the request, or an amount per pod.
struct kube_hpa_target {
	bool is_set;
	int64_t utilization_pct;      // of the request; 0: `average` counts
	struct kube_quantity average; // per pod
};

struct kube_hpa {
	char *name;             // NULL: the target's
	char *namespace;        // NULL: none is written
	const char *request_id; // as struct kube_workload's; borrowed
	char *target_kind, *target_name;
	int64_t min_replicas, max_replicas; // 0: not given
	struct kube_hpa_target cpu, memory;
	enum kube_hpa_version version;
};

// "deploy/NAME" with kubectl's words for what has a scale: deployment, statefulset, replicaset. A Job
// has none (kubernetes/website#41394): refused, with what works instead.
bool kube_hpa_parse_target(struct kube_hpa *hpa, const char *text, struct err *err) _nodiscard_;

// The collection that its target is in.
const struct kube_collection *kube_hpa_target_collection(const struct kube_hpa *hpa);

// "1-5": from and to how many replicas.
bool kube_hpa_parse_range(struct kube_hpa *hpa, const char *text, struct err *err) _nodiscard_;

// "50%", or an amount: "500m" of CPU, "200Mi" of memory.
bool kube_hpa_parse_cpu(const char *text, struct kube_hpa_target *ret, struct err *err) _nodiscard_;
bool kube_hpa_parse_memory(const char *text, struct kube_hpa_target *ret,
                           struct err *err) _nodiscard_;

// The newest version that VERSION ("v2", "v2beta2", "v1"), as discovery has it, stands for.
enum kube_hpa_version kube_hpa_version_of(const char *version);

// The collection to post it to; *ret is for the caller to keep as long as it is used.
const struct kube_collection *kube_hpa_collection(const struct kube_hpa *hpa,
                                                  struct kube_collection *ret);

// Adds faults: what the version cannot say. kube_hpa_check does it too, where the version is known
// before.
void kube_hpa_check_version(const struct kube_hpa *hpa, struct faults *faults);

// Adds faults: no maximum, a minimum above it, no target, what v1 cannot say.
void kube_hpa_check(const struct kube_hpa *hpa, struct faults *faults);

// The object, owned by the caller. Check first.
struct json *kube_hpa_build(const struct kube_hpa *hpa, struct err *err) _nodiscard_;

void kube_hpa_release(struct kube_hpa *hpa);
