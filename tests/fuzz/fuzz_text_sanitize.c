// SPDX-License-Identifier: MIT
// base/text: whatever comes in, what comes out is UTF-8 that a terminal only prints.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

enum { TEXT_MAX_BYTES = 64 * 1024 * 1024 };

static bool is_harmful(uint32_t c, enum text_lines lines)
{
	if (lines == TEXT_KEEP_LINES && (c == '\n' || c == '\t'))
		return false;
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069);
}

static void check_clean(const char *data, size_t len, enum text_lines lines)
{
	_cleanup_strbuf_ struct strbuf clean = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf twice = STRBUF_INIT(TEXT_MAX_BYTES);

	text_sanitize(&clean, data, len, lines);
	if (clean.failed || !text_is_utf8(strbuf_get(&clean), clean.len))
		abort();
	for (size_t i = 0, step; i < clean.len; i += step) {
		uint32_t c = 0;

		step = text_decode(clean.data + i, clean.len - i, &c);
		if (is_harmful(c, lines))
			abort();
	}
	text_sanitize(&twice, strbuf_get(&clean), clean.len, lines);
	if (strcmp(strbuf_get(&clean), strbuf_get(&twice)))
		abort();
}

static void check_layout(const char *text)
{
	static const char *const words[] = {"nodes", "network", "version", ""};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(TEXT_MAX_BYTES);

	text_width(text);
	text_nearest(text, words, COUNT_OF(words));
	text_wrap(&out, text, 4, 2, 20);
	if (out.failed)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = mem_dup_n((const char *)data, len);

	check_clean((const char *)data, len, TEXT_ONE_LINE);
	check_clean((const char *)data, len, TEXT_KEEP_LINES);
	check_layout(text);
	return 0;
}
