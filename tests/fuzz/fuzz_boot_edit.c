// SPDX-License-Identifier: MIT
// boot/inventory_edit: a host goes into any file or is refused as wrong usage; what it went into
// gives it up again, or says why not, and what is left has no trace of it.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "boot/inventory_edit.h"

static void remove_again(const struct strbuf *longer, struct err *err)
{
	_cleanup_strbuf_ struct strbuf again = STRBUF_INIT(4 << 20);

	if (!boot_edit_remove_host("f", strbuf_get(longer), longer->len, "fuzz-host", &again, err)) {
		if (err->kind != ERR_USAGE)
			abort();
		return;
	}
	if (boot_edit_remove_host("f", strbuf_get(&again), again.len, "fuzz-host", &again, err) ||
	    err->kind != ERR_USAGE)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct boot_new_host host = {
		.name = "fuzz-host", .ssh = "root@[fd00::1]:22", .jump = "no"};
	_cleanup_strbuf_ struct strbuf longer = STRBUF_INIT(4 << 20);
	_cleanup_err_ struct err err = ERR_INIT;

	if (boot_edit_add_host("f", (const char *)data, len, &host, &longer, &err))
		remove_again(&longer, &err);
	else if (err.kind != ERR_USAGE)
		abort();
	return 0;
}
