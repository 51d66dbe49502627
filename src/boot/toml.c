// SPDX-License-Identifier: MIT
#include "boot/toml.h"

#include <string.h>

#include "base/mem.h"

enum { PATH_MAX_BYTES = 1024 };

struct reader {
	const char *text;
	size_t pos, len;
	size_t line;
	char table[PATH_MAX_BYTES + 1];
	struct toml *toml;
};

static char peek(const struct reader *in)
{
	return in->pos < in->len ? in->text[in->pos] : '\0';
}

static char take(struct reader *in)
{
	char c = peek(in);

	in->line += c == '\n';
	in->pos++;
	return c;
}

static bool broken(const struct reader *in, struct err *err)
{
	return err_set(err, ERR_FAILED, "TOML line %zu cannot be read", in->line);
}

static void skip_blanks(struct reader *in)
{
	while (peek(in) == ' ' || peek(in) == '\t' || peek(in) == '\r')
		in->pos++;
}

static void skip_comment(struct reader *in)
{
	while (in->pos < in->len && peek(in) != '\n')
		in->pos++;
}

static bool is_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

// Adds PART to a path, with a dot before it.
static void add_part(struct strbuf *out, const char *part, size_t len)
{
	bool is_plain = len;

	for (size_t i = 0; i < len; i++)
		is_plain &= is_bare(part[i]);
	if (out->len)
		strbuf_add_char(out, '.');
	if (!is_plain)
		strbuf_add_char(out, '"');
	strbuf_add_n(out, part, len);
	if (!is_plain)
		strbuf_add_char(out, '"');
}

// Reads one part of a key; escapes stay as they are.
static bool read_part(struct reader *in, struct strbuf *out, struct err *err)
{
	char quote = peek(in);
	size_t start;

	if (quote == '"' || quote == '\'') {
		start = ++in->pos;
		while (in->pos < in->len && peek(in) != quote && peek(in) != '\n')
			in->pos++;
		if (peek(in) != quote)
			return broken(in, err);
		add_part(out, in->text + start, in->pos++ - start);
		return true;
	}
	start = in->pos;
	while (in->pos < in->len && is_bare(peek(in)))
		in->pos++;
	if (in->pos == start)
		return broken(in, err);
	add_part(out, in->text + start, in->pos - start);
	return true;
}

// Reads a.b.c: all but the last part go to TABLE, the last one to KEY.
static bool read_key(struct reader *in, struct strbuf *table, struct strbuf *key, struct err *err)
{
	for (;;) {
		skip_blanks(in);
		if (!read_part(in, key, err))
			return false;
		skip_blanks(in);
		if (peek(in) != '.')
			return (!key->failed && !table->failed) || broken(in, err);
		in->pos++;
		if (table->len)
			strbuf_add_char(table, '.');
		strbuf_add_n(table, strbuf_get(key), key->len);
		strbuf_clear(key);
	}
}

// A string, from its first quote to behind its last; strings of several lines too.
static bool skip_string(struct reader *in, struct err *err)
{
	char quote = take(in);
	bool is_long = in->pos + 1 < in->len && peek(in) == quote && in->text[in->pos + 1] == quote;

	if (is_long)
		in->pos += 2;
	else if (peek(in) == quote)
		return take(in);
	while (in->pos < in->len) {
		char c = take(in);

		if (c == '\\' && quote == '"' && in->pos < in->len)
			take(in);
		else if (c == '\n' && !is_long)
			return broken(in, err);
		else if (c == quote && !is_long)
			return true;
		else if (c == quote && in->pos + 1 < in->len && peek(in) == quote &&
		         in->text[in->pos + 1] == quote) {
			in->pos += 2;
			return true;
		}
	}
	return broken(in, err);
}

// From the first character of a value to behind its last.
static bool skip_value(struct reader *in, size_t *ret_end, struct err *err)
{
	int depth = 0;

	*ret_end = in->pos;
	while (in->pos < in->len && (depth || peek(in) != '\n')) {
		char c = peek(in);

		if (c == '#') {
			skip_comment(in);
			continue;
		}
		if (c == '"' || c == '\'') {
			if (!skip_string(in, err))
				return false;
			*ret_end = in->pos;
			continue;
		}
		depth += (c == '[' || c == '{') - (c == ']' || c == '}');
		if (depth < 0)
			return broken(in, err);
		take(in);
		if (c != ' ' && c != '\t' && c != '\r')
			*ret_end = in->pos;
	}
	return !depth || broken(in, err);
}

static bool add_entry(struct toml *toml, const char *table, const char *key, char *value,
                      struct err *err)
{
	struct toml_entry entry = {mem_dup(table), mem_dup(key), value, 0, 0};

	if (entry.table && entry.key && value && toml->count < TOML_MAX_ENTRIES &&
	    mem_append(&toml->items, &toml->count, &entry, sizeof(entry)))
		return true;
	mem_free(entry.table);
	mem_free(entry.key);
	mem_free(value);
	if (toml->count >= TOML_MAX_ENTRIES)
		return err_set(err, ERR_FAILED, "TOML with more than %d values", TOML_MAX_ENTRIES);
	return err_memory(err);
}

static bool read_pair(struct reader *in, struct err *err)
{
	_cleanup_strbuf_ struct strbuf table = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(PATH_MAX_BYTES);
	struct toml_entry *entry;
	size_t start, end;

	strbuf_add(&table, in->table);
	if (!read_key(in, &table, &key, err))
		return false;
	if (peek(in) != '=')
		return broken(in, err);
	in->pos++;
	skip_blanks(in);
	start = in->pos;
	if (!skip_value(in, &end, err))
		return false;
	if (end == start)
		return broken(in, err);
	if (!add_entry(in->toml, strbuf_get(&table), strbuf_get(&key),
	               mem_dup_n(in->text + start, end - start), err))
		return false;
	entry = &in->toml->items[in->toml->count - 1];
	entry->start = start;
	entry->end = end;
	return true;
}

static bool read_header(struct reader *in, struct err *err)
{
	_cleanup_strbuf_ struct strbuf table = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(PATH_MAX_BYTES);

	if (in->toml->tables > in->pos)
		in->toml->tables = in->pos;
	in->pos++;
	if (peek(in) == '[') {
		err_set(err, ERR_FAILED, "TOML line %zu: an array of tables", in->line);
		return err_hint(err, "vpsml cannot read these");
	}
	if (!read_key(in, &table, &key, err))
		return false;
	if (peek(in) != ']')
		return broken(in, err);
	in->pos++;
	if (table.len)
		strbuf_add_char(&table, '.');
	strbuf_add(&table, strbuf_get(&key));
	if (table.failed)
		return broken(in, err);
	memcpy(in->table, strbuf_get(&table), table.len + 1);
	return true;
}

static bool read_line(struct reader *in, struct err *err)
{
	skip_blanks(in);
	if (peek(in) == '[' && !read_header(in, err))
		return false;
	if (is_bare(peek(in)) || peek(in) == '"' || peek(in) == '\'') {
		if (!read_pair(in, err))
			return false;
	}
	skip_blanks(in);
	if (peek(in) == '#')
		skip_comment(in);
	if (in->pos < in->len && take(in) != '\n')
		return broken(in, err);
	return true;
}

bool toml_parse(const char *text, size_t len, struct toml *ret, struct err *err)
{
	struct reader in = {.text = text, .len = len, .line = 1, .toml = ret};

	*ret = (struct toml){.tables = len};
	if (len > TOML_MAX_BYTES)
		return err_set(err, ERR_FAILED, "TOML of more than %d bytes", TOML_MAX_BYTES);
	while (in.pos < in.len) {
		if (!read_line(&in, err)) {
			toml_release(ret);
			return false;
		}
	}
	return true;
}

static struct toml_entry *find(const struct toml *toml, const char *table, const char *key)
{
	for (size_t i = 0; i < toml->count; i++)
		if (!strcmp(toml->items[i].table, table) && !strcmp(toml->items[i].key, key))
			return &toml->items[i];
	return NULL;
}

const char *toml_get(const struct toml *toml, const char *table, const char *key)
{
	const struct toml_entry *entry = find(toml, table, key);

	return entry ? entry->value : NULL;
}

bool toml_set(struct toml *toml, const char *table, const char *key, const char *value,
              struct err *err)
{
	struct toml_entry *entry = find(toml, table, key);
	char *copy = mem_dup(value);

	if (!entry)
		return add_entry(toml, table, key, copy, err);
	if (!copy)
		return err_memory(err);
	mem_free(entry->value);
	entry->value = copy;
	return true;
}

// Is TABLE the table PATH, or below it?
static bool is_below(const char *table, const char *path)
{
	size_t len = strlen(path);

	return !strncmp(table, path, len) && (!table[len] || table[len] == '.');
}

// Has an entry before AT the same table?
static bool is_written(const struct toml *toml, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (!strcmp(toml->items[i].table, toml->items[at].table))
			return true;
	return false;
}

void toml_write_table(struct strbuf *out, const struct toml *toml, const char *table)
{
	for (size_t i = 0; i < toml->count; i++) {
		if (!is_below(toml->items[i].table, table) || is_written(toml, i))
			continue;
		strbuf_addf(out, "\n[%s]\n", toml->items[i].table);
		for (size_t j = i; j < toml->count; j++)
			if (!strcmp(toml->items[j].table, toml->items[i].table))
				strbuf_addf(out, "%s = %s\n", toml->items[j].key, toml->items[j].value);
	}
}

void toml_quote(struct strbuf *out, const char *text)
{
	strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_add_char(out, '\\');
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			strbuf_addf(out, "\\u%04x", (unsigned)*text);
		else
			strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}

void toml_release(struct toml *toml)
{
	for (size_t i = 0; i < toml->count; i++) {
		mem_free(toml->items[i].table);
		mem_free(toml->items[i].key);
		mem_free(toml->items[i].value);
	}
	mem_free(toml->items);
	*toml = (struct toml){0};
}
