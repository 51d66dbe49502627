// SPDX-License-Identifier: MIT
// vpsml render job|pod|deployment: the objects that `submit` would post, as text.
#include "cmd/commands.h"

#include "cmd/objects.h"
#include "cmd/workload_options.h"

struct render_options {
	struct kube_workload workload;
	enum cli_format format;
};

static void init(struct render_options *options, enum kube_workload_kind kind)
{
	kube_workload_init(&options->workload);
	options->workload.kind = kind;
	options->format = CLI_FORMAT_YAML;
}

static void init_job(void *options)
{
	init(options, KUBE_WORKLOAD_JOB);
}

static void init_pod(void *options)
{
	init(options, KUBE_WORKLOAD_POD);
}

static void init_deployment(void *options)
{
	init(options, KUBE_WORKLOAD_DEPLOYMENT);
}

static void release(void *data)
{
	struct render_options *options = data;

	kube_workload_release(&options->workload);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct render_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!cmd_workload_take_args(context, &options->workload, &err))
		faults_take(faults, &err);
	else
		kube_workload_check(&options->workload, faults);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct render_options *options = data;
	struct kube_objects objects;
	bool is_ok;

	if (!kube_workload_build(&options->workload, &objects, err))
		return false;
	is_ok = cmd_show_objects(context, (const struct json *const *)objects.items, objects.count,
	                         options->format, err);
	kube_objects_release(&objects);
	return is_ok;
}

#define USE(group)                                          \
	{                                                       \
		&(group), offsetof(struct render_options, workload) \
	}
#define OUTPUT                                                            \
	{                                                                     \
		&cmd_object_output_group, offsetof(struct render_options, format) \
	}

static const struct cli_group_use job_groups[] = {
	USE(cmd_container_group),   USE(cmd_resources_group),
	USE(cmd_environment_group), USE(cmd_storage_group),
	USE(cmd_placement_group),   USE(cmd_job_group),
	USE(cmd_time_group),        USE(cmd_metadata_group),
	USE(cmd_namespace_group),   OUTPUT,
};

static const struct cli_group_use pod_groups[] = {
	USE(cmd_container_group), USE(cmd_resources_group), USE(cmd_environment_group),
	USE(cmd_storage_group),   USE(cmd_placement_group), USE(cmd_time_group),
	USE(cmd_metadata_group),  USE(cmd_namespace_group), OUTPUT,
};

static const struct cli_group_use deployment_groups[] = {
	USE(cmd_container_group), USE(cmd_resources_group), USE(cmd_environment_group),
	USE(cmd_storage_group),   USE(cmd_placement_group), USE(cmd_deployment_group),
	USE(cmd_metadata_group),  USE(cmd_namespace_group), OUTPUT,
};

static const struct cli_example job_examples[] = {
	{"one GPU, one CPU, 4 GiB, an hour at most",
     "vpsml render job cnn --image pytorch:2.0-gpu --gpus 1 --cpu 1 \\\n"
     "      --memory 4Gi --time 1h -- python train.py"},
	{"three workers with two GPUs each",
     "vpsml render job gan --image pytorch:2.0-gpu --workers 3 --gpus 2 \\\n"
     "      --cpu 8 --memory 32Gi -- torchrun train.py"},
	{"a sweep of sixteen light tasks, four at a time",
     "vpsml render job sweep --image nlp:1 --array 0-15%4 --cpu 2 \\\n"
     "      --memory 4Gi --shell -- 'python sweep.py $VPSML_ARRAY_TASK_ID'"},
};

static const struct cli_example pod_examples[] = {
	{"on a GPU node, without holding a GPU",
     "vpsml render pod look --image pytorch:2.0-gpu --affinity gpu=true \\\n"
     "      --cpu 1 --memory 1Gi -- nvidia-smi"},
};

static const struct cli_example deployment_examples[] = {
	{"one to five pods, half of the requested CPU in use",
     "vpsml render deployment web --image web:1 --cpu 500m --memory 1Gi \\\n"
     "      --autoscale 1-5 --cpu-target 50%"},
};

static const struct cli_command render_job = {
	.name = "job",
	.section = "Workloads",
	.args = "NAME",
	.summary = "a Job: runs to its end, alone, as workers or as an array",
	.about =
		"Writes a Job: one pod that runs to its end; with --workers several that train together; "
		"with --array one for each task. GPU pods run on GPU nodes alone, others rather on "
		"CPU nodes. COMMAND replaces the image's entrypoint and reaches the process as typed.",
	.page = "vpsml-render",
	.groups = job_groups,
	.group_count = COUNT_OF(job_groups),
	.examples = job_examples,
	.example_count = COUNT_OF(job_examples),
	.word_min = 1,
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct render_options),
	.init = init_job,
	.release = release,
	.check = check,
	.run = run,
};

static const struct cli_command render_pod = {
	.name = "pod",
	.section = "Workloads",
	.args = "NAME",
	.summary = "a Pod alone, which nothing starts again",
	.about =
		"Writes a Pod that runs once. Nothing starts it again when its node fails: a Job is what "
		"most people want.",
	.page = "vpsml-render",
	.groups = pod_groups,
	.group_count = COUNT_OF(pod_groups),
	.examples = pod_examples,
	.example_count = COUNT_OF(pod_examples),
	.word_min = 1,
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct render_options),
	.init = init_pod,
	.release = release,
	.check = check,
	.run = run,
};

static const struct cli_command render_deployment = {
	.name = "deployment",
	.alias = "deploy",
	.section = "Workloads",
	.args = "NAME",
	.summary = "a Deployment, with its autoscaler if wanted",
	.about = "Writes a Deployment: pods that are kept running, for serving. With --autoscale a "
			 "HorizontalPodAutoscaler comes along.",
	.page = "vpsml-render",
	.groups = deployment_groups,
	.group_count = COUNT_OF(deployment_groups),
	.examples = deployment_examples,
	.example_count = COUNT_OF(deployment_examples),
	.word_min = 1,
	.word_max = 1,
	.takes_command = true,
	.options_size = sizeof(struct render_options),
	.init = init_deployment,
	.release = release,
	.check = check,
	.run = run,
};

static const struct cli_command *const verbs[] = {
	&render_job,          &render_pod, &render_deployment, &cmd_render_affinity, &cmd_render_hpa,
	&cmd_render_priority, NULL,
};

const struct cli_command cmd_render = {
	.name = "render",
	.section = "Jobs",
	.summary = "show the YAML of a job, a pod or what belongs to them",
	.about =
		"Writes Kubernetes objects as YAML or JSON. No cluster is needed, and nothing is sent.",
	.page = "vpsml-render",
	.verbs = verbs,
};
