// SPDX-License-Identifier: MIT
// Which proxy leads to a server, as Go's net/http (and so kubectl) decides.
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "http/url.h"

// Reads an environment variable; NULL where it is not set. getenv fits.
typedef char *http_proxy_getenv_fn(const char *name);

struct http_proxy {
	char *url;  // NULL: none
	char *skip; // hosts that are reached directly, as NO_PROXY lists them; NULL: none
};

#define HTTP_PROXY_INIT \
	{                   \
		NULL, NULL      \
	}
#define _cleanup_http_proxy_ _cleanup_(http_proxy_release)

// From HTTPS_PROXY or HTTP_PROXY (or the same in small letters) by the server's scheme, and
// NO_PROXY. A server on this machine is always reached directly.
bool http_proxy_from_environment(struct http_proxy *proxy, const struct http_url *server,
                                 http_proxy_getenv_fn *getenv_fn, struct err *err) _nodiscard_;

// From a setting: http, https or socks5 (socks5h) URL; names are resolved at a socks5 proxy, as
// Go does it. NO_PROXY does not apply.
bool http_proxy_from_url(struct http_proxy *proxy, const char *url, struct err *err) _nodiscard_;

void http_proxy_release(struct http_proxy *proxy);
