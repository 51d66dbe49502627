// SPDX-License-Identifier: MIT
// The API server's answer when it says no: a Status (meta/v1), or whatever a proxy put in its place.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

struct kube_cause {
	char *reason, *message, *field; // field: path in the object, or NULL
};

struct kube_status {
	int code;     // of HTTP
	char *reason; // AlreadyExists, Conflict, NotFound, Invalid, Expired, …; "" if it says none
	char *message;
	char *continue_token; // of a 410: where a list may go on; "" if none
	struct kube_cause *causes;
	size_t cause_count;
};

#define _cleanup_kube_status_ _cleanup_(kube_status_release)

// Reads an answer with status CODE that is no success. A body that is no Status becomes a message that
// says so and shows how it begins. Fails on memory alone.
bool kube_status_parse(int code, const char *content_type, const char *body, size_t len,
                       struct kube_status *ret, struct err *err) _nodiscard_;

// Names the flag that sets a field ("spec.template.spec.containers[0].image"), or NULL.
typedef const char *kube_flag_of_field_fn(const char *field);

// Sets *err: a line for each cause ("--image: …" where FLAG_OF, which may be NULL, knows the flag, else
// "field: …"), or the message; with a hint where there is a usual next step. Returns false. The kind is
// ERR_REFUSED for 4xx, ERR_UNREACHABLE for 502 to 504, else ERR_FAILED.
bool kube_status_to_err(const struct kube_status *status, kube_flag_of_field_fn *flag_of,
                        struct err *err);

// Is REASON the machine-readable one (AlreadyExists, Conflict, …)?
bool kube_status_has_reason(const struct kube_status *status, const char *reason);

void kube_status_release(struct kube_status *status);
