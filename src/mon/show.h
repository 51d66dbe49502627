// SPDX-License-Identifier: MIT
// Numbers for people, in few columns that stay the same: 41m, 4h02m, 61.2G.
#pragma once

#include <stdint.h>

#include "base/strbuf.h"

enum { MON_SHOW_AGE_COLUMNS = 5, MON_SHOW_BYTES_COLUMNS = 5 };

// Adds a time span of at most MON_SHOW_AGE_COLUMNS: 47s, 12m, 4h02m, 3d04h, 120d. Below 0 is 0s.
void mon_show_age(struct strbuf *out, int64_t seconds);

// Adds an amount with a binary unit: 512M, 61.2G, 1.9T, in at most MON_SHOW_BYTES_COLUMNS.
void mon_show_bytes(struct strbuf *out, double bytes);

// Adds NUMBER in at most 4 columns, with a decimal unit where it is larger: 88, 6.1k, 119k, 1.2M.
void mon_show_count(struct strbuf *out, double number);
