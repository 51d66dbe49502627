// SPDX-License-Identifier: MIT
// What must be remembered from one snapshot to the next: graphs, since when a GPU is quiet, when an XID
// was first seen, and which GPUs there were.
//
// A graph has a fixed number of slots of fixed length. A sample goes into the slot of its own
// timestamp, so asking a source three times for one sample leaves one; a slot without a sample is a gap.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum {
	MON_RING_SLOTS = 120,
	MON_RING_SLOT_MS = 5000,
	MON_RING_GAP = 255,
};

struct mon_ring {
	int64_t last_slot; // number of the newest slot, time / MON_RING_SLOT_MS; 0: nothing yet
	unsigned char
		percent[MON_RING_SLOTS]; // 0 to 100, or MON_RING_GAP; slot N is at N % MON_RING_SLOTS
};

// Of the whole cluster, in %.
struct mon_cluster_rings {
	struct mon_ring gpu, vram, cpu, power;
};

// Takes a sample in that was measured over the WINDOW_MS before AT_MS: the empty slots of the window get
// it too. What is older than the ring, or not in [0, 100], leaves a gap.
void mon_ring_add(struct mon_ring *ring, int64_t at_ms, int64_t window_ms, double percent);

// The slot that is BACK slots before the one of NOW_MS, or MON_RING_GAP.
unsigned char mon_ring_get(const struct mon_ring *ring, int64_t now_ms, size_t back);

struct mon_history;
struct mon_snapshot;

// An empty memory, owned by the caller.
struct mon_history *mon_history_new(struct err *err) _nodiscard_;

// The three steps in mon_snapshot_finish. recall adds the GPUs that are no longer listed although their
// node was heard, as lost. join takes the GPUs' samples in and says since when they are quiet and when
// an XID was first seen. count takes nodes and totals in, and gives the graphs to the snapshot.
bool mon_history_recall(struct mon_history *history, struct mon_snapshot *s,
                        struct err *err) _nodiscard_;
bool mon_history_join(struct mon_history *history, struct mon_snapshot *s,
                      struct err *err) _nodiscard_;
bool mon_history_count(struct mon_history *history, struct mon_snapshot *s,
                       struct err *err) _nodiscard_;

// Forgets GPUs that are no longer listed, so that they stop being shown as lost.
void mon_history_dismiss_lost(struct mon_history *history);

void mon_history_free(struct mon_history *history);
void mon_history_freep(struct mon_history **history);
#define _cleanup_mon_history_ _cleanup_(mon_history_freep)
