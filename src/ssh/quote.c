// SPDX-License-Identifier: MIT
#include "ssh/quote.h"

#include <string.h>

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Characters that mean themselves everywhere in a POSIX shell's word.
static bool is_plain(char c)
{
	return is_letter_or_digit(c) || (c && strchr("%+,-./:@_", c));
}

void quote_word(struct strbuf *out, const char *word)
{
	bool plain = *word;

	for (const char *p = word; *p && plain; p++)
		plain = is_plain(*p);
	if (plain) {
		strbuf_add(out, word);
		return;
	}
	strbuf_add_char(out, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			strbuf_add(out, "'\\''");
		else
			strbuf_add_char(out, *p);
	}
	strbuf_add_char(out, '\'');
}

void quote_argv(struct strbuf *out, const char *const *argv)
{
	for (size_t i = 0; argv[i]; i++) {
		if (i > 0)
			strbuf_add_char(out, ' ');
		quote_word(out, argv[i]);
	}
}

// Characters that stay themselves between the single quotes of every login shell (csh expands "!"
// there and ends at a line feed, fish takes "\\" and "\'" for escapes), then between the double
// quotes of /bin/sh, then in the format of printf.
static bool is_safe_thrice(char c)
{
	return is_plain(c) ? c != '%' : c && strchr(" #&()*;<=>?[]^{|}~", c);
}

bool quote_for_login_shell(struct strbuf *out, const char *script, struct err *err)
{
	size_t start = out->len;

	// A script that starts with "-" would be an option of printf.
	strbuf_add(out, "exec /bin/sh -c 'eval \"$(printf \" ");
	for (const char *p = script; *p; p++) {
		if (is_safe_thrice(*p))
			strbuf_add_char(out, *p);
		else
			strbuf_addf(out, "\\%03o", (unsigned)(unsigned char)*p);
	}
	strbuf_add(out, "\")\"'");
	if (out->len - start <= QUOTE_MAX_BYTES)
		return strbuf_ok(out, err);
	err_set(err, ERR_FAILED, "remote command of %zu bytes is too long (at most %d)",
	        out->len - start, QUOTE_MAX_BYTES);
	return err_hint(err, "send it as a file");
}
