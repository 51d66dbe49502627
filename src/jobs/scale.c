// SPDX-License-Identifier: MIT
#include "jobs/scale.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "jobs/missing.h"
#include "kube/create.h"
#include "kube/get.h"
#include "kube/list.h"
#include "kube/scale.h"

// autoscaling/v1 is served by every version of Kubernetes.
static const struct kube_collection autoscalers = {
	.group_version = "autoscaling/v1", .plural = "horizontalpodautoscalers", .word = "autoscaler"};

// What we read of a HorizontalPodAutoscaler.
struct autoscaler {
	char *name, *target_kind, *target_name;
	int64_t min, max;
};

#define AT(member) offsetof(struct autoscaler, member)

static const struct kube_field autoscaler_fields[] = {
	{"metadata.name", KUBE_FIELD_STRING, AT(name)},
	{"spec.scaleTargetRef.kind", KUBE_FIELD_STRING, AT(target_kind)},
	{"spec.scaleTargetRef.name", KUBE_FIELD_STRING, AT(target_name)},
	{"spec.minReplicas", KUBE_FIELD_I64, AT(min)},
	{"spec.maxReplicas", KUBE_FIELD_I64, AT(max)},
};

static void release_autoscaler(void *record)
{
	struct autoscaler *autoscaler = record;

	mem_free(autoscaler->name);
	mem_free(autoscaler->target_kind);
	mem_free(autoscaler->target_name);
	*autoscaler = (struct autoscaler){NULL};
}

static const struct kube_record_kind autoscaler_record = {
	autoscaler_fields, COUNT_OF(autoscaler_fields), sizeof(struct autoscaler), NULL,
	release_autoscaler};

// The autoscaler that is looked for, and what is said of it.
struct search {
	const char *name; // of the Deployment
	int64_t n;
	struct faults *faults;
};

static bool is_text(const char *a, const char *b)
{
	return a && !strcmp(a, b);
}

static bool on_autoscaler(void *context, enum kube_record_change change, void *record,
                          struct err *err)
{
	const struct search *search = context;
	const struct autoscaler *autoscaler = record;

	(void)change;
	(void)err;
	if (!is_text(autoscaler->target_kind, "Deployment") ||
	    !is_text(autoscaler->target_name, search->name) || !autoscaler->name)
		return true;
	if (!search->n)
		faults_warn(search->faults, "autoscaler \"%s\" does nothing while there are 0 replicas",
		            autoscaler->name);
	else
		faults_warn(search->faults,
		            "autoscaler \"%s\" keeps it from %" PRId64 " to %" PRId64
		            " and will move it again: change its range, or delete it",
		            autoscaler->name, autoscaler->min ? autoscaler->min : 1, autoscaler->max);
	return true;
}

static bool look_for_autoscaler(struct kube_client *client, const char *namespace, const char *name,
                                int64_t n, struct faults *faults, struct err *err)
{
	struct search search = {name, n, faults};
	struct kube_list_options options = {.collection = &autoscalers,
	                                    .kind = &autoscaler_record,
	                                    .namespace = namespace,
	                                    .is_optional = true,
	                                    .on_record = on_autoscaler,
	                                    .context = &search};

	return kube_list_all(client, &options, 1, err);
}

static bool has_env(const struct json *job, const char *name)
{
	const struct json *env = json_find(job, "spec.template.spec.containers[0].env");

	for (const struct json *item = env ? json_first(env) : NULL; item; item = json_next(item)) {
		const struct json *own = json_find(item, "name");

		if (own && !strcmp(json_string(own), name))
			return true;
	}
	return false;
}

// Complete or Failed: there is nothing left to scale.
static bool has_ended(const struct json *job)
{
	const struct json *list = json_find(job, "status.conditions");

	for (const struct json *item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		const struct json *type = json_find(item, "type"), *truth = json_find(item, "status");

		if (type && truth && !strcmp(json_string(truth), "True") &&
		    (!strcmp(json_string(type), "Complete") || !strcmp(json_string(type), "Failed")))
			return true;
	}
	return false;
}

static bool refuse_single(const char *name, struct err *err)
{
	err_set(err, ERR_REFUSED, "job \"%s\" is one pod: there is nothing to scale", name);
	return err_hint(err, "submit it with --workers or --array, or serve with --kind deployment");
}

static bool plan_workers(const struct json *job, int64_t n, struct jobs_scaling *ret,
                         struct faults *faults)
{
	ret->way = JOBS_SCALE_WORKERS;
	if (n != ret->from && has_env(job, "PET_NNODES"))
		faults_warn(faults,
		            "its pods were told that they are %" PRId64
		            " (PET_NNODES, WORLD_SIZE), new ones too: a program that counts on it does not "
		            "follow",
		            ret->from);
	return true;
}

bool jobs_scale_plan(const struct json *job, const char *name, int64_t n, struct jobs_scaling *ret,
                     struct faults *faults, struct err *err)
{
	const char *mode = "NonIndexed";
	int64_t completions = 0, parallelism = 1;

	if (!json_get_i64_optional(job, "spec.completions", &completions, err) ||
	    !json_get_i64_optional(job, "spec.parallelism", &parallelism, err) ||
	    !json_get_string_optional(job, "spec.completionMode", &mode, err))
		return false;
	*ret = (struct jobs_scaling){JOBS_SCALE_AT_ONCE, parallelism};
	if (has_ended(job))
		return err_set(err, ERR_REFUSED, "job \"%s\" has ended", name);
	if (!n) {
		err_set(err, ERR_REFUSED, "job \"%s\" with no pods would wait, or end at once", name);
		return err_hint(err, "\"vpsml suspend %s\" lets it wait", name);
	}
	if (!strcmp(mode, "Indexed") && completions == parallelism &&
	    !has_env(job, "VPSML_ARRAY_TASK_COUNT"))
		return plan_workers(job, n, ret, faults);
	if (completions == 1)
		return refuse_single(name, err);
	if (completions && n > completions)
		return err_set(err, ERR_REFUSED,
		               "job \"%s\" has %" PRId64 " tasks: at most so many at once", name,
		               completions);
	return true;
}

// {"spec": {…}} with the numbers that the way needs.
static struct json *build_patch(const struct jobs_scaling *scaling, int64_t n, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_build_open_object(&b, "spec");
	json_put_i64(&b, "parallelism", n);
	if (scaling->way == JOBS_SCALE_WORKERS)
		json_put_i64(&b, "completions", n);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

static bool scale_job(struct kube_client *client, const char *namespace, const char *name,
                      int64_t n, struct jobs_scaling *ret, struct faults *faults, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_json_ struct json *object = NULL, *patch = NULL;
	bool is_missing;

	if (!kube_get(client, &kube_jobs, namespace, name, &reply, &is_missing, err))
		return is_missing ? jobs_missing(client, &kube_jobs, namespace, name, err) : false;
	object = json_parse(reply.body, reply.body_len, err);
	if (!object || !jobs_scale_plan(object, name, n, ret, faults, err))
		return false;
	if (n == ret->from)
		return true;
	patch = build_patch(ret, n, err);
	return patch && kube_patch(client, &kube_jobs, namespace, name, patch, NULL, err);
}

static bool scale_deployment(struct kube_client *client, const char *namespace, const char *name,
                             int64_t n, struct jobs_scaling *ret, struct faults *faults,
                             struct err *err)
{
	bool is_missing;

	*ret = (struct jobs_scaling){JOBS_SCALE_REPLICAS, 0};
	if (!kube_scale_get(client, namespace, name, &ret->from, &is_missing, err))
		return is_missing ? jobs_missing(client, &kube_deployments, namespace, name, err) : false;
	if (n == ret->from)
		return true;
	return look_for_autoscaler(client, namespace, name, n, faults, err) &&
	       kube_scale_set(client, namespace, name, n, err);
}

bool jobs_scale(struct kube_client *client, const char *namespace, const struct jobs_target *target,
                int64_t n, struct jobs_scaling *ret, struct faults *faults, struct err *err)
{
	if (target->kind == JOBS_KIND_DEPLOYMENT)
		return scale_deployment(client, namespace, target->name, n, ret, faults, err);
	return scale_job(client, namespace, target->name, n, ret, faults, err);
}
