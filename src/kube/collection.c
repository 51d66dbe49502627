// SPDX-License-Identifier: MIT
#include "kube/collection.h"

#include <string.h>

#include "http/url.h"

const struct kube_collection kube_api_services = {"apiregistration.k8s.io/v1", "apiservices",
                                                  "API service", "APIService", true};
const struct kube_collection kube_cluster_role_bindings = {
	"rbac.authorization.k8s.io/v1", "clusterrolebindings", "cluster role binding",
	"ClusterRoleBinding", true};
const struct kube_collection kube_cluster_roles = {"rbac.authorization.k8s.io/v1", "clusterroles",
                                                   "cluster role", "ClusterRole", true};
const struct kube_collection kube_config_maps = {"v1", "configmaps", "config map", "ConfigMap",
                                                 false};
const struct kube_collection kube_daemon_sets = {"apps/v1", "daemonsets", "daemon set", "DaemonSet",
                                                 false};
const struct kube_collection kube_deployments = {"apps/v1", "deployments", "deployment",
                                                 "Deployment", false};
const struct kube_collection kube_events = {"v1", "events", "event", "Event", false};
const struct kube_collection kube_hpas = {"autoscaling/v2", "horizontalpodautoscalers",
                                          "autoscaler", "HorizontalPodAutoscaler", false};
const struct kube_collection kube_jobs = {"batch/v1", "jobs", "job", "Job", false};
const struct kube_collection kube_limit_ranges = {"v1", "limitranges", "limit range", "LimitRange",
                                                  false};
const struct kube_collection kube_namespaces = {"v1", "namespaces", "namespace", "Namespace", true};
const struct kube_collection kube_nodes = {"v1", "nodes", "node", "Node", true};
const struct kube_collection kube_pods = {"v1", "pods", "pod", "Pod", false};
const struct kube_collection kube_priority_classes = {"scheduling.k8s.io/v1", "priorityclasses",
                                                      "priority class", "PriorityClass", true};
const struct kube_collection kube_quotas = {"v1", "resourcequotas", "quota", "ResourceQuota",
                                            false};
const struct kube_collection kube_replica_sets = {"apps/v1", "replicasets", "replica set",
                                                  "ReplicaSet", false};
const struct kube_collection kube_role_bindings = {"rbac.authorization.k8s.io/v1", "rolebindings",
                                                   "role binding", "RoleBinding", false};
const struct kube_collection kube_runtime_classes = {"node.k8s.io/v1", "runtimeclasses",
                                                     "runtime class", "RuntimeClass", true};
const struct kube_collection kube_secrets = {"v1", "secrets", "secret", "Secret", false};
const struct kube_collection kube_service_accounts = {"v1", "serviceaccounts", "service account",
                                                      "ServiceAccount", false};
const struct kube_collection kube_services = {"v1", "services", "service", "Service", false};
const struct kube_collection kube_stateful_sets = {"apps/v1", "statefulsets", "stateful set",
                                                   "StatefulSet", false};
const struct kube_collection kube_volume_claims = {"v1", "persistentvolumeclaims", "volume claim",
                                                   "PersistentVolumeClaim", false};

static const struct kube_collection *const all[] = {
	&kube_api_services,  &kube_cluster_role_bindings, &kube_cluster_roles, &kube_config_maps,
	&kube_daemon_sets,   &kube_deployments,           &kube_events,        &kube_hpas,
	&kube_jobs,          &kube_limit_ranges,          &kube_namespaces,    &kube_nodes,
	&kube_pods,          &kube_priority_classes,      &kube_quotas,        &kube_replica_sets,
	&kube_role_bindings, &kube_runtime_classes,       &kube_secrets,       &kube_service_accounts,
	&kube_services,      &kube_stateful_sets,         &kube_volume_claims,
};

const struct kube_collection *kube_collection_find(const char *group_version, const char *kind)
{
	static const char autoscaling[] = "autoscaling/";

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		bool has_versions =
			all[i] == &kube_hpas && !strncmp(group_version, autoscaling, strlen(autoscaling));

		if (!strcmp(kind, all[i]->kind) &&
		    (has_versions || !strcmp(group_version, all[i]->group_version)))
			return all[i];
	}
	return NULL;
}

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
