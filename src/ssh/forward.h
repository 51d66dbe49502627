// SPDX-License-Identifier: MIT
// Inside src/ssh only: ssh_forward that also says when the stream is open.
#pragma once

#include "ssh/transport.h"

struct ssh_forward_calls {
	void (*opened)(void *context);                           // NULL: nobody
	void (*ended)(void *context, const struct err *failure); // NULL: nobody
	void *context;
};

// See ssh_forward. CALLS is copied.
bool ssh_forward_open(struct ssh_link *link, const char *host, uint16_t port,
                      const struct ssh_forward_calls *calls, uint64_t *ret_id, int *ret_fd,
                      struct err *err) _nodiscard_;
