// SPDX-License-Identifier: MIT
// Questions to the person at the terminal. They go to /dev/tty, so that streams may be elsewhere.
#pragma once

#include <stdbool.h>

#include "base/secret.h"
#include "cli/context.h"

// Is there a terminal to ask on?
bool cli_can_ask(void);

// Shows QUESTION (harmless already, without a line feed) and reads a line, shown only if ECHO.
// Fails where there is no terminal, and where the answer is Ctrl-C or Ctrl-D.
bool cli_ask(const char *question, bool is_echo_wanted, struct secret *ret,
             struct err *err) _nodiscard_;

// Asks until the answer is "yes" or "no" (or a first letter of them).
bool cli_ask_yes(const char *question, bool *ret_yes, struct err *err) _nodiscard_;
