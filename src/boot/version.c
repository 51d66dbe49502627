// SPDX-License-Identifier: MIT
#include "boot/version.h"

enum { NUMBER_MAX = 9999 };

// Reads "MAJOR.MINOR.PATCH" with an optional v; how many numbers there are, and where they end.
static int read_numbers(const char *text, struct boot_version *version, const char **ret_end)
{
	int *const numbers[] = {&version->major, &version->minor, &version->patch};
	int count = 0;

	*version = (struct boot_version){0};
	if (*text == 'v')
		text++;
	while (count < 3 && *text >= '0' && *text <= '9') {
		int value = 0;

		for (; *text >= '0' && *text <= '9'; text++)
			if (value <= NUMBER_MAX)
				value = value * 10 + (*text - '0');
		if (value > NUMBER_MAX)
			return 0;
		*numbers[count++] = value;
		if (*text != '.' || text[1] < '0' || text[1] > '9' || count == 3)
			break;
		text++;
	}
	*ret_end = text;
	return count;
}

bool boot_version_parse(const char *text, struct boot_version *ret, struct err *err)
{
	struct boot_version version;
	const char *end = text;

	if (read_numbers(text, &version, &end) != 3 || *end) {
		err_set(err, ERR_USAGE, "\"%s\" is not an exact version", text);
		return err_hint(err, "such as v1.34.4");
	}
	*ret = version;
	return true;
}

bool boot_version_scan(const char *text, struct boot_version *ret)
{
	struct boot_version version;
	const char *end;

	if (!read_numbers(text, &version, &end))
		return false;
	*ret = version;
	return true;
}

static int order(int a, int b)
{
	return (a > b) - (a < b);
}

int boot_version_compare(const struct boot_version *a, const struct boot_version *b)
{
	int result = order(a->major, b->major);

	if (!result)
		result = order(a->minor, b->minor);
	return result ? result : order(a->patch, b->patch);
}
