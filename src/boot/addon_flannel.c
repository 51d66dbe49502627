// SPDX-License-Identifier: MIT
// The pod network: flannel's objects, as its release has them, with the cluster's own network, backend
// and interface.
#include "boot/addon_build.h"

#include "base/digest.h"
#include "boot/addons.h"

static const char space[] = "kube-flannel", account[] = "flannel", config[] = "kube-flannel-cfg";
static const char cni_file[] = "/etc/cni/net.d/10-flannel.conflist";

enum { TEXT_MAX_BYTES = 4096, DIGEST_SHOWN_BYTES = 8 };

static boot_texts labels(void)
{
	static const char *const pairs[] = {"k8s-app", "flannel", NULL};

	return pairs;
}

// Its pods use the host's network, which the policy for pods forbids by default.
static struct json *build_namespace(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(
		&b, "v1", "Namespace", NULL, space,
		BOOT_TEXTS("k8s-app", "flannel", "pod-security.kubernetes.io/enforce", "privileged"));
	json_build_close(&b);
	return json_build_take(&b, err);
}

static struct json *build_role(struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "rbac.authorization.k8s.io/v1", "ClusterRole", NULL, account, labels());
	json_build_open_array(&b, "rules");
	boot_put_rule(&b, BOOT_TEXTS(""), BOOT_TEXTS("pods"), BOOT_TEXTS("get"));
	boot_put_rule(&b, BOOT_TEXTS(""), BOOT_TEXTS("nodes"), BOOT_TEXTS("get", "list", "watch"));
	boot_put_rule(&b, BOOT_TEXTS(""), BOOT_TEXTS("nodes/status"), BOOT_TEXTS("patch"));
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static void put_cni_plugins(struct json_build *b)
{
	json_build_open_array(b, "plugins");
	json_build_open_object(b, NULL);
	json_put_string(b, "type", "flannel");
	json_build_open_object(b, "delegate");
	json_put_bool(b, "hairpinMode", true);
	json_put_bool(b, "isDefaultGateway", true);
	json_build_close(b);
	json_build_close(b);
	json_build_open_object(b, NULL);
	json_put_string(b, "type", "portmap");
	json_build_open_object(b, "capabilities");
	json_put_bool(b, "portMappings", true);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static bool write_cni(struct strbuf *out, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "name", "cbr0");
	json_put_string(&b, "cniVersion", "0.3.1");
	put_cni_plugins(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (tree)
		json_write_pretty(out, tree);
	return tree;
}

static bool write_net(const struct boot_network *network, bool is_wireguard, struct strbuf *out,
                      struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;
	_cleanup_strbuf_ struct strbuf cidr = STRBUF_INIT(128);
	bool is_v6 = network->pod_cidr.ip.is_v6;

	boot_cidr_write(&cidr, &network->pod_cidr);
	json_build_open_object(&b, NULL);
	json_put_text(&b, is_v6 ? "IPv6Network" : "Network", &cidr);
	if (is_v6) {
		json_put_bool(&b, "EnableIPv4", false);
		json_put_bool(&b, "EnableIPv6", true);
	}
	json_build_open_object(&b, "Backend");
	json_put_string(&b, "Type", is_wireguard ? "wireguard" : "vxlan");
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (tree)
		json_write_pretty(out, tree);
	return tree;
}

// What flannel and the CNI are told.
struct texts {
	struct strbuf cni, net;
};

static void release_texts(struct texts *texts)
{
	strbuf_release(&texts->cni);
	strbuf_release(&texts->net);
}

static struct json *build_config(const struct texts *texts, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	boot_open_object(&b, "v1", "ConfigMap", space, config, labels());
	json_build_open_object(&b, "data");
	json_put_text(&b, "cni-conf.json", &texts->cni);
	json_put_text(&b, "net-conf.json", &texts->net);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

// Copies the CNI program, and the configuration that names it, to where the kubelet's runtime looks.
static void put_init_containers(struct json_build *b, const struct boot_images *images)
{
	json_build_open_array(b, "initContainers");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "install-cni-plugin");
	json_put_string(b, "image", images->flannel_cni);
	boot_put_list(b, "command", BOOT_TEXTS("cp"));
	boot_put_list(b, "args", BOOT_TEXTS("-f", "/flannel", "/opt/cni/bin/flannel"));
	json_build_open_array(b, "volumeMounts");
	boot_put_mount(b, "cni-plugin", "/opt/cni/bin", false);
	json_build_close(b);
	json_build_close(b);
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "install-cni");
	json_put_string(b, "image", images->flannel);
	boot_put_list(b, "command", BOOT_TEXTS("cp"));
	boot_put_list(b, "args", BOOT_TEXTS("-f", "/etc/kube-flannel/cni-conf.json", cni_file));
	json_build_open_array(b, "volumeMounts");
	boot_put_mount(b, "cni", "/etc/cni/net.d", false);
	boot_put_mount(b, "flannel-cfg", "/etc/kube-flannel/", false);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void put_arguments(struct json_build *b, const struct boot_network *network)
{
	_cleanup_strbuf_ struct strbuf interface = STRBUF_INIT(256);

	json_build_open_array(b, "args");
	json_put_string(b, NULL, "--ip-masq");
	json_put_string(b, NULL, "--kube-subnet-mgr");
	if (network->interface) {
		strbuf_addf(&interface, "--iface=%s", network->interface);
		json_put_text(b, NULL, &interface);
	}
	json_build_close(b);
}

static void put_environment(struct json_build *b)
{
	json_build_open_array(b, "env");
	boot_put_field_env(b, "POD_NAME", "metadata.name");
	boot_put_field_env(b, "POD_NAMESPACE", "metadata.namespace");
	boot_put_map(b, NULL, BOOT_TEXTS("name", "EVENT_QUEUE_DEPTH", "value", "5000"));
	json_build_close(b);
}

static void put_daemon(struct json_build *b, const struct boot_inventory *inventory)
{
	json_build_open_array(b, "containers");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "kube-flannel");
	json_put_string(b, "image", inventory->images.flannel);
	put_arguments(b, &inventory->network);
	put_environment(b);
	boot_put_requests(b, "100m", "50Mi");
	json_build_open_object(b, "securityContext");
	json_put_bool(b, "privileged", false);
	json_build_open_object(b, "capabilities");
	boot_put_list(b, "add", BOOT_TEXTS("NET_ADMIN", "NET_RAW"));
	json_build_close(b);
	json_build_close(b);
	json_build_open_array(b, "volumeMounts");
	boot_put_mount(b, "run", "/run/flannel", false);
	boot_put_mount(b, "flannel-cfg", "/etc/kube-flannel/", false);
	boot_put_mount(b, "xtables-lock", "/run/xtables.lock", false);
	json_build_close(b);
	json_build_close(b);
	json_build_close(b);
}

static void put_volumes(struct json_build *b)
{
	json_build_open_array(b, "volumes");
	boot_put_host_path(b, "run", "/run/flannel", NULL);
	boot_put_host_path(b, "cni-plugin", "/opt/cni/bin", NULL);
	boot_put_host_path(b, "cni", "/etc/cni/net.d", NULL);
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "flannel-cfg");
	boot_put_map(b, "configMap", BOOT_TEXTS("name", config));
	json_build_close(b);
	boot_put_host_path(b, "xtables-lock", "/run/xtables.lock", "FileOrCreate");
	json_build_close(b);
}

static void put_pod(struct json_build *b, const struct boot_inventory *inventory)
{
	json_build_open_object(b, "spec");
	json_put_bool(b, "hostNetwork", true);
	json_put_string(b, "priorityClassName", "system-node-critical");
	json_put_string(b, "serviceAccountName", account);
	boot_put_map(b, "nodeSelector", BOOT_TEXTS("kubernetes.io/os", "linux"));
	json_build_open_array(b, "tolerations");
	boot_put_toleration(b, NULL, "NoSchedule");
	boot_put_toleration(b, NULL, "NoExecute");
	json_build_close(b);
	put_init_containers(b, &inventory->images);
	put_daemon(b, inventory);
	put_volumes(b);
	json_build_close(b);
}

// Pods read the texts when they start: a change of them is to be one of the pods.
static bool put_digest(struct json_build *b, const struct texts *texts, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(2 * TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf hex = STRBUF_INIT(2 * DIGEST_SHA256_BYTES + 1);
	unsigned char digest[DIGEST_SHA256_BYTES];

	strbuf_addf(&text, "%s%s", strbuf_get(&texts->cni), strbuf_get(&texts->net));
	if (!strbuf_ok(&text, err) || !digest_sha256(strbuf_get(&text), text.len, digest, err))
		return false;
	digest_add_hex(&hex, digest, DIGEST_SHOWN_BYTES);
	boot_put_map(b, "annotations", BOOT_TEXTS("vpsml.dev/config", strbuf_get(&hex)));
	return true;
}

static struct json *build_daemon_set(const struct boot_inventory *inventory,
                                     const struct texts *texts, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	boot_texts own = BOOT_TEXTS("app", "flannel");

	boot_open_object(&b, "apps/v1", "DaemonSet", space, "kube-flannel-ds",
	                 BOOT_TEXTS("app", "flannel", "k8s-app", "flannel"));
	json_build_open_object(&b, "spec");
	json_build_open_object(&b, "selector");
	boot_put_map(&b, "matchLabels", own);
	json_build_close(&b);
	json_build_open_object(&b, "template");
	json_build_open_object(&b, "metadata");
	boot_put_map(&b, "labels", own);
	if (!put_digest(&b, texts, err))
		return NULL;
	json_build_close(&b);
	put_pod(&b, inventory);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

bool boot_addon_flannel(const struct boot_inventory *inventory, bool is_wireguard,
                        struct boot_objects *ret, struct err *err)
{
	_cleanup_(release_texts) struct texts texts = {STRBUF_INIT(TEXT_MAX_BYTES),
	                                               STRBUF_INIT(TEXT_MAX_BYTES)};

	return write_cni(&texts.cni, err) &&
	       write_net(&inventory->network, is_wireguard, &texts.net, err) &&
	       boot_objects_take(ret, &kube_namespaces, build_namespace(err), err) &&
	       boot_objects_take(ret, &kube_service_accounts,
	                         boot_build_account(space, account, labels(), err), err) &&
	       boot_objects_take(ret, &kube_cluster_roles, build_role(err), err) &&
	       boot_objects_take(ret, &kube_cluster_role_bindings,
	                         boot_build_binding(NULL, account, "ClusterRole", account, space,
	                                            account, labels(), err),
	                         err) &&
	       boot_objects_take(ret, &kube_config_maps, build_config(&texts, err), err) &&
	       boot_objects_take(ret, &kube_daemon_sets, build_daemon_set(inventory, &texts, err), err);
}
