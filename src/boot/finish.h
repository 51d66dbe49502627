// SPDX-License-Identifier: MIT
// What a cluster gets when its hosts have joined, and the proof that it works: the pod network, nodes
// that are Ready and are the hosts that we mean, labels and classes, metrics, GPUs that can be
// allocated. All of it is asked of the API server; kubeadm's words prove nothing.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/faults.h"
#include "boot/facts.h"
#include "boot/inventory.h"
#include "boot/manifest.h"
#include "kube/client.h"

struct boot_finish {
	struct kube_client *client;
	struct loop *loop;
	const struct boot_inventory *inventory;
	const struct boot_facts *const *facts; // one a host; NULL: not known
	const bool *joined;                    // one a host: the others are not looked at
	boot_fetch_fn *fetch;                  // of manifests' URLs
	void *fetch_context;
	bool is_dry_run; // the server says what it would do; nothing is kept, and nothing waited for
	// A line about what is done; WHAT is harmless.
	void (*say)(void *context, const char *what);
	void *context;
	bool is_changed; // out: an object was created or changed
};

// Applies the pod network. Nodes need not be there yet.
bool boot_finish_network(struct boot_finish *finish, struct err *err) _nodiscard_;

// Waits until host number INDEX's node is Ready, at most LIMIT_MS, and is that host (by its machine
// id).
bool boot_finish_node(struct boot_finish *finish, size_t index, int64_t limit_ms,
                      struct err *err) _nodiscard_;

// Labels, taints, classes, metrics-server, device plugin; waits until they work. FAULTS gets
// warnings.
bool boot_finish_rest(struct boot_finish *finish, struct faults *faults,
                      struct err *err) _nodiscard_;

// Has the host GPUs, by the inventory or the PCI bus, and a driver for them?
bool boot_host_has_gpu(const struct boot_host *host, const struct boot_facts *facts);
