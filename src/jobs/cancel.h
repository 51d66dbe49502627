// SPDX-License-Identifier: MIT
// Ending jobs: the Job and its pods, until no pod holds anything any more.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strv.h"
#include "kube/client.h"

// Deletes the Jobs of these names and then waits until their pods are gone: at most LIMIT_MS, 0 does not
// wait at all. FAULTS gets those that are not there or cannot be deleted; the others go all the same, and
// are added to DELETED (which may be NULL).
// Fails where the server cannot be asked, and (ERR_FAILED) where pods are left at the limit.
bool jobs_cancel(struct kube_client *client, const char *namespace, const struct strv *names,
                 int64_t limit_ms, struct strv *deleted, struct faults *faults,
                 struct err *err) _nodiscard_;
