// SPDX-License-Identifier: MIT
// vpsml setup: make an existing cluster ready for vpsml's jobs.
#include "cmd/commands.h"

#include "base/mem.h"
#include "base/text.h"
#include "boot/setup.h"
#include "cli/output.h"
#include "cmd/cluster.h"
#include "kube/name.h"

enum { OUT_MAX_BYTES = 1024 * 1024 };

struct setup_options {
	struct cmd_cluster_options cluster;
	struct strv gpu_nodes;
	char *gpu_resource;
	const char *taint, *dry_run; // words; NULL: the first
	bool has_no_runtime_class;
};

static const char default_resource[] = "nvidia.com/gpu";
static const char *const taint_words[] = {"PreferNoSchedule", "NoSchedule", "none", NULL};
static const char *const dry_run_words[] = {"none", "server", NULL};

static const struct cli_option rows[] = {
	{.name = "gpu-node",
     .kind = CLI_LIST,
     .offset = offsetof(struct setup_options, gpu_nodes),
     .metavar = "NODE",
     .help = "a node with GPUs that Kubernetes does not see yet (default: nodes that offer GPUs)"},
	{.name = "gpu-resource",
     .kind = CLI_STRING,
     .offset = offsetof(struct setup_options, gpu_resource),
     .metavar = "NAME",
     .help =
         "the GPUs' resource, which is the taint's key too (default: what the node offers, else "
         "nvidia.com/gpu)"},
	{.name = "gpu-taint",
     .kind = CLI_WORD,
     .offset = offsetof(struct setup_options, taint),
     .metavar = "EFFECT",
     .words = taint_words,
     .help = "keep other pods off GPU nodes: PreferNoSchedule where they find a place elsewhere, "
             "NoSchedule always, none never (default: PreferNoSchedule)"},
	{.name = "no-runtime-class",
     .kind = CLI_FLAG,
     .offset = offsetof(struct setup_options, has_no_runtime_class),
     .help = "leave out the runtime class nvidia: GPU nodes that need none"},
	{.name = "dry-run",
     .kind = CLI_WORD,
     .offset = offsetof(struct setup_options, dry_run),
     .metavar = "WHERE",
     .words = dry_run_words,
     .help = "none, or server: say what would change, and change nothing (default: none)"},
};
static const struct cli_group group = {"Setup", rows, COUNT_OF(rows)};

static void release(void *data)
{
	struct setup_options *options = data;

	cmd_cluster_options_release(&options->cluster);
	strv_release(&options->gpu_nodes);
	mem_free(options->gpu_resource);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct setup_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)context;
	if (options->gpu_resource && !kube_name_check_key(options->gpu_resource, &err)) {
		err_wrap(&err, "--gpu-resource");
		faults_take(faults, &err);
	}
}

// Lines as kubectl has them.
struct report {
	struct strbuf text;
	bool is_dry_run;
};

static void on_object(void *context, const char *object, enum kube_apply_outcome outcome,
                      const char *detail)
{
	struct report *report = context;

	text_sanitize(&report->text, object, strlen(object), TEXT_ONE_LINE);
	strbuf_addf(&report->text, " %s", kube_apply_words[outcome]);
	if (detail) {
		strbuf_add(&report->text, ": ");
		text_sanitize(&report->text, detail, strlen(detail), TEXT_ONE_LINE);
	}
	strbuf_add(&report->text, report->is_dry_run ? " (server dry run)\n" : "\n");
}

static bool do_it(struct cli_context *context, const struct setup_options *options,
                  struct report *report, struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster =
		cmd_cluster_open(context, &options->cluster, err);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	const char *taint = options->taint ? options->taint : taint_words[0];
	struct boot_setup setup = {
		.gpu_resource = options->gpu_resource ? options->gpu_resource : default_resource,
		.taint_effect = strcmp(taint, "none") != 0 ? taint : NULL,
		.gpu_nodes = &options->gpu_nodes,
		.has_runtime_class = !options->has_no_runtime_class,
		.is_dry_run = report->is_dry_run,
		.on_object = on_object,
		.context = report,
	};
	bool is_ok;

	if (!cluster)
		return false;
	setup.client = cmd_cluster_client(cluster);
	is_ok = boot_setup(&setup, &faults, err);
	cli_show_warnings(context, &faults);
	return is_ok || (err->kind == ERR_NONE && faults_none(&faults, err));
}

// What was done stays done, and is told also where the rest failed.
static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct setup_options *options = data;
	struct report report = {STRBUF_INIT(OUT_MAX_BYTES),
	                        options->dry_run && !strcmp(options->dry_run, "server")};
	_cleanup_err_ struct err unwritten = ERR_INIT;
	bool is_ok = do_it(context, options, &report, err);

	if (report.text.len && !context->general.is_quiet &&
	    !cli_write_out(context, &report.text, is_ok ? err : &unwritten))
		is_ok = false;
	strbuf_release(&report.text);
	return is_ok;
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_cluster_group, offsetof(struct setup_options, cluster)},
};

static const struct cli_example examples[] = {
	{"what it would change", "vpsml setup --dry-run server"},
	{"a node whose device plugin comes later", "vpsml setup --gpu-node gpu-1"},
};

const struct cli_command cmd_setup = {
	.name = "setup",
	.page = "vpsml-setup",
	.section = "Cluster",
	.summary = "make an existing cluster ready for vpsml's jobs",
	.about =
		"Labels and taints the nodes that have GPUs, and makes the priority classes, the runtime "
		"class and the settings that vpsml's jobs count on. What is there already stays; doing "
		"it twice changes nothing.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct setup_options),
	.release = release,
	.check = check,
	.run = run,
};
