// SPDX-License-Identifier: MIT
#include "cmd/workload_options.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/parse.h"

#define FIELD(member) .offset = offsetof(struct kube_workload, member)
#define FLAG(member) .kind = CLI_FLAG, FIELD(member)
#define STRING(member) .kind = CLI_STRING, FIELD(member)
#define LIST(member) .kind = CLI_LIST, FIELD(member)
#define VALUE(member, parser) .kind = CLI_VALUE, FIELD(member), .parse = (parser)
#define VALUES(member, parser) VALUE(member, parser), .is_repeatable = true
#define GROUP(heading, rows)          \
	{                                 \
		heading, rows, COUNT_OF(rows) \
	}

// A cli_parse_fn that hands the value to a parser which needs nothing of the context.
#define PARSER(name, call)                                                                        \
	static bool name(struct cli_context *context, const char *text, void *field, struct err *err) \
	{                                                                                             \
		(void)context;                                                                            \
		return call;                                                                              \
	}

PARSER(parse_cpu, kube_quantity_parse_cpu(text, field, err))
PARSER(parse_memory, kube_quantity_parse_memory(text, field, err))
PARSER(parse_gpu_types, strv_split(field, text, ',', err))
PARSER(parse_secret, kube_env_parse_secret(field, text, err))
PARSER(parse_claim, kube_mounts_parse_claim(field, text, err))
PARSER(parse_host, kube_mounts_parse_host(field, text, err))
PARSER(parse_nfs, kube_mounts_parse_nfs(field, text, err))
PARSER(parse_pair, kube_pairs_parse(field, text, err))
PARSER(parse_affinity, kube_affinity_parse(field, text, err))
PARSER(parse_toleration, kube_tolerations_parse(field, text, err))
PARSER(parse_exit_codes, kube_exit_codes_parse(field, text, err))
PARSER(parse_array, kube_array_parse(text, field, err))
PARSER(parse_range, kube_hpa_parse_range(field, text, err))
PARSER(parse_cpu_target, kube_hpa_parse_cpu(text, field, err))
PARSER(parse_memory_target, kube_hpa_parse_memory(text, field, err))

// A file over etcd's limit for a whole object cannot be meant.
enum { ENV_FILE_MAX_BYTES = 1536 * 1024, GPUS_MAX = 1024 };

static bool parse_env(struct cli_context *context, const char *text, void *field, struct err *err)
{
	return kube_env_parse(field, text, context->getenv, err);
}

static bool parse_env_file(struct cli_context *context, const char *path, void *field,
                           struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(ENV_FILE_MAX_BYTES);

	return file_read(path, &text, err) &&
	       (kube_env_parse_file(field, strbuf_get(&text), text.len, context->getenv, err) ||
	        err_wrap(err, "%s", path));
}

static bool parse_shm(struct cli_context *context, const char *text, void *field, struct err *err)
{
	struct kube_resources *resources = field;

	(void)context;
	resources->has_no_shm = !strcmp(text, "0");
	return resources->has_no_shm || kube_quantity_parse_memory(text, &resources->shm, err);
}

static bool parse_gpus(struct cli_context *context, const char *text, void *field, struct err *err)
{
	(void)context;
	if (parse_i64(text, 0, GPUS_MAX, field, err))
		return true;
	if (strchr(text, ':'))
		return err_hint(err, "the type goes into --gpu-type");
	return err_hint(err, "a container holds whole GPUs, and requests as many as its limit");
}

static const struct cli_option container[] = {
	{.name = "image", STRING(pod.image), .metavar = "IMAGE", .help = "container image (required)"},
	{.name = "container",
     STRING(pod.container),
     .metavar = "NAME",
     .help = "the container's name (default: the object's)"},
	{.name = "shell", FLAG(pod.uses_shell), .help = "COMMAND is one string that /bin/sh reads"},
	{.name = "keep-entrypoint",
     FLAG(pod.keeps_entrypoint),
     .help = "COMMAND is arguments to the image's entrypoint, not a replacement for it"},
	{.name = "working-dir",
     STRING(pod.working_dir),
     .metavar = "PATH",
     .help = "folder in the container in which COMMAND starts"},
	{.name = "image-pull-policy",
     .kind = CLI_WORD,
     FIELD(pod.pull_policy),
     .metavar = "POLICY",
     .words = (const char *const[]){"Always", "IfNotPresent", "Never", NULL},
     .help = "Always, IfNotPresent or Never"},
	{.name = "image-pull-secret",
     LIST(pod.pull_secrets),
     .metavar = "SECRET",
     .help = "Secret with the registry's password"},
	{.name = "service-account",
     STRING(pod.service_account),
     .metavar = "NAME",
     .help = "ServiceAccount that the pod runs as"},
	{.name = "grace",
     .kind = CLI_DURATION,
     .max = INT32_MAX,
     FIELD(pod.grace_s),
     .metavar = "DURATION",
     .help = "time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)"},
};

static const struct cli_option resources[] = {
	{.name = "gpus",
     VALUE(pod.resources.gpus, parse_gpus),
     .metavar = "N",
     .help = "GPUs to hold; the pod then runs on GPU nodes alone"},
	{.name = "gpu-type",
     VALUES(pod.gpu_types, parse_gpu_types),
     .metavar = "PRODUCT[,...]",
     .help = "hold GPUs of one of these products, as the node label "
             "nvidia.com/gpu.product has them"},
	{.name = "gpu-resource",
     STRING(pod.resources.gpu_resource),
     .metavar = "RESOURCE",
     .help = "what a GPU is called (default: nvidia.com/gpu)"},
	{.name = "cpu",
     VALUE(pod.resources.cpu, parse_cpu),
     .metavar = "N",
     .help = "CPUs to request: 2, 0.5 or 500m"},
	{.name = "memory",
     VALUE(pod.resources.memory, parse_memory),
     .metavar = "SIZE",
     .help = "memory to request, as 4Gi; the limit too, unless --memory-limit is given"},
	{.name = "cpu-limit",
     VALUE(pod.resources.cpu_limit, parse_cpu),
     .metavar = "N",
     .help = "CPUs it may use at most (default: what is idle)"},
	{.name = "memory-limit",
     VALUE(pod.resources.memory_limit, parse_memory),
     .metavar = "SIZE",
     .help = "memory above which it is killed"},
	{.name = "shm",
     VALUE(pod.resources, parse_shm),
     .metavar = "SIZE",
     .help = "size of /dev/shm, counted as memory; 0: the runtime's 64 MB (default: with GPUs half "
             "the memory limit, or 1Gi)"},
};

static const struct cli_option environment[] = {
	{.name = "env",
     .letter = 'e',
     VALUES(pod.env, parse_env),
     .metavar = "NAME[=VALUE]",
     .help = "variable; without a value, the one it has here"},
	{.name = "env-file",
     VALUES(pod.env_file, parse_env_file),
     .metavar = "FILE",
     .completion = CLI_COMPLETE_FILE,
     .help = "variables from lines NAME=VALUE; --env wins over them"},
	{.name = "secret",
     VALUES(pod.env, parse_secret),
     .metavar = "NAME=SECRET:KEY",
     .help = "variable with the value of a Secret's key"},
};

static const struct cli_option storage[] = {
	{.name = "data",
     VALUES(pod.mounts, parse_claim),
     .metavar = "CLAIM:/PATH[:ro]",
     .help = "mount a PersistentVolumeClaim"},
	{.name = "data-dir",
     VALUES(pod.mounts, parse_host),
     .metavar = "/HOST[:/PATH][:ro]",
     .help = "mount a folder of the node"},
	{.name = "nfs",
     VALUES(pod.mounts, parse_nfs),
     .metavar = "SERVER:/EXPORT:/PATH[:ro]",
     .help = "mount an NFS export"},
};

static const struct cli_option placement[] = {
	{.name = "priority",
     STRING(pod.priority_class),
     .completion = CLI_COMPLETE_CLASS,
     .metavar = "CLASS",
     .help = "PriorityClass: who goes first when not all fit"},
	{.name = "queue", STRING(queue), .metavar = "QUEUE", .help = "Kueue's LocalQueue to wait in"},
	{.name = "cpu-only",
     FLAG(pod.is_cpu_only),
     .help = "never run on a GPU node (default: rather not)"},
	{.name = "selector",
     VALUES(pod.selector, parse_pair),
     .metavar = "KEY=VALUE",
     .help = "run on nodes with this label alone"},
	{.name = "affinity",
     VALUES(pod.affinity, parse_affinity),
     .metavar = "RULE",
     .help = "run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with "
             "@WEIGHT (1 to 100) behind it, prefer them"},
	{.name = "toleration",
     VALUES(pod.tolerations, parse_toleration),
     .metavar = "KEY[=VALUE][:EFFECT]",
     .help = "ignore this taint; all: every taint"},
	{.name = "runtime-class",
     STRING(pod.runtime_class),
     .metavar = "CLASS",
     .help = "RuntimeClass of the pod"},
};

static const struct cli_option namespace[] = {
	{.name = "namespace",
     .letter = 'n',
     STRING(namespace),
     .metavar = "NAMESPACE",
     .help = "namespace of the object"},
};

static const struct cli_option metadata[] = {
	{.name = "label",
     VALUES(labels, parse_pair),
     .metavar = "KEY=VALUE",
     .help = "label of the object and its pods"},
	{.name = "annotation",
     VALUES(annotations, parse_pair),
     .metavar = "KEY=VALUE",
     .help = "annotation of the object and its pods"},
};

static const struct cli_option time_limit[] = {
	{.name = "time",
     .kind = CLI_DURATION,
     .max = INT32_MAX,
     .min = 1,
     FIELD(time_s),
     .metavar = "DURATION",
     .help = "end it after this time: 90m, 2h30m or D-HH:MM:SS"},
};

static const struct cli_option job[] = {
	{.name = "retry",
     .kind = CLI_INT,
     .min = 0,
     .max = INT32_MAX,
     FIELD(retries),
     .metavar = "N",
     .help = "start again at most N times after a failure (default: 0); being preempted is none"},
	{.name = "retry-on-exit",
     VALUES(retry_on, parse_exit_codes),
     .metavar = "CODE[,...]",
     .help = "start again only after these exit codes"},
	{.name = "ttl-after-finished",
     .kind = CLI_DURATION,
     .max = INT32_MAX,
     FIELD(ttl_s),
     .metavar = "DURATION",
     .help = "delete the job this long after its end (default: never)"},
	{.name = "suspend",
     FLAG(is_suspended),
     .help = "create it held; nothing runs until it is resumed"},
	{.name = "workers",
     .kind = CLI_INT,
     .min = 1,
     .max = 1000,
     FIELD(workers),
     .metavar = "N",
     .help = "N pods that train together, with names in DNS and torchrun's variables"},
	{.name = "nproc-per-node",
     .kind = CLI_INT,
     .min = 1,
     .max = GPUS_MAX,
     FIELD(nproc),
     .metavar = "N",
     .help = "processes in each worker (default: one a GPU)"},
	{.name = "array",
     VALUE(array, parse_array),
     .metavar = "FROM-TO[:STEP][%N]",
     .help = "one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time"},
};

static const struct cli_option deployment[] = {
	{.name = "replicas",
     .kind = CLI_INT,
     .min = 0,
     .max = INT32_MAX,
     FIELD(replicas),
     .metavar = "N",
     .help = "pods to run (default: 1)"},
	{.name = "autoscale",
     VALUE(hpa, parse_range),
     .metavar = "MIN-MAX",
     .help = "let an autoscaler choose between so many pods"},
	{.name = "cpu-target",
     VALUE(hpa.cpu, parse_cpu_target),
     .metavar = "TARGET",
     .help = "CPU use to keep to: 50% of the request, or 500m a pod"},
	{.name = "memory-target",
     VALUE(hpa.memory, parse_memory_target),
     .metavar = "TARGET",
     .help = "memory use to keep to: 80% of the request, or 200Mi a pod"},
};

const struct cli_group cmd_container_group = GROUP("Container", container);
const struct cli_group cmd_resources_group = GROUP("Resources", resources);
const struct cli_group cmd_environment_group = GROUP("Environment", environment);
const struct cli_group cmd_storage_group = GROUP("Storage", storage);
const struct cli_group cmd_placement_group = GROUP("Placement", placement);
const struct cli_group cmd_metadata_group = GROUP("Metadata", metadata);
const struct cli_group cmd_namespace_group = GROUP("Namespace", namespace);
const struct cli_group cmd_time_group = GROUP("Time", time_limit);
const struct cli_group cmd_job_group = GROUP("Job", job);
const struct cli_group cmd_deployment_group = GROUP("Deployment", deployment);

bool cmd_workload_take_args(struct cli_context *context, struct kube_workload *workload,
                            struct err *err)
{
	if (context->words.count) {
		mem_free(workload->name);
		workload->name = mem_dup(context->words.items[0]);
		if (!workload->name)
			return err_memory(err);
	}
	strv_release(&workload->pod.command);
	workload->pod.command = context->command;
	context->command = (struct strv)STRV_INIT;
	return true;
}
