// SPDX-License-Identifier: MIT
#include "kube/quantity.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

// With an exponent beyond EXPONENT_MAX a number is 0, too large or next to nothing. No container
// starts in less than MEMORY_MIN_BYTES.
enum { NANO_PER_UNIT = 1000000000, EXPONENT_MAX = 10000000, MEMORY_MIN_BYTES = 1024 * 1024 };

static const struct suffix {
	const char *text;
	enum kube_quantity_format format;
	int power; // of 10, or of 2 for binary ones
} suffixes[] = {
	{"n", KUBE_QUANTITY_DECIMAL, -9}, {"u", KUBE_QUANTITY_DECIMAL, -6},
	{"m", KUBE_QUANTITY_DECIMAL, -3}, {"", KUBE_QUANTITY_DECIMAL, 0},
	{"k", KUBE_QUANTITY_DECIMAL, 3},  {"M", KUBE_QUANTITY_DECIMAL, 6},
	{"G", KUBE_QUANTITY_DECIMAL, 9},  {"T", KUBE_QUANTITY_DECIMAL, 12},
	{"P", KUBE_QUANTITY_DECIMAL, 15}, {"E", KUBE_QUANTITY_DECIMAL, 18},
	{"Ki", KUBE_QUANTITY_BINARY, 10}, {"Mi", KUBE_QUANTITY_BINARY, 20},
	{"Gi", KUBE_QUANTITY_BINARY, 30}, {"Ti", KUBE_QUANTITY_BINARY, 40},
	{"Pi", KUBE_QUANTITY_BINARY, 50}, {"Ei", KUBE_QUANTITY_BINARY, 60},
};

// The decimal number in front of the suffix: digits * 10^-fraction.
struct number {
	u128 digits;
	int fraction;     // digits behind the point that count in `digits`
	bool is_overlong; // digits that did not fit were not all zeros behind the point
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

// Takes 28 digits that count: those of 2^63 - 1 and nine behind the point.
static void add_digit(struct number *n, char digit, bool is_fraction)
{
	static const u128 full = (u128)NANO_PER_UNIT * NANO_PER_UNIT * NANO_PER_UNIT * 10;

	if (n->digits < full) {
		n->digits = n->digits * 10 + (unsigned)(digit - '0');
		n->fraction += is_fraction;
	} else if (!is_fraction || digit != '0') {
		n->is_overlong = true;
	}
}

// Reads "12", "1.5", ".5" or "5." (with a "+" before it) and returns what follows, or NULL.
static const char *read_number(const char *text, struct number *ret)
{
	bool is_fraction = false, has_digits = false;

	*ret = (struct number){0, 0, false};
	text += *text == '+';
	for (; is_digit(*text) || (*text == '.' && !is_fraction); text++) {
		if (*text == '.') {
			is_fraction = true;
			continue;
		}
		has_digits = true;
		add_digit(ret, *text, is_fraction);
	}
	return has_digits ? text : NULL;
}

// "e3", "E-2": a decimal exponent. "E" alone is exa, not an exponent.
static bool read_exponent(const char *text, struct suffix *ret)
{
	bool is_negative;
	int power = 0;

	if (*text != 'e' && *text != 'E')
		return false;
	text++;
	is_negative = *text == '-';
	text += *text == '-' || *text == '+';
	if (!is_digit(*text))
		return false;
	for (; is_digit(*text); text++)
		power = power < EXPONENT_MAX ? power * 10 + (*text - '0') : power;
	*ret = (struct suffix){"", KUBE_QUANTITY_EXPONENT, is_negative ? -power : power};
	return !*text;
}

static bool read_suffix(const char *text, struct suffix *ret)
{
	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		if (!strcmp(suffixes[i].text, text)) {
			*ret = suffixes[i];
			return true;
		}
	}
	return read_exponent(text, ret);
}

static const u128 u128_max = ~(u128)0;

// digits * 10^power, rounded up where the power is negative; false if over 128 bits.
static bool scale_ten(u128 *value, int power)
{
	for (; power > 0 && *value; power--) {
		if (*value > u128_max / 10)
			return false;
		*value *= 10;
	}
	for (; power < 0 && *value > 1; power++)
		*value = *value / 10 + (*value % 10 ? 1 : 0);
	return true;
}

// The value in nano-units, rounded up.
static bool to_nanos(const struct number *n, const struct suffix *suffix, u128 *ret)
{
	u128 value = n->digits;
	int power = 9 - n->fraction;

	if (suffix->format != KUBE_QUANTITY_BINARY)
		power += suffix->power;
	else if (value > u128_max >> suffix->power)
		return false;
	else
		value <<= suffix->power;
	*ret = value;
	return scale_ten(ret, power);
}

bool kube_quantity_parse(const char *text, struct kube_quantity *ret, struct err *err)
{
	struct number number;
	struct suffix suffix;
	const char *rest = read_number(text, &number);
	u128 nanos;

	if (!rest || !read_suffix(rest, &suffix))
		return err_set(err, ERR_USAGE, "\"%s\" is not a quantity", text);
	if (number.is_overlong || !to_nanos(&number, &suffix, &nanos) ||
	    nanos / NANO_PER_UNIT > INT64_MAX)
		return err_set(err, ERR_USAGE, "\"%s\" is too large or has too many digits", text);
	*ret = (struct kube_quantity){
		.is_set = true,
		.units = (int64_t)(nanos / NANO_PER_UNIT),
		.nanos = (int32_t)(nanos % NANO_PER_UNIT),
		.format = suffix.format,
	};
	return true;
}

// The suffix that LETTER (of a wrong one, as in "GB") most likely stands for, or 0.
static char meant_suffix(char letter)
{
	char upper = (char)toupper((unsigned char)letter);

	return strchr("KMGTPE", upper) && upper ? upper : 0;
}

// "8GB" → hint "8G or 8Gi?". IS_MEMORY leaves CPUs with advice of their own.
static bool hint_at(const char *text, bool is_memory, struct err *err)
{
	struct number number;
	const char *rest;
	int len;
	char letter;

	text += strspn(text, " ");
	rest = read_number(text, &number);
	len = rest ? (int)(rest - text) : 0;
	letter = rest ? meant_suffix(rest[strspn(rest, " ")]) : 0;
	if (!is_memory)
		return err_hint(err, "write it as 2, 0.5 or 500m");
	if (!letter)
		return err_hint(err, "write it as 512Mi, 4Gi or 4G");
	return err_hint(err, "%.*s%c or %.*s%ci?", len, text, letter == 'K' ? 'k' : letter, len, text,
	                letter);
}

// What fails all the same is too large: no other way to write it helps.
static bool is_quantity(const char *text)
{
	struct number number;
	struct suffix suffix;
	const char *rest = read_number(text, &number);

	return rest && read_suffix(rest, &suffix);
}

static bool parse_positive(const char *text, bool is_memory, struct kube_quantity *ret,
                           struct err *err)
{
	if (!kube_quantity_parse(text, ret, err))
		return !is_quantity(text) && hint_at(text, is_memory, err);
	if (!ret->units && !ret->nanos)
		return err_set(err, ERR_USAGE, "\"%s\" is not more than zero", text);
	return true;
}

bool kube_quantity_parse_cpu(const char *text, struct kube_quantity *ret, struct err *err)
{
	struct kube_quantity value;
	int64_t milli;

	if (!parse_positive(text, false, &value, err))
		return false;
	if (value.format == KUBE_QUANTITY_BINARY) {
		err_set(err, ERR_USAGE, "\"%s\" is an amount of memory, not a number of CPUs", text);
		return hint_at(text, false, err);
	}
	milli = kube_quantity_milli(&value);
	value.units = milli / 1000;
	value.nanos = (int32_t)(milli % 1000) * (NANO_PER_UNIT / 1000);
	*ret = value;
	return true;
}

// "128m" is 0.128 bytes and "8" is 8: legal, and never meant.
static bool refuse_tiny_memory(const char *text, const struct kube_quantity *value, struct err *err)
{
	int len = (int)strlen(text);
	char last = text[len - 1];

	if (strchr("mun", last)) {
		err_set(err, ERR_USAGE, "\"%s\" means %s of a byte", text,
		        last == 'm'   ? "thousandths"
		        : last == 'u' ? "millionths"
		                      : "billionths");
		return err_hint(err, "%.*sM or %.*sMi?", len - 1, text, len - 1, text);
	}
	if (value->format != KUBE_QUANTITY_DECIMAL || !is_digit(last)) {
		err_set(err, ERR_USAGE, "\"%s\" is less than 1Mi", text);
		return err_hint(err, "write it as 512Mi, 4Gi or 4G");
	}
	err_set(err, ERR_USAGE, "\"%s\" is in bytes, and less than 1Mi", text);
	return err_hint(err, "%sMi or %sGi?", text, text);
}

bool kube_quantity_parse_memory(const char *text, struct kube_quantity *ret, struct err *err)
{
	struct kube_quantity value;

	if (!parse_positive(text, true, &value, err))
		return false;
	value.units = kube_quantity_ceil(&value);
	value.nanos = 0;
	if (value.units < MEMORY_MIN_BYTES || strchr("mun", text[strlen(text) - 1]))
		return refuse_tiny_memory(text, &value, err);
	*ret = value;
	return true;
}

int64_t kube_quantity_ceil(const struct kube_quantity *quantity)
{
	if (quantity->nanos && quantity->units == INT64_MAX)
		return INT64_MAX;
	return quantity->units + (quantity->nanos ? 1 : 0);
}

int64_t kube_quantity_milli(const struct kube_quantity *quantity)
{
	static const int32_t nano_per_milli = NANO_PER_UNIT / 1000;
	int64_t part = (quantity->nanos + nano_per_milli - 1) / nano_per_milli;

	if (quantity->units > (INT64_MAX - part) / 1000)
		return INT64_MAX;
	return quantity->units * 1000 + part;
}

int kube_quantity_compare(const struct kube_quantity *a, const struct kube_quantity *b)
{
	if (a->units != b->units)
		return a->units < b->units ? -1 : 1;
	return a->nanos < b->nanos ? -1 : a->nanos > b->nanos;
}

static void write_binary(struct strbuf *out, int64_t units)
{
	size_t i = COUNT_OF(suffixes) - 1;

	while (suffixes[i].format == KUBE_QUANTITY_BINARY && units % (INT64_C(1) << suffixes[i].power))
		i--;
	if (suffixes[i].format == KUBE_QUANTITY_BINARY)
		strbuf_addf(out, "%" PRId64 "%s", units >> suffixes[i].power, suffixes[i].text);
	else
		strbuf_addf(out, "%" PRId64, units);
}

// A number that may be over 64 bits.
static void write_u128(struct strbuf *out, u128 value)
{
	static const uint64_t ten_to_18 = UINT64_C(1000000000000000000);

	if (value < ten_to_18)
		strbuf_addf(out, "%" PRIu64, (uint64_t)value);
	else
		strbuf_addf(out, "%" PRIu64 "%018" PRIu64, (uint64_t)(value / ten_to_18),
		            (uint64_t)(value % ten_to_18));
}

// With a decimal suffix, or with an exponent that is a multiple of three.
static void write_decimal(struct strbuf *out, const struct kube_quantity *quantity)
{
	u128 value = (u128)quantity->units * NANO_PER_UNIT + (u128)quantity->nanos;
	size_t i = 0;

	while (value && value % 1000 == 0 && suffixes[i + 1].format == KUBE_QUANTITY_DECIMAL) {
		value /= 1000;
		i++;
	}
	write_u128(out, value);
	if (quantity->format != KUBE_QUANTITY_EXPONENT)
		strbuf_add(out, suffixes[i].text);
	else if (suffixes[i].power)
		strbuf_addf(out, "e%d", suffixes[i].power);
}

void kube_quantity_write(struct strbuf *out, const struct kube_quantity *quantity)
{
	if (!quantity->units && !quantity->nanos)
		strbuf_add_char(out, '0');
	else if (quantity->format == KUBE_QUANTITY_BINARY && !quantity->nanos &&
	         quantity->units >= 1024)
		write_binary(out, quantity->units);
	else
		write_decimal(out, quantity);
}
