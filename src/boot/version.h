// SPDX-License-Identifier: MIT
// Versions as Kubernetes and containerd number them. Pure.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"

struct boot_version {
	int major, minor, patch; // all 0: unknown
};

// An exact version, "v1.34.4" or "1.34.4", nothing behind it; each number at most 9999.
bool boot_version_parse(const char *text, struct boot_version *ret, struct err *err) _nodiscard_;

// The version that TEXT starts with, in what programs and packages print ("1.6.20~ds1-1+b1",
// "v2.1.5", "1.7"): what is missing is 0. False if there is none.
bool boot_version_scan(const char *text, struct boot_version *ret) _nodiscard_;

// Below, at or above 0 as A is older than, the same as or newer than B.
int boot_version_compare(const struct boot_version *a, const struct boot_version *b);
