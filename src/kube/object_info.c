// SPDX-License-Identifier: MIT
#include "kube/object_info.h"

#include "base/mem.h"

#define AT(member) offsetof(struct kube_object_info, member)

static const struct kube_field fields[] = {
	{"metadata.name", KUBE_FIELD_STRING, AT(name)},
	{"metadata.namespace", KUBE_FIELD_STRING, AT(namespace)},
	{"metadata.uid", KUBE_FIELD_STRING, AT(uid)},
	{"metadata.annotations[\"vpsml.dev/request-id\"]", KUBE_FIELD_STRING, AT(request_id)},
	{"metadata.deletionTimestamp", KUBE_FIELD_TIME, AT(deleted_ms)},
};

void kube_object_info_release(struct kube_object_info *object)
{
	mem_free(object->name);
	mem_free(object->namespace);
	mem_free(object->uid);
	mem_free(object->request_id);
	*object = (struct kube_object_info){NULL};
}

static void release(void *record)
{
	kube_object_info_release(record);
}

const struct kube_record_kind kube_object_record = {fields, COUNT_OF(fields),
                                                    sizeof(struct kube_object_info), NULL, release};
