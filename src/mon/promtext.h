// SPDX-License-Identifier: MIT
// What exporters print (Prometheus' text format 0.0.4, and OpenMetrics as far as it is the same), sample
// by sample while it arrives. Pure. A line that is malformed costs that line: it is counted and passed
// over.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum {
	MON_PROM_MAX_LINE_BYTES = 64 * 1024,        // a longer line is malformed
	MON_PROM_MAX_LABELS = 64,                   // of a sample
	MON_PROM_MAX_PAGE_BYTES = 64 * 1024 * 1024, // of a page; more is an error
};

struct mon_prom_label {
	const char *name, *value; // unescaped
};

// Borrowed until the callback returns.
struct mon_prom_sample {
	const char *name;
	const struct mon_prom_label *labels;
	size_t label_count;
	double value; // may be infinite or not a number
};

// On false the page fails with *err.
typedef bool mon_prom_fn(void *context, const struct mon_prom_sample *sample, struct err *err);

struct mon_prom;

// Owned by the caller.
struct mon_prom *mon_prom_new(mon_prom_fn *on_sample, void *context, struct err *err) _nodiscard_;

// The next bytes, cut anywhere; the last line needs no end. Fails on memory, on a page that is too
// long, and where the callback does.
bool mon_prom_feed(struct mon_prom *prom, const char *data, size_t len,
                   struct err *err) _nodiscard_;
bool mon_prom_finish(struct mon_prom *prom, struct err *err) _nodiscard_;

// Lines so far that were neither a sample nor a comment nor empty.
int64_t mon_prom_malformed(const struct mon_prom *prom);

// Forgets what came, for another page.
void mon_prom_reset(struct mon_prom *prom);

// The value of label NAME, or NULL.
const char *mon_prom_label_of(const struct mon_prom_sample *sample, const char *name);

void mon_prom_free(struct mon_prom *prom);
void mon_prom_freep(struct mon_prom **prom);
#define _cleanup_mon_prom_ _cleanup_(mon_prom_freep)
