// SPDX-License-Identifier: MIT
// Waiting for time to pass while calls go on.
#pragma once

#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"

// Runs the client's loop for MS.
bool kube_pause(struct kube_client *client, int64_t ms, struct err *err) _nodiscard_;
