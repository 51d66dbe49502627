// SPDX-License-Identifier: MIT
// vpsml autoscale: give a Deployment an autoscaler.
#include "cmd/commands.h"

#include <string.h>

#include "base/mem.h"
#include "cmd/hpa_options.h"
#include "cmd/objects.h"
#include "cmd/submission.h"
#include "jobs/autoscale.h"
#include "jobs/submit.h"

enum { TEXT_MAX_BYTES = 8192 };

struct autoscale_options {
	struct kube_hpa hpa;
	struct cmd_cluster_options cluster;
	const char *dry_run; // word; NULL: none
	bool replaces;
	enum cli_format format;
};

static const char *const dry_run_words[] = {"none", "client", "server", NULL};

static const struct cli_option rows[] = {
	{.name = "replace",
     .kind = CLI_FLAG,
     .offset = offsetof(struct autoscale_options, replaces),
     .help = "take the place of the autoscaler that has the name now"},
	{.name = "dry-run",
     .kind = CLI_WORD,
     .offset = offsetof(struct autoscale_options, dry_run),
     .metavar = "WHO",
     .words = dry_run_words,
     .help = "none, client (only show it) or server (let the server check it) (default: none)"},
};
static const struct cli_group group = {"Submission", rows, COUNT_OF(rows)};

static void release(void *data)
{
	struct autoscale_options *options = data;

	kube_hpa_release(&options->hpa);
	cmd_cluster_options_release(&options->cluster);
}

static void check(struct cli_context *context, void *data, struct faults *faults)
{
	struct autoscale_options *options = data;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!cmd_hpa_take_target(context, &options->hpa, &err))
		faults_take(faults, &err);
	kube_hpa_check(&options->hpa, faults);
}

static bool is_dry_run(const struct autoscale_options *options, const char *who)
{
	return options->dry_run && !strcmp(options->dry_run, who);
}

static bool show(struct cli_context *context, const struct autoscale_options *options,
                 struct err *err)
{
	_cleanup_json_ struct json *tree = kube_hpa_build(&options->hpa, err);
	const struct json *const objects[] = {tree};

	return tree &&
	       cmd_show_objects(context, objects, 1,
	                        options->format == CLI_FORMAT_TABLE ? CLI_FORMAT_YAML : options->format,
	                        err);
}

static bool check_cluster(struct cli_context *context, struct autoscale_options *options,
                          struct cmd_cluster *cluster, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_strv_ struct strv unchecked = STRV_INIT;
	struct jobs_preflight preflight = {.faults = &faults, .unchecked = &unchecked};

	if (!jobs_autoscale_check(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster),
	                          &options->hpa, &preflight, err) ||
	    !faults_none(&faults, err))
		return false;
	cmd_show_preflight(context, &faults, &unchecked);
	return true;
}

// *RET_ANSWER gets the object as the server has it.
static bool post(const struct autoscale_options *options, struct cmd_cluster *cluster,
                 char **ret_answer, struct err *err)
{
	_cleanup_json_ struct json *tree = kube_hpa_build(&options->hpa, err);
	struct kube_create_options create = {.is_dry_run = is_dry_run(options, "server"),
	                                     .replaces = options->replaces,
	                                     .request_id = options->hpa.request_id};
	struct kube_collection hpas;

	if (!tree)
		return false;
	switch (kube_create(cmd_cluster_client(cluster), kube_hpa_collection(&options->hpa, &hpas),
	                    cmd_cluster_namespace(cluster), tree, &create, NULL, ret_answer, err)) {
	case KUBE_CREATE_DONE:
		return true;
	case KUBE_CREATE_EXISTS:
		return err_hint(err, "--replace takes its place");
	case KUBE_CREATE_FAILED:
		break;
	}
	return false;
}

static bool say(struct cli_context *context, const struct autoscale_options *options,
                const char *answer, struct err *err)
{
	const struct kube_hpa *hpa = &options->hpa;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);
	_cleanup_strv_ struct strv answers = STRV_INIT;

	if (options->format != CLI_FORMAT_TABLE)
		return (!answer || strv_add(&answers, answer, err)) &&
		       cmd_show_answers(context, &answers, options->format, err);
	cmd_write_made(&text, context, &kube_hpas, hpa->name ? hpa->name : hpa->target_name,
	               is_dry_run(options, "server"));
	return cli_write_out(context, &text, err);
}

static bool run(struct cli_context *context, void *data, struct err *err)
{
	struct autoscale_options *options = data;
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;
	_cleanup_free_ char *request_id = NULL;
	_cleanup_free_ char *answer = NULL;
	bool is_ok;

	if (is_dry_run(options, "client"))
		return show(context, options, err);
	cluster = cmd_cluster_open(context, &options->cluster, err);
	if (!cluster || !check_cluster(context, options, cluster, err) ||
	    !jobs_make_request_id(&request_id, err))
		return false;
	options->hpa.request_id = request_id;
	is_ok = post(options, cluster, &answer, err) && say(context, options, answer, err);
	options->hpa.request_id = NULL;
	return is_ok;
}

static const struct cli_group_use groups[] = {
	{&cmd_hpa_group, offsetof(struct autoscale_options, hpa)},
	{&group, 0},
	{&cmd_made_output_group, offsetof(struct autoscale_options, format)},
	{&cmd_cluster_group, offsetof(struct autoscale_options, cluster)},
};

static const struct cli_example examples[] = {
	{"one to five replicas, half of the requested CPU in use",
     "vpsml autoscale deploy/web --min 1 --max 5 --cpu-target 50%"},
	{"by memory, and show what would be posted",
     "vpsml autoscale deployment web --max 5 --memory-target 200Mi \\\n"
     "      --dry-run client"},
};

const struct cli_command cmd_autoscale = {
	.name = "autoscale",
	.page = "vpsml-autoscale",
	.section = "Jobs",
	.args = "deploy/NAME",
	.summary = "let a Deployment grow and shrink with its load",
	.about =
		"Posts a HorizontalPodAutoscaler for a Deployment, StatefulSet or ReplicaSet, in the "
		"newest "
		"version that the server has. It says beforehand what would keep it from working. A Job "
		"has no scale and cannot have one.",
	.groups = groups,
	.group_count = COUNT_OF(groups),
	.examples = examples,
	.example_count = COUNT_OF(examples),
	.word_min = 1,
	.word_max = 2,
	.options_size = sizeof(struct autoscale_options),
	.release = release,
	.check = check,
	.run = run,
};
