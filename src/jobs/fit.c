// SPDX-License-Identifier: MIT
#include "jobs/fit.h"

#include <inttypes.h>
#include <string.h>

#include "kube/pod.h"
#include "kube/quantity.h"

void jobs_fit_init(struct jobs_fit *fit, const struct kube_workload *workload)
{
	const struct kube_resources *resources = &workload->pod.resources;
	struct kube_quantity memory =
		resources->memory.is_set ? resources->memory : resources->memory_limit;
	struct kube_quantity cpu = resources->cpu.is_set ? resources->cpu : resources->cpu_limit;

	*fit = (struct jobs_fit){
		.need = {.cpu_milli = kube_quantity_milli(&cpu),
	             .memory_bytes = kube_quantity_ceil(&memory),
	             .gpus = resources->gpus},
		.gpu_resource = kube_resources_gpu(resources),
		.must_be_gpu_node = kube_pod_wants_gpu_nodes(&workload->pod),
		.must_not_be_gpu_node = workload->pod.is_cpu_only,
	};
}

static int64_t gpus_of(const struct jobs_fit *fit, const struct kube_node_info *node)
{
	bool has_it = node->gpu_resource && !strcmp(node->gpu_resource, fit->gpu_resource);

	return has_it ? node->allocatable.gpus : 0;
}

static void raise(int64_t *most, int64_t value)
{
	if (value > *most)
		*most = value;
}

void jobs_fit_add(struct jobs_fit *fit, const struct kube_node_info *node)
{
	const struct kube_requests *has = &node->allocatable;
	int64_t gpus = gpus_of(fit, node);
	bool has_room = has->cpu_milli >= fit->need.cpu_milli &&
	                has->memory_bytes >= fit->need.memory_bytes && gpus >= fit->need.gpus;

	fit->node_count++;
	fit->labelled_count += node->is_gpu_node;
	raise(&fit->largest.cpu_milli, has->cpu_milli);
	raise(&fit->largest.memory_bytes, has->memory_bytes);
	raise(&fit->largest.gpus, gpus);
	if (has_room && !(fit->must_not_be_gpu_node && node->is_gpu_node))
		fit->fitting_count++;
}

static void write_milli(struct strbuf *out, int64_t milli)
{
	struct kube_quantity quantity = {true, milli / 1000, (int32_t)(milli % 1000) * 1000000,
	                                 KUBE_QUANTITY_DECIMAL};

	kube_quantity_write(out, &quantity);
}

// Bytes in the largest binary unit of which there is at least one, with one digit behind the point.
static void write_bytes(struct strbuf *out, int64_t bytes)
{
	static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti"};
	size_t unit = 0;
	int64_t tenths = bytes * 10;

	for (; tenths >= 10240 && unit + 1 < COUNT_OF(units); unit++)
		tenths /= 1024;
	strbuf_addf(out, "%" PRId64, tenths / 10);
	if (tenths % 10)
		strbuf_addf(out, ".%" PRId64, tenths % 10);
	strbuf_add(out, units[unit]);
}

bool jobs_fit_explain(const struct jobs_fit *fit, struct strbuf *out)
{
	const struct kube_requests *need = &fit->need, *most = &fit->largest;

	if (fit->fitting_count || !fit->node_count)
		return true;
	if (need->gpus > most->gpus) {
		strbuf_addf(out, "no node has %" PRId64 " %s: ", need->gpus, fit->gpu_resource);
		if (most->gpus)
			strbuf_addf(out, "the largest has %" PRId64, most->gpus);
		else
			strbuf_add(out, "none has any");
	} else if (need->memory_bytes > most->memory_bytes) {
		strbuf_add(out, "no node has ");
		write_bytes(out, need->memory_bytes);
		strbuf_add(out, " of memory to give: the largest has ");
		write_bytes(out, most->memory_bytes);
	} else if (need->cpu_milli > most->cpu_milli) {
		strbuf_add(out, "no node has ");
		write_milli(out, need->cpu_milli);
		strbuf_add(out, " CPUs to give: the largest has ");
		write_milli(out, most->cpu_milli);
	} else if (fit->must_not_be_gpu_node) {
		strbuf_add(out, "no node without GPUs is large enough");
	} else {
		strbuf_add(out, "no single node has all that is asked for together");
	}
	return false;
}
