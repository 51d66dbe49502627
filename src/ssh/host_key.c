// SPDX-License-Identifier: MIT
#include "ssh/host_key.h"

#include <string.h>

enum { FINGERPRINT_LEN = 43 }; // base64 of 32 bytes without its "="

static bool is_fingerprint(const char *text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	return strlen(text) == FINGERPRINT_LEN && strspn(text, letters) == FINGERPRINT_LEN;
}

bool host_key_rule_parse(const char *text, struct host_key_rule *ret, struct err *err)
{
	static const char *const words[] = {"ask", "accept-new", "strict"};

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (!strcmp(text, words[i])) {
			*ret = (struct host_key_rule){.policy = (enum host_key_policy)i};
			return true;
		}
	}
	if ((!strncmp(text, "sha256:", 7) || !strncmp(text, "SHA256:", 7)) &&
	    is_fingerprint(text + 7)) {
		*ret = (struct host_key_rule){.policy = HOST_KEY_PIN};
		snprintf(ret->pin, sizeof(ret->pin), "SHA256:%s", text + 7);
		return true;
	}
	err_set(err, ERR_USAGE, "\"%s\" is not ask, accept-new, strict or sha256:FINGERPRINT", text);
	return err_hint(err, "on the host: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub");
}

static bool refuse(struct err *err, const char *format, ...) _printf_(2, 3);
static bool refuse(struct err *err, const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	return err_set(err, ERR_AUTH, "%s", strbuf_get(&text));
}

// Where a line stands: FILE:LINE.
static void add_place(struct strbuf *out, const struct known_hosts *hosts,
                      const struct known_hosts_line *line)
{
	strbuf_addf(out, "%s:%zu", hosts->files.items[line->file], line->number);
}

static bool refuse_changed(const struct known_hosts *hosts, const struct known_hosts_line *line,
                           const char *shown, struct err *err)
{
	_cleanup_strbuf_ struct strbuf known = STRBUF_INIT(128), place = STRBUF_INIT(4096);

	if (!known_hosts_line_fingerprint(&known, line, err))
		return false;
	add_place(&place, hosts, line);
	refuse(err, "host key has changed: it is %s, but %s says %s (%s)", shown, strbuf_get(&place),
	       strbuf_get(&known), line->type);
	return err_hint(err,
	                "somebody may be listening; if the host was made anew, remove line %zu of %s",
	                line->number, hosts->files.items[line->file]);
}

static bool refuse_pin(const struct host_key_rule *rule, const char *shown, struct err *err)
{
	refuse(err, "host key is %s, but %s is required", shown, rule->pin);
	return err_hint(err, "somebody may be listening; compare it with ssh-keygen -lf "
	                     "/etc/ssh/ssh_host_ed25519_key.pub on the host's console");
}

static bool refuse_unknown(const struct known_hosts *hosts, const struct known_hosts_result *result,
                           const char *shown, struct err *err)
{
	_cleanup_strbuf_ struct strbuf place = STRBUF_INIT(4096);

	if (result->other_type) {
		add_place(&place, hosts, result->other_type);
		refuse(err, "host shows a key that is not known (%s), but no %s key as %s says", shown,
		       result->other_type->type, strbuf_get(&place));
		return err_hint(err, "somebody may be listening; if the host was made anew, remove that "
		                     "line");
	}
	refuse(err, "host key is not known: %s", shown);
	if (result->has_authority)
		return err_hint(err, "known_hosts has only a certificate authority for it, which needs "
		                     "--ssh=openssh");
	return err_hint(err, "compare it with the provider's console, then --host-key=accept-new, or "
	                     "pin it with --host-key=sha256:…");
}

// What to do about a key that is in no file.
static enum host_key_verdict judge_unknown(const struct host_key_rule *rule,
                                           const struct known_hosts *hosts,
                                           const struct known_hosts_result *result,
                                           const char *shown, struct err *err)
{
	if (rule->policy == HOST_KEY_ASK)
		return HOST_KEY_QUESTION;
	if (rule->policy == HOST_KEY_ACCEPT_NEW && !result->other_type)
		return HOST_KEY_NEW;
	refuse_unknown(hosts, result, shown, err);
	return HOST_KEY_REFUSED;
}

// The key as messages show it: SHA256:… (type).
static bool describe(struct strbuf *fingerprint, struct strbuf *shown, const void *key,
                     size_t key_len, struct err *err)
{
	size_t type_len;
	const char *type = known_hosts_key_type(key, key_len, &type_len);

	if (!type || !known_hosts_add_fingerprint(fingerprint, key, key_len, err))
		return type ? false : err_set(err, ERR_AUTH, "host key is broken");
	strbuf_addf(shown, "%s (%.*s)", strbuf_get(fingerprint), (int)type_len, type);
	return strbuf_ok(shown, err);
}

enum host_key_verdict host_key_judge(const struct host_key_rule *rule,
                                     const struct known_hosts *hosts, const char *name,
                                     uint16_t port, const void *key, size_t key_len,
                                     struct err *err)
{
	_cleanup_strbuf_ struct strbuf fingerprint = STRBUF_INIT(64), shown = STRBUF_INIT(160);
	struct known_hosts_result result;

	if (!describe(&fingerprint, &shown, key, key_len, err) ||
	    !known_hosts_check(hosts, name, port, key, key_len, &result, err))
		return HOST_KEY_REFUSED;
	if (result.answer == KNOWN_HOSTS_IS_REVOKED) {
		refuse(err, "host key %s is revoked by %s:%zu", strbuf_get(&shown),
		       hosts->files.items[result.line->file], result.line->number);
		return HOST_KEY_REFUSED;
	}
	if (rule->policy == HOST_KEY_PIN) {
		if (!strcmp(strbuf_get(&fingerprint), rule->pin))
			return HOST_KEY_ACCEPTED;
		refuse_pin(rule, strbuf_get(&shown), err);
		return HOST_KEY_REFUSED;
	}
	if (result.answer == KNOWN_HOSTS_MATCHES)
		return HOST_KEY_ACCEPTED;
	if (result.answer == KNOWN_HOSTS_CHANGED) {
		refuse_changed(hosts, result.line, strbuf_get(&shown), err);
		return HOST_KEY_REFUSED;
	}
	return judge_unknown(rule, hosts, &result, strbuf_get(&shown), err);
}
