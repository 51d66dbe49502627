// SPDX-License-Identifier: MIT
#include "kube/pod_info.h"

#include <string.h>

#include "base/mem.h"
#include "kube/quantity.h"

// What `take` is called for.
enum {
	OWNER,
	CONTAINER,
	REQUEST,
	LIMIT,
	INIT_CONTAINER,
	CONDITION,
	STATUS,
	INIT_STATUS,
	WAITING,
	RUNNING,
	TERMINATED,
	LAST,
};

#define AT(member) offsetof(struct kube_pod_info, member)
#define STRING(path, member)                \
	{                                       \
		path, KUBE_FIELD_STRING, AT(member) \
	}
#define NUMBER(path, member)             \
	{                                    \
		path, KUBE_FIELD_I64, AT(member) \
	}
#define TIME(path, member)                \
	{                                     \
		path, KUBE_FIELD_TIME, AT(member) \
	}
#define OTHER(path, id)           \
	{                             \
		path, KUBE_FIELD_TAKE, id \
	}

// The fields of a container's status, in either list of them.
#define STATUS_FIELDS(list)                                                           \
	STRING(list ".name", scratch.status.name),                                        \
		NUMBER(list ".restartCount", scratch.status.restarts),                        \
		OTHER(list ".state.waiting", WAITING),                                        \
		STRING(list ".state.waiting.reason", scratch.status.reason),                  \
		STRING(list ".state.waiting.message", scratch.status.message),                \
		OTHER(list ".state.running", RUNNING),                                        \
		TIME(list ".state.running.startedAt", scratch.status.started_ms),             \
		OTHER(list ".state.terminated", TERMINATED),                                  \
		NUMBER(list ".state.terminated.exitCode", scratch.status.exit_code),          \
		NUMBER(list ".state.terminated.signal", scratch.status.signal),               \
		STRING(list ".state.terminated.reason", scratch.status.reason),               \
		STRING(list ".state.terminated.message", scratch.status.message),             \
		TIME(list ".state.terminated.startedAt", scratch.status.started_ms),          \
		TIME(list ".state.terminated.finishedAt", scratch.status.finished_ms),        \
		OTHER(list ".lastState.terminated", LAST),                                    \
		NUMBER(list ".lastState.terminated.exitCode", scratch.status.last_exit_code), \
		STRING(list ".lastState.terminated.reason", scratch.status.last_reason)

static const struct kube_field fields[] = {
	STRING("metadata.name", name),
	STRING("metadata.namespace", namespace),
	STRING("metadata.uid", uid),
	TIME("metadata.creationTimestamp", created_ms),
	TIME("metadata.deletionTimestamp", deleted_ms),
	STRING("metadata.labels[\"job-name\"]", job),
	STRING("metadata.labels[\"app.kubernetes.io/name\"]", app),
	STRING("metadata.labels[\"vpsml.dev/user\"]", user),
	STRING("metadata.annotations[\"batch.kubernetes.io/job-completion-index\"]", index),
	OTHER("metadata.ownerReferences[]", OWNER),
	STRING("metadata.ownerReferences[].kind", scratch.owner_kind),
	STRING("metadata.ownerReferences[].name", scratch.owner_name),
	STRING("metadata.ownerReferences[].uid", scratch.owner_uid),
	{"metadata.ownerReferences[].controller", KUBE_FIELD_BOOL, AT(scratch.is_controller)},
	STRING("spec.nodeName", node),
	NUMBER("spec.priority", priority),
	STRING("spec.priorityClassName", priority_class),
	OTHER("spec.containers[]", CONTAINER),
	OTHER("spec.containers[].resources.requests.*", REQUEST),
	OTHER("spec.containers[].resources.limits.*", LIMIT),
	OTHER("spec.initContainers[]", INIT_CONTAINER),
	OTHER("spec.initContainers[].resources.requests.*", REQUEST),
	STRING("status.phase", phase),
	STRING("status.reason", reason),
	STRING("status.message", message),
	TIME("status.startTime", started_ms),
	OTHER("status.conditions[]", CONDITION),
	STRING("status.conditions[].type", scratch.type),
	STRING("status.conditions[].status", scratch.truth),
	STRING("status.conditions[].reason", scratch.reason),
	STRING("status.conditions[].message", scratch.message),
	OTHER("status.containerStatuses[]", STATUS),
	STATUS_FIELDS("status.containerStatuses[]"),
	OTHER("status.initContainerStatuses[]", INIT_STATUS),
	STATUS_FIELDS("status.initContainerStatuses[]"),
};

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// A container was read: its requests join those of the others.
static void end_container(struct kube_pod_info *pod)
{
	struct kube_pod_scratch *scratch = &pod->scratch;

	kube_requests_add(&pod->requests, &scratch->container, &scratch->limits,
	                  &scratch->has_no_memory_limit);
	scratch->container = scratch->limits = (struct kube_requests){0};
}

// Init containers run before the others, one at a time: the larger need counts. Both lists come in
// either order, hence two sums until the pod is whole.
static void end_init_container(struct kube_pod_info *pod)
{
	struct kube_requests *one = &pod->scratch.container, *most = &pod->scratch.init;

	most->cpu_milli = larger(most->cpu_milli, one->cpu_milli);
	most->memory_bytes = larger(most->memory_bytes, one->memory_bytes);
	most->gpus = larger(most->gpus, one->gpus);
	*one = (struct kube_requests){0};
}

struct kube_requests kube_pod_info_requests(const struct kube_pod_info *pod)
{
	const struct kube_requests *init = &pod->scratch.init;
	struct kube_requests requests = pod->requests;

	requests.cpu_milli = larger(requests.cpu_milli, init->cpu_milli);
	requests.memory_bytes = larger(requests.memory_bytes, init->memory_bytes);
	requests.gpus = larger(requests.gpus, init->gpus);
	return requests;
}

static void move(char **to, char **from)
{
	mem_free(*to);
	*to = TAKE(*from);
}

static void clear(char **text)
{
	mem_free(TAKE(*text));
}

static void end_owner(struct kube_pod_info *pod)
{
	struct kube_pod_scratch *scratch = &pod->scratch;

	if (scratch->is_controller) {
		move(&pod->owner_kind, &scratch->owner_kind);
		move(&pod->owner_name, &scratch->owner_name);
		move(&pod->owner_uid, &scratch->owner_uid);
	}
	clear(&scratch->owner_kind);
	clear(&scratch->owner_name);
	clear(&scratch->owner_uid);
	scratch->is_controller = false;
}

static void end_condition(struct kube_pod_info *pod)
{
	struct kube_pod_scratch *scratch = &pod->scratch;
	const char *type = scratch->type ? scratch->type : "";
	bool is_true = scratch->truth && !strcmp(scratch->truth, "True");

	if (!strcmp(type, "PodScheduled") && !is_true) {
		move(&pod->scheduling_reason, &scratch->reason);
		move(&pod->scheduling_message, &scratch->message);
	} else if (!strcmp(type, "DisruptionTarget") && is_true) {
		move(&pod->disruption_reason, &scratch->reason);
	} else if (!strcmp(type, "Ready")) {
		pod->is_ready = is_true;
	}
	clear(&scratch->type);
	clear(&scratch->truth);
	clear(&scratch->reason);
	clear(&scratch->message);
}

static void release_container(struct kube_container_info *container)
{
	mem_free(container->name);
	mem_free(container->reason);
	mem_free(container->message);
	mem_free(container->last_reason);
	*container = (struct kube_container_info){NULL};
}

static bool end_status(struct kube_pod_info *pod, bool is_init, struct err *err)
{
	struct kube_container_info *container = &pod->scratch.status;

	container->is_init = is_init;
	if (!mem_append(&pod->containers, &pod->container_count, container, sizeof(*container)))
		return err_memory(err);
	*container = (struct kube_container_info){NULL};
	return true;
}

// The opening of an object tells its state, also where it is empty.
static bool take(void *record, const struct json_pick_event *event, struct err *err)
{
	struct kube_pod_info *pod = record;
	bool is_end = event->type == JSON_PICK_CLOSE;

	if (event->id == REQUEST)
		return kube_requests_take(&pod->scratch.container, event, err);
	if (event->id == LIMIT)
		return kube_requests_take(&pod->scratch.limits, event, err);
	if (event->id == WAITING)
		pod->scratch.status.state = KUBE_CONTAINER_WAITING;
	else if (event->id == RUNNING)
		pod->scratch.status.state = KUBE_CONTAINER_RUNNING;
	else if (event->id == TERMINATED)
		pod->scratch.status.state = KUBE_CONTAINER_TERMINATED;
	else if (event->id == LAST)
		pod->scratch.status.has_last = true;
	else if (!is_end)
		return true;
	else if (event->id == OWNER)
		end_owner(pod);
	else if (event->id == CONTAINER)
		end_container(pod);
	else if (event->id == INIT_CONTAINER)
		end_init_container(pod);
	else if (event->id == CONDITION)
		end_condition(pod);
	else
		return end_status(pod, event->id == INIT_STATUS, err);
	return true;
}

static void release_scratch(struct kube_pod_scratch *scratch)
{
	clear(&scratch->type);
	clear(&scratch->truth);
	clear(&scratch->reason);
	clear(&scratch->message);
	clear(&scratch->owner_kind);
	clear(&scratch->owner_name);
	clear(&scratch->owner_uid);
	release_container(&scratch->status);
}

void kube_pod_info_release(struct kube_pod_info *pod)
{
	mem_free(pod->name);
	mem_free(pod->namespace);
	mem_free(pod->uid);
	mem_free(pod->job);
	mem_free(pod->app);
	mem_free(pod->user);
	mem_free(pod->owner_kind);
	mem_free(pod->owner_name);
	mem_free(pod->owner_uid);
	mem_free(pod->index);
	mem_free(pod->node);
	mem_free(pod->priority_class);
	mem_free(pod->phase);
	mem_free(pod->reason);
	mem_free(pod->message);
	mem_free(pod->scheduling_reason);
	mem_free(pod->scheduling_message);
	mem_free(pod->disruption_reason);
	for (size_t i = 0; i < pod->container_count; i++)
		release_container(&pod->containers[i]);
	mem_free(pod->containers);
	release_scratch(&pod->scratch);
	*pod = (struct kube_pod_info){NULL};
}

static void release(void *record)
{
	kube_pod_info_release(record);
}

const struct kube_record_kind kube_pod_record = {fields, COUNT_OF(fields),
                                                 sizeof(struct kube_pod_info), take, release};
