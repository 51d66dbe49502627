// SPDX-License-Identifier: MIT
#include "kube/status.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kube/permission.h"

enum { SHOWN_BODY_BYTES = 200, TEXT_MAX_BYTES = 64 * 1024, CAUSES_MAX_COUNT = 64 };

// A member's text, or "" where it is absent or no string; owned.
static char *dup_member(const struct json *tree, const char *path)
{
	const struct json *value = json_find(tree, path);

	return mem_dup(value ? json_string(value) : "");
}

static void release_cause(struct kube_cause *cause)
{
	mem_free(cause->reason);
	mem_free(cause->message);
	mem_free(cause->field);
}

static bool add_causes(struct kube_status *status, const struct json *tree, struct err *err)
{
	const struct json *causes = json_find(tree, "details.causes");
	const struct json *item = causes ? json_first(causes) : NULL;

	for (; item && status->cause_count < CAUSES_MAX_COUNT; item = json_next(item)) {
		struct kube_cause cause = {dup_member(item, "reason"), dup_member(item, "message"),
		                           dup_member(item, "field")};

		if (!cause.reason || !cause.message || !cause.field ||
		    !mem_append(&status->causes, &status->cause_count, &cause, sizeof(cause))) {
			release_cause(&cause);
			return err_memory(err);
		}
	}
	return true;
}

static bool from_status(struct kube_status *status, const struct json *tree, struct err *err)
{
	status->reason = dup_member(tree, "reason");
	status->message = dup_member(tree, "message");
	status->continue_token = dup_member(tree, "metadata.continue");
	if (!status->reason || !status->message || !status->continue_token)
		return err_memory(err);
	return add_causes(status, tree, err);
}

// What a proxy or something else in the way said: how it begins, without its line breaks.
static bool from_stranger(struct kube_status *status, const char *content_type, const char *body,
                          size_t len, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf start = STRBUF_INIT(TEXT_MAX_BYTES);

	for (size_t i = 0; i < len && start.len < SHOWN_BODY_BYTES; i++) {
		bool is_blank = strchr(" \t\r\n", body[i]) && body[i];

		if (!is_blank)
			strbuf_add_char(&start, body[i]);
		else if (start.len && start.data[start.len - 1] != ' ')
			strbuf_add_char(&start, ' ');
	}
	strbuf_addf(&text, "the answer is HTTP status %d and no API object", status->code);
	if (*content_type)
		strbuf_addf(&text, " but %s", content_type);
	if (start.len) {
		strbuf_add(&text, ": ");
		text_sanitize(&text, start.data, start.len, TEXT_ONE_LINE);
	}
	status->reason = mem_dup("");
	status->continue_token = mem_dup("");
	status->message = strbuf_take(&text, err);
	return status->message && ((status->reason && status->continue_token) || err_memory(err));
}

bool kube_status_parse(int code, const char *content_type, const char *body, size_t len,
                       struct kube_status *ret, struct err *err)
{
	struct kube_status status = {.code = code};
	_cleanup_err_ struct err ignored = ERR_INIT;
	_cleanup_json_ struct json *tree = json_parse(body, len, &ignored);
	const struct json *kind = tree ? json_find(tree, "kind") : NULL;
	bool is_ok;

	if (kind && !strcmp(json_string(kind), "Status"))
		is_ok = from_status(&status, tree, err);
	else
		is_ok = from_stranger(&status, content_type, body, len, err);
	if (!is_ok) {
		kube_status_release(&status);
		return false;
	}
	*ret = status;
	return true;
}

static void write_causes(struct strbuf *out, const struct kube_status *status,
                         kube_flag_of_field_fn *flag_of)
{
	for (size_t i = 0; i < status->cause_count; i++) {
		const struct kube_cause *cause = &status->causes[i];
		const char *flag = flag_of && *cause->field ? flag_of(cause->field) : NULL;

		strbuf_add(out, i ? "\n" : "");
		if (flag || *cause->field)
			strbuf_addf(out, "%s: ", flag ? flag : cause->field);
		strbuf_add(out, cause->message);
	}
}

// The usual next step.
static const char *hint_of(int code)
{
	switch (code) {
	case 401:
		return "the credentials of this kubeconfig context are not valid, or no longer";
	case 502:
	case 503:
	case 504:
		return "the API server or a proxy before it is not ready: try again";
	default:
		return NULL;
	}
}

static enum err_kind kind_of(int code)
{
	if (code >= 502 && code <= 504)
		return ERR_UNREACHABLE;
	return code >= 400 && code < 500 ? ERR_REFUSED : ERR_FAILED;
}

// Who is refused by rights gets the command that asks for them; quotas and admission say 403 too.
static void hint_permission(const struct kube_status *status, struct err *err)
{
	_cleanup_strbuf_ struct strbuf command = STRBUF_INIT(TEXT_MAX_BYTES);

	if (kube_permission_write(&command, status->message) && !command.failed)
		err_hint(err, "ask for the right; \"%s\" says whether you have it", strbuf_get(&command));
}

bool kube_status_to_err(const struct kube_status *status, kube_flag_of_field_fn *flag_of,
                        struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	const char *hint = hint_of(status->code);

	// Only an Invalid object's causes say more than the message.
	if (status->code == 422 && status->cause_count)
		write_causes(&text, status, flag_of);
	else
		strbuf_add(&text, status->message);
	if (!text.len)
		strbuf_addf(&text, "the answer is HTTP status %d", status->code);
	err_set(err, kind_of(status->code), "%s", strbuf_get(&text));
	if (hint)
		err_hint(err, "%s", hint);
	else if (status->code == 403)
		hint_permission(status, err);
	return false;
}

bool kube_status_has_reason(const struct kube_status *status, const char *reason)
{
	return status->reason && !strcmp(status->reason, reason);
}

void kube_status_release(struct kube_status *status)
{
	mem_free(status->reason);
	mem_free(status->message);
	mem_free(status->continue_token);
	for (size_t i = 0; i < status->cause_count; i++)
		release_cause(&status->causes[i]);
	mem_free(status->causes);
	*status = (struct kube_status){0};
}
