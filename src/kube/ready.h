// SPDX-License-Identifier: MIT
// Whether what an object asks for is there: its pods run, its API answers, its kind is known.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "kube/client.h"
#include "kube/collection.h"

// Of an object as the server shows it: a DaemonSet, Deployment or StatefulSet is ready when all its
// pods are of the last revision and available, an APIService and a CustomResourceDefinition by their
// condition, a Node likewise; others always. Adds to WHY what is missing ("1 of 3 pods are ready").
// Pure.
bool kube_ready_explain(const struct json *object, struct strbuf *why);

// Waits until it is, at most LIMIT_MS. The error says what was missing, and why its pods do not run
// where that can be seen. An object that is not there is waited for too.
bool kube_ready_wait(struct kube_client *client, const struct kube_collection *collection,
                     const char *namespace, const char *name, int64_t limit_ms,
                     struct err *err) _nodiscard_;
