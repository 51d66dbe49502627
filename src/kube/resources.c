// SPDX-License-Identifier: MIT
#include "kube/resources.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "kube/name.h"

const char *kube_resources_gpu(const struct kube_resources *resources)
{
	return resources->gpu_resource ? resources->gpu_resource : KUBE_GPU_RESOURCE;
}

struct kube_quantity kube_resources_memory_limit(const struct kube_resources *resources)
{
	return resources->memory_limit.is_set ? resources->memory_limit : resources->memory;
}

struct kube_quantity kube_resources_shm(const struct kube_resources *resources)
{
	struct kube_quantity limit = kube_resources_memory_limit(resources);
	struct kube_quantity none = {.is_set = false};
	struct kube_quantity one_gi = {true, INT64_C(1) << 30, 0, KUBE_QUANTITY_BINARY};

	if (resources->shm.is_set)
		return resources->shm;
	if (!resources->gpus || resources->has_no_shm)
		return none;
	if (!limit.is_set)
		return one_gi;
	limit.units /= 2;
	return limit;
}

// REQUEST must not be above LIMIT; both may be unset.
static void check_pair(const char *name, const struct kube_quantity *request,
                       const struct kube_quantity *limit, struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf request_text = STRBUF_INIT(64);
	_cleanup_strbuf_ struct strbuf limit_text = STRBUF_INIT(64);

	if (!request->is_set || !limit->is_set || kube_quantity_compare(request, limit) <= 0)
		return;
	kube_quantity_write(&request_text, request);
	kube_quantity_write(&limit_text, limit);
	faults->is_out_of_memory |= request_text.failed || limit_text.failed;
	faults_add(faults, "--%s-limit: %s is below the request --%s %s", name, strbuf_get(&limit_text),
	           name, strbuf_get(&request_text));
}

static void check_shm(const struct kube_resources *resources, struct faults *faults)
{
	struct kube_quantity limit = kube_resources_memory_limit(resources);
	_cleanup_strbuf_ struct strbuf limit_text = STRBUF_INIT(64);

	if (!resources->shm.is_set || !limit.is_set ||
	    kube_quantity_compare(&resources->shm, &limit) <= 0)
		return;
	kube_quantity_write(&limit_text, &limit);
	faults->is_out_of_memory |= limit_text.failed;
	faults_add(faults,
	           "--shm: shared memory counts as memory of the container, which may have only %s",
	           strbuf_get(&limit_text));
}

// An extended resource (IsExtendedResourceName of k8s.io/component-helpers): with a domain that is
// not Kubernetes' own; "requests." is what quotas put in front.
static bool check_extended(const char *name, struct err *err)
{
	if (!kube_name_check_key(name, err))
		return false;
	if (strchr(name, '/') && !strstr(name, "kubernetes.io/") &&
	    strncmp(name, "requests.", strlen("requests.")) != 0)
		return true;
	err_set(err, ERR_USAGE, "\"%s\" is not a device's resource", name);
	return err_hint(err, "write it as nvidia.com/gpu or amd.com/gpu");
}

void kube_resources_check(const struct kube_resources *resources, struct faults *faults)
{
	_cleanup_err_ struct err err = ERR_INIT;

	check_pair("cpu", &resources->cpu, &resources->cpu_limit, faults);
	check_pair("memory", &resources->memory, &resources->memory_limit, faults);
	check_shm(resources, faults);
	if (resources->gpu_resource && !check_extended(resources->gpu_resource, &err)) {
		err_wrap(&err, "--gpu-resource");
		faults_take(faults, &err);
	}
	if (!resources->cpu.is_set && !resources->memory.is_set && !resources->memory_limit.is_set)
		faults_warn(faults, "neither --cpu nor --memory is given: the scheduler packs such pods "
		                    "anywhere, and they are the first to be killed when memory runs out");
}

static void put_quantity(struct json_build *b, const char *name,
                         const struct kube_quantity *quantity)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	if (!quantity->is_set)
		return;
	kube_quantity_write(&text, quantity);
	json_put_text(b, name, &text);
}

static void put_limits(const struct kube_resources *resources, struct json_build *b)
{
	struct kube_quantity memory = kube_resources_memory_limit(resources);
	char gpus[24];

	if (!resources->cpu_limit.is_set && !memory.is_set && !resources->gpus)
		return;
	json_build_open_object(b, "limits");
	put_quantity(b, "cpu", &resources->cpu_limit);
	put_quantity(b, "memory", &memory);
	if (resources->gpus) {
		snprintf(gpus, sizeof(gpus), "%" PRId64, resources->gpus);
		json_put_string(b, kube_resources_gpu(resources), gpus);
	}
	json_build_close(b);
}

void kube_resources_put(const struct kube_resources *resources, struct json_build *b)
{
	bool has_requests = resources->cpu.is_set || resources->memory.is_set;

	if (!has_requests && !resources->cpu_limit.is_set && !resources->memory_limit.is_set &&
	    !resources->gpus)
		return;
	json_build_open_object(b, "resources");
	if (has_requests) {
		json_build_open_object(b, "requests");
		put_quantity(b, "cpu", &resources->cpu);
		put_quantity(b, "memory", &resources->memory);
		json_build_close(b);
	}
	put_limits(resources, b);
	json_build_close(b);
}

void kube_resources_release(struct kube_resources *resources)
{
	mem_free(resources->gpu_resource);
	*resources = (struct kube_resources){.gpus = 0};
}
