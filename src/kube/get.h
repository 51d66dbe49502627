// SPDX-License-Identifier: MIT
// One object by its name, as text; and a record from such a text.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"
#include "kube/collection.h"
#include "kube/record.h"

// Waits for the object; *ret is released by the caller in any case. 404 is ERR_REFUSED with
// *ret_is_missing true.
bool kube_get(struct kube_client *client, const struct kube_collection *collection,
              const char *namespace, const char *name, struct kube_reply *ret, bool *ret_is_missing,
              struct err *err) _nodiscard_;

// Reads one object's text into *RET, a zeroed struct of KIND, which the caller releases as the kind says.
bool kube_record_read(const struct kube_record_kind *kind, const char *text, size_t len, void *ret,
                      struct err *err) _nodiscard_;
