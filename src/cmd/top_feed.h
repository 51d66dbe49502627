// SPDX-License-Identifier: MIT
// Snapshots from a thread of their own, so that the screen waits for nothing: of a cluster, or of a
// record.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "cli/context.h"
#include "cmd/cluster.h"
#include "mon/model.h"

struct top_feed;

struct top_source {
	struct cmd_cluster *cluster; // taken over by the feed; NULL: read the record
	char *replay;                // path of the record, taken over
	const char *record;          // path to write to; NULL: nothing is recorded. Borrowed
	const struct clock *clock;
	int interval_s;
};

// Starts the thread. SOURCE's cluster and path belong to the feed from now on, also where it fails.
struct top_feed *top_feed_start(struct top_source *source, struct err *err) _nodiscard_;

// Does it read a record? Then its snapshots have the time of the record.
bool top_feed_is_replay(const struct top_feed *feed);

// Readable when there is something new.
int top_feed_fd(const struct top_feed *feed);

// The newest snapshot, or NULL where there is none since the last call; owned by the caller.
struct mon_snapshot *top_feed_take(struct top_feed *feed) _nodiscard_;

// What the thread has to say (its end, a failure), copied to RET; false where there is nothing new.
bool top_feed_message(struct top_feed *feed, char *ret, size_t size) _nodiscard_;

// Asks so often from now on.
void top_feed_set_interval_s(struct top_feed *feed, int seconds);

// Ends the thread. Where it does not end within 20 ms (a server hangs), it is left to itself, with its memory,
// until the program ends.
void top_feed_stop(struct top_feed *feed);

// Reads the record's lines up to the last one: what a single picture of it shows. Lines that cannot be read
// are passed over and counted.
struct mon_snapshot *top_feed_last(const char *path, size_t *ret_bad, struct err *err) _nodiscard_;

// Adds the LEN bytes of LINE to the end of the file.
bool top_feed_append(const char *path, const char *line, size_t len, struct err *err) _nodiscard_;
