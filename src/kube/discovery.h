// SPDX-License-Identifier: MIT
// Which versions of an API group a server has.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/client.h"

// Asks for GROUP ("autoscaling", "metrics.k8s.io") with one request, and sets *RET to the first of
// the NULL-terminated VERSIONS ("v2", "v2beta2", "v1") that the server has; NULL where it has none
// of them or not the group at all, which is no error. An aggregated API (metrics) may be listed and
// out of order all the same: asking it then is a 503.
bool kube_discover(struct kube_client *client, const char *group, const char *const *versions,
                   const char **ret, struct err *err) _nodiscard_;

// The same from the answer to GET /apis/GROUP. Pure.
bool kube_discovery_parse(const char *text, size_t len, const char *const *versions,
                          const char **ret, struct err *err) _nodiscard_;

extern const char *const kube_autoscaling_versions[]; // v2, v2beta2, v1
extern const char *const kube_metrics_versions[];     // v1, v1beta1

// What a kind is called in paths.
struct kube_kind {
	char *plural; // NULL: the server does not know the kind
	bool is_namespaced;
};

// Asks for KIND ("DaemonSet") of GROUP_VERSION ("apps/v1", "v1") with one request. That the server
// does not have it is no error.
bool kube_discover_kind(struct kube_client *client, const char *group_version, const char *kind,
                        struct kube_kind *ret, struct err *err) _nodiscard_;

// The same from the answer to GET /apis/GROUP/VERSION. Pure.
bool kube_discovery_parse_kind(const char *text, size_t len, const char *kind,
                               struct kube_kind *ret, struct err *err) _nodiscard_;

void kube_kind_release(struct kube_kind *kind);
