// SPDX-License-Identifier: MIT
// What servers and programs send in one piece: Status, versions of a group, ExecCredential,
// Retry-After, addresses. The first byte chooses.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "http/retry.h"
#include "http/url.h"
#include "kube/discovery.h"
#include "kube/exec_plugin.h"
#include "kube/status.h"

static void status(const char *text, size_t len)
{
	_cleanup_kube_status_ struct kube_status status = {0};
	_cleanup_err_ struct err err = ERR_INIT;

	if (!kube_status_parse(422, len % 2 ? "text/html" : "application/json", text, len, &status,
	                       &err) ||
	    kube_status_to_err(&status, NULL, &err) || err.kind == ERR_NONE)
		abort();
}

static void versions(const char *text, size_t len)
{
	_cleanup_err_ struct err err = ERR_INIT;
	const char *version;

	if (kube_discovery_parse(text, len, kube_autoscaling_versions, &version, &err) &&
	    err.kind != ERR_NONE)
		abort();
}

static void credential(const char *text, size_t len)
{
	_cleanup_kube_exec_answer_ struct kube_exec_answer answer = KUBE_EXEC_ANSWER_INIT;
	_cleanup_err_ struct err err = ERR_INIT;

	if (kube_exec_answer_parse(text, len, "client.authentication.k8s.io/v1", &answer, &err)) {
		if (!answer.token && !answer.certificate)
			abort();
	} else if (err.kind != ERR_AUTH) {
		abort();
	}
}

static void retry_after(const char *text)
{
	int64_t pause = http_retry_parse_header(text, INT64_C(1800000000000));

	if (pause < -1 || pause > HTTP_RETRY_MAX_WAIT_MS)
		abort();
}

// What an address says is the same after it was written and read again.
static void address(const char *text)
{
	_cleanup_http_url_ struct http_url url = HTTP_URL_INIT, again = HTTP_URL_INIT;
	_cleanup_strbuf_ struct strbuf first = STRBUF_INIT(1024 * 1024);
	_cleanup_strbuf_ struct strbuf second = STRBUF_INIT(1024 * 1024);
	_cleanup_err_ struct err err = ERR_INIT;

	if (!http_url_parse(&url, text, &err))
		return;
	http_url_add(&first, &url);
	if (!http_url_parse(&again, strbuf_get(&first), &err))
		abort();
	http_url_add(&second, &again);
	if (strcmp(strbuf_get(&first), strbuf_get(&second)) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = len ? mem_dup_n((const char *)data + 1, len - 1) : NULL;

	if (!text)
		return 0;
	switch (data[0] % 5) {
	case 0:
		status(text, len - 1);
		break;
	case 1:
		versions(text, len - 1);
		break;
	case 2:
		credential(text, len - 1);
		break;
	case 3:
		retry_after(text);
		break;
	default:
		address(text);
		break;
	}
	return 0;
}
