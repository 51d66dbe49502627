// SPDX-License-Identifier: MIT
#include "cmd/job_view.h"

#include <inttypes.h>

#include "kube/timestamp.h"

enum { CELL_MAX_BYTES = 8192 };

const struct cli_column cmd_job_columns[] = {
	{"NAMESPACE", true, false}, {"NAME", false, false}, {"STATE", false, false},
	{"PODS", true, false},      {"PRIO", false, false}, {"GPUS", false, true},
	{"NODE", false, false},     {"WAIT", false, true},  {"RUN", false, true},
	{"AGE", false, true},       {"USER", true, false},  {"REASON", false, false},
};
const size_t cmd_job_column_count = COUNT_OF(cmd_job_columns);

static bool add_span(struct cli_table *table, int64_t seconds, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	if (seconds >= 0)
		kube_span_write(&text, seconds);
	return cli_table_add(table, strbuf_get(&text), err);
}

static bool add_number(struct cli_table *table, int64_t number, struct err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return cli_table_add(table, number ? text : NULL, err);
}

// "gpu-1", or "gpu-1 +3" where its pods are on several.
static bool add_node(struct cli_table *table, const struct jobs_outcome *outcome, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);

	if (outcome->node)
		strbuf_add(&text, outcome->node);
	if (outcome->node_count > 1)
		strbuf_addf(&text, " +%" PRId64, outcome->node_count - 1);
	return cli_table_add(table, strbuf_get(&text), err);
}

// Running and ended pods of all: "3/4".
static bool add_pods(struct cli_table *table, const struct jobs_item *item, struct err *err)
{
	int64_t all = jobs_item_pods_wanted(item);
	char text[64];

	snprintf(text, sizeof(text), "%" PRId64 "/%" PRId64,
	         item->outcome.running + item->outcome.succeeded, all);
	return cli_table_add(table, text, err);
}

static bool add_reason(struct cli_table *table, const struct jobs_item *item, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(CELL_MAX_BYTES);

	jobs_reason_write(&text, &item->job, &item->outcome, item->create_failure);
	return cli_table_add(table, strbuf_get(&text), err);
}

bool cmd_job_add_row(struct cli_table *table, const struct jobs_item *item, int64_t now_ms,
                     struct err *err)
{
	const struct kube_job_info *job = &item->job;
	const struct jobs_outcome *outcome = &item->outcome;

	return cli_table_add(table, job->namespace, err) && cli_table_add(table, job->name, err) &&
	       cli_table_add(table, jobs_state_words[jobs_item_state(item)], err) &&
	       add_pods(table, item, err) && cli_table_add(table, job->priority_class, err) &&
	       add_number(table, jobs_item_gpus(item), err) && add_node(table, outcome, err) &&
	       add_span(table, jobs_wait_s(job, outcome, now_ms), err) &&
	       add_span(table, jobs_run_s(job, outcome, now_ms), err) &&
	       add_span(table, (now_ms - job->created_ms) / 1000, err) &&
	       cli_table_add(table, job->user, err) && add_reason(table, item, err);
}

static void put_text(struct json_build *b, const char *name, const char *text)
{
	if (text && *text)
		json_put_string(b, name, text);
}

static void put_time(struct json_build *b, const char *name, int64_t ms)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(64);

	if (!ms)
		return;
	kube_timestamp_write(&text, ms);
	json_put_text(b, name, &text);
}

static void put_spans(struct json_build *b, const struct jobs_item *item, int64_t now_ms)
{
	int64_t run_s = jobs_run_s(&item->job, &item->outcome, now_ms);

	json_put_i64(b, "wait_s", jobs_wait_s(&item->job, &item->outcome, now_ms));
	if (run_s >= 0)
		json_put_i64(b, "run_s", run_s);
}

void cmd_job_put_members(struct json_build *b, const struct jobs_item *item, int64_t now_ms)
{
	const struct kube_job_info *job = &item->job;
	const struct jobs_outcome *outcome = &item->outcome;
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(CELL_MAX_BYTES);
	enum jobs_state state = jobs_item_state(item);

	jobs_reason_write(&reason, job, outcome, item->create_failure);
	json_put_string(b, "namespace", job->namespace ? job->namespace : "");
	json_put_string(b, "name", job->name ? job->name : "");
	json_put_string(b, "state", jobs_state_words[state]);
	if (reason.len || reason.failed)
		json_put_text(b, "reason", &reason);
	put_text(b, "message", outcome->message ? outcome->message : job->failed_message);
	if (jobs_state_is_end(state))
		json_put_i64(b, "exit_status", jobs_exit_status_of(job, outcome));
	put_text(b, "priority_class", job->priority_class);
	put_text(b, "user", job->user);
	json_put_i64(b, "gpus", jobs_item_gpus(item));
	put_text(b, "node", outcome->node);
	json_put_i64(b, "pods_running", outcome->running);
	json_put_i64(b, "pods_succeeded", outcome->succeeded);
	json_put_i64(b, "pods_failed", outcome->failed);
	json_put_i64(b, "pods_wanted", jobs_item_pods_wanted(item));
	json_put_i64(b, "preempted", outcome->preempted);
	put_spans(b, item, now_ms);
	put_time(b, "created", job->created_ms);
	put_time(b, "started", outcome->first_started_ms);
	put_time(b, "finished", job->finished_ms);
}

void cmd_job_put(struct json_build *b, const struct jobs_item *item, int64_t now_ms)
{
	json_build_open_object(b, NULL);
	cmd_job_put_members(b, item, now_ms);
	json_build_close(b);
}
