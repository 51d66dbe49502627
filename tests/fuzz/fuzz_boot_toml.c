// SPDX-License-Identifier: MIT
// containerd's configuration as a host has it. What is made of it can be read again, and comes out the
// same.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "boot/containerd.h"
#include "boot/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct boot_inventory inventory = {
		.kubernetes = {1, 34, 4},
		.images = {.repository = (char *)(uintptr_t) "r"},
	};
	struct boot_version version = {len & 1 ? 1 : 2, 7, 28};
	_cleanup_strbuf_ struct strbuf root = STRBUF_INIT(1 << 20), drop_in = STRBUF_INIT(1 << 20);
	_cleanup_strbuf_ struct strbuf again = STRBUF_INIT(1 << 20), same = STRBUF_INIT(1 << 20);
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_toml_ struct toml toml = {0};

	if (!boot_containerd_render(&inventory, text, &version, true, &root, &drop_in, &err))
		return 0;
	if (!toml_parse(strbuf_get(&drop_in), drop_in.len, &toml, &err) ||
	    !boot_containerd_render(&inventory, strbuf_get(&root), &version, true, &again, &same,
	                            &err) ||
	    strcmp(strbuf_get(&same), strbuf_get(&drop_in)) != 0)
		abort();
	return 0;
}
