// SPDX-License-Identifier: MIT
#include "boot/objects.h"

#include <string.h>

#include "base/mem.h"
#include "kube/discovery.h"
#include "kube/pause.h"
#include "kube/ready.h"

enum { KIND_WAIT_MS = 30000, KIND_POLL_MS = 500 };

bool boot_objects_take(struct boot_objects *objects, const struct kube_collection *collection,
                       struct json *tree, struct err *err)
{
	struct boot_object object = {collection, tree, false};

	if (!tree)
		return false;
	if (mem_append(&objects->items, &objects->count, &object, sizeof(object)))
		return true;
	json_free(tree);
	return err_memory(err);
}

static const char *text_at(const struct boot_object *object, const char *path)
{
	const struct json *value = json_find(object->tree, path);

	return value ? json_string(value) : "";
}

const char *boot_object_kind(const struct boot_object *object)
{
	return text_at(object, "kind");
}

const char *boot_object_name(const struct boot_object *object)
{
	return text_at(object, "metadata.name");
}

const char *boot_object_namespace(const struct boot_object *object)
{
	return text_at(object, "metadata.namespace");
}

// The server's answer about a kind, kept as a collection.
struct found {
	struct kube_kind kind;
	struct kube_collection collection;
};

static void release_found(struct found *found)
{
	kube_kind_release(&found->kind);
}

static bool find(struct kube_client *client, const struct boot_object *object, int64_t limit_ms,
                 struct found *found, struct err *err)
{
	const char *version = text_at(object, "apiVersion"), *kind = boot_object_kind(object);

	for (int64_t waited_ms = 0;; waited_ms += KIND_POLL_MS) {
		if (!kube_discover_kind(client, version, kind, &found->kind, err))
			return false;
		if (found->kind.plural)
			break;
		if (waited_ms >= limit_ms)
			return err_set(err, ERR_REFUSED, "the server knows no kind %s of %s", kind, version);
		if (!kube_pause(client, KIND_POLL_MS, err))
			return false;
	}
	found->collection = (struct kube_collection){version, found->kind.plural, kind, kind,
	                                             !found->kind.is_namespaced};
	return true;
}

static const struct kube_collection *collection_of(struct kube_client *client,
                                                   const struct boot_object *object,
                                                   int64_t limit_ms, struct found *found,
                                                   struct err *err)
{
	if (object->collection)
		return object->collection;
	return find(client, object, limit_ms, found, err) ? &found->collection : NULL;
}

static const char *namespace_of(const struct boot_object *object)
{
	const char *namespace = boot_object_namespace(object);

	return *namespace ? namespace : "default";
}

static bool apply_one(const struct boot_apply *apply, const struct boot_object *object,
                      struct err *err)
{
	_cleanup_(release_found) struct found found = {.kind = {NULL, false}};
	struct kube_apply_options options = {.is_dry_run = apply->is_dry_run,
	                                     .takes_over = object->takes_over};
	enum kube_apply_outcome outcome = KUBE_APPLY_CREATED;
	const struct kube_collection *collection;
	_cleanup_err_ struct err unknown = ERR_INIT;

	collection = collection_of(apply->client, object, apply->is_dry_run ? 0 : KIND_WAIT_MS, &found,
	                           &unknown);
	if (collection)
		outcome = kube_apply(apply->client, collection, namespace_of(object), object->tree,
		                     &options, err);
	else if (!apply->is_dry_run || unknown.kind != ERR_REFUSED)
		return err_copy(err, &unknown);
	if (outcome == KUBE_APPLY_FAILED)
		return false;
	if (apply->on_object)
		apply->on_object(apply->context, object, outcome);
	return true;
}

bool boot_objects_apply(const struct boot_objects *objects, const struct boot_apply *apply,
                        struct err *err)
{
	for (size_t i = 0; i < objects->count; i++)
		if (!apply_one(apply, &objects->items[i], err))
			return false;
	return true;
}

bool boot_objects_wait(const struct boot_objects *objects, struct kube_client *client,
                       int64_t limit_ms, struct err *err)
{
	int64_t end_ms = loop_now_ms(kube_client_loop(client)) + limit_ms;

	for (size_t i = 0; i < objects->count; i++) {
		const struct boot_object *object = &objects->items[i];
		_cleanup_(release_found) struct found found = {.kind = {NULL, false}};
		const struct kube_collection *collection = collection_of(client, object, 0, &found, err);
		int64_t left_ms = end_ms - loop_now_ms(kube_client_loop(client));

		if (!collection ||
		    !kube_ready_wait(client, collection, namespace_of(object), boot_object_name(object),
		                     left_ms > 0 ? left_ms : 0, err))
			return false;
	}
	return true;
}

void boot_objects_release(struct boot_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		json_free(objects->items[i].tree);
	mem_free(objects->items);
	*objects = (struct boot_objects)BOOT_OBJECTS_INIT;
}
