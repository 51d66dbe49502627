// SPDX-License-Identifier: MIT
#include "kube/workload.h"

#include "base/mem.h"
#include "base/parse.h"
#include "kube/deployment.h"
#include "kube/job.h"
#include "kube/pod.h"
#include "kube/service.h"

// etcd takes 1.5 MiB a request.
enum { OBJECT_MAX_BYTES = 1536 * 1024 };

void kube_workload_init(struct kube_workload *workload)
{
	*workload = (struct kube_workload){
		.pod = {.grace_s = KUBE_UNSET},
		.server = {.minor = INT64_MAX, .has_gpu_label = true},
		.ttl_s = KUBE_UNSET,
		.replicas = KUBE_UNSET,
	};
}

static void release_pod(struct kube_pod *pod)
{
	mem_free(pod->container);
	mem_free(pod->image);
	strv_release(&pod->command);
	mem_free(pod->working_dir);
	strv_release(&pod->pull_secrets);
	mem_free(pod->service_account);
	kube_env_release(&pod->env_file);
	kube_env_release(&pod->env);
	kube_mounts_release(&pod->mounts);
	kube_resources_release(&pod->resources);
	strv_release(&pod->gpu_types);
	kube_pairs_release(&pod->selector);
	kube_affinity_release(&pod->affinity);
	kube_tolerations_release(&pod->tolerations);
	mem_free(pod->priority_class);
	mem_free(pod->runtime_class);
}

void kube_workload_release(struct kube_workload *workload)
{
	mem_free(workload->name);
	mem_free(workload->namespace);
	kube_pairs_release(&workload->labels);
	kube_pairs_release(&workload->annotations);
	mem_free(workload->queue);
	mem_free(workload->user);
	mem_free(workload->owner_uid);
	mem_free(workload->request_id);
	mem_free(workload->server.gpu_scheduler);
	mem_free(workload->server.gpu_runtime_class);
	release_pod(&workload->pod);
	kube_hpa_release(&workload->hpa);
	kube_workload_init(workload);
}

bool kube_exit_codes_parse(struct kube_exit_codes *codes, const char *text, struct err *err)
{
	_cleanup_strv_ struct strv parts = STRV_INIT;
	int64_t code;

	if (!strv_split(&parts, text, ',', err))
		return false;
	for (size_t i = 0; i < parts.count; i++) {
		if (!parse_i64(parts.items[i], 1, 255, &code, err))
			return false;
		codes->count += !codes->has[code];
		codes->has[code] = true;
	}
	return true;
}

// The autoscaler of a Deployment: what was asked for, aimed at the Deployment.
static struct json *build_hpa(const struct kube_workload *workload, struct err *err)
{
	struct kube_hpa hpa = workload->hpa;
	struct json *tree = NULL;

	hpa.name = NULL;
	hpa.request_id = workload->request_id;
	hpa.namespace = workload->namespace;
	hpa.target_kind = mem_dup("Deployment");
	hpa.target_name = workload->name;
	if (hpa.target_kind)
		tree = kube_hpa_build(&hpa, err);
	else
		err_memory(err);
	mem_free(hpa.target_kind);
	return tree;
}

// Takes TREE over; NULL, or too large a tree, is a failure.
static bool add_object(struct kube_objects *objects, struct json *tree, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(OBJECT_MAX_BYTES);

	if (!tree)
		return false;
	objects->items[objects->count++] = tree;
	json_write(&text, tree);
	if (text.failed && text.is_over_max)
		return err_set(err, ERR_USAGE, "the object has more than %d KiB, which no API server takes",
		               OBJECT_MAX_BYTES / 1024);
	return strbuf_ok(&text, err);
}

static bool build(const struct kube_workload *workload, struct kube_objects *objects,
                  struct err *err)
{
	switch (workload->kind) {
	case KUBE_WORKLOAD_JOB:
		return add_object(objects, kube_job_build(workload, err), err) &&
		       (!workload->workers || add_object(objects, kube_service_build(workload, err), err));
	case KUBE_WORKLOAD_POD:
		return add_object(objects, kube_pod_build(workload, err), err);
	case KUBE_WORKLOAD_DEPLOYMENT:
		return add_object(objects, kube_deployment_build(workload, err), err) &&
		       (!workload->hpa.max_replicas || add_object(objects, build_hpa(workload, err), err));
	}
	return false;
}

bool kube_workload_build(const struct kube_workload *workload, struct kube_objects *ret,
                         struct err *err)
{
	struct kube_objects objects = {{NULL}, 0};

	if (!build(workload, &objects, err)) {
		kube_objects_release(&objects);
		return false;
	}
	*ret = objects;
	return true;
}

void kube_objects_release(struct kube_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		json_free(objects->items[i]);
	*objects = (struct kube_objects){{NULL}, 0};
}
