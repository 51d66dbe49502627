// SPDX-License-Identifier: MIT
// What a node uses, as metrics.k8s.io shows it (NodeMetrics, v1beta1 and v1).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kube/record.h"

struct kube_usage_info {
	char *name;
	int64_t sampled_ms; // end of the window that it is about, by the server's clock; 0: not said
	bool has_cpu, has_memory;
	int64_t cpu_milli, memory_bytes; // memory: the working set
};

extern const struct kube_record_kind kube_usage_record; // of struct kube_usage_info

void kube_usage_info_release(struct kube_usage_info *usage);
