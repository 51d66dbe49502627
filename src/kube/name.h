// SPDX-License-Identifier: MIT
// What Kubernetes takes as names, label keys and values, and environment names. A name that it
// does not take is refused with a legal one beside it, never changed in silence.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

enum {
	// A Job's name goes into its pods' labels (63 bytes) and, for an Indexed Job, into host names
	// with an index behind it; a CronJob of the same name may have 52.
	KUBE_NAME_MAX_BYTES = 52,
	KUBE_LABEL_MAX_BYTES = 63,      // DNS label, RFC 1123; label values
	KUBE_SUBDOMAIN_MAX_BYTES = 253, // DNS subdomain, RFC 1123
};

// A name of ours: [a-z]([-a-z0-9]*[a-z0-9])?, at most KUBE_NAME_MAX_BYTES. Starts with a letter and
// has no dot, since a Service (RFC 1035) and host names may come with it.
bool kube_name_check(const char *name, struct err *err) _nodiscard_;

// Names of other people's objects: a DNS label (namespace, container) or a DNS subdomain (class,
// Secret, claim), as RFC 1123 has them.
bool kube_name_check_label(const char *name, struct err *err) _nodiscard_;
bool kube_name_check_subdomain(const char *name, struct err *err) _nodiscard_;

// What can be a name in a request's path at all, as client-go has it: not empty, not "." or "..", no "/"
// and no "%". Whether there is such an object the server says, and then names the nearest.
bool kube_name_check_path(const char *name, struct err *err) _nodiscard_;

// [prefix/]name, as labels, annotations, taints and extended resources have it.
bool kube_name_check_key(const char *key, struct err *err) _nodiscard_;

// At most 63 bytes of [A-Za-z0-9._-], alphanumeric at both ends; may be empty.
bool kube_name_check_label_value(const char *value, struct err *err) _nodiscard_;

// A key of a Secret or ConfigMap: at most 253 bytes of [-._A-Za-z0-9], not "." or "..".
bool kube_name_check_secret_key(const char *key, struct err *err) _nodiscard_;

// Printable ASCII without "=", as every server takes since 1.32. IS_OLD_STYLE (may be NULL) tells
// whether older ones do too: [-._A-Za-z][-._A-Za-z0-9]*.
bool kube_name_check_env(const char *name, bool *is_old_style, struct err *err) _nodiscard_;
