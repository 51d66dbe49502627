// SPDX-License-Identifier: MIT
#include "http/url.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/parse.h"

static bool skip_scheme(const char **text, bool *is_https)
{
	static const char marks[] = "://";
	const char *scheme_end = strstr(*text, marks);

	*is_https = true;
	if (!scheme_end || strcspn(*text, "/?#") < (size_t)(scheme_end - *text))
		return true;
	if (!strncasecmp(*text, "http:", 5))
		*is_https = false;
	else if (strncasecmp(*text, "https:", 6) != 0)
		return false;
	*text = scheme_end + sizeof(marks) - 1;
	return true;
}

// Brackets hold an IPv6 address, with its zone behind a percent sign, and nothing else does.
static bool is_ipv6(const char *start, const char *end)
{
	const char *zone = memchr(start, '%', (size_t)(end - start));
	char address[INET6_ADDRSTRLEN] = "";
	size_t len = (size_t)((zone ? zone : end) - start);
	struct in6_addr unused;

	if (len >= sizeof(address) || (zone && strcspn(zone, "/?#[]") < (size_t)(end - zone)))
		return false;
	memcpy(address, start, len);
	return inet_pton(AF_INET6, address, &unused) == 1;
}

// HOST or [HOST], and moves *TEXT behind it.
static bool read_host(struct http_url *url, const char **text)
{
	const char *start = *text, *end;

	if (*start == '[') {
		start++;
		end = strchr(start, ']');
		if (!end || !is_ipv6(start, end))
			return false;
		*text = end + 1;
	} else {
		end = start + strcspn(start, ":/?#[]");
		*text = end;
	}
	if (end == start || memchr(start, '@', (size_t)(end - start)))
		return false;
	mem_free(url->host);
	url->host = mem_dup_n(start, (size_t)(end - start));
	return true;
}

static bool read_port(struct http_url *url, const char **text)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	char digits[8] = "";
	size_t len;
	int64_t port;

	url->port = url->is_https ? 443 : 80;
	if (**text != ':')
		return true;
	len = strcspn(++*text, "/?#");
	if (len == 0) // "host:" is the scheme's own port
		return true;
	if (len >= sizeof(digits))
		return false;
	memcpy(digits, *text, len);
	*text += len;
	if (!parse_i64(digits, 1, 65535, &port, &ignored))
		return false;
	url->port = (uint16_t)port;
	return true;
}

static bool has_bad_bytes(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || *text == 0x7F)
			return true;
	return false;
}

static bool read_all(struct http_url *url, const char *text)
{
	size_t len;

	if (has_bad_bytes(text) || !skip_scheme(&text, &url->is_https) || strpbrk(text, "?#") ||
	    !read_host(url, &text) || !read_port(url, &text) || (*text && *text != '/'))
		return false;
	len = strlen(text);
	while (len && text[len - 1] == '/')
		len--;
	mem_free(url->path);
	url->path = mem_dup_n(text, len);
	return true;
}

bool http_url_parse(struct http_url *url, const char *text, struct err *err)
{
	if (!read_all(url, text)) {
		err_set(err, ERR_USAGE, "\"%s\" is not a server's address", text);
		return err_hint(err, "write it as https://HOST:PORT");
	}
	return (url->host && url->path) || err_memory(err);
}

void http_url_add_authority(struct strbuf *out, const struct http_url *url)
{
	bool is_ipv6 = strchr(url->host, ':') != NULL;

	strbuf_addf(out, is_ipv6 ? "[%s]:%u" : "%s:%u", url->host, (unsigned)url->port);
}

void http_url_add(struct strbuf *out, const struct http_url *url)
{
	strbuf_add(out, url->is_https ? "https://" : "http://");
	http_url_add_authority(out, url);
	strbuf_add(out, url->path);
}

void http_url_encode(struct strbuf *out, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		                (c >= '0' && c <= '9') || strchr("-._~", c);

		if (is_plain) {
			strbuf_add_char(out, *text);
			continue;
		}
		strbuf_add_char(out, '%');
		strbuf_add_char(out, digits[c >> 4]);
		strbuf_add_char(out, digits[c & 15]);
	}
}

void http_url_add_query(struct strbuf *out, const char *name, const char *value)
{
	strbuf_add_char(out, strchr(strbuf_get(out), '?') ? '&' : '?');
	http_url_encode(out, name);
	strbuf_add_char(out, '=');
	http_url_encode(out, value);
}

bool http_url_is_loopback(const char *host)
{
	struct in_addr four;
	struct in6_addr six;

	if (!strcasecmp(host, "localhost"))
		return true;
	if (inet_pton(AF_INET, host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

void http_url_release(struct http_url *url)
{
	mem_free(url->host);
	mem_free(url->path);
	*url = (struct http_url)HTTP_URL_INIT;
}
