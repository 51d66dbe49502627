// SPDX-License-Identifier: MIT
// Ending jobs, Deployments and pods: with all their pods, until no pod holds anything any more.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strv.h"
#include "kube/client.h"

// Deletes what WORDS name (as jobs_target_parse takes them) and then waits until their pods are gone: at most
// LIMIT_MS for each kind, 0 does not wait at all. FAULTS gets those that are not there or cannot be deleted;
// the others go all the same, and are added to DELETED (which may be NULL) as "job.batch/cnn". Fails where
// the server cannot be asked, and (ERR_FAILED) where pods are left at the limit.
bool jobs_cancel(struct kube_client *client, const char *namespace, const struct strv *words,
                 int64_t limit_ms, struct strv *deleted, struct faults *faults,
                 struct err *err) _nodiscard_;
