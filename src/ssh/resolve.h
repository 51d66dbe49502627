// SPDX-License-Identifier: MIT
// Inside src/ssh only: names to addresses, in a thread that lives as long as the look-up, because
// getaddrinfo(3) waits.
#pragma once

#include <netdb.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/strbuf.h"

struct resolve;

// Looks up NAME (or a number, IPv6 without brackets). DONE is called from the loop, once: with the
// addresses, the callee's to freeaddrinfo, or with NULL and *FAILURE. Returns NULL with *err set
// where it cannot start.
struct resolve *resolve_start(struct loop *loop, const char *name, uint16_t port,
                              void (*done)(void *context, struct addrinfo *addresses,
                                           const struct err *failure),
                              void *context, struct err *err) _nodiscard_;

// Ends it without calling done. The thread goes when getaddrinfo returns.
void resolve_cancel(struct resolve *resolve);
