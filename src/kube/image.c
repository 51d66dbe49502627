// SPDX-License-Identifier: MIT
#include "kube/image.h"

#include <string.h>

enum { TAG_MAX_BYTES = 128, NAME_MAX_BYTES = 255 };

static const char lower[] = "abcdefghijklmnopqrstuvwxyz0123456789";
static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

static bool consists_of(const char *text, size_t len, const char *chars, const char *more)
{
	for (size_t i = 0; i < len; i++)
		if (!text[i] || (!strchr(chars, text[i]) && !strchr(more, text[i])))
			return false;
	return len > 0;
}

// a-z, 0-9, and between them one ".", one or two "_", or any number of "-".
static bool is_path_part(const char *text, size_t len)
{
	if (!consists_of(text, len, lower, "._-") || !strchr(lower, text[0]) ||
	    !strchr(lower, text[len - 1]))
		return false;
	for (size_t i = 1; i + 1 < len; i++) {
		size_t run = strspn(text + i, "._-");

		if (run > 1 && strspn(text + i, "-") < run && !(run == 2 && !strncmp(text + i, "__", 2)))
			return false;
		i += run;
	}
	return true;
}

// A first part is a host if it has a dot or a port, or is localhost.
static bool is_host(const char *text, size_t len)
{
	return memchr(text, '.', len) || memchr(text, ':', len) ||
	       (len == strlen("localhost") && !strncmp(text, "localhost", len));
}

static bool is_path(const char *text, size_t len)
{
	bool is_first = true;

	if (len > NAME_MAX_BYTES)
		return false;
	for (;; is_first = false) {
		const char *slash = memchr(text, '/', len);
		size_t part = slash ? (size_t)(slash - text) : len;
		bool is_registry = is_first && slash && is_host(text, part);

		if (is_registry ? !consists_of(text, part, word, ".-:[]") : !is_path_part(text, part))
			return false;
		if (!slash)
			return true;
		text += part + 1;
		len -= part + 1;
	}
}

static bool is_tag(const char *text, size_t len)
{
	return len <= TAG_MAX_BYTES && consists_of(text, len, word, ".-") && strchr(word, text[0]);
}

// ALGORITHM:HEX
static bool is_digest(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && consists_of(text, (size_t)(colon - text), word, "+.-") &&
	       strlen(colon + 1) >= 32 &&
	       consists_of(colon + 1, strlen(colon + 1), "0123456789abcdef", "");
}

bool kube_image_check(const char *image, struct err *err)
{
	const char *at = strchr(image, '@');
	size_t len = at ? (size_t)(at - image) : strlen(image);
	const char *slash = memchr(image, '/', len);
	const char *colon = image + len;

	while (slash && memchr(slash + 1, '/', len - (size_t)(slash + 1 - image)))
		slash = memchr(slash + 1, '/', len - (size_t)(slash + 1 - image));
	while (colon > image && *colon != ':')
		colon--;
	if (*colon != ':' || (slash && colon < slash))
		colon = image + len;
	if (is_path(image, (size_t)(colon - image)) &&
	    (colon == image + len || is_tag(colon + 1, (size_t)(image + len - colon - 1))) &&
	    (!at || is_digest(at + 1)))
		return true;
	err_set(err, ERR_USAGE, "\"%s\" is not an image", image);
	return err_hint(err, "[HOST[:PORT]/]NAME[:TAG], the name in lower case");
}
