// SPDX-License-Identifier: MIT
#include "kube/ready.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "kube/list.h"
#include "kube/pause.h"
#include "kube/pod_info.h"

enum { POLL_MS = 500, PATH_MAX_BYTES = 8192, WHY_MAX_BYTES = 4096, SELECTOR_MAX_BYTES = 8192 };

static int64_t number(const struct json *object, const char *path)
{
	_cleanup_err_ struct err err = ERR_INIT;
	int64_t value = 0;

	return json_get_i64_optional(object, path, &value, &err) ? value : 0;
}

// The controller has not seen the object's last change yet.
static bool is_unseen(const struct json *object, struct strbuf *why)
{
	if (number(object, "status.observedGeneration") >= number(object, "metadata.generation"))
		return false;
	strbuf_add(why, "its controller has not seen it yet");
	return true;
}

static bool has_all(int64_t wanted, int64_t updated, int64_t available, struct strbuf *why)
{
	int64_t ready = updated < available ? updated : available;

	if (ready >= wanted)
		return true;
	strbuf_addf(why, "%" PRId64 " of %" PRId64 " pods are ready", ready, wanted);
	return false;
}

static bool is_set_ready(const struct json *object, struct strbuf *why)
{
	return !is_unseen(object, why) && has_all(number(object, "status.desiredNumberScheduled"),
	                                          number(object, "status.updatedNumberScheduled"),
	                                          number(object, "status.numberAvailable"), why);
}

// A Deployment or StatefulSet.
static bool is_replicated_ready(const struct json *object, struct strbuf *why)
{
	int64_t wanted = json_find(object, "spec.replicas") ? number(object, "spec.replicas") : 1;

	return !is_unseen(object, why) && has_all(wanted, number(object, "status.updatedReplicas"),
	                                          number(object, "status.availableReplicas"), why);
}

static const char *text_at(const struct json *object, const char *path)
{
	const struct json *value = json_find(object, path);

	return value ? json_string(value) : "";
}

static bool has_condition(const struct json *object, const char *type, struct strbuf *why)
{
	const struct json *list = json_find(object, "status.conditions");

	for (const struct json *item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		if (strcmp(text_at(item, "type"), type) != 0)
			continue;
		if (!strcmp(text_at(item, "status"), "True"))
			return true;
		strbuf_addf(why, "not %s: %s", type, text_at(item, "message"));
		return false;
	}
	strbuf_addf(why, "not %s", type);
	return false;
}

bool kube_ready_explain(const struct json *object, struct strbuf *why)
{
	const char *kind = text_at(object, "kind");

	if (!strcmp(kind, "DaemonSet"))
		return is_set_ready(object, why);
	if (!strcmp(kind, "Deployment") || !strcmp(kind, "StatefulSet"))
		return is_replicated_ready(object, why);
	if (!strcmp(kind, "APIService"))
		return has_condition(object, "Available", why);
	if (!strcmp(kind, "CustomResourceDefinition"))
		return has_condition(object, "Established", why);
	return strcmp(kind, "Node") != 0 || has_condition(object, "Ready", why);
}

// What the first pod that does not run says about it.
static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct strbuf *why = context;
	const struct kube_pod_info *pod = record;

	(void)change;
	(void)err;
	if (why->len || pod->is_ready)
		return true;
	for (size_t i = 0; i < pod->container_count; i++) {
		const struct kube_container_info *container = &pod->containers[i];

		if (container->state != KUBE_CONTAINER_WAITING || !container->reason ||
		    !strcmp(container->reason, "PodInitializing"))
			continue;
		strbuf_addf(why, "pod \"%s\" on %s: %s", pod->name, pod->node ? pod->node : "no node",
		            container->reason);
		if (container->message)
			strbuf_addf(why, ": %s", container->message);
		return true;
	}
	if (!pod->node && pod->scheduling_message)
		strbuf_addf(why, "pod \"%s\": %s", pod->name, pod->scheduling_message);
	return true;
}

static void forget(void *context)
{
	strbuf_clear(context);
}

// "a=b,c=d" of spec.selector.matchLabels.
static void write_selector(struct strbuf *out, const struct json *object)
{
	const struct json *labels = json_find(object, "spec.selector.matchLabels");

	for (const struct json *one = labels ? json_first(labels) : NULL; one; one = json_next(one))
		strbuf_addf(out, "%s%s=%s", out->len ? "," : "", json_name(one), json_string(one));
}

static void explain_pods(struct kube_client *client, const struct json *object,
                         const char *namespace, struct err *err)
{
	_cleanup_strbuf_ struct strbuf selector = STRBUF_INIT(SELECTOR_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf why = STRBUF_INIT(WHY_MAX_BYTES);
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct kube_list_options pods = {.collection = &kube_pods,
	                                 .kind = &kube_pod_record,
	                                 .namespace = namespace,
	                                 .on_record = on_pod,
	                                 .on_restart = forget,
	                                 .context = &why};

	write_selector(&selector, object);
	pods.label_selector = strbuf_get(&selector);
	if (selector.len && kube_list_all(client, &pods, 1, &ignored) && why.len)
		err_hint(err, "%s", strbuf_get(&why));
}

// One look. *ret_is_ready; *ret_object is what was seen, NULL where it is not there.
static bool look(struct kube_client *client, const char *path, struct strbuf *why,
                 bool *ret_is_ready, struct json **ret_object, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_err_ struct err failure = ERR_INIT;

	strbuf_clear(why);
	json_freep(ret_object);
	*ret_object = NULL;
	*ret_is_ready = false;
	if (kube_client_call(client, "GET", path, NULL, NULL, NULL, &reply, &failure)) {
		*ret_object = json_parse(reply.body, reply.body_len, err);
		*ret_is_ready = *ret_object && kube_ready_explain(*ret_object, why);
		return *ret_object;
	}
	strbuf_add(why, "is not there");
	return reply.status == 404 || err_copy(err, &failure);
}

bool kube_ready_wait(struct kube_client *client, const struct kube_collection *collection,
                     const char *namespace, const char *name, int64_t limit_ms, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf why = STRBUF_INIT(WHY_MAX_BYTES);
	_cleanup_json_ struct json *object = NULL;
	int64_t waited_ms = 0;
	bool is_ready = false;

	kube_path_write(&path, collection, namespace, name);
	if (!strbuf_ok(&path, err))
		return false;
	while (look(client, strbuf_get(&path), &why, &is_ready, &object, err)) {
		if (is_ready)
			return true;
		if (waited_ms >= limit_ms) {
			err_set(err, ERR_FAILED, "%s \"%s\": %s after %" PRId64 " s", collection->word, name,
			        strbuf_get(&why), limit_ms / 1000);
			if (object)
				explain_pods(client, object, namespace, err);
			return false;
		}
		if (!kube_pause(client, POLL_MS, err))
			return false;
		waited_ms += POLL_MS;
	}
	return err_wrap(err, "%s \"%s\"", collection->word, name);
}
