// SPDX-License-Identifier: MIT
// Creating objects so that a reply that was lost never makes two of them.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "kube/client.h"
#include "kube/collection.h"
#include "kube/object_info.h"

struct kube_create_options {
	bool is_dry_run;                // validated and admitted by the server, but not kept
	const char *request_id;         // the object's own, in its annotation; NULL: none
	kube_flag_of_field_fn *flag_of; // for messages; may be NULL
};

enum kube_create_outcome {
	KUBE_CREATE_FAILED,
	KUBE_CREATE_DONE,
	KUBE_CREATE_EXISTS, // an object of this name that another request made
};

// Posts OBJECT (with a name) to NAMESPACE, strictly validated. Where the reply is lost, or a repeated
// request meets its own object, the request id tells that it was created. *RET, if not NULL, gets the
// object's uid and is released by the caller. KUBE_CREATE_EXISTS sets *err too (ERR_REFUSED).
enum kube_create_outcome kube_create(struct kube_client *client,
                                     const struct kube_collection *collection,
                                     const char *namespace, const struct json *object,
                                     const struct kube_create_options *options,
                                     struct kube_object_info *ret, struct err *err) _nodiscard_;

// Deletes an object; its dependents (a Job's pods) go too, in the background. A missing one is
// ERR_REFUSED with *ret_is_missing true.
bool kube_delete(struct kube_client *client, const struct kube_collection *collection,
                 const char *namespace, const char *name, bool *ret_is_missing,
                 struct err *err) _nodiscard_;

// Changes an object by a JSON merge patch (RFC 7396).
bool kube_patch(struct kube_client *client, const struct kube_collection *collection,
                const char *namespace, const char *name, const struct json *patch,
                kube_flag_of_field_fn *flag_of, struct err *err) _nodiscard_;
