// SPDX-License-Identifier: MIT
#include "jobs/autoscale.h"

#include <inttypes.h>
#include <string.h>

#include "jobs/missing.h"

// A share is one of the request; where there is none, the limit stands for it.
static void check_requests(const struct kube_hpa *hpa, const struct jobs_needs *needs,
                           const char *word, struct faults *faults)
{
	for (size_t i = 0; i < needs->container_count; i++) {
		const struct jobs_container *container = &needs->containers[i];

		if (container->is_init)
			continue;
		if (hpa->cpu.utilization_pct && !container->requests.cpu_milli &&
		    !container->limits.cpu_milli)
			faults_warn(faults,
			            "--cpu-target: container \"%s\" of %s \"%s\" requests no CPU, so there is "
			            "nothing to take a share of: it will not be scaled",
			            container->name, word, hpa->target_name);
		if (hpa->memory.utilization_pct && !container->requests.memory_bytes &&
		    !container->limits.memory_bytes)
			faults_warn(faults,
			            "--memory-target: container \"%s\" of %s \"%s\" requests no memory, so "
			            "there is nothing to take a share of: it will not be scaled",
			            container->name, word, hpa->target_name);
	}
}

static void check_replicas(const struct kube_hpa *hpa, const struct json *target, const char *word,
                           struct faults *faults)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	int64_t replicas = 1;

	if (!json_get_i64_optional(target, "spec.replicas", &replicas, &ignored))
		return;
	if (!replicas)
		faults_warn(faults, "%s \"%s\" has 0 replicas: it is scaled once it has one", word,
		            hpa->target_name);
	else if (replicas > hpa->max_replicas)
		faults_warn(faults, "--max: %s \"%s\" has %" PRId64 " replicas now: %" PRId64 " will stay",
		            word, hpa->target_name, replicas, hpa->max_replicas);
}

// Two of them on one target stop each other (AmbiguousSelector).
static void check_rivals(const struct kube_hpa *hpa, const struct jobs_target *target,
                         struct faults *faults)
{
	const char *own = hpa->name ? hpa->name : hpa->target_name;

	for (size_t i = 0; i < target->scalers.list.count; i++)
		if (strcmp(target->scalers.list.items[i], own) != 0)
			faults_add(faults,
			           "autoscaler \"%s\" scales %s \"%s\" already, and two would stop each "
			           "other: --name %s --replace takes its place",
			           target->scalers.list.items[i], target->collection->word, hpa->target_name,
			           target->scalers.list.items[i]);
}

static bool check_target(const struct kube_hpa *hpa, const struct jobs_target *target,
                         struct faults *faults, struct err *err)
{
	struct jobs_needs needs;

	check_rivals(hpa, target, faults);
	if (!target->object)
		return true;
	if (!jobs_needs_read(&needs, target->object, target->namespace, err))
		return false;
	check_requests(hpa, &needs, target->collection->word, faults);
	check_replicas(hpa, target->object, target->collection->word, faults);
	jobs_needs_release(&needs);
	return true;
}

bool jobs_autoscale_check(struct kube_client *client, const char *namespace, struct kube_hpa *hpa,
                          const struct jobs_preflight *preflight, struct err *err)
{
	_cleanup_jobs_facts_ struct jobs_facts facts = {
		.target = {.collection = kube_hpa_target_collection(hpa),
	               .namespace = namespace,
	               .name = hpa->target_name},
		.wants_autoscaling = true};

	if (!jobs_facts_ask(&facts, client, err))
		return false;
	if (facts.target.is_missing)
		return jobs_missing(client, facts.target.collection, namespace, hpa->target_name, err);
	if (facts.autoscaling)
		hpa->version = kube_hpa_version_of(facts.autoscaling);
	kube_hpa_check_version(hpa, preflight->faults);
	if (facts.has_metrics && !facts.metrics)
		faults_warn(preflight->faults,
		            "the cluster serves no metrics (metrics.k8s.io): nothing will be scaled until "
		            "metrics-server runs");
	return check_target(hpa, &facts.target, preflight->faults, err) &&
	       jobs_preflight_tell(&facts, preflight, err);
}
