// SPDX-License-Identifier: MIT
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

// A formatted string, or NULL when memory is short.
static char *format_text(const char *format, va_list args) _printf_(1, 0);
static char *format_text(const char *format, va_list args)
{
	va_list again;
	char *text = NULL;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len >= 0)
		text = mem_alloc((size_t)len + 1);
	if (text)
		vsnprintf(text, (size_t)len + 1, format, args);
	return text;
}

static char *join(const char *first, const char *second)
{
	size_t a = strlen(first), b = strlen(second);
	char *text = mem_alloc(a + b + 3);

	if (text)
		snprintf(text, a + b + 3, "%s: %s", first, second);
	return text;
}

static void set_message(struct err *err, enum err_kind kind, char *message)
{
	err_clear(err);
	err->kind = message ? kind : ERR_MEMORY;
	err->message = message;
}

bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_message(err, kind, format_text(format, args));
	va_end(args);
	return false;
}

bool err_memory(struct err *err)
{
	set_message(err, ERR_MEMORY, NULL);
	return false;
}

bool err_errno(struct err *err, const char *format, ...)
{
	const char *reason = strerror(errno);
	_cleanup_free_ char *what = NULL;
	va_list args;

	va_start(args, format);
	what = format_text(format, args);
	va_end(args);
	set_message(err, ERR_FAILED, what ? join(what, reason) : NULL);
	return false;
}

bool err_hint(struct err *err, const char *format, ...)
{
	va_list args;

	mem_free(err->hint);
	va_start(args, format);
	err->hint = format_text(format, args);
	va_end(args);
	return false;
}

bool err_copy(struct err *to, const struct err *from)
{
	err_set(to, from->kind, "%s", err_message(from));
	return from->hint ? err_hint(to, "%s", from->hint) : false;
}

bool err_wrap(struct err *err, const char *format, ...)
{
	_cleanup_free_ char *subject = NULL;
	char *message = NULL;
	va_list args;

	va_start(args, format);
	subject = format_text(format, args);
	va_end(args);
	if (subject)
		message = join(subject, err_message(err));
	if (message) {
		mem_free(err->message);
		err->message = message;
	}
	return false;
}

const char *err_message(const struct err *err)
{
	return err->message ? err->message : "out of memory";
}

int err_exit_status(enum err_kind kind)
{
	static const int status[ERR_KIND_COUNT] = {
		[ERR_NONE] = 0,        [ERR_FAILED] = 1,  [ERR_MEMORY] = 1, [ERR_USAGE] = 2,
		[ERR_UNREACHABLE] = 3, [ERR_REFUSED] = 4, [ERR_HOSTS] = 5,  [ERR_AUTH] = 6,
	};

	return status[kind];
}

void err_clear(struct err *err)
{
	mem_free(err->message);
	mem_free(err->hint);
	*err = (struct err)ERR_INIT;
}
