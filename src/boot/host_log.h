// SPDX-License-Identifier: MIT
// A host's log: everything that its commands write, in a file of its own that only the user can read;
// and of the last step the lines that matter.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strv.h"

enum { HOST_LOG_LINES = 400, HOST_LOG_SHOWN = 30 };

struct host_log {
	char *path;
	FILE *file;        // NULL: not open
	struct strv lines; // of the last step, harmless
};

// Opens FOLDER/NAME.log for adding, mode 0600. The folder is made.
bool host_log_open(struct host_log *log, const char *folder, const char *name,
                   struct err *err) _nodiscard_;

// Adds a line, made harmless, behind the time. The file is complete at any moment.
void host_log_add(struct host_log *log, const char *line);
// A step begins: its lines are gathered from here.
void host_log_begin(struct host_log *log, const char *step);

// The lines that matter of the last step, in their order: those that tell of a failure, else the last.
bool host_log_select(const struct host_log *log, struct strv *ret, struct err *err) _nodiscard_;

void host_log_release(struct host_log *log);
