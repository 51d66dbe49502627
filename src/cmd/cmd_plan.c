// SPDX-License-Identifier: MIT
// vpsml plan: what `up` would do to the hosts of cluster.yaml.
#include "cmd/commands.h"

#include <string.h>

#include "cli/output.h"
#include "cmd/plan_cluster.h"
#include "cmd/plan_view.h"
#include "yaml/yaml.h"

enum { OUT_MAX_BYTES = 64 << 20, CHANGES_STATUS = 10 };

struct plan_options {
	struct cmd_file_options file;
	struct cmd_hosts_options ssh;
	const char *format;
	bool has_exit_code;
};

static const char *const formats[] = {"text", "json", "yaml", NULL};

static const struct cli_option rows[] = {
	{.name = "exit-code",
     .kind = CLI_FLAG,
     .offset = offsetof(struct plan_options, has_exit_code),
     .help = "end with 10 when there is something to do"},
	{.name = "output",
     .letter = 'o',
     .kind = CLI_WORD,
     .offset = offsetof(struct plan_options, format),
     .metavar = "FORMAT",
     .words = formats,
     .help = "text, json or yaml (default: text)"},
};
static const struct cli_group group = {"Plan", rows, COUNT_OF(rows)};

static void init(void *data)
{
	struct plan_options *options = data;

	options->format = formats[0];
	cmd_hosts_options_init(&options->ssh);
}

static void release(void *data)
{
	struct plan_options *options = data;

	cmd_file_options_release(&options->file);
	cmd_hosts_options_release(&options->ssh);
}

static bool write(struct strbuf *out, const struct cmd_plan_view *view, const char *format,
                  struct err *err)
{
	_cleanup_json_ struct json *tree = NULL;

	if (!strcmp(format, "text"))
		return cmd_plan_write(out, view, err);
	tree = cmd_plan_tree(view, err);
	if (!tree)
		return false;
	if (!strcmp(format, "yaml"))
		return yaml_write(out, tree, err);
	json_write_pretty(out, tree);
	return true;
}

// A plan of hosts that have faults would not be the one that is carried out.
static bool run(struct cli_context *context, void *data, struct err *err)
{
	const struct plan_options *options = data;
	_cleanup_cmd_plan_ struct cmd_plan plan = {.faults = FAULTS_INIT};
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	struct cmd_plan_view view = {&plan, &options->file, context->general.verbosity};
	size_t hosts;

	if (!cmd_plan_make(context, &options->file, &options->ssh, &plan, err))
		return false;
	if (!plan.faults.errors.count && !options->file.limit.count && cmd_plan_has_cluster(&plan) &&
	    !cmd_plan_ask_cluster(context, &plan, err))
		return false;
	cli_show_warnings(context, &plan.faults);
	if (!faults_none(&plan.faults, err) || !write(&out, &view, options->format, err) ||
	    !cli_write_out(context, &out, err))
		return false;
	if (options->has_exit_code && cmd_plan_count(&view, &hosts))
		context->exit_status = CHANGES_STATUS;
	return boot_gather_failures(&plan.inventory, plan.gathered, err);
}

static const struct cli_group_use groups[] = {
	{&group, 0},
	{&cmd_file_group, offsetof(struct plan_options, file)},
	{&cmd_hosts_group, offsetof(struct plan_options, ssh)},
};

static const struct cli_example examples[] = {
	{"what would be done, with commands and changes of files", "vpsml plan -v"},
	{"in a script: is anything to be done?", "vpsml plan -q --exit-code -f lab.yaml >/dev/null"},
};

const struct cli_command cmd_plan = {
	.name = "plan",
	.page = "vpsml-plan",
	.section = "Cluster",
	.summary = "show what up would do to the hosts",
	.about =
		"Asks every host of the file what it is, and shows what is to be done before all of them "
		"are a cluster: steps, commands (-v) and changes of files (-v). What is in the way, on "
		"any host, is shown at once. Nothing is changed.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.options_size = sizeof(struct plan_options),
	.init = init,
	.release = release,
	.run = run,
};
