// SPDX-License-Identifier: MIT
// Inside src/boot only: the parts of check.c.
#pragma once

#include "boot/check.h"

struct boot_checks {
	const struct boot_inventory *inventory;
	const struct boot_seen *seen;
	struct faults *faults;
};

// Host number INDEX's entry and facts; the facts are NULL where it did not answer.
static inline const struct boot_host *check_host(const struct boot_checks *checks, size_t index)
{
	return &checks->inventory->hosts[index];
}

static inline const struct boot_facts *check_facts(const struct boot_checks *checks, size_t index)
{
	return checks->seen[index].facts;
}

// Of no cluster yet, by the facts and by the authority of the first control plane.
enum boot_membership check_membership(const struct boot_checks *checks, size_t index,
                                      const char **ret_server);

// What one host tells about itself: size, system, programs, ports.
void check_one_host(struct boot_checks *checks, size_t index);

// Addresses, routes, names, proxies of one host.
void check_network_of_host(struct boot_checks *checks, size_t index);

// What hosts tell only together: names and ids twice, clocks.
void check_between_hosts(struct boot_checks *checks);
