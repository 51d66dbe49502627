// SPDX-License-Identifier: MIT
#include "http/retry.h"

#include <curl/curl.h>
#include <string.h>

// May a second copy go out after this outcome?
static bool is_allowed(enum http_retry_mode mode, const struct http_retry_outcome *outcome)
{
	bool is_asked = outcome->retry_after_ms >= 0;

	switch (mode) {
	case HTTP_RETRY_NEVER:
		return false;
	case HTTP_RETRY_UNSAFE:
		// A 5xx without a pause may come from a gateway whose server did the work.
		return outcome->status == 429 || (outcome->status >= 500 && is_asked);
	case HTTP_RETRY_SAFE:
		return outcome->status == 429 || outcome->status >= 500;
	case HTTP_RETRY_READ:
	default:
		return outcome->status == 429 || outcome->status >= 500 || outcome->status == 0;
	}
}

static bool is_permanent(int status)
{
	return status == 501 || status == 505; // not implemented, HTTP version
}

// RANDOM as a number below LIMIT.
static int64_t below(uint32_t random, int64_t limit)
{
	return (int64_t)(((uint64_t)random * (uint64_t)limit) >> 32);
}

bool http_retry_pause(const struct http_retry *retry, const struct http_retry_outcome *outcome,
                      uint32_t random, int64_t *ret_ms)
{
	bool is_asked = outcome->retry_after_ms >= 0;
	int64_t left = HTTP_RETRY_MAX_WAIT_MS - retry->waited_ms, pause;

	if (!is_allowed(retry->mode, outcome) || is_permanent(outcome->status) ||
	    retry->tries >= (is_asked ? HTTP_RETRY_TRIES_ASKED : HTTP_RETRY_TRIES))
		return false;
	if (is_asked) {
		// Never early, and a little late so that clients do not all come back at once.
		pause = outcome->retry_after_ms;
		if (pause > left)
			return false;
		pause += below(random, 1 + (pause / 4 < 600 ? pause / 4 : 600));
		pause = pause < left ? pause : left;
	} else {
		pause = below(random, (int64_t)HTTP_RETRY_FIRST_MS << (retry->tries - 1));
		if (pause > left)
			return false;
	}
	*ret_ms = pause;
	return true;
}

int64_t http_retry_parse_header(const char *text, int64_t now_ms)
{
	size_t digits = strspn(text, "0123456789");
	int64_t pause = 0;

	if (digits && !text[digits]) {
		for (size_t i = 0; i < digits && pause < HTTP_RETRY_MAX_WAIT_MS; i++)
			pause = pause * 10 + (text[i] - '0');
		pause *= 1000;
	} else {
		time_t date = curl_getdate(text, NULL);

		if (digits || date == (time_t)-1)
			return -1;
		pause = (int64_t)date * 1000 - now_ms;
	}
	if (pause < 0)
		return 0;
	return pause < HTTP_RETRY_MAX_WAIT_MS ? pause : HTTP_RETRY_MAX_WAIT_MS;
}
