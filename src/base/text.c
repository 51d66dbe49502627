// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <string.h>
#include <wchar.h>

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

// How many bytes a character that starts with BYTE takes, and the lowest that needs so many.
static size_t sequence_length(unsigned char byte, uint32_t *ret_lowest)
{
	*ret_lowest = 0;
	if (byte < 0x80)
		return 1;
	if (byte >= 0xC2 && byte < 0xE0) {
		*ret_lowest = 0x80;
		return 2;
	}
	if (byte >= 0xE0 && byte < 0xF0) {
		*ret_lowest = 0x800;
		return 3;
	}
	if (byte >= 0xF0 && byte < 0xF5) {
		*ret_lowest = 0x10000;
		return 4;
	}
	return 0;
}

size_t text_decode(const char *data, size_t len, uint32_t *ret_char)
{
	const unsigned char *bytes = (const unsigned char *)data;
	uint32_t lowest, value;
	size_t count = sequence_length(bytes[0], &lowest);

	if (count == 0 || count > len)
		return 0;
	value = count == 1 ? bytes[0] : bytes[0] & (0xFFu >> (count + 1));
	for (size_t i = 1; i < count; i++) {
		if (!is_continuation(bytes[i]))
			return 0;
		value = value << 6 | (bytes[i] & 0x3Fu);
	}
	if (value < lowest || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
		return 0;
	*ret_char = value;
	return count;
}

bool text_is_utf8(const char *data, size_t len)
{
	uint32_t c;

	for (size_t i = 0, step; i < len; i += step) {
		step = text_decode(data + i, len - i, &c);
		if (!step)
			return false;
	}
	return true;
}

static size_t width_n(const char *text, size_t left)
{
	size_t width = 0;

	while (left) {
		uint32_t c;
		size_t step = text_decode(text, left, &c);
		int columns = step ? wcwidth((wchar_t)c) : 1;

		if (columns > 0)
			width += (size_t)columns;
		text += step ? step : 1;
		left -= step ? step : 1;
	}
	return width;
}

size_t text_width(const char *text)
{
	return width_n(text, strlen(text));
}

// Characters that change how the text around them is shown.
static bool is_deceptive(uint32_t c)
{
	return (c >= 0x80 && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

static void add_caret(struct strbuf *out, char c)
{
	strbuf_add_char(out, '^');
	strbuf_add_char(out, (char)(c ^ 0x40));
}

void text_sanitize(struct strbuf *out, const char *data, size_t len, enum text_lines lines)
{
	static const char replacement[] = "\xEF\xBF\xBD";

	for (size_t i = 0, step; i < len; i += step) {
		uint32_t c = 0;
		bool is_kept_line = lines == TEXT_KEEP_LINES && (data[i] == '\n' || data[i] == '\t');

		step = text_decode(data + i, len - i, &c);
		if (!step || is_deceptive(c))
			strbuf_add(out, replacement);
		else if ((c < 0x20 && !is_kept_line) || c == 0x7F)
			add_caret(out, data[i]);
		else
			strbuf_add_n(out, data + i, step);
		if (!step)
			step = 1;
	}
}

enum { WORD_MAX = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

// Edits (insert, delete, replace, swap neighbours) that turn A into B; both at most WORD_MAX.
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	size_t width = strlen(b);

	for (size_t j = 0; j <= width; j++)
		above[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *next = before;

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = above;
		above = row;
		row = next;
	}
	return above[width];
}

const char *text_nearest(const char *text, const char *const *words, size_t count)
{
	size_t len = strlen(text), best = len / 3 + 1;
	const char *nearest = NULL;

	if (len > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t edits = strlen(words[i]) > WORD_MAX ? best : distance(text, words[i]);

		if (edits < best) {
			best = edits;
			nearest = words[i];
		}
	}
	return nearest;
}

void text_wrap(struct strbuf *out, const char *text, size_t column, size_t indent, size_t width)
{
	bool is_line_start = true;

	text += strspn(text, " ");
	while (*text) {
		size_t len = strcspn(text, " ");
		size_t columns = width_n(text, len);

		if (!is_line_start && column + 1 + columns > width) {
			strbuf_add_char(out, '\n');
			strbuf_add_repeat(out, ' ', indent);
			column = indent;
			is_line_start = true;
		}
		if (!is_line_start) {
			strbuf_add_char(out, ' ');
			column++;
		}
		strbuf_add_n(out, text, len);
		column += columns;
		is_line_start = false;
		text += len + strspn(text + len, " ");
	}
}
