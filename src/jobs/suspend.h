// SPDX-License-Identifier: MIT
// Holding a Job back, and letting it go on.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"

// Sets the Job's spec.suspend: a suspended one has no pods, and what they had done is lost but for what
// they saved. *RET_CHANGED: it was otherwise before. Refuses (ERR_REFUSED) a Job that is not there, that
// has ended or is being deleted, and one of a Kueue queue: Kueue sets the field itself.
bool jobs_suspend(struct kube_client *client, const char *namespace, const char *name,
                  bool is_suspended, bool *ret_changed, struct err *err) _nodiscard_;
