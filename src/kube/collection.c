// SPDX-License-Identifier: MIT
#include "kube/collection.h"

#include <string.h>

#include "http/url.h"

const struct kube_collection kube_config_maps = {"v1", "configmaps", "config map", false};
const struct kube_collection kube_deployments = {"apps/v1", "deployments", "deployment", false};
const struct kube_collection kube_events = {"v1", "events", "event", false};
const struct kube_collection kube_hpas = {"autoscaling/v2", "horizontalpodautoscalers",
                                          "autoscaler", false};
const struct kube_collection kube_jobs = {"batch/v1", "jobs", "job", false};
const struct kube_collection kube_namespaces = {"v1", "namespaces", "namespace", true};
const struct kube_collection kube_nodes = {"v1", "nodes", "node", true};
const struct kube_collection kube_pods = {"v1", "pods", "pod", false};
const struct kube_collection kube_priority_classes = {"scheduling.k8s.io/v1", "priorityclasses",
                                                      "priority class", true};
const struct kube_collection kube_quotas = {"v1", "resourcequotas", "quota", false};
const struct kube_collection kube_runtime_classes = {"node.k8s.io/v1", "runtimeclasses",
                                                     "runtime class", true};
const struct kube_collection kube_secrets = {"v1", "secrets", "secret", false};
const struct kube_collection kube_service_accounts = {"v1", "serviceaccounts", "service account",
                                                      false};
const struct kube_collection kube_services = {"v1", "services", "service", false};
const struct kube_collection kube_volume_claims = {"v1", "persistentvolumeclaims", "volume claim",
                                                   false};

const struct kube_collection kube_api_services = {"apiregistration.k8s.io/v1", "apiservices",
                                                  "API service", true};
const struct kube_collection kube_cluster_role_bindings = {
	"rbac.authorization.k8s.io/v1", "clusterrolebindings", "cluster role binding", true};
const struct kube_collection kube_cluster_roles = {"rbac.authorization.k8s.io/v1", "clusterroles",
                                                   "cluster role", true};
const struct kube_collection kube_daemon_sets = {"apps/v1", "daemonsets", "daemon set", false};
const struct kube_collection kube_role_bindings = {"rbac.authorization.k8s.io/v1", "rolebindings",
                                                   "role binding", false};

void kube_path_write(struct strbuf *out, const struct kube_collection *collection,
                     const char *namespace, const char *name)
{
	bool is_core = !strchr(collection->group_version, '/');

	strbuf_addf(out, "%s%s", is_core ? "/api/" : "/apis/", collection->group_version);
	if (namespace && !collection->is_cluster_wide) {
		strbuf_add(out, "/namespaces/");
		http_url_encode(out, namespace);
	}
	strbuf_addf(out, "/%s", collection->plural);
	if (name) {
		strbuf_add_char(out, '/');
		http_url_encode(out, name);
	}
}

void kube_query_add(struct strbuf *path, const char *key, const char *value)
{
	http_url_add_query(path, key, value);
}
