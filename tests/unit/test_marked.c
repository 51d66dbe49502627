// SPDX-License-Identifier: MIT
#include "ssh/marked.h"

#include <string.h>

#include "unit.h"

#define TOKEN "vpsml-0123456789abcdef"

static void emit(void *context, const char *data, size_t len)
{
	strbuf_add_n(context, data, len);
}

// Feeds TEXT in pieces of PIECE bytes and compares what is the command's.
static void feed(struct marked *stream, const char *text, size_t len, size_t piece,
                 struct strbuf *out)
{
	_cleanup_err_ struct err err = ERR_INIT;

	for (size_t at = 0; at < len; at += piece)
		assert_true(
			marked_feed(stream, text + at, len - at < piece ? len - at : piece, emit, out, &err));
}

static void assert_split(const char *text, size_t len, const char *expected, size_t expected_len,
                         enum marked_state state, int status)
{
	for (size_t piece = 1; piece <= len; piece++) {
		struct marked stream;
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(100000);

		marked_init(&stream, TOKEN);
		feed(&stream, text, len, piece, &out);
		assert_int_equal(stream.state, state);
		assert_int_equal(out.len, expected_len);
		assert_memory_equal(strbuf_get(&out), expected, expected_len);
		if (state == MARKED_AFTER)
			assert_int_equal(stream.status, status);
		marked_release(&stream);
	}
}

#define ASSERT_SPLIT(text, expected, state, status) \
	assert_split(text, sizeof(text) - 1, expected, sizeof(expected) - 1, state, status)

// kubekey#1331, sealos#1315: a .bashrc and a banner that talk.
static void kubekey_1331_noise_is_not_output(void **state)
{
	(void)state;
	ASSERT_SPLIT("Welcome!\nvpsml-\n" TOKEN "-x\n" TOKEN "-b\nhello\n" TOKEN "-e 0\nbye\n",
	             "hello\n", MARKED_AFTER, 0);
}

static void output_is_exact(void **state)
{
	(void)state;
	ASSERT_SPLIT(TOKEN "-b\n" TOKEN "-e 255\n", "", MARKED_AFTER, 255);
	ASSERT_SPLIT(TOKEN "-b\nno line feed" TOKEN "-e 7\n", "no line feed", MARKED_AFTER, 7);
	ASSERT_SPLIT(TOKEN "-b\n\0\xff\r\n\n" TOKEN "-e 130\n", "\0\xff\r\n\n", MARKED_AFTER, 130);
	ASSERT_SPLIT(TOKEN "-b\nvvpsvpsml-" TOKEN TOKEN "-e 1\n", "vvpsvpsml-" TOKEN, MARKED_AFTER, 1);
}

static void what_looks_like_a_mark_is_output(void **state)
{
	(void)state;
	ASSERT_SPLIT(TOKEN "-b\n" TOKEN "-b\n" TOKEN "-p" TOKEN "-e \n" TOKEN "-e 1234\n" TOKEN
	                   "-e x\n" TOKEN "-e 3\n",
	             TOKEN "-b\n" TOKEN "-p" TOKEN "-e \n" TOKEN "-e 1234\n" TOKEN "-e x\n",
	             MARKED_AFTER, 3);
}

static void cut_off_output_has_no_status(void **state)
{
	(void)state;
	ASSERT_SPLIT(TOKEN "-b\nhalf a li", "half a li", MARKED_INSIDE, 0);
	ASSERT_SPLIT(TOKEN "-b\nx" TOKEN "-e 12", "x", MARKED_INSIDE, 0);
	ASSERT_SPLIT("please login as ubuntu\n", "", MARKED_BEFORE, 0);
}

// A host that runs something else and shows the command that we sent.
static void command_that_is_echoed_is_no_mark(void **state)
{
	(void)state;
	ASSERT_SPLIT("exec /bin/sh -c 'm=" TOKEN "; printf \"%s-b\\n\" $m'\n", "", MARKED_BEFORE, 0);
}

static void prompts_are_counted_before_the_command(void **state)
{
	static const char text[] =
		"sudo: unable to resolve host x\n" TOKEN "-pSorry, try again.\n" TOKEN "-p";

	(void)state;
	for (size_t piece = 1; piece < sizeof(text); piece++) {
		struct marked stream;
		_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1000);

		marked_init(&stream, TOKEN);
		feed(&stream, text, sizeof(text) - 1, piece, &out);
		assert_int_equal(stream.prompts, 2);
		assert_string_equal(strbuf_get(&stream.noise),
		                    "sudo: unable to resolve host x\nSorry, try again.\n");
		marked_release(&stream);
	}
}

static void noise_is_capped(void **state)
{
	struct marked stream;
	char block[10000];
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(1000);

	(void)state;
	memset(block, 'v', sizeof(block));
	marked_init(&stream, TOKEN);
	for (size_t i = 0; i < 100; i++)
		feed(&stream, block, sizeof(block), sizeof(block), &out);
	assert_int_equal(stream.noise.len, MARKED_NOISE_BYTES);
	assert_true(stream.held.len < MARKED_TOKEN_BYTES);
	feed(&stream, TOKEN "-b\nok", strlen(TOKEN "-b\nok"), 5, &out);
	assert_string_equal(strbuf_get(&out), "ok");
	marked_release(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kubekey_1331_noise_is_not_output),
		cmocka_unit_test(output_is_exact),
		cmocka_unit_test(what_looks_like_a_mark_is_output),
		cmocka_unit_test(cut_off_output_has_no_status),
		cmocka_unit_test(command_that_is_echoed_is_no_mark),
		cmocka_unit_test(prompts_are_counted_before_the_command),
		cmocka_unit_test(noise_is_capped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
