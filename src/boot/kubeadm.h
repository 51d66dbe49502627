// SPDX-License-Identifier: MIT
// kubeadm's configuration documents, as YAML (kubeadm.k8s.io v1beta4 from Kubernetes 1.31 on, v1beta3
// before). Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "boot/plan.h"

#define BOOT_CRI_SOCKET "unix:///run/containerd/containerd.sock"

// A copy of BASE with OVER laid over it: objects are merged, everything else is replaced. Owned by
// the caller.
struct json *boot_json_merge(const struct json *base, const struct json *over,
                             struct err *err) _nodiscard_;

// What `kubeadm init` gets on host number INDEX: InitConfiguration, ClusterConfiguration,
// KubeletConfiguration, KubeProxyConfiguration. JOIN's token and certificate key go into it; NULL
// leaves them out.
bool boot_kubeadm_init(const struct boot_inventory *inventory, size_t index,
                       const struct boot_join *join, struct strbuf *out,
                       struct err *err) _nodiscard_;

// What `kubeadm join` gets: JoinConfiguration.
bool boot_kubeadm_join(const struct boot_inventory *inventory, size_t index,
                       const struct boot_join *join, struct strbuf *out,
                       struct err *err) _nodiscard_;

// For `kubeadm init phase upload-certs`: InitConfiguration with the certificate key alone, and
// ClusterConfiguration.
bool boot_kubeadm_certificates(const struct boot_inventory *inventory, size_t index,
                               const struct boot_join *join, struct strbuf *out,
                               struct err *err) _nodiscard_;

// The Secret of a bootstrap token that ends at ENDS ("2026-01-02T03:04:05Z"), as JSON.
bool boot_token_secret(const char *token, const char *ends, struct strbuf *out,
                       struct err *err) _nodiscard_;
