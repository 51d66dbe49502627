// SPDX-License-Identifier: MIT
#include "jobs/preflight.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "jobs/missing.h"
#include "jobs/quota.h"
#include "kube/job.h"
#include "kube/pod.h"

enum { NAMES_MAX_COUNT = 256, TEXT_MAX_BYTES = 8192 };

static const char default_class[] = "vpsml-normal";
static const char nvidia_runtime[] = "nvidia";
static const char settings_name[] = "vpsml";
static const char gpu_profile[] = "gpu-packing";

// Which names there are, for each kind of reference, and what to call one.
static const char *const ref_words[] = {
	[JOBS_REF_PRIORITY_CLASS] = "priority class",
	[JOBS_REF_RUNTIME_CLASS] = "runtime class",
	[JOBS_REF_ACCOUNT] = "service account",
	[JOBS_REF_CLAIM] = "claim",
	[JOBS_REF_SECRET] = "Secret",
	[JOBS_REF_CONFIG_MAP] = "ConfigMap",
};

static const char *const ref_kinds[] = {
	[JOBS_REF_PRIORITY_CLASS] = "PriorityClass",
	[JOBS_REF_RUNTIME_CLASS] = "RuntimeClass",
	[JOBS_REF_ACCOUNT] = "ServiceAccount",
	[JOBS_REF_CLAIM] = "PersistentVolumeClaim",
	[JOBS_REF_SECRET] = "Secret",
	[JOBS_REF_CONFIG_MAP] = "ConfigMap",
};

static const struct jobs_names *names_of(const struct jobs_facts *facts,
                                         const struct jobs_needs *needs, enum jobs_ref_kind kind)
{
	const struct jobs_namespace *namespace = jobs_facts_namespace(facts, needs->namespace);

	switch (kind) {
	case JOBS_REF_PRIORITY_CLASS:
		return &facts->classes;
	case JOBS_REF_RUNTIME_CLASS:
		return &facts->runtimes;
	case JOBS_REF_ACCOUNT:
		return &namespace->accounts;
	case JOBS_REF_CLAIM:
	default:
		return &namespace->claims;
	}
}

static const char *nearest(const char *name, const struct strv *list)
{
	return text_nearest(name, (const char *const *)list->items,
	                    list->count < NAMES_MAX_COUNT ? list->count : NAMES_MAX_COUNT);
}

// A name that is asked for and not there, with the nearest one that is.
static void add_missing(const struct jobs_needs *needs, const struct jobs_ref *ref,
                        const char *what, const char *name, const struct strv *list,
                        struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	const char *near = list ? nearest(name, list) : NULL;

	jobs_needs_write_place(needs, ref, &text);
	strbuf_addf(&text, "no %s \"%s\"", what, name);
	if (near)
		strbuf_addf(&text, ": did you mean \"%s\"?", near);
	faults_add(faults, "%s", strbuf_get(&text));
}

static void check_holder(const struct jobs_facts *facts, const struct jobs_needs *needs,
                         const struct jobs_ref *ref, struct faults *faults)
{
	const struct jobs_holder *holder =
		jobs_facts_holder(facts, needs->namespace, ref->kind, ref->name);
	_cleanup_strbuf_ struct strbuf what = STRBUF_INIT(TEXT_MAX_BYTES);

	if (!holder || !holder->is_known)
		return;
	if (holder->is_missing) {
		add_missing(needs, ref, ref_words[ref->kind], ref->name, NULL, faults);
	} else if (ref->key && holder->has_keys && !strv_contains(&holder->keys, ref->key)) {
		strbuf_addf(&what, "key in %s \"%s\" is called", ref_words[ref->kind], ref->name);
		add_missing(needs, ref, strbuf_get(&what), ref->key, &holder->keys, faults);
	}
}

static void check_ref(const struct jobs_facts *facts, const struct jobs_needs *needs,
                      const struct jobs_ref *ref, struct faults *faults)
{
	const struct jobs_names *names;

	if (ref->kind == JOBS_REF_SECRET || ref->kind == JOBS_REF_CONFIG_MAP) {
		check_holder(facts, needs, ref, faults);
		return;
	}
	names = names_of(facts, needs, ref->kind);
	if (!names->is_known || strv_contains(&names->list, ref->name))
		return;
	add_missing(needs, ref, ref_words[ref->kind], ref->name, &names->list, faults);
}

static void check_namespace(const struct jobs_facts *facts, const struct jobs_needs *needs,
                            struct faults *faults)
{
	const struct jobs_namespace *namespace = jobs_facts_namespace(facts, needs->namespace);

	for (size_t i = 0; i < namespace->quota_count; i++)
		jobs_quota_check(needs, &namespace->quotas[i], namespace->limits, namespace->limit_count,
		                 faults);
	for (size_t i = 0; i < namespace->limit_count; i++)
		jobs_limits_check(needs, &namespace->limits[i], faults);
}

static void check_fit(const struct jobs_needs *needs, const struct jobs_fit *fit,
                      struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	jobs_needs_write_place(needs, NULL, &text);
	if (!jobs_fit_explain(fit, &text))
		faults_warn(faults, "%s: it will wait until there is such a node", strbuf_get(&text));
}

static bool is_in_missing_namespace(const struct jobs_facts *facts, const struct jobs_needs *needs)
{
	return jobs_facts_namespace(facts, needs->namespace)->is_missing;
}

// Everything but what only flags can have wrong.
static void check_needs(const struct jobs_facts *facts, const struct jobs_needs *needs,
                        const struct jobs_fit *fit, struct faults *faults)
{
	for (size_t i = 0; i < needs->ref_count; i++)
		check_ref(facts, needs, &needs->refs[i], faults);
	check_namespace(facts, needs, faults);
	check_fit(needs, fit, faults);
}

static bool set(char **field, const char *value, struct err *err)
{
	mem_free(*field);
	*field = mem_dup(value);
	return *field || err_memory(err);
}

bool jobs_preflight_tell(const struct jobs_facts *facts, const struct jobs_preflight *preflight,
                         struct err *err)
{
	for (size_t i = 0; preflight->unchecked && i < facts->unchecked.count; i++)
		if (!strv_add(preflight->unchecked, facts->unchecked.items[i], err))
			return false;
	return true;
}

// The autoscaler in the newest version that the server has.
static void adapt_autoscaler(const struct jobs_facts *facts, struct kube_workload *workload,
                             struct faults *faults)
{
	if (!workload->hpa.max_replicas)
		return;
	if (facts->autoscaling)
		workload->hpa.version = kube_hpa_version_of(facts->autoscaling);
	kube_hpa_check_version(&workload->hpa, faults);
	if (facts->has_metrics && !facts->metrics)
		faults_warn(faults,
		            "the cluster serves no metrics (metrics.k8s.io): nothing will be scaled "
		            "until metrics-server runs");
}

// What the server has, put to use.
static bool adapt(const struct jobs_facts *facts, struct kube_workload *workload,
                  struct faults *faults, struct err *err)
{
	struct kube_pod *pod = &workload->pod;
	const struct jobs_fit *fit = &facts->fits[0];

	workload->server.minor = facts->minor;
	workload->server.has_gpu_label = fit->labelled_count > 0 || !fit->node_count;
	if (!workload->server.has_gpu_label && pod->resources.gpus)
		faults_warn(faults, "no node has the label gpu=true: it may run wherever a GPU is; "
		                    "\"vpsml setup\" labels the nodes");
	if (workload->kind == KUBE_WORKLOAD_JOB)
		kube_job_check_server(workload, faults);
	adapt_autoscaler(facts, workload, faults);
	if (strv_contains(&facts->runtimes.list, nvidia_runtime) &&
	    !set(&workload->server.gpu_runtime_class, nvidia_runtime, err))
		return false;
	if (strv_contains(&facts->settings.list, settings_name) &&
	    !set(&workload->server.gpu_scheduler, gpu_profile, err))
		return false;
	if (!pod->priority_class && strv_contains(&facts->classes.list, default_class))
		return set(&pod->priority_class, default_class, err);
	return true;
}

static bool check_workload(struct kube_client *client, struct kube_workload *workload,
                           const struct jobs_needs *needs, const struct jobs_preflight *preflight,
                           struct err *err)
{
	_cleanup_jobs_facts_ struct jobs_facts facts = {
		.wants_gpu_settings = kube_pod_wants_gpu_nodes(&workload->pod),
		.wants_autoscaling = workload->hpa.max_replicas > 0};

	if (!jobs_facts_want(&facts, needs, err) || !jobs_facts_ask(&facts, client, err))
		return false;
	if (is_in_missing_namespace(&facts, needs) &&
	    jobs_namespace_is_missing(client, needs->namespace, err))
		return false;
	check_needs(&facts, needs, &facts.fits[0], preflight->faults);
	return jobs_preflight_tell(&facts, preflight, err) &&
	       adapt(&facts, workload, preflight->faults, err);
}

bool jobs_preflight(struct kube_client *client, const char *namespace,
                    struct kube_workload *workload, const struct jobs_preflight *preflight,
                    struct err *err)
{
	struct kube_objects objects;
	struct jobs_needs needs;
	bool is_ok;

	if (!kube_workload_build(workload, &objects, err))
		return false;
	is_ok = jobs_needs_read(&needs, objects.items[0], namespace, err);
	if (is_ok) {
		needs.is_cpu_only = workload->pod.is_cpu_only;
		is_ok = check_workload(client, workload, &needs, preflight, err);
		jobs_needs_release(&needs);
	}
	kube_objects_release(&objects);
	return is_ok;
}

// Is it one of the objects that the same call makes?
static bool is_made_here(const struct jobs_needs *all, size_t count, const struct jobs_needs *own,
                         const struct jobs_ref *ref)
{
	bool is_cluster_wide =
		ref->kind == JOBS_REF_PRIORITY_CLASS || ref->kind == JOBS_REF_RUNTIME_CLASS;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(all[i].manifest->kind, ref_kinds[ref->kind]) &&
		    !strcmp(all[i].manifest->name, ref->name) &&
		    (is_cluster_wide || !strcmp(all[i].namespace, own->namespace)))
			return true;
	return false;
}

static void drop_made_here(struct jobs_needs *needs, const struct jobs_needs *all, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < needs->ref_count; i++)
		if (!is_made_here(all, count, needs, &needs->refs[i]))
			needs->refs[kept++] = needs->refs[i];
	needs->ref_count = kept;
}

// Nothing can be asked of a namespace that is not there yet.
static void check_missing_namespace(const struct jobs_needs *all, size_t count,
                                    const struct jobs_needs *needs, struct faults *faults)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(all[i].manifest->kind, "Namespace") &&
		    !strcmp(all[i].manifest->name, needs->namespace))
			return;
	jobs_needs_write_place(needs, NULL, &text);
	faults_add(faults, "%sno namespace \"%s\"", strbuf_get(&text), needs->namespace);
}

bool jobs_preflight_objects(struct kube_client *client, struct jobs_needs *needs, size_t count,
                            const struct jobs_preflight *preflight, int64_t *ret_minor,
                            struct err *err)
{
	_cleanup_jobs_facts_ struct jobs_facts facts = {.minor = INT64_MAX};
	size_t fit = 0;

	for (size_t i = 0; i < count; i++)
		drop_made_here(&needs[i], needs, count);
	for (size_t i = 0; i < count; i++)
		if (!jobs_facts_want(&facts, &needs[i], err))
			return false;
	if (!jobs_facts_ask(&facts, client, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!needs[i].pod_spec)
			continue;
		if (is_in_missing_namespace(&facts, &needs[i]))
			check_missing_namespace(needs, count, &needs[i], preflight->faults);
		else
			check_needs(&facts, &needs[i], &facts.fits[fit], preflight->faults);
		fit++;
	}
	*ret_minor = facts.minor;
	return jobs_preflight_tell(&facts, preflight, err);
}
