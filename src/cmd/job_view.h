// SPDX-License-Identifier: MIT
// Jobs as rows and as JSON, the same for list, get and wait.
#pragma once

#include "base/json_build.h"
#include "cli/table.h"
#include "jobs/listing.h"

extern const struct cli_column cmd_job_columns[];
extern const size_t cmd_job_column_count;

// Adds a row. NOW_MS: since the epoch.
bool cmd_job_add_row(struct cli_table *table, const struct jobs_item *item, int64_t now_ms,
                     struct err *err) _nodiscard_;

// Puts one object into the array that is open. Keys carry units; what is unknown is left out.
void cmd_job_put(struct json_build *b, const struct jobs_item *item, int64_t now_ms);

// The same members into the object that is open.
void cmd_job_put_members(struct json_build *b, const struct jobs_item *item, int64_t now_ms);
