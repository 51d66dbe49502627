// SPDX-License-Identifier: MIT
#include "cmd/submit_files.h"

#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "cmd/objects.h"
#include "jobs/files.h"
#include "kube/name.h"

enum { FILE_MAX_BYTES = 32 * 1024 * 1024, TEXT_MAX_BYTES = 64 * 1024 };

struct call {
	struct cli_context *context;
	const struct cmd_submission *submission;
	struct kube_manifests manifests;
	struct jobs_files files;
	size_t told;        // of the files, in their order
	bool cannot_tell;   // standard output failed:
	struct err failure; // why; ERR_NONE where nobody reads it any more
};

static bool is_server_dry_run(const struct call *call)
{
	return cmd_submission_is_dry_run(call->submission, "server");
}

static bool read_files(struct call *call, const struct strv *files, struct faults *faults,
                       struct err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
		_cleanup_err_ struct err one = ERR_INIT;
		const char *file = files->items[i];

		if (strstr(file, "://"))
			faults_add(faults, "--filename: \"%s\" is not fetched: curl it, and pipe it into -f -",
			           file);
		else if (!file_read(file, &text, &one))
			faults_take(faults, &one);
		else if (!kube_manifests_add(&call->manifests, strcmp(file, "-") != 0 ? file : "stdin",
		                             strbuf_get(&text), text.len, faults, err))
			return false;
	}
	kube_manifests_check_twice(&call->manifests, faults);
	return true;
}

// A user's name that is no label is left out, as it is for flags.
static const char *user_of(const struct cli_context *context)
{
	const char *user = cli_getenv(context, "USER");
	_cleanup_err_ struct err ignored = ERR_INIT;

	return user && *user && kube_name_check_label_value(user, &ignored) ? user : NULL;
}

static bool prepare(struct call *call, const struct strv *files, const char *default_namespace,
                    bool is_only_shown, struct err *err)
{
	const struct cmd_submission *submission = call->submission;
	struct jobs_files_options options = {.namespace = submission->cluster.namespace,
	                                     .default_namespace = default_namespace,
	                                     .user = user_of(call->context),
	                                     .is_name_prefix = submission->is_name_prefix,
	                                     .is_only_shown = is_only_shown};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	return read_files(call, files, &faults, err) && faults_none(&faults, err) &&
	       jobs_files_prepare(&call->files, &call->manifests, &options, &faults, err) &&
	       faults_none(&faults, err);
}

static bool show(struct call *call, struct err *err)
{
	enum cli_format format = call->submission->format;
	const struct json **trees = mem_alloc((call->files.count + 1) * sizeof(struct json *));
	bool is_ok;

	if (!trees)
		return err_memory(err);
	for (size_t i = 0; i < call->files.count; i++)
		trees[i] = call->files.files[i].tree;
	is_ok = cmd_show_objects(call->context, trees, call->files.count,
	                         format == CLI_FORMAT_TABLE ? CLI_FORMAT_YAML : format, err);
	mem_free(trees);
	return is_ok;
}

// Tells of those that are settled, as long as those before them are too.
static void on_one(void *context, const struct jobs_batch_item *item)
{
	struct call *call = context;
	_cleanup_strbuf_ struct strbuf lines = STRBUF_INIT(FILE_MAX_BYTES);

	(void)item;
	for (; call->told < call->files.count; call->told++) {
		const struct jobs_batch_item *next = &call->files.items[call->told];

		if (next->state == JOBS_BATCH_NOT_SENT)
			break;
		if (next->state == JOBS_BATCH_DONE)
			cmd_write_made(&lines, call->context, next->collection,
			               call->files.files[call->told].name, is_server_dry_run(call));
	}
	if (lines.len && !call->cannot_tell)
		call->cannot_tell = !cli_write_out(call->context, &lines, &call->failure);
}

// What is wrong, as one error of the worst kind.
static bool fail(const struct call *call, const struct faults *faults, enum err_kind worst,
                 const char *outcome, struct err *err)
{
	if (faults_none(faults, err))
		return true;
	if (worst != ERR_NONE)
		err->kind = worst;
	return err_hint(err, "%s%s", outcome,
	                call->files.has_taken ? "; --replace takes the place of what has a name" : "");
}

static bool check(struct call *call, struct cmd_cluster *cluster, struct err *err)
{
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_strv_ struct strv unchecked = STRV_INIT;
	struct jobs_preflight preflight = {.faults = &faults, .unchecked = &unchecked};
	enum err_kind refused;

	if (!jobs_files_check(&call->files, cmd_cluster_client(cluster), &preflight,
	                      call->submission->replaces, &refused, err) ||
	    !fail(call, &faults, refused, "nothing was made", err))
		return false;
	cmd_show_preflight(call->context, &faults, &unchecked);
	return true;
}

// Those that were settled behind one that was never sent.
static void tell_rest(struct call *call)
{
	for (size_t i = call->told; i < call->files.count; i++) {
		if (call->files.items[i].state == JOBS_BATCH_NOT_SENT)
			call->told = i + 1;
		else if (call->told == i)
			on_one(call, NULL);
	}
}

static bool show_answers(struct call *call, struct err *err)
{
	_cleanup_strv_ struct strv answers = STRV_INIT;

	for (size_t i = 0; i < call->files.count; i++) {
		const char *answer = call->files.items[i].answer;

		if (answer && !strv_add(&answers, answer, err))
			return false;
	}
	return cmd_show_answers(call->context, &answers, call->submission->format, err);
}

static bool post(struct call *call, struct cmd_cluster *cluster, struct err *err)
{
	bool wants_answers = call->submission->format != CLI_FORMAT_TABLE;
	struct jobs_batch_options options = {.is_dry_run = is_server_dry_run(call),
	                                     .replaces = call->submission->replaces,
	                                     .wants_answers = wants_answers,
	                                     .count_stops = interrupt_count,
	                                     .on_one = wants_answers ? NULL : on_one,
	                                     .context = call};
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	_cleanup_strbuf_ struct strbuf outcome = STRBUF_INIT(TEXT_MAX_BYTES);
	enum err_kind worst;
	size_t made = 0;

	// From here on what was made is told, whatever happens.
	interrupt_catch();
	cmd_cluster_waits_for(cluster, "posting %zu objects", call->files.count);
	if (!jobs_files_post(&call->files, cmd_cluster_client(cluster), &options, &faults, &worst, err))
		return false;
	if (wants_answers && !show_answers(call, err))
		return false;
	if (!wants_answers)
		tell_rest(call);
	for (size_t i = 0; i < call->files.count; i++)
		made += call->files.items[i].state == JOBS_BATCH_DONE;
	strbuf_addf(&outcome, "%zu of %zu were made", made, call->files.count);
	if (interrupt_count())
		call->context->failure_status = 128 + interrupt_signal();
	if (!fail(call, &faults, worst, strbuf_get(&outcome), err))
		return false;
	if (!call->cannot_tell)
		return true;
	*err = call->failure;
	call->failure = (struct err)ERR_INIT;
	return false;
}

static bool run(struct call *call, const struct strv *files, struct err *err)
{
	_cleanup_cmd_cluster_ struct cmd_cluster *cluster = NULL;

	if (cmd_submission_is_dry_run(call->submission, "client"))
		return prepare(call, files, NULL, true, err) && show(call, err);
	cluster = cmd_cluster_open(call->context, &call->submission->cluster, err);
	return cluster && prepare(call, files, cmd_cluster_namespace(cluster), false, err) &&
	       check(call, cluster, err) && post(call, cluster, err);
}

bool cmd_submit_files(struct cli_context *context, const struct cmd_submission *submission,
                      const struct strv *files, struct err *err)
{
	struct call call = {.context = context,
	                    .submission = submission,
	                    .manifests = KUBE_MANIFESTS_INIT,
	                    .failure = ERR_INIT};
	bool is_ok = run(&call, files, err);

	jobs_files_release(&call.files);
	kube_manifests_release(&call.manifests);
	err_clear(&call.failure);
	return is_ok;
}
