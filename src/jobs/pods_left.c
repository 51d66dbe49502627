// SPDX-License-Identifier: MIT
#include "jobs/pods_left.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "kube/list.h"
#include "kube/pause.h"
#include "kube/pod_info.h"

enum { POLL_MS = 300, SELECTOR_MAX_BYTES = 64 * 1024 };

// Pods that are left, and the name of one of them.
struct left {
	bool only_live;
	int64_t count;
	struct strbuf name;
};

static bool has_ended(const struct kube_pod_info *pod)
{
	return pod->phase && (!strcmp(pod->phase, "Succeeded") || !strcmp(pod->phase, "Failed"));
}

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct left *left = context;
	const struct kube_pod_info *pod = record;

	(void)change;
	(void)err;
	if (left->only_live && has_ended(pod))
		return true;
	if (!left->count++ && pod->name)
		strbuf_add(&left->name, pod->name);
	return true;
}

static void forget(void *context)
{
	struct left *left = context;

	left->count = 0;
	strbuf_clear(&left->name);
}

// "job-name in (a,b)"
static void write_selector(struct strbuf *out, const struct strv *names)
{
	strbuf_add(out, "job-name in (");
	for (size_t i = 0; i < names->count; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", names->items[i]);
	strbuf_add(out, ")");
}

static bool wait_for(struct kube_client *client, const struct kube_list_options *pods,
                     struct left *left, int64_t limit_ms, struct err *err)
{
	for (int64_t waited_ms = 0;; waited_ms += POLL_MS) {
		forget(left);
		if (!kube_list_all(client, pods, 1, err))
			return false;
		if (!left->count)
			return true;
		if (waited_ms >= limit_ms)
			return err_set(err, ERR_FAILED, "pod \"%s\" is still there after %" PRId64 " s",
			               strbuf_get(&left->name), limit_ms / 1000);
		if (!kube_pause(client, POLL_MS, err))
			return false;
	}
}

bool jobs_wait_for_selected(struct kube_client *client, const char *namespace, const char *labels,
                            const char *fields, bool only_live, int64_t limit_ms, struct err *err)
{
	struct left left = {only_live, 0, STRBUF_INIT(1024)};
	struct kube_list_options pods = {.collection = &kube_pods,
	                                 .kind = &kube_pod_record,
	                                 .namespace = namespace,
	                                 .label_selector = labels,
	                                 .field_selector = fields,
	                                 .on_record = on_pod,
	                                 .on_restart = forget,
	                                 .context = &left};
	bool is_ok = wait_for(client, &pods, &left, limit_ms, err);

	strbuf_release(&left.name);
	return is_ok;
}

bool jobs_wait_for_pods(struct kube_client *client, const char *namespace, const struct strv *names,
                        bool only_live, int64_t limit_ms, struct err *err)
{
	_cleanup_strbuf_ struct strbuf selector = STRBUF_INIT(SELECTOR_MAX_BYTES);

	write_selector(&selector, names);
	return strbuf_ok(&selector, err) &&
	       jobs_wait_for_selected(client, namespace, strbuf_get(&selector), NULL, only_live,
	                              limit_ms, err);
}

bool jobs_selector_write(struct strbuf *out, const struct json *deployment, struct err *err)
{
	const struct json *labels = json_find(deployment, "spec.selector.matchLabels");
	size_t start = out->len;

	for (const struct json *label = labels ? json_first(labels) : NULL; label;
	     label = json_next(label))
		strbuf_addf(out, "%s%s=%s", out->len > start ? "," : "", json_name(label),
		            json_string(label));
	return out->len > start ? strbuf_ok(out, err)
	                        : err_set(err, ERR_FAILED, "it selects no pods by labels");
}
