// SPDX-License-Identifier: MIT
#include "ssh/remote_script.h"

#include <string.h>

#include "base/text.h"
#include "ssh/quote.h"

enum { SCRIPT_MAX_BYTES = 256 << 10, COMMAND_MAX_BYTES = 512 << 10 };

// The marks are put together by the shell, so that a host that only shows the command shows none.
static void add_marked(struct strbuf *out, const char *const *argv, const char *token)
{
	strbuf_addf(out,
	            "LC_ALL=C; export LC_ALL; m=%s\n"
	            "printf '%%s-b\\n' $m; printf '%%s-b\\n' $m >&2\n"
	            "(exec ",
	            token);
	quote_argv(out, argv);
	strbuf_add(out, ")\n"
	                "s=$?; printf '%s-e %d\\n' $m $s; printf '%s-e %d\\n' $m $s >&2; exit $s");
}

bool remote_script_add(struct strbuf *out, const char *const *argv, enum remote_root root,
                       const char *token, struct err *err)
{
	_cleanup_strbuf_ struct strbuf inner = STRBUF_INIT(SCRIPT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf outer = STRBUF_INIT(COMMAND_MAX_BYTES);

	add_marked(&inner, argv, token);
	if (!strbuf_ok(&inner, err))
		return false;
	if (root == REMOTE_AS_USER)
		return quote_for_login_shell(out, strbuf_get(&inner), err);
	strbuf_add(&outer, "s=");
	quote_word(&outer, strbuf_get(&inner));
	strbuf_add(&outer, "\nif [ \"$(id -u)\" = 0 ]; then exec /bin/sh -c \"$s\"; fi\n");
	if (root == REMOTE_SUDO)
		strbuf_addf(&outer, "m=%s; exec sudo -H -S -p \"$m-p\" /bin/sh -c \"$s\"", token);
	else
		strbuf_add(&outer, "exec sudo -H -n /bin/sh -c \"$s\"");
	return strbuf_ok(&outer, err) && quote_for_login_shell(out, strbuf_get(&outer), err);
}

static const struct {
	const char *text; // in what the host wrote
	enum err_kind kind;
	const char *message, *hint;
} causes[] = {
	{"password is required", ERR_AUTH, "sudo needs a password",
     "run it on a terminal, which asks for it, or allow the user NOPASSWD in sudoers"},
	{"must have a tty", ERR_AUTH, "sudo wants a terminal",
     "remove requiretty from the host's sudoers"},
	{"not in the sudoers", ERR_AUTH, "the user may not use sudo",
     "log in as root, or add the user to sudoers"},
	{"not allowed to", ERR_AUTH, "sudo does not allow the user to run /bin/sh",
     "log in as root, or allow ALL in sudoers"},
	{"may not run sudo", ERR_AUTH, "the user may not use sudo",
     "log in as root, or add the user to sudoers"},
	{"sudo: not found", ERR_FAILED, "there is no sudo on the host", "log in as root"},
	{"is currently not available", ERR_AUTH, "the user may not log in (its shell is nologin)",
     "name another user"},
};

// The last line that holds anything, or "".
static size_t last_line(const char *text, const char **ret)
{
	size_t end = strlen(text), start;

	while (end && strchr(" \t\r\n", text[end - 1]))
		end--;
	for (start = end; start && text[start - 1] != '\n';)
		start--;
	*ret = text + start;
	return end - start;
}

void remote_script_failure(const char *noise, int status, struct err *err)
{
	_cleanup_strbuf_ struct strbuf harmless = STRBUF_INIT(16384);
	const char *line;
	size_t len;

	for (size_t i = 0; i < COUNT_OF(causes); i++) {
		if (strstr(noise, causes[i].text)) {
			err_set(err, causes[i].kind, "%s", causes[i].message);
			err_hint(err, "%s", causes[i].hint);
			return;
		}
	}
	len = last_line(noise, &line);
	text_sanitize(&harmless, line, len < 300 ? len : 300, TEXT_ONE_LINE);
	if (len)
		err_set(err, ERR_FAILED, "the host ran something else than our command, and said: %s",
		        strbuf_get(&harmless));
	else
		err_set(err, ERR_FAILED, "the host did not run our command (status %d)", status);
	err_hint(err, "is the user's shell a shell, and is there no forced command for the key?");
}
