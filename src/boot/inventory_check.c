// SPDX-License-Identifier: MIT
// What is wrong between the values of cluster.yaml. What only the hosts can tell is in check.c.
#include "boot/inventory_read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kube/name.h"

enum {
	OLDEST_MINOR = 24,     // pkgs.k8s.io has packages from here on
	SERVICE_BITS_MAX = 20, // kube-apiserver refuses larger service networks
	SERVICE_BITS_MIN = 4,  // kubeadm wants 10 addresses at least
	TEXT_MAX_BYTES = 256,
};

// The value at PATH; NULL where there is nothing, or null.
static const struct json *find_in(const struct json *tree, const char *path)
{
	const struct json *value = json_find(tree, path);

	return value && json_type(value) != JSON_NULL ? value : NULL;
}

static const struct json *find(const struct boot_reader *reader, const char *path)
{
	return find_in(reader->document->root, path);
}

// The host's entry in the file.
static const struct json *host_value(const struct boot_reader *reader, size_t index)
{
	const struct json *item = json_first(find(reader, "hosts"));

	while (index-- && item)
		item = json_next(item);
	return item;
}

static const struct json *host_member(const struct boot_reader *reader, size_t index,
                                      const char *name)
{
	const struct json *host = host_value(reader, index), *value = json_find(host, name);

	return value ? value : host;
}

// Is NAME neither there nor misspelt? OBJECT is the map that it belongs to.
static bool is_missing(const struct boot_reader *reader, const struct json *object,
                       const char *name)
{
	for (size_t i = 0; i < reader->meant_count; i++)
		if (!strcmp(reader->meant[i], name))
			return false;
	return !find_in(object, name);
}

static void check_required(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;
	const struct boot_version *version = &inventory->kubernetes;
	const struct json *root = reader->document->root;

	if (is_missing(reader, root, "name"))
		boot_fault(reader, NULL, "\"name\" is missing: what the cluster is called");
	if (!version->major && is_missing(reader, root, "kubernetes"))
		boot_fault(reader, NULL, "\"kubernetes\" is missing: the version, such as v1.34.4");
	else if (version->major && (version->major != 1 || version->minor < OLDEST_MINOR))
		boot_fault(reader, find(reader, "kubernetes"),
		           "kubernetes: 1.%d is the oldest that there are packages for", OLDEST_MINOR);
	if (!inventory->host_count && (find(reader, "hosts") || is_missing(reader, root, "hosts")))
		boot_fault(reader, find(reader, "hosts"), "\"hosts\" are missing: at least one is needed");
}

static bool is_same_place(const struct boot_ssh *a, const struct boot_ssh *b)
{
	return a->address && b->address && !strcasecmp(a->address, b->address) &&
	       (a->port ? a->port : 22) == (b->port ? b->port : 22) &&
	       !strcmp(a->jump ? a->jump : "", b->jump ? b->jump : "");
}

static void check_pair(struct boot_reader *reader, size_t earlier, size_t later)
{
	const struct boot_host *a = &reader->inventory->hosts[earlier];
	const struct boot_host *b = &reader->inventory->hosts[later];

	if (a->name && b->name && !strcmp(a->name, b->name))
		boot_fault(reader, host_member(reader, later, "name"), "two hosts are called \"%s\"",
		           b->name);
	if (is_same_place(&a->ssh, &b->ssh))
		boot_fault(reader, host_member(reader, later, "ssh"), "%s and %s have the same address",
		           a->name ? a->name : "another host", b->name ? b->name : "this one");
	if (a->node_ip.is_set && b->node_ip.is_set && boot_ip_equal(&a->node_ip, &b->node_ip))
		boot_fault(reader, host_member(reader, later, "nodeIP"), "%s has the same nodeIP",
		           a->name ? a->name : "another host");
}

static void check_hosts(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;

	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct json *value = host_value(reader, i);

		if (json_type(value) == JSON_OBJECT && is_missing(reader, value, "name"))
			boot_fault(reader, value, "this host has no \"name\"");
		if (json_type(value) == JSON_OBJECT && is_missing(reader, value, "ssh"))
			boot_fault(reader, value, "this host has no \"ssh\": [USER@]HOST[:PORT]");
		for (size_t earlier = 0; earlier < i; earlier++)
			check_pair(reader, earlier, i);
	}
}

static void check_roles(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;
	size_t count = boot_inventory_control_planes(inventory);

	if (inventory->host_count && !count)
		boot_fault(reader, find(reader, "hosts"), "no host has the role control-plane");
	if (count > 1 && !inventory->endpoint)
		boot_fault(
			reader, find(reader, "hosts"),
			"%zu control planes need an \"endpoint\": the name of what balances between them",
			count);
	if (count && count % 2 == 0)
		boot_warn(reader, find(reader, "hosts"),
		          "%zu control planes outlive no more failures than %zu: etcd needs a majority",
		          count, count - 1);
}

// A GPU node reserved for GPU jobs leaves the cluster's own pods no home.
static void check_taint(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;

	if (!inventory->host_count || strcmp(inventory->gpu.taint_effect, "NoSchedule") != 0)
		return;
	for (size_t i = 0; i < inventory->host_count; i++)
		if (inventory->hosts[i].is_worker && inventory->hosts[i].gpu != BOOT_YES &&
		    !inventory->hosts[i].taint_count)
			return;
	boot_fault(reader, find(reader, "gpuTaint"),
	           "gpuTaint: NoSchedule leaves no node for pods without a GPU");
}

// Networks.

static void check_overlap(struct boot_reader *reader)
{
	const struct boot_network *network = &reader->inventory->network;
	const struct json *at = find(reader, "network.podCIDR");
	_cleanup_strbuf_ struct strbuf pods = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf services = STRBUF_INIT(TEXT_MAX_BYTES);

	boot_cidr_write(&pods, &network->pod_cidr);
	boot_cidr_write(&services, &network->svc_cidr);
	if (!at)
		at = find(reader, "network.serviceCIDR");
	if (network->pod_cidr.ip.is_v6 != network->svc_cidr.ip.is_v6)
		boot_fault(reader, at, "pods (%s) and services (%s) need networks of one family",
		           strbuf_get(&pods), strbuf_get(&services));
	else if (boot_cidr_overlap(&network->pod_cidr, &network->svc_cidr))
		boot_fault(reader, at, "the networks of pods (%s) and services (%s) overlap",
		           strbuf_get(&pods), strbuf_get(&services));
}

static void check_services(struct boot_reader *reader)
{
	const struct boot_cidr *services = &reader->inventory->network.svc_cidr;
	int bits = (services->ip.is_v6 ? 128 : 32) - services->prefix;

	if (bits > SERVICE_BITS_MAX)
		boot_fault(reader, find(reader, "network.serviceCIDR"),
		           "serviceCIDR: /%d is larger than kube-apiserver takes: /%d at most",
		           services->prefix, services->prefix + bits - SERVICE_BITS_MAX);
	if (bits < SERVICE_BITS_MIN)
		boot_fault(reader, find(reader, "network.serviceCIDR"),
		           "serviceCIDR: /%d is too small: kubeadm wants at least 16 addresses",
		           services->prefix);
}

// What is passed to kube-controller-manager as NAME, in either form of extraArgs; NULL: nothing.
static const char *controller_argument(const struct boot_inventory *inventory, const char *name)
{
	const struct json *args =
		json_find(inventory->cluster_configuration, "controllerManager.extraArgs");

	for (const struct json *item = args ? json_first(args) : NULL; item; item = json_next(item)) {
		const char *listed = json_string(json_find(item, "name"));

		if (json_name(item) && !strcmp(json_name(item), name))
			return json_string(item);
		if (!json_name(item) && !strcmp(listed, name))
			return json_string(json_find(item, "value"));
	}
	return NULL;
}

// The network that each node gets out of podCIDR: /24, or what is passed; Calico without those hands
// out blocks of its own.
static int node_prefix(const struct boot_inventory *inventory)
{
	bool is_v6 = inventory->network.pod_cidr.ip.is_v6;
	const char *allocate = controller_argument(inventory, "allocate-node-cidrs");
	const char *mask = controller_argument(inventory, "node-cidr-mask-size");

	if (allocate && !strcmp(allocate, "false"))
		return is_v6 ? 122 : 26;
	return mask ? (int)strtol(mask, NULL, 10) : is_v6 ? 64 : 24;
}

static void check_room(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;
	const struct boot_cidr *pods = &inventory->network.pod_cidr;
	int prefix = node_prefix(inventory);
	size_t room = boot_cidr_count(pods, prefix);
	const struct json *at = find(reader, "network.podCIDR");
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	boot_cidr_write(&text, pods);
	if (room < inventory->host_count)
		boot_fault(reader, at ? at : find(reader, "hosts"),
		           "podCIDR: %s has room for %zu nodes (a /%d each), and there are %zu",
		           strbuf_get(&text), room, prefix, inventory->host_count);
}

static void check_address(struct boot_reader *reader, size_t index, const struct boot_ip *ip,
                          const char *member)
{
	const struct boot_network *network = &reader->inventory->network;
	const struct json *at = host_member(reader, index, member);

	if (boot_cidr_contains(&network->pod_cidr, ip))
		boot_fault(reader, at, "this address is in the pods' network");
	if (boot_cidr_contains(&network->svc_cidr, ip))
		boot_fault(reader, at, "this address is in the services' network");
}

static void check_addresses(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;

	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct boot_host *host = &inventory->hosts[i];
		_cleanup_err_ struct err unused = ERR_INIT;
		struct boot_ip ip = {.is_set = false};

		if (host->ssh.address && boot_ip_parse(host->ssh.address, &ip, &unused))
			check_address(reader, i, &ip, "ssh");
		if (host->node_ip.is_set)
			check_address(reader, i, &host->node_ip, "nodeIP");
		if (host->node_ip.is_set && host->node_ip.is_v6 != inventory->network.pod_cidr.ip.is_v6)
			boot_fault(reader, host_member(reader, i, "nodeIP"),
			           "nodeIP and the pods' network are of two families");
		boot_note_memory(reader, &unused);
	}
}

static void check_plugin(struct boot_reader *reader)
{
	const struct boot_network *network = &reader->inventory->network;
	bool takes_manifest =
		network->plugin == BOOT_PLUGIN_CALICO || network->plugin == BOOT_PLUGIN_FILE;

	if (network->backend != BOOT_BACKEND_AUTO && network->plugin != BOOT_PLUGIN_FLANNEL)
		boot_fault(reader, find(reader, "network.backend"), "backend: is Flannel's");
	if (find(reader, "network.manifest") && network->plugin != BOOT_PLUGIN_CALICO)
		boot_fault(reader, find(reader, "network.manifest"),
		           "manifest: is Calico's; another plugin's goes to \"plugin\"");
	if (network->sha256 && !takes_manifest)
		boot_fault(reader, find(reader, "network.sha256"), "sha256: there is no manifest to check");
	if (network->interface &&
	    (network->plugin == BOOT_PLUGIN_NONE || network->plugin == BOOT_PLUGIN_FILE))
		boot_fault(reader, find(reader, "network.interface"),
		           "interface: is Flannel's and Calico's");
}

// Lists and what is passed on.

static void check_names(struct boot_reader *reader)
{
	const struct json *item = find(reader, "apiServerNames");

	for (item = item ? json_first(item) : NULL; item; item = json_next(item)) {
		const char *name = json_string(item);
		_cleanup_err_ struct err unused = ERR_INIT;
		struct boot_ip ip;

		if (!*name || boot_ip_parse(name, &ip, &unused))
			continue;
		boot_note_memory(reader, &unused);
		err_clear(&unused);
		if (!kube_name_check_subdomain(!strncmp(name, "*.", 2) ? name + 2 : name, &unused))
			boot_fault(reader, item, "\"%s\" is neither a host's name nor an address", name);
		boot_note_memory(reader, &unused);
	}
}

static void check_ignored(struct boot_reader *reader)
{
	const struct json *item = find(reader, "ignorePreflight");

	for (item = item ? json_first(item) : NULL; item; item = json_next(item)) {
		const char *name = json_string(item);

		if (!strcasecmp(name, "all"))
			boot_fault(reader, item, "ignorePreflight: name the checks; \"all\" is not taken");
		else if (name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		                           "0123456789-.")])
			boot_fault(reader, item, "\"%s\" is not the name of a check of kubeadm's", name);
	}
}

// What vpsml writes itself must not come in by another door.
static void check_passed(struct boot_reader *reader)
{
	static const struct {
		const char *path, *instead;
	} owned[] = {
		{"clusterConfiguration.kubernetesVersion", "kubernetes"},
		{"clusterConfiguration.clusterName", "name"},
		{"clusterConfiguration.controlPlaneEndpoint", "endpoint"},
		{"clusterConfiguration.imageRepository", "images.repository"},
		{"clusterConfiguration.networking.podSubnet", "network.podCIDR"},
		{"clusterConfiguration.networking.serviceSubnet", "network.serviceCIDR"},
		{"clusterConfiguration.apiServer.certSANs", "apiServerNames"},
	};
	static const char *const typed[] = {
		"clusterConfiguration.apiVersion",
		"clusterConfiguration.kind",
		"kubelet.apiVersion",
		"kubelet.kind",
		"kubeProxy.apiVersion",
		"kubeProxy.kind",
	};

	for (size_t i = 0; i < COUNT_OF(owned); i++)
		if (find(reader, owned[i].path))
			boot_fault_key(reader, find(reader, owned[i].path), "write this as \"%s\"",
			               owned[i].instead);
	for (size_t i = 0; i < COUNT_OF(typed); i++)
		if (find(reader, typed[i]))
			boot_fault_key(reader, find(reader, typed[i]), "vpsml chooses this");
}

static void check_others(struct boot_reader *reader)
{
	const struct boot_inventory *inventory = reader->inventory;
	_cleanup_err_ struct err unused = ERR_INIT;

	if (inventory->gpu.resource && (!strchr(inventory->gpu.resource, '/') ||
	                                !kube_name_check_key(inventory->gpu.resource, &unused)))
		boot_fault(reader, find(reader, "gpu.resource"),
		           "resource: takes a name such as nvidia.com/gpu");
	boot_note_memory(reader, &unused);
	if (inventory->proxy.no.count && !inventory->proxy.http && !inventory->proxy.https)
		boot_warn(reader, find(reader, "proxy.no"), "no: without a proxy this does nothing");
}

void boot_check_inventory(struct boot_reader *reader)
{
	check_required(reader);
	check_hosts(reader);
	check_roles(reader);
	check_taint(reader);
	check_overlap(reader);
	check_services(reader);
	check_room(reader);
	check_addresses(reader);
	check_plugin(reader);
	check_names(reader);
	check_ignored(reader);
	check_passed(reader);
	check_others(reader);
}
