// SPDX-License-Identifier: MIT
// What a cluster gets after kubeadm: the pod network, metrics, GPUs, and what vpsml's jobs count on.
// Pure: objects as JSON trees.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "boot/inventory.h"
#include "boot/objects.h"

// What the hosts were found to be.
struct boot_addons_facts {
	bool has_public_addresses; // of nodes: the network's backend "auto" is wireguard then
	bool has_gpus;             // on any host
};

// The pod network, where it is flannel; nothing else. Its pods tolerate every taint.
bool boot_addons_network(const struct boot_inventory *inventory,
                         const struct boot_addons_facts *facts, struct boot_objects *ret,
                         struct err *err) _nodiscard_;

// metrics-server and NVIDIA's device plugin, where the inventory has them.
bool boot_addons_rest(const struct boot_inventory *inventory, const struct boot_addons_facts *facts,
                      struct boot_objects *ret, struct err *err) _nodiscard_;

// The parts one by one.
bool boot_addon_flannel(const struct boot_inventory *inventory, bool is_wireguard,
                        struct boot_objects *ret, struct err *err) _nodiscard_;
bool boot_addon_metrics_server(const struct boot_inventory *inventory, struct boot_objects *ret,
                               struct err *err) _nodiscard_;
bool boot_addon_device_plugin(const struct boot_inventory *inventory, struct boot_objects *ret,
                              struct err *err) _nodiscard_;
