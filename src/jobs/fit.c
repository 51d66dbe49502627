// SPDX-License-Identifier: MIT
#include "jobs/fit.h"

#include <inttypes.h>
#include <string.h>

#include "jobs/amount.h"

void jobs_fit_init(struct jobs_fit *fit, const struct jobs_needs *needs)
{
	*fit = (struct jobs_fit){
		.need = needs->pod,
		.gpu_resource = needs->gpu_resource,
		.must_not_be_gpu_node = needs->is_cpu_only,
	};
}

static int64_t gpus_of(const struct jobs_fit *fit, const struct kube_node_info *node)
{
	bool has_it =
		node->gpu_resource && fit->gpu_resource && !strcmp(node->gpu_resource, fit->gpu_resource);

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

void jobs_fit_forget(struct jobs_fit *fit)
{
	fit->node_count = fit->fitting_count = fit->labelled_count = 0;
	fit->largest = (struct kube_requests){0};
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
		jobs_amount_write_bytes(out, need->memory_bytes);
		strbuf_add(out, " of memory to give: the largest has ");
		jobs_amount_write_bytes(out, most->memory_bytes);
	} else if (need->cpu_milli > most->cpu_milli) {
		strbuf_add(out, "no node has ");
		jobs_amount_write_cpus(out, need->cpu_milli);
		strbuf_add(out, " CPUs to give: the largest has ");
		jobs_amount_write_cpus(out, most->cpu_milli);
	} else if (fit->must_not_be_gpu_node) {
		strbuf_add(out, "no node without GPUs is large enough");
	} else {
		strbuf_add(out, "no single node has all that is asked for together");
	}
	return false;
}
