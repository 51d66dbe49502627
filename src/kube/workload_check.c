// SPDX-License-Identifier: MIT
// Every rule that a workload must keep before it is shown to a server, all faults at once.
#include <inttypes.h>
#include <string.h>

#include "kube/container.h"
#include "kube/expand.h"
#include "kube/image.h"
#include "kube/name.h"
#include "kube/pod.h"
#include "kube/workload.h"

enum { ANNOTATIONS_MAX_BYTES = 256 * 1024 };

typedef bool check_fn(const char *, struct err *);

// Checks VALUE, where it is given, with the option's name in front of what is wrong.
static void check(const char *option, const char *value, check_fn *is_legal, struct faults *faults)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!value || is_legal(value, &err))
		return;
	if (option)
		err_wrap(&err, "%s", option);
	faults_take(faults, &err);
}

static void check_pairs(const char *option, const struct kube_pairs *pairs,
                        check_fn *value_is_legal, struct faults *faults)
{
	for (size_t i = 0; i < pairs->count; i++) {
		check(option, pairs->items[i].key, kube_name_check_key, faults);
		if (value_is_legal)
			check(option, pairs->items[i].value, value_is_legal, faults);
		if (kube_pairs_get(pairs, pairs->items[i].key) != pairs->items[i].value)
			faults_warn(faults, "%s: \"%s\" is given twice, the last one counts", option,
			            pairs->items[i].key);
	}
}

// The API server sets these on a Job's pods itself and refuses any other value.
static void check_job_labels(const struct kube_pairs *labels, struct faults *faults)
{
	static const char *const reserved[] = {"job-name", "batch.kubernetes.io/job-name",
	                                       "controller-uid", "batch.kubernetes.io/controller-uid"};

	for (size_t i = 0; i < COUNT_OF(reserved); i++)
		if (kube_pairs_get(labels, reserved[i]))
			faults_add(faults, "--label: \"%s\" is set by the API server itself", reserved[i]);
}

static void check_queue(const char *queue, struct faults *faults)
{
	check("--queue", queue, kube_name_check_subdomain, faults);
	if (queue && strlen(queue) > KUBE_LABEL_MAX_BYTES)
		faults_add(faults, "--queue: \"%s\" has %zu bytes, %d are allowed", queue, strlen(queue),
		           KUBE_LABEL_MAX_BYTES);
}

static void check_annotations(const struct kube_pairs *annotations, struct faults *faults)
{
	size_t total = 0;

	check_pairs("--annotation", annotations, NULL, faults);
	for (size_t i = 0; i < annotations->count; i++)
		total += strlen(annotations->items[i].key) + strlen(annotations->items[i].value);
	if (total > ANNOTATIONS_MAX_BYTES)
		faults_add(faults, "--annotation: %zu bytes in all, %d are allowed", total,
		           ANNOTATIONS_MAX_BYTES);
}

static void check_command(const struct kube_pod *pod, struct faults *faults)
{
	const struct strv *command = &pod->command;

	for (size_t i = 0; i < command->count; i++)
		if (strlen(command->items[i]) >= KUBE_EXEC_STRING_MAX_BYTES)
			faults_add(faults, "argument %zu of the command has %zu bytes, %d are allowed", i + 1,
			           strlen(command->items[i]), KUBE_EXEC_STRING_MAX_BYTES - 1);
	if (!pod->uses_shell && !pod->keeps_entrypoint && command->count && !command->items[0][0])
		faults_add(faults, "the command after \"--\" begins with an empty word");
	if (pod->uses_shell && pod->keeps_entrypoint)
		faults_add(faults, "--shell and --keep-entrypoint exclude each other");
	else if (pod->uses_shell && command->count != 1)
		faults_add(faults, "--shell: takes one string after \"--\", not %zu", command->count);
	else if (!pod->uses_shell && !pod->keeps_entrypoint && command->count == 1 &&
	         strpbrk(command->items[0], " \t\n"))
		faults_add(faults,
		           "command \"%s\" is one word with blanks: leave the quotes away, or give --shell "
		           "to let a shell read it",
		           command->items[0]);
	if (pod->keeps_entrypoint && !command->count)
		faults_add(faults, "--keep-entrypoint: no arguments after \"--\"");
}

static void check_container(const struct kube_pod *pod, struct faults *faults)
{
	if (!pod->image && !faults_has(faults, "--image"))
		faults_add(faults, "--image: missing");
	check("--image", pod->image, kube_image_check, faults);
	check("--container", pod->container, kube_name_check_label, faults);
	check("--service-account", pod->service_account, kube_name_check_subdomain, faults);
	check("--runtime-class", pod->runtime_class, kube_name_check_subdomain, faults);
	check("--priority", pod->priority_class, kube_name_check_subdomain, faults);
	for (size_t i = 0; i < pod->pull_secrets.count; i++)
		check("--image-pull-secret", pod->pull_secrets.items[i], kube_name_check_subdomain, faults);
	if (pod->working_dir && pod->working_dir[0] != '/')
		faults_add(faults, "--working-dir: \"%s\" does not begin with \"/\"", pod->working_dir);
	check_command(pod, faults);
	kube_env_check_file(&pod->env_file, faults);
	kube_env_check(&pod->env, "--env", faults);
}

static bool check_gpu_type(const char *type, struct err *err)
{
	if (!*type)
		return err_set(err, ERR_USAGE, "\"\" is not a product");
	return kube_name_check_label_value(type, err);
}

static void check_gpu_nodes(const struct kube_pod *pod, struct faults *faults)
{
	const char *selected = kube_pairs_get(&pod->selector, KUBE_GPU_NODE_LABEL);
	bool is_ruled_out =
		kube_affinity_rules_out(&pod->affinity, KUBE_GPU_NODE_LABEL, KUBE_GPU_NODE_VALUE) ||
		(selected && !kube_pod_selects_gpu_nodes(pod));

	if (pod->is_cpu_only && pod->resources.gpus)
		faults_add(faults, "--cpu-only and --gpus exclude each other");
	else if (pod->is_cpu_only && kube_pod_wants_gpu_nodes(pod))
		faults_add(faults, "--cpu-only and %s gpu=true exclude each other",
		           selected ? "--selector" : "--affinity");
	else if (kube_pod_wants_gpu_nodes(pod) && is_ruled_out)
		faults_add(faults, "no node fits: GPU nodes have the label gpu=true, which --affinity or "
		                   "--selector rules out");
	else if (kube_pod_wants_gpu_nodes(pod) && !pod->resources.gpus)
		faults_warn(faults, "runs on a GPU node and holds no GPU there: others may get them all; "
		                    "--gpus 1 holds one");
}

static void check_placement(const struct kube_pod *pod, struct faults *faults)
{
	check_pairs("--selector", &pod->selector, kube_name_check_label_value, faults);
	for (size_t i = 0; i < pod->gpu_types.count; i++)
		check("--gpu-type", pod->gpu_types.items[i], check_gpu_type, faults);
	if (pod->gpu_types.count && !pod->resources.gpus && !faults_has(faults, "--gpus"))
		faults_add(faults, "--gpu-type: holds no GPU without --gpus N");
	check_gpu_nodes(pod, faults);
}

static void check_job(const struct kube_workload *workload, struct faults *faults)
{
	const char *container = workload->pod.container ? workload->pod.container : workload->name;

	check_job_labels(&workload->labels, faults);
	if (workload->workers > 1 && container && !strcmp(container, KUBE_WAIT_CONTAINER))
		faults_add(faults, "--container: \"%s\" is the name of another container: choose one",
		           container);
	if (workload->queue && workload->is_suspended)
		faults_add(faults, "--suspend and --queue exclude each other: the queue suspends and "
		                   "resumes its jobs itself");
	if (workload->retry_on.count && !workload->retries && !faults_has(faults, "--retry"))
		faults_add(faults, "--retry-on-exit: retries nothing without --retry N");
	if (workload->workers && workload->array.is_set)
		faults_add(faults, "--workers and --array exclude each other");
	if (workload->nproc && !workload->workers && !faults_has(faults, "--workers"))
		faults_add(faults, "--nproc-per-node: says nothing without --workers N");
	if (workload->workers && workload->retries)
		faults_warn(faults, "--retry starts a failed worker anew while the others go on: the "
		                    "program must be able to take it back");
	if (workload->array.is_set && !kube_array_is_plain(&workload->array) &&
	    (!workload->pod.command.count || workload->pod.keeps_entrypoint))
		faults_add(faults, "--array: a range that is not 0-N numbers its tasks by a wrapper around "
		                   "the command: give the command after \"--\"");
}

// A target that is a share of a request, and the option that sets the request.
struct share {
	const char *option, *request, *metavar;
};

static void check_share(const struct share *share, const struct kube_hpa_target *target,
                        bool has_request, struct faults *faults)
{
	if (target->is_set && target->utilization_pct && !has_request &&
	    !faults_has(faults, share->request))
		faults_add(faults, "%s: a share of the request needs one: %s %s", share->option,
		           share->request, share->metavar);
}

static void check_deployment(const struct kube_workload *workload, struct faults *faults)
{
	static const struct share cpu = {"--cpu-target", "--cpu", "N"};
	static const struct share memory = {"--memory-target", "--memory", "SIZE"};
	const struct kube_hpa *hpa = &workload->hpa;
	const struct kube_resources *resources = &workload->pod.resources;

	if (!hpa->max_replicas) {
		if ((hpa->cpu.is_set || hpa->memory.is_set) && !faults_has(faults, "--autoscale"))
			faults_add(faults, "a target says nothing without --autoscale MIN-MAX");
		return;
	}
	if (workload->replicas != KUBE_UNSET)
		faults_add(faults, "--replicas and --autoscale exclude each other");
	kube_hpa_check(hpa, faults);
	// Where there is only a limit, the API server makes it the request too.
	check_share(&cpu, &hpa->cpu, resources->cpu.is_set || resources->cpu_limit.is_set, faults);
	check_share(&memory, &hpa->memory, resources->memory.is_set || resources->memory_limit.is_set,
	            faults);
}

void kube_workload_check(const struct kube_workload *workload, struct faults *faults)
{
	struct kube_quantity shm = kube_resources_shm(&workload->pod.resources);

	check(NULL, workload->name, kube_name_check, faults);
	check("--namespace", workload->namespace, kube_name_check_label, faults);
	check_queue(workload->queue, faults);
	check_pairs("--label", &workload->labels, kube_name_check_label_value, faults);
	check_annotations(&workload->annotations, faults);
	check_container(&workload->pod, faults);
	kube_resources_check(&workload->pod.resources, faults);
	kube_mounts_check(&workload->pod.mounts, shm.is_set, faults);
	check_placement(&workload->pod, faults);
	if (workload->kind == KUBE_WORKLOAD_JOB)
		check_job(workload, faults);
	if (workload->kind == KUBE_WORKLOAD_DEPLOYMENT)
		check_deployment(workload, faults);
}
