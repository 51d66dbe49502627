// SPDX-License-Identifier: MIT
// Inside src/ssh only: names as known_hosts files write them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

// NAME in lower case, as [NAME]:PORT unless PORT is 22; owned by the caller. Fails on names that
// cannot stand in a line.
char *known_hosts_name_dup(const char *name, uint16_t port, struct err *err) _nodiscard_;

// Is NAME (from known_hosts_name_dup) among the NAMES of a line: patterns with commas between
// them, or one hashed name?
bool known_hosts_name_matches(const char *name, const char *names, bool *ret,
                              struct err *err) _nodiscard_;

// Adds NAME hashed with a random salt.
bool known_hosts_name_add_hashed(struct strbuf *out, const char *name, struct err *err) _nodiscard_;
