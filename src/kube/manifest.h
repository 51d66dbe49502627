// SPDX-License-Identifier: MIT
// Objects out of files, as `kubectl create -f` takes them: YAML documents or JSON, Lists taken apart.
// Pure: the caller reads the files.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/faults.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "yaml/yaml.h"

// One object. All strings are borrowed from the file.
struct kube_manifest {
	const struct yaml_document *document; // that it is in
	const struct json *object;
	const char *group_version, *kind;
	const char *name; // with is_prefix the start of it: metadata.generateName
	bool is_prefix;
	const char *namespace; // NULL: it names none
};

struct kube_manifests {
	struct kube_manifest *items; // in the order of the text
	size_t count;
	struct yaml_documents *files;
	size_t file_count;
};

#define KUBE_MANIFESTS_INIT \
	{                       \
		NULL, 0, NULL, 0    \
	}
#define _cleanup_kube_manifests_ _cleanup_(kube_manifests_release)

// Adds the objects of one file, and to FAULTS what is wrong with them, each with its place
// ("jobs.yaml:12:5: …"): text that does not parse, no apiVersion, kind or legal name, more than an API
// server takes. Fails on memory alone.
bool kube_manifests_add(struct kube_manifests *manifests, const char *file, const char *text,
                        size_t len, struct faults *faults, struct err *err) _nodiscard_;

// Adds a fault for each object that is in them twice: same kind, namespace and name.
void kube_manifests_check_twice(const struct kube_manifests *manifests, struct faults *faults);

// Adds "jobs.yaml:12:5", the place of VALUE, which must be of MANIFEST's document; NULL: of the object.
void kube_manifest_write_place(const struct kube_manifest *manifest, const struct json *value,
                               struct strbuf *out);

// What is to be different in what is posted.
struct kube_manifest_changes {
	const char *name;       // in place of metadata.name or generateName
	const char *namespace;  // NULL: as it is
	const char *request_id; // for the annotation; NULL: none
	const char *user;       // for the label vpsml.dev/user, unless there is one; NULL: none
};

// The object with these changes and no other; owned by the caller.
struct json *kube_manifest_build(const struct kube_manifest *manifest,
                                 const struct kube_manifest_changes *changes,
                                 struct err *err) _nodiscard_;

void kube_manifests_release(struct kube_manifests *manifests);
