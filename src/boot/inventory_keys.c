// SPDX-License-Identifier: MIT
// The keys of cluster.yaml, as vpsml-cluster(5) describes them.
#include "boot/inventory_read.h"

#include <string.h>

#include "base/mem.h"
#include "kube/name.h"
#include "kube/toleration.h"
#include "ssh/place.h"

#define MAP(key_name, struct_field, table)                                        \
	{                                                                             \
		.name = (key_name), .read = boot_read_map,                                \
		.offset = offsetof(struct boot_inventory, struct_field), .keys = (table), \
		.key_count = COUNT_OF(table),                                             \
	}

static const char *const backends[] = {"auto", "vxlan", "wireguard", NULL};
static const char *const containerds[] = {"auto", "distribution", "containerd.io", "installed",
                                          NULL};
static const char *const effects[] = {"PreferNoSchedule", "NoSchedule", NULL};
static const char *const roles[] = {"worker", "control-plane", "control-plane+worker", NULL};
static const char *const toolkits[] = {"auto", "installed", NULL};

// Index of VALUE's text in WORDS, or a fault.
static bool read_index(struct boot_reader *reader, const struct json *value, const char *name,
                       const char *const *words, unsigned *ret)
{
	const struct boot_key key = {.name = name, .words = words};
	size_t before = reader->faults.errors.count;

	boot_read_word(reader, value, &key, ret);
	return reader->faults.errors.count == before;
}

// plugin: flannel, calico, none, or the path of a manifest.
static void read_plugin(struct boot_reader *reader, const struct json *value,
                        const struct boot_key *key, void *field)
{
	static const char *const plugins[] = {"flannel", "calico", "none"};
	struct boot_network *network = field;
	const char *text = boot_text(reader, value);

	for (size_t i = 0; text && i < COUNT_OF(plugins); i++) {
		if (!strcmp(text, plugins[i])) {
			network->plugin = (enum boot_plugin)i;
			return;
		}
	}
	if (text && !strchr(text, '/') && !strstr(text, ".y")) {
		boot_fault(reader, value, "plugin: takes flannel, calico, none or a manifest's path");
		return;
	}
	network->plugin = BOOT_PLUGIN_FILE;
	if (text)
		boot_read_source(reader, value, key, &network->manifest);
}

static void read_effect(struct boot_reader *reader, const struct json *value,
                        const struct boot_key *key, void *field)
{
	unsigned index;

	if (read_index(reader, value, key->name, effects, &index))
		*(const char **)field = effects[index];
}

static void read_toolkit(struct boot_reader *reader, const struct json *value,
                         const struct boot_key *key, void *field)
{
	unsigned index;

	if (read_index(reader, value, key->name, toolkits, &index))
		*(bool *)field = index == 1;
}

// firewall: auto, or off, which YAML takes for false.
static void read_firewall(struct boot_reader *reader, const struct json *value,
                          const struct boot_key *key, void *field)
{
	bool is_off = json_type(value) == JSON_BOOL && !json_is_true(value);

	(void)key;
	if (is_off || !strcmp(json_string(value), "off"))
		*(bool *)field = false;
	else if (strcmp(json_string(value), "auto") != 0)
		boot_fault(reader, value, "firewall: takes auto or off");
}

static void read_endpoint(struct boot_reader *reader, const struct json *value,
                          const struct boot_key *key, void *field)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};
	_cleanup_err_ struct err err = ERR_INIT;
	const char *text = boot_text(reader, value);

	(void)key;
	(void)field;
	if (!text)
		return;
	if (!ssh_address_parse(text, &address, &err) || address.user) {
		boot_note_memory(reader, &err);
		boot_fault(reader, value, "endpoint: \"%s\" is not HOST[:PORT]", text);
		return;
	}
	boot_set_text(reader, &reader->inventory->endpoint, address.host);
	if (address.port)
		reader->inventory->endpoint_port = address.port;
}

static void read_cluster_name(struct boot_reader *reader, const struct json *value,
                              const struct boot_key *key, void *field)
{
	_cleanup_err_ struct err err = ERR_INIT;
	const char *text = boot_text(reader, value);

	(void)key;
	if (text && !kube_name_check_label(text, &err))
		boot_fault_take(reader, value, &err);
	if (text) // also a wrong one, so that it is not called missing
		boot_set_text(reader, field, text);
}

// Hosts.

static void read_host_name(struct boot_reader *reader, const struct json *value,
                           const struct boot_key *key, void *field)
{
	_cleanup_err_ struct err err = ERR_INIT;
	const char *text = boot_text(reader, value);

	(void)key;
	if (text && !kube_name_check_subdomain(text, &err))
		boot_fault_take(reader, value, &err);
	if (text)
		boot_set_text(reader, field, text);
}

static void read_host_ssh(struct boot_reader *reader, const struct json *value,
                          const struct boot_key *key, void *field)
{
	_cleanup_ssh_address_ struct ssh_address address = {0};
	_cleanup_err_ struct err err = ERR_INIT;
	struct boot_ssh *ssh = field;
	const char *text = boot_text(reader, value);

	(void)key;
	if (!text)
		return;
	if (!ssh_address_parse(text, &address, &err)) {
		boot_fault_take(reader, value, &err);
		boot_set_text(reader, &ssh->address, text);
		return;
	}
	boot_set_text(reader, &ssh->address, address.host);
	if (address.user)
		boot_set_text(reader, &ssh->user, address.user);
	ssh->port = address.port;
}

static void read_role(struct boot_reader *reader, const struct json *value,
                      const struct boot_key *key, void *field)
{
	struct boot_host *host = field;
	unsigned index;

	if (!read_index(reader, value, key->name, roles, &index))
		index = 2; // so that "no control plane" is not said too
	host->is_control_plane = index > 0;
	host->is_worker = index != 1;
}

static void add_taint(struct boot_reader *reader, struct boot_host *host,
                      struct kube_toleration *parsed)
{
	struct boot_taint taint = {.key = TAKE(parsed->key),
	                           .value = parsed->value ? TAKE(parsed->value) : mem_dup(""),
	                           .effect = parsed->effect};

	if (taint.value && mem_append(&host->taints, &host->taint_count, &taint, sizeof(taint)))
		return;
	mem_free(taint.key);
	mem_free(taint.value);
	reader->faults.is_out_of_memory = true;
}

static void read_taint(struct boot_reader *reader, const struct json *item, struct boot_host *host)
{
	struct kube_tolerations parsed = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;
	const char *text = boot_text(reader, item);

	if (!text)
		return;
	if (kube_tolerations_parse(&parsed, text, &err) && parsed.items[0].key &&
	    parsed.items[0].effect)
		add_taint(reader, host, &parsed.items[0]);
	else
		boot_fault(reader, item, "\"%s\" is not KEY[=VALUE]:EFFECT", text);
	boot_note_memory(reader, &err);
	kube_tolerations_release(&parsed);
}

static void read_taints(struct boot_reader *reader, const struct json *value,
                        const struct boot_key *key, void *field)
{
	if (json_type(value) != JSON_ARRAY) {
		boot_fault(reader, value, "%s: takes a list", key->name);
		return;
	}
	for (const struct json *item = json_first(value); item; item = json_next(item))
		read_taint(reader, item, field);
}

static const struct boot_key host_keys[] = {
	{.name = "name", .read = read_host_name, .offset = offsetof(struct boot_host, name)},
	{.name = "ssh", .read = read_host_ssh, .offset = offsetof(struct boot_host, ssh)},
	{.name = "identity",
     .read = boot_read_path,
     .offset = offsetof(struct boot_host, ssh.identity)},
	{.name = "jump", .read = boot_read_jump, .offset = offsetof(struct boot_host, ssh.jump)},
	{.name = "hostKey", .read = boot_read_host_key, .offset = offsetof(struct boot_host, ssh)},
	{.name = "role", .read = read_role},
	{.name = "nodeIP", .read = boot_read_ip, .offset = offsetof(struct boot_host, node_ip)},
	{.name = "gpu", .read = boot_read_choice, .offset = offsetof(struct boot_host, gpu)},
	{.name = "labels", .read = boot_read_pairs, .offset = offsetof(struct boot_host, labels)},
	{.name = "taints", .read = read_taints},
};

static void read_host(struct boot_reader *reader, const struct json *item, bool is_only)
{
	struct boot_inventory *inventory = reader->inventory;
	struct boot_host empty = {.is_worker = true, .is_control_plane = is_only};

	if (!mem_append(&inventory->hosts, &inventory->host_count, &empty, sizeof(empty))) {
		reader->faults.is_out_of_memory = true;
		return;
	}
	if (json_type(item) != JSON_OBJECT)
		boot_fault(reader, item, "a host is a map: {name: …, ssh: …}");
	else
		boot_read_keys(reader, item, host_keys, COUNT_OF(host_keys),
		               &inventory->hosts[inventory->host_count - 1]);
}

static void read_hosts(struct boot_reader *reader, const struct json *value,
                       const struct boot_key *key, void *field)
{
	const struct json *first = json_first(value);

	(void)field;
	if (json_type(value) != JSON_ARRAY) {
		boot_fault(reader, value, "%s: takes a list", key->name);
		return;
	}
	for (const struct json *item = first; item; item = json_next(item)) {
		if (reader->inventory->host_count == BOOT_HOSTS_MAX) {
			boot_fault(reader, item, "more than %d hosts", BOOT_HOSTS_MAX);
			return;
		}
		read_host(reader, item, item == first && !json_next(item));
	}
}

static const struct boot_key network_keys[] = {
	{.name = "plugin", .read = read_plugin},
	{.name = "podCIDR", .read = boot_read_cidr, .offset = offsetof(struct boot_network, pod_cidr)},
	{.name = "serviceCIDR",
     .read = boot_read_cidr,
     .offset = offsetof(struct boot_network, svc_cidr)},
	{.name = "backend",
     .read = boot_read_word,
     .offset = offsetof(struct boot_network, backend),
     .words = backends},
	{.name = "interface",
     .read = boot_read_name,
     .offset = offsetof(struct boot_network, interface)},
	{.name = "manifest",
     .read = boot_read_source,
     .offset = offsetof(struct boot_network, manifest)},
	{.name = "sha256", .read = boot_read_sha256, .offset = offsetof(struct boot_network, sha256)},
};

static const struct boot_key packages_keys[] = {
	{.name = "repository",
     .read = boot_read_mirror,
     .offset = offsetof(struct boot_packages, repository)},
	{.name = "key", .read = boot_read_source, .offset = offsetof(struct boot_packages, key)},
	{.name = "containerd",
     .read = boot_read_word,
     .offset = offsetof(struct boot_packages, containerd),
     .words = containerds},
	{.name = "containerdRepository",
     .read = boot_read_mirror,
     .offset = offsetof(struct boot_packages, containerd_repository)},
	{.name = "containerdKey",
     .read = boot_read_source,
     .offset = offsetof(struct boot_packages, containerd_key)},
	{.name = "nvidiaRepository",
     .read = boot_read_mirror,
     .offset = offsetof(struct boot_packages, nvidia_repository)},
	{.name = "nvidiaKey",
     .read = boot_read_source,
     .offset = offsetof(struct boot_packages, nvidia_key)},
};

static const struct boot_key images_keys[] = {
	{.name = "repository",
     .read = boot_read_registry,
     .offset = offsetof(struct boot_images, repository)},
	{.name = "ca", .read = boot_read_path, .offset = offsetof(struct boot_images, ca)},
	{.name = "flannel", .read = boot_read_image, .offset = offsetof(struct boot_images, flannel)},
	{.name = "flannelCNI",
     .read = boot_read_image,
     .offset = offsetof(struct boot_images, flannel_cni)},
	{.name = "metricsServer",
     .read = boot_read_image,
     .offset = offsetof(struct boot_images, metrics_server)},
	{.name = "devicePlugin",
     .read = boot_read_image,
     .offset = offsetof(struct boot_images, device_plugin)},
};

static const struct boot_key proxy_keys[] = {
	{.name = "http", .read = boot_read_proxy, .offset = offsetof(struct boot_proxy, http)},
	{.name = "https", .read = boot_read_proxy, .offset = offsetof(struct boot_proxy, https)},
	{.name = "no", .read = boot_read_texts, .offset = offsetof(struct boot_proxy, no)},
};

static const struct boot_key gpu_keys[] = {
	{.name = "resource", .read = boot_read_text, .offset = offsetof(struct boot_gpu, resource)},
	{.name = "devicePlugin",
     .read = boot_read_flag,
     .offset = offsetof(struct boot_gpu, has_device_plugin)},
	{.name = "toolkit",
     .read = read_toolkit,
     .offset = offsetof(struct boot_gpu, is_toolkit_installed)},
};

static const struct boot_key metrics_keys[] = {
	{.name = "enabled",
     .read = boot_read_flag,
     .offset = offsetof(struct boot_metrics, is_enabled)},
	{.name = "insecureKubeletTLS",
     .read = boot_read_flag,
     .offset = offsetof(struct boot_metrics, is_tls_insecure)},
};

static const struct boot_key ssh_keys[] = {
	{.name = "user", .read = boot_read_name, .offset = offsetof(struct boot_ssh, user)},
	{.name = "port", .read = boot_read_port, .offset = offsetof(struct boot_ssh, port)},
	{.name = "identity", .read = boot_read_path, .offset = offsetof(struct boot_ssh, identity)},
	{.name = "jump", .read = boot_read_jump, .offset = offsetof(struct boot_ssh, jump)},
	{.name = "hostKey", .read = boot_read_host_key},
};

static void read_ssh(struct boot_reader *reader, const struct json *value,
                     const struct boot_key *key, void *field)
{
	(void)field;
	boot_read_map(reader, value, key, &reader->ssh);
}

static const struct boot_key root_keys[] = {
	{.name = "name", .read = read_cluster_name, .offset = offsetof(struct boot_inventory, name)},
	{.name = "kubernetes",
     .read = boot_read_version,
     .offset = offsetof(struct boot_inventory, kubernetes)},
	{.name = "endpoint", .read = read_endpoint},
	{.name = "apiServerNames",
     .read = boot_read_texts,
     .offset = offsetof(struct boot_inventory, api_server_names)},
	MAP("network", network, network_keys),
	MAP("packages", packages, packages_keys),
	MAP("images", images, images_keys),
	MAP("proxy", proxy, proxy_keys),
	{.name = "firewall",
     .read = read_firewall,
     .offset = offsetof(struct boot_inventory, has_firewall)},
	{.name = "gpuTaint",
     .read = read_effect,
     .offset = offsetof(struct boot_inventory, gpu.taint_effect)},
	MAP("gpu", gpu, gpu_keys),
	MAP("metricsServer", metrics, metrics_keys),
	{.name = "ignorePreflight",
     .read = boot_read_texts,
     .offset = offsetof(struct boot_inventory, ignore_preflight)},
	{.name = "kubelet",
     .read = boot_read_object,
     .offset = offsetof(struct boot_inventory, kubelet)},
	{.name = "kubeProxy",
     .read = boot_read_object,
     .offset = offsetof(struct boot_inventory, kube_proxy)},
	{.name = "clusterConfiguration",
     .read = boot_read_object,
     .offset = offsetof(struct boot_inventory, cluster_configuration)},
	{.name = "containerd",
     .read = boot_read_object,
     .offset = offsetof(struct boot_inventory, containerd)},
	{.name = "ssh", .read = read_ssh, .keys = ssh_keys, .key_count = COUNT_OF(ssh_keys)},
	{.name = "hosts", .read = read_hosts},
};

void boot_read_root(struct boot_reader *reader)
{
	const struct json *root = reader->document->root;

	if (json_type(root) != JSON_OBJECT)
		boot_fault(reader, root, "a cluster's file is a map: name, kubernetes, hosts");
	else
		boot_read_keys(reader, root, root_keys, COUNT_OF(root_keys), reader->inventory);
}
