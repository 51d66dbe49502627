// SPDX-License-Identifier: MIT
// What a refusal (403) says about who may do what.
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

// MESSAGE: an authorizer's 'User "jane" cannot list resource "jobs" in API group "batch" in the namespace
// "ml"' (apiserver's forbiddenMessage). Adds the command that asks for it, "kubectl auth can-i list
// jobs.batch -n ml"; false, with nothing added, where it says nothing of that kind: quotas and admission
// answer 403 too.
bool kube_permission_write(struct strbuf *out, const char *message);
