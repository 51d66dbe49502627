// SPDX-License-Identifier: MIT
// key=value lists: labels, annotations, node selectors.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json_build.h"

struct kube_pair {
	char *key, *value;
};

struct kube_pairs {
	struct kube_pair *items; // in the order given; of equal keys the last one counts
	size_t count;
};

// Appends copies of KEY and VALUE.
bool kube_pairs_add(struct kube_pairs *pairs, const char *key, const char *value,
                    struct err *err) _nodiscard_;

// Appends "KEY=VALUE", split at the first "=". Without one it is refused, never dropped.
bool kube_pairs_parse(struct kube_pairs *pairs, const char *text, struct err *err) _nodiscard_;

// The value that counts for KEY, or NULL.
const char *kube_pairs_get(const struct kube_pairs *pairs, const char *key);

// Puts the pairs as members of the object that is open; of equal keys only the last.
void kube_pairs_put(const struct kube_pairs *pairs, struct json_build *b);

void kube_pairs_release(struct kube_pairs *pairs);
