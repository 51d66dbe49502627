// SPDX-License-Identifier: MIT
#include "kube/drain.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "kube/collection.h"
#include "kube/create.h"
#include "kube/list.h"
#include "kube/node_info.h"
#include "kube/pause.h"
#include "kube/pod_info.h"

enum {
	POLL_MS = 500,
	BLOCKED_PAUSE_MS = 5000, // kubectl's
	PATH_MAX_BYTES = 8192,
	CONTENT_MAX_BYTES = 16384,
	LEFT_MAX_BYTES = 16384,
	LEFT_MAX_COUNT = 10,
};

static bool on_node(void *context, enum kube_record_change change, void *record, struct err *err)
{
	const struct kube_node_info *node = record;

	(void)change;
	(void)err;
	*(bool *)context = node->is_unschedulable;
	return true;
}

bool kube_cordon(struct kube_client *client, const char *node, bool is_closed, bool *ret_is_changed,
                 struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *patch = NULL;
	bool was_closed = false, is_missing;
	struct kube_list_options options = {.collection = &kube_nodes,
	                                    .kind = &kube_node_record,
	                                    .on_record = on_node,
	                                    .context = &was_closed};

	if (!kube_list_one(client, &options, node, &is_missing, err))
		return false;
	*ret_is_changed = was_closed != is_closed;
	if (!*ret_is_changed)
		return true;
	json_build_open_object(&b, NULL);
	json_build_open_object(&b, "spec");
	if (is_closed)
		json_put_bool(&b, "unschedulable", true);
	else
		json_put_null(&b, "unschedulable");
	json_build_close(&b);
	json_build_close(&b);
	patch = json_build_take(&b, err);
	return patch && kube_patch(client, &kube_nodes, NULL, node, patch, NULL, err);
}

static void release_pod(struct kube_drain_pod *pod)
{
	mem_free(pod->namespace);
	mem_free(pod->name);
	mem_free(pod->uid);
	mem_free(pod->node);
	mem_free(pod->job);
	mem_free(pod->user);
	mem_free(pod->blocked);
}

// Does it stay whatever we do, or hold nothing any more? Mirror pods belong to their Node.
static bool is_left_alone(const struct kube_pod_info *pod)
{
	const char *owner = pod->owner_kind ? pod->owner_kind : "";
	const char *phase = pod->phase ? pod->phase : "";

	return !strcmp(owner, "DaemonSet") || !strcmp(owner, "Node") || !strcmp(phase, "Succeeded") ||
	       !strcmp(phase, "Failed");
}

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct kube_drain *drain = context;
	struct kube_pod_info *info = record;
	struct kube_drain_pod pod = {.gpus = kube_pod_info_requests(info).gpus,
	                             .is_bare = !info->owner_kind};

	(void)change;
	if (is_left_alone(info) || !info->name || !info->namespace || !info->uid)
		return true;
	pod.namespace = TAKE(info->namespace);
	pod.name = TAKE(info->name);
	pod.uid = TAKE(info->uid);
	pod.node = TAKE(info->node);
	pod.job = TAKE(info->job);
	pod.user = TAKE(info->user);
	if (info->deleted_ms)
		pod.state = KUBE_DRAIN_GOES;
	if (mem_append(&drain->pods, &drain->count, &pod, sizeof(pod)))
		return true;
	release_pod(&pod);
	return err_memory(err);
}

// Lists the pods of a node.
static bool list_pods(struct kube_drain *drain, const char *node, kube_record_fn *on_record,
                      struct err *err)
{
	_cleanup_strbuf_ struct strbuf selector = STRBUF_INIT(PATH_MAX_BYTES);
	struct kube_list_options options = {.collection = &kube_pods,
	                                    .kind = &kube_pod_record,
	                                    .on_record = on_record,
	                                    .context = drain};

	strbuf_addf(&selector, "spec.nodeName=%s", node);
	options.field_selector = strbuf_get(&selector);
	return strbuf_ok(&selector, err) && kube_list_all(drain->client, &options, 1, err);
}

bool kube_drain_add(struct kube_drain *drain, const char *node, struct err *err)
{
	return list_pods(drain, node, on_pod, err) || err_wrap(err, "node \"%s\"", node);
}

static void set_state(struct kube_drain *drain, struct kube_drain_pod *pod,
                      enum kube_drain_state state)
{
	if (pod->state == state)
		return;
	pod->state = state;
	if (drain->on_pod)
		drain->on_pod(drain->context, pod);
}

// The budget's own words, where the server has them.
static void set_blocked(struct kube_drain *drain, struct kube_drain_pod *pod,
                        const struct kube_status *refusal)
{
	const char *why = refusal->message;

	for (size_t i = 0; i < refusal->cause_count; i++)
		if (*refusal->causes[i].message)
			why = refusal->causes[i].message;
	mem_free(pod->blocked);
	pod->blocked = mem_dup(why);
	pod->due_ms = loop_now_ms(kube_client_loop(drain->client)) + BLOCKED_PAUSE_MS;
	set_state(drain, pod, KUBE_DRAIN_BLOCKED);
}

static void on_answer(void *context, const struct kube_result *result)
{
	struct kube_drain_pod *pod = context;
	struct kube_drain *drain = pod->drain;

	pod->is_asked = false;
	drain->asked_count--;
	if (!result->failure)
		set_state(drain, pod, KUBE_DRAIN_GOES);
	else if (result->refusal && result->status == 429)
		set_blocked(drain, pod, result->refusal);
	else if (result->status == 404)
		set_state(drain, pod, KUBE_DRAIN_GONE);
	else if (result->status == 409 || (!result->status && result->was_sent))
		pod->due_ms = 0; // another pod has its name, or the reply was lost: the next look tells
	else if (drain->failure.kind == ERR_NONE) {
		err_copy(&drain->failure, result->failure);
		err_wrap(&drain->failure, "pod \"%s/%s\"", pod->namespace, pod->name);
	}
}

static bool write_eviction(struct strbuf *out, const struct kube_drain_pod *pod, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "policy/v1");
	json_put_string(&b, "kind", "Eviction");
	json_build_open_object(&b, "metadata");
	json_put_string(&b, "name", pod->name);
	json_put_string(&b, "namespace", pod->namespace);
	json_build_close(&b);
	// Not another pod that has the name by now.
	json_build_open_object(&b, "deleteOptions");
	json_build_open_object(&b, "preconditions");
	json_put_string(&b, "uid", pod->uid);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	json_write(out, tree);
	return strbuf_ok(out, err);
}

static bool evict(struct kube_drain *drain, struct kube_drain_pod *pod, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf content = STRBUF_INIT(CONTENT_MAX_BYTES);
	struct kube_call call = {.method = "POST",
	                         .content_type = "application/json",
	                         .is_tried_once = true,
	                         .done = on_answer,
	                         .context = pod};
	uint64_t id;

	kube_path_write(&path, &kube_pods, pod->namespace, pod->name);
	strbuf_add(&path, "/eviction");
	if (!strbuf_ok(&path, err) || !write_eviction(&content, pod, err))
		return false;
	call.path = strbuf_get(&path);
	call.content = strbuf_get(&content);
	pod->drain = drain;
	if (!kube_client_start(drain->client, &call, &id, err))
		return false;
	pod->is_asked = true;
	drain->asked_count++;
	return true;
}

// Asks all whose turn it is, and waits for the answers.
static bool evict_due(struct kube_drain *drain, struct err *err)
{
	int64_t now_ms = loop_now_ms(kube_client_loop(drain->client));
	bool is_ok = true;

	for (size_t i = 0; is_ok && i < drain->count; i++) {
		struct kube_drain_pod *pod = &drain->pods[i];

		if (pod->state <= KUBE_DRAIN_BLOCKED && pod->due_ms <= now_ms)
			is_ok = evict(drain, pod, err);
	}
	while (drain->asked_count) {
		_cleanup_err_ struct err ignored = ERR_INIT;

		if (!loop_run(kube_client_loop(drain->client), -1, is_ok ? err : &ignored))
			return false;
	}
	if (is_ok && drain->failure.kind != ERR_NONE) {
		*err = drain->failure;
		drain->failure = (struct err)ERR_INIT;
		is_ok = false;
	}
	return is_ok;
}

static bool see_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct kube_drain *drain = context;
	const struct kube_pod_info *info = record;
	const char *phase = info->phase ? info->phase : "";

	(void)change;
	(void)err;
	for (size_t i = 0; info->uid && i < drain->count; i++)
		if (!strcmp(drain->pods[i].uid, info->uid))
			drain->pods[i].is_seen =
				strcmp(phase, "Succeeded") != 0 && strcmp(phase, "Failed") != 0;
	return true;
}

static bool is_first_of_node(const struct kube_drain *drain, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(drain->pods[i].node, drain->pods[index].node))
			return false;
	return true;
}

// Which of them are still there. *ret_left: how many.
static bool look(struct kube_drain *drain, size_t *ret_left, struct err *err)
{
	*ret_left = 0;
	for (size_t i = 0; i < drain->count; i++)
		drain->pods[i].is_seen = false;
	for (size_t i = 0; i < drain->count; i++)
		if (is_first_of_node(drain, i) && !list_pods(drain, drain->pods[i].node, see_pod, err))
			return err_wrap(err, "node \"%s\"", drain->pods[i].node);
	for (size_t i = 0; i < drain->count; i++) {
		if (!drain->pods[i].is_seen)
			set_state(drain, &drain->pods[i], KUBE_DRAIN_GONE);
		else
			++*ret_left;
	}
	return true;
}

static bool say_left(const struct kube_drain *drain, size_t left, int64_t limit_ms, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(LEFT_MAX_BYTES);
	size_t shown = 0;

	strbuf_addf(&text, "%zu %s still there after %" PRId64 " s", left,
	            left == 1 ? "pod is" : "pods are", limit_ms / 1000);
	for (size_t i = 0; i < drain->count && shown < LEFT_MAX_COUNT; i++) {
		const struct kube_drain_pod *pod = &drain->pods[i];

		if (pod->state == KUBE_DRAIN_GONE)
			continue;
		shown++;
		strbuf_addf(&text, "\npod \"%s/%s\" on %s: %s", pod->namespace, pod->name, pod->node,
		            pod->state == KUBE_DRAIN_GOES ? "has not ended yet"
		            : pod->blocked                ? pod->blocked
		                                          : "was not asked");
	}
	if (left > shown)
		strbuf_addf(&text, "\nand %zu more", left - shown);
	return err_set(err, ERR_FAILED, "%s", strbuf_get(&text));
}

bool kube_drain_run(struct kube_drain *drain, int64_t limit_ms, struct err *err)
{
	int64_t end_ms = loop_now_ms(kube_client_loop(drain->client)) + limit_ms;
	size_t left = drain->count;

	while (left) {
		if (!evict_due(drain, err) || !look(drain, &left, err))
			return false;
		if (left && loop_now_ms(kube_client_loop(drain->client)) >= end_ms)
			return say_left(drain, left, limit_ms, err);
		if (left && !kube_pause(drain->client, POLL_MS, err))
			return false;
	}
	return true;
}

void kube_drain_release(struct kube_drain *drain)
{
	for (size_t i = 0; i < drain->count; i++)
		release_pod(&drain->pods[i]);
	mem_free(drain->pods);
	err_clear(&drain->failure);
	drain->pods = NULL;
	drain->count = 0;
}
