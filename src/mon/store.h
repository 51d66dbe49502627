// SPDX-License-Identifier: MIT
// What the API server's sources have said so far: kept by the collectors, changed as lists and watches
// go on, and poured into each snapshot. Pure: times are arguments, on the viewer's clock.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kube/node_info.h"
#include "kube/pod_info.h"
#include "mon/gpu_page.h"
#include "mon/model.h"

// Sources that may fail as a whole.
enum mon_store_source { MON_STORE_PODS, MON_STORE_METRICS, MON_STORE_EXPORTERS, MON_STORE_SOURCES };

struct mon_store;

// Empty; owned by the caller; fails on memory.
struct mon_store *mon_store_new(struct err *err) _nodiscard_;
void mon_store_free(struct mon_store *store);
void mon_store_freep(struct mon_store **store);
#define _cleanup_mon_store_ _cleanup_(mon_store_freep)

// Takes a node or pod, new or changed, and leaves *NODE, *POD zeroed.
bool mon_store_put_node(struct mon_store *store, struct kube_node_info *node,
                        struct err *err) _nodiscard_;
bool mon_store_put_pod(struct mon_store *store, struct kube_pod_info *pod,
                       struct err *err) _nodiscard_;

// Forgets one of them, or all before a list begins anew. What was measured on nodes stays.
void mon_store_drop_node(struct mon_store *store, const char *name);
void mon_store_drop_pod(struct mon_store *store, const char *namespace, const char *name);
void mon_store_clear_nodes(struct mon_store *store);
void mon_store_clear_pods(struct mon_store *store);

// What a node uses, measured at AT_MS. A node that is not known is remembered all the same.
bool mon_store_put_usage(struct mon_store *store, const char *node, int64_t cpu_milli,
                         int64_t memory_bytes, int64_t at_ms, struct err *err) _nodiscard_;

// What a node's exporter said at AT_MS; takes over what *PAGE holds.
bool mon_store_put_gpus(struct mon_store *store, const char *node, struct mon_gpu_page *page,
                        int64_t malformed, int64_t at_ms, struct err *err) _nodiscard_;

// The node's exporter did not answer, and WHY; what it said before grows old.
bool mon_store_fail_gpus(struct mon_store *store, const char *node, const char *why,
                         struct err *err) _nodiscard_;

// What is wrong with a source as a whole since SINCE_MS; NULL: nothing any more. And whether something is.
bool mon_store_set_failure(struct mon_store *store, enum mon_store_source source, const char *why,
                           int64_t since_ms, struct err *err) _nodiscard_;
bool mon_store_has_failed(const struct mon_store *store, enum mon_store_source source);

// Calls VISIT for each running pod of an exporter, with the node that it is on (not by its labels:
// dcgm-exporter#655), until it returns false.
bool mon_store_each_exporter(const struct mon_store *store,
                             bool (*visit)(void *context, const char *namespace, const char *pod,
                                           const char *node, struct err *err),
                             void *context, struct err *err) _nodiscard_;

// Does a node have GPUs, by its label or its resources? How many nodes are there, and how many of them
// were never measured?
bool mon_store_has_gpus(const struct mon_store *store);
size_t mon_store_node_count(const struct mon_store *store);
size_t mon_store_silent_count(const struct mon_store *store);

// Adds all of it to S, which is not finished yet.
void mon_store_pour(const struct mon_store *store, struct mon_snapshot *s);
