// SPDX-License-Identifier: MIT
#include "boot/addons.h"

bool boot_addons_network(const struct boot_inventory *inventory,
                         const struct boot_addons_facts *facts, struct boot_objects *ret,
                         struct err *err)
{
	const struct boot_network *network = &inventory->network;
	bool is_wireguard = network->backend == BOOT_BACKEND_WIREGUARD ||
	                    (network->backend == BOOT_BACKEND_AUTO && facts->has_public_addresses);

	return network->plugin != BOOT_PLUGIN_FLANNEL ||
	       boot_addon_flannel(inventory, is_wireguard, ret, err);
}

bool boot_addons_rest(const struct boot_inventory *inventory, const struct boot_addons_facts *facts,
                      struct boot_objects *ret, struct err *err)
{
	if (inventory->metrics.is_enabled && !boot_addon_metrics_server(inventory, ret, err))
		return false;
	return !facts->has_gpus || !inventory->gpu.has_device_plugin ||
	       boot_addon_device_plugin(inventory, ret, err);
}
