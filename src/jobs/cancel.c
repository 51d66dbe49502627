// SPDX-License-Identifier: MIT
#include "jobs/cancel.h"

#include <inttypes.h>

#include "base/strbuf.h"
#include "jobs/missing.h"
#include "kube/create.h"
#include "kube/list.h"
#include "kube/pause.h"
#include "kube/pod_info.h"

enum { POLL_MS = 300, SELECTOR_MAX_BYTES = 64 * 1024 };

// Pods that still hold something, and the name of one of them.
struct left {
	int64_t count;
	struct strbuf name;
};

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct left *left = context;
	const struct kube_pod_info *pod = record;

	(void)change;
	(void)err;
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

static bool wait_until_gone(struct kube_client *client, const char *namespace,
                            const struct strv *names, int64_t limit_ms, struct err *err)
{
	_cleanup_strbuf_ struct strbuf selector = STRBUF_INIT(SELECTOR_MAX_BYTES);
	struct left left = {0, STRBUF_INIT(1024)};
	struct kube_list_options pods = {.collection = &kube_pods,
	                                 .kind = &kube_pod_record,
	                                 .namespace = namespace,
	                                 .on_record = on_pod,
	                                 .on_restart = forget,
	                                 .context = &left};
	bool is_ok = true;

	write_selector(&selector, names);
	pods.label_selector = strbuf_get(&selector);
	for (int64_t waited_ms = 0; is_ok; waited_ms += POLL_MS) {
		forget(&left);
		is_ok = kube_list_all(client, &pods, 1, err);
		if (!is_ok || !left.count)
			break;
		if (waited_ms >= limit_ms) {
			err_set(err, ERR_FAILED, "pod \"%s\" is still there after %" PRId64 " s",
			        strbuf_get(&left.name), limit_ms / 1000);
			is_ok = false;
		} else {
			is_ok = kube_pause(client, POLL_MS, err);
		}
	}
	strbuf_release(&left.name);
	return is_ok;
}

bool jobs_cancel(struct kube_client *client, const char *namespace, const struct strv *names,
                 int64_t limit_ms, struct strv *deleted, struct faults *faults, struct err *err)
{
	_cleanup_strv_ struct strv own = STRV_INIT;
	struct strv *done = deleted ? deleted : &own;

	for (size_t i = 0; i < names->count; i++) {
		_cleanup_err_ struct err one = ERR_INIT;
		bool is_missing;

		if (kube_delete(client, &kube_jobs, namespace, names->items[i], &is_missing, &one)) {
			if (!strv_add(done, names->items[i], err))
				return false;
			continue;
		}
		if (is_missing)
			jobs_missing(client, &kube_jobs, namespace, names->items[i], &one);
		if (one.kind == ERR_REFUSED) {
			faults_take(faults, &one);
		} else {
			err_copy(err, &one);
			return false;
		}
	}
	return !limit_ms || !done->count || wait_until_gone(client, namespace, done, limit_ms, err);
}
