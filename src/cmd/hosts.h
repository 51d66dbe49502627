// SPDX-License-Identifier: MIT
// What every command does that goes to hosts over SSH: options, questions at the terminal, links.
#pragma once

#include "boot/inventory.h"
#include "cli/option.h"
#include "ssh/transport.h"

struct cmd_hosts_options {
	char *user;
	int64_t port; // 0: not given
	struct strv identities;
	char *jump;
	char *config; // an ssh_config; "none"
	const char *backend;
	struct host_key_rule host_key;
	bool has_host_key;
	int64_t parallel;
	int64_t connect_limit_s;
};

// Rows of the options, for a struct cmd_hosts_options.
extern const struct cli_group cmd_hosts_group;

void cmd_hosts_options_init(struct cmd_hosts_options *options);
void cmd_hosts_options_release(struct cmd_hosts_options *options);

// The hosts of one command.
struct cmd_hosts;

// Opens a link to each of WORDS ([USER@]HOST[:PORT]); none is connected yet. All faults of the
// words are one ERR_USAGE. OPTIONS and CONTEXT are borrowed until the end.
struct cmd_hosts *cmd_hosts_open(struct cli_context *context,
                                 const struct cmd_hosts_options *options, const struct strv *words,
                                 struct err *err) _nodiscard_;

// The same for each host of INVENTORY, by its index; the command line's options go before what the
// file says, and that before ssh_config. Messages name the hosts as the file does.
struct cmd_hosts *cmd_hosts_open_inventory(struct cli_context *context,
                                           const struct cmd_hosts_options *options,
                                           const struct boot_inventory *inventory,
                                           struct err *err) _nodiscard_;

// The loop in which the links live; borrowed.
struct loop *cmd_hosts_loop(const struct cmd_hosts *hosts);

// The link to the host of the word at INDEX, and all of them.
struct ssh_link *cmd_hosts_link(const struct cmd_hosts *hosts, size_t index);
struct ssh_link *const *cmd_hosts_links(const struct cmd_hosts *hosts);

// Ends all links, whatever runs on them. NULL is taken too.
void cmd_hosts_close(struct cmd_hosts *hosts);
void cmd_hosts_closep(struct cmd_hosts **hosts);
#define _cleanup_cmd_hosts_ _cleanup_(cmd_hosts_closep)
