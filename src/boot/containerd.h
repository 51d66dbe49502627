// SPDX-License-Identifier: MIT
// containerd's configuration on a host: /etc/containerd/config.toml stays the host's own but for its
// imports and a disabled CRI plugin, and what the cluster needs stands in a drop-in. Pure.
//
// containerd before 2.2 replaces a plugin's whole section by an import's, so the drop-in repeats
// what config.toml has for the CRI plugin; it has the version of config.toml, since containerd
// refuses a newer import and older ones lose settings.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "boot/inventory.h"
#include "boot/version.h"

#define BOOT_CONTAINERD_ROOT "/etc/containerd/config.toml"
#define BOOT_CONTAINERD_DROP_IN "/etc/containerd/conf.d/10-vpsml.toml"

// The pause image that kubeadm of this version uses, without its repository: "pause:3.10.1".
const char *boot_pause_image(const struct boot_version *kubernetes);

// Is this containerd new enough for this Kubernetes, by containerd's own table?
bool boot_containerd_serves(const struct boot_version *containerd,
                            const struct boot_version *kubernetes);

// Adds to ROOT what config.toml is to be, made from TEXT, what it is (NULL: there is none), and to
// DROP_IN what stands in the drop-in. CONTAINERD is the version that reads it. HAS_GPU adds the
// nvidia runtime. ERR_FAILED on TEXT that cannot be read or is of version 1.
bool boot_containerd_render(const struct boot_inventory *inventory, const char *text,
                            const struct boot_version *containerd, bool has_gpu,
                            struct strbuf *root, struct strbuf *drop_in,
                            struct err *err) _nodiscard_;
