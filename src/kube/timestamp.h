// SPDX-License-Identifier: MIT
// Times of API objects: RFC 3339 in UTC, and ages as kubectl shows them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

// "2026-12-01T11:30:00Z", with or without a fraction, or with an offset; in milliseconds since the
// epoch.
bool kube_timestamp_parse(const char *text, int64_t *ret_ms, struct err *err) _nodiscard_;

// The same in nanoseconds, of the LEN bytes at TEXT, as log lines have it; false if they are no time.
bool kube_timestamp_parse_ns(const char *text, size_t len, int64_t *ret_ns) _nodiscard_;

// Adds "2026-12-01T11:30:00Z".
void kube_timestamp_write(struct strbuf *out, int64_t ms);

// Adds a span as kubectl has it: 45s, 3m20s, 12m, 5h7m, 26h, 3d4h, 12d, 2y10d. A negative one, as skewed
// clocks make it, is 0s.
void kube_span_write(struct strbuf *out, int64_t seconds);
