// SPDX-License-Identifier: MIT
// vpsml render hpa: a HorizontalPodAutoscaler.
#include "cmd/commands.h"

#include "base/parse.h"
#include "cmd/hpa_options.h"
#include "cmd/objects.h"
#include "kube/hpa.h"
#include "kube/name.h"

struct hpa_options {
	struct kube_hpa hpa;
	enum cli_format format;
};

static bool parse_version(struct cli_context *context, const char *text, void *field,
                          struct err *err)
{
	size_t index;

	(void)context;
	if (!parse_word(text, kube_hpa_version_words, &index, err))
		return false;
	*(enum kube_hpa_version *)field = (enum kube_hpa_version)index;
	return true;
}

static const struct cli_option rows[] = {
	{.name = "namespace",
     .letter = 'n',
     .kind = CLI_STRING,
     .offset = offsetof(struct kube_hpa, namespace),
     .metavar = "NAMESPACE",
     .help = "namespace of both"},
	{.name = "api-version",
     .kind = CLI_VALUE,
     .offset = offsetof(struct kube_hpa, version),
     .metavar = "VERSION",
     .words = kube_hpa_version_words,
     .parse = parse_version,
     .help = "autoscaling/v2, v2beta2 or v1 (default: autoscaling/v2, Kubernetes 1.23 and later)"},
};
static const struct cli_group group = {"Object", rows, COUNT_OF(rows)};

static void init(void *data)
{
	((struct hpa_options *)data)->format = CLI_FORMAT_YAML;
}

static void release(void *data)
{
	struct hpa_options *options = data;

	kube_hpa_release(&options->hpa);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct hpa_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!cmd_hpa_take_target(context, &options->hpa, &err))
		faults_take(faults, &err);
	if (options->hpa.namespace && !kube_name_check_label(options->hpa.namespace, &err)) {
		err_wrap(&err, "--namespace");
		faults_take(faults, &err);
	}
	kube_hpa_check(&options->hpa, faults);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct hpa_options *options = data;
	_cleanup_json_ struct json *tree = kube_hpa_build(&options->hpa, err);
	const struct json *const objects[] = {tree};

	return tree && cmd_show_objects(context, objects, 1, options->format, err);
}

static const struct cli_group_use groups[] = {
	{&cmd_hpa_group, offsetof(struct hpa_options, hpa)},
	{&group, offsetof(struct hpa_options, hpa)},
	{&cmd_object_output_group, offsetof(struct hpa_options, format)},
};

static const struct cli_example examples[] = {
	{"one to five replicas, half of the requested CPU in use",
     "vpsml render hpa deploy/web --min 1 --max 5 --cpu-target 50%"},
};

const struct cli_command cmd_render_hpa = {
	.name = "hpa",
	.section = "Parts",
	.args = "deploy/NAME",
	.summary = "an autoscaler for a Deployment",
	.about =
		"Writes a HorizontalPodAutoscaler for a Deployment, StatefulSet or ReplicaSet. A Job has "
		"no scale and cannot have one.",
	.page = "vpsml-render",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 2,
	.options_size = sizeof(struct hpa_options),
	.init = init,
	.release = release,
	.check = check,
	.run = run,
};
