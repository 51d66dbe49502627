// SPDX-License-Identifier: MIT
#include "jobs/unschedulable.h"

#include <stdbool.h>
#include <string.h>

// What the scheduler's plugins say, and what it means for a user. The text behind the prefix is added
// where `keeps_rest`.
static const struct cause {
	const char *prefix, *meaning;
	bool keeps_rest;
} causes[] = {
	{"Insufficient ", "no free ", true},
	{"node(s) didn't match Pod's node affinity/selector", "wrong labels", false},
	{"node(s) didn't match pod affinity", "pod affinity", false},
	{"node(s) didn't match pod anti-affinity", "pod anti-affinity", false},
	{"node(s) had untolerated taint(s)", "taint", false}, // 1.34 no longer says which
	{"node(s) had untolerated taint", "taint", true},
	{"node(s) had taint", "taint", true},
	{"node(s) were unschedulable", "cordoned", false},
	{"node(s) didn't have free ports", "port in use", false},
	{"node(s) had volume node affinity conflict", "volume is elsewhere", false},
	{"node(s) didn't find available persistent volumes to bind", "no volume", false},
	{"Too many pods", "full of pods", false},
	{"Preemption is not helpful for scheduling", NULL, false},
	{"No preemption victims found", NULL, false},
};

// The two numbers of "0/5 nodes are available: "; what follows, or NULL.
static const char *cut_head(const char *message, size_t *ret_len)
{
	static const char middle[] = " nodes are available: ";
	const char *slash = strchr(message, '/');
	const char *found = strstr(message, middle);

	if (!slash || !found || slash > found)
		return NULL;
	*ret_len = (size_t)(found - slash - 1);
	return found + strlen(middle);
}

static const struct cause *find_cause(const char *text, size_t len)
{
	for (size_t i = 0; i < COUNT_OF(causes); i++) {
		size_t prefix = strlen(causes[i].prefix);

		if (prefix <= len && !strncmp(text, causes[i].prefix, prefix))
			return &causes[i];
	}
	return NULL;
}

// One cause, "3 Insufficient cpu", LEN bytes. TOTAL (of LEN_TOTAL digits) goes behind the first.
static void add_cause(struct strbuf *out, const char *text, size_t len, const char *total,
                      size_t total_len)
{
	size_t digits = strspn(text, "0123456789");
	const char *what = text + digits + 1;
	const struct cause *cause;
	size_t left;

	if (!digits || digits + 1 >= len)
		return;
	left = len - digits - 1;
	cause = find_cause(what, left);
	if (cause && !cause->meaning)
		return;
	if (out->len)
		strbuf_add(out, "; ");
	strbuf_add_n(out, text, digits);
	if (total)
		strbuf_addf(out, " of %.*s nodes", (int)total_len, total);
	strbuf_add(out, ": ");
	if (!cause) {
		strbuf_add_n(out, what, left);
		return;
	}
	strbuf_add(out, cause->meaning);
	if (cause->keeps_rest) {
		size_t prefix = strlen(cause->prefix);

		strbuf_add_n(out, what + prefix, left - prefix);
	}
}

// Where a cause ends: at ", " outside braces, or at the full stop that ends the sentence.
static size_t cause_length(const char *text)
{
	size_t depth = 0;

	for (size_t i = 0;; i++) {
		if (!text[i])
			return i;
		if (text[i] == '{')
			depth++;
		else if (text[i] == '}' && depth)
			depth--;
		else if (!depth && text[i] == ',' && text[i + 1] == ' ')
			return i;
		else if (!depth && text[i] == '.' && (text[i + 1] == ' ' || !text[i + 1]))
			return i;
	}
}

void jobs_unschedulable_write(struct strbuf *out, const char *message)
{
	_cleanup_strbuf_ struct strbuf causes_text = STRBUF_INIT(4096);
	size_t total_len = 0;
	const char *rest = cut_head(message, &total_len);
	const char *total = rest ? strchr(message, '/') + 1 : NULL;

	if (!rest) {
		strbuf_add_n(out, message, cause_length(message));
		return;
	}
	for (;;) {
		size_t len = cause_length(rest);

		add_cause(&causes_text, rest, len, causes_text.len ? NULL : total, total_len);
		if (rest[len] != ',')
			break;
		rest += len + 2;
	}
	strbuf_add(out, strbuf_get(&causes_text));
	out->failed |= causes_text.failed;
}
