// SPDX-License-Identifier: MIT
#include "base/json_pick.h"

#include <string.h>

#include "base/strbuf.h"
#include "unit.h"

// Writes each event down: the id as a letter, the type as a mark, name and text.
static bool note(void *context, const struct json_pick_event *event, struct err *err)
{
	static const char marks[] = {
		[JSON_PICK_OPEN] = '(',   [JSON_PICK_CLOSE] = ')', [JSON_PICK_STRING] = '=',
		[JSON_PICK_NUMBER] = '#', [JSON_PICK_TRUE] = 't',  [JSON_PICK_FALSE] = 'f',
		[JSON_PICK_NULL] = 'n',   [JSON_PICK_TEXT] = '~'};
	struct strbuf *out = context;

	assert_int_equal(strlen(event->text), event->len);
	if (!strcmp(event->text, "stop"))
		return err_set(err, ERR_FAILED, "stopped by the taker");
	strbuf_addf(out, "%c%c", event->id, marks[event->type]);
	if (*event->name)
		strbuf_addf(out, "%s:", event->name);
	strbuf_addf(out, "%s ", event->text);
	return true;
}

static void trace(struct strbuf *out, struct json_pick_options *options, const char *text,
                  size_t chunk)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pick_ struct json_pick *pick = NULL;
	size_t left = strlen(text);
	bool is_ok = true;

	options->take = note;
	options->context = out;
	pick = json_pick_new(options, &err);
	assert_non_null(pick);
	while (is_ok && left) {
		size_t count = left < chunk ? left : chunk;
		_cleanup_free_ char *block = mem_dup_n(text, count);

		is_ok = json_pick_feed(pick, block, count, &err);
		text += count;
		left -= count;
	}
	if (!is_ok || !json_pick_finish(pick, &err))
		strbuf_addf(out, "!%s", err_message(&err));
}

static void check(struct json_pick_options *options, const char *text, const char *expected)
{
	for (size_t chunk = 1; chunk <= strlen(text) + 1; chunk++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);

		trace(&out, options, text, chunk);
		assert_string_equal(strbuf_get(&out), expected);
	}
}

static void list_of_records(void **state)
{
	static const struct json_want wants[] = {
		{"metadata.continue", 'c', JSON_WANT_VALUE},
		{"items[]", 'i', JSON_WANT_VALUE},
		{"items[].metadata.name", 'n', JSON_WANT_VALUE},
		{"items[].status.containers[]", 's', JSON_WANT_VALUE},
		{"items[].status.containers[].restarts", 'r', JSON_WANT_VALUE},
	};
	struct json_pick_options options = {.wants = wants, .want_count = COUNT_OF(wants)};

	(void)state;
	check(&options,
	      "{\"metadata\":{\"continue\":\"abc\",\"name\":\"no\"},\"items\":["
	      "{\"metadata\":{\"uid\":{\"name\":1},\"name\":\"a\"},\"status\":{\"containers\":["
	      "{\"restarts\":0},{\"restarts\":9007199254740993}]}},"
	      "{\"name\":\"no\",\"metadata\":{\"name\":\"b\"}}],\"name\":\"no\"}",
	      "c=abc i( n=a s( r#0 s) s( r#9007199254740993 s) i) i( n=b i) ");
	check(&options, "{\"items\":null}", "");
	check(&options, "{\"items\":[1,[{\"metadata\":{\"name\":\"no\"}}]]}", "i#1 i( i) ");
}

static void members_of_any_name(void **state)
{
	static const struct json_want wants[] = {
		{"labels.*", 'l', JSON_WANT_VALUE},
		{"labels[\"vpsml.dev/user\"]", 'u', JSON_WANT_VALUE},
		{"limits.*.max", 'm', JSON_WANT_VALUE},
		{"phase", 'p', JSON_WANT_VALUE},
	};
	struct json_pick_options options = {.wants = wants, .want_count = COUNT_OF(wants)};

	(void)state;
	check(
		&options,
		"{\"labels\":{\"a\":\"1\",\"vpsml.dev/user\":\"ann\",\"g\\u0070u\":true,\"n\":null},"
		"\"limits\":{\"cpu\":{\"min\":1,\"max\":4},\"memory\":{\"max\":\"8Gi\"}},\"phase\":\"x\"}",
		"l=a:1 u=ann ltgpu: lnn: m#cpu:4 m=memory:8Gi p=x ");
}

static void wanted_text_is_byte_exact(void **state)
{
	static const struct json_want wants[] = {
		{"items[]", 't', JSON_WANT_TEXT},
		{"items[].name", 'n', JSON_WANT_VALUE},
		{"kind", 'k', JSON_WANT_TEXT},
	};
	struct json_pick_options options = {.wants = wants, .want_count = COUNT_OF(wants)};

	(void)state;
	check(&options, "{\"kind\": \"Lis\\u0074\" , \"items\":[ {\"name\": \"a\"} , 12,{ } ]}",
	      "k~\"Lis\\u0074\" n=a t~{\"name\": \"a\"} t~12 t~{ } ");
	check(&options, "{\"items\":[]}", "");
}

static void watch_lines(void **state)
{
	static const struct json_want wants[] = {
		{"", 'e', JSON_WANT_VALUE},
		{"type", 't', JSON_WANT_VALUE},
		{"object.metadata.name", 'n', JSON_WANT_VALUE},
	};
	struct json_pick_options options = {
		.wants = wants, .want_count = COUNT_OF(wants), .is_stream = true, .max_record_bytes = 64};

	(void)state;
	check(&options,
	      "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}\n"
	      "{\"object\":{\"metadata\":{\"name\":\"b\"}},\"type\":\"DELETED\"}\n",
	      "e( t=ADDED n=a e) e( n=b t=DELETED e) ");
	check(&options, "", "");
}

static void record_length_has_a_cap(void **state)
{
	static const struct json_want wants[] = {
		{"items[]", 'i', JSON_WANT_VALUE},
		{"items[].text", 't', JSON_WANT_TEXT},
		{"items[].name", 'n', JSON_WANT_VALUE},
	};
	struct json_pick_options options = {
		.wants = wants, .want_count = COUNT_OF(wants), .max_record_bytes = 20};

	(void)state;
	// Only what a record holds counts, not how many there are.
	check(&options,
	      "{\"x\":\"12345678901234567890\",\"items\":[{\"name\":\"a\"},{\"name\":\"b\"},{}]}",
	      "i( n=a i) i( n=b i) i( i) ");
	check(&options, "{\"items\":[{\"x\":\"12345678901234567890\"}]}",
	      "i( !JSON byte 32: value longer than 20 bytes");
	check(&options, "{\"items\":[{\"text\":\"12345678901234567890\"}]}",
	      "i( !JSON byte 32: value longer than 20 bytes");
}

static void text_length_has_a_cap(void **state)
{
	static const struct json_want wants[] = {{"a", 'a', JSON_WANT_VALUE}};
	struct json_pick_options options = {.wants = wants, .want_count = 1, .max_text_bytes = 4};

	(void)state;
	check(&options, "{\"longer\":1}", "!JSON byte 7: string too long");
	check(&options, "{\"a\":\"longer\"}", "!JSON byte 11: string too long");
	check(&options, "{\"b\":\"longer\",\"a\":\"1234\"}", "a=1234 ");
}

static void taker_can_stop(void **state)
{
	static const struct json_want wants[] = {{"[]", 'a', JSON_WANT_VALUE}};
	struct json_pick_options options = {.wants = wants, .want_count = 1};

	(void)state;
	check(&options, "[\"go\",\"stop\",\"never\"]", "a=go !stopped by the taker");
}

static void same_member_twice_comes_twice(void **state)
{
	static const struct json_want wants[] = {{"a", 'a', JSON_WANT_VALUE}};
	struct json_pick_options options = {.wants = wants, .want_count = 1};

	(void)state;
	check(&options, "{\"a\":1,\"a\":2}", "a#1 a#2 ");
}

static void wrong_paths(void **state)
{
	static const char *const paths[] = {".a", "a.", "a..b", "a[0]", "a[\"b]", "a[]b", "a["};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		struct json_want want = {paths[i], 1, JSON_WANT_VALUE};
		struct json_pick_options options = {.wants = &want, .want_count = 1, .take = note};

		assert_null(json_pick_new(&options, &err));
		assert_non_null(strstr(err_message(&err), "not a path"));
	}
}

static void wants_that_clash(void **state)
{
	static const struct json_want twice[] = {{"a.b", 1, JSON_WANT_VALUE},
	                                         {"a[\"b\"]", 2, JSON_WANT_TEXT}};
	static const struct json_want nested[] = {{"a[].b", 1, JSON_WANT_TEXT},
	                                          {"a", 2, JSON_WANT_TEXT}};
	struct json_pick_options options = {.wants = twice, .want_count = 2, .take = note};
	_cleanup_err_ struct err err = ERR_INIT;

	(void)state;
	assert_null(json_pick_new(&options, &err));
	assert_string_equal(err_message(&err), "wanted twice: \"a[\"b\"]\"");
	options.wants = nested;
	assert_null(json_pick_new(&options, &err));
	assert_string_equal(err_message(&err), "text wanted inside a wanted text");
}

static void reset_starts_over(void **state)
{
	static const struct json_want wants[] = {{"a[]", 'a', JSON_WANT_VALUE}};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
	struct json_pick_options options = {
		.wants = wants, .want_count = 1, .take = note, .context = &out};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_json_pick_ struct json_pick *pick = json_pick_new(&options, &err);

	(void)state;
	assert_true(json_pick_feed(pick, "{\"a\":[{\"b", 9, &err));
	json_pick_reset(pick);
	assert_true(json_pick_feed(pick, "{\"a\":[7]}", 9, &err));
	assert_true(json_pick_finish(pick, &err));
	assert_string_equal(strbuf_get(&out), "a( a#7 ");
}

static void values_are_converted(void **state)
{
	struct json_pick_event event = {.type = JSON_PICK_STRING, .text = "abc", .len = 3};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *text = NULL;
	int64_t number = 7;
	bool flag = false;

	(void)state;
	assert_true(json_pick_dup(&event, &text, &err));
	assert_true(json_pick_dup(&event, &text, &err));
	assert_string_equal(text, "abc");
	assert_false(json_pick_i64(&event, &number, &err));
	assert_string_equal(err_message(&err), "a string, not a number");
	event = (struct json_pick_event){.type = JSON_PICK_NUMBER, .text = "9007199254740993"};
	assert_true(json_pick_i64(&event, &number, &err));
	assert_int_equal(number, 9007199254740993);
	event.text = "1.5";
	assert_false(json_pick_i64(&event, &number, &err));
	assert_false(json_pick_dup(&event, &text, &err));
	event = (struct json_pick_event){.type = JSON_PICK_TRUE, .text = ""};
	assert_true(json_pick_bool(&event, &flag, &err));
	assert_true(flag);
	event.type = JSON_PICK_NULL;
	assert_true(json_pick_i64(&event, &number, &err) && json_pick_bool(&event, &flag, &err) &&
	            json_pick_dup(&event, &text, &err));
	assert_int_equal(number, 9007199254740993);
	assert_string_equal(text, "abc");
}

static void every_failed_allocation_is_an_error(void **state)
{
	static const struct json_want wants[] = {{"a.*", 'a', JSON_WANT_VALUE},
	                                         {"b", 'b', JSON_WANT_TEXT}};
	static const char text[] = "{\"a\":{\"x\":\"1\\n\"},\"b\":[1,2]}";
	bool is_ok = false;

	(void)state;
	for (size_t nth = 1; !is_ok; nth++) {
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(4096);
		struct json_pick_options options = {
			.wants = wants, .want_count = 2, .take = note, .context = &out};
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_json_pick_ struct json_pick *pick = NULL;

		strbuf_add_repeat(&out, ' ', 100);
		strbuf_clear(&out);
		unit_fail_allocation(nth);
		pick = json_pick_new(&options, &err);
		is_ok = pick && json_pick_feed(pick, text, 9, &err) &&
		        json_pick_feed(pick, text + 9, strlen(text) - 9, &err) &&
		        json_pick_finish(pick, &err);
		unit_fail_allocation(0);
		if (is_ok)
			assert_string_equal(strbuf_get(&out), "a=x:1\n b~[1,2] ");
		else
			assert_int_equal(err.kind, ERR_MEMORY);
		assert_true(nth < 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_of_records),
		cmocka_unit_test(members_of_any_name),
		cmocka_unit_test(wanted_text_is_byte_exact),
		cmocka_unit_test(watch_lines),
		cmocka_unit_test(record_length_has_a_cap),
		cmocka_unit_test(text_length_has_a_cap),
		cmocka_unit_test(taker_can_stop),
		cmocka_unit_test(same_member_twice_comes_twice),
		cmocka_unit_test(wrong_paths),
		cmocka_unit_test(wants_that_clash),
		cmocka_unit_test(reset_starts_over),
		cmocka_unit_test(values_are_converted),
		cmocka_unit_test(every_failed_allocation_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
