// SPDX-License-Identifier: MIT
// One job in full, as text for people and as JSON.
#pragma once

#include <stdbool.h>

#include "base/json_build.h"
#include "base/strbuf.h"
#include "jobs/detail.h"

// Adds lines "Name:  …", then tables of pods and events. Everything from outside is made harmless.
// IS_WIDE: labels, annotations and the scheduler's words in full, and every event, not only the last ten.
bool cmd_detail_write(struct strbuf *out, const struct jobs_detail *detail, int64_t now_ms,
                      bool is_wide, struct err *err) _nodiscard_;

// Puts one object into the array that is open: what list has of it, and more.
void cmd_detail_put(struct json_build *b, const struct jobs_detail *detail, int64_t now_ms);
