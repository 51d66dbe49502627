// SPDX-License-Identifier: MIT
#include "jobs/detail.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "jobs/missing.h"
#include "jobs/pods_left.h"
#include "kube/get.h"
#include "kube/list.h"

enum { SELECTOR_MAX_BYTES = 64 * 1024, PODS_WITH_EVENTS_MAX = 8, LISTS_MAX = PODS_WITH_EVENTS_MAX };

static bool dup_into(char **to, const char *from, struct err *err)
{
	if (!from)
		return true;
	*to = mem_dup(from);
	return *to || err_memory(err);
}

static bool has_phase(const struct kube_pod_info *pod, const char *phase)
{
	return pod->phase && !strcmp(pod->phase, phase);
}

bool jobs_item_of_pod(const struct kube_pod_info *pod, struct jobs_item *ret, struct err *err)
{
	struct kube_job_info *job = &ret->job;

	*ret = (struct jobs_item){.create_failure = NULL};
	*job = (struct kube_job_info){.created_ms = pod->created_ms,
	                              .deleted_ms = pod->deleted_ms,
	                              .parallelism = 1,
	                              .completions = 1,
	                              .requests = kube_pod_info_requests(pod),
	                              .started_ms = pod->started_ms,
	                              .is_complete = has_phase(pod, "Succeeded"),
	                              .is_failed = has_phase(pod, "Failed")};
	if (!dup_into(&job->name, pod->name, err) || !dup_into(&job->namespace, pod->namespace, err) ||
	    !dup_into(&job->uid, pod->uid, err) || !dup_into(&job->user, pod->user, err) ||
	    !dup_into(&job->priority_class, pod->priority_class, err) ||
	    !dup_into(&job->failed_reason, pod->reason, err) ||
	    !dup_into(&job->failed_message, pod->message, err) ||
	    !jobs_outcome_add(&ret->outcome, pod, err)) {
		jobs_item_release(ret);
		return false;
	}
	if (job->is_complete || job->is_failed)
		job->finished_ms = ret->outcome.last_finished_ms;
	return true;
}

// A Deployment's metadata and pod template are where a Job has them.
static bool read_item(struct jobs_detail *detail, const char *text, size_t len, struct err *err)
{
	struct kube_job_info *job = &detail->item.job;
	int64_t replicas = 1;

	if (!kube_record_read(&kube_job_record, text, len, job, err))
		return false;
	if (detail->kind != JOBS_KIND_DEPLOYMENT)
		return true;
	if (!json_get_i64_optional(detail->object, "spec.replicas", &replicas, err))
		return false;
	job->parallelism = replicas;
	job->is_suspended = !replicas;
	return true;
}

static bool add_pod(struct jobs_detail *detail, struct kube_pod_info *pod, struct err *err)
{
	struct jobs_item item;
	size_t count = detail->pod_count;

	if (!jobs_item_of_pod(pod, &item, err))
		return false;
	if (!mem_append(&detail->pods, &count, &item, sizeof(item))) {
		jobs_item_release(&item);
		return err_memory(err);
	}
	if (!mem_append(&detail->pod_infos, &detail->pod_count, pod, sizeof(*pod))) {
		jobs_item_release(&detail->pods[detail->pod_count]);
		return err_memory(err);
	}
	*pod = (struct kube_pod_info){NULL};
	return true;
}

// A pod of a Job's name may be of another Job that had the name before.
static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_detail *detail = context;
	struct kube_pod_info *pod = record;

	(void)change;
	if (detail->kind == JOBS_KIND_JOB && pod->owner_uid && detail->item.job.uid &&
	    strcmp(pod->owner_uid, detail->item.job.uid) != 0)
		return true;
	return jobs_outcome_add(&detail->item.outcome, pod, err) && add_pod(detail, pod, err);
}

static void forget_pods(void *context)
{
	struct jobs_detail *detail = context;

	jobs_outcome_release(&detail->item.outcome);
	for (size_t i = 0; i < detail->pod_count; i++) {
		jobs_item_release(&detail->pods[i]);
		kube_pod_info_release(&detail->pod_infos[i]);
	}
	mem_free(TAKE(detail->pods));
	mem_free(TAKE(detail->pod_infos));
	detail->pod_count = 0;
}

static bool on_event(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_detail *detail = context;
	struct kube_event_info *event = record;

	(void)change;
	if (!mem_append(&detail->events, &detail->event_count, event, sizeof(*event)))
		return err_memory(err);
	*event = (struct kube_event_info){NULL};
	return true;
}

static void write_event_selector(struct strbuf *out, const char *uid)
{
	strbuf_addf(out, "involvedObject.uid=%s", uid ? uid : "");
}

static struct kube_list_options event_list(struct jobs_detail *detail, const char *namespace,
                                           const char *selector)
{
	return (struct kube_list_options){.collection = &kube_events,
	                                  .kind = &kube_event_record,
	                                  .namespace = namespace,
	                                  .field_selector = selector,
	                                  .is_optional = true,
	                                  .on_record = on_event,
	                                  .context = detail};
}

// "job-name=cnn"; of a Deployment its own selector.
static bool write_pod_selector(struct strbuf *out, const struct jobs_detail *detail,
                               struct err *err)
{
	if (detail->kind == JOBS_KIND_DEPLOYMENT)
		return jobs_selector_write(out, detail->object, err);
	strbuf_addf(out, "job-name=%s", detail->item.job.name);
	return strbuf_ok(out, err);
}

static bool get_pods_and_events(struct kube_client *client, struct jobs_detail *detail,
                                struct err *err)
{
	_cleanup_strbuf_ struct strbuf pods = STRBUF_INIT(SELECTOR_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf events = STRBUF_INIT(1024);
	const char *namespace = detail->item.job.namespace;
	struct kube_list_options lists[] = {
		{.collection = &kube_pods,
	     .kind = &kube_pod_record,
	     .namespace = namespace,
	     .on_record = on_pod,
	     .on_restart = forget_pods,
	     .context = detail},
		event_list(detail, namespace, NULL),
	};

	write_event_selector(&events, detail->item.job.uid);
	if (!write_pod_selector(&pods, detail, err) || !strbuf_ok(&events, err))
		return false;
	lists[0].label_selector = strbuf_get(&pods);
	lists[1].field_selector = strbuf_get(&events);
	return kube_list_all(client, lists, COUNT_OF(lists), err);
}

static bool is_in_trouble(const struct kube_pod_info *pod)
{
	return !has_phase(pod, "Succeeded") && !(has_phase(pod, "Running") && pod->is_ready);
}

// What happened to pods that do not run: a missing volume, an image, the scheduler.
static bool get_events_of_pods(struct kube_client *client, struct jobs_detail *detail,
                               struct err *err)
{
	struct strbuf selectors[LISTS_MAX];
	struct kube_list_options lists[LISTS_MAX] = {{NULL}};
	size_t count = 0;
	bool is_ok;

	for (size_t i = 0; i < detail->pod_count && count < COUNT_OF(lists); i++) {
		if (!is_in_trouble(&detail->pod_infos[i]))
			continue;
		selectors[count] = (struct strbuf)STRBUF_INIT(1024);
		write_event_selector(&selectors[count], detail->pod_infos[i].uid);
		lists[count] =
			event_list(detail, detail->item.job.namespace, strbuf_get(&selectors[count]));
		count++;
	}
	is_ok = kube_list_all(client, lists, count, err);
	for (size_t i = 0; i < count; i++)
		strbuf_release(&selectors[i]);
	return is_ok;
}

static int64_t time_of(const struct kube_event_info *event)
{
	return event->last_ms ? event->last_ms : event->created_ms;
}

static int compare_events(const void *a, const void *b)
{
	int64_t x = time_of(a), y = time_of(b);

	return (x > y) - (x < y);
}

// The last failure to make a pod is a reason to be pending, as in list.
static bool keep_create_failure(struct jobs_detail *detail, struct err *err)
{
	const char *last = NULL;

	for (size_t i = 0; i < detail->event_count; i++)
		if (detail->events[i].reason && !strcmp(detail->events[i].reason, "FailedCreate"))
			last = detail->events[i].message;
	return dup_into(&detail->item.create_failure, last, err);
}

// A pod and where it was among the others.
struct pod_key {
	const char *index, *name;
	size_t at;
};

static int compare_pods(const void *a, const void *b)
{
	const struct pod_key *x = a, *y = b;
	size_t x_len = x->index ? strlen(x->index) : 0, y_len = y->index ? strlen(y->index) : 0;
	int order = (x_len > y_len) - (x_len < y_len);

	if (!order && x_len)
		order = strcmp(x->index, y->index);
	return order ? order : strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static bool sort_pods(struct jobs_detail *detail, struct err *err)
{
	size_t count = detail->pod_count;
	_cleanup_free_ struct pod_key *keys = mem_alloc((count + 1) * sizeof(*keys));
	_cleanup_free_ struct jobs_item *items = mem_alloc((count + 1) * sizeof(*items));
	_cleanup_free_ struct kube_pod_info *infos = mem_alloc((count + 1) * sizeof(*infos));

	if (!keys || !items || !infos)
		return err_memory(err);
	if (!count)
		return true;
	for (size_t i = 0; i < count; i++)
		keys[i] = (struct pod_key){detail->pod_infos[i].index, detail->pod_infos[i].name, i};
	qsort(keys, count, sizeof(*keys), compare_pods);
	for (size_t i = 0; i < count; i++) {
		items[i] = detail->pods[keys[i].at];
		infos[i] = detail->pod_infos[keys[i].at];
	}
	memcpy(detail->pods, items, count * sizeof(*items));
	memcpy(detail->pod_infos, infos, count * sizeof(*infos));
	return true;
}

// A pod that is asked for itself.
static bool read_pod(struct jobs_detail *detail, const struct kube_reply *reply, struct err *err)
{
	struct kube_pod_info pod = {NULL};
	bool is_ok = kube_record_read(&kube_pod_record, reply->body, reply->body_len, &pod, err) &&
	             jobs_item_of_pod(&pod, &detail->item, err) && add_pod(detail, &pod, err);

	kube_pod_info_release(&pod);
	return is_ok;
}

// A proxy may answer with anything: only the object that was asked for is believed.
static bool is_called(const struct json *object, const char *name, struct err *err)
{
	const char *found = json_string(json_find(object, "metadata.name"));

	return strcmp(found, name) == 0 ||
	       err_set(err, ERR_UNREACHABLE, "the answer is no object of that name");
}

static bool get_rest(struct kube_client *client, const char *name, struct jobs_detail *detail,
                     const struct kube_reply *reply, struct err *err)
{
	bool is_pod = detail->kind == JOBS_KIND_POD;

	detail->object = json_parse(reply->body, reply->body_len, err);
	if (!detail->object || !is_called(detail->object, name, err))
		return false;
	if (is_pod ? !read_pod(detail, reply, err)
	           : !read_item(detail, reply->body, reply->body_len, err) ||
	                 !get_pods_and_events(client, detail, err))
		return false;
	if (!get_events_of_pods(client, detail, err))
		return false;
	if (detail->event_count)
		qsort(detail->events, detail->event_count, sizeof(*detail->events), compare_events);
	return keep_create_failure(detail, err) && sort_pods(detail, err);
}

bool jobs_detail_get(struct kube_client *client, const char *namespace,
                     const struct jobs_target *target, struct jobs_detail *ret, struct err *err)
{
	const struct kube_collection *collection = jobs_target_collection(target->kind);
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	bool is_missing;

	*ret = (struct jobs_detail){.kind = target->kind};
	if (!kube_get(client, collection, namespace, target->name, &reply, &is_missing, err))
		return is_missing ? jobs_missing(client, collection, namespace, target->name, err) : false;
	return get_rest(client, target->name, ret, &reply, err) ||
	       err_wrap(err, "%s \"%s\"", collection->word, target->name);
}

const struct json *jobs_detail_pod_spec(const struct jobs_detail *detail)
{
	return json_find(detail->object, detail->kind == JOBS_KIND_POD ? "spec" : "spec.template.spec");
}

void jobs_detail_release(struct jobs_detail *detail)
{
	forget_pods(detail);
	jobs_item_release(&detail->item);
	json_free(TAKE(detail->object));
	for (size_t i = 0; i < detail->event_count; i++)
		kube_event_info_release(&detail->events[i]);
	mem_free(TAKE(detail->events));
	detail->event_count = 0;
}
