// SPDX-License-Identifier: MIT
// What libcurl's codes mean for the user: what failed, where, and what to do.
#include "http/call.h"

#include <curl/curl.h>
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "http/url.h"

// The host and port of the request's URL, for messages.
static const char *authority(const struct call *call, size_t *ret_len)
{
	const char *start = strstr(call->request.url, "://");

	start = start ? start + 3 : call->request.url;
	*ret_len = strcspn(start, "/?#");
	return start;
}

// libcurl's text without what it puts in front.
static const char *bare_text(const struct call *call, int code)
{
	static const char *const fronts[] = {"SSL certificate problem: ", "SSL: ", "schannel: "};
	const char *text = call->error_text[0] ? call->error_text : curl_easy_strerror((CURLcode)code);

	for (size_t i = 0; i < COUNT_OF(fronts); i++)
		if (!strncmp(text, fronts[i], strlen(fronts[i])))
			return text + strlen(fronts[i]);
	return text;
}

static void connect_failure(const struct call *call, int code, struct err *err)
{
	long number = 0, proxy_status = 0;
	size_t len;
	const char *host = authority(call, &len);

	curl_easy_getinfo((CURL *)call->easy, CURLINFO_OS_ERRNO, &number);
	curl_easy_getinfo((CURL *)call->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	if (proxy_status >= 300) {
		err_set(err, ERR_UNREACHABLE, "connect %.*s: the proxy answered with status %ld", (int)len,
		        host, proxy_status);
		err_hint(err, "does the proxy want a password, or forbid this server?");
	} else {
		err_set(err, ERR_UNREACHABLE, "connect %.*s: %s", (int)len, host,
		        number ? strerror((int)number) : bare_text(call, code));
		if (number == ECONNREFUSED)
			err_hint(err, "nothing listens there: is the server up, and the port right?");
	}
}

static void name_failure(const struct call *call, int code, struct err *err)
{
	size_t len;
	const char *host = authority(call, &len);

	if (code == CURLE_COULDNT_RESOLVE_PROXY)
		err_set(err, ERR_UNREACHABLE, "the proxy's name cannot be resolved");
	else
		err_set(err, ERR_UNREACHABLE, "name of %.*s cannot be resolved", (int)len, host);
	err_hint(err, "check the name, and this machine's DNS");
}

// The kernel has given the connection up (keepalive, TCP_USER_TIMEOUT) before our own time was over.
static bool is_peer_dead(const struct call *call)
{
	curl_off_t spent_us = 0;

	curl_easy_getinfo((CURL *)call->easy, CURLINFO_TOTAL_TIME_T, &spent_us);
	return call->was_sent &&
	       (!call->request.timeout_ms || spent_us / 1000 < call->request.timeout_ms);
}

static enum call_loss dead_failure(const struct call *call, struct err *err)
{
	size_t len;
	const char *host = authority(call, &len);

	err_set(err, ERR_UNREACHABLE, "%.*s has fallen silent: the connection is dead", (int)len, host);
	return CALL_LOST;
}

static void timeout_failure(const struct call *call, struct err *err)
{
	int64_t connect_ms =
		call->request.connect_timeout_ms ? call->request.connect_timeout_ms : 10000;
	size_t len;
	const char *host = authority(call, &len);

	if (call->was_sent)
		err_set(err, ERR_UNREACHABLE, "no complete answer from %.*s within %.3g s", (int)len, host,
		        (double)call->request.timeout_ms / 1000);
	else
		err_set(err, ERR_UNREACHABLE, "connect %.*s: timed out after %.3g s", (int)len, host,
		        (double)(call->request.timeout_ms && call->request.timeout_ms < connect_ms
		                     ? call->request.timeout_ms
		                     : connect_ms) /
		            1000);
}

// OpenSSL's codes (x509_vfy.h) for what happens to servers. libcurl keeps only the first text of a
// request, and that may be about a dead connection before.
static const char *certificate_text(const struct call *call, int code)
{
	static const struct {
		long code;
		const char *text;
	} texts[] = {
		{9, "certificate is not yet valid"},
		{10, "certificate has expired"},
		{18, "self-signed certificate"},
		{19, "self-signed certificate in certificate chain"},
		{20, "unable to get local issuer certificate"},
		{21, "unable to verify the first certificate"},
	};
	long result = 0;

	curl_easy_getinfo((CURL *)call->easy, CURLINFO_SSL_VERIFYRESULT, &result);
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		if (texts[i].code == result)
			return texts[i].text;
	return bare_text(call, code);
}

static void certificate_failure(const struct call *call, int code, struct err *err)
{
	const char *text = certificate_text(call, code);
	size_t len;
	const char *host = authority(call, &len);

	err_set(err, ERR_UNREACHABLE, "TLS: the certificate of %.*s: %s", (int)len, host, text);
	if (strstr(text, "expired") || strstr(text, "not yet valid"))
		err_hint(err, "compare the clocks of both machines, then renew the certificate");
	else if (strstr(text, "host name") || strstr(text, "IP address"))
		err_hint(err, "reach the server by a name in its certificate, or set tls-server-name");
	else
		err_hint(err, "the certificate authority that we were given did not sign it");
}

// A server that says in TLS what it dislikes will say so again.
static bool is_alert(const struct call *call)
{
	return strstr(call->error_text, "alert") != NULL;
}

static enum call_loss lost_failure(const struct call *call, int code, struct err *err)
{
	size_t len;
	const char *host = authority(call, &len);
	long proxy_status = 0;

	curl_easy_getinfo((CURL *)call->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	if (proxy_status >= 300) {
		connect_failure(call, code, err);
		return CALL_REFUSED;
	}
	if (is_alert(call)) {
		err_set(err, ERR_UNREACHABLE, "TLS: %.*s: %s", (int)len, host, bare_text(call, code));
		return CALL_REFUSED;
	}
	if (code == CURLE_PARTIAL_FILE || call->body_bytes)
		err_set(err, ERR_UNREACHABLE, "the answer of %.*s broke off", (int)len, host);
	else
		err_set(err, ERR_UNREACHABLE, "%.*s closed the connection without an answer", (int)len,
		        host);
	return CALL_LOST;
}

static void other_failure(const struct call *call, int code, struct err *err)
{
	size_t len;
	const char *host = authority(call, &len);

	err_set(err, ERR_UNREACHABLE, "%.*s: %s", (int)len, host, bare_text(call, code));
}

enum call_loss call_failure(const struct call *call, int code, struct err *err)
{
	switch ((CURLcode)code) {
	case CURLE_OUT_OF_MEMORY:
		err_memory(err);
		break;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		name_failure(call, code, err);
		break;
	case CURLE_COULDNT_CONNECT:
	case CURLE_PROXY:
		connect_failure(call, code, err);
		break;
	case CURLE_OPERATION_TIMEDOUT:
		if (is_peer_dead(call))
			return dead_failure(call, err);
		timeout_failure(call, err);
		break;
	case CURLE_PEER_FAILED_VERIFICATION:
		certificate_failure(call, code, err);
		break;
	case CURLE_SSL_CERTPROBLEM:
		err_set(err, ERR_AUTH, "client certificate or key: %s", bare_text(call, code));
		break;
	case CURLE_SSL_CACERT_BADFILE:
		err_set(err, ERR_USAGE, "certificate authority: no certificate in it");
		break;
	case CURLE_ABORTED_BY_CALLBACK: // it was sent before, and must not go twice
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return lost_failure(call, code, err);
	default:
		other_failure(call, code, err);
		break;
	}
	return CALL_REFUSED;
}
