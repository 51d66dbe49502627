// SPDX-License-Identifier: MIT
#include "kube/event_info.h"

#include "base/mem.h"

#define AT(member) offsetof(struct kube_event_info, member)
#define STRING(path, member)                \
	{                                       \
		path, KUBE_FIELD_STRING, AT(member) \
	}

static const struct kube_field fields[] = {
	STRING("metadata.name", name),
	STRING("metadata.namespace", namespace),
	{"metadata.creationTimestamp", KUBE_FIELD_TIME, AT(created_ms)},
	STRING("involvedObject.kind", object_kind),
	STRING("involvedObject.name", object_name),
	STRING("involvedObject.uid", object_uid),
	STRING("type", type),
	STRING("reason", reason),
	STRING("message", message),
	{"count", KUBE_FIELD_I64, AT(count)},
	{"lastTimestamp", KUBE_FIELD_TIME, AT(last_ms)},
	{"eventTime", KUBE_FIELD_TIME, AT(last_ms)},
};

void kube_event_info_release(struct kube_event_info *event)
{
	mem_free(event->name);
	mem_free(event->namespace);
	mem_free(event->object_kind);
	mem_free(event->object_name);
	mem_free(event->object_uid);
	mem_free(event->type);
	mem_free(event->reason);
	mem_free(event->message);
	*event = (struct kube_event_info){NULL};
}

static void release(void *record)
{
	kube_event_info_release(record);
}

const struct kube_record_kind kube_event_record = {fields, COUNT_OF(fields),
                                                   sizeof(struct kube_event_info), NULL, release};
