// SPDX-License-Identifier: MIT
#include "cmd/job_follow.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/progress.h"
#include "jobs/cancel.h"
#include "jobs/missing.h"
#include "kube/pause.h"

enum {
	LINE_MAX_BYTES = 4 * 1024 * 1024,
	CANCEL_LIMIT_MS = 120 * 1000,
	SECOND_CHANCE_MS = 2000, // within which another interrupt cancels
	INTERRUPT_POLL_MS = 50,
	START_LIMIT_S = 600,
};

#define FIELD(member) .offset = offsetof(struct cmd_follow_options, member)

static const struct cli_option rows[] = {
	{.name = "timeout",
     .kind = CLI_DURATION,
     .min = 1,
     FIELD(limit_s),
     .metavar = "DURATION",
     .help = "stop waiting after this time, with status 124; the job goes on"},
	{.name = "start-timeout",
     .kind = CLI_DURATION,
     FIELD(start_limit_s),
     .metavar = "DURATION",
     .help = "give up when an image or a setting has been bad for so long, with status 125; 0: "
             "never (default: 10m)"},
};
const struct cli_group cmd_wait_group = {"Waiting", rows, COUNT_OF(rows)};

void cmd_follow_options_init(struct cmd_follow_options *options)
{
	*options = (struct cmd_follow_options){.start_limit_s = START_LIMIT_S};
}

// The part of a line that a terminal would show in the end: progress bars rewrite it behind a carriage
// return.
static const char *last_rewrite(const char *text, size_t len, size_t *ret_len)
{
	const char *start = text;

	while (len && text[len - 1] == '\r')
		len--;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\r')
			start = text + i + 1;
	*ret_len = len - (size_t)(start - text);
	return start;
}

static void add_prefix(struct strbuf *out, const struct jobs_source *source)
{
	if (source->is_one_of_many)
		strbuf_addf(out, "[%s %s] ", source->pod, source->container);
}

static bool on_line(void *data, const struct jobs_source *source, const char *timestamp,
                    size_t timestamp_len, const char *text, size_t len, struct err *err)
{
	struct cmd_follow *follow = data;
	FILE *out = follow->context->out;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(LINE_MAX_BYTES);

	if (!follow->has_line)
		cmd_cluster_waits_for(follow->cluster, NULL);
	follow->has_line = true;
	cli_progress_clear(follow->context);
	add_prefix(&line, source);
	if (follow->options->shows_timestamps && timestamp_len) {
		strbuf_add_n(&line, timestamp, timestamp_len);
		strbuf_add_char(&line, ' ');
	}
	if (isatty(fileno(out))) {
		text = last_rewrite(text, len, &len);
		text_sanitize(&line, text, len, TEXT_KEEP_LINES);
	} else {
		strbuf_add_n(&line, text, len);
	}
	strbuf_add_char(&line, '\n');
	if (!strbuf_ok(&line, err))
		return false;
	if (fwrite(line.data, 1, line.len, out) == line.len && !fflush(out))
		return true;
	return err_errno(err, "standard output");
}

// One line on standard error, made harmless; nothing with --quiet.
static void say(const struct cmd_follow *follow, const char *text)
{
	cli_show_note(follow->context, text);
}

static void on_state(void *data, const struct jobs_item *item)
{
	const struct cmd_follow *follow = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(LINE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(LINE_MAX_BYTES);
	const char *message;

	if (!follow->has_line)
		cmd_cluster_waits_for(follow->cluster, "waiting for job %s: %s", item->job.name,
		                      jobs_state_words[jobs_item_state(item)]);
	if (!follow->says_states)
		return;
	strbuf_addf(&text, "job %s: %s", item->job.name, jobs_state_words[jobs_item_state(item)]);
	if (item->outcome.node)
		strbuf_addf(&text, " on %s", item->outcome.node);
	jobs_reason_write(&reason, &item->job, &item->outcome, item->create_failure);
	if (reason.len)
		strbuf_addf(&text, ": %s", strbuf_get(&reason));
	message = jobs_item_message(item, strbuf_get(&reason));
	if (message && jobs_state_is_end(jobs_item_state(item)))
		strbuf_addf(&text, ": %s", message);
	say(follow, strbuf_get(&text));
}

static void on_trouble(void *data, const struct err *failure, int64_t pause_ms)
{
	const struct cmd_follow *follow = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(LINE_MAX_BYTES);

	strbuf_addf(&text, "%s: trying again in %" PRId64 " s", err_message(failure),
	            (pause_ms + 999) / 1000);
	say(follow, strbuf_get(&text));
}

static bool is_interrupted(void *data)
{
	(void)data;
	return interrupt_count() > 0;
}

static bool fail(struct cmd_follow *follow, int status)
{
	follow->context->failure_status = status;
	return false;
}

// After the first interrupt of `run`: another one soon cancels the job.
static bool wants_cancel(struct kube_client *client)
{
	_cleanup_err_ struct err ignored = ERR_INIT;

	for (int waited = 0; waited < SECOND_CHANCE_MS; waited += INTERRUPT_POLL_MS) {
		if (interrupt_count() > 1)
			return true;
		if (!kube_pause(client, INTERRUPT_POLL_MS, &ignored))
			return false;
	}
	return interrupt_count() > 1;
}

static bool cancel(struct kube_client *client, struct cmd_follow *follow, struct err *err)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	fail(follow, CMD_EXIT_CANCELLED);
	return strv_add(&names, follow->jobs.name, err) &&
	       jobs_cancel(client, follow->jobs.namespace, &names, CANCEL_LIMIT_MS, NULL, &faults,
	                   err) &&
	       faults_none(&faults, err) &&
	       err_set(err, ERR_FAILED, "job \"%s\" cancelled", follow->jobs.name);
}

static bool end_interrupted(struct kube_client *client, struct cmd_follow *follow, struct err *err)
{
	const char *name = follow->jobs.name;

	fail(follow, 128 + interrupt_signal());
	if (!follow->is_run)
		return err_set(err, ERR_FAILED, "interrupted; job \"%s\" goes on", name);
	say(follow, "detached; press Ctrl-C again to cancel the job");
	if (wants_cancel(client))
		return cancel(client, follow, err);
	err_set(err, ERR_FAILED, "detached; job \"%s\" goes on", name);
	return err_hint(err, "\"vpsml logs -f %s\" follows it, \"vpsml cancel %s\" ends it", name,
	                name);
}

static bool end_stuck(struct cmd_follow *follow, const struct jobs_ending *ending, struct err *err)
{
	fail(follow, CMD_EXIT_OWN_FAILURE);
	err_set(err, ERR_FAILED, "job \"%s\" does not start: %s%s%s", follow->jobs.name,
	        ending->reason ? ending->reason : "", ending->message ? ": " : "",
	        ending->message ? ending->message : "");
	return err_hint(err, "it is still there: \"vpsml cancel %s\" ends it", follow->jobs.name);
}

static bool end(struct cmd_cluster *cluster, struct cmd_follow *follow,
                const struct jobs_ending *ending, int *ret_status, struct err *err)
{
	const char *name = follow->jobs.name;

	switch (ending->end) {
	case JOBS_END_DONE:
		*ret_status = (int)ending->exit_status;
		return true;
	case JOBS_END_LOGS:
		*ret_status = 0;
		return true;
	case JOBS_END_MISSING:
		fail(follow, 0);
		return jobs_missing(cmd_cluster_client(cluster), &kube_jobs, follow->jobs.namespace, name,
		                    err);
	case JOBS_END_GONE:
		fail(follow, CMD_EXIT_CANCELLED);
		return err_set(err, ERR_FAILED, "job \"%s\" was deleted", name);
	case JOBS_END_LIMIT:
		fail(follow, CMD_EXIT_TIME_LIMIT);
		return err_set(err, ERR_FAILED, "job \"%s\" has not ended after %" PRId64 " s", name,
		               follow->options->limit_s);
	case JOBS_END_STUCK:
		return end_stuck(follow, ending, err);
	case JOBS_END_INTERRUPTED:
		break;
	}
	return end_interrupted(cmd_cluster_client(cluster), follow, err);
}

bool cmd_follow_job(struct cmd_cluster *cluster, struct cmd_follow *follow, int *ret_status,
                    struct err *err)
{
	struct jobs_ending ending;
	bool is_ok;

	interrupt_catch();
	follow->cluster = cluster;
	follow->jobs.is_patient = follow->is_run;
	follow->jobs.limit_ms = follow->options->limit_s * 1000;
	follow->jobs.start_limit_ms = follow->options->start_limit_s * 1000;
	follow->jobs.on_line = on_line;
	follow->jobs.on_state = on_state;
	follow->jobs.on_trouble = on_trouble;
	follow->jobs.is_interrupted = is_interrupted;
	follow->jobs.context = follow;
	is_ok = jobs_follow(cmd_cluster_client(cluster), &follow->jobs, &ending, err);
	cmd_cluster_waits_for(cluster, NULL);
	if (!is_ok)
		return fail(follow, CMD_EXIT_OWN_FAILURE);
	is_ok = end(cluster, follow, &ending, ret_status, err);
	if (is_ok && follow->jobs.has_logs && !ending.source_count && ending.end == JOBS_END_LOGS) {
		err_set(err, ERR_FAILED, "job \"%s\" has no log%s%s", follow->jobs.name,
		        ending.reason ? ": " : " yet", ending.reason ? ending.reason : "");
		if (ending.message)
			err_hint(err, "%s", ending.message);
		is_ok = false;
	}
	jobs_ending_release(&ending);
	return is_ok;
}
