// SPDX-License-Identifier: MIT
// What the pods of an object refer to and ask for, read from the object itself: one that flags made or
// one out of a file. Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "kube/manifest.h"
#include "kube/requests.h"

enum jobs_ref_kind {
	JOBS_REF_PRIORITY_CLASS,
	JOBS_REF_RUNTIME_CLASS,
	JOBS_REF_ACCOUNT,
	JOBS_REF_CLAIM,
	JOBS_REF_SECRET,
	JOBS_REF_CONFIG_MAP,
};

// A name of another object.
struct jobs_ref {
	enum jobs_ref_kind kind;
	const char *name;
	const char *key;          // that must be in the Secret or ConfigMap; NULL: none
	const char *option;       // that sets it
	const struct json *value; // where the name stands
};

struct jobs_container {
	const char *name;
	bool is_init;
	struct kube_requests requests, limits; // 0: not given
};

struct jobs_needs {
	const struct kube_manifest *manifest; // out of which it was read, for messages; NULL: flags
	const char *namespace;                // borrowed
	const struct json *pod_spec;          // borrowed; NULL: an object without pods
	struct jobs_ref *refs;
	size_t ref_count;
	struct jobs_container *containers;
	size_t container_count;
	int64_t pods;             // that run at once
	struct kube_requests pod; // of one of them; limits stand for requests that are not given
	const char *gpu_resource; // what its GPUs are called; NULL: none
	bool is_cpu_only;         // may run on no GPU node
};

// Reads OBJECT, which must outlive it. What is not as it should be is passed over: the server says so.
bool jobs_needs_read(struct jobs_needs *needs, const struct json *object, const char *namespace,
                     struct err *err) _nodiscard_;

// Adds where REF (NULL: all of it) was said, with a colon and a blank behind: "--secret: ",
// "jobs.yaml:12:9: ", or nothing.
void jobs_needs_write_place(const struct jobs_needs *needs, const struct jobs_ref *ref,
                            struct strbuf *out);

void jobs_needs_release(struct jobs_needs *needs);
