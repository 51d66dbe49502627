// SPDX-License-Identifier: MIT
// The API server's sources of the load: nodes and pods, metrics.k8s.io, and exporters by its proxy.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"
#include "kube/client.h"
#include "mon/store.h"

enum {
	MON_EXPORTER_PORT = 9400,
	MON_EXPORTER_TIMEOUT_MS = 10000, // of one
	MON_EXPORTERS_LIMIT_MS = 10500,  // of all of them
};

struct mon_collect_options {
	struct kube_client *client;
	const struct clock *clock;
	bool wants_gpus; // ask exporters too
};

// Asks every source once, all at the same time, and waits for the answers. Fails only where there are no
// nodes to be had; what is wrong with another source is in the store.
bool mon_collect(const struct mon_collect_options *options, struct mon_store *store,
                 struct err *err) _nodiscard_;

// The path of an exporter's page through the API server's proxy.
void mon_exporter_path(struct strbuf *out, const char *namespace, const char *pod);
