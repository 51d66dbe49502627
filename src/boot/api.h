// SPDX-License-Identifier: MIT
// The API of a cluster through the connection to its control plane: neither a NAT nor a firewall in
// between matters.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/xdg.h"
#include "kube/client.h"
#include "ssh/transport.h"

struct boot_api;

// ADMIN_CONF is a kubeconfig's text, for which the API server on LINK's host is asked at HOST:PORT as
// seen from there. Nothing is sent yet. All are borrowed but the text.
struct boot_api *boot_api_open(struct loop *loop, struct ssh_link *link, const char *host,
                               uint16_t port, const char *admin_conf, const struct clock *clock,
                               xdg_getenv_fn *getenv_fn, struct err *err) _nodiscard_;

// Borrowed until the end.
struct kube_client *boot_api_client(const struct boot_api *api);

// NULL is taken too.
void boot_api_close(struct boot_api *api);
void boot_api_closep(struct boot_api **api);
#define _cleanup_boot_api_ _cleanup_(boot_api_closep)
