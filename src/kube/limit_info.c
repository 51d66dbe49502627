// SPDX-License-Identifier: MIT
#include "kube/limit_info.h"

#include <string.h>

#include "base/mem.h"

enum { LIMIT, MAX, MIN, DEFAULT, DEFAULT_REQUEST };

static const struct kube_field fields[] = {
	{"metadata.name", KUBE_FIELD_STRING, offsetof(struct kube_limit_info, name)},
	{"spec.limits[]", KUBE_FIELD_TAKE, LIMIT},
	{"spec.limits[].type", KUBE_FIELD_STRING, offsetof(struct kube_limit_info, type)},
	{"spec.limits[].max.*", KUBE_FIELD_TAKE, MAX},
	{"spec.limits[].min.*", KUBE_FIELD_TAKE, MIN},
	{"spec.limits[].default.*", KUBE_FIELD_TAKE, DEFAULT},
	{"spec.limits[].defaultRequest.*", KUBE_FIELD_TAKE, DEFAULT_REQUEST},
};

static void end_limit(struct kube_limit_info *limits)
{
	if (limits->type && !strcmp(limits->type, "Container")) {
		limits->cpu = limits->next_cpu;
		limits->memory = limits->next_memory;
	}
	limits->next_cpu = limits->next_memory = (struct kube_container_limits){.max = {false}};
	mem_free(TAKE(limits->type));
}

static struct kube_quantity *member(struct kube_container_limits *resource, int id)
{
	switch (id) {
	case MAX:
		return &resource->max;
	case MIN:
		return &resource->min;
	case DEFAULT:
		return &resource->limit;
	default:
		return &resource->request;
	}
}

static bool take(void *record, const struct json_pick_event *event, struct err *err)
{
	struct kube_limit_info *limits = record;
	bool is_cpu = !strcmp(event->name, "cpu");

	if (event->id == LIMIT) {
		if (event->type == JSON_PICK_CLOSE)
			end_limit(limits);
		return true;
	}
	if ((event->type != JSON_PICK_STRING && event->type != JSON_PICK_NUMBER) ||
	    (!is_cpu && strcmp(event->name, "memory") != 0))
		return true;
	return kube_quantity_parse(event->text,
	                           member(is_cpu ? &limits->next_cpu : &limits->next_memory, event->id),
	                           err) ||
	       err_wrap(err, "limit range: %s", event->name);
}

void kube_limit_info_release(struct kube_limit_info *limits)
{
	mem_free(limits->name);
	mem_free(limits->type);
	*limits = (struct kube_limit_info){NULL};
}

static void release(void *record)
{
	kube_limit_info_release(record);
}

const struct kube_record_kind kube_limit_record = {fields, COUNT_OF(fields),
                                                   sizeof(struct kube_limit_info), take, release};
