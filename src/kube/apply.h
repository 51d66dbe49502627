// SPDX-License-Identifier: MIT
// Server-side apply: an object becomes as we state it, and what we do not state stays as it is
// (https://kubernetes.io/docs/reference/using-api/server-side-apply/).
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "kube/client.h"
#include "kube/collection.h"

struct kube_apply_options {
	bool is_dry_run;     // the server says what it would do, and keeps nothing
	bool takes_over;     // fields that somebody else has set become ours; else they are a conflict
	const char *manager; // who states it; NULL: vpsml
};

enum kube_apply_outcome {
	KUBE_APPLY_FAILED,
	KUBE_APPLY_CREATED,
	KUBE_APPLY_CHANGED,
	KUBE_APPLY_UNCHANGED,
};

// Words for people: "failed", "created", "changed", "unchanged".
extern const char *const kube_apply_words[];

// Applies OBJECT (with a name) to NAMESPACE, strictly validated. A conflict names each field and who
// has set it (ERR_REFUSED). In a dry run an object of a namespace that is not there counts as created.
enum kube_apply_outcome kube_apply(struct kube_client *client,
                                   const struct kube_collection *collection, const char *namespace,
                                   const struct json *object,
                                   const struct kube_apply_options *options,
                                   struct err *err) _nodiscard_;

// Are A and B the same object, but for what the server counts itself (resourceVersion, generation,
// managedFields, status)? Pure. Members are compared in their order, which is the server's.
bool kube_apply_is_same(const struct json *a, const struct json *b);
