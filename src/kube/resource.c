// SPDX-License-Identifier: MIT
#include "kube/resource.h"

#include <string.h>

#include "http/url.h"

const struct kube_resource kube_config_maps = {"v1", "configmaps", "config map", false};
const struct kube_resource kube_deployments = {"apps/v1", "deployments", "deployment", false};
const struct kube_resource kube_events = {"v1", "events", "event", false};
const struct kube_resource kube_hpas = {"autoscaling/v2", "horizontalpodautoscalers", "autoscaler",
                                        false};
const struct kube_resource kube_jobs = {"batch/v1", "jobs", "job", false};
const struct kube_resource kube_namespaces = {"v1", "namespaces", "namespace", true};
const struct kube_resource kube_nodes = {"v1", "nodes", "node", true};
const struct kube_resource kube_pods = {"v1", "pods", "pod", false};
const struct kube_resource kube_priority_classes = {"scheduling.k8s.io/v1", "priorityclasses",
                                                    "priority class", true};
const struct kube_resource kube_quotas = {"v1", "resourcequotas", "quota", false};
const struct kube_resource kube_runtime_classes = {"node.k8s.io/v1", "runtimeclasses",
                                                   "runtime class", true};
const struct kube_resource kube_secrets = {"v1", "secrets", "secret", false};
const struct kube_resource kube_service_accounts = {"v1", "serviceaccounts", "service account",
                                                    false};
const struct kube_resource kube_services = {"v1", "services", "service", false};
const struct kube_resource kube_volume_claims = {"v1", "persistentvolumeclaims", "volume claim",
                                                 false};

void kube_path_write(struct strbuf *out, const struct kube_resource *resource,
                     const char *namespace, const char *name)
{
	bool is_core = !strchr(resource->group_version, '/');

	strbuf_addf(out, "%s%s", is_core ? "/api/" : "/apis/", resource->group_version);
	if (namespace && !resource->is_cluster_wide) {
		strbuf_add(out, "/namespaces/");
		http_url_encode(out, namespace);
	}
	strbuf_addf(out, "/%s", resource->plural);
	if (name) {
		strbuf_add_char(out, '/');
		http_url_encode(out, name);
	}
}

void kube_query_add(struct strbuf *path, const char *key, const char *value)
{
	http_url_add_query(path, key, value);
}
