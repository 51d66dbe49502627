// SPDX-License-Identifier: MIT
// Amounts of CPU and memory as people read them.
#pragma once

#include <stdint.h>

#include "base/strbuf.h"

// Thousandths of a CPU: "500m", "2".
void jobs_amount_write_cpus(struct strbuf *out, int64_t milli);

// Bytes in the largest binary unit of which there is at least one, with one digit behind the point:
// "30.5Gi".
void jobs_amount_write_bytes(struct strbuf *out, int64_t bytes);
