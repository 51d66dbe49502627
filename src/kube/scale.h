// SPDX-License-Identifier: MIT
// A Deployment's scale subresource: who may change nothing else of it may still have the right to this.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"

// How many replicas it is to have. 404 is ERR_REFUSED with *ret_is_missing true.
bool kube_scale_get(struct kube_client *client, const char *namespace, const char *name,
                    int64_t *ret_replicas, bool *ret_is_missing, struct err *err) _nodiscard_;

// Sets it.
bool kube_scale_set(struct kube_client *client, const char *namespace, const char *name,
                    int64_t replicas, struct err *err) _nodiscard_;
