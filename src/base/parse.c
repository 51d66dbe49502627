// SPDX-License-Identifier: MIT
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

// Reads the digits at *POS as a number up to MAX and moves *POS behind them.
static bool take_number(const char **pos, int64_t max, int64_t *ret)
{
	const char *p = *pos;
	int64_t value = 0;

	if (!is_digit(*p))
		return false;
	for (; is_digit(*p); p++) {
		int digit = *p - '0';

		if (value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*pos = p;
	*ret = value;
	return true;
}

// The value of TEXT; false if it is no integer or does not fit.
static bool read_i64(const char *text, int64_t *ret)
{
	bool is_negative = *text == '-';
	int64_t value = 0; // negated, as there are more negative numbers

	if (*text == '-' || *text == '+')
		text++;
	if (!*text)
		return false;
	for (; *text; text++) {
		int digit = *text - '0';

		if (!is_digit(*text) || value < (INT64_MIN + digit) / 10)
			return false;
		value = value * 10 - digit;
	}
	if (!is_negative && value == INT64_MIN)
		return false;
	*ret = is_negative ? value : -value;
	return true;
}

bool parse_i64(const char *text, int64_t min, int64_t max, int64_t *ret, struct err *err)
{
	int64_t value;

	if (read_i64(text, &value) && value >= min && value <= max) {
		*ret = value;
		return true;
	}
	if (max == INT64_MAX)
		return err_set(err, ERR_USAGE, "\"%s\" is not a whole number of at least %" PRId64, text,
		               min);
	return err_set(err, ERR_USAGE, "\"%s\" is not a whole number from %" PRId64 " to %" PRId64,
	               text, min, max);
}

static const int64_t DURATION_MAX_S = INT64_C(100) * 366 * 86400;

// Adds COUNT units of UNIT_S seconds to *TOTAL, within DURATION_MAX_S.
static bool add_units(int64_t *total, int64_t count, int64_t unit_s)
{
	if (count > (DURATION_MAX_S - *total) / unit_s)
		return false;
	*total += count * unit_s;
	return true;
}

static int64_t unit_seconds(char unit)
{
	switch (unit) {
	case 'd':
		return 86400;
	case 'h':
		return 3600;
	case 'm':
		return 60;
	case 's':
		return 1;
	default:
		return 0;
	}
}

// 1d2h3m4s: each unit at most once, in this order.
static bool read_units(const char *text, int64_t *total)
{
	int64_t last = INT64_MAX;

	*total = 0;
	while (*text) {
		int64_t count, unit;

		if (!take_number(&text, DURATION_MAX_S, &count))
			return false;
		unit = unit_seconds(*text);
		if (!unit || unit >= last || !add_units(total, count, unit))
			return false;
		last = unit;
		text++;
	}
	return last != INT64_MAX;
}

// HH:MM:SS, or after days (D-) also HH and HH:MM.
static bool read_clock(const char *text, int64_t *total)
{
	static const int64_t units[] = {3600, 60, 1};
	const char *dash = strchr(text, '-');
	int64_t count;
	size_t field = 0;

	*total = 0;
	if (dash) {
		if (!take_number(&text, DURATION_MAX_S, &count) || text != dash ||
		    !add_units(total, count, 86400))
			return false;
		text++;
	}
	for (;; field++, text++) {
		if (field == COUNT_OF(units) || !take_number(&text, DURATION_MAX_S, &count) ||
		    (field > 0 && count > 59) || !add_units(total, count, units[field]))
			return false;
		if (*text != ':')
			break;
	}
	return !*text && (dash || field == 2);
}

bool parse_duration_s(const char *text, int64_t min_s, int64_t *ret_s, struct err *err)
{
	int64_t value;

	if (read_i64(text, &value) && value > 0) {
		err_set(err, ERR_USAGE, "\"%s\" has no unit", text);
		return err_hint(err, "%" PRId64 "s, %" PRId64 "m or %" PRId64 "h?", value, value, value);
	}
	if (strcmp(text, "0") && !read_units(text, &value) && !read_clock(text, &value)) {
		err_set(err, ERR_USAGE, "\"%s\" is not a duration", text);
		return err_hint(err, "write it as 90s, 2h30m, 1d or D-HH:MM:SS");
	}
	if (value < min_s)
		return err_set(err, ERR_USAGE, "\"%s\" is shorter than %" PRId64 " s", text, min_s);
	*ret_s = value;
	return true;
}

bool parse_word(const char *text, const char *const *words, size_t *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf list = STRBUF_INIT(4096);

	for (size_t i = 0; words[i]; i++) {
		if (!strcmp(words[i], text)) {
			*ret = i;
			return true;
		}
		strbuf_addf(&list, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
	}
	return err_set(err, ERR_USAGE, "\"%s\" is not %s", text, strbuf_get(&list));
}
