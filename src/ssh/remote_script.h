// SPDX-License-Identifier: MIT
// Inside src/ssh only: what /bin/sh on the host is given to do. Pure.
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

enum remote_root {
	REMOTE_AS_USER,
	REMOTE_SUDO,     // sudo asks for a password by writing "TOKEN-p" to standard error
	REMOTE_SUDO_ONLY // sudo without a password, or not at all
};

// Adds the command for the login shell that runs ARGV between the marks that marked.h reads.
bool remote_script_add(struct strbuf *out, const char *const *argv, enum remote_root root,
                       const char *token, struct err *err) _nodiscard_;

// Sets *err to why a command never began, from what the host wrote instead (not harmless).
void remote_script_failure(const char *noise, int status, struct err *err);
