// SPDX-License-Identifier: MIT
// An address on this machine whose connections go through a host: for the API server of a cluster
// that is not reached in another way.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/loop.h"
#include "ssh/transport.h"

struct boot_tunnel;

// Listens on 127.0.0.1, on a port that *RET_PORT tells. Each connection becomes a stream from LINK's
// host to HOST:PORT. The link must outlive the tunnel.
struct boot_tunnel *boot_tunnel_open(struct loop *loop, struct ssh_link *link, const char *host,
                                     uint16_t port, uint16_t *ret_port,
                                     struct err *err) _nodiscard_;
void boot_tunnel_close(struct boot_tunnel *tunnel);
void boot_tunnel_closep(struct boot_tunnel **tunnel);
#define _cleanup_boot_tunnel_ _cleanup_(boot_tunnel_closep)
