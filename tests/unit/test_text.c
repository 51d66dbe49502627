// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <locale.h>
#include <string.h>

#include "unit.h"

static void expect_char(const char *bytes, size_t len, size_t step, uint32_t expected)
{
	uint32_t c = 0;

	assert_int_equal(text_decode(bytes, len, &c), step);
	assert_int_equal(c, expected);
}

static void decodes_each_length(void **state)
{
	(void)state;
	expect_char("A", 1, 1, 'A');
	expect_char("\0", 1, 1, 0);
	expect_char("\x7F", 1, 1, 0x7F);
	expect_char("\xC2\x80", 2, 2, 0x80);
	expect_char("\xDF\xBF", 2, 2, 0x7FF);
	expect_char("\xE0\xA0\x80", 3, 3, 0x800);
	expect_char("\xED\x9F\xBF", 3, 3, 0xD7FF);
	expect_char("\xEE\x80\x80", 3, 3, 0xE000);
	expect_char("\xEF\xBF\xBF", 3, 3, 0xFFFF);
	expect_char("\xF0\x90\x80\x80", 4, 4, 0x10000);
	expect_char("\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF);
}

// RFC 3629, 10: overlong forms, surrogates, what is beyond U+10FFFF, cut and stray bytes.
static void refuses_invalid_utf8(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} cases[] = {
		{"\x80", 1},
		{"\xBF", 1},
		{"\xC0\x80", 2},
		{"\xC1\xBF", 2},
		{"\xC2", 1},
		{"\xC2\x41", 2},
		{"\xE0\x80\xAF", 3},
		{"\xE0\x9F\xBF", 3},
		{"\xE2\x82", 2},
		{"\xF0\x9F\x92", 3},
		{"\xED\xA0\x80", 3},
		{"\xED\xBF\xBF", 3},
		{"\xF0\x80\x80\xAF", 4},
		{"\xF0\x8F\xBF\xBF", 4},
		{"\xF4\x90\x80\x80", 4},
		{"\xF5\x80\x80\x80", 4},
		{"\xF8\x88\x80\x80\x80", 5},
		{"\xFE", 1},
		{"\xFF", 1},
		{"\xE2\x28\xA1", 3},
		{"\xF0\x9F\x41\x80", 4},
	};
	uint32_t c;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_int_equal(text_decode(cases[i].bytes, cases[i].len, &c), 0);
		assert_false(text_is_utf8(cases[i].bytes, cases[i].len));
	}
	assert_true(text_is_utf8("", 0));
	assert_true(text_is_utf8("a\xC3\xA9\xF0\x9F\x9A\x80", 7));
	assert_false(text_is_utf8("a\xC3\xA9\xF0\x9F\x9A", 6));
}

static void counts_columns(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("gpu-1"), 5);
	assert_int_equal(text_width("\xFF\xFE"), 2); // not UTF-8: one a byte
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return;
	assert_int_equal(text_width("\xC3\xA9"), 1);
	assert_int_equal(text_width("\xE6\xBC\xA2\xE5\xAD\x97"), 4); // wide
	assert_int_equal(text_width("e\xCC\x81"), 1);                // combining
	setlocale(LC_CTYPE, "C");
}

static void expect_clean(enum text_lines lines, const char *data, size_t len, const char *clean)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

	text_sanitize(&out, data, len, lines);
	assert_string_equal(strbuf_get(&out), clean);
}

#define expect_clean_line(data, clean) expect_clean(TEXT_ONE_LINE, data, sizeof(data) - 1, clean)

#define REPLACED "\xEF\xBF\xBD"

// CVE-2021-25743: names and events reached the terminal as they came.
static void cve_2021_25743_escape_sequences(void **state)
{
	(void)state;
	expect_clean_line("\x1b[31mred\x1b[0m", "^[[31mred^[[0m");
	expect_clean_line("\x1b]0;title\x07", "^[]0;title^G");
	expect_clean_line("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
	                  "^[]8;;http://x^[\\link^[]8;;^[\\");
	expect_clean_line("\x1b]52;c;aGk=\x07", "^[]52;c;aGk=^G");
	expect_clean_line("\x1bP+q544e\x1b\\", "^[P+q544e^[\\");
	expect_clean_line("\xC2\x9B"
	                  "2J",
	                  REPLACED "2J"); // CSI as UTF-8
	expect_clean_line("\x9B"
	                  "2J",
	                  REPLACED "2J"); // CSI as one byte
	expect_clean_line("\xC2\x90\xC2\x9D\xC2\x85", REPLACED REPLACED REPLACED);
}

static void carriage_return_bell_and_delete_become_visible(void **state)
{
	(void)state;
	expect_clean_line("50%\r100%", "50%^M100%");
	expect_clean_line("\x07\x08\x7F", "^G^H^?");
	expect_clean_line("a\0b", "a^@b");
	expect_clean_line("a\nb\tc", "a^Jb^Ic");
	expect_clean(TEXT_KEEP_LINES, "a\nb\tc\r", 6, "a\nb\tc^M");
}

static void characters_that_reorder_text_are_replaced(void **state)
{
	(void)state;
	expect_clean_line("a\xE2\x80\xAE"
	                  "b", // U+202E
	                  "a" REPLACED "b");
	expect_clean_line("\xE2\x80\xAA\xE2\x81\xA6\xE2\x81\xA9", REPLACED REPLACED REPLACED);
	expect_clean_line("\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C", REPLACED REPLACED REPLACED);
	expect_clean_line("\xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF", REPLACED REPLACED REPLACED);
}

static void invalid_bytes_are_replaced_one_by_one(void **state)
{
	(void)state;
	expect_clean_line("\xC0\x9B"
	                  "x",
	                  REPLACED REPLACED "x"); // overlong ESC
	expect_clean_line("\xE0\x80\x9B", REPLACED REPLACED REPLACED);
	expect_clean_line("ok\xE2\x82", "ok" REPLACED REPLACED);
}

static void harmless_text_stays(void **state)
{
	static const char text[] = "Gr\xC3\xBC\xC3\x9F"
							   "e, \xE6\xBC\xA2\xE5\xAD\x97 \xF0\x9F\x9A\x80 \\x1b[0m ^[";

	(void)state;
	expect_clean(TEXT_ONE_LINE, text, sizeof(text) - 1, text);
	expect_clean(TEXT_ONE_LINE, "", 0, "");
}

// No byte or pair of bytes leaves anything that a terminal would obey.
static void no_pair_of_bytes_gets_through(void **state)
{
	(void)state;
	for (int first = 0; first < 256; first++)
		for (int second = 0; second < 256; second++) {
			const char pair[2] = {(char)first, (char)second};
			_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(64);

			text_sanitize(&out, pair, 2, TEXT_ONE_LINE);
			assert_true(text_is_utf8(out.data, out.len));
			for (size_t i = 0, step; i < out.len; i += step) {
				uint32_t c = 0;

				step = text_decode(out.data + i, out.len - i, &c);
				assert_false(c < 0x20 || (c >= 0x7F && c < 0xA0));
			}
		}
}

static void finds_what_was_meant(void **state)
{
	static const char *const words[] = {"nodes", "name", "network", "podCIDR", "version"};

	(void)state;
	assert_string_equal(text_nearest("nodez", words, COUNT_OF(words)), "nodes");
	assert_string_equal(text_nearest("ndoes", words, COUNT_OF(words)), "nodes");
	assert_string_equal(text_nearest("nmae", words, COUNT_OF(words)), "name");
	assert_string_equal(text_nearest("netwrk", words, COUNT_OF(words)), "network");
	assert_string_equal(text_nearest("name", words, COUNT_OF(words)), "name");
	assert_null(text_nearest("xyzzy", words, COUNT_OF(words)));
	assert_null(text_nearest("", words, COUNT_OF(words)));
	assert_null(text_nearest("nodes", words, 0));
}

static void nearest_survives_long_words(void **state)
{
	char at_limit[65], over[66];
	const char *const words[] = {at_limit, over, "x"};

	(void)state;
	memset(at_limit, 'a', 64);
	at_limit[64] = '\0';
	memset(over, 'b', 65);
	over[65] = '\0';
	assert_ptr_equal(text_nearest(at_limit, words, COUNT_OF(words)), at_limit);
	assert_null(text_nearest(over, words, COUNT_OF(words)));
}

static void expect_wrapped(const char *text, size_t column, size_t indent, size_t width,
                           const char *expected)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);

	text_wrap(&out, text, column, indent, width);
	assert_string_equal(strbuf_get(&out), expected);
}

static void wraps_at_blanks(void **state)
{
	(void)state;
	expect_wrapped("one two three four", 0, 2, 9, "one two\n  three\n  four");
	expect_wrapped("one two", 0, 0, 7, "one two");
	expect_wrapped("one two", 4, 4, 10, "one\n    two");
	expect_wrapped("one  two  ", 0, 0, 80, "one two");
	expect_wrapped("  one", 0, 0, 80, "one");
	expect_wrapped("", 0, 4, 80, "");
	expect_wrapped("unbreakable a", 0, 0, 5, "unbreakable\na");
}

static void a_word_of_any_length_has_its_width(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(65536), expected = STRBUF_INIT(65536);

	(void)state;
	strbuf_add_repeat(&text, 'x', 5000);
	strbuf_add(&expected, strbuf_get(&text));
	strbuf_add(&text, " y");
	strbuf_add(&expected, "\ny");
	expect_wrapped(strbuf_get(&text), 0, 0, 80, strbuf_get(&expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_each_length),
		cmocka_unit_test(refuses_invalid_utf8),
		cmocka_unit_test(counts_columns),
		cmocka_unit_test(cve_2021_25743_escape_sequences),
		cmocka_unit_test(carriage_return_bell_and_delete_become_visible),
		cmocka_unit_test(characters_that_reorder_text_are_replaced),
		cmocka_unit_test(invalid_bytes_are_replaced_one_by_one),
		cmocka_unit_test(harmless_text_stays),
		cmocka_unit_test(no_pair_of_bytes_gets_through),
		cmocka_unit_test(finds_what_was_meant),
		cmocka_unit_test(nearest_survives_long_words),
		cmocka_unit_test(wraps_at_blanks),
		cmocka_unit_test(a_word_of_any_length_has_its_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
