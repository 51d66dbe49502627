// SPDX-License-Identifier: MIT
#include "cmd/job_detail.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/table.h"
#include "cmd/job_view.h"
#include "kube/quantity.h"
#include "kube/timestamp.h"

enum { VALUE_MAX_BYTES = 64 * 1024, LABEL_COLUMNS = 13, EVENTS_SHOWN = 10 };

// One line "Label:      value". Nothing without a value.
static void add_line(struct strbuf *out, const char *label, const struct strbuf *value)
{
	out->failed |= value->failed;
	if (!value->len)
		return;
	strbuf_addf(out, "%s:", label);
	strbuf_add_repeat(out, ' ', LABEL_COLUMNS - strlen(label) - 1);
	text_sanitize(out, value->data, value->len, TEXT_ONE_LINE);
	strbuf_add_char(out, '\n');
}

static void add_text(struct strbuf *out, const char *label, const char *text)
{
	_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(VALUE_MAX_BYTES);

	if (text)
		strbuf_add(&value, text);
	add_line(out, label, &value);
}

// "2026-11-01T10:00:30Z, after 30s": a time, and how long it was from another one.
static void add_time(struct strbuf *out, const char *label, int64_t ms, const char *word,
                     int64_t span_s, const char *behind)
{
	_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(VALUE_MAX_BYTES);

	if (!ms)
		return;
	kube_timestamp_write(&value, ms);
	strbuf_addf(&value, ", %s", word);
	kube_span_write(&value, span_s);
	strbuf_add(&value, behind);
	add_line(out, label, &value);
}

static void add_words(struct strbuf *out, const struct json *list)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";

	for (const struct json *item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		const char *word = json_string(item);
		bool is_plain = *word && strspn(word, plain) == strlen(word);

		strbuf_add(out, out->len ? " " : "");
		strbuf_add(out, is_plain ? "" : "'");
		for (; *word; word++) {
			if (*word == '\'')
				strbuf_add(out, "'\\''");
			else
				strbuf_add_char(out, *word);
		}
		strbuf_add(out, is_plain ? "" : "'");
	}
}

static const struct json *first_container(const struct jobs_detail *detail)
{
	const struct json *spec = jobs_detail_pod_spec(detail);
	const struct json *containers = spec ? json_find(spec, "containers") : NULL;

	return containers ? json_first(containers) : NULL;
}

// The string at PATH, or "".
static const char *string_at(const struct json *tree, const char *path)
{
	const struct json *value = json_find(tree, path);

	return value ? json_string(value) : "";
}

// Of each container; with its name in front where there are several.
static void add_containers(struct strbuf *out, const struct jobs_detail *detail)
{
	const struct json *container = first_container(detail);
	bool are_many = container && json_next(container);

	for (; container; container = json_next(container)) {
		_cleanup_strbuf_ struct strbuf image = STRBUF_INIT(VALUE_MAX_BYTES);
		_cleanup_strbuf_ struct strbuf command = STRBUF_INIT(VALUE_MAX_BYTES);

		if (are_many)
			strbuf_addf(&image, "%s: ", string_at(container, "name"));
		strbuf_add(&image, string_at(container, "image"));
		add_words(&command, json_find(container, "command"));
		add_words(&command, json_find(container, "args"));
		add_line(out, "Image", &image);
		add_line(out, "Command", &command);
	}
}

static void add_amount(struct strbuf *out, int64_t units, int32_t nanos,
                       enum kube_quantity_format format, const char *word)
{
	struct kube_quantity quantity = {true, units, nanos, format};

	if (!units && !nanos)
		return;
	strbuf_add(out, out->len ? ", " : "");
	kube_quantity_write(out, &quantity);
	strbuf_add(out, word);
}

static void add_resources(struct strbuf *out, const struct kube_requests *requests)
{
	_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(VALUE_MAX_BYTES);

	add_amount(&value, requests->gpus, 0, KUBE_QUANTITY_DECIMAL,
	           requests->gpus == 1 ? " GPU" : " GPUs");
	add_amount(&value, requests->cpu_milli / 1000, (int32_t)(requests->cpu_milli % 1000) * 1000000,
	           KUBE_QUANTITY_DECIMAL, " CPU");
	add_amount(&value, requests->memory_bytes, 0, KUBE_QUANTITY_BINARY, " memory");
	if (requests->memory_bytes && !requests->memory_limit_bytes)
		strbuf_add(&value, " without a limit");
	else if (requests->memory_limit_bytes != requests->memory_bytes)
		add_amount(&value, requests->memory_limit_bytes, 0, KUBE_QUANTITY_BINARY, " at most");
	add_line(out, "Each pod", &value);
}

static void add_pods_line(struct strbuf *out, const struct jobs_detail *detail)
{
	_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(VALUE_MAX_BYTES);
	const struct jobs_outcome *outcome = &detail->item.outcome;
	int64_t wanted = jobs_item_pods_wanted(&detail->item), parallel = detail->item.job.parallelism;

	if (detail->kind == JOBS_KIND_POD)
		return;
	if (detail->kind == JOBS_KIND_DEPLOYMENT) {
		strbuf_addf(&value, "%" PRId64 " ready of %" PRId64, outcome->ready, parallel);
	} else {
		strbuf_addf(&value,
		            "%" PRId64 " pending, %" PRId64 " running, %" PRId64 " failed, %" PRId64
		            " of %" PRId64 " done",
		            outcome->pending, outcome->running, outcome->failed, outcome->succeeded,
		            wanted);
		if (parallel && parallel < wanted)
			strbuf_addf(&value, ", %" PRId64 " at once", parallel);
	}
	if (outcome->preempted)
		strbuf_addf(&value, ", preempted \xC3\x97%" PRId64, outcome->preempted);
	add_line(out, "Pods", &value);
}

static void add_times(struct strbuf *out, const struct jobs_detail *detail, int64_t now_ms)
{
	const struct kube_job_info *job = &detail->item.job;
	const struct jobs_outcome *outcome = &detail->item.outcome;
	_cleanup_strbuf_ struct strbuf limit = STRBUF_INIT(64);

	add_time(out, "Created", job->created_ms, "", (now_ms - job->created_ms) / 1000, " ago");
	add_time(out, "Started", outcome->first_started_ms, "after ", jobs_wait_s(job, outcome, now_ms),
	         "");
	add_time(out, "Finished", job->finished_ms, "after ",
	         outcome->first_started_ms ? jobs_run_s(job, outcome, now_ms)
	                                   : (job->finished_ms - job->created_ms) / 1000,
	         "");
	if (job->deadline_s)
		kube_span_write(&limit, job->deadline_s);
	add_line(out, "Time limit", &limit);
}

static void add_state(struct strbuf *out, const struct jobs_item *item)
{
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(VALUE_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf status = STRBUF_INIT(64);
	enum jobs_state state = jobs_item_state(item);

	jobs_reason_write(&reason, &item->job, &item->outcome, item->create_failure);
	add_text(out, "State", jobs_state_words[state]);
	add_line(out, "Reason", &reason);
	add_text(out, "Message", jobs_item_message(item, strbuf_get(&reason)));
	if (jobs_state_is_end(state))
		strbuf_addf(&status, "%" PRId64, jobs_exit_status_of(&item->job, &item->outcome));
	add_line(out, "Exit status", &status);
}

// The members of an object at PATH, one a line under the first one's label.
static void add_map(struct strbuf *out, const char *label, const struct json *tree,
                    const char *path)
{
	const struct json *map = json_find(tree, path);

	for (const struct json *item = map ? json_first(map) : NULL; item; item = json_next(item)) {
		_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(VALUE_MAX_BYTES);

		strbuf_addf(&value, "%s=%s", json_name(item), json_string(item));
		add_line(out, label, &value);
	}
}

static void add_scheduler(struct strbuf *out, const struct jobs_detail *detail)
{
	for (size_t i = 0; i < detail->pod_count; i++) {
		if (!detail->pod_infos[i].scheduling_message)
			continue;
		add_text(out, "Scheduler", detail->pod_infos[i].scheduling_message);
		return;
	}
}

static void add_conditions(struct strbuf *out, const struct jobs_detail *detail)
{
	const struct json *list = json_find(detail->object, "status.conditions");

	for (const struct json *item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(VALUE_MAX_BYTES);
		const char *reason = string_at(item, "reason"), *message = string_at(item, "message");

		strbuf_addf(&value, "%s=%s", string_at(item, "type"), string_at(item, "status"));
		strbuf_addf(&value, "%s%s%s%s", *reason ? ", " : "", reason, *message ? ": " : "", message);
		add_line(out, "Condition", &value);
	}
}

static void add_facts(struct strbuf *out, const struct jobs_detail *detail, int64_t now_ms,
                      bool is_wide)
{
	const struct kube_job_info *job = &detail->item.job;
	_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(VALUE_MAX_BYTES);

	jobs_target_write(&name, detail->kind, job->name ? job->name : "");
	add_line(out, "Name", &name);
	add_text(out, "Namespace", job->namespace);
	add_state(out, &detail->item);
	if (is_wide)
		add_scheduler(out, detail);
	add_pods_line(out, detail);
	add_text(out, "Node", detail->kind == JOBS_KIND_POD ? detail->item.outcome.node : NULL);
	add_text(out, "User", job->user);
	add_text(out, "Class", job->priority_class);
	add_text(out, "Queue", job->queue);
	add_resources(out, &job->requests);
	add_containers(out, detail);
	add_times(out, detail, now_ms);
	add_conditions(out, detail);
	if (is_wide) {
		add_map(out, "Label", detail->object, "metadata.labels");
		add_map(out, "Annotation", detail->object, "metadata.annotations");
	}
}

static const struct cli_column pod_columns[] = {
	{"POD", false, false},  {"INDEX", false, true},   {"STATE", false, false},
	{"NODE", false, false}, {"EXIT", false, true},    {"RESTARTS", false, true},
	{"AGE", false, true},   {"REASON", false, false},
};

static int64_t restarts_of(const struct kube_pod_info *pod)
{
	int64_t restarts = 0;

	for (size_t i = 0; i < pod->container_count; i++)
		restarts += pod->containers[i].restarts;
	return restarts;
}

// "OOMKilled: killed for memory: the limit is 256Mi", or how its container ended before kubelet
// restarted it.
static void write_pod_reason(struct strbuf *out, const struct jobs_item *item,
                             const struct kube_pod_info *pod)
{
	const char *message;

	jobs_reason_write(out, &item->job, &item->outcome, item->create_failure);
	message = jobs_item_message(item, strbuf_get(out));
	if (message)
		strbuf_addf(out, "%s%s", out->len ? ": " : "", message);
	for (size_t i = 0; i < pod->container_count; i++) {
		const struct kube_container_info *container = &pod->containers[i];

		if (!container->has_last)
			continue;
		strbuf_addf(out, "%slast run: ", out->len ? "; " : "");
		if (container->last_reason && strcmp(container->last_reason, "Error") != 0)
			strbuf_addf(out, "%s, ", container->last_reason);
		strbuf_addf(out, "exit %" PRId64, container->last_exit_code);
		return;
	}
}

static bool add_number(struct cli_table *table, bool is_known, int64_t number, struct err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return cli_table_add(table, is_known ? text : NULL, err);
}

static bool add_age(struct cli_table *table, int64_t since_ms, int64_t now_ms, struct err *err)
{
	_cleanup_strbuf_ struct strbuf age = STRBUF_INIT(64);

	if (since_ms)
		kube_span_write(&age, (now_ms - since_ms) / 1000);
	return cli_table_add(table, strbuf_get(&age), err);
}

static bool add_pod_row(struct cli_table *table, const struct jobs_item *item,
                        const struct kube_pod_info *pod, int64_t now_ms, struct err *err)
{
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(VALUE_MAX_BYTES);

	write_pod_reason(&reason, item, pod);
	return strbuf_ok(&reason, err) && cli_table_add(table, pod->name, err) &&
	       cli_table_add(table, pod->index, err) &&
	       cli_table_add(table, jobs_state_words[jobs_item_state(item)], err) &&
	       cli_table_add(table, pod->node, err) &&
	       add_number(table, item->outcome.has_exit_code, item->outcome.exit_code, err) &&
	       add_number(table, true, restarts_of(pod), err) &&
	       add_age(table, pod->created_ms, now_ms, err) &&
	       cli_table_add(table, strbuf_get(&reason), err);
}

static bool add_pods(struct strbuf *out, const struct jobs_detail *detail, int64_t now_ms,
                     struct err *err)
{
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(pod_columns);

	for (size_t i = 0; i < detail->pod_count; i++)
		if (!add_pod_row(&table, &detail->pods[i], &detail->pod_infos[i], now_ms, err))
			return false;
	if (detail->pod_count)
		strbuf_add_char(out, '\n');
	cli_table_write(out, &table, false);
	return true;
}

static const struct cli_column event_columns[] = {
	{"EVENT", false, false}, {"REASON", false, false}, {"AGE", false, true},
	{"COUNT", false, true},  {"OBJECT", false, false}, {"MESSAGE", false, false},
};

static int64_t time_of(const struct kube_event_info *event)
{
	return event->last_ms ? event->last_ms : event->created_ms;
}

static bool add_event_row(struct cli_table *table, const struct kube_event_info *event,
                          int64_t now_ms, struct err *err)
{
	return cli_table_add(table, event->type, err) && cli_table_add(table, event->reason, err) &&
	       add_age(table, time_of(event), now_ms, err) &&
	       add_number(table, true, event->count ? event->count : 1, err) &&
	       cli_table_add(table, event->object_name, err) &&
	       cli_table_add(table, event->message, err);
}

static bool add_events(struct strbuf *out, const struct jobs_detail *detail, int64_t now_ms,
                       bool is_wide, struct err *err)
{
	_cleanup_cli_table_ struct cli_table table = CLI_TABLE_INIT(event_columns);
	size_t count = detail->event_count;
	size_t first = is_wide || count <= EVENTS_SHOWN ? 0 : count - EVENTS_SHOWN;

	for (size_t i = first; i < count; i++)
		if (!add_event_row(&table, &detail->events[i], now_ms, err))
			return false;
	if (count)
		strbuf_add_char(out, '\n');
	cli_table_write(out, &table, false);
	return true;
}

bool cmd_detail_write(struct strbuf *out, const struct jobs_detail *detail, int64_t now_ms,
                      bool is_wide, struct err *err)
{
	add_facts(out, detail, now_ms, is_wide);
	return add_pods(out, detail, now_ms, err) && add_events(out, detail, now_ms, is_wide, err);
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

static void put_containers(struct json_build *b, const struct jobs_detail *detail)
{
	json_build_open_array(b, "containers");
	for (const struct json *item = first_container(detail); item; item = json_next(item)) {
		json_build_open_object(b, NULL);
		json_put_string(b, "name", string_at(item, "name"));
		json_put_string(b, "image", string_at(item, "image"));
		if (json_find(item, "command"))
			json_put_tree(b, "command", json_dup(json_find(item, "command")));
		if (json_find(item, "args"))
			json_put_tree(b, "args", json_dup(json_find(item, "args")));
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_pod(struct json_build *b, const struct jobs_item *item,
                    const struct kube_pod_info *pod)
{
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(VALUE_MAX_BYTES);

	jobs_reason_write(&reason, &item->job, &item->outcome, item->create_failure);
	json_build_open_object(b, NULL);
	put_text(b, "name", pod->name);
	put_text(b, "index", pod->index);
	json_put_string(b, "state", jobs_state_words[jobs_item_state(item)]);
	if (reason.len || reason.failed)
		json_put_text(b, "reason", &reason);
	put_text(b, "message", jobs_item_message(item, strbuf_get(&reason)));
	put_text(b, "node", pod->node);
	if (item->outcome.has_exit_code)
		json_put_i64(b, "exit_status", item->outcome.exit_code);
	json_put_i64(b, "restarts", restarts_of(pod));
	json_put_i64(b, "memory_limit_bytes", item->job.requests.memory_limit_bytes);
	put_time(b, "created", pod->created_ms);
	put_time(b, "started", item->outcome.first_started_ms);
	put_time(b, "finished", item->outcome.last_finished_ms);
	json_build_close(b);
}

static void put_event(struct json_build *b, const struct kube_event_info *event)
{
	json_build_open_object(b, NULL);
	put_text(b, "type", event->type);
	put_text(b, "reason", event->reason);
	put_text(b, "object", event->object_name);
	put_text(b, "message", event->message);
	json_put_i64(b, "count", event->count ? event->count : 1);
	put_time(b, "last", time_of(event));
	json_build_close(b);
}

void cmd_detail_put(struct json_build *b, const struct jobs_detail *detail, int64_t now_ms)
{
	const struct kube_requests *requests = &detail->item.job.requests;
	const struct json *conditions = json_find(detail->object, "status.conditions");

	json_build_open_object(b, NULL);
	json_put_string(b, "kind", jobs_target_collection(detail->kind)->word);
	cmd_job_put_members(b, &detail->item, now_ms);
	json_build_open_object(b, "each_pod");
	json_put_i64(b, "gpus", requests->gpus);
	json_put_i64(b, "cpu_milli", requests->cpu_milli);
	json_put_i64(b, "memory_bytes", requests->memory_bytes);
	json_put_i64(b, "memory_limit_bytes", requests->memory_limit_bytes);
	json_build_close(b);
	put_containers(b, detail);
	if (conditions)
		json_put_tree(b, "conditions", json_dup(conditions));
	json_build_open_array(b, "pods");
	for (size_t i = 0; i < detail->pod_count; i++)
		put_pod(b, &detail->pods[i], &detail->pod_infos[i]);
	json_build_close(b);
	json_build_open_array(b, "events");
	for (size_t i = 0; i < detail->event_count; i++)
		put_event(b, &detail->events[i]);
	json_build_close(b);
	json_build_close(b);
}
