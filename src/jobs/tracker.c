// SPDX-License-Identifier: MIT
#include "jobs/tracker.h"

#include <string.h>

#include "base/mem.h"
#include "kube/watch.h"

struct jobs_tracker {
	struct jobs_tracker_options options;
	struct kube_client *client;
	struct kube_watch *job_watch, *pod_watch, *event_watch;
	struct strbuf job_selector, pod_selector, event_selector;
	struct jobs_item item;
	bool has_job, had_job;
	bool has_jobs_list, has_pods_list;
	struct kube_pod_info *pods;
	size_t pod_count;
};

static bool is_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

// What the pods say, from the start: pods change and go, and an outcome only grows.
static bool fold(struct jobs_tracker *tracker, struct err *err)
{
	jobs_outcome_release(&tracker->item.outcome);
	for (size_t i = 0; tracker->has_job && i < tracker->pod_count; i++) {
		const struct kube_pod_info *pod = &tracker->pods[i];

		if (tracker->item.job.uid && pod->owner_uid &&
		    !is_text(pod->owner_uid, tracker->item.job.uid))
			continue;
		if (!jobs_outcome_add(&tracker->item.outcome, pod, err))
			return false;
	}
	return true;
}

static bool tell(struct jobs_tracker *tracker, struct err *err)
{
	if (!fold(tracker, err))
		return false;
	if (jobs_tracker_is_synced(tracker))
		tracker->options.on_change(tracker->options.context);
	return true;
}

static bool on_job(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_tracker *tracker = context;
	struct kube_job_info *job = record;

	kube_job_info_release(&tracker->item.job);
	tracker->has_job = change != KUBE_RECORD_DELETED;
	tracker->had_job = true;
	if (tracker->has_job) {
		tracker->item.job = *job;
		*job = (struct kube_job_info){NULL};
	}
	return tell(tracker, err);
}

static void on_job_list(void *context)
{
	struct jobs_tracker *tracker = context;

	kube_job_info_release(&tracker->item.job);
	tracker->has_job = tracker->has_jobs_list = false;
}

static void after_list(struct jobs_tracker *tracker)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!tell(tracker, &err) && tracker->options.on_trouble)
		tracker->options.on_trouble(tracker->options.context, &err, 0);
}

static void on_job_synced(void *context)
{
	struct jobs_tracker *tracker = context;

	tracker->has_jobs_list = true;
	after_list(tracker);
}

static size_t find_pod(const struct jobs_tracker *tracker, const char *uid)
{
	size_t i = 0;

	while (i < tracker->pod_count && !is_text(tracker->pods[i].uid, uid))
		i++;
	return i;
}

static void remove_pod(struct jobs_tracker *tracker, size_t index)
{
	kube_pod_info_release(&tracker->pods[index]);
	tracker->pods[index] = tracker->pods[--tracker->pod_count];
}

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_tracker *tracker = context;
	struct kube_pod_info *pod = record;
	size_t index = find_pod(tracker, pod->uid);

	if (index < tracker->pod_count)
		remove_pod(tracker, index);
	if (change != KUBE_RECORD_DELETED) {
		if (!mem_append(&tracker->pods, &tracker->pod_count, pod, sizeof(*pod)))
			return err_memory(err);
		*pod = (struct kube_pod_info){NULL};
	}
	return tell(tracker, err);
}

static void on_pod_list(void *context)
{
	struct jobs_tracker *tracker = context;

	while (tracker->pod_count)
		remove_pod(tracker, tracker->pod_count - 1);
	mem_free(TAKE(tracker->pods));
	tracker->has_pods_list = false;
}

static void on_pod_synced(void *context)
{
	struct jobs_tracker *tracker = context;

	tracker->has_pods_list = true;
	after_list(tracker);
}

static void on_trouble(void *context, const struct err *failure, int64_t pause_ms)
{
	struct jobs_tracker *tracker = context;

	if (tracker->options.on_trouble)
		tracker->options.on_trouble(tracker->options.context, failure, pause_ms);
}

static bool start(struct jobs_tracker *tracker, struct kube_client *client, struct err *err)
{
	struct kube_watch_options jobs = {.collection = &kube_jobs,
	                                  .kind = &kube_job_record,
	                                  .namespace = tracker->options.namespace,
	                                  .seed = 1,
	                                  .on_record = on_job,
	                                  .on_list = on_job_list,
	                                  .on_synced = on_job_synced,
	                                  .on_trouble = on_trouble,
	                                  .context = tracker};
	struct kube_watch_options pods = {.collection = &kube_pods,
	                                  .kind = &kube_pod_record,
	                                  .namespace = tracker->options.namespace,
	                                  .seed = 2,
	                                  .on_record = on_pod,
	                                  .on_list = on_pod_list,
	                                  .on_synced = on_pod_synced,
	                                  .on_trouble = on_trouble,
	                                  .context = tracker};

	strbuf_addf(&tracker->job_selector, "metadata.name=%s", tracker->options.name);
	strbuf_addf(&tracker->pod_selector, "job-name=%s", tracker->options.name);
	if (!strbuf_ok(&tracker->job_selector, err) || !strbuf_ok(&tracker->pod_selector, err))
		return false;
	jobs.field_selector = strbuf_get(&tracker->job_selector);
	pods.label_selector = strbuf_get(&tracker->pod_selector);
	tracker->job_watch = kube_watch_start(client, &jobs, err);
	tracker->pod_watch = tracker->job_watch ? kube_watch_start(client, &pods, err) : NULL;
	return tracker->pod_watch;
}

struct jobs_tracker *jobs_tracker_start(struct kube_client *client,
                                        const struct jobs_tracker_options *options, struct err *err)
{
	struct jobs_tracker *tracker = mem_alloc(sizeof(*tracker));

	if (!tracker) {
		err_memory(err);
		return NULL;
	}
	tracker->client = client;
	tracker->options = *options;
	tracker->job_selector = tracker->pod_selector = tracker->event_selector =
		(struct strbuf)STRBUF_INIT(1024);
	if (start(tracker, client, err))
		return tracker;
	jobs_tracker_free(tracker);
	return NULL;
}

static bool on_event(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_tracker *tracker = context;

	return change == KUBE_RECORD_DELETED || !tracker->has_job ||
	       (jobs_item_add_event(&tracker->item, record, err) && tell(tracker, err));
}

static void ignore_list(void *context)
{
	(void)context;
}

bool jobs_tracker_ask_events(struct jobs_tracker *tracker, struct err *err)
{
	struct kube_watch_options events = {.collection = &kube_events,
	                                    .kind = &kube_event_record,
	                                    .namespace = tracker->options.namespace,
	                                    .seed = 3,
	                                    .on_record = on_event,
	                                    .on_list = ignore_list,
	                                    .on_synced = ignore_list,
	                                    .context = tracker};

	if (tracker->event_watch)
		return true;
	strbuf_clear(&tracker->event_selector);
	strbuf_addf(&tracker->event_selector,
	            "involvedObject.kind=Job,involvedObject.name=%s,reason=FailedCreate",
	            tracker->options.name);
	events.field_selector = strbuf_get(&tracker->event_selector);
	if (!strbuf_ok(&tracker->event_selector, err))
		return false;
	tracker->event_watch = kube_watch_start(tracker->client, &events, err);
	return tracker->event_watch;
}

bool jobs_tracker_is_synced(const struct jobs_tracker *tracker)
{
	return tracker->has_jobs_list && tracker->has_pods_list;
}

const struct jobs_item *jobs_tracker_item(const struct jobs_tracker *tracker)
{
	return tracker->has_job ? &tracker->item : NULL;
}

bool jobs_tracker_is_gone(const struct jobs_tracker *tracker)
{
	return tracker->had_job && !tracker->has_job && tracker->has_jobs_list;
}

const struct kube_pod_info *jobs_tracker_pods(const struct jobs_tracker *tracker, size_t *ret_count)
{
	*ret_count = tracker->pod_count;
	return tracker->pods;
}

void jobs_tracker_free(struct jobs_tracker *tracker)
{
	if (!tracker)
		return;
	kube_watch_free(tracker->job_watch);
	kube_watch_free(tracker->pod_watch);
	kube_watch_free(tracker->event_watch);
	on_pod_list(tracker);
	jobs_item_release(&tracker->item);
	strbuf_release(&tracker->job_selector);
	strbuf_release(&tracker->pod_selector);
	strbuf_release(&tracker->event_selector);
	mem_free(tracker);
}
