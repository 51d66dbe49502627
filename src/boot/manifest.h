// SPDX-License-Identifier: MIT
// A manifest of somebody else's, such as Calico's or the user's own network: a file or a URL, with a
// checksum where one is given.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "boot/inventory.h"
#include "boot/objects.h"

enum { BOOT_MANIFEST_MAX_BYTES = 8 * 1024 * 1024 };

// Appends what is at URL to OUT, which has a cap.
typedef bool boot_fetch_fn(void *context, const char *url, struct strbuf *out, struct err *err);

// The pod network's objects of a plugin that is no flannel: Calico's manifest (of the release that we
// know, unless the inventory names one), or the user's file; none for BOOT_PLUGIN_NONE. A text whose
// SHA-256 is not the inventory's is refused with both (ERR_USAGE).
bool boot_manifest_load(const struct boot_network *network, boot_fetch_fn *fetch, void *context,
                        struct boot_objects *ret, struct err *err) _nodiscard_;

// The objects in the YAML documents of TEXT, called NAME in messages: namespaces and definitions of
// kinds first, else in their order; Lists are unpacked. Pure.
bool boot_manifest_parse(const char *name, const char *text, size_t len, struct boot_objects *ret,
                         struct err *err) _nodiscard_;
