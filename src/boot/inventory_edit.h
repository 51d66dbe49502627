// SPDX-License-Identifier: MIT
// Changing cluster.yaml where it is changed and nowhere else: comments, order and layout stay. Pure.
//
// The new text is read again and compared with the old before it is returned. Where the place to
// change cannot be found for sure (aliases, unusual layout), the error is ERR_USAGE and its hint has
// what the user is to write or delete.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

// A host's keys, as vpsml-cluster(5) has them; NULL leaves a key out.
struct boot_new_host {
	const char *name, *ssh, *role, *node_ip, *identity, *jump, *host_key;
};

// What `init` starts a file with; NULL leaves a key out.
struct boot_new_cluster {
	const char *name, *kubernetes, *endpoint;
	const char *plugin, *pod_cidr, *service_cidr;
	struct boot_new_host host;
};

// Adds a whole file to OUT.
void boot_edit_new(const struct boot_new_cluster *cluster, struct strbuf *out);

// Adds to OUT the LEN bytes of TEXT, which are FILE's, with HOST behind the other hosts, written in
// the way in which the last one is. A name that is there already is refused.
bool boot_edit_add_host(const char *file, const char *text, size_t len,
                        const struct boot_new_host *host, struct strbuf *out,
                        struct err *err) _nodiscard_;

// The same without the host called NAME. The only host is not taken out.
bool boot_edit_remove_host(const char *file, const char *text, size_t len, const char *name,
                           struct strbuf *out, struct err *err) _nodiscard_;
