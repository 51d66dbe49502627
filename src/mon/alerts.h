// SPDX-License-Identifier: MIT
// What somebody should look at, from a snapshot.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

struct mon_snapshot;

struct mon_thresholds {
	double idle_pct;      // a GPU with less use than this is quiet
	int64_t idle_s;       // allocated and quiet for so long: idle
	double temperature_c; // at this it is too hot
	int64_t no_data_s;    // a node without data for so long
	int64_t pending_s;    // a job that waits longer
	int64_t oom_s;        // how long an OOM kill is news
	double memory_pct;    // of a node's memory
};

// 5 %, 10 min, 85 °C, 30 s, 15 min, 1 h, 95 %.
extern const struct mon_thresholds mon_thresholds_default;

// In the order in which they are shown.
enum mon_alert_kind {
	MON_ALERT_GPU_LOST,
	MON_ALERT_XID,
	MON_ALERT_ECC,
	MON_ALERT_NOT_READY,
	MON_ALERT_NO_DATA,
	MON_ALERT_THERMAL,
	MON_ALERT_PRESSURE,
	MON_ALERT_IDLE,
	MON_ALERT_OOM,
	MON_ALERT_PENDING,
	MON_ALERT_SOURCE, // a source that does not answer
	MON_ALERT_KINDS,
};

extern const char *const mon_alert_words[MON_ALERT_KINDS + 1]; // NULL-terminated

struct mon_alert {
	enum mon_alert_kind kind;
	const char *subject;         // "gpu-b#3", "ml/jupyter-anna"; owned by the snapshot
	const char *text;            // the whole: "gpu-b#3 XID 79"
	int64_t since_ms;            // 0: not known
	bool is_older;               // it was there at the first look: since_ms is when we saw it
	int64_t node, gpu, pod, job; // index of what it is about, or MON_NO_INDEX
};

struct mon_alerts {
	struct mon_alert *items;
	size_t count;
	size_t of_kind[MON_ALERT_KINDS];
	bool is_cut; // there were more than MON_ALERTS_MAX
};

enum { MON_ALERTS_MAX = 10000 };

// Finds the alerts of a joined snapshot; called by mon_snapshot_finish. Fails for want of memory.
bool mon_alerts_find(struct mon_snapshot *s, struct err *err) _nodiscard_;

void mon_alerts_release(struct mon_alerts *alerts);
