// SPDX-License-Identifier: MIT
// What every command does that works by cluster.yaml: -f, --limit, reading the file, asking the hosts.
#pragma once

#include "boot/gather.h"
#include "boot/inventory.h"
#include "cli/option.h"
#include "cmd/hosts.h"

struct cmd_file_options {
	char *file; // NULL: cluster.yaml
	struct strv limit;
};

// Rows of -f and --limit, for a struct cmd_file_options.
extern const struct cli_group cmd_file_group;

void cmd_file_options_release(struct cmd_file_options *options);

// The file's path, for messages and for writing it.
const char *cmd_file_path(const struct cmd_file_options *options);

// Reads the file and shows its warnings; a name of --limit that it does not have is ERR_USAGE.
bool cmd_file_load(struct cli_context *context, const struct cmd_file_options *options,
                   struct boot_inventory *ret, struct err *err) _nodiscard_;

// Is the host to be worked on: no --limit, or it is named there?
bool cmd_file_wants(const struct cmd_file_options *options, const struct boot_host *host);

// Asks all hosts of INVENTORY for their facts, one command a host, with a line of progress; RET has
// an item a host. What a host fails in is in its item.
bool cmd_file_gather(struct cli_context *context, const struct cmd_hosts *hosts,
                     const struct boot_inventory *inventory, struct boot_gathered *ret,
                     struct err *err) _nodiscard_;
