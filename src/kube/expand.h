// SPDX-License-Identifier: MIT
// kubelet expands $(NAME) and $$ in commands, arguments and variables
// (kubernetes/kubernetes#101137, #130585). What a user typed must reach the process as typed.
#pragma once

#include "base/json_build.h"

enum {
	// One argument or variable of execve, with its NUL: MAX_ARG_STRLEN of Linux.
	KUBE_EXEC_STRING_MAX_BYTES = 128 * 1024,
};

// Puts TEXT so that it is itself again after the expansion.
void kube_expand_put_verbatim(struct json_build *b, const char *name, const char *text);
