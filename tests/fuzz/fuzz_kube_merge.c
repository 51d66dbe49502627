// SPDX-License-Identifier: MIT
// A user's kubeconfig, whatever it is, and a cluster's: what is merged can be merged again, which changes
// nothing, and taken out again.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kube/kubeconfig_merge.h"

static const char fresh[] =
	"clusters: [{name: k, cluster: {server: 'https://h:6443', certificate-authority-data: b25l}}]\n"
	"contexts: [{name: k, context: {cluster: k, user: a}}]\n"
	"users: [{name: a, user: {token: t}}]\ncurrent-context: k\n";
static const struct kube_config_addition addition = {
	.fresh = fresh, .fresh_len = sizeof(fresh) - 1, .name = "lab"};

static bool merge(const char *text, size_t len, struct strbuf *out)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_free_ char *context = NULL;

	if (kube_config_merge("file", text, len, &addition, out, &context, &err))
		return true;
	if (err.kind == ERR_NONE)
		abort();
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_strbuf_ struct strbuf once = STRBUF_INIT(1 << 20), twice = STRBUF_INIT(1 << 20);
	_cleanup_strbuf_ struct strbuf rest = STRBUF_INIT(1 << 20);
	_cleanup_err_ struct err err = ERR_INIT;
	size_t count;

	if (!merge((const char *)data, len, &once))
		return 0;
	if (!merge(strbuf_get(&once), once.len, &twice) ||
	    strcmp(strbuf_get(&once), strbuf_get(&twice)) != 0)
		abort();
	if (!kube_config_forget("file", strbuf_get(&once), once.len, fresh, sizeof(fresh) - 1, &rest,
	                        &count, &err) ||
	    !count)
		abort();
	return 0;
}
