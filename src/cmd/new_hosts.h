// SPDX-License-Identifier: MIT
// Hosts that a user names on the command line, as entries of cluster.yaml: for init and join.
#pragma once

#include "boot/inventory.h"
#include "boot/inventory_edit.h"
#include "cmd/hosts.h"

// An entry that owns what it points to, but its role.
struct cmd_new_host {
	struct boot_new_host entry;
	char *name, *ssh, *identity, *host_key;
};

// Makes the entry for WORD ([USER@]HOST[:PORT]) with what the SSH options say, so that the next
// command needs them no more. NAME NULL: the first part of HOST, or vps1, vps2, … where that is a
// number; one that INVENTORY (NULL: none) does not have. OPTIONS is borrowed by the entry.
bool cmd_new_host_make(const char *word, const char *name, const struct cmd_hosts_options *options,
                       const struct boot_inventory *inventory, struct cmd_new_host *ret,
                       struct err *err) _nodiscard_;
void cmd_new_host_release(struct cmd_new_host *host);
#define _cleanup_cmd_new_host_ _cleanup_(cmd_new_host_release)

// Sets *RET to the host of INVENTORY that WORD means, by its name or its address and port; NULL: it
// has none.
bool cmd_new_host_find(const char *word, const struct cmd_hosts_options *options,
                       const struct boot_inventory *inventory, const struct boot_host **ret,
                       struct err *err) _nodiscard_;
