// SPDX-License-Identifier: MIT
// base/parse: numbers and durations stay in their range, and errors quote the text.
#include "fuzz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"

static const int64_t HUNDRED_YEARS_S = INT64_C(100) * 366 * 86400;

static void check_duration(const char *text)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 0;

	if (parse_duration_s(text, 1, &value, &err)) {
		if (value < 1 || value > HUNDRED_YEARS_S)
			abort();
	} else if (err.kind != ERR_USAGE || !strstr(err_message(&err), text)) {
		abort();
	}
}

static void check_number(const char *text)
{
	_cleanup_strbuf_ struct strbuf back = STRBUF_INIT(32);
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 0, again = 0;

	if (!parse_i64(text, INT64_MIN, INT64_MAX, &value, &err)) {
		if (err.kind != ERR_USAGE || !strstr(err_message(&err), text))
			abort();
		return;
	}
	strbuf_addf(&back, "%" PRId64, value);
	if (!parse_i64(strbuf_get(&back), value, value, &again, &err) || again != value)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const words[] = {"none", "client", "server", NULL};
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);
	_cleanup_err_ struct err err = ERR_INIT;
	size_t index = 0;

	check_duration(text);
	check_number(text);
	if (parse_word(text, words, &index, &err) && strcmp(words[index], text))
		abort();
	return 0;
}
