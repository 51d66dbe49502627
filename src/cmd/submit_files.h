// SPDX-License-Identifier: MIT
// submit --filename: many objects in one call.
#pragma once

#include "cmd/submission.h"

// Reads FILES ("-" is standard input), checks all that is in them, and posts it on one pool of
// connections; says of each object, in the order of the files, what was made. What was not is in *err,
// an object a line, whose kind is the worst of them.
bool cmd_submit_files(struct cli_context *context, const struct cmd_submission *submission,
                      const struct strv *files, struct err *err) _nodiscard_;
