// SPDX-License-Identifier: MIT
// The collections of objects in the API that we use (its "resources"), and the paths and queries of
// requests for them.
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

struct kube_collection {
	const char *group_version; // "v1", "batch/v1"
	const char *plural;        // "jobs"
	const char *word;          // for messages: "job"
	const char *kind;          // "Job"
	bool is_cluster_wide;      // has no namespace
};

extern const struct kube_collection kube_api_services, kube_cluster_role_bindings,
	kube_cluster_roles, kube_config_maps, kube_daemon_sets, kube_deployments, kube_events,
	kube_hpas, kube_jobs, kube_limit_ranges, kube_namespaces, kube_nodes, kube_pods,
	kube_priority_classes, kube_quotas, kube_replica_sets, kube_role_bindings, kube_runtime_classes,
	kube_secrets, kube_service_accounts, kube_services, kube_stateful_sets, kube_volume_claims;

// The one of them that holds objects of this KIND, or NULL. GROUP_VERSION must match too, but that
// autoscalers have several, of which `kube_hpas` is the newest.
const struct kube_collection *kube_collection_find(const char *group_version, const char *kind);

// Adds "/apis/batch/v1/namespaces/NS/jobs[/NAME]"; NAMESPACE NULL: all of them. Names are
// percent-encoded.
void kube_path_write(struct strbuf *out, const struct kube_collection *collection,
                     const char *namespace, const char *name);

// Adds "?KEY=VALUE", or "&KEY=VALUE" behind another one, percent-encoded.
void kube_query_add(struct strbuf *path, const char *key, const char *value);
