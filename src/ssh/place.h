// SPDX-License-Identifier: MIT
// From what a user typed to a target: the word, the options, ssh_config, and what ssh itself
// would take where nobody says anything.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strv.h"
#include "base/xdg.h"
#include "ssh/transport.h"

// [USER@]HOST[:PORT], with IPv6 numbers in brackets where a port follows.
struct ssh_address {
	char *user; // NULL: not said
	char *host;
	uint16_t port; // 0: not said
};

// Refuses what could be taken for an option, and names with blanks or control characters.
bool ssh_address_parse(const char *text, struct ssh_address *ret, struct err *err) _nodiscard_;
void ssh_address_release(struct ssh_address *address);
#define _cleanup_ssh_address_ _cleanup_(ssh_address_release)

// What the options say, for all hosts. Zeroed: nothing.
struct ssh_wishes {
	const char *user;              // NULL: ssh_config's
	uint16_t port;                 // 0: ssh_config's
	const struct strv *identities; // none: ssh_config's
	const char *jump;              // NULL: ssh_config's; "none": none
	const char *config;            // another ssh_config; "none": none; NULL: the user's
	struct host_key_rule host_key;
	bool has_host_key;     // or ssh_config's StrictHostKeyChecking, or ask
	xdg_getenv_fn *getenv; // NULL: getenv
};

// A target that owns what it points to.
struct ssh_place {
	struct ssh_target target; // `jump` is NULL: the caller opens it, from the next field
	char *jump;               // [USER@]HOST[:PORT] to go through, or NULL
	char *name, *address, *user, *known_as, *agent;
	struct strv known_hosts, identities;
};

// Makes the place that WORD means. Asks `ssh -G`, which takes some ms. Fails where ssh_config asks
// for what libssh2 cannot do (ProxyCommand, several jump hosts).
bool ssh_place_find(const char *word, const struct ssh_wishes *wishes, struct ssh_place *ret,
                    struct err *err) _nodiscard_;
void ssh_place_release(struct ssh_place *place);
#define _cleanup_ssh_place_ _cleanup_(ssh_place_release)
