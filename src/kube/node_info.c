// SPDX-License-Identifier: MIT
#include "kube/node_info.h"

#include <string.h>

#include "base/mem.h"
#include "kube/affinity.h"
#include "kube/quantity.h"

// What `take` is called for.
enum {
	CONTROL_PLANE,
	GPU_LABEL,
	ALLOCATABLE,
	ALLOCATABLE_PODS,
	CAPACITY,
	CONDITION,
	TAINT,
	ADDRESS
};

#define AT(member) offsetof(struct kube_node_info, member)
#define STRING(path, member)                \
	{                                       \
		path, KUBE_FIELD_STRING, AT(member) \
	}
#define OTHER(path, id)           \
	{                             \
		path, KUBE_FIELD_TAKE, id \
	}

static const struct kube_field fields[] = {
	STRING("metadata.name", name),
	{"metadata.creationTimestamp", KUBE_FIELD_TIME, AT(created_ms)},
	OTHER("metadata.labels[\"node-role.kubernetes.io/control-plane\"]", CONTROL_PLANE),
	OTHER("metadata.labels.gpu", GPU_LABEL),
	STRING("metadata.labels[\"nvidia.com/gpu.product\"]", gpu_product),
	{"spec.unschedulable", KUBE_FIELD_BOOL, AT(is_unschedulable)},
	OTHER("spec.taints[]", TAINT),
	STRING("spec.taints[].key", scratch.key),
	STRING("spec.taints[].effect", scratch.effect),
	OTHER("status.allocatable.*", ALLOCATABLE),
	OTHER("status.allocatable.pods", ALLOCATABLE_PODS),
	OTHER("status.capacity.*", CAPACITY),
	OTHER("status.conditions[]", CONDITION),
	STRING("status.conditions[].type", scratch.type),
	STRING("status.conditions[].status", scratch.truth),
	STRING("status.conditions[].reason", scratch.reason),
	OTHER("status.addresses[]", ADDRESS),
	STRING("status.addresses[].type", scratch.address_type),
	STRING("status.addresses[].address", scratch.address),
	STRING("status.nodeInfo.kubeletVersion", kubelet_version),
};

static void clear(char **text)
{
	mem_free(TAKE(*text));
}

static void end_condition(struct kube_node_info *node)
{
	struct kube_node_scratch *scratch = &node->scratch;
	const char *type = scratch->type ? scratch->type : "";
	bool is_true = scratch->truth && !strcmp(scratch->truth, "True");

	if (!strcmp(type, "Ready")) {
		node->is_ready = is_true;
		clear(&node->not_ready_reason);
		if (!is_true)
			node->not_ready_reason = TAKE(scratch->reason);
	} else if (is_true && strstr(type, "Pressure") && !node->has_pressure) {
		node->has_pressure = true;
		node->pressure = TAKE(scratch->type);
	}
	clear(&scratch->type);
	clear(&scratch->truth);
	clear(&scratch->reason);
}

static void end_taint(struct kube_node_info *node)
{
	struct kube_node_scratch *scratch = &node->scratch;

	if (scratch->key && kube_resource_is_gpu(scratch->key))
		node->is_gpu_tainted = true;
	else if (scratch->effect && strcmp(scratch->effect, "PreferNoSchedule") != 0)
		node->has_hard_taint = true;
	clear(&scratch->key);
	clear(&scratch->effect);
}

static void end_address(struct kube_node_info *node)
{
	struct kube_node_scratch *scratch = &node->scratch;

	if (!node->address && scratch->address_type && !strcmp(scratch->address_type, "InternalIP"))
		node->address = TAKE(scratch->address);
	clear(&scratch->address_type);
	clear(&scratch->address);
}

static bool take_allocatable(struct kube_node_info *node, const struct json_pick_event *event,
                             struct err *err)
{
	if (!node->gpu_resource && kube_resource_is_gpu(event->name)) {
		node->gpu_resource = mem_dup(event->name);
		if (!node->gpu_resource)
			return err_memory(err);
	}
	return kube_requests_take(&node->allocatable, event, err);
}

static bool take_pods(struct kube_node_info *node, const struct json_pick_event *event,
                      struct err *err)
{
	struct kube_quantity quantity;

	if (!kube_quantity_parse(event->text, &quantity, err))
		return false;
	node->allocatable_pods = kube_quantity_ceil(&quantity);
	return true;
}

static bool take(void *record, const struct json_pick_event *event, struct err *err)
{
	struct kube_node_info *node = record;

	if (event->id == CONTROL_PLANE)
		node->is_control_plane = true;
	else if (event->id == GPU_LABEL)
		node->is_gpu_node = !strcmp(event->text, KUBE_GPU_NODE_VALUE);
	else if (event->id == ALLOCATABLE)
		return take_allocatable(node, event, err);
	else if (event->id == ALLOCATABLE_PODS)
		return take_pods(node, event, err);
	else if (event->id == CAPACITY)
		return kube_requests_take(&node->capacity, event, err);
	else if (event->type != JSON_PICK_CLOSE)
		return true;
	else if (event->id == CONDITION)
		end_condition(node);
	else if (event->id == TAINT)
		end_taint(node);
	else
		end_address(node);
	return true;
}

void kube_node_info_release(struct kube_node_info *node)
{
	mem_free(node->name);
	mem_free(node->gpu_product);
	mem_free(node->kubelet_version);
	mem_free(node->address);
	mem_free(node->not_ready_reason);
	mem_free(node->pressure);
	mem_free(node->gpu_resource);
	clear(&node->scratch.type);
	clear(&node->scratch.truth);
	clear(&node->scratch.reason);
	clear(&node->scratch.key);
	clear(&node->scratch.effect);
	clear(&node->scratch.address_type);
	clear(&node->scratch.address);
	*node = (struct kube_node_info){NULL};
}

static void release(void *record)
{
	kube_node_info_release(record);
}

const struct kube_record_kind kube_node_record = {fields, COUNT_OF(fields),
                                                  sizeof(struct kube_node_info), take, release};
