// SPDX-License-Identifier: MIT
// What is at a URL, waited for.
#pragma once

#include "base/strbuf.h"
#include "cli/context.h"

// A boot_fetch_fn whose context is the cli_context.
bool cmd_fetch_url(void *context, const char *url, struct strbuf *out, struct err *err);
