// SPDX-License-Identifier: MIT
// A ResourceQuota as the API server shows it: what a namespace may use, and what it uses now.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kube/quantity.h"
#include "kube/record.h"

struct kube_quota_entry {
	char *resource; // "requests.memory", "limits.cpu", "pods", …
	struct kube_quantity hard, used;
};

struct kube_quota_info {
	char *name;
	bool has_scopes; // it counts some of the pods alone
	struct kube_quota_entry *entries;
	size_t count;
};

extern const struct kube_record_kind kube_quota_record; // of struct kube_quota_info

void kube_quota_info_release(struct kube_quota_info *quota);
