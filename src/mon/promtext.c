// SPDX-License-Identifier: MIT
#include "mon/promtext.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

struct mon_prom {
	mon_prom_fn *on_sample;
	void *context;
	struct strbuf line;
	bool is_too_long; // the rest of this line is passed over
	size_t page_bytes;
	int64_t malformed;
	struct mon_prom_label labels[MON_PROM_MAX_LABELS];
};

struct mon_prom *mon_prom_new(mon_prom_fn *on_sample, void *context, struct err *err)
{
	struct mon_prom *prom = mem_alloc(sizeof(*prom));

	if (!prom) {
		err_memory(err);
		return NULL;
	}
	prom->on_sample = on_sample;
	prom->context = context;
	prom->line = (struct strbuf)STRBUF_INIT(MON_PROM_MAX_LINE_BYTES);
	return prom;
}

static bool is_name_char(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
	       (!is_first && c >= '0' && c <= '9');
}

static char *skip_blanks(char *at)
{
	return at + strspn(at, " \t");
}

// The end of the name at AT; AT itself where there is none.
static char *skip_name(char *at)
{
	char *end = at;

	while (is_name_char(*end, end == at))
		end++;
	return end;
}

// Unescapes the text behind the quote at AT, in place: \\ \" \n, others as they stand. The place behind
// the closing quote, or NULL.
static char *unescape(char *at)
{
	char *out = at;

	for (; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1]) {
			at++;
			if (*at != '\\' && *at != '"' && *at != 'n')
				*out++ = '\\';
			*out++ = *at == 'n' ? '\n' : *at;
		} else {
			*out++ = *at;
		}
	}
	if (!*at)
		return NULL;
	*out = '\0';
	return at + 1;
}

// One `name="value"`. The place behind it, or NULL.
static char *read_label(char *at, struct mon_prom_label *label)
{
	char *end = skip_name(at), *quote;

	if (end == at)
		return NULL;
	quote = skip_blanks(end);
	if (*quote != '=')
		return NULL;
	quote = skip_blanks(quote + 1);
	if (*quote != '"')
		return NULL;
	*end = '\0';
	label->name = at;
	label->value = quote + 1;
	return unescape(quote + 1);
}

// What is inside the braces; AT is behind the first. The place behind the last, or NULL. A comma may
// stand at the end.
static char *read_labels(struct mon_prom *prom, char *at, size_t *ret_count)
{
	*ret_count = 0;
	for (at = skip_blanks(at); *at != '}'; at = skip_blanks(at)) {
		if (*ret_count == MON_PROM_MAX_LABELS)
			return NULL;
		at = read_label(at, &prom->labels[*ret_count]);
		if (!at)
			return NULL;
		++*ret_count;
		at = skip_blanks(at);
		if (*at == ',')
			at++;
		else if (*at != '}')
			return NULL;
	}
	return at + 1;
}

// The value, and nothing behind it but a time or an exemplar, which nobody asks for.
static bool read_value(char *at, double *ret)
{
	char *end;

	at = skip_blanks(at);
	if (!*at)
		return false;
	*ret = strtod(at, &end);
	if (end == at || !strchr(" \t", *end))
		return false;
	at = skip_blanks(end);
	if (*at == '#' || !*at)
		return true;
	at += strspn(at, "+-.0123456789eE");
	at = skip_blanks(at);
	return !*at || *at == '#';
}

// A line with a sample. False: malformed.
static bool read_sample(struct mon_prom *prom, char *line, struct mon_prom_sample *sample)
{
	char *end = skip_name(line), *rest = skip_blanks(end);

	*sample = (struct mon_prom_sample){.name = line, .labels = prom->labels};
	if (end == line || (rest == end && *rest != '{'))
		return false;
	if (*rest == '{') {
		rest = read_labels(prom, rest + 1, &sample->label_count);
		if (!rest)
			return false;
	}
	if (!read_value(rest, &sample->value))
		return false;
	*end = '\0';
	return true;
}

static bool end_line(struct mon_prom *prom, struct err *err)
{
	struct strbuf *line = &prom->line;
	struct mon_prom_sample sample;
	char *at;

	if (prom->is_too_long || (line->len && memchr(line->data, '\0', line->len))) {
		prom->malformed++;
	} else if (line->len) {
		if (line->data[line->len - 1] == '\r')
			line->data[line->len - 1] = '\0';
		at = skip_blanks(line->data);
		if (*at && *at != '#') {
			if (!read_sample(prom, at, &sample))
				prom->malformed++;
			else if (!prom->on_sample(prom->context, &sample, err))
				return false;
		}
	}
	prom->is_too_long = false;
	strbuf_clear(line);
	return true;
}

static bool add(struct mon_prom *prom, const char *data, size_t len, struct err *err)
{
	if (prom->is_too_long)
		return true;
	strbuf_add_n(&prom->line, data, len);
	if (!prom->line.failed)
		return true;
	if (!prom->line.is_over_max)
		return err_memory(err);
	prom->is_too_long = true;
	return true;
}

bool mon_prom_feed(struct mon_prom *prom, const char *data, size_t len, struct err *err)
{
	prom->page_bytes += len;
	if (prom->page_bytes > MON_PROM_MAX_PAGE_BYTES)
		return err_set(err, ERR_FAILED, "a page of metrics with more than %d MiB",
		               MON_PROM_MAX_PAGE_BYTES / 1024 / 1024);
	while (len) {
		const char *end = memchr(data, '\n', len);
		size_t part = end ? (size_t)(end - data) : len;

		if (!add(prom, data, part, err) || (end && !end_line(prom, err)))
			return false;
		part += end != NULL;
		data += part;
		len -= part;
	}
	return true;
}

bool mon_prom_finish(struct mon_prom *prom, struct err *err)
{
	return end_line(prom, err);
}

int64_t mon_prom_malformed(const struct mon_prom *prom)
{
	return prom->malformed;
}

void mon_prom_reset(struct mon_prom *prom)
{
	strbuf_clear(&prom->line);
	prom->is_too_long = false;
	prom->page_bytes = 0;
	prom->malformed = 0;
}

const char *mon_prom_label_of(const struct mon_prom_sample *sample, const char *name)
{
	for (size_t i = 0; i < sample->label_count; i++)
		if (!strcmp(sample->labels[i].name, name))
			return sample->labels[i].value;
	return NULL;
}

void mon_prom_free(struct mon_prom *prom)
{
	if (!prom)
		return;
	strbuf_release(&prom->line);
	mem_free(prom);
}

void mon_prom_freep(struct mon_prom **prom)
{
	mon_prom_free(*prom);
}
