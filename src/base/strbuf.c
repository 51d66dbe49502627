// SPDX-License-Identifier: MIT
#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

// Makes room for LEN more bytes and the NUL.
static bool reserve(struct strbuf *buf, size_t len)
{
	size_t need, capacity;
	char *data;

	if (buf->failed)
		return false;
	if (len > buf->max - buf->len) {
		buf->failed = buf->is_over_max = true;
		return false;
	}
	need = buf->len + len + 1;
	if (need <= buf->capacity)
		return true;
	capacity = buf->capacity ? buf->capacity : 64;
	while (capacity < need)
		capacity += capacity / 2;
	data = mem_resize(buf->data, capacity);
	if (!data) {
		buf->failed = true;
		return false;
	}
	buf->data = data;
	buf->capacity = capacity;
	return true;
}

void strbuf_add_n(struct strbuf *buf, const char *data, size_t len)
{
	if (!reserve(buf, len))
		return;
	if (len)
		memcpy(buf->data + buf->len, data, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void strbuf_add(struct strbuf *buf, const char *text)
{
	strbuf_add_n(buf, text, strlen(text));
}

void strbuf_add_char(struct strbuf *buf, char c)
{
	strbuf_add_n(buf, &c, 1);
}

void strbuf_add_repeat(struct strbuf *buf, char c, size_t count)
{
	if (!reserve(buf, count))
		return;
	memset(buf->data + buf->len, c, count);
	buf->len += count;
	buf->data[buf->len] = '\0';
}

void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len < 0)
		buf->failed = true;
	else if (reserve(buf, (size_t)len))
		buf->len += (size_t)vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(buf, format, args);
	va_end(args);
}

const char *strbuf_get(const struct strbuf *buf)
{
	return buf->data ? buf->data : "";
}

void strbuf_clear(struct strbuf *buf)
{
	buf->len = 0;
	buf->failed = buf->is_over_max = false;
	if (buf->data)
		buf->data[0] = '\0';
}

bool strbuf_ok(const struct strbuf *buf, struct err *err)
{
	if (!buf->failed)
		return true;
	if (!buf->is_over_max)
		return err_memory(err);
	return err_set(err, ERR_FAILED, "text longer than %zu bytes", buf->max);
}

char *strbuf_take(struct strbuf *buf, struct err *err)
{
	strbuf_add_n(buf, "", 0);
	if (!strbuf_ok(buf, err))
		return NULL;
	buf->len = buf->capacity = 0;
	return TAKE(buf->data);
}

void strbuf_release(struct strbuf *buf)
{
	mem_free(buf->data);
	*buf = (struct strbuf)STRBUF_INIT(buf->max);
}
