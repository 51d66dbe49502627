// SPDX-License-Identifier: MIT
#include "jobs/batch.h"

#include <string.h>

#include "base/mem.h"
#include "kube/create.h"

// As many as the pool of connections lets run at once.
enum { AT_ONCE = 8, WAVES = 3 };

struct batch;

// One creation on its way.
struct slot {
	struct batch *batch;
	struct jobs_batch_item *item; // NULL: free
	struct kube_creation *creation;
	bool is_over; // to be freed, outside of its own callback
};

struct batch {
	struct kube_client *client;
	const struct jobs_batch_options *options;
	struct jobs_batch_item *items;
	size_t count, next;
	int wave;
	struct slot slots[AT_ONCE];
	bool is_unreachable; // no more are sent: not refused, but failed
	struct err failure;  // of our own
};

// 0 comes before 1, which comes before 2: what others are in, what they refer to, what runs.
static int wave_of(const struct jobs_batch_item *item)
{
	static const char *const first[] = {"Namespace", "CustomResourceDefinition", "PriorityClass",
	                                    "RuntimeClass", "StorageClass"};
	static const char *const second[] = {
		"ConfigMap",          "Secret",  "PersistentVolume", "PersistentVolumeClaim",
		"ServiceAccount",     "Role",    "RoleBinding",      "ClusterRole",
		"ClusterRoleBinding", "Service", "ResourceQuota",    "LimitRange"};

	for (size_t i = 0; i < COUNT_OF(first); i++)
		if (!strcmp(item->collection->kind, first[i]))
			return 0;
	for (size_t i = 0; i < COUNT_OF(second); i++)
		if (!strcmp(item->collection->kind, second[i]))
			return 1;
	return 2;
}

static void end_item(struct batch *batch, struct jobs_batch_item *item, const struct err *failure)
{
	item->state = failure ? JOBS_BATCH_FAILED : JOBS_BATCH_DONE;
	if (failure) {
		err_copy(&item->failure, failure);
		batch->is_unreachable |= failure->kind != ERR_REFUSED;
	}
	if (batch->options->on_one)
		batch->options->on_one(batch->options->context, item);
}

static void on_created(void *context, const struct kube_created *created)
{
	struct slot *slot = context;
	struct batch *batch = slot->batch;
	struct jobs_batch_item *item = slot->item;

	slot->is_over = true;
	item->is_taken = created->outcome == KUBE_CREATE_EXISTS;
	if (!created->failure && batch->options->wants_answers && created->body) {
		item->answer = mem_dup_n(created->body, created->body_len);
		if (!item->answer)
			err_memory(&batch->failure);
	}
	end_item(batch, item, created->failure);
}

static int stops(const struct batch *batch)
{
	return batch->options->count_stops ? batch->options->count_stops() : 0;
}

// The next item of this wave; NULL: none.
static struct jobs_batch_item *next_item(struct batch *batch)
{
	while (batch->next < batch->count) {
		struct jobs_batch_item *item = &batch->items[batch->next++];

		if (!item->is_skipped && wave_of(item) == batch->wave)
			return item;
	}
	return NULL;
}

static void fill(struct batch *batch, struct slot *slot)
{
	struct kube_create_options options = {.is_dry_run = batch->options->is_dry_run,
	                                      .replaces = batch->options->replaces};

	_cleanup_err_ struct err err = ERR_INIT;

	slot->item = batch->is_unreachable || stops(batch) ? NULL : next_item(batch);
	slot->is_over = false;
	if (!slot->item)
		return;
	options.request_id = slot->item->request_id;
	slot->creation =
		kube_creation_start(batch->client, slot->item->collection, slot->item->namespace,
	                        slot->item->object, &options, on_created, slot, &err);
	if (slot->creation)
		return;
	end_item(batch, slot->item, &err);
	slot->is_over = true;
}

static void empty(struct slot *slot)
{
	kube_creation_free(TAKE(slot->creation));
	slot->item = NULL;
}

// Fills the slots that are free; true while some is not.
static bool refill(struct batch *batch)
{
	bool is_busy = false;

	for (size_t i = 0; i < COUNT_OF(batch->slots); i++) {
		struct slot *slot = &batch->slots[i];

		while (!slot->item || slot->is_over) {
			empty(slot);
			fill(batch, slot);
			if (!slot->item)
				break;
		}
		is_busy |= slot->item != NULL;
	}
	return is_busy;
}

// Nobody will know what becomes of those that are on their way.
static void abandon(struct batch *batch)
{
	_cleanup_err_ struct err err = ERR_INIT;

	err_set(&err, ERR_FAILED, "given up on its way: it may have been made");
	for (size_t i = 0; i < COUNT_OF(batch->slots); i++)
		if (batch->slots[i].item && !batch->slots[i].is_over)
			end_item(batch, batch->slots[i].item, &err);
}

static bool run_wave(struct batch *batch, struct err *err)
{
	batch->next = 0;
	while (refill(batch)) {
		if (stops(batch) > 1) {
			abandon(batch);
			return true;
		}
		if (!loop_run(kube_client_loop(batch->client), -1, err))
			return false;
		if (batch->failure.kind != ERR_NONE)
			return err_copy(err, &batch->failure);
	}
	return true;
}

bool jobs_batch_post(struct kube_client *client, struct jobs_batch_item *items, size_t count,
                     const struct jobs_batch_options *options, struct err *err)
{
	struct batch batch = {
		.client = client, .options = options, .items = items, .count = count, .failure = ERR_INIT};
	bool is_ok = true;

	for (size_t i = 0; i < AT_ONCE; i++)
		batch.slots[i].batch = &batch;
	for (batch.wave = 0; is_ok && batch.wave < WAVES; batch.wave++)
		is_ok = run_wave(&batch, err);
	for (size_t i = 0; i < AT_ONCE; i++)
		empty(&batch.slots[i]);
	err_clear(&batch.failure);
	return is_ok;
}

void jobs_batch_clear(struct jobs_batch_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		err_clear(&items[i].failure);
		mem_free(TAKE(items[i].answer));
		items[i].state = JOBS_BATCH_NOT_SENT;
		items[i].is_taken = false;
	}
}
