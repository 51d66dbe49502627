// SPDX-License-Identifier: MIT
#include "ssh/known_hosts.h"

#include <string.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "ssh/known_hosts_name.h"

enum {
	FILE_MAX_BYTES = 16 << 20,
	LINE_MAX_BYTES = 32 << 10,
	KEY_MAX_BYTES = 16 << 10,
};

// Reading lines

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

// The next word of [*POS, END), moved behind it; empty at the end.
static size_t take_word(const char **pos, const char *end, const char **ret)
{
	while (*pos < end && is_blank(**pos))
		(*pos)++;
	*ret = *pos;
	while (*pos < end && !is_blank(**pos))
		(*pos)++;
	return (size_t)(*pos - *ret);
}

static bool word_is(const char *word, size_t len, const char *expected)
{
	return len == strlen(expected) && !memcmp(word, expected, len);
}

const char *known_hosts_key_type(const void *key, size_t key_len, size_t *ret_len)
{
	const unsigned char *bytes = key;
	size_t len;

	if (key_len < 4)
		return NULL;
	len = (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
	if (!len || len > key_len - 4 || len > 64 || memchr(bytes + 4, '\0', len))
		return NULL;
	*ret_len = len;
	return (const char *)key + 4;
}

static void line_release(struct known_hosts_line *line)
{
	mem_free(line->names);
	mem_free(line->type);
	mem_free(line->key);
}

// Does the base64 at KEY hold a key of the type that stands before it?
static bool is_key_of_type(const char *key, size_t key_len, const char *type, size_t type_len)
{
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(KEY_MAX_BYTES);
	const char *inner;
	size_t inner_len;

	if (!base64_decode(&blob, key, key_len))
		return false;
	inner = known_hosts_key_type(blob.data, blob.len, &inner_len);
	return inner && inner_len == type_len && !memcmp(inner, type, type_len);
}

// False if the line is not understood; *HAS_MEMORY tells apart why.
static bool read_line(const char *pos, const char *end, struct known_hosts_line *line,
                      bool *has_memory)
{
	const char *names, *type, *key;
	size_t names_len, type_len, key_len;

	names_len = take_word(&pos, end, &names);
	if (names_len && *names == '@') {
		if (word_is(names, names_len, "@revoked"))
			line->marker = KNOWN_HOSTS_REVOKED;
		else if (word_is(names, names_len, "@cert-authority"))
			line->marker = KNOWN_HOSTS_AUTHORITY;
		else
			return false;
		names_len = take_word(&pos, end, &names);
	}
	type_len = take_word(&pos, end, &type);
	key_len = take_word(&pos, end, &key);
	if (!key_len || !is_key_of_type(key, key_len, type, type_len))
		return false;
	line->names = mem_dup_n(names, names_len);
	line->type = mem_dup_n(type, type_len);
	line->key = mem_dup_n(key, key_len);
	*has_memory = line->names && line->type && line->key;
	return *has_memory;
}

static bool is_comment_or_empty(const char *pos, const char *end)
{
	while (pos < end && is_blank(*pos))
		pos++;
	return pos == end || *pos == '#';
}

static bool add_line(struct known_hosts *hosts, const char *pos, size_t len, size_t number,
                     struct err *err)
{
	struct known_hosts_line line = {.file = hosts->files.count - 1, .number = number};
	bool has_memory = true;

	if (len && pos[len - 1] == '\r')
		len--;
	if (is_comment_or_empty(pos, pos + len))
		return true;
	if (len <= LINE_MAX_BYTES && !memchr(pos, '\0', len) &&
	    read_line(pos, pos + len, &line, &has_memory)) {
		if (mem_append(&hosts->lines, &hosts->count, &line, sizeof(line))) {
			hosts->is_hashed |= line.file == 0 && *line.names == '|';
			return true;
		}
		has_memory = false;
	}
	line_release(&line);
	hosts->bad_lines++;
	return has_memory || err_memory(err);
}

bool known_hosts_parse(struct known_hosts *hosts, const char *file, const char *text, size_t len,
                       struct err *err)
{
	const char *end = text + len;

	if (!strv_add(&hosts->files, file, err))
		return false;
	for (size_t number = 1; text < end; number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		if (!stop)
			stop = end;
		if (!add_line(hosts, text, (size_t)(stop - text), number, err))
			return false;
		text = stop < end ? stop + 1 : end;
	}
	return true;
}

bool known_hosts_load(struct known_hosts *hosts, const char *path, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT;

	if (!file_read(path, &text, &ignored)) {
		if (text.failed)
			return strbuf_ok(&text, err) || err_wrap(err, "%s", path);
		strbuf_clear(&text);
	}
	return known_hosts_parse(hosts, path, strbuf_get(&text), text.len, err);
}

// Asking

static bool is_same_key(const struct known_hosts_line *line, const void *key, size_t key_len)
{
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(KEY_MAX_BYTES);

	return base64_decode(&blob, line->key, strlen(line->key)) && blob.len == key_len &&
	       !memcmp(strbuf_get(&blob), key, key_len);
}

static bool is_type(const struct known_hosts_line *line, const void *key, size_t key_len)
{
	size_t len;
	const char *type = known_hosts_key_type(key, key_len, &len);

	return type && word_is(type, len, line->type);
}

// Takes a line that is for the name into the result. Revocation beats all, a match beats change.
static void judge(struct known_hosts_result *result, const struct known_hosts_line *line,
                  const void *key, size_t key_len)
{
	bool is_same = is_same_key(line, key, key_len);

	if (line->marker == KNOWN_HOSTS_AUTHORITY) {
		result->has_authority = true;
	} else if (line->marker == KNOWN_HOSTS_REVOKED) {
		if (!is_same)
			return;
		result->answer = KNOWN_HOSTS_IS_REVOKED;
		result->line = line;
	} else if (result->answer == KNOWN_HOSTS_IS_REVOKED) {
		return;
	} else if (is_same) {
		result->answer = KNOWN_HOSTS_MATCHES;
		result->line = line;
	} else if (!is_type(line, key, key_len)) {
		result->other_type = line;
	} else if (result->answer == KNOWN_HOSTS_UNKNOWN) {
		result->answer = KNOWN_HOSTS_CHANGED;
		result->line = line;
	}
}

static bool check_name(const struct known_hosts *hosts, const char *name, const void *key,
                       size_t key_len, struct known_hosts_result *result, struct err *err)
{
	*result = (struct known_hosts_result){0};
	for (size_t i = 0; i < hosts->count; i++) {
		bool is_match;

		if (!known_hosts_name_matches(name, hosts->lines[i].names, &is_match, err))
			return false;
		if (is_match)
			judge(result, &hosts->lines[i], key, key_len);
	}
	return true;
}

bool known_hosts_check(const struct known_hosts *hosts, const char *name, uint16_t port,
                       const void *key, size_t key_len, struct known_hosts_result *ret,
                       struct err *err)
{
	_cleanup_free_ char *with_port = known_hosts_name_dup(name, port, err);
	_cleanup_free_ char *alone = known_hosts_name_dup(name, 22, err);
	struct known_hosts_result result, other;

	if (!with_port || !alone || !check_name(hosts, with_port, key, key_len, &result, err))
		return false;
	if (port != 22) {
		if (!check_name(hosts, alone, key, key_len, &other, err))
			return false;
		if (other.answer == KNOWN_HOSTS_IS_REVOKED ||
		    (other.answer == KNOWN_HOSTS_MATCHES && result.answer == KNOWN_HOSTS_UNKNOWN &&
		     !result.other_type)) {
			result.answer = other.answer;
			result.line = other.line;
		}
	}
	*ret = result;
	return true;
}

static bool add_types(const struct known_hosts *hosts, const char *name, uint16_t port,
                      struct strv *ret, struct err *err)
{
	_cleanup_free_ char *full = known_hosts_name_dup(name, port, err);

	if (!full)
		return false;
	for (size_t i = 0; i < hosts->count; i++) {
		const struct known_hosts_line *line = &hosts->lines[i];
		bool is_match;

		if (line->marker != KNOWN_HOSTS_PLAIN || strv_contains(ret, line->type))
			continue;
		if (!known_hosts_name_matches(full, line->names, &is_match, err))
			return false;
		if (is_match && !strv_add(ret, line->type, err))
			return false;
	}
	return true;
}

bool known_hosts_types(const struct known_hosts *hosts, const char *name, uint16_t port,
                       struct strv *ret, struct err *err)
{
	size_t before = ret->count;

	if (!add_types(hosts, name, port, ret, err))
		return false;
	return ret->count > before || port == 22 || add_types(hosts, name, 22, ret, err);
}

// Fingerprints

bool known_hosts_add_fingerprint(struct strbuf *out, const void *key, size_t key_len,
                                 struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);
	unsigned char sum[DIGEST_SHA256_BYTES];

	if (!digest_sha256(key, key_len, sum, err))
		return false;
	base64_add(&text, sum, sizeof(sum));
	strbuf_add(out, "SHA256:");
	strbuf_add_n(out, strbuf_get(&text), text.len ? text.len - 1 : 0); // without its one "="
	return strbuf_ok(&text, err);
}

bool known_hosts_line_fingerprint(struct strbuf *out, const struct known_hosts_line *line,
                                  struct err *err)
{
	_cleanup_strbuf_ struct strbuf blob = STRBUF_INIT(KEY_MAX_BYTES);

	if (!base64_decode(&blob, line->key, strlen(line->key)))
		return err_memory(err); // it was decoded once
	return known_hosts_add_fingerprint(out, blob.data, blob.len, err);
}

void known_hosts_release(struct known_hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++)
		line_release(&hosts->lines[i]);
	mem_free(hosts->lines);
	strv_release(&hosts->files);
	*hosts = (struct known_hosts)KNOWN_HOSTS_INIT;
}
