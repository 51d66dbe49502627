// SPDX-License-Identifier: MIT
#include "boot/host_log.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { LINE_MAX_BYTES = 2000 };

bool host_log_open(struct host_log *log, const char *folder, const char *name, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(4096);
	int file;

	if (!file_make_folder(folder, err))
		return false;
	strbuf_addf(&path, "%s/%s.log", folder, name);
	log->path = strbuf_take(&path, err);
	if (!log->path)
		return false;
	file = open(log->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	log->file = file < 0 ? NULL : fdopen(file, "a");
	if (log->file)
		return true;
	err_errno(err, "%s", log->path);
	if (file >= 0)
		close(file);
	return false;
}

static void write_line(struct host_log *log, const char *line)
{
	time_t now = time(NULL);
	struct tm parts;
	char stamp[32] = "";

	if (!log->file)
		return;
	if (gmtime_r(&now, &parts))
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &parts);
	fprintf(log->file, "%s %s\n", stamp, line);
	fflush(log->file);
}

void host_log_add(struct host_log *log, const char *line)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4 * LINE_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT; // a log that lacks a line is no failure of the run
	size_t len = strlen(line);

	text_sanitize(&text, line, len < LINE_MAX_BYTES ? len : LINE_MAX_BYTES, TEXT_ONE_LINE);
	write_line(log, strbuf_get(&text));
	if (log->lines.count >= HOST_LOG_LINES) {
		mem_free(log->lines.items[0]);
		memmove(log->lines.items, log->lines.items + 1,
		        log->lines.count * sizeof(*log->lines.items));
		log->lines.count--;
	}
	if (!strv_add(&log->lines, strbuf_get(&text), &ignored))
		err_clear(&ignored);
}

void host_log_begin(struct host_log *log, const char *step)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(256);

	strv_release(&log->lines);
	strbuf_addf(&text, "--- %s", step);
	write_line(log, strbuf_get(&text));
}

// Does a line tell of a failure?
static bool matters(const char *line)
{
	static const char *const words[] = {"error",   "fail",   "fatal",     "cannot",    "refused",
	                                    "denied",  "panic",  "timed out", "not found", "no such",
	                                    "invalid", "unable", "expired"};

	if (!strncmp(line, "E:", 2) || !strncmp(line, "W:", 2))
		return true;
	for (; *line; line++)
		for (size_t i = 0; i < COUNT_OF(words); i++)
			if (!strncasecmp(line, words[i], strlen(words[i])))
				return true;
	return false;
}

bool host_log_select(const struct host_log *log, struct strv *ret, struct err *err)
{
	size_t count = 0, first = log->lines.count;

	while (first > 0 && count < HOST_LOG_SHOWN)
		count += matters(log->lines.items[--first]);
	if (count < 3) { // it did not say; then what it said last
		first = log->lines.count > HOST_LOG_SHOWN ? log->lines.count - HOST_LOG_SHOWN : 0;
		count = 0;
	}
	for (size_t i = first; i < log->lines.count; i++) {
		bool is_repeated = ret->count && !strcmp(ret->items[ret->count - 1], log->lines.items[i]);

		if ((count && !matters(log->lines.items[i])) || is_repeated)
			continue;
		if (!strv_add(ret, log->lines.items[i], err))
			return false;
	}
	return true;
}

void host_log_release(struct host_log *log)
{
	if (log->file)
		fclose(log->file);
	mem_free(log->path);
	strv_release(&log->lines);
	*log = (struct host_log){NULL};
}
