// SPDX-License-Identifier: MIT
// A name that is not there: what was meant, perhaps.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strv.h"
#include "kube/client.h"
#include "kube/collection.h"

// Sets *err (ERR_REFUSED) and returns false: "no job "cn" in namespace "ml"", with the nearest of its first
// 200 names as the hint; or that there is no such namespace. Asks the server once, twice where the
// namespace is empty; what it refuses to tell is left out.
bool jobs_missing(struct kube_client *client, const struct kube_collection *collection,
                  const char *namespace, const char *name, struct err *err);

// Is the namespace not there? Then *err says so, with the nearest ones, and true is returned. False also
// where we may not ask.
bool jobs_namespace_is_missing(struct kube_client *client, const char *namespace,
                               struct err *err) _nodiscard_;

// Adds up to five of NAMES that NAME may stand for, the likeliest first: "did you mean "a" or "b"?"; where
// none is near, what there is: "there are a, b and 3 more". Nothing without names. Pure.
void jobs_nearest_write(struct strbuf *out, const char *name, const struct strv *names);
