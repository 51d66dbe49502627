// SPDX-License-Identifier: MIT
#include "boot/check.h"

#include <string.h>

#include "boot/check_parts.h"

// The pin of the cluster's authority: of its first control plane, once that is initialized.
static const char *ca_pin(const struct boot_checks *checks)
{
	const struct boot_inventory *inventory = checks->inventory;
	const struct boot_facts *first = check_facts(checks, boot_inventory_first(inventory));
	const char *unused;

	if (!first || boot_facts_membership(first, inventory->name, NULL, &unused) == BOOT_FOREIGN)
		return NULL;
	return first->ca_pin;
}

enum boot_membership check_membership(const struct boot_checks *checks, size_t index,
                                      const char **ret_server)
{
	return boot_facts_membership(check_facts(checks, index), checks->inventory->name,
	                             ca_pin(checks), ret_server);
}

static void check_cluster_of(struct boot_checks *checks, size_t index)
{
	const char *server, *name = check_host(checks, index)->name;

	if (check_membership(checks, index, &server) != BOOT_FOREIGN)
		return;
	if (server)
		faults_add(
			checks->faults,
			"%s: it is part of another cluster, %s; take it out there, or `kubeadm reset` it", name,
			server);
	else
		faults_add(checks->faults,
		           "%s: it has parts of a cluster that vpsml did not make; `kubeadm reset` it",
		           name);
}

// A first control plane that is bare while others are joined would be initialized a second time.
static void check_first(struct boot_checks *checks)
{
	size_t first = boot_inventory_first(checks->inventory);
	const char *server;

	if (!check_facts(checks, first) || check_membership(checks, first, &server) != BOOT_CLEAN)
		return;
	for (size_t i = 0; i < checks->inventory->host_count; i++) {
		enum boot_membership other =
			check_facts(checks, i) ? check_membership(checks, i, &server) : BOOT_CLEAN;

		if (other != BOOT_MEMBER && other != BOOT_PARTIAL)
			continue;
		faults_add(checks->faults,
		           "%s: it is bare, but %s is in cluster \"%s\" already; a second cluster is not "
		           "begun: put a control plane that is left first in the file",
		           check_host(checks, first)->name, check_host(checks, i)->name,
		           checks->inventory->name);
		return;
	}
}

// A taint that keeps everything without a GPU away, and no other node.
static void check_taint(struct boot_checks *checks)
{
	const struct boot_inventory *inventory = checks->inventory;

	if (strcmp(inventory->gpu.taint_effect, "NoSchedule") != 0)
		return;
	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct boot_host *host = &inventory->hosts[i];
		const struct boot_facts *facts = check_facts(checks, i);
		bool has_gpu =
			host->gpu == BOOT_YES || (host->gpu == BOOT_AUTO && facts && facts->gpu_count > 0);

		if (!facts || (host->is_worker && !has_gpu && !host->taint_count))
			return;
	}
	faults_add(checks->faults, "gpuTaint: NoSchedule leaves no node for pods without a GPU, since "
	                           "every worker has one");
}

bool boot_is_wireguard(const struct boot_inventory *inventory)
{
	const struct boot_network *network = &inventory->network;

	if (network->plugin != BOOT_PLUGIN_FLANNEL || network->backend != BOOT_BACKEND_AUTO)
		return network->plugin == BOOT_PLUGIN_FLANNEL && network->backend == BOOT_BACKEND_WIREGUARD;
	for (size_t i = 0; i < inventory->host_count; i++)
		if (boot_ip_is_public(&inventory->hosts[i].node_ip))
			return true;
	return false;
}

static void check_alone(struct boot_checks *checks, size_t index)
{
	_cleanup_faults_ struct faults own = FAULTS_INIT;
	struct boot_checks part = {checks->inventory, checks->seen, &own};

	if (!checks->seen[index].is_left_alone)
		part.faults = checks->faults;
	check_cluster_of(&part, index);
	check_one_host(&part, index);
	check_network_of_host(&part, index);
	for (size_t i = 0; i < own.errors.count; i++)
		faults_warn(checks->faults, "%s", own.errors.items[i]);
	for (size_t i = 0; i < own.warnings.count; i++)
		faults_warn(checks->faults, "%s", own.warnings.items[i]);
	checks->faults->is_out_of_memory |= own.is_out_of_memory;
}

void boot_check_hosts(const struct boot_inventory *inventory, const struct boot_seen *seen,
                      struct faults *faults)
{
	struct boot_checks checks = {inventory, seen, faults};

	for (size_t i = 0; i < inventory->host_count; i++)
		if (seen[i].facts)
			check_alone(&checks, i);
	check_first(&checks);
	check_taint(&checks);
	check_between_hosts(&checks);
}
