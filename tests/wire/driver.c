// SPDX-License-Identifier: MIT
// What the wire cases run. `driver fetch [--NAME VALUE]… URL` sends requests through src/http and
// prints what came of each; driver_kube.c has the other commands.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/parse.h"
#include "driver.h"
#include "http/http.h"

enum { FILE_MAX_BYTES = 1024 * 1024, SHOWN_BYTES = 400 };

struct fetch {
	struct http_request request;
	struct http_tls tls;
	struct http_proxy proxy;
	struct strv headers;
	struct strbuf ca;
	int64_t count; // requests at once
	int64_t rounds;
	int64_t left;
	bool is_http1_only, has_log, is_streamed, can_restart;
	uint64_t streamed_bytes;
	int restarts;
};

static void print_log(void *context, int level, const char *line)
{
	(void)context;
	printf("log %d: %s\n", level, line);
}

static void done(void *context, const struct http_response *response, const struct err *failure,
                 bool was_sent)
{
	struct fetch *fetch = context;

	fetch->left--;
	if (failure) {
		printf("failed %d%s: %s\n", err_exit_status(failure->kind),
		       was_sent ? " after sending" : "", err_message(failure));
		if (failure->hint)
			printf("hint: %s\n", failure->hint);
		return;
	}
	printf("status %d", response->status);
	if (*response->content_type)
		printf(", %s", response->content_type);
	if (response->retry_after_ms >= 0)
		printf(", retry after %lld ms", (long long)response->retry_after_ms);
	if (fetch->is_streamed)
		printf(", %llu bytes streamed", (unsigned long long)fetch->streamed_bytes);
	printf(", %zu bytes%s\n", response->body_len, response->is_body_cut ? ", cut" : "");
	for (size_t i = 0; i < response->warnings->count; i++)
		printf("warning: %s\n", response->warnings->items[i]);
	if (response->body_len && response->body_len <= SHOWN_BYTES)
		printf("%s\n", response->body);
}

static bool take_piece(void *context, const char *data, size_t len, struct err *err)
{
	struct fetch *fetch = context;

	(void)data;
	(void)err;
	fetch->streamed_bytes += len;
	return true;
}

static bool restart(void *context)
{
	struct fetch *fetch = context;

	fetch->restarts++;
	fetch->streamed_bytes = 0;
	return fetch->can_restart;
}

// Sets one option; false where NAME is none.
static bool set_text(struct fetch *fetch, const char *name, const char *value, struct err *err)
{
	if (!strcmp(name, "--method"))
		fetch->request.method = value;
	else if (!strcmp(name, "--header"))
		return strv_add(&fetch->headers, value, err);
	else if (!strcmp(name, "--data"))
		fetch->request.content = value;
	else if (!strcmp(name, "--ca"))
		return file_read(value, &fetch->ca, err);
	else if (!strcmp(name, "--server-name"))
		fetch->tls.server_name = value;
	else if (!strcmp(name, "--proxy"))
		return http_proxy_from_url(&fetch->proxy, value, err);
	else
		return err_set(err, ERR_USAGE, "no option %s", name);
	return true;
}

static bool set_number(struct fetch *fetch, const char *name, const char *value, bool *is_mine,
                       struct err *err)
{
	static const char *const modes[] = {"never", "unsafe", "safe", "read", NULL};
	int64_t max = 0;
	size_t mode = fetch->request.retry;

	*is_mine = true;
	if (!strcmp(name, "--timeout"))
		return parse_i64(value, 0, INT64_MAX, &fetch->request.timeout_ms, err);
	if (!strcmp(name, "--connect-timeout"))
		return parse_i64(value, 0, INT64_MAX, &fetch->request.connect_timeout_ms, err);
	if (!strcmp(name, "--count"))
		return parse_i64(value, 1, 1000, &fetch->count, err);
	if (!strcmp(name, "--rounds"))
		return parse_i64(value, 1, 1000000, &fetch->rounds, err);
	if (!strcmp(name, "--retry")) {
		bool is_ok = parse_word(value, modes, &mode, err);

		fetch->request.retry = (enum http_retry_mode)mode;
		return is_ok;
	}
	*is_mine = !strcmp(name, "--max");
	if (*is_mine && !parse_i64(value, 0, INT64_MAX, &max, err))
		return false;
	fetch->request.max_body_bytes = *is_mine ? (size_t)max : fetch->request.max_body_bytes;
	return true;
}

static bool set_flag(struct fetch *fetch, const char *name)
{
	if (!strcmp(name, "--insecure"))
		fetch->tls.is_unchecked = true;
	else if (!strcmp(name, "--http1"))
		fetch->is_http1_only = true;
	else if (!strcmp(name, "--log"))
		fetch->has_log = true;
	else if (!strcmp(name, "--streamed"))
		fetch->is_streamed = true;
	else if (!strcmp(name, "--restart"))
		fetch->is_streamed = fetch->can_restart = true;
	else if (!strcmp(name, "--plain"))
		fetch->request.is_plain_body = true;
	else
		return false;
	return true;
}

static bool read_options(struct fetch *fetch, char **argv, struct err *err)
{
	for (; *argv && !strncmp(*argv, "--", 2); argv++) {
		bool is_mine = true;

		if (set_flag(fetch, *argv))
			continue;
		if (!argv[1])
			return err_set(err, ERR_USAGE, "%s needs a value", *argv);
		if (!set_number(fetch, argv[0], argv[1], &is_mine, err) ||
		    (!is_mine && !set_text(fetch, argv[0], argv[1], err)))
			return false;
		argv++;
	}
	if (!*argv)
		return err_set(err, ERR_USAGE, "no URL");
	fetch->request.url = *argv;
	return true;
}

static void complete_request(struct fetch *fetch)
{
	struct http_request *request = &fetch->request;

	request->headers = &fetch->headers;
	request->tls = &fetch->tls;
	request->proxy = &fetch->proxy;
	fetch->tls.ca = fetch->ca.len ? strbuf_get(&fetch->ca) : NULL;
	request->content_len = request->content ? strlen(request->content) : 0;
	request->done = done;
	request->context = fetch;
	if (!fetch->is_streamed)
		return;
	request->body = take_piece;
	request->restart = restart;
}

static bool run_rounds(struct fetch *fetch, struct http *http, struct err *err)
{
	uint64_t id;

	for (int64_t round = 0; round < fetch->rounds; round++) {
		for (fetch->left = 0; fetch->left < fetch->count; fetch->left++)
			if (!http_start(http, &fetch->request, &id, err))
				return false;
		while (fetch->left)
			if (!http_run(http, -1, err))
				return false;
	}
	return true;
}

bool driver_fetch(char **argv, struct err *err)
{
	struct fetch fetch = {.request = {.method = "GET", .retry = HTTP_RETRY_READ},
	                      .ca = STRBUF_INIT(FILE_MAX_BYTES),
	                      .count = 1,
	                      .rounds = 1};
	struct http_options options = {0};
	struct http *http = NULL;
	bool is_ok = read_options(&fetch, argv, err);

	complete_request(&fetch);
	options.is_http1_only = fetch.is_http1_only;
	options.log = fetch.has_log ? print_log : NULL;
	if (is_ok)
		http = http_new(&options, err);
	is_ok = http && run_rounds(&fetch, http, err);
	if (fetch.restarts)
		printf("restarted %d times\n", fetch.restarts);
	http_free(http);
	strbuf_release(&fetch.ca);
	strv_release(&fetch.headers);
	http_proxy_release(&fetch.proxy);
	return is_ok;
}

static const struct driver_command {
	const char *name;
	bool (*run)(char **argv, struct err *err);
} commands[] = {
	{"fetch", driver_fetch},     {"pods", driver_pods}, {"watch", driver_watch},
	{"create", driver_create},   {"get", driver_get},   {"poll", driver_poll},
	{"watches", driver_watches},
};

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT;

	setvbuf(stdout, NULL, _IOLBF, 0); // whoever reads along gets whole lines at once
	for (size_t i = 0; argc > 1 && i < COUNT_OF(commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		if (commands[i].run(argv + 2, &err))
			return 0;
		printf("error: %s\n", err_message(&err));
		if (err.hint)
			printf("hint: %s\n", err.hint);
		return err_exit_status(err.kind);
	}
	fprintf(stderr, "usage: driver fetch|pods|poll|watch|watches|create|get …\n");
	return 2;
}
