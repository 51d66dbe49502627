// SPDX-License-Identifier: MIT
// Creating objects so that a reply that was lost never makes two of them, and deleting and changing
// them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "kube/client.h"
#include "kube/collection.h"
#include "kube/object_info.h"

struct kube_create_options {
	bool is_dry_run; // validated and admitted by the server, but not kept
	// What has the name is deleted first, with what it owns, and waited for until it is gone; at most
	// five minutes. In a dry run an object that is in the way counts as none.
	bool replaces;
	const char *request_id;         // the object's own, in its annotation; NULL: none
	kube_flag_of_field_fn *flag_of; // for messages; may be NULL
};

enum kube_create_outcome {
	KUBE_CREATE_FAILED,
	KUBE_CREATE_DONE,
	KUBE_CREATE_EXISTS, // an object of this name that another request made
};

// What came of it. Borrowed until the callback returns.
struct kube_created {
	enum kube_create_outcome outcome;
	const struct kube_object_info *object; // as the server has it; NULL: nobody knows
	const char *body;                      // its JSON; NULL: not known
	size_t body_len;
	const struct err *failure; // NULL: done. KUBE_CREATE_EXISTS has one too (ERR_REFUSED)
};

typedef void kube_created_fn(void *context, const struct kube_created *created);

struct kube_creation;

// Posts OBJECT (with a name) to NAMESPACE, strictly validated. Where the reply is lost, or a repeated
// request meets its own object, the request id tells that it was created. DONE is called exactly once,
// from the loop, and may free the creation. COLLECTION's strings and the options' are borrowed until
// then; OBJECT may go at once. Nothing is sent on failure.
struct kube_creation *kube_creation_start(struct kube_client *client,
                                          const struct kube_collection *collection,
                                          const char *namespace, const struct json *object,
                                          const struct kube_create_options *options,
                                          kube_created_fn *done, void *context,
                                          struct err *err) _nodiscard_;

// Ends what runs, without calling anybody.
void kube_creation_free(struct kube_creation *creation);

// The same, waiting. *RET, if not NULL, gets the object's uid and is released by the caller; *RET_ANSWER,
// if not NULL, the object as the server has it (JSON, the caller's; NULL where nobody knows).
enum kube_create_outcome kube_create(struct kube_client *client,
                                     const struct kube_collection *collection,
                                     const char *namespace, const struct json *object,
                                     const struct kube_create_options *options,
                                     struct kube_object_info *ret, char **ret_answer,
                                     struct err *err) _nodiscard_;

// Deletes an object; its dependents (a Job's pods) go too, in the background. A missing one is
// ERR_REFUSED with *ret_is_missing true.
bool kube_delete(struct kube_client *client, const struct kube_collection *collection,
                 const char *namespace, const char *name, bool *ret_is_missing,
                 struct err *err) _nodiscard_;

// Changes an object by a JSON merge patch (RFC 7396).
bool kube_patch(struct kube_client *client, const struct kube_collection *collection,
                const char *namespace, const char *name, const struct json *patch,
                kube_flag_of_field_fn *flag_of, struct err *err) _nodiscard_;
