// SPDX-License-Identifier: MIT
#include "jobs/outcome.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "jobs/unschedulable.h"
#include "kube/quantity.h"

enum { TEXT_MAX_BYTES = 8192, OOM_STATUS = 128 + 9 };

bool jobs_is_stuck_reason(const char *reason)
{
	static const char *const stuck[] = {
		"ErrImagePull",      "ImagePullBackOff",           "InvalidImageName",
		"ErrImageNeverPull", "CreateContainerConfigError", "CreateContainerError",
		"ImageInspectError", "RegistryUnavailable",        "RunContainerError",
	};

	for (size_t i = 0; reason && i < COUNT_OF(stuck); i++)
		if (!strcmp(stuck[i], reason))
			return true;
	return false;
}

static bool is_oom(const struct kube_container_info *container)
{
	return container->reason && !strcmp(container->reason, "OOMKilled");
}

int64_t jobs_exit_status(const struct kube_container_info *container)
{
	if (is_oom(container))
		return OOM_STATUS;
	if (container->signal)
		return 128 + container->signal;
	return container->exit_code;
}

// Without the blanks at its end, which some of kubelet's messages have. NULL without memory.
static char *dup_trimmed(const char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		len--;
	return mem_dup_n(text, len);
}

// Replaces what is shown if TROUBLE is worse. The texts may be NULL.
static bool set_trouble(struct jobs_outcome *outcome, enum jobs_trouble trouble, const char *reason,
                        const char *message, struct err *err)
{
	char *reason_copy, *message_copy;

	if (trouble <= outcome->trouble)
		return true;
	reason_copy = reason ? mem_dup(reason) : NULL;
	message_copy = message ? dup_trimmed(message) : NULL;
	if ((reason && !reason_copy) || (message && !message_copy)) {
		mem_free(reason_copy);
		mem_free(message_copy);
		return err_memory(err);
	}
	mem_free(outcome->reason);
	mem_free(outcome->message);
	outcome->trouble = trouble;
	outcome->reason = reason_copy;
	outcome->message = message_copy;
	return true;
}

static bool add_oom(struct jobs_outcome *outcome, const struct kube_pod_info *pod, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	struct kube_quantity limit = {true, pod->requests.memory_limit_bytes, 0, KUBE_QUANTITY_BINARY};

	strbuf_add(&text, "killed for memory");
	if (limit.units) {
		strbuf_add(&text, ": the limit is ");
		kube_quantity_write(&text, &limit);
	}
	return set_trouble(outcome, JOBS_TROUBLE_OOM, "OOMKilled", strbuf_get(&text), err);
}

static bool add_exit(struct jobs_outcome *outcome, const struct kube_container_info *container,
                     int64_t status, struct err *err)
{
	char reason[64];

	if (container->signal)
		snprintf(reason, sizeof(reason), "signal %" PRId64, container->signal);
	else
		snprintf(reason, sizeof(reason), "exit %" PRId64, status);
	return set_trouble(outcome, JOBS_TROUBLE_EXIT, reason, container->message, err);
}

static bool add_terminated(struct jobs_outcome *outcome, const struct kube_pod_info *pod,
                           const struct kube_container_info *container, struct err *err)
{
	int64_t status = jobs_exit_status(container);

	if (container->finished_ms > outcome->last_finished_ms)
		outcome->last_finished_ms = container->finished_ms;
	if (container->is_init && !status)
		return true;
	outcome->has_exit_code = true;
	if (status > outcome->exit_code)
		outcome->exit_code = status;
	if (is_oom(container))
		return add_oom(outcome, pod, err);
	return !status || add_exit(outcome, container, status, err);
}

static bool add_waiting(struct jobs_outcome *outcome, const struct kube_container_info *container,
                        struct err *err)
{
	bool is_stuck = jobs_is_stuck_reason(container->reason);

	return set_trouble(outcome, is_stuck ? JOBS_TROUBLE_STUCK : JOBS_TROUBLE_STARTING,
	                   container->reason, container->message, err);
}

static bool add_container(struct jobs_outcome *outcome, const struct kube_pod_info *pod,
                          const struct kube_container_info *container, struct err *err)
{
	if (container->started_ms && !container->is_init &&
	    (!outcome->first_started_ms || container->started_ms < outcome->first_started_ms))
		outcome->first_started_ms = container->started_ms;
	if (container->state == KUBE_CONTAINER_TERMINATED)
		return add_terminated(outcome, pod, container, err);
	if (container->state == KUBE_CONTAINER_WAITING && pod->node)
		return add_waiting(outcome, container, err);
	return true;
}

static bool add_unscheduled(struct jobs_outcome *outcome, const struct kube_pod_info *pod,
                            struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	if (pod->node || !pod->scheduling_reason)
		return true;
	if (!strcmp(pod->scheduling_reason, "SchedulingGated"))
		return set_trouble(outcome, JOBS_TROUBLE_GATED, "SchedulingGated", pod->scheduling_message,
		                   err);
	if (pod->scheduling_message)
		jobs_unschedulable_write(&text, pod->scheduling_message);
	return set_trouble(outcome, JOBS_TROUBLE_UNSCHEDULABLE, pod->scheduling_reason,
	                   strbuf_get(&text), err);
}

static bool add_node(struct jobs_outcome *outcome, const struct kube_pod_info *pod, struct err *err)
{
	if (!pod->node || (outcome->node && !strcmp(outcome->node, pod->node)))
		return true;
	outcome->node_count++;
	if (outcome->node)
		return true;
	outcome->node = mem_dup(pod->node);
	return outcome->node || err_memory(err);
}

static bool has_phase(const struct kube_pod_info *pod, const char *phase)
{
	return pod->phase && !strcmp(pod->phase, phase);
}

// Counts the pod; true while it has not ended.
static bool count_pod(struct jobs_outcome *outcome, const struct kube_pod_info *pod)
{
	if (has_phase(pod, "Succeeded"))
		outcome->succeeded++;
	else if (has_phase(pod, "Failed"))
		outcome->failed++;
	else if (has_phase(pod, "Running"))
		outcome->running++;
	else
		outcome->pending++;
	outcome->ready += pod->is_ready;
	outcome->preempted +=
		pod->disruption_reason && !strcmp(pod->disruption_reason, "PreemptionByScheduler");
	return !has_phase(pod, "Succeeded") && !has_phase(pod, "Failed");
}

bool jobs_outcome_add(struct jobs_outcome *outcome, const struct kube_pod_info *pod,
                      struct err *err)
{
	bool is_live = count_pod(outcome, pod);

	if (is_live && pod->node)
		outcome->gpus_held += kube_pod_info_requests(pod).gpus;
	if (!add_node(outcome, pod, err) || !add_unscheduled(outcome, pod, err))
		return false;
	if (has_phase(pod, "Failed") && pod->reason && !strcmp(pod->reason, "Evicted") &&
	    !set_trouble(outcome, JOBS_TROUBLE_EVICTED, "Evicted", pod->message, err))
		return false;
	for (size_t i = 0; i < pod->container_count; i++)
		if (!add_container(outcome, pod, &pod->containers[i], err))
			return false;
	return true;
}

void jobs_outcome_release(struct jobs_outcome *outcome)
{
	mem_free(outcome->node);
	mem_free(outcome->reason);
	mem_free(outcome->message);
	*outcome = (struct jobs_outcome){0};
}
