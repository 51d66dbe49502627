// SPDX-License-Identifier: MIT
// The steps of mon_snapshot_finish, for the files of mon/ alone. Each fails only for want of memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

struct mon_snapshot;

// Adds AMOUNT to *SUM, which stays at INT64_MAX or INT64_MIN rather than wrap around: requests come from
// outside.
void mon_add_capped(int64_t *sum, int64_t amount);

// Is this GPU poured: see mon_snapshot_gpu? Before the snapshot is sorted. False when memory is short.
bool mon_snapshot_has_gpu(const struct mon_snapshot *s, int64_t node, const char *uuid,
                          int64_t index, int64_t instance);

// Says of each GPU whether it is given away, and fills in owners that follow from requests. Objects are
// sorted and linked.
bool mon_allocation_join(struct mon_snapshot *s, struct err *err) _nodiscard_;

// Counts what a node holds and the cluster's totals, then the jobs. After the history, which knows since
// when GPUs are quiet.
bool mon_totals_count(struct mon_snapshot *s, struct err *err) _nodiscard_;

// Counts what pods and jobs do with their GPUs, and makes the queue.
bool mon_jobs_count(struct mon_snapshot *s, struct err *err) _nodiscard_;
