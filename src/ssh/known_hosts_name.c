// SPDX-License-Identifier: MIT
#include "ssh/known_hosts_name.h"

#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Would the character end the name, or make a pattern, a marker or a hash of it?
static bool is_allowed(char c)
{
	return c > ' ' && c != 0x7f && !strchr(",*?!|#@\"'\\", c);
}

char *known_hosts_name_dup(const char *name, uint16_t port, struct err *err)
{
	_cleanup_strbuf_ struct strbuf full = STRBUF_INIT(1100);

	if (!*name || strlen(name) > 1024) {
		err_set(err, ERR_USAGE, "host name is empty or too long");
		return NULL;
	}
	if (port != 22)
		strbuf_add_char(&full, '[');
	for (const char *p = name; *p; p++) {
		if (!is_allowed(*p)) {
			err_set(err, ERR_USAGE, "host name holds a character that known_hosts cannot hold");
			return NULL;
		}
		strbuf_add_char(&full, lower(*p));
	}
	if (port != 22)
		strbuf_addf(&full, "]:%u", (unsigned)port);
	return strbuf_take(&full, err);
}

// Does NAME match the pattern of LEN characters? Backtracks to the last star only, so the time is
// at most the product of the lengths.
static bool matches_pattern(const char *name, const char *pattern, size_t len)
{
	const char *end = pattern + len, *star = NULL, *star_name = NULL;

	while (*name) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			star_name = name;
		} else if (pattern < end && (*pattern == '?' || lower(*pattern) == *name)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++star_name;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

static bool matches_list(const char *name, const char *names)
{
	bool is_match = false;

	while (*names) {
		size_t len = strcspn(names, ",");
		bool is_negated = *names == '!';

		if (matches_pattern(name, names + is_negated, len - is_negated)) {
			if (is_negated)
				return false;
			is_match = true;
		}
		names += len + (names[len] == ',');
	}
	return is_match;
}

// A hashed name is |1|SALT|HASH, both in base64, with HASH = HMAC-SHA1(key SALT, name).
static bool matches_hash(const char *name, const char *hashed, bool *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf salt = STRBUF_INIT(256), hash = STRBUF_INIT(256);
	unsigned char sum[DIGEST_SHA1_BYTES];
	const char *bar;

	*ret = false;
	if (strncmp(hashed, "|1|", 3) != 0)
		return true; // a kind of hash that does not exist yet
	hashed += 3;
	bar = strchr(hashed, '|');
	if (!bar || !base64_decode(&salt, hashed, (size_t)(bar - hashed)) ||
	    !base64_decode(&hash, bar + 1, strlen(bar + 1)) || hash.len != sizeof(sum))
		return true;
	if (!digest_hmac_sha1(strbuf_get(&salt), salt.len, name, strlen(name), sum, err))
		return false;
	*ret = !memcmp(sum, hash.data, sizeof(sum));
	return true;
}

bool known_hosts_name_matches(const char *name, const char *names, bool *ret, struct err *err)
{
	if (*names == '|')
		return matches_hash(name, names, ret, err);
	*ret = matches_list(name, names);
	return true;
}

bool known_hosts_name_add_hashed(struct strbuf *out, const char *name, struct err *err)
{
	unsigned char salt[DIGEST_SHA1_BYTES], sum[DIGEST_SHA1_BYTES];

	if (!secret_random(salt, sizeof(salt), err) ||
	    !digest_hmac_sha1(salt, sizeof(salt), name, strlen(name), sum, err))
		return false;
	strbuf_add(out, "|1|");
	base64_add(out, salt, sizeof(salt));
	strbuf_add_char(out, '|');
	base64_add(out, sum, sizeof(sum));
	return true;
}
