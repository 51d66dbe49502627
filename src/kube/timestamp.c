// SPDX-License-Identifier: MIT
#include "kube/timestamp.h"

#include <inttypes.h>

static const int64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000;

// What nanoseconds in 64 bits can tell.
enum { FIRST_YEAR = 1700, LAST_YEAR = 2200 };

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, YEAR = 365 * DAY };

// COUNT digits at *POS as a number; false if one is missing.
static bool take_digits(const char **pos, int count, int64_t *ret)
{
	int64_t value = 0;

	for (; count > 0; count--, ++*pos) {
		if (**pos < '0' || **pos > '9')
			return false;
		value = value * 10 + (**pos - '0');
	}
	*ret = value;
	return true;
}

static bool take_char(const char **pos, char c)
{
	if (**pos != c)
		return false;
	++*pos;
	return true;
}

// Days from the epoch to a date of the Gregorian calendar; the year is counted from March, so that
// the leap day is its last.
static int64_t days_from_date(int64_t year, int64_t month, int64_t day)
{
	int64_t shifted = month > 2 ? year : year - 1;
	int64_t era = shifted / 400, year_of_era = shifted % 400;
	int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
	       719468;
}

// ".5" and its like, as nanoseconds.
static int64_t take_fraction(const char **pos)
{
	int64_t scale = NS_PER_S / 10, ns = 0;

	if (!take_char(pos, '.'))
		return 0;
	for (; **pos >= '0' && **pos <= '9'; ++*pos, scale /= 10)
		ns += (**pos - '0') * scale;
	return ns;
}

// "Z" or "+08:00", in seconds.
static bool take_offset(const char **pos, int64_t *ret_s)
{
	int64_t hours, minutes, sign = **pos == '-' ? -1 : 1;

	*ret_s = 0;
	if (take_char(pos, 'Z'))
		return true;
	if (!take_char(pos, '+') && !take_char(pos, '-'))
		return false;
	if (!take_digits(pos, 2, &hours) || !take_char(pos, ':') || !take_digits(pos, 2, &minutes))
		return false;
	*ret_s = sign * (hours * HOUR + minutes * MINUTE);
	return true;
}

static bool parse(const char *p, int64_t *ret_ns)
{
	int64_t year, month, day, hour, minute, second, offset, ns;

	if (!take_digits(&p, 4, &year) || !take_char(&p, '-') || !take_digits(&p, 2, &month) ||
	    !take_char(&p, '-') || !take_digits(&p, 2, &day) || (*p != 'T' && *p != 't'))
		return false;
	p++;
	if (!take_digits(&p, 2, &hour) || !take_char(&p, ':') || !take_digits(&p, 2, &minute) ||
	    !take_char(&p, ':') || !take_digits(&p, 2, &second))
		return false;
	ns = take_fraction(&p);
	if (!take_offset(&p, &offset) || *p)
		return false;
	if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
		return false;
	if (year < FIRST_YEAR) { // Go's zero time: not known
		*ret_ns = 0;
		return true;
	}
	year = year > LAST_YEAR ? LAST_YEAR : year;
	*ret_ns =
		(days_from_date(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second - offset) *
			NS_PER_S +
		ns;
	return true;
}

bool kube_timestamp_parse(const char *text, int64_t *ret_ms, struct err *err)
{
	int64_t ns;

	if (!parse(text, &ns))
		return err_set(err, ERR_FAILED, "\"%s\" is not a time", text);
	*ret_ms = ns / NS_PER_MS - (ns % NS_PER_MS < 0);
	return true;
}

bool kube_timestamp_parse_ns(const char *text, size_t len, int64_t *ret_ns)
{
	char copy[64];

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return parse(copy, ret_ns);
}

void kube_timestamp_write(struct strbuf *out, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm parts;
	char text[32];

	if (gmtime_r(&seconds, &parts) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts))
		strbuf_add(out, text);
}

// "5h7m": COUNT units, and what is left in the next smaller one unless that is zero.
static void write_two(struct strbuf *out, int64_t seconds, int64_t unit, char name, int64_t small,
                      char small_name)
{
	int64_t rest = seconds % unit / small;

	strbuf_addf(out, "%" PRId64 "%c", seconds / unit, name);
	if (rest)
		strbuf_addf(out, "%" PRId64 "%c", rest, small_name);
}

void kube_span_write(struct strbuf *out, int64_t seconds)
{
	if (seconds < 0)
		seconds = 0;
	if (seconds < 2 * MINUTE)
		strbuf_addf(out, "%" PRId64 "s", seconds);
	else if (seconds < 10 * MINUTE)
		write_two(out, seconds, MINUTE, 'm', 1, 's');
	else if (seconds < 3 * HOUR)
		strbuf_addf(out, "%" PRId64 "m", seconds / MINUTE);
	else if (seconds < 8 * HOUR)
		write_two(out, seconds, HOUR, 'h', MINUTE, 'm');
	else if (seconds < 2 * DAY)
		strbuf_addf(out, "%" PRId64 "h", seconds / HOUR);
	else if (seconds < 8 * DAY)
		write_two(out, seconds, DAY, 'd', HOUR, 'h');
	else if (seconds < 2 * (int64_t)YEAR)
		strbuf_addf(out, "%" PRId64 "d", seconds / DAY);
	else if (seconds < 8 * (int64_t)YEAR)
		write_two(out, seconds, YEAR, 'y', DAY, 'd');
	else
		strbuf_addf(out, "%" PRId64 "y", seconds / YEAR);
}
