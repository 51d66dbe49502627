// SPDX-License-Identifier: MIT
// Kubernetes quantities: "500m", "1.5Gi", "2e3" (apimachinery's resource.Quantity, without sign).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

// How a quantity was written, and so how it is shown.
enum kube_quantity_format {
	KUBE_QUANTITY_DECIMAL,  // m, k, M, G …: powers of 1000
	KUBE_QUANTITY_BINARY,   // Ki, Mi, Gi …: powers of 1024
	KUBE_QUANTITY_EXPONENT, // e3
};

// units + nanos / 10^9. The zeroed struct is "not given".
struct kube_quantity {
	bool is_set;
	int64_t units;
	int32_t nanos; // 0 to 999,999,999; anything finer was rounded up, as the API server does
	enum kube_quantity_format format;
};

// Any quantity that the API server takes, except negative ones, those over 2^63 - 1 units (the server
// cuts them off) and those with more than 19 digits that count; without a suffix 28.
bool kube_quantity_parse(const char *text, struct kube_quantity *ret, struct err *err) _nodiscard_;

// A number of CPUs above zero, rounded up to thousandths. "4Gi" of them is a slip: refused.
bool kube_quantity_parse_cpu(const char *text, struct kube_quantity *ret,
                             struct err *err) _nodiscard_;

// Bytes, rounded up to whole ones. "128m" (0.128 bytes; kubernetes/kubernetes#79950), "8" and all
// else under 1 MiB is legal and never meant: refused.
bool kube_quantity_parse_memory(const char *text, struct kube_quantity *ret,
                                struct err *err) _nodiscard_;

// Rounded up; INT64_MAX where it does not fit.
int64_t kube_quantity_ceil(const struct kube_quantity *quantity);
int64_t kube_quantity_milli(const struct kube_quantity *quantity);

// Below, at or above zero as A is below, equal to or above B.
int kube_quantity_compare(const struct kube_quantity *a, const struct kube_quantity *b);

// Adds the canonical form: the largest suffix of its format that leaves a whole number.
void kube_quantity_write(struct strbuf *out, const struct kube_quantity *quantity);
