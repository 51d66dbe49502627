// SPDX-License-Identifier: MIT
// One request on one libcurl handle: its options, and what comes back through the callbacks.
#include "http/call.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "http/url.h"

enum {
	DEFAULT_CONNECT_MS = 10 * 1000,
	DEFAULT_BODY_BYTES = 16 * 1024 * 1024,
	ERROR_BODY_BYTES = 256 * 1024, // of an answer that is no success; the rest is not read
	CONTENT_TYPE_BYTES = 256,
	WARNINGS_MAX = 64,
	BUFFER_BYTES = 128 * 1024,
	URL_MAX_BYTES = 64 * 1024,
	HEADER_MAX_BYTES = 128 * 1024, // a token may be long
	KEEPALIVE_IDLE_S = 15,
	KEEPALIVE_INTERVAL_S = 5,
	KEEPALIVE_PROBES = 3,
	UNACKNOWLEDGED_MS = 30 * 1000,
};

static bool is_success(const struct call *call)
{
	return call->response.status >= 200 && call->response.status < 300;
}

// Callbacks

static void start_response(struct call *call, const char *line, size_t len)
{
	const char *blank = memchr(line, ' ', len);
	int status = 0;

	for (size_t i = 1; blank && i <= 3 && blank + i < line + len; i++)
		if (blank[i] >= '0' && blank[i] <= '9')
			status = status * 10 + (blank[i] - '0');
	strbuf_clear(&call->content_type);
	strv_release(&call->warnings);
	call->response = (struct http_response){.status = status, .retry_after_ms = -1};
	call->has_head = false;
}

// The value of header NAME in the LEN bytes of LINE, without blanks around it; NULL if it is
// another header.
static const char *header_value(const char *line, size_t len, const char *name, size_t *ret_len)
{
	size_t at = strlen(name);

	if (len <= at || line[at] != ':' || strncasecmp(line, name, at) != 0)
		return NULL;
	at++;
	while (at < len && (line[at] == ' ' || line[at] == '\t'))
		at++;
	while (len > at && strchr(" \t\r\n", line[len - 1]))
		len--;
	*ret_len = len - at;
	return line + at;
}

static void read_header(struct call *call, const char *line, size_t len)
{
	const char *value;
	size_t value_len;

	if ((value = header_value(line, len, "Content-Type", &value_len))) {
		strbuf_clear(&call->content_type);
		strbuf_add_n(&call->content_type, value, value_len);
	} else if ((value = header_value(line, len, "Retry-After", &value_len))) {
		_cleanup_free_ char *text = mem_dup_n(value, value_len);

		if (text)
			call->response.retry_after_ms = http_retry_parse_header(text, pool_wall_ms(call->pool));
	} else if ((value = header_value(line, len, "Warning", &value_len)) &&
	           call->warnings.count < WARNINGS_MAX) {
		_cleanup_err_ struct err ignored = ERR_INIT;

		// A warning that memory is too short for is no reason to lose the answer.
		(void)!strv_add_n(&call->warnings, value, value_len, &ignored);
	}
}

static void fill_response(struct call *call)
{
	call->response.content_type = strbuf_get(&call->content_type);
	call->response.warnings = &call->warnings;
	call->response.body = strbuf_get(&call->body);
	call->response.body_len = call->body.len;
}

static size_t on_header(char *data, size_t size, size_t count, void *context)
{
	struct call *call = context;
	size_t len = size * count;

	if (len > 5 && !strncmp(data, "HTTP/", 5)) {
		start_response(call, data, len);
	} else if (len <= 2 && (data[0] == '\r' || data[0] == '\n')) {
		fill_response(call);
		call->has_head = true;
		if (is_success(call) && call->request.head && !call->is_cancelled)
			call->request.head(call->request.context, &call->response);
	} else {
		read_header(call, data, len);
	}
	return call->is_cancelled ? 0 : len;
}

// Keeps a piece of a body that no callback takes.
static bool keep_body(struct call *call, const char *data, size_t len)
{
	size_t room = call->body.max - call->body.len;

	if (!is_success(call) && len > room) {
		strbuf_add_n(&call->body, data, room);
		call->response.is_body_cut = true;
		return false;
	}
	strbuf_add_n(&call->body, data, len);
	return strbuf_ok(&call->body, &call->failure);
}

static bool take_body(struct call *call, const char *data, size_t len)
{
	const struct http_request *request = &call->request;

	call->body_bytes += len;
	if (is_success(call) && request->max_body_bytes && call->body_bytes > request->max_body_bytes)
		return err_set(&call->failure, ERR_FAILED, "the answer is longer than %zu bytes",
		               request->max_body_bytes);
	if (!request->body || !is_success(call))
		return keep_body(call, data, len);
	call->has_piece = true;
	return request->body(request->context, data, len, &call->failure);
}

static size_t on_body(char *data, size_t size, size_t count, void *context)
{
	struct call *call = context;
	bool is_ok;

	if (call->is_cancelled)
		return 0;
	if (!call->body_bytes && !is_success(call))
		call->body.max = ERROR_BODY_BYTES;
	is_ok = take_body(call, data, size * count);
	return is_ok && !call->is_cancelled ? size * count : 0;
}

// The connection stands and the request goes out. libcurl repeats a request by itself when a
// connection that it kept open turns out to be dead; one that could act twice must not be.
static int on_request(void *context, char *remote_ip, char *local_ip, int remote_port,
                      int local_port)
{
	struct call *call = context;

	(void)local_ip;
	(void)local_port;
	if (call->was_sent && call->request.retry <= HTTP_RETRY_UNSAFE &&
	    strcmp(call->request.method, "GET") != 0) {
		call->is_sent_again = true;
		return CURL_PREREQFUNC_ABORT;
	}
	call->was_sent = true;
	pool_log(call->pool, 2, "sent on the connection to %s port %d", remote_ip, remote_port);
	return CURL_PREREQFUNC_OK;
}

// A peer that is gone without a word is noticed in half a minute.
static int on_socket(void *context, curl_socket_t socket, curlsocktype purpose)
{
	(void)context;
	(void)purpose;
#ifdef TCP_USER_TIMEOUT
	setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &(int){UNACKNOWLEDGED_MS}, sizeof(int));
#endif
#ifdef TCP_KEEPCNT
	setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &(int){KEEPALIVE_PROBES}, sizeof(int));
#endif
	return CURL_SOCKOPT_OK;
}

// Options

// Sets one option unless one has failed before.
#define SET(option, value)                                      \
	do {                                                        \
		if (code == CURLE_OK)                                   \
			code = curl_easy_setopt(call->easy, option, value); \
	} while (0)

static CURLcode set_blob(struct call *call, CURLoption option, const char *text)
{
	struct curl_blob blob = {.flags = CURL_BLOB_COPY};
	union {
		const char *in;
		char *out;
	} data = {.in = text}; // libcurl only reads it

	blob.data = data.out;
	blob.len = strlen(text);
	return curl_easy_setopt((CURL *)call->easy, option, &blob);
}

static CURLcode set_tls(struct call *call)
{
	static const struct http_tls system_tls = {0};
	const struct http_tls *tls = call->request.tls ? call->request.tls : &system_tls;
	CURLcode code = CURLE_OK;

	SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (tls->is_unchecked) {
		SET(CURLOPT_SSL_VERIFYPEER, 0L);
		SET(CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (tls->ca) { // and nobody else
		SET(CURLOPT_CAINFO, NULL);
		SET(CURLOPT_CAPATH, NULL);
		if (code == CURLE_OK)
			code = set_blob(call, CURLOPT_CAINFO_BLOB, tls->ca);
	}
	if (code == CURLE_OK && tls->certificate)
		code = set_blob(call, CURLOPT_SSLCERT_BLOB, tls->certificate);
	if (code == CURLE_OK && tls->key)
		code = set_blob(call, CURLOPT_SSLKEY_BLOB, tls->key);
	return code;
}

static CURLcode set_proxy(struct call *call)
{
	const struct http_proxy *proxy = call->request.proxy;
	CURLcode code = CURLE_OK;

	// "" keeps libcurl from asking the environment itself.
	SET(CURLOPT_PROXY, proxy && proxy->url ? proxy->url : "");
	SET(CURLOPT_NOPROXY, proxy && proxy->skip ? proxy->skip : "");
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	return code;
}

static CURLcode set_content(struct call *call)
{
	const struct http_request *request = &call->request;
	CURLcode code = CURLE_OK;

	if (request->content) {
		SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->content_len);
		SET(CURLOPT_POSTFIELDS, request->content);
	}
	SET(CURLOPT_CUSTOMREQUEST, request->method);
	return code;
}

static CURLcode set_transport(struct call *call, bool is_http1_only)
{
	const struct http_request *request = &call->request;
	long connect_ms =
		(long)(request->connect_timeout_ms ? request->connect_timeout_ms : DEFAULT_CONNECT_MS);
	CURLcode code = CURLE_OK;

	SET(CURLOPT_HTTP_VERSION,
	    (long)(is_http1_only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
	// Several requests, one connection. Only TLS can tell before the first answer that it is HTTP/2.
	SET(CURLOPT_PIPEWAIT, (long)!strncasecmp(request->url, "https:", 6));
	SET(CURLOPT_PROTOCOLS_STR, "https,http");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
	SET(CURLOPT_TIMEOUT_MS, (long)request->timeout_ms);
	SET(CURLOPT_TCP_KEEPALIVE, 1L);
	SET(CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_IDLE_S);
	SET(CURLOPT_TCP_KEEPINTVL, (long)KEEPALIVE_INTERVAL_S);
	SET(CURLOPT_BUFFERSIZE, (long)BUFFER_BYTES);
	SET(CURLOPT_ACCEPT_ENCODING, request->is_plain_body ? NULL : "gzip");
	SET(CURLOPT_USERAGENT, "vpsml/" VPSML_VERSION);
	return code;
}

static CURLcode set_callbacks(struct call *call)
{
	CURLcode code = CURLE_OK;

	SET(CURLOPT_PRIVATE, call);
	SET(CURLOPT_ERRORBUFFER, call->error_text);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, call);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, call);
	SET(CURLOPT_PREREQFUNCTION, on_request);
	SET(CURLOPT_PREREQDATA, call);
	SET(CURLOPT_SOCKOPTFUNCTION, on_socket);
	return code;
}

// Headers and address

static bool add_line(void **list, const char *line, struct err *err)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (!longer)
		return err_memory(err);
	*list = longer;
	return true;
}

// The server is checked under another name than the one to connect to: the URL gets that name,
// and libcurl is told where it lives.
static bool rename_server(struct call *call, struct strbuf *text, const char *server_name,
                          struct err *err)
{
	const char *url = call->request.url;
	const char *authority = strstr(url, "://");
	size_t len = authority ? 3 + strcspn(authority + 3, "/?#") : 0;
	_cleanup_free_ char *start = mem_dup_n(url, (size_t)(authority - url) + len);
	_cleanup_strbuf_ struct strbuf host = STRBUF_INIT(URL_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf target = STRBUF_INIT(URL_MAX_BYTES);
	_cleanup_http_url_ struct http_url server = HTTP_URL_INIT;

	if (!start)
		return err_memory(err);
	if (!http_url_parse(&server, start, err))
		return false;
	strbuf_add(&host, "Host: ");
	http_url_add_authority(&host, &server);
	strbuf_addf(&target, "%s:%u:", server_name, (unsigned)server.port);
	http_url_add_authority(&target, &server);
	strbuf_addf(text, "https://%s:%u%s", server_name, (unsigned)server.port, authority + len);
	return strbuf_ok(&host, err) && strbuf_ok(&target, err) && strbuf_ok(text, err) &&
	       add_line(&call->headers, strbuf_get(&host), err) &&
	       add_line(&call->connect_to, strbuf_get(&target), err);
}

static bool set_address(struct call *call, struct err *err)
{
	const struct http_tls *tls = call->request.tls;
	_cleanup_strbuf_ struct strbuf renamed = STRBUF_INIT(URL_MAX_BYTES);
	const char *url = call->request.url;
	CURLcode code = CURLE_OK;

	if (tls && tls->server_name && !strncasecmp(url, "https://", 8)) {
		if (!rename_server(call, &renamed, tls->server_name, err))
			return false;
		url = strbuf_get(&renamed);
	}
	SET(CURLOPT_URL, url);
	SET(CURLOPT_CONNECT_TO, call->connect_to);
	return code == CURLE_OK || err_memory(err);
}

static bool is_secret(const char *header)
{
	static const char *const names[] = {"Authorization:", "Proxy-Authorization:", "Cookie:"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strncasecmp(header, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool set_headers(struct call *call, struct err *err)
{
	const struct strv *lines = call->request.headers;
	CURLcode code = CURLE_OK;

	pool_log(call->pool, 2, "> %s %s", call->request.method, call->request.url);
	for (size_t i = 0; lines && i < lines->count; i++) {
		const char *line = lines->items[i];

		if (is_secret(line))
			pool_log(call->pool, 2, "> %.*s: ******", (int)strcspn(line, ":"), line);
		else
			pool_log(call->pool, 2, "> %s", line);
		if (!add_line(&call->headers, line, err))
			return false;
	}
	// libcurl would wait for "100 Continue", and call content a form.
	if (!add_line(&call->headers, "Expect:", err))
		return false;
	SET(CURLOPT_HTTPHEADER, call->headers);
	return code == CURLE_OK || err_memory(err);
}

bool call_begin(struct call *call, bool is_http1_only, struct err *err)
{
	CURLcode code = CURLE_OK;

	call_reset(call);
	call->easy = curl_easy_init();
	if (!call->easy)
		return err_memory(err);
	code = set_callbacks(call);
	code = code == CURLE_OK ? set_transport(call, is_http1_only) : code;
	code = code == CURLE_OK ? set_tls(call) : code;
	code = code == CURLE_OK ? set_proxy(call) : code;
	code = code == CURLE_OK ? set_content(call) : code;
	if (code != CURLE_OK) {
		call_failure(call, (int)code, err);
		return false;
	}
	return set_address(call, err) && set_headers(call, err);
}

// Life

static bool check_headers(const struct strv *lines, struct err *err)
{
	for (size_t i = 0; lines && i < lines->count; i++)
		for (const char *c = lines->items[i]; *c; c++)
			if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7F)
				return err_set(err, ERR_USAGE, "control character in the value of header \"%.*s\"",
				               (int)strcspn(lines->items[i], ":"), lines->items[i]);
	return true;
}

struct call *call_new(struct pool *pool, const struct http_request *request, struct err *err)
{
	size_t max = request->max_body_bytes ? request->max_body_bytes : DEFAULT_BODY_BYTES;
	struct call *call;

	if (!check_headers(request->headers, err))
		return NULL;
	call = mem_alloc(sizeof(*call));
	if (!call) {
		err_memory(err);
		return NULL;
	}
	call->pool = pool;
	call->request = *request;
	call->retry.mode = request->retry;
	call->content_type = (struct strbuf)STRBUF_INIT(CONTENT_TYPE_BYTES);
	call->body = (struct strbuf)STRBUF_INIT(max);
	return call;
}

void call_reset(struct call *call)
{
	size_t max = call->request.max_body_bytes ? call->request.max_body_bytes : DEFAULT_BODY_BYTES;

	curl_easy_cleanup(call->easy);
	curl_slist_free_all(call->headers);
	curl_slist_free_all(call->connect_to);
	call->easy = call->headers = call->connect_to = NULL;
	call->error_text[0] = '\0';
	strbuf_clear(&call->body);
	call->body.max = max;
	strbuf_clear(&call->content_type);
	strv_release(&call->warnings);
	err_clear(&call->failure);
	call->response = (struct http_response){.retry_after_ms = -1};
	call->body_bytes = 0;
	call->has_head = call->has_piece = call->was_sent = call->is_sent_again = false;
	fill_response(call);
}

void call_free(struct call *call)
{
	if (!call)
		return;
	call_reset(call);
	strbuf_release(&call->body);
	strbuf_release(&call->content_type);
	mem_free(call);
}
