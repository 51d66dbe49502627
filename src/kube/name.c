// SPDX-License-Identifier: MIT
#include "kube/name.h"

#include <string.h>

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower_alnum(char c)
{
	return is_lower(c) || is_digit(c);
}

static bool is_alnum(char c)
{
	return is_lower_alnum(c) || is_upper(c);
}

// LEN bytes: alphanumeric (is_end) at both ends, those or one of EXTRA between.
static bool is_dashed(const char *text, size_t len, bool (*is_end)(char), const char *extra)
{
	if (!len || !is_end(text[0]) || !is_end(text[len - 1]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_end(text[i]) && !strchr(extra, text[i]))
			return false;
	return true;
}

static bool is_dns_label(const char *text, size_t len)
{
	return len <= KUBE_LABEL_MAX_BYTES && is_dashed(text, len, is_lower_alnum, "-");
}

static bool is_subdomain(const char *text, size_t len)
{
	if (len > KUBE_SUBDOMAIN_MAX_BYTES)
		return false;
	for (;;) {
		const char *dot = memchr(text, '.', len);
		size_t part = dot ? (size_t)(dot - text) : len;

		if (!is_dashed(text, part, is_lower_alnum, "-"))
			return false;
		if (!dot)
			return true;
		text += part + 1;
		len -= part + 1;
	}
}

enum { SUGGESTION_MAX_BYTES = KUBE_NAME_MAX_BYTES + 1 };

// The legal name that is closest to NAME: lower case, runs of anything else as one "-".
static void suggest(const char *name, char suggestion[SUGGESTION_MAX_BYTES])
{
	size_t len = 0;

	for (; *name && len < KUBE_NAME_MAX_BYTES; name++) {
		char c = is_upper(*name) ? (char)(*name - 'A' + 'a') : *name;

		if (is_lower(c) || (len && is_digit(c)))
			suggestion[len++] = c;
		else if (len && suggestion[len - 1] != '-')
			suggestion[len++] = '-';
	}
	while (len && suggestion[len - 1] == '-')
		len--;
	suggestion[len] = '\0';
	if (!len)
		memcpy(suggestion, "job", sizeof("job"));
}

bool kube_name_check(const char *name, struct err *err)
{
	size_t len = strlen(name);
	char legal[SUGGESTION_MAX_BYTES];

	if (len <= KUBE_NAME_MAX_BYTES && is_dns_label(name, len) && is_lower(name[0]))
		return true;
	suggest(name, legal);
	if (len > KUBE_NAME_MAX_BYTES)
		err_set(err, ERR_USAGE, "name \"%s\" has %zu bytes, %d are allowed", name, len,
		        KUBE_NAME_MAX_BYTES);
	else
		err_set(err, ERR_USAGE,
		        "name \"%s\" is not made of a-z, 0-9 and \"-\", from a letter to a letter or digit",
		        name);
	return err_hint(err, "\"%s\"?", legal);
}

bool kube_name_check_label(const char *name, struct err *err)
{
	if (is_dns_label(name, strlen(name)))
		return true;
	return err_set(err, ERR_USAGE,
	               "\"%s\" is not a name: at most %d bytes of a-z, 0-9 and \"-\", "
	               "a letter or digit at both ends",
	               name, KUBE_LABEL_MAX_BYTES);
}

bool kube_name_check_subdomain(const char *name, struct err *err)
{
	if (is_subdomain(name, strlen(name)))
		return true;
	return err_set(err, ERR_USAGE,
	               "\"%s\" is not a name: at most %d bytes of a-z, 0-9, \"-\" and \".\", "
	               "a letter or digit at both ends",
	               name, KUBE_SUBDOMAIN_MAX_BYTES);
}

bool kube_name_check_path(const char *name, struct err *err)
{
	if (*name && strcmp(name, ".") && strcmp(name, "..") && !strpbrk(name, "/%"))
		return true;
	return err_set(err, ERR_USAGE, "\"%s\" is no name", name);
}

bool kube_name_check_key(const char *key, struct err *err)
{
	const char *slash = strchr(key, '/');
	const char *name = slash ? slash + 1 : key;
	size_t len = strlen(name);

	if (slash && !is_subdomain(key, (size_t)(slash - key)))
		return err_set(err, ERR_USAGE, "the prefix of \"%s\" is not a domain in lower case", key);
	if (len > KUBE_LABEL_MAX_BYTES || !is_dashed(name, len, is_alnum, "-_."))
		return err_set(err, ERR_USAGE,
		               "\"%s\" is not a key: at most %d bytes of letters, digits, \"-\", \"_\" "
		               "and \".\", a letter or digit at both ends",
		               key, KUBE_LABEL_MAX_BYTES);
	return true;
}

bool kube_name_check_label_value(const char *value, struct err *err)
{
	size_t len = strlen(value);

	if (!len || (len <= KUBE_LABEL_MAX_BYTES && is_dashed(value, len, is_alnum, "-_.")))
		return true;
	err_set(err, ERR_USAGE,
	        "\"%s\" is not a label value: at most %d bytes of letters, digits, \"-\", \"_\" and "
	        "\".\", a letter or digit at both ends",
	        value, KUBE_LABEL_MAX_BYTES);
	return err_hint(err, "free text fits --annotation");
}

bool kube_name_check_secret_key(const char *key, struct err *err)
{
	size_t len = strlen(key);
	bool is_ok = len > 0 && len <= KUBE_SUBDOMAIN_MAX_BYTES && strncmp(key, "..", 2) != 0 &&
	             strcmp(key, ".") != 0;

	for (const char *p = key; is_ok && *p; p++)
		is_ok = is_alnum(*p) || strchr("-._", *p);
	if (is_ok)
		return true;
	return err_set(
		err, ERR_USAGE,
		"\"%s\" is not a Secret's key: at most %d bytes of letters, digits, \"-\", \"_\" "
		"and \".\"",
		key, KUBE_SUBDOMAIN_MAX_BYTES);
}

bool kube_name_check_env(const char *name, bool *is_old_style, struct err *err)
{
	// Once a name could be a file's, too.
	bool is_plain = !is_digit(name[0]) && strncmp(name, "..", 2) != 0 && strcmp(name, ".") != 0;

	if (!*name)
		return err_set(err, ERR_USAGE, "a variable has no name");
	for (const char *p = name; *p; p++) {
		if (*p < 0x20 || *p > 0x7E || *p == '=')
			return err_set(err, ERR_USAGE, "\"%s\" is not the name of a variable", name);
		is_plain &= is_alnum(*p) || strchr("-._", *p);
	}
	if (is_old_style)
		*is_old_style = is_plain;
	return true;
}
