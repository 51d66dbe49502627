// SPDX-License-Identifier: MIT
#include "base/faults.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

enum { FAULT_MAX_BYTES = 64 * 1024, FAULTS_MAX_BYTES = 1024 * 1024 };

static void add(struct faults *faults, struct strv *list, const char *format, va_list args)
	_printf_(3, 0);
static void add(struct faults *faults, struct strv *list, const char *format, va_list args)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FAULT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	strbuf_vaddf(&text, format, args);
	if (text.is_over_max) {
		strbuf_clear(&text);
		strbuf_add(&text, "a fault whose text is too long to show");
	}
	if (!strv_take(list, strbuf_take(&text, &err), &err))
		faults->is_out_of_memory = true;
}

void faults_add(struct faults *faults, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(faults, &faults->errors, format, args);
	va_end(args);
}

void faults_warn(struct faults *faults, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(faults, &faults->warnings, format, args);
	va_end(args);
}

void faults_take(struct faults *faults, struct err *err)
{
	if (err->kind == ERR_MEMORY)
		faults->is_out_of_memory = true;
	else if (err->hint)
		faults_add(faults, "%s: %s", err_message(err), err->hint);
	else
		faults_add(faults, "%s", err_message(err));
	err_clear(err);
}

bool faults_has(const struct faults *faults, const char *option)
{
	size_t len = strlen(option);

	for (size_t i = 0; i < faults->errors.count; i++)
		if (!strncmp(faults->errors.items[i], option, len) && faults->errors.items[i][len] == ':')
			return true;
	return false;
}

bool faults_none(const struct faults *faults, struct err *err)
{
	_cleanup_strbuf_ struct strbuf lines = STRBUF_INIT(FAULTS_MAX_BYTES);

	if (faults->is_out_of_memory)
		return err_memory(err);
	if (!faults->errors.count)
		return true;
	for (size_t i = 0; i < faults->errors.count; i++) {
		const char *text = faults->errors.items[i];

		// A line feed in what was typed must not look like one between faults.
		strbuf_add(&lines, i ? "\n" : "");
		text_sanitize(&lines, text, strlen(text), TEXT_ONE_LINE);
	}
	if (!strbuf_ok(&lines, err))
		return false;
	return err_set(err, ERR_USAGE, "%s", strbuf_get(&lines));
}

void faults_release(struct faults *faults)
{
	strv_release(&faults->errors);
	strv_release(&faults->warnings);
	*faults = (struct faults)FAULTS_INIT;
}
