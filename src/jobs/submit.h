// SPDX-License-Identifier: MIT
// Posting a workload: its objects in order, each exactly once, the later ones owned by the first.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"
#include "kube/create.h"
#include "kube/workload.h"

struct jobs_submission {
	bool is_dry_run; // by the server
	bool replaces;   // deletes an object of the name first, and waits until it is gone
	kube_flag_of_field_fn *flag_of;
	struct strv *answers; // gets each object as the server has it, JSON; NULL: nobody asks
};

// Gives the workload a request id and its owner's name.
bool jobs_mark(struct kube_workload *workload, const char *user, struct err *err) _nodiscard_;

// Appends "-" and five random characters to the name.
bool jobs_extend_name(struct kube_workload *workload, struct err *err) _nodiscard_;

// The same for other objects: PREFIX with five random characters behind it, in *RET (the old one is
// freed). And a new request id.
bool jobs_make_name(const char *prefix, char **ret, struct err *err) _nodiscard_;
bool jobs_make_request_id(char **ret, struct err *err) _nodiscard_;

// Posts it to NAMESPACE. Checked and marked before.
bool jobs_submit(struct kube_client *client, const char *namespace, struct kube_workload *workload,
                 const struct jobs_submission *submission, struct err *err) _nodiscard_;
