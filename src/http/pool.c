// SPDX-License-Identifier: MIT
// All requests on one libcurl multi handle: who runs, who waits, what to poll for.
#include <curl/curl.h>
#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "http/call.h"
#include "http/http.h"

enum { LOG_LINE_BYTES = 8192 };

struct pool {
	struct http http; // first
	struct http_options options;
	CURLM *multi;
	struct call *calls; // in the order of their start
	uint64_t last_id;
	size_t in_flight;     // running, streams not counted
	int64_t timer_due_ms; // when libcurl wants a call; -1: never
	struct pollfd *fds;
	size_t fd_count, fd_capacity;
	uint64_t random; // state of the dice
};

static struct pool *pool_of(struct http *http)
{
	return (struct pool *)http;
}

static int64_t now_ms(const struct pool *pool)
{
	return pool->options.clock->monotonic_ms(pool->options.clock->context);
}

int64_t pool_wall_ms(const struct pool *pool)
{
	return pool->options.clock->wall_ms(pool->options.clock->context);
}

bool pool_has_log(const struct pool *pool)
{
	return pool->options.log != NULL;
}

void pool_log(const struct pool *pool, int level, const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(LOG_LINE_BYTES);
	va_list args;

	if (!pool_has_log(pool))
		return;
	va_start(args, format);
	strbuf_vaddf(&line, format, args);
	va_end(args);
	pool->options.log(pool->options.log_context, level,
	                  line.failed ? "(long line)" : strbuf_get(&line));
}

// Spreads pauses; nothing depends on nobody guessing it (xorshift64*).
static uint32_t roll(struct pool *pool)
{
	pool->random ^= pool->random >> 12;
	pool->random ^= pool->random << 25;
	pool->random ^= pool->random >> 27;
	return (uint32_t)((pool->random * UINT64_C(2685821657736338717)) >> 32);
}

// Calls

static void unlink_call(struct pool *pool, const struct call *call)
{
	struct call **link = &pool->calls;

	while (*link && *link != call)
		link = &(*link)->next;
	if (*link)
		*link = call->next;
}

// Takes a running call off libcurl.
static void stop_try(struct pool *pool, struct call *call)
{
	if (call->state != CALL_RUNNING)
		return;
	curl_multi_remove_handle(pool->multi, call->easy);
	pool->in_flight -= !call->request.is_stream;
}

static void log_end(const struct pool *pool, const struct call *call, const struct err *failure)
{
	long long spent_ms = (long long)(now_ms(pool) - call->start_ms);
	long version = 0, connects = 0;

	if (!pool_has_log(pool))
		return;
	if (failure) {
		pool_log(pool, 1, "%s %s: %s, %lld ms", call->request.method, call->request.url,
		         err_message(failure), spent_ms);
		return;
	}
	curl_easy_getinfo((CURL *)call->easy, CURLINFO_HTTP_VERSION, &version);
	curl_easy_getinfo((CURL *)call->easy, CURLINFO_NUM_CONNECTS, &connects);
	pool_log(pool, 2, "< HTTP/%s %d", version == CURL_HTTP_VERSION_2_0 ? "2" : "1.1",
	         call->response.status);
	pool_log(pool, 1, "%s %s: %d, %lld ms, %zu bytes, %s connection", call->request.method,
	         call->request.url, call->response.status, spent_ms, call->body_bytes,
	         connects ? "new" : "kept");
}

// The end of a call: its owner hears of it once.
static void finish(struct pool *pool, struct call *call, const struct err *failure)
{
	bool was_sent = call->was_sent || call->retry.tries > 1;

	log_end(pool, call, failure);
	stop_try(pool, call);
	unlink_call(pool, call);
	if (!call->is_cancelled)
		call->request.done(call->request.context, failure ? NULL : &call->response, failure,
		                   was_sent);
	call_free(call);
}

static void begin(struct pool *pool, struct call *call)
{
	_cleanup_err_ struct err err = ERR_INIT;
	CURLMcode code;

	call->retry.tries++;
	call->start_ms = now_ms(pool);
	if (!call_begin(call, pool->options.is_http1_only, &err)) {
		finish(pool, call, &err);
		return;
	}
	code = curl_multi_add_handle(pool->multi, call->easy);
	if (code != CURLM_OK) {
		err_set(&err, ERR_FAILED, "libcurl: %s", curl_multi_strerror(code));
		finish(pool, call, &err);
		return;
	}
	call->state = CALL_RUNNING;
	pool->in_flight += !call->request.is_stream;
}

static bool is_startable(const struct pool *pool, const struct call *call, int64_t now)
{
	if (call->is_cancelled || call->state == CALL_RUNNING ||
	    (call->state == CALL_PAUSED && call->due_ms > now))
		return false;
	return call->request.is_stream || pool->in_flight < HTTP_MAX_IN_FLIGHT;
}

static void begin_due(struct pool *pool)
{
	int64_t now = now_ms(pool);
	struct call *next;

	for (struct call *call = pool->calls; call; call = next) {
		next = call->next;
		if (is_startable(pool, call, now))
			begin(pool, call);
	}
}

static void free_cancelled(struct pool *pool)
{
	struct call *next;

	for (struct call *call = pool->calls; call; call = next) {
		next = call->next;
		if (!call->is_cancelled)
			continue;
		stop_try(pool, call);
		unlink_call(pool, call);
		call_free(call);
	}
}

static void log_pause(const struct pool *pool, const struct call *call, int status,
                      int64_t pause_ms)
{
	char why[32] = "connection lost";

	if (status)
		snprintf(why, sizeof(why), "%d", status);
	pool_log(pool, 1, "%s %s: %s, try %d in %.1f s", call->request.method, call->request.url, why,
	         call->retry.tries + 1, (double)pause_ms / 1000);
}

// True if the call was put off to another try.
static bool put_off(struct pool *pool, struct call *call, const struct http_retry_outcome *outcome)
{
	int64_t pause;

	if (!http_retry_pause(&call->retry, outcome, roll(pool), &pause))
		return false;
	if (call->has_piece &&
	    (!call->request.restart || !call->request.restart(call->request.context)))
		return false;
	log_pause(pool, call, outcome->status, pause);
	stop_try(pool, call);
	call->state = CALL_PAUSED;
	call->due_ms = now_ms(pool) + pause;
	call->retry.waited_ms += pause;
	return true;
}

static void answered(struct pool *pool, struct call *call)
{
	struct http_retry_outcome outcome = {call->response.status, call->response.retry_after_ms};

	call->response.body = strbuf_get(&call->body);
	call->response.body_len = call->body.len;
	if (!put_off(pool, call, &outcome))
		finish(pool, call, NULL);
}

static void failed(struct pool *pool, struct call *call, CURLcode code)
{
	static const struct http_retry_outcome lost = {0, -1};
	_cleanup_err_ struct err err = ERR_INIT;

	if (call->failure.kind != ERR_NONE) {
		err = call->failure;
		call->failure = (struct err)ERR_INIT;
	} else if (call_failure(call, (int)code, &err) == CALL_LOST && put_off(pool, call, &lost)) {
		return;
	}
	finish(pool, call, &err);
}

static void try_ended(struct pool *pool, CURL *easy, CURLcode code)
{
	struct call *call = NULL;

	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call);
	if (call->is_cancelled)
		return; // freed at the next round
	if (code == CURLE_OK && !call->has_head)
		code = CURLE_GOT_NOTHING; // it closed in the middle of the headers, which libcurl lets pass
	if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && call->response.is_body_cut))
		answered(pool, call);
	else
		failed(pool, call, code);
}

static void end_tries(struct pool *pool)
{
	const CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(pool->multi, &left)))
		if (message->msg == CURLMSG_DONE)
			try_ended(pool, message->easy_handle, message->data.result);
}

// libcurl's wishes

static void forget_fd(struct pool *pool, curl_socket_t fd)
{
	for (size_t i = 0; i < pool->fd_count; i++)
		if (pool->fds[i].fd == fd)
			pool->fds[i--] = pool->fds[--pool->fd_count];
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *socket_context)
{
	struct pool *pool = context;

	(void)easy;
	(void)socket_context;
	forget_fd(pool, fd);
	if (what == CURL_POLL_REMOVE)
		return 0;
	if (pool->fd_count == pool->fd_capacity) {
		size_t capacity = pool->fd_capacity ? 2 * pool->fd_capacity : 16;
		struct pollfd *fds = mem_resize(pool->fds, capacity * sizeof(*fds));

		if (!fds)
			return -1;
		pool->fds = fds;
		pool->fd_capacity = capacity;
	}
	pool->fds[pool->fd_count++] = (struct pollfd){
		.fd = fd,
		.events =
			(short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0)),
	};
	return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *context)
{
	struct pool *pool = context;

	(void)multi;
	pool->timer_due_ms = timeout_ms < 0 ? -1 : now_ms(pool) + timeout_ms;
	return 0;
}

// The functions

static bool pool_start(struct http *http, const struct http_request *request, uint64_t *ret_id,
                       struct err *err)
{
	struct pool *pool = pool_of(http);
	struct call *call = call_new(pool, request, err);
	struct call **link = &pool->calls;

	if (!call)
		return false;
	call->id = ++pool->last_id;
	while (*link)
		link = &(*link)->next;
	*link = call;
	*ret_id = call->id;
	return true;
}

static void pool_cancel(struct http *http, uint64_t id)
{
	for (struct call *call = pool_of(http)->calls; call; call = call->next)
		if (call->id == id)
			call->is_cancelled = true;
}

static size_t pool_poll_fds(struct http *http, struct pollfd *fds, size_t max)
{
	const struct pool *pool = pool_of(http);

	for (size_t i = 0; i < pool->fd_count && i < max; i++)
		fds[i] = pool->fds[i];
	return pool->fd_count;
}

static int pool_poll_timeout(struct http *http)
{
	const struct pool *pool = pool_of(http);
	int64_t now = now_ms(pool), due = pool->timer_due_ms;

	for (const struct call *call = pool->calls; call; call = call->next) {
		if (call->is_cancelled || is_startable(pool, call, now))
			return 0;
		if (call->state == CALL_PAUSED && call->due_ms > now && (due < 0 || call->due_ms < due))
			due = call->due_ms;
	}
	if (due < 0)
		return -1;
	return due <= now ? 0 : due - now > 60000 ? 60000 : (int)(due - now);
}

static CURLMcode act_on_fds(struct pool *pool, const struct pollfd *fds, size_t count)
{
	CURLMcode code = CURLM_OK;
	int running;

	for (size_t i = 0; i < count && code == CURLM_OK; i++) {
		int mask = 0;

		if (fds[i].revents & (POLLIN | POLLHUP))
			mask |= CURL_CSELECT_IN;
		if (fds[i].revents & POLLOUT)
			mask |= CURL_CSELECT_OUT;
		if (fds[i].revents & (POLLERR | POLLNVAL))
			mask |= CURL_CSELECT_ERR;
		if (mask)
			code = curl_multi_socket_action(pool->multi, fds[i].fd, mask, &running);
	}
	return code;
}

static bool pool_dispatch(struct http *http, const struct pollfd *fds, size_t count,
                          struct err *err)
{
	struct pool *pool = pool_of(http);
	CURLMcode code;
	int running;

	free_cancelled(pool);
	begin_due(pool);
	code = act_on_fds(pool, fds, count);
	if (code == CURLM_OK && pool->timer_due_ms >= 0 && pool->timer_due_ms <= now_ms(pool)) {
		pool->timer_due_ms = -1;
		code = curl_multi_socket_action(pool->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	}
	end_tries(pool);
	return code == CURLM_OK || err_set(err, ERR_FAILED, "libcurl: %s", curl_multi_strerror(code));
}

static void pool_free(struct http *http)
{
	struct pool *pool = pool_of(http);

	while (pool->calls) {
		struct call *call = pool->calls;

		stop_try(pool, call);
		pool->calls = call->next;
		call_free(call);
	}
	curl_multi_cleanup(pool->multi);
	mem_free(pool->fds);
	mem_free(pool);
	curl_global_cleanup();
}

static const struct http_functions functions = {
	.start = pool_start,
	.cancel = pool_cancel,
	.poll_fds = pool_poll_fds,
	.poll_timeout = pool_poll_timeout,
	.dispatch = pool_dispatch,
	.free = pool_free,
};

static bool set_up(struct pool *pool)
{
	pool->multi = curl_multi_init();
	return pool->multi &&
	       curl_multi_setopt(pool->multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK &&
	       curl_multi_setopt(pool->multi, CURLMOPT_SOCKETDATA, pool) == CURLM_OK &&
	       curl_multi_setopt(pool->multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK &&
	       curl_multi_setopt(pool->multi, CURLMOPT_TIMERDATA, pool) == CURLM_OK;
}

struct http *http_new(const struct http_options *options, struct err *err)
{
	struct pool *pool = mem_alloc(sizeof(*pool));

	if (!pool || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		mem_free(pool);
		err_memory(err);
		return NULL;
	}
	pool->http.functions = &functions;
	pool->options = *options;
	if (!pool->options.clock)
		pool->options.clock = &clock_system;
	pool->timer_due_ms = -1;
	pool->random = (uint64_t)(uintptr_t)pool ^ (uint64_t)pool_wall_ms(pool) << 20 ^ 1;
	if (!set_up(pool)) {
		pool_free(&pool->http);
		err_memory(err);
		return NULL;
	}
	return &pool->http;
}
