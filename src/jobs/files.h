// SPDX-License-Identifier: MIT
// Objects out of files on their way to a cluster: named, checked as a whole, and posted.
//
//     jobs_files_prepare(&files, &manifests, &options, &faults, err)    no server yet
//     jobs_files_check(&files, client, &preflight, err)                 nothing is made yet
//     jobs_files_post(&files, client, &options, err)
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/faults.h"
#include "jobs/batch.h"
#include "jobs/needs.h"
#include "jobs/preflight.h"
#include "kube/manifest.h"

// One object. What it lends to its item and needs is here.
struct jobs_file {
	const struct kube_manifest *manifest;
	struct json *tree; // as it is posted
	char *name, *request_id;
	struct kube_collection collection;
	char *plural, *word; // of a kind that we had to ask for
	const char *namespace;
	char *place; // "jobs.yaml:12:1"
};

struct jobs_files {
	struct jobs_file *files;
	struct jobs_batch_item *items; // of the same index
	struct jobs_needs *needs;      // likewise
	size_t count;
	bool has_taken; // some name is another object's
};

struct jobs_files_options {
	const char *namespace;         // of -n; NULL: each object's own, or
	const char *default_namespace; // where it names none; NULL: not known
	const char *user;              // for the label vpsml.dev/user; NULL: none
	bool is_name_prefix;           // each name is a prefix
	bool is_only_shown;            // nothing will be posted: no request ids
};

// Names the objects of MANIFESTS, which must outlive FILES, and builds what is to be posted. FAULTS
// gets an object of another namespace than -n, and one that --name-prefix would tear from others.
bool jobs_files_prepare(struct jobs_files *files, const struct kube_manifests *manifests,
                        const struct jobs_files_options *options, struct faults *faults,
                        struct err *err) _nodiscard_;

// Everything that can be known before: kinds and fields that the server does not have, preflight, and
// whether the server would take each object (a dry run of all of them). PREFLIGHT's faults get what is
// wrong, each with its place. *RET_REFUSED is the worst kind among the server's own refusals, ERR_NONE
// where there is none.
bool jobs_files_check(struct jobs_files *files, struct kube_client *client,
                      const struct jobs_preflight *preflight, bool replaces,
                      enum err_kind *ret_refused, struct err *err) _nodiscard_;

// Posts them; what came of each is in its item. *RET_WORST is the worst kind of failure, ERR_NONE where
// all are made; FAULTS gets the reasons.
bool jobs_files_post(struct jobs_files *files, struct kube_client *client,
                     const struct jobs_batch_options *options, struct faults *faults,
                     enum err_kind *ret_worst, struct err *err) _nodiscard_;

void jobs_files_release(struct jobs_files *files);
