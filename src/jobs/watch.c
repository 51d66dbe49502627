// SPDX-License-Identifier: MIT
#include "jobs/watch.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "kube/watch.h"

enum { FLUSH_MS = 100, TOLD_MAX_BYTES = 64 * 1024 };

struct watching {
	struct kube_client *client;
	const struct jobs_watch_options *options;
	struct kube_watch *job_watch, *pod_watch, *event_watch;
	struct jobs_listing listing;
	struct kube_pod_info *pods;
	size_t pod_count;
	bool has_jobs, has_pods; // the lists are whole
	bool has_told;           // once
	bool is_dirty;           // something came since it was told
	int64_t told_ms;
	struct err failure;
};

static bool is_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool on_job(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct watching *watching = context;
	struct kube_job_info *job = record;
	// The first list needs no look-ups: nothing is there yet.
	struct jobs_item *item = watching->has_told
	                             ? jobs_listing_find(&watching->listing, job->namespace, job->name)
	                             : NULL;

	watching->is_dirty = true;
	if (!item)
		return change == KUBE_RECORD_DELETED || jobs_listing_take(&watching->listing, job, err);
	item->is_gone = change == KUBE_RECORD_DELETED;
	kube_job_info_release(&item->job);
	item->job = *job;
	*job = (struct kube_job_info){NULL};
	return true;
}

// Until the list has them again, all are gone.
static void on_job_list(void *context)
{
	struct watching *watching = context;

	watching->has_jobs = false;
	if (!watching->has_told)
		jobs_listing_release(&watching->listing);
	for (size_t i = 0; i < watching->listing.count; i++)
		watching->listing.items[i].is_gone = true;
}

static void on_job_synced(void *context)
{
	struct watching *watching = context;

	watching->has_jobs = watching->is_dirty = true;
}

static void remove_pod(struct watching *watching, size_t index)
{
	kube_pod_info_release(&watching->pods[index]);
	watching->pods[index] = watching->pods[--watching->pod_count];
}

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct watching *watching = context;
	struct kube_pod_info *pod = record;

	watching->is_dirty = true;
	for (size_t i = 0; watching->has_pods && i < watching->pod_count; i++) {
		if (!is_text(watching->pods[i].uid, pod->uid))
			continue;
		remove_pod(watching, i);
		break;
	}
	if (change == KUBE_RECORD_DELETED)
		return true;
	if (!mem_append(&watching->pods, &watching->pod_count, pod, sizeof(*pod)))
		return err_memory(err);
	*pod = (struct kube_pod_info){NULL};
	return true;
}

static void on_pod_list(void *context)
{
	struct watching *watching = context;

	watching->has_pods = false;
	while (watching->pod_count)
		remove_pod(watching, watching->pod_count - 1);
	mem_free(TAKE(watching->pods));
}

static void on_pod_synced(void *context)
{
	struct watching *watching = context;

	watching->has_pods = watching->is_dirty = true;
}

static bool on_event(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct watching *watching = context;

	watching->is_dirty = true;
	return change == KUBE_RECORD_DELETED || jobs_listing_add_event(&watching->listing, record, err);
}

static void ignore_list(void *context)
{
	(void)context;
}

static void on_trouble(void *context, const struct err *failure, int64_t pause_ms)
{
	struct watching *watching = context;

	if (watching->has_told)
		watching->options->on_trouble(watching->options->context, failure, pause_ms);
	else if (watching->failure.kind == ERR_NONE)
		err_copy(&watching->failure, failure);
}

static bool start_jobs_and_pods(struct watching *watching, struct err *err)
{
	struct kube_watch_options jobs = {.collection = &kube_jobs,
	                                  .kind = &kube_job_record,
	                                  .namespace = watching->options->namespace,
	                                  .label_selector = watching->options->selector,
	                                  .seed = 1,
	                                  .on_record = on_job,
	                                  .on_list = on_job_list,
	                                  .on_synced = on_job_synced,
	                                  .on_trouble = on_trouble,
	                                  .context = watching};
	struct kube_watch_options pods = {.collection = &kube_pods,
	                                  .kind = &kube_pod_record,
	                                  .namespace = watching->options->namespace,
	                                  .label_selector = "job-name",
	                                  .seed = 2,
	                                  .on_record = on_pod,
	                                  .on_list = on_pod_list,
	                                  .on_synced = on_pod_synced,
	                                  .on_trouble = on_trouble,
	                                  .context = watching};

	watching->job_watch = kube_watch_start(watching->client, &jobs, err);
	watching->pod_watch =
		watching->job_watch ? kube_watch_start(watching->client, &pods, err) : NULL;
	return watching->pod_watch;
}

// Why a job has no pods. Behind the jobs, which the events are about; who may not read them does without.
static bool start_events(struct watching *watching, struct err *err)
{
	struct kube_watch_options events = {.collection = &kube_events,
	                                    .kind = &kube_event_record,
	                                    .namespace = watching->options->namespace,
	                                    .field_selector =
	                                        "involvedObject.kind=Job,reason=FailedCreate",
	                                    .seed = 3,
	                                    .on_record = on_event,
	                                    .on_list = ignore_list,
	                                    .on_synced = ignore_list,
	                                    .context = watching};

	watching->event_watch = kube_watch_start(watching->client, &events, err);
	return watching->event_watch;
}

static bool fold(struct watching *watching, struct err *err)
{
	for (size_t i = 0; i < watching->listing.count; i++)
		jobs_outcome_release(&watching->listing.items[i].outcome);
	for (size_t i = 0; i < watching->pod_count; i++)
		if (!jobs_listing_add_pod(&watching->listing, &watching->pods[i], err))
			return false;
	return true;
}

// FNV-1a of what is shown of the job and may change by itself; never 0.
static uint64_t fingerprint(const struct jobs_item *item)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TOLD_MAX_BYTES);
	const struct jobs_outcome *outcome = &item->outcome;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	strbuf_addf(&text, "%d %" PRId64 " %" PRId64 " %" PRId64 " %s\n", jobs_item_state(item),
	            outcome->running, outcome->succeeded, outcome->failed,
	            outcome->node ? outcome->node : "");
	jobs_reason_write(&text, &item->job, outcome, item->create_failure);
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

static void drop_gone(struct jobs_listing *listing)
{
	size_t kept = 0;

	for (size_t i = 0; i < listing->count; i++) {
		if (listing->items[i].is_gone)
			jobs_item_release(&listing->items[i]);
		else
			listing->items[kept++] = listing->items[i];
	}
	listing->count = kept;
}

static bool tell(struct watching *watching, struct err *err)
{
	struct jobs_listing changed = {NULL, 0, false};
	bool is_ok = fold(watching, err);

	watching->is_dirty = false;
	for (size_t i = 0; is_ok && i < watching->listing.count; i++) {
		struct jobs_item *item = &watching->listing.items[i];
		uint64_t now = fingerprint(item);

		if (now == item->told)
			continue;
		item->told = now;
		if (!mem_append(&changed.items, &changed.count, item, sizeof(*item)))
			is_ok = err_memory(err);
	}
	if (is_ok && (changed.count || !watching->has_told))
		is_ok = watching->options->on_change(watching->options->context, &changed, err);
	mem_free(changed.items); // what they point to is the listing's
	drop_gone(&watching->listing);
	watching->has_told = true;
	watching->told_ms = loop_now_ms(kube_client_loop(watching->client));
	return is_ok;
}

static bool is_time_to_tell(const struct watching *watching)
{
	int64_t since_ms = loop_now_ms(kube_client_loop(watching->client)) - watching->told_ms;

	return watching->has_jobs && watching->has_pods && watching->is_dirty &&
	       (!watching->has_told || since_ms >= FLUSH_MS);
}

static bool run(struct watching *watching, struct err *err)
{
	if (!start_jobs_and_pods(watching, err))
		return false;
	for (;;) {
		if (!loop_run(kube_client_loop(watching->client), watching->is_dirty ? FLUSH_MS : -1, err))
			return false;
		if (watching->failure.kind != ERR_NONE)
			return err_copy(err, &watching->failure);
		if (is_time_to_tell(watching) && !tell(watching, err))
			return false;
		if (watching->has_told && !watching->event_watch && !start_events(watching, err))
			return false;
	}
}

bool jobs_watch(struct kube_client *client, const struct jobs_watch_options *options,
                struct err *err)
{
	struct watching watching = {.client = client, .options = options, .failure = ERR_INIT};

	run(&watching, err);
	kube_watch_free(watching.job_watch);
	kube_watch_free(watching.pod_watch);
	kube_watch_free(watching.event_watch);
	on_pod_list(&watching);
	jobs_listing_release(&watching.listing);
	err_clear(&watching.failure);
	return false;
}
