// SPDX-License-Identifier: MIT
// Questions to facts.
#include <string.h>

#include "boot/facts.h"

const struct boot_file_fact *boot_facts_file(const struct boot_facts *facts, const char *path)
{
	for (size_t i = 0; i < facts->file_count; i++)
		if (!strcmp(facts->files[i].path, path))
			return &facts->files[i];
	return NULL;
}

const struct boot_package_fact *boot_facts_package(const struct boot_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->package_count; i++)
		if (!strcmp(facts->packages[i].name, name))
			return &facts->packages[i];
	return NULL;
}

const struct boot_listener_fact *boot_facts_listener(const struct boot_facts *facts, uint16_t port)
{
	for (size_t i = 0; i < facts->listener_count; i++)
		if (facts->listeners[i].port == port && !facts->listeners[i].is_udp)
			return &facts->listeners[i];
	return NULL;
}

bool boot_facts_has_command(const struct boot_facts *facts, const char *name)
{
	return strv_contains(&facts->commands, name);
}

bool boot_facts_has_path(const struct boot_facts *facts, const char *path)
{
	return strv_contains(&facts->paths, path);
}

static const struct boot_address_fact *address_of(const struct boot_facts *facts,
                                                  const struct boot_ip *ip)
{
	for (size_t i = 0; i < facts->address_count; i++)
		if (boot_ip_equal(&facts->addresses[i].ip, ip))
			return &facts->addresses[i];
	return NULL;
}

static const char *default_interface(const struct boot_facts *facts)
{
	for (size_t i = 0; i < facts->route_count; i++)
		if (facts->routes[i].is_default)
			return facts->routes[i].interface;
	return NULL;
}

struct boot_ip boot_facts_node_ip(const struct boot_facts *facts, const struct boot_ip *wanted)
{
	const char *interface = default_interface(facts);

	if (wanted && wanted->is_set)
		return *wanted;
	if (facts->ssh_address.is_set && address_of(facts, &facts->ssh_address))
		return facts->ssh_address;
	for (size_t i = 0; i < facts->address_count; i++)
		if (!interface || !strcmp(facts->addresses[i].interface, interface))
			return facts->addresses[i].ip;
	return (struct boot_ip){.is_set = false};
}

// Is there anything that kubeadm has made, or would refuse?
static bool has_remains(const struct boot_facts *facts)
{
	static const char *const paths[] = {
		"/etc/kubernetes/kubelet.conf",
		"/etc/kubernetes/bootstrap-kubelet.conf",
		"/etc/kubernetes/admin.conf",
		"/etc/kubernetes/pki/ca.key",
		"/etc/kubernetes/manifests/kube-apiserver.yaml",
		"/etc/kubernetes/manifests/etcd.yaml",
		"/var/lib/etcd/member",
	};

	for (size_t i = 0; i < COUNT_OF(paths); i++)
		if (boot_facts_has_path(facts, paths[i]))
			return true;
	return facts->ca_pin;
}

// kubelet.conf names the kubelet's own certificate: it has been let in.
static bool has_joined(const struct boot_facts *facts)
{
	return boot_facts_has_path(facts, "/etc/kubernetes/kubelet.conf") && facts->node_name;
}

enum boot_membership boot_facts_membership(const struct boot_facts *facts, const char *cluster,
                                           const char *ca_pin, const char **ret_server)
{
	bool is_ours = facts->mark.cluster && !strcmp(facts->mark.cluster, cluster);

	*ret_server = NULL;
	if (!has_remains(facts))
		return BOOT_CLEAN;
	if (ca_pin && facts->ca_pin && strcmp(ca_pin, facts->ca_pin) != 0 && has_joined(facts))
		is_ours = false;
	else if (ca_pin && facts->ca_pin && !strcmp(ca_pin, facts->ca_pin))
		is_ours = true;
	if (!is_ours) {
		*ret_server = facts->kubelet_server ? facts->kubelet_server : facts->admin_server;
		return BOOT_FOREIGN;
	}
	if (!has_joined(facts))
		return BOOT_PARTIAL;
	if (boot_facts_has_path(facts, "/etc/kubernetes/manifests/kube-apiserver.yaml") &&
	    facts->mark.is_set && !facts->mark.is_done && !facts->is_api_ready)
		return BOOT_PARTIAL;
	return BOOT_MEMBER;
}
