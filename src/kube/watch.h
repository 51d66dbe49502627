// SPDX-License-Identifier: MIT
// A list that stays up to date: list, then watch from its version, again and again. Goes on where it was
// after a lost connection, lists anew where the server has forgotten the place (410, as status or as
// ERROR event), and notices a peer that died in silence.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"
#include "kube/collection.h"
#include "kube/list.h"
#include "kube/record.h"

struct kube_watch_options {
	const struct kube_collection *collection;
	const struct kube_record_kind *kind;
	const char *namespace;      // NULL: all
	const char *label_selector; // NULL: none
	const char *field_selector; // NULL: none
	uint32_t seed;              // spreads the pauses of several watches
	int64_t server_limit_s;     // after which the server is asked to end a watch; 0: 290
	int64_t grace_s;            // behind that, after which a silent peer counts as dead; 0: 30

	// ADDED for what a list holds, then what changes. Never BOOKMARK or ERROR.
	kube_record_fn *on_record;
	// All records so far are void: a list begins. Called before the first one too.
	void (*on_list)(void *context);
	// The list is whole: the records are the state of the server.
	void (*on_synced)(void *context);
	// It fails now and will be tried again after PAUSE_MS. NULL: nobody cares.
	void (*on_trouble)(void *context, const struct err *failure, int64_t pause_ms);
	void *context;
};

struct kube_watch;

// Strings are borrowed while it runs; it runs until it is freed. Its pauses are client-go's:
// 0.8 s, doubled up to 30 s, each with up to as much again, from the start again after 2 min.
struct kube_watch *kube_watch_start(struct kube_client *client,
                                    const struct kube_watch_options *options,
                                    struct err *err) _nodiscard_;

// Ends it. Not from its own callbacks.
void kube_watch_free(struct kube_watch *watch);
