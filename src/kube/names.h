// SPDX-License-Identifier: MIT
// The names of objects alone: for a user who mistyped one, and for the shell's completion.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strv.h"
#include "kube/client.h"
#include "kube/collection.h"

// Adds the names of the first MAX objects of NAMESPACE (NULL: all), with one request.
bool kube_names_get(struct kube_client *client, const struct kube_collection *collection,
                    const char *namespace, size_t max, struct strv *names,
                    struct err *err) _nodiscard_;

struct kube_names_query {
	const struct kube_collection *collection;
	const char *namespace; // NULL: all
	const char *prefix;    // of the names that are wanted
	size_t max_count;
	int64_t page_limit_ms; // after so long no further page is asked for
	int64_t limit_ms;      // fails after so long
};

// Waits for the names, in the server's order. The server is asked for a table of which only the first
// cell is read (100 bytes an object; a pod has 5 kB), in pages. *RET_HAS_MORE: not all were looked at,
// or there are more that fit.
bool kube_names_search(struct kube_client *client, const struct kube_names_query *query,
                       struct strv *names, bool *ret_has_more, struct err *err) _nodiscard_;
