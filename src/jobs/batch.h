// SPDX-License-Identifier: MIT
// Many objects posted at once, a few at a time on the connections that there are: each is made once, or is
// said not to be.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "kube/client.h"
#include "kube/collection.h"

enum jobs_batch_state {
	JOBS_BATCH_NOT_SENT, // the server went away before, or we were to stop
	JOBS_BATCH_FAILED,   // `failure` says why
	JOBS_BATCH_DONE,
};

struct jobs_batch_item {
	// The caller's, borrowed.
	const struct kube_collection *collection;
	const char *namespace; // NULL: cluster-wide
	const struct json *object;
	const char *request_id;
	bool is_skipped; // this time

	enum jobs_batch_state state;
	struct err failure;
	bool is_taken; // another object has the name
	char *answer;  // the object as the server has it, JSON; NULL: not known. Where it was asked for
};

struct jobs_batch_options {
	bool is_dry_run;
	bool replaces;
	bool wants_answers;
	// How often we were asked to stop: once, no more are sent; twice, those on their way are not waited
	// for. NULL: never.
	int (*count_stops)(void);
	// One more is done or failed; NULL: nobody looks.
	void (*on_one)(void *context, const struct jobs_batch_item *item);
	void *context;
};

// Posts the COUNT items: first what others stand on (namespaces, then settings, claims and accounts), then
// what runs pods, in the order given but several at a time. An item that is refused does not stop the
// others; any other failure (a server that cannot be reached) keeps those from being sent that were not
// yet. Fails on memory and where the loop does; what came of each item is in it.
bool jobs_batch_post(struct kube_client *client, struct jobs_batch_item *items, size_t count,
                     const struct jobs_batch_options *options, struct err *err) _nodiscard_;

// Frees what the items got, for another call or for good.
void jobs_batch_clear(struct jobs_batch_item *items, size_t count);
