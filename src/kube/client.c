// SPDX-License-Identifier: MIT
#include "kube/client.h"

#include <string.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/text.h"
#include "http/url.h"

enum {
	CALL_TIMEOUT_MS = 30 * 1000,
	URL_MAX_BYTES = 64 * 1024,
	HEADER_MAX_BYTES = 256 * 1024,
	WARNINGS_MAX_COUNT = 100,
};

static const char user_agent[] = "User-Agent: vpsml/" VPSML_VERSION;

struct call {
	struct call *next;
	struct kube_client *client;
	uint64_t id, http_id;
	struct kube_call given; // its strings are the ones below
	char *method, *url, *content_type, *content;
	struct strv headers;
	struct http_tls tls;
	int64_t start_ms;         // monotonic
	bool has_new_credentials; // they were renewed after a 401
};

struct kube_client {
	struct kube_client_options options;
	struct loop_source source;
	struct call *calls;
	uint64_t last_id;
	struct strv warned;
};

static size_t poll_fds(void *context, struct pollfd *fds, size_t max)
{
	return http_poll_fds(((struct kube_client *)context)->options.http, fds, max);
}

static int poll_timeout(void *context)
{
	return http_poll_timeout(((struct kube_client *)context)->options.http);
}

static bool dispatch(void *context, const struct pollfd *fds, size_t count, struct err *err)
{
	return http_dispatch(((struct kube_client *)context)->options.http, fds, count, err);
}

struct kube_client *kube_client_new(const struct kube_client_options *options, struct err *err)
{
	struct kube_client *client = mem_alloc(sizeof(*client));

	if (!client) {
		err_memory(err);
		return NULL;
	}
	client->options = *options;
	client->source = (struct loop_source){.poll_fds = poll_fds,
	                                      .poll_timeout = poll_timeout,
	                                      .dispatch = dispatch,
	                                      .context = client};
	loop_add_source(options->loop, &client->source);
	return client;
}

// Not the loop's time: a credential program may have run since its round began.
static int64_t now_ms(const struct kube_client *client)
{
	const struct clock *clock = client->options.access->credential.clock;

	return clock->monotonic_ms(clock->context);
}

static void free_call(struct call *call)
{
	if (!call)
		return;
	mem_free(call->method);
	mem_free(call->url);
	mem_free(call->content_type);
	mem_free(call->content);
	strv_release(&call->headers);
	mem_free(call);
}

static void free_callp(struct call **call)
{
	free_call(*call);
}

void kube_client_free(struct kube_client *client)
{
	if (!client)
		return;
	while (client->calls) {
		struct call *call = client->calls;

		client->calls = call->next;
		http_cancel(client->options.http, call->http_id);
		free_call(call);
	}
	loop_remove_source(&client->source);
	strv_release(&client->warned);
	mem_free(client);
}

void kube_client_freep(struct kube_client **client)
{
	kube_client_free(*client);
}

int64_t kube_client_waits_ms(const struct kube_client *client)
{
	int64_t now = now_ms(client), longest = -1;

	for (const struct call *call = client->calls; call; call = call->next)
		if (!call->given.is_stream && now - call->start_ms > longest)
			longest = now - call->start_ms;
	return longest;
}

struct loop *kube_client_loop(const struct kube_client *client)
{
	return client->options.loop;
}

const char *kube_client_namespace(const struct kube_client *client)
{
	return client->options.access->namespace_;
}

static void unlink_call(struct call *call)
{
	struct call **at = &call->client->calls;

	while (*at && *at != call)
		at = &(*at)->next;
	if (*at)
		*at = call->next;
}

static bool on_body(void *context, const char *data, size_t len, struct err *err)
{
	struct call *call = context;

	return call->given.body(call->given.context, data, len, err);
}

static bool on_restart(void *context)
{
	struct call *call = context;

	return call->given.restart(call->given.context);
}

// Adds the text of a Warning header (RFC 9111 5.5: 299 - "text"), harmless for a terminal.
static void add_warning_text(struct strbuf *out, const char *header)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(HEADER_MAX_BYTES);
	const char *quote = strchr(header, '"');

	for (const char *c = quote ? quote + 1 : header; *c && (!quote || *c != '"'); c++) {
		if (quote && *c == '\\' && c[1])
			c++;
		strbuf_add_char(&text, *c);
	}
	text_sanitize(out, strbuf_get(&text), text.len, TEXT_ONE_LINE);
}

// Each text is told once.
static void warn(struct kube_client *client, const char *header)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(HEADER_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	add_warning_text(&text, header);
	if (text.failed || !client->options.warn || strv_contains(&client->warned, strbuf_get(&text)) ||
	    client->warned.count >= WARNINGS_MAX_COUNT)
		return;
	client->options.warn(client->options.context, strbuf_get(&text));
	if (!strv_add(&client->warned, strbuf_get(&text), &err))
		return;
}

static bool send_call(struct call *call, struct err *err);

// After a 401: once with new credentials, if there are any.
static bool try_again(struct call *call)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (call->has_new_credentials)
		return false;
	call->has_new_credentials = true;
	return kube_credential_renew(&call->client->options.access->credential) &&
	       send_call(call, &err);
}

static void tell(struct call *call, const struct kube_result *result)
{
	unlink_call(call);
	call->given.done(call->given.context, result);
	free_call(call);
}

static void tell_refusal(struct call *call, const struct http_response *response)
{
	_cleanup_kube_status_ struct kube_status status = {0};
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_result result = {.status = response->status,
	                             .retry_after_ms = response->retry_after_ms,
	                             .was_sent = true,
	                             .failure = &err};

	if (kube_status_parse(response->status, response->content_type, response->body,
	                      response->body_len, &status, &err)) {
		result.refusal = &status;
		kube_status_to_err(&status, NULL, &err);
	}
	tell(call, &result);
}

static void on_done(void *context, const struct http_response *response, const struct err *failure,
                    bool was_sent)
{
	struct call *call = context;
	struct kube_result result = {.failure = failure, .retry_after_ms = -1, .was_sent = was_sent};

	if (response && response->status == 401 && try_again(call))
		return;
	if (response)
		for (size_t i = 0; i < response->warnings->count; i++)
			warn(call->client, response->warnings->items[i]);
	if (response && (response->status < 200 || response->status > 299)) {
		tell_refusal(call, response);
		return;
	}
	if (response) {
		result.status = response->status;
		result.body = response->body;
		result.body_len = response->body_len;
	}
	tell(call, &result);
}

static enum http_retry_mode retry_mode(const struct kube_call *call)
{
	if (call->is_stream || call->is_tried_once)
		return HTTP_RETRY_NEVER;
	if (!strcmp(call->method, "GET"))
		return HTTP_RETRY_READ;
	return strcmp(call->method, "POST") != 0 ? HTTP_RETRY_SAFE : HTTP_RETRY_UNSAFE;
}

static int64_t timeout_of(const struct call *call)
{
	int64_t own = call->client->options.timeout_ms;

	if (call->given.timeout_ms)
		return call->given.timeout_ms;
	if (call->given.is_stream)
		return 0;
	if (own)
		return own;
	return call->given.usual_timeout_ms ? call->given.usual_timeout_ms : CALL_TIMEOUT_MS;
}

static bool refuse_open_way(const struct kube_access *access, struct err *err)
{
	_cleanup_strbuf_ struct strbuf server = STRBUF_INIT(URL_MAX_BYTES);

	http_url_add(&server, &access->server);
	err_set(err, ERR_USAGE, "%s would get our credentials unencrypted", strbuf_get(&server));
	return err_hint(err, "use https, or --allow-http where the way there is private");
}

// Authorization and our certificate. The header is a secret: it is wiped with the call.
static bool add_credential(struct call *call, struct err *err)
{
	struct kube_access *access = call->client->options.access;
	_cleanup_strbuf_ struct strbuf header = STRBUF_INIT(HEADER_MAX_BYTES);
	size_t name_len;

	strbuf_add(&header, "Authorization: ");
	name_len = header.len;
	if (!kube_credential_authorization(&access->credential, &header, err))
		return false;
	if (header.len > name_len && !access->may_send_secrets)
		return refuse_open_way(access, err);
	if (header.len > name_len && !strv_take(&call->headers, strbuf_take(&header, err), err))
		return false;
	call->tls = access->tls;
	kube_credential_certificate(&access->credential, &call->tls.certificate, &call->tls.key);
	return true;
}

static bool add_accept(struct call *call, struct err *err)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(1024);
	const char *type = call->given.accept ? call->given.accept : "application/json";

	strbuf_addf(&line, "Accept: %s", call->given.wants_no_json ? "*/*" : type);
	return strv_take(&call->headers, strbuf_take(&line, err), err);
}

static bool add_headers(struct call *call, struct err *err)
{
	const struct kube_access *access = call->client->options.access;
	_cleanup_strbuf_ struct strbuf type = STRBUF_INIT(256);

	strv_release(&call->headers);
	if (!strv_add(&call->headers, user_agent, err) || !add_accept(call, err))
		return false;
	if (call->content_type) {
		strbuf_addf(&type, "Content-Type: %s", call->content_type);
		if (!strv_take(&call->headers, strbuf_take(&type, err), err))
			return false;
	}
	for (size_t i = 0; i < access->headers.count; i++)
		if (!strv_add(&call->headers, access->headers.items[i], err))
			return false;
	return add_credential(call, err);
}

static bool send_call(struct call *call, struct err *err)
{
	const struct kube_client_options *options = &call->client->options;
	struct http_request request = {
		.method = call->method,
		.url = call->url,
		.headers = &call->headers,
		.content = call->content,
		.content_len = call->content ? strlen(call->content) : 0,
		.tls = &call->tls,
		.proxy = options->access->proxy.url ? &options->access->proxy : NULL,
		.is_plain_body = options->access->is_uncompressed,
		.retry = retry_mode(&call->given),
		.timeout_ms = timeout_of(call),
		.is_stream = call->given.is_stream,
		.body = call->given.body ? on_body : NULL,
		.restart = call->given.restart ? on_restart : NULL,
		.done = on_done,
		.context = call,
	};

	return add_headers(call, err) && http_start(options->http, &request, &call->http_id, err);
}

static bool copy_strings(struct call *call, const struct kube_call *given, struct err *err)
{
	_cleanup_strbuf_ struct strbuf url = STRBUF_INIT(URL_MAX_BYTES);

	http_url_add(&url, &call->client->options.access->server);
	strbuf_add(&url, given->path);
	call->url = strbuf_take(&url, err);
	if (!call->url)
		return false;
	call->method = mem_dup(given->method);
	call->content_type = given->content_type ? mem_dup(given->content_type) : NULL;
	call->content = given->content ? mem_dup(given->content) : NULL;
	if (!call->method || (given->content_type && !call->content_type) ||
	    (given->content && !call->content))
		return err_memory(err);
	call->given.method = call->method;
	return true;
}

bool kube_client_start(struct kube_client *client, const struct kube_call *given, uint64_t *ret_id,
                       struct err *err)
{
	_cleanup_(free_callp) struct call *call = mem_alloc(sizeof(*call));

	if (!call)
		return err_memory(err);
	call->client = client;
	call->given = *given;
	if (!copy_strings(call, given, err) || !send_call(call, err))
		return false;
	call->id = *ret_id = ++client->last_id;
	call->start_ms = now_ms(client);
	call->next = client->calls;
	client->calls = TAKE(call);
	return true;
}

void kube_client_cancel(struct kube_client *client, uint64_t id)
{
	struct call *call = client->calls;

	while (call && call->id != id)
		call = call->next;
	if (!call)
		return;
	http_cancel(client->options.http, call->http_id);
	unlink_call(call);
	free_call(call);
}

// A call that somebody waits for.
struct waiting {
	struct kube_reply *reply;
	kube_flag_of_field_fn *flag_of;
	struct err failure;
	bool is_done;
};

static bool copy_status(const struct kube_status *from, struct kube_status *to, struct err *err)
{
	struct kube_status copy = {.code = from->code,
	                           .reason = mem_dup(from->reason),
	                           .message = mem_dup(from->message),
	                           .continue_token = mem_dup(from->continue_token)};

	if (!copy.reason || !copy.message || !copy.continue_token) {
		kube_status_release(&copy);
		return err_memory(err);
	}
	*to = copy;
	return true;
}

static void on_awaited(void *context, const struct kube_result *result)
{
	struct waiting *waiting = context;
	struct kube_reply *reply = waiting->reply;

	waiting->is_done = true;
	reply->status = result->status;
	reply->was_sent = result->was_sent;
	if (result->refusal && copy_status(result->refusal, &reply->refusal, &waiting->failure)) {
		kube_status_to_err(result->refusal, waiting->flag_of, &waiting->failure);
	} else if (result->failure) {
		err_copy(&waiting->failure, result->failure);
	} else {
		reply->body = mem_dup_n(result->body, result->body_len);
		reply->body_len = result->body_len;
		if (!reply->body)
			err_memory(&waiting->failure);
	}
}

bool kube_client_call(struct kube_client *client, const char *method, const char *path,
                      const char *content_type, const char *content, kube_flag_of_field_fn *flag_of,
                      struct kube_reply *ret, struct err *err)
{
	struct waiting waiting = {.reply = ret, .flag_of = flag_of, .failure = ERR_INIT};
	struct kube_call call = {.method = method,
	                         .path = path,
	                         .content_type = content_type,
	                         .content = content,
	                         .done = on_awaited,
	                         .context = &waiting};
	uint64_t id;

	*ret = (struct kube_reply){0};
	if (!kube_client_start(client, &call, &id, err))
		return false;
	while (!waiting.is_done) {
		if (!loop_run(client->options.loop, -1, err)) {
			kube_client_cancel(client, id);
			return false;
		}
	}
	if (waiting.failure.kind == ERR_NONE)
		return true;
	*err = waiting.failure;
	return false;
}

void kube_reply_release(struct kube_reply *reply)
{
	mem_free(reply->body);
	kube_status_release(&reply->refusal);
	*reply = (struct kube_reply){0};
}
