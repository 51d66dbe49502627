// SPDX-License-Identifier: MIT
#include "ssh/kexinit.h"

#include <string.h>

#include "base/text.h"
#include "ssh/keyfile.h"

enum { SHOWN_MAX_BYTES = 160, PACKET_HEADER_BYTES = 5, COOKIE_BYTES = 16, MSG_KEXINIT = 20 };

bool kexinit_contains(const char *list, size_t len, const char *name, size_t name_len)
{
	const char *end = list + len;

	while (list < end) {
		const char *comma = memchr(list, ',', (size_t)(end - list));
		size_t this_len = (size_t)((comma ? comma : end) - list);

		if (this_len == name_len && !memcmp(list, name, name_len))
			return true;
		list += this_len + 1;
	}
	return false;
}

static bool have_common(const char *theirs, size_t len, const char *ours)
{
	while (*ours) {
		size_t name_len = strcspn(ours, ",");

		if (kexinit_contains(theirs, len, ours, name_len))
			return true;
		ours += name_len + (ours[name_len] == ',');
	}
	return false;
}

// Behind the line that starts with SSH-, or NULL.
static const unsigned char *after_version(const unsigned char *pos, const unsigned char *end)
{
	while (pos < end) {
		const unsigned char *stop = memchr(pos, '\n', (size_t)(end - pos));
		bool is_version = end - pos >= 4 && !memcmp(pos, "SSH-", 4);

		if (!stop)
			return NULL;
		pos = stop + 1;
		if (is_version)
			return pos;
	}
	return NULL;
}

enum kexinit_list kexinit_mismatch(const void *data, size_t len,
                                   const char *const ours[KEXINIT_LISTS], struct strbuf *out)
{
	const unsigned char *end = (const unsigned char *)data + len;
	const unsigned char *pos = len ? after_version(data, end) : NULL;

	if (!pos || end - pos < PACKET_HEADER_BYTES + 1 + COOKIE_BYTES ||
	    pos[PACKET_HEADER_BYTES] != MSG_KEXINIT)
		return KEXINIT_LISTS;
	pos += PACKET_HEADER_BYTES + 1 + COOKIE_BYTES;
	for (int list = 0; list < KEXINIT_LISTS; list++) {
		size_t list_len;
		const unsigned char *names = wire_string(&pos, end, &list_len);

		if (!names)
			return KEXINIT_LISTS;
		if (have_common((const char *)names, list_len, ours[list]))
			continue;
		text_sanitize(out, (const char *)names,
		              list_len < SHOWN_MAX_BYTES ? list_len : SHOWN_MAX_BYTES, TEXT_ONE_LINE);
		if (list_len > SHOWN_MAX_BYTES)
			strbuf_add(out, "…");
		return (enum kexinit_list)list;
	}
	return KEXINIT_LISTS;
}

void kexinit_add_greeting(struct strbuf *out, const void *data, size_t len)
{
	const char *text = data;
	size_t line_len = 0;

	if (len >= 4 && !memcmp(text, "SSH-", 4))
		return;
	while (line_len < len && line_len < SHOWN_MAX_BYTES && text[line_len] != '\n' &&
	       text[line_len] != '\r')
		line_len++;
	text_sanitize(out, text, line_len, TEXT_ONE_LINE);
}
