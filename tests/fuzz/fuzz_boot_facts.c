// SPDX-License-Identifier: MIT
// What a host says of itself.
#include "fuzz.h"

#include <stdlib.h>

#include "boot/facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_boot_facts_ struct boot_facts facts;
	_cleanup_err_ struct err err = ERR_INIT;
	const char *server;
	struct boot_ip ip;

	if (!boot_facts_parse((const char *)data, len, &facts, &err)) {
		if (err.kind != ERR_FAILED)
			abort();
		return 0;
	}
	ip = boot_facts_node_ip(&facts, NULL);
	if (ip.is_set && !facts.address_count)
		abort();
	(void)boot_facts_membership(&facts, "lab", "sha256:00", &server);
	return 0;
}
