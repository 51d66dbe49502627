// SPDX-License-Identifier: MIT
#include "http/retry.h"

#include "unit.h"

static const int64_t now_ms = INT64_C(784111777) * 1000; // Sun, 06 Nov 1994 08:49:37 GMT

static void header_forms(void **state)
{
	(void)state;
	assert_int_equal(http_retry_parse_header("2", now_ms), 2000);
	assert_int_equal(http_retry_parse_header("0", now_ms), 0);
	assert_int_equal(http_retry_parse_header("3600", now_ms), 60000);
	assert_int_equal(http_retry_parse_header("99999999999999999999999", now_ms), 60000);
	assert_int_equal(http_retry_parse_header("Sun, 06 Nov 1994 08:49:40 GMT", now_ms), 3000);
	assert_int_equal(http_retry_parse_header("Sun, 06 Nov 1994 08:49:30 GMT", now_ms), 0);
	assert_int_equal(http_retry_parse_header("Sun, 06 Nov 2094 08:49:30 GMT", now_ms), 60000);
	assert_int_equal(http_retry_parse_header("", now_ms), -1);
	assert_int_equal(http_retry_parse_header("-1", now_ms), -1);
	assert_int_equal(http_retry_parse_header("2s", now_ms), -1);
	assert_int_equal(http_retry_parse_header("soon", now_ms), -1);
}

static bool is_tried(enum http_retry_mode mode, int status, int64_t retry_after_ms)
{
	struct http_retry retry = {.mode = mode, .tries = 1};
	struct http_retry_outcome outcome = {status, retry_after_ms};
	int64_t pause;

	return http_retry_pause(&retry, &outcome, 0, &pause);
}

static void a_post_is_never_sent_blindly(void **state)
{
	(void)state;
	assert_false(is_tried(HTTP_RETRY_UNSAFE, 0, -1));
	assert_false(is_tried(HTTP_RETRY_UNSAFE, 500, -1));
	assert_false(is_tried(HTTP_RETRY_UNSAFE, 504, -1));
	assert_true(is_tried(HTTP_RETRY_UNSAFE, 503, 1000));
	assert_true(is_tried(HTTP_RETRY_UNSAFE, 429, -1));
	assert_false(is_tried(HTTP_RETRY_SAFE, 0, -1));
	assert_true(is_tried(HTTP_RETRY_SAFE, 500, -1));
	assert_true(is_tried(HTTP_RETRY_READ, 0, -1));
	assert_false(is_tried(HTTP_RETRY_READ, 404, -1));
	assert_false(is_tried(HTTP_RETRY_READ, 404, 1000));
	assert_false(is_tried(HTTP_RETRY_READ, 501, -1));
	assert_false(is_tried(HTTP_RETRY_NEVER, 429, 1000));
}

static void asked_pause_is_kept_and_spread(void **state)
{
	struct http_retry retry = {.mode = HTTP_RETRY_READ, .tries = 1};
	struct http_retry_outcome outcome = {429, 2000};
	int64_t first, last;

	(void)state;
	assert_true(http_retry_pause(&retry, &outcome, 0, &first));
	assert_true(http_retry_pause(&retry, &outcome, UINT32_MAX, &last));
	assert_int_equal(first, 2000);
	assert_in_range(last, 2400, 2600);
}

// Ten answers with 503: the pauses end within a minute whatever the dice say.
static int64_t total_pause(int64_t retry_after_ms, uint32_t random, int *ret_tries)
{
	struct http_retry retry = {.mode = HTTP_RETRY_READ, .tries = 1};
	struct http_retry_outcome outcome = {503, retry_after_ms};
	int64_t pause;

	while (http_retry_pause(&retry, &outcome, random, &pause)) {
		retry.waited_ms += pause;
		retry.tries++;
	}
	*ret_tries = retry.tries;
	return retry.waited_ms;
}

static void pauses_have_an_end(void **state)
{
	int tries;

	(void)state;
	assert_in_range(total_pause(-1, UINT32_MAX, &tries), 7000, 7500);
	assert_int_equal(tries, HTTP_RETRY_TRIES);
	assert_int_equal(total_pause(-1, 0, &tries), 0);
	assert_int_equal(tries, HTTP_RETRY_TRIES);
	assert_in_range(total_pause(30000, UINT32_MAX, &tries), 30000, 60000);
	assert_int_equal(total_pause(60000, UINT32_MAX, &tries), 60000);
	assert_int_equal(tries, 2);
	total_pause(0, 0, &tries);
	assert_int_equal(tries, HTTP_RETRY_TRIES_ASKED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_forms),
		cmocka_unit_test(a_post_is_never_sent_blindly),
		cmocka_unit_test(asked_pause_is_kept_and_spread),
		cmocka_unit_test(pauses_have_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
