// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "ssh/place.h"

enum { HOST_MAX_BYTES = 255, USER_MAX_BYTES = 64 };

static bool is_clean(const char *text, size_t len, size_t max)
{
	if (!len || len > max || *text == '-')
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] == 0x7f || strchr("'\"\\`$;&|<>(){}*?!#,", text[i]))
			return false;
	return true;
}

// Splits HOST[:PORT]. More than one colon without brackets is an IPv6 number.
static const char *find_port(const char *text, const char **host, size_t *host_len)
{
	const char *first = strchr(text, ':'), *close;

	*host = text;
	*host_len = strlen(text);
	if (*text == '[') {
		close = strchr(text, ']');
		*host = text + 1;
		*host_len = close ? (size_t)(close - text - 1) : 0;
		return close && close[1] ? close + 1 : NULL;
	}
	if (!first || strchr(first + 1, ':'))
		return NULL;
	*host_len = (size_t)(first - text);
	return first;
}

bool ssh_address_parse(const char *text, struct ssh_address *ret, struct err *err)
{
	const char *at = strrchr(text, '@'), *host, *port_text;
	_cleanup_ssh_address_ struct ssh_address address = {0};
	int64_t port;
	size_t host_len;

	port_text = find_port(at ? at + 1 : text, &host, &host_len);
	if (!is_clean(host, host_len, HOST_MAX_BYTES) ||
	    (at && !is_clean(text, (size_t)(at - text), USER_MAX_BYTES)) ||
	    (port_text && *port_text != ':'))
		return err_set(err, ERR_USAGE, "\"%s\" is not [USER@]HOST[:PORT]", text);
	if (port_text) {
		if (!parse_i64(port_text + 1, 1, 65535, &port, err))
			return err_wrap(err, "\"%s\"", text);
		address.port = (uint16_t)port;
	}
	address.host = mem_dup_n(host, host_len);
	address.user = at ? mem_dup_n(text, (size_t)(at - text)) : NULL;
	if (!address.host || (at && !address.user))
		return err_memory(err);
	*ret = address;
	address = (struct ssh_address){0};
	return true;
}

void ssh_address_release(struct ssh_address *address)
{
	mem_free(address->user);
	mem_free(address->host);
	*address = (struct ssh_address){0};
}
