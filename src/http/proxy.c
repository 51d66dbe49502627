// SPDX-License-Identifier: MIT
#include "http/proxy.h"

#include <string.h>
#include <strings.h>

#include "base/mem.h"

enum { PROXY_MAX_BYTES = 4096 };

bool http_proxy_from_url(struct http_proxy *proxy, const char *url, struct err *err)
{
	static const char *const schemes[] = {"http://", "https://", "socks5://", "socks5h://"};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(PROXY_MAX_BYTES);
	size_t known = 0;

	while (known < COUNT_OF(schemes) &&
	       strncasecmp(url, schemes[known], strlen(schemes[known])) != 0)
		known++;
	if (known == COUNT_OF(schemes)) {
		err_set(err, ERR_USAGE, "the proxy's URL has none of http, https and socks5 as scheme");
		return err_hint(err, "write it as http://HOST:PORT");
	}
	strbuf_add(&text, known == 2 ? "socks5h://" : schemes[known]);
	strbuf_add(&text, url + strlen(schemes[known]));
	mem_free(proxy->url);
	proxy->url = strbuf_take(&text, err);
	return proxy->url != NULL;
}

static const char *read_either(http_proxy_getenv_fn *getenv_fn, const char *big, const char *little)
{
	const char *value = getenv_fn(big);

	return value && *value ? value : getenv_fn(little);
}

bool http_proxy_from_environment(struct http_proxy *proxy, const struct http_url *server,
                                 http_proxy_getenv_fn *getenv_fn, struct err *err)
{
	const char *url = server->is_https ? read_either(getenv_fn, "HTTPS_PROXY", "https_proxy")
	                                   : read_either(getenv_fn, "HTTP_PROXY", "http_proxy");
	const char *skip = read_either(getenv_fn, "NO_PROXY", "no_proxy");
	_cleanup_strbuf_ struct strbuf with_scheme = STRBUF_INIT(PROXY_MAX_BYTES);

	if (!url || !*url || http_url_is_loopback(server->host))
		return true;
	strbuf_addf(&with_scheme, "%s%s", strstr(url, "://") ? "" : "http://", url);
	if (!strbuf_ok(&with_scheme, err) || !http_proxy_from_url(proxy, strbuf_get(&with_scheme), err))
		return err_wrap(err, "environment");
	if (!skip || !*skip)
		return true;
	mem_free(proxy->skip);
	proxy->skip = mem_dup(skip);
	return proxy->skip || err_memory(err);
}

void http_proxy_release(struct http_proxy *proxy)
{
	mem_free(proxy->url);
	mem_free(proxy->skip);
	*proxy = (struct http_proxy)HTTP_PROXY_INIT;
}
