// SPDX-License-Identifier: MIT
// Remote commands from an argv. Nothing else in the program puts quotes around anything.
//
// An SSH server hands one string to the user's login shell, which may be fish, zsh, csh or
// something that only looks like a shell. So the string is always `exec /bin/sh -c '…'`, and
// between the quotes stand only characters that all of them leave alone.
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

// The longest string that quote_for_login_shell makes: Linux allows 128 KiB for one argument.
// Quoting makes four characters of some (quotes, line feeds, `$`, `!`, all beyond ASCII).
enum { QUOTE_MAX_BYTES = 127 * 1024 };

// Adds WORD so that a POSIX shell reads exactly its bytes as one word.
void quote_word(struct strbuf *out, const char *word);

// Adds the words of the NULL-terminated ARGV, quoted, with blanks between them.
void quote_argv(struct strbuf *out, const char *const *argv);

// Adds the string for the login shell that makes /bin/sh run SCRIPT, in its place. Line feeds at
// the end of SCRIPT are lost. Fails where it would be longer than QUOTE_MAX_BYTES.
bool quote_for_login_shell(struct strbuf *out, const char *script, struct err *err) _nodiscard_;
