// SPDX-License-Identifier: MIT
#include "kube/container.h"

#include <inttypes.h>

#include "kube/expand.h"
#include "kube/pod.h"

// Where torchrun's processes meet.
static const char master_port[] = "29500";
static const char index_annotation[] = "batch.kubernetes.io/job-completion-index";

// Runs "$@" with the task's number, which no field of the API can compute.
static const char array_script[] =
	"VPSML_ARRAY_TASK_ID=$((VPSML_ARRAY_TASK_MIN + VPSML_ARRAY_TASK_STEP * "
	"JOB_COMPLETION_INDEX)); export VPSML_ARRAY_TASK_ID; exec \"$@\"";

// A worker's name is known a while after its pod exists, and a resolver that was asked too early
// remembers the "no" (kubernetes/kubernetes#117819): nothing starts before rank 0 has an address.
static const char wait_script[] =
	"command -v getent >/dev/null || exit 0; n=0; "
	"until getent hosts \"$1\" >/dev/null; do n=$((n + 1)); "
	"[ \"$n\" -lt 300 ] || { echo \"no address for $1 after 600 s\" >&2; exit 1; }; "
	"sleep 2; done";

static bool needs_array_script(const struct kube_workload *workload)
{
	return workload->array.is_set && !kube_array_is_plain(&workload->array);
}

static void put_command(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;

	if (!pod->command.count)
		return;
	json_build_open_array(b, pod->keeps_entrypoint ? "args" : "command");
	if (needs_array_script(workload)) {
		json_put_string(b, NULL, "/bin/sh");
		json_put_string(b, NULL, "-c");
		kube_expand_put_verbatim(b, NULL, array_script);
		json_put_string(b, NULL, "sh");
	}
	if (pod->uses_shell) {
		json_put_string(b, NULL, "/bin/sh");
		json_put_string(b, NULL, "-c");
	}
	for (size_t i = 0; i < pod->command.count; i++)
		kube_expand_put_verbatim(b, NULL, pod->command.items[i]);
	json_build_close(b);
}

static bool is_set_by_user(const struct kube_pod *pod, const char *name)
{
	return kube_env_has(&pod->env, name) || kube_env_has(&pod->env_file, name);
}

static void put_text(const struct kube_pod *pod, const char *name, const char *value,
                     struct json_build *b)
{
	if (!is_set_by_user(pod, name))
		kube_env_put_value(b, name, value);
}

static void put_number(const struct kube_pod *pod, const char *name, int64_t value,
                       struct json_build *b)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	put_text(pod, name, text, b);
}

static void put_index(const struct kube_pod *pod, const char *name, struct json_build *b)
{
	if (!is_set_by_user(pod, name))
		kube_env_put_annotation(b, name, index_annotation);
}

static void write_master(const struct kube_workload *workload, struct strbuf *out)
{
	strbuf_addf(out, "%s-0.%s", workload->name, workload->name);
}

static int64_t processes_per_worker(const struct kube_workload *workload)
{
	int64_t gpus = workload->pod.resources.gpus;

	return workload->nproc ? workload->nproc : gpus ? gpus : 1;
}

// What torchrun reads (each of its options as PET_…), and for a program that calls
// torch.distributed itself, one process a worker, what its env:// method reads.
static void put_worker_env(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;
	int64_t nproc = processes_per_worker(workload);
	_cleanup_strbuf_ struct strbuf master = STRBUF_INIT(256);

	write_master(workload, &master);
	b->failed |= master.failed;
	put_text(pod, "MASTER_ADDR", strbuf_get(&master), b);
	put_text(pod, "MASTER_PORT", master_port, b);
	if (nproc == 1) {
		put_number(pod, "WORLD_SIZE", workload->workers, b);
		put_index(pod, "RANK", b);
	}
	put_number(pod, "PET_NNODES", workload->workers, b);
	put_number(pod, "PET_NPROC_PER_NODE", nproc, b);
	put_index(pod, "PET_NODE_RANK", b);
	put_text(pod, "PET_MASTER_ADDR", strbuf_get(&master), b);
	put_text(pod, "PET_MASTER_PORT", master_port, b);
}

static void put_array_env(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_array *array = &workload->array;
	const struct kube_pod *pod = &workload->pod;

	if (kube_array_is_plain(array))
		put_index(pod, "VPSML_ARRAY_TASK_ID", b);
	put_number(pod, "VPSML_ARRAY_TASK_COUNT", kube_array_count(array), b);
	put_number(pod, "VPSML_ARRAY_TASK_MIN", array->first, b);
	put_number(pod, "VPSML_ARRAY_TASK_MAX", array->last, b);
	put_number(pod, "VPSML_ARRAY_TASK_STEP", array->step, b);
}

static void put_env(const struct kube_workload *workload, struct json_build *b)
{
	static const char visible_devices[] = "NVIDIA_VISIBLE_DEVICES";
	const struct kube_pod *pod = &workload->pod;
	// Without this the NVIDIA runtime shows every GPU to a pod that asked for none (canonical/
	// microk8s#2160).
	bool hides_gpus = !kube_pod_wants_gpu_nodes(pod) && !is_set_by_user(pod, visible_devices);

	if (!hides_gpus && !workload->workers && !workload->array.is_set && !pod->env.count &&
	    !pod->env_file.count)
		return;
	json_build_open_array(b, "env");
	if (workload->workers)
		put_worker_env(workload, b);
	if (workload->array.is_set)
		put_array_env(workload, b);
	if (hides_gpus)
		kube_env_put_value(b, visible_devices, "void");
	kube_env_put(&pod->env_file, &pod->env, b);
	kube_env_put(&pod->env, NULL, b);
	json_build_close(b);
}

static void put_image(const struct kube_pod *pod, struct json_build *b)
{
	json_put_string(b, "image", pod->image);
	if (pod->pull_policy)
		json_put_string(b, "imagePullPolicy", pod->pull_policy);
}

static void put_wait_container(const struct kube_workload *workload, struct json_build *b)
{
	struct kube_resources resources = workload->pod.resources;
	_cleanup_strbuf_ struct strbuf master = STRBUF_INIT(256);

	// Quotas may demand requests of every container; these are not added to the pod's own.
	resources.gpus = 0;
	write_master(workload, &master);
	json_build_open_object(b, NULL);
	json_put_string(b, "name", KUBE_WAIT_CONTAINER);
	put_image(&workload->pod, b);
	json_build_open_array(b, "command");
	json_put_string(b, NULL, "/bin/sh");
	json_put_string(b, NULL, "-c");
	kube_expand_put_verbatim(b, NULL, wait_script);
	json_put_string(b, NULL, "wait");
	json_put_text(b, NULL, &master);
	json_build_close(b);
	kube_resources_put(&resources, b);
	json_build_close(b);
}

static void put_main_container(const struct kube_workload *workload, struct json_build *b)
{
	const struct kube_pod *pod = &workload->pod;
	struct kube_quantity shm = kube_resources_shm(&pod->resources);

	json_build_open_object(b, NULL);
	json_put_string(b, "name", pod->container ? pod->container : workload->name);
	put_image(pod, b);
	put_command(workload, b);
	if (pod->working_dir)
		json_put_string(b, "workingDir", pod->working_dir);
	put_env(workload, b);
	kube_resources_put(&pod->resources, b);
	kube_mounts_put_container(&pod->mounts, &shm, b);
	json_build_close(b);
}

void kube_container_put_all(const struct kube_workload *workload, struct json_build *b)
{
	if (workload->workers > 1) {
		json_build_open_array(b, "initContainers");
		put_wait_container(workload, b);
		json_build_close(b);
	}
	json_build_open_array(b, "containers");
	put_main_container(workload, b);
	json_build_close(b);
}
