// SPDX-License-Identifier: MIT
#include "base/json_pull.h"

#include <string.h>

#include "unit.h"

enum { MAX_TEXT = 64, MAX_RAW = 256 };

// Adds what the tokens of TEXT are, one letter each with the text behind it, or the error. Text
// goes in as chunks of CHUNK bytes, each in a block of its own so that a read beyond it is seen.
static void trace(struct strbuf *out, const char *text, size_t len, size_t chunk, bool is_stream)
{
	static const char letters[] = {[JSON_TOKEN_OPEN_OBJECT] = '{', [JSON_TOKEN_CLOSE_OBJECT] = '}',
	                               [JSON_TOKEN_OPEN_ARRAY] = '[',  [JSON_TOKEN_CLOSE_ARRAY] = ']',
	                               [JSON_TOKEN_NAME] = 'N',        [JSON_TOKEN_STRING] = 'S',
	                               [JSON_TOKEN_NUMBER] = '#',      [JSON_TOKEN_TRUE] = 't',
	                               [JSON_TOKEN_FALSE] = 'f',       [JSON_TOKEN_NULL] = 'n'};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pull_ struct json_pull p;
	enum json_token token = JSON_TOKEN_MORE;
	bool is_ok = true;

	json_pull_init(&p, MAX_TEXT, MAX_RAW, is_stream);
	p.is_text_kept = true;
	for (size_t at = 0; is_ok && token != JSON_TOKEN_END; at += chunk) {
		size_t count = at >= len ? 0 : len - at < chunk ? len - at : chunk;
		_cleanup_free_ char *block = mem_dup_n(text + (count ? at : 0), count);

		json_pull_push(&p, block, count);
		if (!count)
			json_pull_end(&p);
		while ((is_ok = json_pull_next(&p, &token, &err)) && token > JSON_TOKEN_END) {
			strbuf_add_char(out, letters[token]);
			if (token == JSON_TOKEN_NAME || token == JSON_TOKEN_STRING ||
			    token == JSON_TOKEN_NUMBER)
				strbuf_addf(out, "<%.*s>", (int)p.text_len, p.text);
		}
	}
	if (!is_ok)
		strbuf_addf(out, "!%s", err_message(&err));
}

static void check_n(const char *text, size_t len, bool is_stream, const char *expected)
{
	for (size_t chunk = 1; chunk <= len + 1; chunk++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);

		trace(&out, text, len, chunk, is_stream);
		assert_string_equal(strbuf_get(&out), expected);
	}
}

static void check(const char *text, const char *expected)
{
	check_n(text, strlen(text), false, expected);
}

static void values_and_structure(void **state)
{
	(void)state;
	check("{}", "{}");
	check(" [ ] ", "[]");
	check("null", "n");
	check("true", "t");
	check("[false,null , true]", "[fnt]");
	check("{\"a\":{\"b\":[1,\"x\"]},\"c\":null}", "{N<a>{N<b>[#<1>S<x>]}N<c>n}");
	check("\"\"", "S<>");
	check("\t\r\n\"a\"\n", "S<a>");
}

static void numbers_keep_their_text(void **state)
{
	(void)state;
	check("9007199254740993", "#<9007199254740993>");
	check("-0", "#<-0>");
	check("[0,-1.50,2e3,2E-10,1.0e+2]", "[#<0>#<-1.50>#<2e3>#<2E-10>#<1.0e+2>]");
	check("01", "#<0>!JSON byte 2: text behind the end");
	check("[01]", "[#<0>!JSON byte 3: neither , nor ]");
	check("-", "!JSON byte 2: not a number");
	check("[-]", "[!JSON byte 3: not a number");
	check("[1.]", "[!JSON byte 4: not a number");
	check("[1e]", "[!JSON byte 4: not a number");
	check("[1e+]", "[!JSON byte 5: not a number");
	check("+1", "!JSON byte 1: not a value");
	check(".5", "!JSON byte 1: not a value");
	check("NaN", "!JSON byte 1: not a value");
}

static void number_length_has_a_cap(void **state)
{
	char digits[JSON_PULL_MAX_NUMBER_BYTES + 2];
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);

	(void)state;
	memset(digits, '7', sizeof(digits));
	trace(&out, digits, JSON_PULL_MAX_NUMBER_BYTES, 3, false);
	assert_int_equal(out.len, JSON_PULL_MAX_NUMBER_BYTES + 3);
	check_n(digits, JSON_PULL_MAX_NUMBER_BYTES + 1, false, "!JSON byte 257: number too long");
}

static void escapes(void **state)
{
	(void)state;
	check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "S<\"\\/\b\f\n\r\t>");
	check("\"\\u0041\\u00e9\\u20AC\"", "S<A\xC3\xA9\xE2\x82\xAC>");
	check("\"\\ud83d\\uDE00!\"", "S<\xF0\x9F\x98\x80!>");
	check("{\"\\u0061\":1}", "{N<a>#<1>}");
	check("\"\\x\"", "!JSON byte 3: not an escape");
	check("\"\\u00g0\"", "!JSON byte 6: not four hexadecimal digits");
	check_n("\"\\\0\"", 4, false, "!JSON byte 3: not an escape");
}

static void surrogates_come_in_pairs(void **state)
{
	(void)state;
	check("\"\\ud83d\"", "!JSON byte 8: half of a surrogate pair");
	check("\"\\ud83dx\"", "!JSON byte 8: half of a surrogate pair");
	check("\"\\ud83d\\n\"", "!JSON byte 9: half of a surrogate pair");
	check("\"\\ud83d\\ud83d\"", "!JSON byte 13: half of a surrogate pair");
	check("\"\\ude00\"", "!JSON byte 7: half of a surrogate pair");
	check("\"\\ud83d\\u0041\"", "!JSON byte 13: half of a surrogate pair");
}

// A NUL would cut every text that is read as a C string.
static void nul_never_gets_into_a_text(void **state)
{
	(void)state;
	check("\"gpu\\u0000-1\"", "S<gpu\xEF\xBF\xBD-1>");
	check_n("\"a\0b\"", 5, false, "!JSON byte 3: control character in a string");
	check_n("[1,\0]", 5, false, "[#<1>!JSON byte 4: not a value");
}

static void strings_are_utf8(void **state)
{
	(void)state;
	check("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"", "S<\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80>");
	check("\"\x80\"", "!JSON byte 2: not UTF-8");
	check("\"\xC0\xAF\"", "!JSON byte 2: not UTF-8");
	check("\"\xE0\x80\xAF\"", "!JSON byte 3: not UTF-8");
	check("\"\xED\xA0\x80\"", "!JSON byte 3: not UTF-8");
	check("\"\xF4\x90\x80\x80\"", "!JSON byte 3: not UTF-8");
	check("\"\xF5\x80\"", "!JSON byte 2: not UTF-8");
	check("\"\xE2\x82\"", "!JSON byte 4: not UTF-8");
	check("\"ab\tc\"", "!JSON byte 4: control character in a string");
	check("\"0123456789abcdef\x1F\"", "!JSON byte 18: control character in a string");
	check("\"0123456789abcde\x7F\"", "S<0123456789abcde\x7F>");
}

static void broken_structure(void **state)
{
	(void)state;
	check("", "!JSON byte 1: the text ends early");
	check("[1", "[#<1>!JSON byte 3: the text ends early");
	check("{\"a\"", "{N<a>!JSON byte 5: the text ends early");
	check("\"a", "!JSON byte 3: the text ends early");
	check("tru", "!JSON byte 4: the text ends early");
	check("trux", "!JSON byte 4: not a value");
	check("[1,]", "[#<1>!JSON byte 4: not a value");
	check("[,1]", "[!JSON byte 2: not a value");
	check("{\"a\":1,}", "{N<a>#<1>!JSON byte 8: not a name");
	check("{\"a\" 1}", "{N<a>!JSON byte 6: no : behind a name");
	check("{a:1}", "{!JSON byte 2: not a name");
	check("[1}", "[#<1>!JSON byte 3: neither , nor ]");
	check("{\"a\":1]", "{N<a>#<1>!JSON byte 7: neither , nor }");
	check("]", "!JSON byte 1: not a value");
	check("{} {}", "{}!JSON byte 4: text behind the end");
	check("<html>", "!JSON byte 1: not a value");
}

static void stream_holds_documents(void **state)
{
	static const char lines[] = "{\"a\":1}\n{\"a\":2}\n[]3 4\n";

	(void)state;
	check_n(lines, strlen(lines), true, "{N<a>#<1>}{N<a>#<2>}[]#<3>#<4>");
	check_n("", 0, true, "");
	check_n("{}\n{", 4, true, "{}{!JSON byte 5: the text ends early");
}

static void depth_has_a_cap(void **state)
{
	char text[2 * JSON_PULL_MAX_DEPTH + 2];
	char expected[2 * JSON_PULL_MAX_DEPTH + 64] = "";

	(void)state;
	memset(text, '[', JSON_PULL_MAX_DEPTH);
	memset(text + JSON_PULL_MAX_DEPTH, ']', JSON_PULL_MAX_DEPTH);
	memcpy(expected, text, 2 * JSON_PULL_MAX_DEPTH);
	check_n(text, 2 * JSON_PULL_MAX_DEPTH, false, expected);
	text[JSON_PULL_MAX_DEPTH] = '[';
	snprintf(expected + JSON_PULL_MAX_DEPTH, 64, "!JSON byte 65: nested too deep");
	check_n(text, JSON_PULL_MAX_DEPTH + 1, false, expected);
}

static void text_length_has_a_cap(void **state)
{
	char text[MAX_TEXT + 8] = "\"", expected[MAX_TEXT + 32] = "S<";

	(void)state;
	memset(text + 1, 'x', MAX_TEXT);
	memset(expected + 2, 'x', MAX_TEXT);
	text[MAX_TEXT + 1] = '"';
	expected[MAX_TEXT + 2] = '>';
	check_n(text, MAX_TEXT + 2, false, expected);
	text[MAX_TEXT + 1] = 'x';
	check_n(text, MAX_TEXT + 3, false, "!JSON byte 66: string too long");
	memcpy(text + MAX_TEXT - 1, "\xE2\x82\xAC", 3); // a character across the cap
	check_n(text, MAX_TEXT + 3, false, "!JSON byte 66: string too long");
}

// Reads one object in chunks of CHUNK bytes and captures the value of each of its members.
static void capture(struct strbuf *out, const char *text, size_t chunk)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pull_ struct json_pull p;
	enum json_token token = JSON_TOKEN_MORE;
	size_t left = strlen(text), raw_len;
	const char *raw;
	bool is_ok = true;

	json_pull_init(&p, MAX_TEXT, 16, false);
	while (is_ok && left) {
		size_t count = left < chunk ? left : chunk;

		json_pull_push(&p, text, count);
		text += count;
		left -= count;
		while ((is_ok = json_pull_next(&p, &token, &err)) && token != JSON_TOKEN_MORE) {
			bool is_value_end = token != JSON_TOKEN_NAME && token != JSON_TOKEN_OPEN_ARRAY;

			p.is_raw_wanted = token == JSON_TOKEN_NAME;
			if (p.is_raw_open && p.depth == 1 && is_value_end) {
				assert_true(json_pull_raw(&p, &raw, &raw_len, &err));
				strbuf_addf(out, "%zu:%s;", raw_len, raw);
			}
		}
	}
	if (!is_ok)
		strbuf_addf(out, "!%s", err_message(&err));
}

static void captures_are_byte_exact(void **state)
{
	static const char text[] = "{\"a\": [ 1 , \"\\u0041\"] ,\"b\":\"x\\n\", \"c\":-1.0 }";
	static const char expected[] = "15:[ 1 , \"\\u0041\"];5:\"x\\n\";4:-1.0;";
	static const char too_long[] = "{\"a\": [ 1 , \"\\u0041+1\"] }";

	(void)state;
	for (size_t chunk = 1; chunk <= sizeof(text); chunk++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);

		capture(&out, text, chunk);
		assert_string_equal(strbuf_get(&out), expected);
		strbuf_clear(&out);
		capture(&out, too_long, chunk);
		assert_string_equal(strbuf_get(&out), "!JSON byte 23: value longer than 16 bytes");
	}
}

static void dropped_texts_are_still_checked(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pull_ struct json_pull p;
	enum json_token token;

	(void)state;
	json_pull_init(&p, 4, 0, false);
	json_pull_push(&p, "[\"longer than four\",\"\\ud800\"]", 30);
	assert_true(json_pull_next(&p, &token, &err));
	assert_true(json_pull_next(&p, &token, &err));
	assert_int_equal(token, JSON_TOKEN_STRING);
	assert_int_equal(p.text_len, 0);
	assert_false(json_pull_next(&p, &token, &err));
	assert_string_equal(err_message(&err), "JSON byte 28: half of a surrogate pair");
}

static void no_memory_is_an_error(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pull_ struct json_pull p;
	enum json_token token;

	(void)state;
	json_pull_init(&p, MAX_TEXT, 0, false);
	p.is_text_kept = true;
	json_pull_push(&p, "\"\\n\"", 4);
	unit_fail_allocation(1);
	assert_false(json_pull_next(&p, &token, &err));
	unit_fail_allocation(0);
	assert_int_equal(err.kind, ERR_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_and_structure),
		cmocka_unit_test(numbers_keep_their_text),
		cmocka_unit_test(number_length_has_a_cap),
		cmocka_unit_test(escapes),
		cmocka_unit_test(surrogates_come_in_pairs),
		cmocka_unit_test(nul_never_gets_into_a_text),
		cmocka_unit_test(strings_are_utf8),
		cmocka_unit_test(broken_structure),
		cmocka_unit_test(stream_holds_documents),
		cmocka_unit_test(depth_has_a_cap),
		cmocka_unit_test(text_length_has_a_cap),
		cmocka_unit_test(captures_are_byte_exact),
		cmocka_unit_test(dropped_texts_are_still_checked),
		cmocka_unit_test(no_memory_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
