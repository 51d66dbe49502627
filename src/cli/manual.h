// SPDX-License-Identifier: MIT
// The parts of a man page that are written from the command rows, as mdoc(7).
#pragma once

#include "base/strbuf.h"
#include "cli/command.h"

// Adds the man page PAGE to OUT, with its blocks written anew from the rows below ROOT. A block
// stands between two comments, of which the first says what it is and of which command:
//
//     .\" BEGIN options vpsml render
//     .\" END
//
// synopsis  the usage lines of the command, or of each of its verbs
// commands  the verbs with their summaries
// verbs     the verbs with their arguments and what --help says about them
// options   the options of the command, or of all its verbs, each group once; then the general ones
// examples  those of the command, or of all its verbs
// pages     links to the pages of its verbs
//
// A block leaves out verbs that have another man page; commands and pages name them all.
// A kind or command that does not exist, or a block without an end, is an error.
bool cli_manual_fill(struct strbuf *out, const char *page, const struct cli_command *root,
                     struct err *err) _nodiscard_;
