// SPDX-License-Identifier: MIT
// Parts of URLs (RFC 3986). Only http and https; what else a URL can be is refused.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

struct http_url {
	bool is_https;
	char *host;    // name or address, an IPv6 address without its brackets
	uint16_t port; // 443 or 80 where the text names none
	char *path;    // "" or starts with a slash and ends without one
};

#define HTTP_URL_INIT        \
	{                        \
		false, NULL, 0, NULL \
	}
#define _cleanup_http_url_ _cleanup_(http_url_release)

// A server's address: [https://]HOST[:PORT][/PATH]; https is taken where no scheme stands.
// Refused: user names, queries, fragments, blanks and control characters.
bool http_url_parse(struct http_url *url, const char *text, struct err *err) _nodiscard_;

// Adds "https://host:port/path", with brackets around an IPv6 address.
void http_url_add(struct strbuf *out, const struct http_url *url);

// Adds "host:port" in the same form.
void http_url_add_authority(struct strbuf *out, const struct http_url *url);

// Adds TEXT percent-encoded: all but letters, digits and -._~ (RFC 3986 2.3).
void http_url_encode(struct strbuf *out, const char *text);

// Adds "?name=value", or "&name=value" where OUT has a question mark already.
void http_url_add_query(struct strbuf *out, const char *name, const char *value);

// True for localhost and for addresses that never leave the machine (127.0.0.0/8, ::1).
bool http_url_is_loopback(const char *host) _nodiscard_;

void http_url_release(struct http_url *url);
