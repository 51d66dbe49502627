// SPDX-License-Identifier: MIT
// The user's ssh_config, as `ssh -G HOST` answers for a host: ssh reads Match, Include, Host
// patterns and tokens, so that nobody else has to.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strv.h"

struct ssh_config {
	char *host_name; // what to connect to; NULL: not said
	char *user;
	uint16_t port;              // 0: not said
	struct strv identity_files; // in the order in which to try them; "~" stands as it came
	struct strv known_hosts;    // the user's files, then the system's
	char *host_key_alias;       // NULL: none
	char *identity_agent;       // a path, "none", "SSH_AUTH_SOCK", or NULL: not said
	char *proxy_jump;           // NULL: none
	char *proxy_command;        // NULL: none
	char *strict_host_key;      // StrictHostKeyChecking's value, or NULL
	bool is_identities_only;
};

#define SSH_CONFIG_INIT                                                          \
	{                                                                            \
		NULL, NULL, 0, STRV_INIT, STRV_INIT, NULL, NULL, NULL, NULL, NULL, false \
	}
#define _cleanup_ssh_config_ _cleanup_(ssh_config_release)

// Reads the answer of `ssh -G`. Keys that are not used are skipped; a port that is none is an
// error.
bool ssh_config_parse(const char *text, struct ssh_config *ret, struct err *err) _nodiscard_;

// Asks `ssh -G HOST`. Where there is no ssh program, *RET is left empty and that is a success.
// USER may be NULL, PORT 0; FILE is ssh's -F, or NULL. Takes a few ms and blocks: ask before the
// loop starts. HOST that starts with "-" is refused.
bool ssh_config_ask(const char *host, const char *user, uint16_t port, const char *file,
                    struct ssh_config *ret, struct err *err) _nodiscard_;

void ssh_config_release(struct ssh_config *config);
