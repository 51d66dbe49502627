// SPDX-License-Identifier: MIT
#include "kube/pod.h"

#include <string.h>

#include "kube/container.h"
#include "kube/meta.h"

enum { AWAY_WEIGHT = 100, GPU_TYPES_MAX_BYTES = 2 * 1024 * 1024 };

bool kube_pod_selects_gpu_nodes(const struct kube_pod *pod)
{
	const char *value = kube_pairs_get(&pod->selector, KUBE_GPU_NODE_LABEL);

	return value && !strcmp(value, KUBE_GPU_NODE_VALUE);
}

bool kube_pod_wants_gpu_nodes(const struct kube_pod *pod)
{
	return pod->resources.gpus > 0 || kube_affinity_wants_gpu_nodes(&pod->affinity) ||
	       kube_pod_selects_gpu_nodes(pod);
}

static bool add_gpu_types(struct kube_affinity *affinity, const struct strv *types, struct err *err)
{
	_cleanup_strbuf_ struct strbuf rule = STRBUF_INIT(GPU_TYPES_MAX_BYTES);

	if (!types->count)
		return true;
	strbuf_add(&rule, KUBE_GPU_TYPE_LABEL);
	for (size_t i = 0; i < types->count; i++)
		strbuf_addf(&rule, "%c%s", i ? ',' : '=', types->items[i]);
	return strbuf_ok(&rule, err) && kube_affinity_parse(affinity, strbuf_get(&rule), err);
}

// GPU pods must run on GPU nodes. Light pods would rather not, but may when nothing else is free;
// NotIn also holds for nodes without the label.
static bool add_gpu_rule(struct kube_affinity *affinity, const struct kube_workload *workload,
                         struct err *err)
{
	const struct kube_pod *pod = &workload->pod;

	if (kube_affinity_wants_gpu_nodes(&pod->affinity) || !workload->server.has_gpu_label)
		return true;
	if (kube_pod_wants_gpu_nodes(pod))
		return kube_affinity_add(affinity, KUBE_GPU_NODE_LABEL, KUBE_NODE_IN, KUBE_GPU_NODE_VALUE,
		                         0, err);
	return kube_affinity_add(affinity, KUBE_GPU_NODE_LABEL, KUBE_NODE_NOT_IN, KUBE_GPU_NODE_VALUE,
	                         pod->is_cpu_only ? 0 : AWAY_WEIGHT, err);
}

static void put_affinity(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;
	struct kube_affinity all = {NULL, 0};
	_cleanup_err_ struct err err = ERR_INIT;

	if (add_gpu_rule(&all, workload, &err) && add_gpu_types(&all, &pod->gpu_types, &err) &&
	    kube_affinity_add_all(&all, &pod->affinity, &err))
		kube_affinity_put(&all, b);
	else
		b->failed = true;
	kube_affinity_release(&all);
}

static void put_pull_secrets(const struct strv *secrets, struct json_build *b)
{
	if (!secrets->count)
		return;
	json_build_open_array(b, "imagePullSecrets");
	for (size_t i = 0; i < secrets->count; i++) {
		json_build_open_object(b, NULL);
		json_put_string(b, "name", secrets->items[i]);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_string(struct json_build *b, const char *name, const char *value)
{
	if (value)
		json_put_string(b, name, value);
}

static void put_placement(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;
	bool wants_gpu_nodes = kube_pod_wants_gpu_nodes(pod);

	if (pod->selector.count) {
		json_build_open_object(b, "nodeSelector");
		kube_pairs_put(&pod->selector, b);
		json_build_close(b);
	}
	put_affinity(workload, b);
	kube_tolerations_put(&pod->tolerations,
	                     wants_gpu_nodes ? kube_resources_gpu(&pod->resources) : NULL, b);
}

// The class that was asked for, else the cluster's own for GPU pods.
static const char *runtime_class(const struct kube_workload *workload)
{
	const struct kube_pod *pod = &workload->pod;

	if (pod->runtime_class || !kube_pod_wants_gpu_nodes(pod))
		return pod->runtime_class;
	return workload->server.gpu_runtime_class;
}

void kube_pod_put_spec(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;
	struct kube_quantity shm = kube_resources_shm(&pod->resources);

	json_build_open_object(b, "spec");
	// A Deployment's pods are always restarted. Training ends: kubelet must not start it again, and
	// a retry is a new pod whose predecessor's log stays.
	if (workload->kind != KUBE_WORKLOAD_DEPLOYMENT)
		json_put_string(b, "restartPolicy", "Never");
	if (workload->kind == KUBE_WORKLOAD_POD && workload->time_s)
		json_put_i64(b, "activeDeadlineSeconds", workload->time_s);
	if (pod->grace_s != KUBE_UNSET)
		json_put_i64(b, "terminationGracePeriodSeconds", pod->grace_s);
	put_string(b, "priorityClassName", pod->priority_class);
	put_string(b, "runtimeClassName", runtime_class(workload));
	if (pod->resources.gpus)
		put_string(b, "schedulerName", workload->server.gpu_scheduler);
	put_string(b, "serviceAccountName", pod->service_account);
	put_pull_secrets(&pod->pull_secrets, b);
	put_placement(workload, b);
	if (workload->workers)
		json_put_string(b, "subdomain", workload->name);
	kube_container_put_all(workload, b);
	kube_mounts_put_volumes(&pod->mounts, &shm, b);
	json_build_close(b);
}

struct json *kube_pod_build(const struct kube_workload *workload, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "Pod");
	kube_meta_put(workload, &b);
	kube_pod_put_spec(workload, &b);
	json_build_close(&b);
	return json_build_take(&b, err);
}
