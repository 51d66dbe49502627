// SPDX-License-Identifier: MIT
#include "kube/requests.h"

#include <string.h>

#include "kube/quantity.h"

bool kube_resource_is_gpu(const char *name)
{
	static const char mig[] = "nvidia.com/mig-", intel[] = "gpu.intel.com/", gpu[] = "/gpu";
	size_t len = strlen(name);

	return (len > strlen(gpu) && !strcmp(name + len - strlen(gpu), gpu)) ||
	       !strncmp(name, mig, strlen(mig)) || !strncmp(name, intel, strlen(intel));
}

bool kube_requests_take(struct kube_requests *requests, const struct json_pick_event *event,
                        struct err *err)
{
	bool is_cpu = !strcmp(event->name, "cpu"), is_memory = !strcmp(event->name, "memory");
	struct kube_quantity quantity;

	if (!is_cpu && !is_memory && !kube_resource_is_gpu(event->name))
		return true;
	if (!kube_quantity_parse(event->text, &quantity, err))
		return err_wrap(err, "%s", event->name);
	if (is_cpu)
		requests->cpu_milli += kube_quantity_milli(&quantity);
	else if (is_memory)
		requests->memory_bytes += kube_quantity_ceil(&quantity);
	else
		requests->gpus += kube_quantity_ceil(&quantity);
	return true;
}

static int64_t either(int64_t request, int64_t limit)
{
	return request ? request : limit;
}

void kube_requests_add(struct kube_requests *sum, const struct kube_requests *requests,
                       const struct kube_requests *limits, bool *has_no_limit)
{
	sum->cpu_milli += either(requests->cpu_milli, limits->cpu_milli);
	sum->memory_bytes += either(requests->memory_bytes, limits->memory_bytes);
	sum->gpus += either(requests->gpus, limits->gpus);
	*has_no_limit |= !limits->memory_bytes;
	sum->memory_limit_bytes = *has_no_limit ? 0 : sum->memory_limit_bytes + limits->memory_bytes;
}
