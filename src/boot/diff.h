// SPDX-License-Identifier: MIT
// What a file's new text changes, in the form of `diff -u`. Pure.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

// Adds the difference between OLD and NEW of the file at PATH, with three lines of context; nothing
// where they are the same. NULL is a file that is not there. Where the texts have very many different
// lines, all of the old ones go and all of the new ones come.
bool boot_diff(struct strbuf *out, const char *path, const char *old, const char *new,
               struct err *err) _nodiscard_;
