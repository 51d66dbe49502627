// SPDX-License-Identifier: MIT
#include "jobs/collect.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "kube/list.h"

// Both lists run at once. Pods that come before the last job are parked.
struct collector {
	struct jobs_listing *listing;
	struct kube_pod_info *parked;
	size_t parked_count;
	bool has_jobs, has_pods;
	struct err failure;
};

static void release_parked(struct collector *collector)
{
	for (size_t i = 0; i < collector->parked_count; i++)
		kube_pod_info_release(&collector->parked[i]);
	mem_free(TAKE(collector->parked));
	collector->parked_count = 0;
}

static bool on_job(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct collector *collector = context;

	(void)change;
	return jobs_listing_take(collector->listing, record, err);
}

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct collector *collector = context;
	struct kube_pod_info *pod = record;

	(void)change;
	if (collector->has_jobs)
		return jobs_listing_add_pod(collector->listing, pod, err);
	if (!mem_append(&collector->parked, &collector->parked_count, pod, sizeof(*pod)))
		return err_memory(err);
	*pod = (struct kube_pod_info){NULL};
	return true;
}

static bool on_event(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct collector *collector = context;

	(void)change;
	return jobs_listing_add_event(collector->listing, record, err);
}

// No pod was folded yet: they are parked until the jobs are there.
static void on_jobs_restart(void *context)
{
	struct collector *collector = context;

	jobs_listing_release(collector->listing);
}

static void on_pods_restart(void *context)
{
	struct collector *collector = context;

	release_parked(collector);
	for (size_t i = 0; i < collector->listing->count; i++)
		jobs_outcome_release(&collector->listing->items[i].outcome);
}

static void keep_failure(struct collector *collector, const struct err *failure)
{
	if (failure && collector->failure.kind == ERR_NONE)
		err_copy(&collector->failure, failure);
}

static void on_jobs_done(void *context, const char *version, const struct err *failure)
{
	struct collector *collector = context;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)version;
	collector->has_jobs = true;
	keep_failure(collector, failure);
	for (size_t i = 0; i < collector->parked_count; i++) {
		if (!jobs_listing_add_pod(collector->listing, &collector->parked[i], &err)) {
			keep_failure(collector, &err);
			break;
		}
	}
	release_parked(collector);
}

static void on_pods_done(void *context, const char *version, const struct err *failure)
{
	struct collector *collector = context;

	(void)version;
	collector->has_pods = true;
	keep_failure(collector, failure);
}

// Does it have no pods where the Job controller should have made some?
static bool lacks_pods(const struct jobs_item *item)
{
	const struct jobs_outcome *outcome = &item->outcome;
	enum jobs_state state = jobs_item_state(item);

	return (state == JOBS_PENDING || state == JOBS_RUNNING) &&
	       !(outcome->pending + outcome->running + outcome->succeeded + outcome->failed);
}

static bool collect_events(struct kube_client *client, struct collector *collector,
                           const char *namespace, struct err *err)
{
	struct kube_list_options events = {
		.collection = &kube_events,
		.kind = &kube_event_record,
		.namespace = namespace,
		.is_optional = true,
		.field_selector = "involvedObject.kind=Job,reason=FailedCreate",
		.on_record = on_event,
		.context = collector,
	};

	for (size_t i = 0; i < collector->listing->count; i++)
		if (lacks_pods(&collector->listing->items[i]))
			return kube_list_all(client, &events, 1, err);
	return true;
}

static bool run_lists(struct kube_client *client, struct collector *collector,
                      const struct kube_list_options *jobs, const struct kube_list_options *pods,
                      struct err *err)
{
	struct kube_list *job_list = kube_list_start(client, jobs, err);
	struct kube_list *pod_list = NULL;
	bool is_ok = job_list;

	if (is_ok && !collector->has_pods) {
		pod_list = kube_list_start(client, pods, err);
		is_ok = pod_list;
	}

	while (is_ok && collector->failure.kind == ERR_NONE &&
	       !(collector->has_jobs && collector->has_pods))
		is_ok = loop_run(kube_client_loop(client), -1, err);
	kube_list_free(job_list);
	kube_list_free(pod_list);
	if (is_ok && collector->failure.kind != ERR_NONE) {
		*err = collector->failure;
		collector->failure = (struct err)ERR_INIT;
		is_ok = false;
	}
	return is_ok;
}

bool jobs_collect(struct kube_client *client, const struct jobs_query *query,
                  struct jobs_listing *listing, struct err *err)
{
	struct collector collector = {
		.listing = listing, .has_pods = query->has_no_pods, .failure = ERR_INIT};
	_cleanup_strbuf_ struct strbuf of_job = STRBUF_INIT(1024);
	_cleanup_strbuf_ struct strbuf named = STRBUF_INIT(1024);
	struct kube_list_options jobs = {.collection = &kube_jobs,
	                                 .kind = &kube_job_record,
	                                 .namespace = query->namespace,
	                                 .label_selector = query->selector,
	                                 .on_record = on_job,
	                                 .on_restart = on_jobs_restart,
	                                 .on_done = on_jobs_done,
	                                 .context = &collector};
	struct kube_list_options pods = {.collection = &kube_pods,
	                                 .kind = &kube_pod_record,
	                                 .namespace = query->namespace,
	                                 .label_selector = "job-name",
	                                 .on_record = on_pod,
	                                 .on_restart = on_pods_restart,
	                                 .on_done = on_pods_done,
	                                 .context = &collector};
	bool is_ok;

	if (query->name) {
		strbuf_addf(&named, "metadata.name=%s", query->name);
		strbuf_addf(&of_job, "job-name=%s", query->name);
		jobs.field_selector = strbuf_get(&named);
		pods.label_selector = strbuf_get(&of_job);
	}
	is_ok = run_lists(client, &collector, &jobs, &pods, err) &&
	        (query->has_no_pods || collect_events(client, &collector, query->namespace, err));
	release_parked(&collector);
	err_clear(&collector.failure);
	return is_ok;
}
