// SPDX-License-Identifier: MIT
#include "jobs/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/strv.h"

const char *const jobs_order_words[] = {"age",  "name", "state", "gpus",
                                        "wait", "run",  "node",  NULL};

enum jobs_state jobs_item_state(const struct jobs_item *item)
{
	return item->is_gone ? JOBS_DELETED : jobs_state_of(&item->job, &item->outcome);
}

int64_t jobs_item_gpus(const struct jobs_item *item)
{
	int64_t pods = item->job.parallelism ? item->job.parallelism : 1;

	return item->job.requests.gpus * pods;
}

const char *jobs_item_message(const struct jobs_item *item, const char *reason)
{
	const char *message = item->outcome.message      ? item->outcome.message
	                      : item->job.failed_message ? item->job.failed_message
	                                                 : item->create_failure;

	return message && strcmp(message, reason) != 0 ? message : NULL;
}

int64_t jobs_item_pods_wanted(const struct jobs_item *item)
{
	if (item->job.completions)
		return item->job.completions;
	return item->job.parallelism ? item->job.parallelism : 1;
}

bool jobs_states_parse(struct jobs_states *states, const char *text, struct err *err)
{
	_cleanup_strv_ struct strv parts = STRV_INIT;
	size_t index;

	if (!strv_split(&parts, text, ',', err))
		return false;
	for (size_t i = 0; i < parts.count; i++) {
		if (!parse_word(parts.items[i], jobs_state_words, &index, err))
			return false;
		states->has[index] = states->is_set = true;
	}
	return true;
}

bool jobs_listing_take(struct jobs_listing *listing, struct kube_job_info *job, struct err *err)
{
	struct jobs_item item = {.job = *job};

	if (!mem_append(&listing->items, &listing->count, &item, sizeof(item)))
		return err_memory(err);
	*job = (struct kube_job_info){NULL};
	listing->is_indexed = false;
	return true;
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_keys(const void *a, const void *b)
{
	const struct kube_job_info *x = &((const struct jobs_item *)a)->job;
	const struct kube_job_info *y = &((const struct jobs_item *)b)->job;
	int order = compare_text(x->namespace, y->namespace);

	return order ? order : compare_text(x->name, y->name);
}

struct jobs_item *jobs_listing_find(struct jobs_listing *listing, const char *namespace,
                                    const char *name)
{
	size_t low = 0, high = listing->count;

	if (!listing->is_indexed && listing->count)
		qsort(listing->items, listing->count, sizeof(*listing->items), compare_keys);
	listing->is_indexed = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct jobs_item *item = &listing->items[middle];
		int order = compare_text(namespace, item->job.namespace);

		if (!order)
			order = compare_text(name, item->job.name);
		if (!order)
			return item;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

// Is POD of this very job, and not of one that had the name before?
static bool is_own_pod(const struct jobs_item *item, const struct kube_pod_info *pod)
{
	return !pod->owner_uid || !item->job.uid || !strcmp(pod->owner_uid, item->job.uid);
}

bool jobs_listing_add_pod(struct jobs_listing *listing, const struct kube_pod_info *pod,
                          struct err *err)
{
	struct jobs_item *item = pod->job ? jobs_listing_find(listing, pod->namespace, pod->job) : NULL;

	return !item || !is_own_pod(item, pod) || jobs_outcome_add(&item->outcome, pod, err);
}

bool jobs_listing_add_event(struct jobs_listing *listing, const struct kube_event_info *event,
                            struct err *err)
{
	struct jobs_item *item = jobs_listing_find(listing, event->namespace, event->object_name);

	return !item || jobs_item_add_event(item, event, err);
}

bool jobs_item_add_event(struct jobs_item *item, const struct kube_event_info *event,
                         struct err *err)
{
	int64_t when_ms = event->last_ms ? event->last_ms : event->created_ms;
	char *message;

	if (compare_text(event->object_kind, "Job") || compare_text(event->reason, "FailedCreate") ||
	    !event->message || compare_text(item->job.uid, event->object_uid) ||
	    when_ms < item->create_failure_ms)
		return true;
	message = mem_dup(event->message);
	if (!message)
		return err_memory(err);
	mem_free(item->create_failure);
	item->create_failure = message;
	item->create_failure_ms = when_ms;
	return true;
}

void jobs_item_release(struct jobs_item *item)
{
	kube_job_info_release(&item->job);
	jobs_outcome_release(&item->outcome);
	mem_free(TAKE(item->create_failure));
}

bool jobs_item_matches(const struct jobs_item *item, const struct jobs_states *states,
                       const char *user)
{
	bool has_state = !states->is_set || states->has[jobs_item_state(item)];

	return has_state && (!user || !compare_text(user, item->job.user));
}

void jobs_listing_filter(struct jobs_listing *listing, const struct jobs_states *states,
                         const char *user)
{
	size_t kept = 0;

	for (size_t i = 0; i < listing->count; i++) {
		if (jobs_item_matches(&listing->items[i], states, user))
			listing->items[kept++] = listing->items[i];
		else
			jobs_item_release(&listing->items[i]);
	}
	listing->count = kept;
}

// A job and what it is sorted by: the smaller number, then the text, goes first.
struct sort_key {
	int64_t number;
	const char *text;
	struct jobs_item item;
};

static int compare_sort_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int order = (x->number > y->number) - (x->number < y->number);

	if (!order)
		order = compare_text(x->text, y->text);
	return order ? order : compare_keys(&x->item, &y->item);
}

static struct sort_key key_of(const struct jobs_item *item, enum jobs_order order, int64_t now_ms)
{
	struct sort_key key = {0, NULL, *item};

	switch (order) {
	case JOBS_BY_AGE:
		key.number = -item->job.created_ms;
		break;
	case JOBS_BY_NAME:
		break;
	case JOBS_BY_STATE:
		key.number = (int64_t)jobs_item_state(item);
		break;
	case JOBS_BY_GPUS:
		key.number = -jobs_item_gpus(item);
		break;
	case JOBS_BY_WAIT:
		key.number = -jobs_wait_s(&item->job, &item->outcome, now_ms);
		break;
	case JOBS_BY_RUN:
		key.number = -jobs_run_s(&item->job, &item->outcome, now_ms);
		break;
	case JOBS_BY_NODE:
		key.number = !item->outcome.node;
		key.text = item->outcome.node;
		break;
	}
	return key;
}

void jobs_listing_sort(struct jobs_listing *listing, enum jobs_order order, int64_t now_ms)
{
	_cleanup_free_ struct sort_key *keys = mem_alloc(listing->count * sizeof(*keys));

	// Without memory for the keys the jobs stay in the order in which they came.
	if (!keys || !listing->count)
		return;
	for (size_t i = 0; i < listing->count; i++)
		keys[i] = key_of(&listing->items[i], order, now_ms);
	qsort(keys, listing->count, sizeof(*keys), compare_sort_keys);
	for (size_t i = 0; i < listing->count; i++)
		listing->items[i] = keys[i].item;
	listing->is_indexed = order == JOBS_BY_NAME;
}

void jobs_listing_release(struct jobs_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		jobs_item_release(&listing->items[i]);
	mem_free(listing->items);
	*listing = (struct jobs_listing){NULL, 0, false};
}
