// SPDX-License-Identifier: MIT
#include "jobs/state.h"

#include <inttypes.h>
#include <string.h>

const char *const jobs_state_words[] = {"pending",     "starting",  "running",
                                        "suspended",   "succeeded", "failed",
                                        "terminating", "deleted",   NULL};

enum { TIME_LIMIT_STATUS = 124 };

// All pods have ended. Will there be another try? If not, or if only the next ones are not there yet, the
// job is not waiting: its controller is about to say how it goes on.
static bool waits_for_a_try(const struct kube_job_info *job, const struct jobs_outcome *outcome)
{
	int64_t completions = job->completions ? job->completions : 1;
	int64_t failed = outcome->failed - outcome->preempted;

	if (!outcome->succeeded && !outcome->failed)
		return true;
	if (job->is_ending)
		return false;
	return outcome->failed && outcome->succeeded < completions && failed <= job->retries;
}

enum jobs_state jobs_state_of(const struct kube_job_info *job, const struct jobs_outcome *outcome)
{
	if (job->deleted_ms)
		return JOBS_TERMINATING;
	if (job->is_complete)
		return JOBS_SUCCEEDED;
	if (job->is_failed)
		return JOBS_FAILED;
	if (job->is_suspended)
		return JOBS_SUSPENDED;
	if (outcome->running)
		return JOBS_RUNNING;
	if (outcome->pending && outcome->node)
		return JOBS_STARTING;
	return outcome->pending || waits_for_a_try(job, outcome) ? JOBS_PENDING : JOBS_RUNNING;
}

bool jobs_state_is_end(enum jobs_state state)
{
	return state == JOBS_SUCCEEDED || state == JOBS_FAILED;
}

static bool is_over_time(const struct kube_job_info *job)
{
	return job->failed_reason && !strcmp(job->failed_reason, "DeadlineExceeded");
}

static void write_failure(struct strbuf *out, const struct kube_job_info *job,
                          const struct jobs_outcome *outcome)
{
	if (is_over_time(job))
		strbuf_add(out, "time limit");
	else if (outcome->reason)
		strbuf_add(out, outcome->reason);
	else if (job->failed_reason)
		strbuf_add(out, job->failed_reason);
}

static void write_suspension(struct strbuf *out, const struct kube_job_info *job)
{
	if (job->queue)
		strbuf_addf(out, "in queue %s", job->queue);
}

static void write_pending(struct strbuf *out, const struct jobs_outcome *outcome,
                          const char *create_failure)
{
	if (outcome->trouble == JOBS_TROUBLE_UNSCHEDULABLE && outcome->message && *outcome->message)
		strbuf_add(out, outcome->message);
	else if (outcome->trouble >= JOBS_TROUBLE_EXIT)
		strbuf_addf(out, "again after %s", outcome->reason);
	else if (outcome->reason)
		strbuf_add(out, outcome->reason);
	else if (create_failure)
		strbuf_add(out, create_failure);
}

static void write_running(struct strbuf *out, const struct kube_job_info *job,
                          const struct jobs_outcome *outcome)
{
	if (job->completions > 1)
		strbuf_addf(out, "%" PRId64 " running, %" PRId64 " of %" PRId64 " done", outcome->running,
		            outcome->succeeded, job->completions);
	else if (outcome->trouble >= JOBS_TROUBLE_EXIT && outcome->failed && outcome->running)
		strbuf_addf(out, "again after %s", outcome->reason);
}

void jobs_reason_write(struct strbuf *out, const struct kube_job_info *job,
                       const struct jobs_outcome *outcome, const char *create_failure)
{
	size_t start = out->len;

	switch (jobs_state_of(job, outcome)) {
	case JOBS_FAILED:
		write_failure(out, job, outcome);
		break;
	case JOBS_SUSPENDED:
		write_suspension(out, job);
		break;
	case JOBS_PENDING:
	case JOBS_STARTING:
		write_pending(out, outcome, create_failure);
		break;
	case JOBS_RUNNING:
		write_running(out, job, outcome);
		break;
	default:
		break;
	}
	if (outcome->preempted)
		strbuf_addf(out, "%spreempted \xC3\x97%" PRId64, out->len > start ? ", " : "",
		            outcome->preempted);
}

int64_t jobs_exit_status_of(const struct kube_job_info *job, const struct jobs_outcome *outcome)
{
	if (job->is_complete)
		return 0;
	if (is_over_time(job))
		return TIME_LIMIT_STATUS;
	return outcome->has_exit_code && outcome->exit_code ? outcome->exit_code : 1;
}

int64_t jobs_wait_s(const struct kube_job_info *job, const struct jobs_outcome *outcome,
                    int64_t now_ms)
{
	int64_t end_ms = outcome->first_started_ms ? outcome->first_started_ms
	                 : job->finished_ms        ? job->finished_ms
	                                           : now_ms;

	return (end_ms - job->created_ms) / 1000;
}

int64_t jobs_run_s(const struct kube_job_info *job, const struct jobs_outcome *outcome,
                   int64_t now_ms)
{
	int64_t end_ms = now_ms;

	if (!outcome->first_started_ms)
		return -1;
	if (job->finished_ms)
		end_ms = outcome->last_finished_ms ? outcome->last_finished_ms : job->finished_ms;
	return (end_ms - outcome->first_started_ms) / 1000;
}
