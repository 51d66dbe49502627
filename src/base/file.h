// SPDX-License-Identifier: MIT
// Whole files: read with a cap, written so that a reader sees the old or the new content.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

// Appends the content of PATH ("-" is standard input) to OUT; more than OUT's cap is an error.
bool file_read(const char *path, struct strbuf *out, struct err *err) _nodiscard_;

// Replaces PATH by LEN bytes of DATA: temporary file beside it, mode 0600, fsync, rename, fsync
// of the folder. A symbolic link stays and its target is replaced; an existing file keeps its
// owner where we may set it. On failure the old file is untouched.
bool file_write(const char *path, const char *data, size_t len, struct err *err) _nodiscard_;

// Makes the folder PATH and those above it, mode 0700, where they are missing.
bool file_make_folder(const char *path, struct err *err) _nodiscard_;
