// SPDX-License-Identifier: MIT
// metrics-server: what nodes and pods use, for `top` and autoscalers. Its objects as its release has
// them; kubelets' certificates are checked unless the inventory says otherwise.
#include "boot/addon_build.h"

#include "boot/addons.h"

static const char space[] = "kube-system", name[] = "metrics-server";

static boot_texts labels(void)
{
	static const char *const pairs[] = {"k8s-app", "metrics-server", NULL};

	return pairs;
}

// Whoever may view or edit may see metrics too.
static struct json *build_reader_role(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "rbac.authorization.k8s.io/v1", "ClusterRole", NULL,
	                 "system:aggregated-metrics-reader",
	                 BOOT_TEXTS("k8s-app", name, "rbac.authorization.k8s.io/aggregate-to-admin",
	                            "true", "rbac.authorization.k8s.io/aggregate-to-edit", "true",
	                            "rbac.authorization.k8s.io/aggregate-to-view", "true"));
	json_build_open_array(&b, "rules");
	boot_put_rule(&b, BOOT_TEXTS("metrics.k8s.io"), BOOT_TEXTS("pods", "nodes"),
	              BOOT_TEXTS("get", "list", "watch"));
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static struct json *build_role(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "rbac.authorization.k8s.io/v1", "ClusterRole", NULL,
	                 "system:metrics-server", labels());
	json_build_open_array(&b, "rules");
	boot_put_rule(&b, BOOT_TEXTS(""), BOOT_TEXTS("nodes/metrics"), BOOT_TEXTS("get"));
	boot_put_rule(&b, BOOT_TEXTS(""), BOOT_TEXTS("pods", "nodes"),
	              BOOT_TEXTS("get", "list", "watch"));
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static struct json *build_service(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "v1", "Service", space, name, labels());
	json_build_open_object(&b, "spec");
	boot_put_map(&b, "selector", labels());
	json_build_open_array(&b, "ports");
	json_build_open_object(&b, NULL);
	json_put_string(&b, "name", "https");
	json_put_i64(&b, "port", 443);
	json_put_string(&b, "protocol", "TCP");
	json_put_string(&b, "targetPort", "https");
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static void put_probe(struct json_build *b, const char *probe, const char *path, int64_t delay_s)
{
	json_build_open_object(b, probe);
	boot_put_map(b, "httpGet", BOOT_TEXTS("path", path, "port", "https", "scheme", "HTTPS"));
	if (delay_s)
		json_put_i64(b, "initialDelaySeconds", delay_s);
	json_put_i64(b, "periodSeconds", 10);
	json_put_i64(b, "failureThreshold", 3);
	json_build_close(b);
}

static void put_security(struct json_build *b)
{
	json_build_open_object(b, "securityContext");
	json_put_bool(b, "allowPrivilegeEscalation", false);
	json_build_open_object(b, "capabilities");
	boot_put_list(b, "drop", BOOT_TEXTS("ALL"));
	json_build_close(b);
	json_put_bool(b, "readOnlyRootFilesystem", true);
	json_put_bool(b, "runAsNonRoot", true);
	json_put_i64(b, "runAsUser", 1000);
	boot_put_map(b, "seccompProfile", BOOT_TEXTS("type", "RuntimeDefault"));
	json_build_close(b);
}

static void put_arguments(struct json_build *b, bool is_tls_insecure)
{
	json_build_open_array(b, "args");
	json_put_string(b, NULL, "--cert-dir=/tmp");
	json_put_string(b, NULL, "--secure-port=10250");
	json_put_string(b, NULL, "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname");
	json_put_string(b, NULL, "--kubelet-use-node-status-port");
	json_put_string(b, NULL, "--metric-resolution=15s");
	if (is_tls_insecure)
		json_put_string(b, NULL, "--kubelet-insecure-tls");
	json_build_close(b);
}

static void put_container(struct json_build *b, const struct boot_inventory *inventory)
{
	json_build_open_array(b, "containers");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", name);
	json_put_string(b, "image", inventory->images.metrics_server);
	put_arguments(b, inventory->metrics.is_tls_insecure);
	json_build_open_array(b, "ports");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "https");
	json_put_i64(b, "containerPort", 10250);
	json_put_string(b, "protocol", "TCP");
	json_build_close(b);
	json_build_close(b);
	put_probe(b, "livenessProbe", "/livez", 0);
	put_probe(b, "readinessProbe", "/readyz", 20);
	boot_put_requests(b, "100m", "200Mi");
	put_security(b);
	json_build_open_array(b, "volumeMounts");
	boot_put_mount(b, "tmp-dir", "/tmp", false);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

// Control planes will do: there may be no worker yet, or none but those with GPUs.
static void put_pod(struct json_build *b, const struct boot_inventory *inventory)
{
	json_build_open_object(b, "spec");
	json_put_string(b, "priorityClassName", "system-cluster-critical");
	json_put_string(b, "serviceAccountName", name);
	boot_put_map(b, "nodeSelector", BOOT_TEXTS("kubernetes.io/os", "linux"));
	json_build_open_array(b, "tolerations");
	boot_put_toleration(b, "node-role.kubernetes.io/control-plane", "NoSchedule");
	json_build_close(b);
	put_container(b, inventory);
	json_build_open_array(b, "volumes");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "tmp-dir");
	json_build_open_object(b, "emptyDir");
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static struct json *build_deployment(const struct boot_inventory *inventory, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "apps/v1", "Deployment", space, name, labels());
	json_build_open_object(&b, "spec");
	json_build_open_object(&b, "selector");
	boot_put_map(&b, "matchLabels", labels());
	json_build_close(&b);
	json_build_open_object(&b, "template");
	json_build_open_object(&b, "metadata");
	boot_put_map(&b, "labels", labels());
	json_build_close(&b);
	put_pod(&b, inventory);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static struct json *build_api_service(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "apiregistration.k8s.io/v1", "APIService", NULL, "v1beta1.metrics.k8s.io",
	                 labels());
	json_build_open_object(&b, "spec");
	json_put_string(&b, "group", "metrics.k8s.io");
	json_put_string(&b, "version", "v1beta1");
	json_put_i64(&b, "groupPriorityMinimum", 100);
	json_put_i64(&b, "versionPriority", 100);
	json_put_bool(&b, "insecureSkipTLSVerify", true);
	boot_put_map(&b, "service", BOOT_TEXTS("name", name, "namespace", space));
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static bool take_bindings(struct boot_objects *ret, struct err *err)
{
	return boot_objects_take(ret, &kube_role_bindings,
	                         boot_build_binding(space, "metrics-server-auth-reader", "Role",
	                                            "extension-apiserver-authentication-reader", space,
	                                            name, labels(), err),
	                         err) &&
	       boot_objects_take(ret, &kube_cluster_role_bindings,
	                         boot_build_binding(NULL, "metrics-server:system:auth-delegator",
	                                            "ClusterRole", "system:auth-delegator", space, name,
	                                            labels(), err),
	                         err) &&
	       boot_objects_take(ret, &kube_cluster_role_bindings,
	                         boot_build_binding(NULL, "system:metrics-server", "ClusterRole",
	                                            "system:metrics-server", space, name, labels(),
	                                            err),
	                         err);
}

bool boot_addon_metrics_server(const struct boot_inventory *inventory, struct boot_objects *ret,
                               struct err *err)
{
	return boot_objects_take(ret, &kube_service_accounts,
	                         boot_build_account(space, name, labels(), err), err) &&
	       boot_objects_take(ret, &kube_cluster_roles, build_reader_role(err), err) &&
	       boot_objects_take(ret, &kube_cluster_roles, build_role(err), err) &&
	       take_bindings(ret, err) &&
	       boot_objects_take(ret, &kube_services, build_service(err), err) &&
	       boot_objects_take(ret, &kube_deployments, build_deployment(inventory, err), err) &&
	       boot_objects_take(ret, &kube_api_services, build_api_service(err), err);
}
