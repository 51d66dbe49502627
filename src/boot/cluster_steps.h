// SPDX-License-Identifier: MIT
// What a cluster gets once its hosts have joined, in words. Pure. What is done is in addons.h and
// setup.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "boot/facts.h"
#include "boot/inventory.h"

struct boot_cluster_step {
	const char *name; // "network"
	char *title;      // "flannel (vxlan), pods in 10.244.0.0/16"
};

struct boot_cluster_steps {
	struct boot_cluster_step *items;
	size_t count;
};

// FACTS has an item a host, NULL: not known; the inventory's node addresses are completed.
bool boot_cluster_steps(const struct boot_inventory *inventory,
                        const struct boot_facts *const *facts, struct boot_cluster_steps *ret,
                        struct err *err) _nodiscard_;

void boot_cluster_steps_release(struct boot_cluster_steps *steps);
#define _cleanup_boot_cluster_steps_ _cleanup_(boot_cluster_steps_release)
