// SPDX-License-Identifier: MIT
// The load of a cluster as text: one picture of `top`.
#pragma once

#include "cmd/load.h"

// Adds a header with sums, the nodes, their GPUs with who holds them, and what waits.
bool cmd_load_write_text(struct strbuf *out, const struct cmd_load *load,
                         struct err *err) _nodiscard_;

// Adds the GPUs as CSV, a line each: numbers as numbers, units in the titles, nothing for what is unknown.
bool cmd_load_write_csv(struct strbuf *out, const struct cmd_load *load,
                        struct err *err) _nodiscard_;
