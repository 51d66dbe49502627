// SPDX-License-Identifier: MIT
#include "cmd/fetch_url.h"

#include "http/http.h"

enum { FETCH_LIMIT_MS = 120000 };

struct fetch {
	struct strbuf *out;
	struct err *err;
	bool is_over, is_ok;
};

static void on_done(void *data, const struct http_response *response, const struct err *failure,
                    bool was_sent)
{
	struct fetch *fetch = data;

	(void)was_sent;
	fetch->is_over = true;
	if (failure) {
		err_copy(fetch->err, failure);
	} else if (response->status != 200) {
		err_set(fetch->err, ERR_UNREACHABLE, "the server answers with status %d", response->status);
	} else {
		strbuf_add_n(fetch->out, response->body, response->body_len);
		fetch->is_ok = strbuf_ok(fetch->out, fetch->err);
	}
}

static bool run(struct http *http, const char *url, struct fetch *fetch, struct err *err)
{
	const struct http_request request = {
		.method = "GET",
		.url = url,
		.timeout_ms = FETCH_LIMIT_MS,
		.done = on_done,
		.context = fetch,
	};
	uint64_t id;

	if (!http_start(http, &request, &id, err))
		return false;
	while (!fetch->is_over)
		if (!http_run(http, -1, err))
			return false;
	return fetch->is_ok;
}

bool cmd_fetch_url(void *data, const char *url, struct strbuf *out, struct err *err)
{
	const struct cli_context *context = data;
	const struct http_options options = {.clock = context->clock};
	_cleanup_http_ struct http *http = http_new(&options, err);
	struct fetch fetch = {.out = out, .err = err};

	return http && (run(http, url, &fetch, err) || err_wrap(err, "%s", url));
}
