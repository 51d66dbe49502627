// SPDX-License-Identifier: MIT
#include "kube/quota_info.h"

#include <string.h>

#include "base/mem.h"

enum { HARD, USED, SCOPE };

static const struct kube_field fields[] = {
	{"metadata.name", KUBE_FIELD_STRING, offsetof(struct kube_quota_info, name)},
	{"spec.hard.*", KUBE_FIELD_TAKE, HARD},
	{"spec.scopes[]", KUBE_FIELD_TAKE, SCOPE},
	{"spec.scopeSelector", KUBE_FIELD_TAKE, SCOPE},
	{"status.used.*", KUBE_FIELD_TAKE, USED},
};

static struct kube_quota_entry *find(struct kube_quota_info *quota, const char *resource,
                                     struct err *err)
{
	struct kube_quota_entry entry = {NULL};

	for (size_t i = 0; i < quota->count; i++)
		if (!strcmp(quota->entries[i].resource, resource))
			return &quota->entries[i];
	entry.resource = mem_dup(resource);
	if (entry.resource && mem_append(&quota->entries, &quota->count, &entry, sizeof(entry)))
		return &quota->entries[quota->count - 1];
	mem_free(entry.resource);
	err_memory(err);
	return NULL;
}

static bool take(void *record, const struct json_pick_event *event, struct err *err)
{
	struct kube_quota_info *quota = record;
	struct kube_quota_entry *entry;

	if (event->id == SCOPE) {
		quota->has_scopes = true;
		return true;
	}
	if (event->type != JSON_PICK_STRING && event->type != JSON_PICK_NUMBER)
		return true;
	entry = find(quota, event->name, err);
	return entry && (kube_quantity_parse(event->text,
	                                     event->id == HARD ? &entry->hard : &entry->used, err) ||
	                 err_wrap(err, "quota: %s", event->name));
}

void kube_quota_info_release(struct kube_quota_info *quota)
{
	mem_free(quota->name);
	for (size_t i = 0; i < quota->count; i++)
		mem_free(quota->entries[i].resource);
	mem_free(quota->entries);
	*quota = (struct kube_quota_info){NULL};
}

static void release(void *record)
{
	kube_quota_info_release(record);
}

const struct kube_record_kind kube_quota_record = {fields, COUNT_OF(fields),
                                                   sizeof(struct kube_quota_info), take, release};
