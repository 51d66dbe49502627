// SPDX-License-Identifier: MIT
#include "kube/job_info.h"

#include <string.h>

#include "base/mem.h"

// What `take` is called for.
enum { CONTAINER, REQUEST, LIMIT, CONDITION };

#define AT(member) offsetof(struct kube_job_info, member)
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
#define TEMPLATE "spec.template.spec."

static const struct kube_field fields[] = {
	STRING("metadata.name", name),
	STRING("metadata.namespace", namespace),
	STRING("metadata.uid", uid),
	TIME("metadata.creationTimestamp", created_ms),
	TIME("metadata.deletionTimestamp", deleted_ms),
	STRING("metadata.labels[\"vpsml.dev/user\"]", user),
	STRING("metadata.labels[\"kueue.x-k8s.io/queue-name\"]", queue),
	STRING("metadata.annotations[\"vpsml.dev/request-id\"]", request_id),
	NUMBER("spec.parallelism", parallelism),
	NUMBER("spec.completions", completions),
	NUMBER("spec.activeDeadlineSeconds", deadline_s),
	NUMBER("spec.backoffLimit", retries),
	STRING("spec.completionMode", completion_mode),
	{"spec.suspend", KUBE_FIELD_BOOL, AT(is_suspended)},
	STRING(TEMPLATE "priorityClassName", priority_class),
	OTHER(TEMPLATE "containers[]", CONTAINER),
	OTHER(TEMPLATE "containers[].resources.requests.*", REQUEST),
	OTHER(TEMPLATE "containers[].resources.limits.*", LIMIT),
	NUMBER("status.active", active),
	NUMBER("status.ready", ready),
	NUMBER("status.succeeded", succeeded),
	NUMBER("status.failed", failed),
	TIME("status.startTime", started_ms),
	OTHER("status.conditions[]", CONDITION),
	STRING("status.conditions[].type", scratch.type),
	STRING("status.conditions[].status", scratch.truth),
	STRING("status.conditions[].reason", scratch.reason),
	STRING("status.conditions[].message", scratch.message),
	TIME("status.conditions[].lastTransitionTime", scratch.since_ms),
};

static void end_container(struct kube_job_info *job)
{
	struct kube_job_scratch *scratch = &job->scratch;

	kube_requests_add(&job->requests, &scratch->container, &scratch->limits,
	                  &scratch->has_no_memory_limit);
	scratch->container = scratch->limits = (struct kube_requests){0};
}

static void clear_condition(struct kube_job_scratch *scratch)
{
	mem_free(TAKE(scratch->type));
	mem_free(TAKE(scratch->truth));
	mem_free(TAKE(scratch->reason));
	mem_free(TAKE(scratch->message));
	scratch->since_ms = 0;
}

// Only Complete and Failed are ends; SuccessCriteriaMet and FailureTarget come before the last pod
// has gone, and no more are made.
static void end_condition(struct kube_job_info *job)
{
	struct kube_job_scratch *scratch = &job->scratch;
	bool is_true = scratch->type && scratch->truth && !strcmp(scratch->truth, "True");

	if (is_true && !strcmp(scratch->type, "Complete")) {
		job->is_complete = true;
		job->finished_ms = scratch->since_ms;
	} else if (is_true && !strcmp(scratch->type, "Failed")) {
		job->is_failed = true;
		job->finished_ms = scratch->since_ms;
		mem_free(job->failed_reason);
		mem_free(job->failed_message);
		job->failed_reason = TAKE(scratch->reason);
		job->failed_message = TAKE(scratch->message);
	} else if (is_true && (!strcmp(scratch->type, "SuccessCriteriaMet") ||
	                       !strcmp(scratch->type, "FailureTarget"))) {
		job->is_ending = true;
	}
	clear_condition(scratch);
}

static bool take(void *record, const struct json_pick_event *event, struct err *err)
{
	struct kube_job_info *job = record;

	if (event->id == REQUEST)
		return kube_requests_take(&job->scratch.container, event, err);
	if (event->id == LIMIT)
		return kube_requests_take(&job->scratch.limits, event, err);
	if (event->type != JSON_PICK_CLOSE)
		return true;
	if (event->id == CONTAINER)
		end_container(job);
	else
		end_condition(job);
	return true;
}

void kube_job_info_release(struct kube_job_info *job)
{
	mem_free(job->name);
	mem_free(job->namespace);
	mem_free(job->uid);
	mem_free(job->user);
	mem_free(job->queue);
	mem_free(job->request_id);
	mem_free(job->completion_mode);
	mem_free(job->priority_class);
	mem_free(job->failed_reason);
	mem_free(job->failed_message);
	clear_condition(&job->scratch);
	*job = (struct kube_job_info){NULL};
}

static void release(void *record)
{
	kube_job_info_release(record);
}

const struct kube_record_kind kube_job_record = {fields, COUNT_OF(fields),
                                                 sizeof(struct kube_job_info), take, release};
