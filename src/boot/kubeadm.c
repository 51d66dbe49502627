// SPDX-License-Identifier: MIT
#include "boot/kubeadm.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "boot/step_list.h"
#include "yaml/yaml.h"

static const char hidden[] = "…"; // in place of a secret in a plan that is only shown

// Merging

static const struct json *member(const struct json *object, const char *name)
{
	for (const struct json *item = json_first(object); item; item = json_next(item))
		if (json_name(item) && !strcmp(json_name(item), name))
			return item;
	return NULL;
}

static void put_merged(struct json_build *b, const char *name, const struct json *base,
                       const struct json *over)
{
	json_build_open_object(b, name);
	for (const struct json *item = json_first(base); item; item = json_next(item)) {
		const struct json *own = member(over, json_name(item));

		if (own && json_type(own) == JSON_OBJECT && json_type(item) == JSON_OBJECT)
			put_merged(b, json_name(item), item, own);
		else
			json_put_tree(b, json_name(item), json_dup(own ? own : item));
	}
	for (const struct json *item = json_first(over); item; item = json_next(item))
		if (!member(base, json_name(item)))
			json_put_tree(b, json_name(item), json_dup(item));
	json_build_close(b);
}

struct json *boot_json_merge(const struct json *base, const struct json *over, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	put_merged(&b, NULL, base, over);
	return json_build_take(&b, err);
}

// Documents

// One document: what was built, with the user's own over it.
static bool add_document(struct json_build *b, const struct json *own, struct strbuf *out,
                         struct err *err)
{
	_cleanup_json_ struct json *tree = json_build_take(b, err);
	_cleanup_json_ struct json *merged = NULL;

	if (!tree)
		return false;
	if (own) {
		merged = boot_json_merge(tree, own, err);
		if (!merged)
			return false;
	}
	if (out->len)
		strbuf_add(out, "---\n");
	return yaml_write(out, merged ? merged : tree, err);
}

static bool is_beta4(const struct boot_inventory *inventory)
{
	return inventory->kubernetes.major > 1 || inventory->kubernetes.minor >= 31;
}

static void open_document(struct json_build *b, const struct boot_inventory *inventory,
                          const char *kind)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "apiVersion",
	                is_beta4(inventory) ? "kubeadm.k8s.io/v1beta4" : "kubeadm.k8s.io/v1beta3");
	json_put_string(b, "kind", kind);
}

static void put_ip(struct json_build *b, const char *name, const struct boot_ip *ip)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	boot_ip_write(&text, ip);
	json_put_text(b, name, &text);
}

// kubeletExtraArgs: a list of name and value since v1beta4, a map before.
static void put_kubelet_args(struct json_build *b, const struct boot_inventory *inventory,
                             const struct boot_host *host)
{
	if (!host->node_ip.is_set)
		return;
	if (!is_beta4(inventory)) {
		json_build_open_object(b, "kubeletExtraArgs");
		put_ip(b, "node-ip", &host->node_ip);
		json_build_close(b);
		return;
	}
	json_build_open_array(b, "kubeletExtraArgs");
	json_build_open_object(b, NULL);
	json_put_string(b, "name", "node-ip");
	put_ip(b, "value", &host->node_ip);
	json_build_close(b);
	json_build_close(b);
}

static void put_taint(struct json_build *b, const char *key, const char *value, const char *effect)
{
	json_build_open_object(b, NULL);
	json_put_string(b, "key", key);
	if (*value)
		json_put_string(b, "value", value);
	json_put_string(b, "effect", effect);
	json_build_close(b);
}

// Without a list kubeadm taints a control plane; one that runs jobs has a list without that taint.
static void put_taints(struct json_build *b, const struct boot_host *host)
{
	if (!host->taint_count && !(host->is_control_plane && host->is_worker))
		return;
	json_build_open_array(b, "taints");
	if (host->is_control_plane && !host->is_worker)
		put_taint(b, "node-role.kubernetes.io/control-plane", "", "NoSchedule");
	for (size_t i = 0; i < host->taint_count; i++)
		put_taint(b, host->taints[i].key, host->taints[i].value, host->taints[i].effect);
	json_build_close(b);
}

static void put_registration(struct json_build *b, const struct boot_inventory *inventory,
                             const struct boot_host *host)
{
	json_build_open_object(b, "nodeRegistration");
	json_put_string(b, "name", host->name);
	json_put_string(b, "criSocket", BOOT_CRI_SOCKET); // named, lest kubeadm find several
	if (inventory->ignore_preflight.count) {
		json_build_open_array(b, "ignorePreflightErrors");
		for (size_t i = 0; i < inventory->ignore_preflight.count; i++)
			json_put_string(b, NULL, inventory->ignore_preflight.items[i]);
		json_build_close(b);
	}
	put_taints(b, host);
	put_kubelet_args(b, inventory, host);
	json_build_close(b);
}

static void put_local_endpoint(struct json_build *b, const struct boot_inventory *inventory,
                               const struct boot_host *host)
{
	json_build_open_object(b, "localAPIEndpoint");
	if (host->node_ip.is_set)
		put_ip(b, "advertiseAddress", &host->node_ip);
	json_put_i64(b, "bindPort", inventory->endpoint ? 6443 : inventory->endpoint_port);
	json_build_close(b);
}

static bool add_init(const struct boot_inventory *inventory, size_t index,
                     const struct boot_join *join, bool has_token, struct strbuf *out,
                     struct err *err)
{
	const struct boot_host *host = &inventory->hosts[index];
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	open_document(&b, inventory, "InitConfiguration");
	if (has_token) {
		json_build_open_array(&b, "bootstrapTokens");
		json_build_open_object(&b, NULL);
		json_put_string(&b, "token", join && join->token ? join->token : hidden);
		json_put_string(&b, "ttl", "1h0m0s");
		json_build_close(&b);
		json_build_close(&b);
	}
	json_put_string(&b, "certificateKey",
	                join && join->certificate_key ? join->certificate_key : hidden);
	put_registration(&b, inventory, host);
	put_local_endpoint(&b, inventory, host);
	json_build_close(&b);
	return add_document(&b, NULL, out, err);
}

static void put_network(struct json_build *b, const struct boot_inventory *inventory)
{
	_cleanup_strbuf_ struct strbuf pods = STRBUF_INIT(64), services = STRBUF_INIT(64);

	boot_cidr_write(&pods, &inventory->network.pod_cidr);
	boot_cidr_write(&services, &inventory->network.svc_cidr);
	json_build_open_object(b, "networking");
	json_put_text(b, "podSubnet", &pods);
	json_put_text(b, "serviceSubnet", &services);
	json_build_close(b);
}

// Every name that somebody may call the API server by: kubernetes#58921.
static bool put_names(struct json_build *b, const struct boot_inventory *inventory, struct err *err)
{
	_cleanup_strv_ struct strv names = STRV_INIT;

	for (size_t i = 0; i < inventory->api_server_names.count; i++)
		if (!strv_add(&names, inventory->api_server_names.items[i], err))
			return false;
	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct boot_host *host = &inventory->hosts[i];

		if (host->is_control_plane && host->ssh.address &&
		    !strv_contains(&names, host->ssh.address) && !strv_add(&names, host->ssh.address, err))
			return false;
	}
	if (inventory->endpoint && !strv_contains(&names, inventory->endpoint) &&
	    !strv_add(&names, inventory->endpoint, err))
		return false;
	json_build_open_object(b, "apiServer");
	json_build_open_array(b, "certSANs");
	for (size_t i = 0; i < names.count; i++)
		json_put_string(b, NULL, names.items[i]);
	json_build_close(b);
	json_build_close(b);
	return true;
}

static bool add_cluster(const struct boot_inventory *inventory, struct strbuf *out, struct err *err)
{
	const struct boot_version *version = &inventory->kubernetes;
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64), endpoint = STRBUF_INIT(512);

	strbuf_addf(&text, "v%d.%d.%d", version->major, version->minor, version->patch);
	step_add_endpoint(&endpoint, inventory);
	open_document(&b, inventory, "ClusterConfiguration");
	json_put_string(&b, "clusterName", inventory->name);
	json_put_text(&b, "kubernetesVersion", &text);
	if (endpoint.len)
		json_put_text(&b, "controlPlaneEndpoint", &endpoint);
	json_put_string(&b, "imageRepository", inventory->images.repository);
	put_network(&b, inventory);
	if (!put_names(&b, inventory, err))
		return false;
	json_build_close(&b);
	return add_document(&b, inventory->cluster_configuration, out, err);
}

static bool add_component(const char *version, const char *kind, const char *driver,
                          const struct json *own, struct strbuf *out, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", version);
	json_put_string(&b, "kind", kind);
	if (driver)
		json_put_string(&b, "cgroupDriver", driver);
	json_build_close(&b);
	return add_document(&b, own, out, err);
}

bool boot_kubeadm_init(const struct boot_inventory *inventory, size_t index,
                       const struct boot_join *join, struct strbuf *out, struct err *err)
{
	return add_init(inventory, index, join, true, out, err) && add_cluster(inventory, out, err) &&
	       add_component("kubelet.config.k8s.io/v1beta1", "KubeletConfiguration", "systemd",
	                     inventory->kubelet, out, err) &&
	       (!inventory->kube_proxy ||
	        add_component("kubeproxy.config.k8s.io/v1alpha1", "KubeProxyConfiguration", NULL,
	                      inventory->kube_proxy, out, err));
}

bool boot_kubeadm_certificates(const struct boot_inventory *inventory, size_t index,
                               const struct boot_join *join, struct strbuf *out, struct err *err)
{
	return add_init(inventory, index, join, false, out, err) && add_cluster(inventory, out, err);
}

bool boot_kubeadm_join(const struct boot_inventory *inventory, size_t index,
                       const struct boot_join *join, struct strbuf *out, struct err *err)
{
	const struct boot_host *host = &inventory->hosts[index];
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_strbuf_ struct strbuf endpoint = STRBUF_INIT(512);

	step_add_endpoint(&endpoint, inventory);
	open_document(&b, inventory, "JoinConfiguration");
	json_build_open_object(&b, "discovery");
	json_build_open_object(&b, "bootstrapToken");
	if (join && join->server)
		json_put_string(&b, "apiServerEndpoint", join->server);
	else
		json_put_string(&b, "apiServerEndpoint", endpoint.len ? strbuf_get(&endpoint) : hidden);
	json_put_string(&b, "token", join && join->token ? join->token : hidden);
	json_build_open_array(&b, "caCertHashes");
	json_put_string(&b, NULL, join && join->ca_pin ? join->ca_pin : hidden);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	put_registration(&b, inventory, host);
	if (host->is_control_plane) {
		json_build_open_object(&b, "controlPlane");
		json_put_string(&b, "certificateKey",
		                join && join->certificate_key ? join->certificate_key : hidden);
		put_local_endpoint(&b, inventory, host);
		json_build_close(&b);
	}
	json_build_close(&b);
	return add_document(&b, NULL, out, err);
}

bool boot_token_secret(const char *token, const char *ends, struct strbuf *out, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(64), id = STRBUF_INIT(8);
	_cleanup_json_ struct json *tree = NULL;
	const char *dot = strchr(token, '.');

	if (!dot || dot - token != 6)
		return err_set(err, ERR_FAILED, "a bootstrap token has six characters before its dot");
	strbuf_add_n(&id, token, 6);
	strbuf_addf(&name, "bootstrap-token-%s", strbuf_get(&id));
	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "Secret");
	json_build_open_object(&b, "metadata");
	json_put_text(&b, "name", &name);
	json_put_string(&b, "namespace", "kube-system");
	json_build_close(&b);
	json_put_string(&b, "type", "bootstrap.kubernetes.io/token");
	json_build_open_object(&b, "stringData");
	json_put_text(&b, "token-id", &id);
	json_put_string(&b, "token-secret", dot + 1);
	json_put_string(&b, "expiration", ends);
	json_put_string(&b, "usage-bootstrap-authentication", "true");
	json_put_string(&b, "usage-bootstrap-signing", "true");
	json_put_string(&b, "auth-extra-groups", "system:bootstrappers:kubeadm:default-node-token");
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	json_write(out, tree);
	return strbuf_ok(out, err);
}
