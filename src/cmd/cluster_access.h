// SPDX-License-Identifier: MIT
// The access to a cluster of cluster.yaml: admin.conf of its first control plane, for vpsml itself
// through SSH, and for the user in a kubeconfig.
#pragma once

#include "base/secret.h"
#include "boot/api.h"
#include "boot/inventory.h"
#include "cli/context.h"
#include "cmd/hosts.h"
#include "kube/kubeconfig_save.h"

// The API of the cluster through the link to its first control plane. ADMIN_CONF with data is used,
// else it is fetched into it. The inventory's node addresses are completed. Waits.
struct boot_api *cmd_access_open(struct cli_context *context, const struct cmd_hosts *hosts,
                                 const struct boot_inventory *inventory, struct secret *admin_conf,
                                 struct err *err) _nodiscard_;

// Adds the URL at which the API server is reached from here: the address that ssh has. Nothing where
// admin.conf's own is right: there is an endpoint, or ssh goes another way.
void cmd_access_add_server(const struct boot_inventory *inventory, struct strbuf *out);

// Merges it into the kubeconfig at PATH (NULL: the user's), under the cluster's name.
bool cmd_access_save(struct cli_context *context, const struct boot_inventory *inventory,
                     const struct secret *admin_conf, const char *path,
                     struct kube_config_saved *ret, struct err *err) _nodiscard_;
