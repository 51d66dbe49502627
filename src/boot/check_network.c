// SPDX-License-Identifier: MIT
// Addresses, routes, names and proxies of a host, against those of the cluster.
#include <string.h>
#include <strings.h>

#include "boot/check_parts.h"

enum { TEXT_MAX_BYTES = 256, LIST_MAX_BYTES = 4096 };

// Ours: the pod network's, of an earlier run.
static bool is_pod_interface(const char *name)
{
	static const char *const prefixes[] = {"cni",  "flannel",   "cali",          "vxlan.calico",
	                                       "tunl", "kube-ipvs", "wireguard.cali"};

	for (size_t i = 0; i < COUNT_OF(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

// Does any host reach something through CIDR, or is it the cluster's?
static bool is_taken(const struct boot_checks *checks, const struct boot_cidr *cidr)
{
	const struct boot_network *network = &checks->inventory->network;

	if (boot_cidr_overlap(cidr, &network->pod_cidr) || boot_cidr_overlap(cidr, &network->svc_cidr))
		return true;
	for (size_t i = 0; i < checks->inventory->host_count; i++) {
		const struct boot_facts *facts = check_facts(checks, i);

		for (size_t r = 0; facts && r < facts->route_count; r++)
			if (!facts->routes[r].is_default && boot_cidr_overlap(cidr, &facts->routes[r].network))
				return true;
	}
	return false;
}

// Adds " (10.42.0.0/16 is free)", where one of some usual networks is.
static void add_free(struct strbuf *out, const struct boot_checks *checks)
{
	static const char *const usual[] = {"10.244.0.0/16", "10.42.0.0/16", "172.20.0.0/16",
	                                    "172.30.0.0/16", "10.200.0.0/16"};
	_cleanup_err_ struct err unused = ERR_INIT;

	for (size_t i = 0; i < COUNT_OF(usual); i++) {
		struct boot_cidr cidr;

		if (!boot_cidr_parse(usual[i], &cidr, &unused) || is_taken(checks, &cidr))
			continue;
		strbuf_addf(out, " (%s is free on all hosts)", usual[i]);
		return;
	}
}

static void check_route(struct boot_checks *checks, const char *host,
                        const struct boot_route_fact *route, const struct boot_cidr *cidr,
                        const char *key)
{
	_cleanup_strbuf_ struct strbuf ours = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf theirs = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf hint = STRBUF_INIT(TEXT_MAX_BYTES);

	if (route->is_default || is_pod_interface(route->interface) ||
	    !boot_cidr_overlap(&route->network, cidr))
		return;
	boot_cidr_write(&ours, cidr);
	boot_cidr_write(&theirs, &route->network);
	add_free(&hint, checks);
	faults_add(checks->faults, "%s: network.%s %s overlaps %s, which it reaches through %s%s", host,
	           key, strbuf_get(&ours), strbuf_get(&theirs), route->interface, strbuf_get(&hint));
}

static void check_routes(struct boot_checks *checks, const struct boot_host *host,
                         const struct boot_facts *facts)
{
	const struct boot_network *network = &checks->inventory->network;

	for (size_t i = 0; i < facts->route_count; i++) {
		check_route(checks, host->name, &facts->routes[i], &network->pod_cidr, "podCIDR");
		check_route(checks, host->name, &facts->routes[i], &network->svc_cidr, "serviceCIDR");
	}
}

static bool has_address(const struct boot_facts *facts, const struct boot_ip *ip)
{
	for (size_t i = 0; i < facts->address_count; i++)
		if (boot_ip_equal(&facts->addresses[i].ip, ip))
			return true;
	return false;
}

// Behind a NAT the public address is not the host's own; kubeadm would advertise it in vain.
static void check_node_ip(struct boot_checks *checks, const struct boot_host *host,
                          const struct boot_facts *facts)
{
	_cleanup_strbuf_ struct strbuf wanted = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf own = STRBUF_INIT(LIST_MAX_BYTES);

	if (!host->node_ip.is_set) {
		faults_add(checks->faults, "%s: no address for the node was found; give it a nodeIP",
		           host->name);
		return;
	}
	if (has_address(facts, &host->node_ip))
		return;
	boot_ip_write(&wanted, &host->node_ip);
	for (size_t i = 0; i < facts->address_count; i++) {
		strbuf_add(&own, i ? ", " : "");
		boot_ip_write(&own, &facts->addresses[i].ip);
	}
	faults_add(
		checks->faults,
		"%s: nodeIP %s is on none of its interfaces (%s); take one of those, and put %s into "
		"apiServerNames",
		host->name, strbuf_get(&wanted), strbuf_get(&own), strbuf_get(&wanted));
}

static void check_endpoint(struct boot_checks *checks, const struct boot_host *host,
                           const struct boot_facts *facts)
{
	const char *endpoint = checks->inventory->endpoint;
	_cleanup_err_ struct err unused = ERR_INIT;
	struct boot_ip ip;

	if (!endpoint || facts->endpoint_addresses.count || boot_ip_parse(endpoint, &ip, &unused))
		return;
	faults_add(checks->faults,
	           "%s: the endpoint %s does not resolve there; add it to DNS, or to its /etc/hosts",
	           host->name, endpoint);
}

// Proxies: the value of NAME among NAME=VALUE, in either case of letters.
static const char *proxy_value(const struct boot_facts *facts, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < facts->proxies.count; i++) {
		const char *line = facts->proxies.items[i];

		if (!strncasecmp(line, name, len) && line[len] == '=' && line[len + 1])
			return line + len + 1;
	}
	return NULL;
}

// Is WORD an item of the comma-separated LIST?
static bool has_item(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, ','), at += at != NULL) {
		at += strspn(at, " ");
		if (!strncmp(at, word, len) && strchr(", ", at[len]))
			return true;
	}
	return false;
}

// The host has a proxy, and cluster.yaml does not: then no_proxy is only what is there, and it must
// name the nodes one by one, since networks in it are not read by every program.
static void check_proxy(struct boot_checks *checks, const struct boot_host *host,
                        const struct boot_facts *facts)
{
	const struct boot_inventory *inventory = checks->inventory;
	const char *list = proxy_value(facts, "no_proxy");
	_cleanup_strbuf_ struct strbuf missing = STRBUF_INIT(LIST_MAX_BYTES);

	if (inventory->proxy.http || inventory->proxy.https ||
	    (!proxy_value(facts, "http_proxy") && !proxy_value(facts, "https_proxy")))
		return;
	for (size_t i = 0; i < inventory->host_count; i++) {
		_cleanup_strbuf_ struct strbuf ip = STRBUF_INIT(TEXT_MAX_BYTES);

		if (!inventory->hosts[i].node_ip.is_set)
			continue;
		boot_ip_write(&ip, &inventory->hosts[i].node_ip);
		if (!list || !has_item(list, strbuf_get(&ip)))
			strbuf_addf(&missing, "%s%s", missing.len ? ", " : "", strbuf_get(&ip));
	}
	if (missing.len)
		faults_add(checks->faults,
		           "%s: it has a proxy, and no_proxy does not name %s (not every program reads "
		           "networks there); set proxy in cluster.yaml, which computes no_proxy",
		           host->name, strbuf_get(&missing));
}

// Ports that anybody can reach, where a ruleset of somebody else's keeps vpsml from closing them.
static void check_firewall(struct boot_checks *checks, const struct boot_host *host,
                           const struct boot_facts *facts)
{
	if (!boot_ip_is_public(&host->node_ip))
		return;
	if (!checks->inventory->has_firewall)
		faults_warn(
			checks->faults,
			"%s: its address is public and firewall: off leaves the kubelet, etcd and pods' "
			"traffic open to everybody, if no firewall of yours does otherwise",
			host->name);
	else if (facts->has_nft_drop && !facts->is_ufw_active && !facts->is_firewalld_running &&
	         !facts->is_vpsml_firewall_active)
		faults_warn(
			checks->faults,
			"%s: an nft ruleset of its own drops what comes in; vpsml leaves it alone, so let "
			"in the cluster's hosts there",
			host->name);
}

void check_network_of_host(struct boot_checks *checks, size_t index)
{
	const struct boot_host *host = check_host(checks, index);
	const struct boot_facts *facts = check_facts(checks, index);

	check_routes(checks, host, facts);
	check_node_ip(checks, host, facts);
	check_endpoint(checks, host, facts);
	check_proxy(checks, host, facts);
	check_firewall(checks, host, facts);
}
