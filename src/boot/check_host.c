// SPDX-License-Identifier: MIT
// What one host tells about itself.
#include <string.h>

#include "boot/check_parts.h"

enum {
	CONTROL_PLANE_CPUS = 2, // kubeadm's own limits
	CONTROL_PLANE_MIB = 1700,
	DISK_MIB = 5 * 1024, // below it images do not fit
};

static void check_system(struct boot_checks *checks, const struct boot_host *host,
                         const struct boot_facts *facts)
{
	if (!boot_facts_has_command(facts, "apt-get"))
		faults_add(checks->faults, "%s: %s has no apt; vpsml sets up Debian, Ubuntu and their kin",
		           host->name, facts->os_name ? facts->os_name : "its system");
	if (facts->disk_free_kib >= 0 && facts->disk_free_kib / 1024 < DISK_MIB)
		faults_warn(checks->faults, "%s: only %lld MiB are free in /var: images may not fit",
		            host->name, (long long)facts->disk_free_kib / 1024);
}

// Both numbers at once: whoever orders another server needs to know both.
static void check_size(struct boot_checks *checks, const struct boot_host *host,
                       const struct boot_facts *facts)
{
	const struct boot_inventory *inventory = checks->inventory;
	int64_t mib = facts->memory_kib / 1024;
	bool has_few_cpus = facts->cpus >= 0 && facts->cpus < CONTROL_PLANE_CPUS;
	bool is_small = facts->memory_kib >= 0 && mib < CONTROL_PLANE_MIB;
	bool is_fault = (has_few_cpus && !boot_inventory_ignores(inventory, "NumCPU")) ||
	                (is_small && !boot_inventory_ignores(inventory, "Mem"));

	if (!host->is_control_plane || (!has_few_cpus && !is_small))
		return;
	(is_fault ? faults_add : faults_warn)(
		checks->faults, "%s: %lld CPU%s and %lld MiB of memory; a control plane needs %d and %d%s",
		host->name, (long long)facts->cpus, facts->cpus == 1 ? "" : "s", (long long)mib,
		CONTROL_PLANE_CPUS, CONTROL_PLANE_MIB,
		is_fault ? " (or ignorePreflight: [NumCPU, Mem])" : "");
}

// The kubelet gave cgroup v1 up in 1.35, unless it is told otherwise.
static void check_cgroup(struct boot_checks *checks, const struct boot_host *host,
                         const struct boot_facts *facts)
{
	const struct boot_inventory *inventory = checks->inventory;
	const struct json *fails = json_find(inventory->kubelet, "failCgroupV1");
	bool is_told = fails && json_type(fails) == JSON_BOOL && !json_is_true(fails) &&
	               boot_inventory_ignores(inventory, "SystemVerification");

	if (!facts->is_cgroup_known || facts->is_cgroup_v2 || inventory->kubernetes.minor < 35 ||
	    is_told)
		return;
	faults_add(checks->faults,
	           "%s: cgroup v1, which the kubelet refuses since 1.35; boot with "
	           "systemd.unified_cgroup_hierarchy=1 (or kubelet: {failCgroupV1: false} and "
	           "ignorePreflight: [SystemVerification])",
	           host->name);
}

// Programs that would fight over the same host.
static void check_rivals(struct boot_checks *checks, const struct boot_host *host,
                         const struct boot_facts *facts)
{
	static const char *const rivals[] = {"k3s", "k0s", "rke2", "microk8s"};
	bool is_installed_as_docker =
		boot_facts_package(facts, "docker-ce") || boot_facts_package(facts, "docker.io");

	for (size_t i = 0; i < COUNT_OF(rivals); i++)
		if (boot_facts_has_command(facts, rivals[i]))
			faults_add(checks->faults, "%s: %s is installed; it and kubeadm cannot share a host",
			           host->name, rivals[i]);
	if (checks->inventory->packages.containerd == BOOT_CONTAINERD_DISTRIBUTION &&
	    boot_facts_package(facts, "containerd.io"))
		faults_add(checks->faults,
		           "%s: packages.containerd: distribution would replace containerd.io%s",
		           host->name, is_installed_as_docker ? ", which Docker needs" : "");
	else if (is_installed_as_docker)
		faults_warn(checks->faults,
		            "%s: Docker is installed and shares containerd; what its containers use is not "
		            "seen by the scheduler",
		            host->name);
}

// Is cri among disabled_plugins in the text of a TOML file? A comment does not count.
static bool is_cri_disabled(const char *toml)
{
	const char *line = toml;

	for (; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		const char *at = line + strspn(line, " \t"), *end = strchr(at, ']');
		const char *cri;

		if (strncmp(at, "disabled_plugins", 16) != 0 || !end)
			continue;
		for (cri = strstr(at, "cri"); cri && cri < end; cri = strstr(cri + 1, "cri"))
			if (cri[3] == '"' || cri[3] == '\'')
				return true;
	}
	return false;
}

// What runs is old for this Kubernetes, and nobody is to replace it. Known for sure: before 1.6 there
// is no CRI v1, which the kubelet wants since 1.26, and the kubelet of 1.36 needs 2.x.
static void check_containerd_version(struct boot_checks *checks, const struct boot_host *host,
                                     const struct boot_facts *facts)
{
	const struct boot_version *kubernetes = &checks->inventory->kubernetes;
	const struct boot_version *containerd = &facts->containerd;
	const struct boot_version oldest = kubernetes->minor >= 36   ? (struct boot_version){2, 0, 0}
	                                   : kubernetes->minor >= 26 ? (struct boot_version){1, 6, 0}
	                                                             : (struct boot_version){1, 5, 0};
	enum boot_containerd wish = checks->inventory->packages.containerd;

	if (!containerd->major || boot_version_compare(containerd, &oldest) >= 0 ||
	    (wish != BOOT_CONTAINERD_DISTRIBUTION && wish != BOOT_CONTAINERD_INSTALLED))
		return;
	faults_add(checks->faults,
	           "%s: containerd %d.%d.%d is too old for Kubernetes 1.%d, which needs %d.%d; use "
	           "packages.containerd: containerd.io",
	           host->name, containerd->major, containerd->minor, containerd->patch,
	           kubernetes->minor, oldest.major, oldest.minor);
}

static void check_containerd(struct boot_checks *checks, const struct boot_host *host,
                             const struct boot_facts *facts)
{
	const struct boot_file_fact *file = boot_facts_file(facts, "/etc/containerd/config.toml");

	check_containerd_version(checks, host, facts);
	if (checks->inventory->packages.containerd == BOOT_CONTAINERD_INSTALLED &&
	    !facts->containerd.major)
		faults_add(checks->faults, "%s: packages.containerd: installed, but there is none",
		           host->name);
	if (file && file->text && is_cri_disabled(file->text))
		faults_warn(checks->faults,
		            "%s: /etc/containerd/config.toml disables the CRI plugin, as containerd.io's "
		            "packages do; it is enabled again, and the old file kept",
		            host->name);
}

static bool is_needed(const struct boot_checks *checks, const struct boot_host *host,
                      const struct boot_listener_fact *listener)
{
	static const uint16_t all[] = {10250, 10256}, control[] = {6443, 2379, 2380, 10257, 10259};

	if (listener->is_udp)
		return listener->port == 51820 && boot_is_wireguard(checks->inventory);
	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (listener->port == all[i])
			return true;
	for (size_t i = 0; i < COUNT_OF(control); i++)
		if (host->is_control_plane && listener->port == control[i])
			return true;
	return false;
}

static void check_ports(struct boot_checks *checks, size_t index)
{
	const struct boot_host *host = check_host(checks, index);
	const struct boot_facts *facts = check_facts(checks, index);
	const char *server;

	if (check_membership(checks, index, &server) != BOOT_CLEAN)
		return;
	for (size_t i = 0; i < facts->listener_count; i++) {
		const struct boot_listener_fact *listener = &facts->listeners[i];

		if (is_needed(checks, host, listener))
			faults_add(checks->faults, "%s: port %u%s is in use by %s", host->name,
			           (unsigned)listener->port, listener->is_udp ? " (UDP)" : "",
			           listener->process ? listener->process : "a program that hides its name");
	}
}

static void check_gpus(struct boot_checks *checks, const struct boot_host *host,
                       const struct boot_facts *facts)
{
	if (host->gpu == BOOT_YES && !facts->gpu_count)
		faults_add(checks->faults, "%s: gpu: true, but there is no card of NVIDIA's on its PCI bus",
		           host->name);
	if (host->gpu == BOOT_NO || !facts->gpu_count || facts->driver)
		return;
	(host->gpu == BOOT_YES ? faults_add : faults_warn)(
		checks->faults,
		"%s: %zu GPU%s, but NVIDIA's driver is not loaded: install it, or say gpu: false",
		host->name, facts->gpu_count, facts->gpu_count == 1 ? "" : "s");
}

// A node of the cluster keeps its version: `up` never upgrades.
static void check_version(struct boot_checks *checks, size_t index)
{
	const struct boot_version *wanted = &checks->inventory->kubernetes;
	const struct boot_version *found = &check_facts(checks, index)->kubelet;
	const char *server;

	if (check_membership(checks, index, &server) != BOOT_MEMBER || !found->major ||
	    !boot_version_compare(found, wanted))
		return;
	faults_warn(checks->faults,
	            "%s: it runs v%d.%d.%d and stays so; the file says v%d.%d.%d, which is for "
	            "`vpsml upgrade`",
	            check_host(checks, index)->name, found->major, found->minor, found->patch,
	            wanted->major, wanted->minor, wanted->patch);
}

void check_one_host(struct boot_checks *checks, size_t index)
{
	const struct boot_host *host = check_host(checks, index);
	const struct boot_facts *facts = check_facts(checks, index);

	check_system(checks, host, facts);
	check_size(checks, host, facts);
	check_cgroup(checks, host, facts);
	check_rivals(checks, host, facts);
	check_containerd(checks, host, facts);
	check_ports(checks, index);
	check_gpus(checks, host, facts);
	check_version(checks, index);
}
