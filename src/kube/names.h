// SPDX-License-Identifier: MIT
// The names of objects alone: for a user who mistyped one, and for the shell's completion.
#pragma once

#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strv.h"
#include "kube/client.h"
#include "kube/collection.h"

// Adds the names of the first MAX objects of NAMESPACE (NULL: all), with one request.
bool kube_names_get(struct kube_client *client, const struct kube_collection *collection,
                    const char *namespace, size_t max, struct strv *names,
                    struct err *err) _nodiscard_;
