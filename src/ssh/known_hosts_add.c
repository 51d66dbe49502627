// SPDX-License-Identifier: MIT
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "ssh/known_hosts.h"
#include "ssh/known_hosts_name.h"

enum { FILE_MAX_BYTES = 16 << 20, LINE_MAX_BYTES = 32 << 10 };

// The line, without a line feed.
static bool make_line(struct strbuf *line, const char *name, bool is_hashed, const void *key,
                      size_t key_len, struct err *err)
{
	size_t type_len;
	const char *type = known_hosts_key_type(key, key_len, &type_len);

	if (!type || memchr(type, ' ', type_len) || memchr(type, '\n', type_len))
		return err_set(err, ERR_FAILED, "host key is broken");
	if (is_hashed && !known_hosts_name_add_hashed(line, name, err))
		return false;
	if (!is_hashed)
		strbuf_add(line, name);
	strbuf_add_char(line, ' ');
	strbuf_add_n(line, type, type_len);
	strbuf_add_char(line, ' ');
	base64_add(line, key, key_len);
	return strbuf_ok(line, err);
}

static bool make_folder_of(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *folder = NULL;

	if (!slash || slash == path)
		return true;
	folder = mem_dup_n(path, (size_t)(slash - path));
	return folder ? file_make_folder(folder, err) : err_memory(err);
}

// Reads the file anew, because others may have added lines since; *RET_NUMBER is the new line's.
static bool append(const char *path, const struct strbuf *line, size_t *ret_number, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);

	if (!make_folder_of(path, err))
		return false;
	if (!access(path, F_OK) && !file_read(path, &text, err)) // never replace what we cannot read
		return false;
	if (text.len && text.data[text.len - 1] != '\n')
		strbuf_add_char(&text, '\n');
	*ret_number = 1;
	for (size_t i = 0; i < text.len; i++)
		*ret_number += text.data[i] == '\n';
	strbuf_add_n(&text, strbuf_get(line), line->len);
	strbuf_add_char(&text, '\n');
	return strbuf_ok(&text, err) && file_write(path, text.data, text.len, err);
}

// The last line parsed came in as a file of its own: it belongs to the first.
static bool take_up(struct known_hosts *hosts, const struct strbuf *line, size_t number,
                    struct err *err)
{
	struct known_hosts one = KNOWN_HOSTS_INIT;

	if (!known_hosts_parse(&one, hosts->files.items[0], strbuf_get(line), line->len, err) ||
	    one.count != 1 ||
	    !mem_append(&hosts->lines, &hosts->count, &one.lines[0], sizeof(one.lines[0]))) {
		known_hosts_release(&one);
		return err_memory(err);
	}
	hosts->lines[hosts->count - 1].number = number;
	one.count = 0; // its line is ours now
	known_hosts_release(&one);
	return true;
}

bool known_hosts_add(struct known_hosts *hosts, const char *name, uint16_t port, const void *key,
                     size_t key_len, struct err *err)
{
	_cleanup_free_ char *full = known_hosts_name_dup(name, port, err);
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(LINE_MAX_BYTES);
	size_t number;

	if (!full)
		return false;
	if (!hosts->files.count)
		return err_set(err, ERR_USAGE, "no known_hosts file to add the host key to");
	return make_line(&line, full, hosts->is_hashed, key, key_len, err) &&
	       append(hosts->files.items[0], &line, &number, err) && take_up(hosts, &line, number, err);
}
