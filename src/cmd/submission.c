// SPDX-License-Identifier: MIT
#include "cmd/submission.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "cmd/field_flags.h"
#include "cmd/objects.h"
#include "cmd/workload_options.h"
#include "jobs/preflight.h"
#include "jobs/submit.h"

enum { WARNINGS_MAX_COUNT = 20, TEXT_MAX_BYTES = 8192 };

void cmd_submission_init(struct cmd_submission *submission)
{
	kube_workload_init(&submission->workload);
}

void cmd_submission_release(struct cmd_submission *submission)
{
	kube_workload_release(&submission->workload);
	cmd_cluster_options_release(&submission->cluster);
}

bool cmd_submission_is_dry_run(const struct cmd_submission *submission, const char *who)
{
	return submission->dry_run && !strcmp(submission->dry_run, who);
}

// What the flags of the other kinds would say is refused, not dropped.
static void check_kind(const struct kube_workload *workload, struct faults *faults)
{
	bool is_job = workload->kind == KUBE_WORKLOAD_JOB;
	bool is_deployment = workload->kind == KUBE_WORKLOAD_DEPLOYMENT;

	if (!is_job && (workload->retries || workload->ttl_s != KUBE_UNSET || workload->is_suspended ||
	                workload->workers || workload->array.is_set || workload->retry_on.count))
		faults_add(faults,
		           "--retry, --retry-on-exit, --ttl-after-finished, --suspend, --workers and "
		           "--array are for jobs alone");
	if (is_deployment && workload->time_s)
		faults_add(faults, "--time: a deployment has no end");
	if (!is_deployment && (workload->replicas != KUBE_UNSET || workload->hpa.max_replicas ||
	                       workload->hpa.cpu.is_set || workload->hpa.memory.is_set))
		faults_add(faults, "--replicas, --autoscale, --cpu-target and --memory-target are for "
		                   "deployments alone");
}

void cmd_submission_check(struct cli_context *context, struct cmd_submission *submission,
                          struct faults *faults)
{
	struct kube_workload *workload = &submission->workload;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!cmd_workload_take_args(context, workload, &err) ||
	    (submission->is_name_prefix && !jobs_extend_name(workload, &err))) {
		faults_take(faults, &err);
		return;
	}
	check_kind(workload, faults);
	kube_workload_check(workload, faults);
	if (submission->is_name_prefix && submission->replaces)
		faults_add(faults, "--name-prefix and --replace exclude each other");
}

bool cmd_submission_show(struct cli_context *context, const struct cmd_submission *submission,
                         struct err *err)
{
	enum cli_format format =
		submission->format == CLI_FORMAT_TABLE ? CLI_FORMAT_YAML : submission->format;
	struct kube_objects objects;
	bool is_ok;

	if (!kube_workload_build(&submission->workload, &objects, err))
		return false;
	is_ok = cmd_show_objects(context, (const struct json *const *)objects.items, objects.count,
	                         format, err);
	kube_objects_release(&objects);
	return is_ok;
}

static bool say(struct cli_context *context, const struct kube_workload *workload, bool is_dry_run,
                struct err *err)
{
	static const struct kube_collection *const collections[] = {&kube_jobs, &kube_pods,
	                                                            &kube_deployments};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

	cmd_write_made(&text, context, collections[workload->kind], workload->name, is_dry_run);
	return cli_write_out(context, &text, err);
}

void cmd_show_preflight(struct cli_context *context, const struct faults *faults,
                        const struct strv *unchecked)
{
	_cleanup_faults_ struct faults shown = FAULTS_INIT;
	size_t count = faults->warnings.count;

	for (size_t i = 0; i < count && i < WARNINGS_MAX_COUNT; i++)
		faults_warn(&shown, "%s", faults->warnings.items[i]);
	if (count > WARNINGS_MAX_COUNT)
		faults_warn(&shown, "and %zu more", count - WARNINGS_MAX_COUNT);
	cli_show_warnings(context, &shown);
	for (size_t i = 0; i < unchecked->count; i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TEXT_MAX_BYTES);

		strbuf_addf(&text, "not checked, as we may not read them: %s", unchecked->items[i]);
		cli_show_log(context, 1, strbuf_get(&text));
	}
}

// Without metadata.managedFields, as kubectl shows objects.
static struct json *read_answer(const char *text, struct err *err)
{
	_cleanup_json_ struct json *tree = json_parse(text, strlen(text), err);
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	if (!tree)
		return NULL;
	json_build_open_object(&b, NULL);
	for (const struct json *e = json_first(tree); e; e = json_next(e)) {
		if (strcmp(json_name(e), "metadata") != 0) {
			json_put_tree(&b, json_name(e), json_dup(e));
			continue;
		}
		json_build_open_object(&b, "metadata");
		for (const struct json *m = json_first(e); m; m = json_next(m))
			if (strcmp(json_name(m), "managedFields") != 0)
				json_put_tree(&b, json_name(m), json_dup(m));
		json_build_close(&b);
	}
	json_build_close(&b);
	return json_build_take(&b, err);
}

bool cmd_show_answers(struct cli_context *context, const struct strv *answers,
                      enum cli_format format, struct err *err)
{
	struct json **objects = NULL;
	size_t count = 0;
	bool is_ok = true;

	for (size_t i = 0; is_ok && i < answers->count; i++) {
		struct json *object = read_answer(answers->items[i], err);

		is_ok = object != NULL;
		if (is_ok && !mem_append(&objects, &count, &object, sizeof(object))) {
			json_free(object);
			is_ok = err_memory(err);
		}
	}
	is_ok =
		is_ok && cmd_show_objects(context, (const struct json *const *)objects, count, format, err);
	for (size_t i = 0; i < count; i++)
		json_free(objects[i]);
	mem_free(objects);
	return is_ok;
}

static bool check_cluster(struct cli_context *context, struct cmd_submission *submission,
                          struct cmd_cluster *cluster, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_strv_ struct strv unchecked = STRV_INIT;
	struct jobs_preflight preflight = {.faults = &faults, .unchecked = &unchecked};

	if (!jobs_preflight(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster),
	                    &submission->workload, &preflight, err) ||
	    !faults_none(&faults, err))
		return false;
	cmd_show_preflight(context, &faults, &unchecked);
	return true;
}

bool cmd_submission_post(struct cli_context *context, struct cmd_submission *submission,
                         struct cmd_cluster *cluster, bool says, struct err *err)
{
	bool is_dry_run = cmd_submission_is_dry_run(submission, "server");
	bool wants_answers = submission->format != CLI_FORMAT_TABLE;
	_cleanup_strv_ struct strv answers = STRV_INIT;
	struct jobs_submission options = {.is_dry_run = is_dry_run,
	                                  .replaces = submission->replaces,
	                                  .flag_of = cmd_flag_of_field,
	                                  .answers = wants_answers ? &answers : NULL};

	if (!check_cluster(context, submission, cluster, err))
		return false;
	if (submission->replaces)
		cmd_cluster_waits_for(cluster, "waiting until what has the name is gone");
	if (!jobs_mark(&submission->workload, cli_getenv(context, "USER"), err) ||
	    !jobs_submit(cmd_cluster_client(cluster), cmd_cluster_namespace(cluster),
	                 &submission->workload, &options, err))
		return false;
	if (wants_answers)
		return cmd_show_answers(context, &answers, submission->format, err);
	return !says || say(context, &submission->workload, is_dry_run, err);
}

bool cmd_submission_follow(struct cli_context *context, const struct cmd_submission *submission,
                           const struct cmd_follow_options *follow, struct cmd_cluster *cluster,
                           bool has_logs, struct err *err)
{
	struct cmd_follow options = {.context = context,
	                             .options = follow,
	                             .says_states = true,
	                             .is_run = true,
	                             .jobs = {.namespace = cmd_cluster_namespace(cluster),
	                                      .name = submission->workload.name,
	                                      .has_logs = has_logs,
	                                      .tail = -1}};

	return cmd_follow_job(cluster, &options, &context->exit_status, err);
}
