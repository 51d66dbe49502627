// SPDX-License-Identifier: MIT
// Showing API objects that were not posted.
#pragma once

#include "base/json.h"
#include "cli/context.h"
#include "cli/output.h"
#include "kube/collection.h"

// -o yaml|json|name, and -o yaml|json for what has no name. Their field is an enum cli_format, to be
// set to CLI_FORMAT_YAML before.
extern const struct cli_group cmd_object_output_group;
extern const struct cli_group cmd_tree_output_group;

// -o yaml|json|name of what was posted. Left at CLI_FORMAT_TABLE: a line that says what was made.
extern const struct cli_group cmd_made_output_group;

// Writes the COUNT objects to standard output in FORMAT: YAML documents with "---" between them;
// JSON, several as one List; or lines KIND/NAME.
bool cmd_show_objects(struct cli_context *context, const struct json *const *objects, size_t count,
                      enum cli_format format, struct err *err) _nodiscard_;

// Adds "job.batch/cnn created"; the name alone with --quiet, for scripts. Dry: the server would.
void cmd_write_made(struct strbuf *out, const struct cli_context *context,
                    const struct kube_collection *collection, const char *name, bool is_dry_run);

// The same for one tree that is no object, in YAML or JSON.
bool cmd_show_tree(struct cli_context *context, const struct json *tree, enum cli_format format,
                   struct err *err) _nodiscard_;
