// SPDX-License-Identifier: MIT
// What the command rows know about a place in a command line: verbs, options, words. The scripts of
// cli/complete.h know it themselves; this is for a shell that asks the program instead. Pure.
#pragma once

#include "base/strbuf.h"
#include "cli/place.h"

// Adds what fits the place, a line each; what has a description has it behind a tab. Only OUT can fail.
void cli_offer(struct strbuf *out, const struct cli_place *place);
