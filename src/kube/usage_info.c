// SPDX-License-Identifier: MIT
#include "kube/usage_info.h"

#include "base/mem.h"
#include "kube/quantity.h"

enum { CPU, MEMORY };

#define AT(member) offsetof(struct kube_usage_info, member)

static const struct kube_field fields[] = {
	{"metadata.name", KUBE_FIELD_STRING, AT(name)},
	{"timestamp", KUBE_FIELD_TIME, AT(sampled_ms)},
	{"usage.cpu", KUBE_FIELD_TAKE, CPU},
	{"usage.memory", KUBE_FIELD_TAKE, MEMORY},
};

// What cannot be read of one node is not known; the others' is.
static bool take(void *record, const struct json_pick_event *event, struct err *err)
{
	struct kube_usage_info *usage = record;
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct kube_quantity quantity;

	(void)err;
	if (event->type != JSON_PICK_STRING && event->type != JSON_PICK_NUMBER)
		return true;
	if (!kube_quantity_parse(event->text, &quantity, &ignored))
		return true;
	if (event->id == CPU) {
		usage->has_cpu = true;
		usage->cpu_milli = kube_quantity_milli(&quantity);
	} else {
		usage->has_memory = true;
		usage->memory_bytes = kube_quantity_ceil(&quantity);
	}
	return true;
}

void kube_usage_info_release(struct kube_usage_info *usage)
{
	mem_free(usage->name);
	*usage = (struct kube_usage_info){NULL};
}

static void release(void *record)
{
	kube_usage_info_release(record);
}

const struct kube_record_kind kube_usage_record = {fields, COUNT_OF(fields),
                                                   sizeof(struct kube_usage_info), take, release};
