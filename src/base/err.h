// SPDX-License-Identifier: MIT
// Errors are values: what kind, what happened, what to do next.
//
// A function that can fail ends in `struct err *err` (never NULL), returns false (or
// NULL) when it failed and has then set *err; on success *err is untouched. Each layer
// that passes an error up puts its subject in front with err_wrap.
#pragma once

#include <stdarg.h>
#include <stdbool.h>

#include "base/attr.h"

enum err_kind {
	ERR_NONE,
	ERR_FAILED,      // anything without a kind of its own
	ERR_MEMORY,      // out of memory
	ERR_USAGE,       // wrong usage or an invalid value, found before anything was sent
	ERR_UNREACHABLE, // the server did not answer
	ERR_REFUSED,     // the API server said no
	ERR_HOSTS,       // some hosts failed
	ERR_AUTH,        // host key or credentials refused
	ERR_KIND_COUNT
};

struct err {
	enum err_kind kind;
	char *message; // lower case, no full stop; several faults: one a line
	char *hint;    // the next step, or NULL
};

#define ERR_INIT             \
	{                        \
		ERR_NONE, NULL, NULL \
	}

// Sets *err and returns false, so that `return err_set(…)` reads well.
bool err_set(struct err *err, enum err_kind kind, const char *format, ...) _printf_(3, 4);

// The same for "out of memory".
bool err_memory(struct err *err);

// The same for a failed system call: "WHAT: text of errno".
bool err_errno(struct err *err, const char *format, ...) _printf_(2, 3);

// Adds or replaces the hint. Returns false.
bool err_hint(struct err *err, const char *format, ...) _printf_(2, 3);

// Makes *TO a copy of FROM. Returns false.
bool err_copy(struct err *to, const struct err *from);

// Puts "subject: " in front of the message. Returns false.
bool err_wrap(struct err *err, const char *format, ...) _printf_(2, 3);

// The message; "out of memory" where even the message could not be allocated.
const char *err_message(const struct err *err);

// The exit status that the kind stands for (design: 0 done, 1 failed, 2 usage, …).
int err_exit_status(enum err_kind kind);

void err_clear(struct err *err);
#define _cleanup_err_ _cleanup_(err_clear)
