// SPDX-License-Identifier: MIT
// What is wrong with the hosts, all of them at once, before anything is changed. Pure: the inventory
// and what the hosts were found to be. What the file alone tells is found when it is read.
#pragma once

#include <stdint.h>

#include "base/faults.h"
#include "boot/facts.h"
#include "boot/inventory.h"

struct boot_seen {
	const struct boot_facts *facts; // NULL: the host did not answer, which is somebody else's fault
	int64_t asked_ms, answered_ms;  // when, by the clock here; it need not be right
	bool is_left_alone;             // nothing is to be done there: its own faults are warnings
};

// Adds a line for each fault, and a warning for what only may be one; SEEN has an item a host of the
// inventory, whose node_ip are completed. Each line starts with the host's name.
void boot_check_hosts(const struct boot_inventory *inventory, const struct boot_seen *seen,
                      struct faults *faults);

// Will pods' traffic go through WireGuard? By the backend, and "auto" by the nodes' addresses.
bool boot_is_wireguard(const struct boot_inventory *inventory);
