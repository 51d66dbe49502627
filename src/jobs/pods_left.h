// SPDX-License-Identifier: MIT
// Waiting until pods have gone, and with them what they hold.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strv.h"
#include "kube/client.h"

// Waits until no pod of the Jobs NAMES is left, or, with ONLY_LIVE, none that has not ended: then their GPUs
// are free. Fails (ERR_FAILED) where some are left after LIMIT_MS, and names one.
bool jobs_wait_for_pods(struct kube_client *client, const char *namespace, const struct strv *names,
                        bool only_live, int64_t limit_ms, struct err *err) _nodiscard_;

// The same for the pods with these labels and fields; NULL: any.
bool jobs_wait_for_selected(struct kube_client *client, const char *namespace, const char *labels,
                            const char *fields, bool only_live, int64_t limit_ms,
                            struct err *err) _nodiscard_;

// Adds the labels that a Deployment (as the API server has it) selects its pods by: "app=web,tier=x".
bool jobs_selector_write(struct strbuf *out, const struct json *deployment,
                         struct err *err) _nodiscard_;
