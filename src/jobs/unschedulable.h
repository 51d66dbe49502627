// SPDX-License-Identifier: MIT
// kube-scheduler's reason for a pod that fits nowhere, in short.
#pragma once

#include "base/strbuf.h"

// "0/5 nodes are available: 3 Insufficient nvidia.com/gpu, 2 node(s) had untolerated taint {…}.
// preemption: …" → "3 of 5 nodes: no free nvidia.com/gpu; 2: taint". A message of another form is
// added as it is, up to its first full stop.
void jobs_unschedulable_write(struct strbuf *out, const char *message);
