// SPDX-License-Identifier: MIT
// Strings and member names.
#include "base/json_pull_state.h"

#include <string.h>

// Parts of a string.
enum {
	PLAIN,
	ESCAPE, // behind a backslash
	HEX_1,  // HEX_1 to HEX_4: that many digits of \uXXXX are due
	HEX_2,
	HEX_3,
	HEX_4,
	PAIR_ESCAPE, // the backslash of a second half is due
	PAIR_U,      // and its u
};

static const char replacement[] = "\xEF\xBF\xBD"; // U+FFFD

// True if none of the eight bytes at DATA is a quote, a backslash, a control or over 0x7F.
static bool are_eight_plain(const char *data)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
	uint64_t bytes, quotes, backslashes;

	memcpy(&bytes, data, sizeof(bytes));
	quotes = bytes ^ ones * '"';
	backslashes = bytes ^ ones * '\\';
	// x - 0x01 borrows into the top bit exactly where a byte of x is zero (or over 0x80,
	// which `bytes` itself reports).
	return !(((quotes - ones) | (backslashes - ones) | (bytes - ones * 0x20) | bytes) & tops);
}

static const char *skip_plain(const char *at, const char *stop)
{
	while (stop - at >= 8 && are_eight_plain(at))
		at += 8;
	while (at < stop) {
		unsigned char c = (unsigned char)*at;

		if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\')
			break;
		at++;
	}
	return at;
}

// The first byte of a character of several bytes: how many follow, and between what bounds the
// next one lies (RFC 3629, table of section 4).
static bool start_utf8(struct json_pull *p, unsigned char c)
{
	p->utf8_low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
	p->utf8_high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
	p->utf8_left = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
	return c >= 0xC2 && c <= 0xF4;
}

static bool continue_utf8(struct json_pull *p, unsigned char c)
{
	bool is_ok = c >= p->utf8_low && c <= p->utf8_high;

	p->utf8_left--;
	p->utf8_low = 0x80;
	p->utf8_high = 0xBF;
	return is_ok;
}

// Reads plain characters up to STOP, a quote or a backslash.
static bool read_plain(struct json_pull *p, const char *stop, struct err *err)
{
	while (p->at < stop) {
		unsigned char c;

		if (!p->utf8_left)
			p->at = skip_plain(p->at, stop);
		if (p->at == stop)
			break;
		c = (unsigned char)*p->at;
		if (!p->utf8_left && (c == '"' || c == '\\'))
			break;
		if (!p->utf8_left && c < 0x20)
			return json_pull_broken(p, err, "control character in a string");
		if (p->utf8_left ? !continue_utf8(p, c) : !start_utf8(p, c))
			return json_pull_broken(p, err, "not UTF-8");
		p->at++;
	}
	return true;
}

// The most plain bytes that may come before the text is too long.
static const char *text_stop(const struct json_pull *p)
{
	size_t used = p->is_text_buffered ? p->buffer.len : 0;
	size_t left = used < p->max_text_bytes ? p->max_text_bytes - used : 0;

	return p->is_text_kept && left < (size_t)(p->stop - p->at) ? p->at + left : p->stop;
}

// The string ends at the quote under AT; its last plain bytes start at FROM.
static bool string_ends(struct json_pull *p, const char *from, enum json_token *ret)
{
	bool is_name = p->lexeme == JSON_PULL_IN_NAME;

	if (p->is_text_kept && p->is_text_buffered)
		json_pull_keep(p, from, (size_t)(p->at - from));
	p->text = p->is_text_buffered ? strbuf_get(&p->buffer) : from;
	p->text_len = p->is_text_buffered ? p->buffer.len : (size_t)(p->at - from);
	if (!p->is_text_kept)
		p->text_len = 0;
	p->at++;
	if (!is_name)
		return json_pull_value_ends(p, ret, JSON_TOKEN_STRING);
	p->lexeme = JSON_PULL_NO_LEXEME;
	p->state = JSON_PULL_COLON;
	*ret = JSON_TOKEN_NAME;
	return true;
}

// Plain characters, up to and with the quote or backslash. *is_whole: the string ended.
static bool plain_part(struct json_pull *p, bool *is_whole, enum json_token *ret, struct err *err)
{
	const char *from = p->at, *stop = text_stop(p);

	if (!read_plain(p, stop, err))
		return false;
	if (p->at < stop || (p->at < p->stop && *p->at == '"' && !p->utf8_left)) {
		*is_whole = *p->at == '"';
		if (*is_whole)
			return string_ends(p, from, ret);
		p->part = ESCAPE;
	} else if (p->at < p->stop) {
		return json_pull_broken(p, err, "string too long");
	}
	if (p->is_text_kept)
		json_pull_keep(p, from, (size_t)(p->at - from));
	p->at += p->part == ESCAPE;
	return true;
}

static bool escape_part(struct json_pull *p, struct err *err)
{
	static const char codes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *code = *p->at ? strchr(codes, *p->at) : NULL;

	if (*p->at == 'u') {
		p->part = HEX_4;
		p->unicode = 0;
	} else if (code) {
		p->part = PLAIN;
		if (p->is_text_kept)
			json_pull_keep(p, &values[code - codes], 1);
	} else {
		return json_pull_broken(p, err, "not an escape");
	}
	p->at++;
	return true;
}

static void keep_character(struct json_pull *p, uint32_t c)
{
	char bytes[4];
	size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};

	for (size_t i = len - 1; i > 0; i--, c >>= 6)
		bytes[i] = (char)(0x80 | (c & 0x3F));
	bytes[0] = (char)(marks[len] | c);
	json_pull_keep(p, bytes, len);
}

// The four digits of \u are read.
static bool unicode_ends(struct json_pull *p, struct err *err)
{
	uint32_t c = p->unicode;
	bool is_low = c >= 0xDC00 && c <= 0xDFFF;

	p->part = PLAIN;
	if (p->high ? !is_low : is_low)
		return json_pull_broken(p, err, "half of a surrogate pair");
	if (c >= 0xD800 && c <= 0xDBFF) {
		p->high = c;
		p->part = PAIR_ESCAPE;
		return true;
	}
	if (p->high)
		c = 0x10000 + ((p->high - 0xD800) << 10) + (c - 0xDC00);
	p->high = 0;
	if (p->is_text_kept && !c)
		json_pull_keep(p, replacement, sizeof(replacement) - 1);
	else if (p->is_text_kept)
		keep_character(p, c);
	return true;
}

static bool hex_part(struct json_pull *p, struct err *err)
{
	char c = *p->at;
	uint32_t digit;

	if (c >= '0' && c <= '9')
		digit = (uint32_t)(c - '0');
	else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
		digit = (uint32_t)((c | 0x20) - 'a' + 10);
	else
		return json_pull_broken(p, err, "not four hexadecimal digits");
	p->unicode = p->unicode << 4 | digit;
	if (p->part > HEX_1)
		p->part--;
	else if (!unicode_ends(p, err))
		return false;
	p->at++;
	return true;
}

static bool pair_part(struct json_pull *p, struct err *err)
{
	if (*p->at != (p->part == PAIR_ESCAPE ? '\\' : 'u'))
		return json_pull_broken(p, err, "half of a surrogate pair");
	p->unicode = 0;
	p->part = p->part == PAIR_ESCAPE ? PAIR_U : HEX_4;
	p->at++;
	return true;
}

bool json_pull_string(struct json_pull *p, enum json_token *ret, struct err *err)
{
	bool is_whole = false, is_ok = true;

	while (is_ok && !is_whole) {
		if (p->at == p->stop)
			return json_pull_out_of_bytes(p, ret, err);
		if (p->part == PLAIN)
			is_ok = plain_part(p, &is_whole, ret, err);
		else if (p->part == ESCAPE)
			is_ok = escape_part(p, err);
		else if (p->part <= HEX_4)
			is_ok = hex_part(p, err);
		else
			is_ok = pair_part(p, err);
	}
	return is_ok && (!p->buffer.failed || err_memory(err));
}
