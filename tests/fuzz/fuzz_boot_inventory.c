// SPDX-License-Identifier: MIT
// boot/inventory: any file is read, or refused as wrong usage; a file that was read has what others
// rely on.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "boot/inventory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_err_ struct err err = ERR_INIT;

	if (!boot_inventory_parse("f", "folder", (const char *)data, len, &inventory, &err)) {
		if (err.kind != ERR_USAGE)
			abort();
		return 0;
	}
	if (!inventory.name || !inventory.host_count || !boot_inventory_control_planes(&inventory) ||
	    !inventory.hosts[boot_inventory_first(&inventory)].is_control_plane)
		abort();
	for (size_t i = 0; i < inventory.host_count; i++)
		if (boot_inventory_host(&inventory, inventory.hosts[i].name) != &inventory.hosts[i])
			abort();
	return 0;
}
