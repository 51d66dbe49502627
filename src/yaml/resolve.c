// SPDX-License-Identifier: MIT
// What a plain scalar means: the rules of sigs.k8s.io/yaml, which reads YAML 1.1 for Kubernetes.
#include "yaml/nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 400 };

static const int64_t EXACT_MAX = INT64_C(1) << 53; // whole numbers that a double holds

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(text, *words))
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *text)
{
	while (is_digit(*text))
		text++;
	return text;
}

// [-+]? ( . digits | digits [. digits?] ) [e sign? digits]
static bool is_float(const char *text)
{
	const char *start, *end;

	text += *text == '-' || *text == '+';
	start = text;
	end = skip_digits(text);
	if (*end == '.') {
		text = end + 1;
		end = skip_digits(text);
		if (end == text && text - 1 == start)
			return false;
	} else if (end == start) {
		return false;
	}
	if (*end == 'e' || *end == 'E') {
		text = end + 1;
		text += *text == '-' || *text == '+';
		end = skip_digits(text);
		if (end == text)
			return false;
	}
	return !*end;
}

// The base that the prefix of TEXT asks for; *RET is where the digits start.
static unsigned integer_base(const char *text, const char **ret)
{
	char letter = *text == '0' ? (char)(text[1] | 0x20) : '\0';

	*ret = text + 2;
	if (letter == 'x')
		return 16;
	if (letter == 'o')
		return 8;
	if (letter == 'b')
		return 2;
	*ret = text;
	return *text == '0' ? 8 : 10;
}

static unsigned digit_value(char c)
{
	if (is_digit(c))
		return (unsigned)(c - '0');
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

// An integer in Go's notation: 0x, 0o, 0b, and a leading 0 for octal. What is beyond EXACT_MAX
// becomes EXACT_MAX + 1.
static bool read_integer(const char *text, int64_t *ret)
{
	bool is_negative = *text == '-';
	int64_t value = 0;
	unsigned base;

	text += *text == '-' || *text == '+';
	base = integer_base(text, &text);
	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = digit_value(*text);

		if (digit >= base)
			return false;
		value = value * base + digit;
		if (value > EXACT_MAX)
			value = EXACT_MAX + 1;
	}
	*ret = is_negative ? -value : value;
	return true;
}

// Copies TEXT without its _ to OUT. False if more than OUT holds remains.
static bool strip_underscores(const char *text, char out[static NUMBER_MAX])
{
	size_t len = 0;

	for (; *text; text++) {
		if (*text == '_')
			continue;
		if (len == NUMBER_MAX - 1)
			return false;
		out[len++] = *text;
	}
	out[len] = '\0';
	return true;
}

// Behind a leading dot Go wants each _ between two digits.
static bool has_loose_underscore(const char *text)
{
	for (const char *p = text + 1; *p; p++)
		if (*p == '_' && !(is_digit(p[-1]) && is_digit(p[1])))
			return true;
	return false;
}

static bool resolve_number(const char *text, struct yaml_scalar *ret, const char **ret_fault)
{
	char digits[NUMBER_MAX];
	int64_t whole;

	if (strspn(text, "+-.0123456789_abcdefoxABCDEFOX") != strlen(text))
		return true;
	if (!strip_underscores(text, digits)) {
		*ret_fault = "a number of this length is not read; quote it if it is text";
		return !is_float(text);
	}
	if (*text == '.' && has_loose_underscore(text))
		return true;
	if (read_integer(digits, &whole)) {
		*ret = (struct yaml_scalar){JSON_NUMBER, false, true, (double)whole};
		*ret_fault = "a whole number beyond 2^53 would change; quote it if it is text";
		return whole <= EXACT_MAX && whole >= -EXACT_MAX;
	}
	// 1e400 is text, as Go has it.
	if (is_float(digits) && isfinite(strtod(digits, NULL)))
		*ret = (struct yaml_scalar){JSON_NUMBER, false, false, strtod(digits, NULL)};
	return true;
}

static bool resolve_plain(const char *text, struct yaml_scalar *ret, const char **ret_fault)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	static const char *const trues[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
	                                    "True", "TRUE", "on",  "On",  "ON",  NULL};
	static const char *const falses[] = {"n",     "N",     "no",  "No",  "NO",  "false",
	                                     "False", "FALSE", "off", "Off", "OFF", NULL};
	static const char *const endless[] = {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN", NULL};

	if (is_one_of(text, nulls)) {
		ret->type = JSON_NULL;
	} else if (is_one_of(text, trues) || is_one_of(text, falses)) {
		ret->type = JSON_BOOL;
		ret->is_true = is_one_of(text, trues);
	} else if (is_one_of(text + (*text == '-' || *text == '+'), endless)) {
		*ret_fault = "JSON has no infinity and no not-a-number; quote it if it is text";
		return false;
	} else if (is_digit(*text) || (*text && strchr("+-.", *text))) {
		return resolve_number(text, ret, ret_fault);
	}
	return true;
}

static bool fits_tag(const struct yaml_scalar *scalar, enum node_tag tag)
{
	switch (tag) {
	case TAG_NONE:
	case TAG_STR:
		return true;
	case TAG_INT:
		return scalar->type == JSON_NUMBER && scalar->is_whole;
	case TAG_FLOAT:
		return scalar->type == JSON_NUMBER;
	case TAG_BOOL:
		return scalar->type == JSON_BOOL;
	case TAG_NULL:
		return scalar->type == JSON_NULL;
	case TAG_MAP:
	case TAG_SEQ:
		break;
	}
	return false;
}

bool yaml_scalar_resolve(const char *text, enum node_tag tag, bool is_plain,
                         struct yaml_scalar *ret, const char **ret_fault)
{
	*ret = (struct yaml_scalar){.type = JSON_STRING};
	if (tag == TAG_STR || (tag == TAG_NONE && !is_plain))
		return true;
	if (!resolve_plain(text, ret, ret_fault))
		return false;
	if (fits_tag(ret, tag))
		return true;
	*ret_fault = "the value does not fit its tag";
	return false;
}
