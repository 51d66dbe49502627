// SPDX-License-Identifier: MIT
// Objects that a cluster is given, in the order in which they are applied; and applying them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "kube/apply.h"
#include "kube/client.h"
#include "kube/collection.h"

struct boot_object {
	const struct kube_collection *collection; // NULL: the server says, from apiVersion and kind
	struct json *tree;
	bool takes_over; // what it states is vpsml's, whoever wrote it before
};

struct boot_objects {
	struct boot_object *items;
	size_t count;
};

#define BOOT_OBJECTS_INIT \
	{                     \
		NULL, 0           \
	}
#define _cleanup_boot_objects_ _cleanup_(boot_objects_release)

// Appends TREE, which is taken over also on failure. NULL fails (*ERR is set already then).
bool boot_objects_take(struct boot_objects *objects, const struct kube_collection *collection,
                       struct json *tree, struct err *err) _nodiscard_;

// Names of an object, borrowed; "" where it has none.
const char *boot_object_kind(const struct boot_object *object);
const char *boot_object_name(const struct boot_object *object);
const char *boot_object_namespace(const struct boot_object *object);

struct boot_apply {
	struct kube_client *client;
	bool is_dry_run;
	// What came of each object, as it is done; may be NULL.
	void (*on_object)(void *context, const struct boot_object *object,
	                  enum kube_apply_outcome outcome);
	void *context;
};

// Applies them in turn and stops at the first that fails, whose kind and name the error has. Kinds that
// the server does not know are waited for, a little: a manifest may define them just before.
bool boot_objects_apply(const struct boot_objects *objects, const struct boot_apply *apply,
                        struct err *err) _nodiscard_;

// Waits until every one is ready (kube/ready.h), at most LIMIT_MS in all.
bool boot_objects_wait(const struct boot_objects *objects, struct kube_client *client,
                       int64_t limit_ms, struct err *err) _nodiscard_;

void boot_objects_release(struct boot_objects *objects);
