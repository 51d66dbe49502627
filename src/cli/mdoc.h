// SPDX-License-Identifier: MIT
// Text of the command rows as mdoc(7): escaped, so that it is shown as it stands.
#pragma once

#include "base/strbuf.h"

// Prose, filled into lines that are short in the source; a sentence begins on a new line. A line
// feed in TEXT begins a paragraph. Ends with a line feed.
void mdoc_text(struct strbuf *out, const char *text);

// Lines to be copied from the page, one for each in TEXT; the last ends with a line feed too.
void mdoc_literal(struct strbuf *out, const char *text);

// An argument of a macro, without the blank before it: a word, or several in quotes.
void mdoc_argument(struct strbuf *out, const char *text);
