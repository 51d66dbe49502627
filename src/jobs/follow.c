// SPDX-License-Identifier: MIT
#include "jobs/follow.h"

#include <string.h>

#include "base/mem.h"
#include "jobs/log_stream.h"
#include "jobs/tracker.h"

enum {
	TICK_MS = 100,
	REOPEN_MS = 1000,
	SETTLE_MS = 200,
	NO_PODS_MS = 1000,
	SETTLE_LIVE_MS = 5000,
	REASON_MAX_BYTES = 8192,
};

// One container's log.
struct source {
	struct follow *follow;
	char *pod, *container, *index;
	struct jobs_log_stream *stream;
	bool is_over;
	int64_t over_ms; // when the stream ended last
	bool is_refused; // it cannot be read: the container has not begun, or is gone
	bool has_lines;
	bool has_last_look; // it was read once more after its container had ended
};

struct follow {
	struct kube_client *client;
	const struct jobs_follow_options *options;
	struct jobs_tracker *tracker;
	struct source **sources; // each on its own, since streams point at them
	size_t source_count;
	bool wants_many; // there are to be several, though they may not have begun yet
	enum jobs_state state;
	bool has_state;
	enum jobs_trouble trouble; // of what was told
	bool has_create_failure;
	int64_t start_ms;
	int64_t stuck_since_ms; // 0: it is not
	int64_t ended_since_ms; // 0: the job has not ended
	struct err failure;     // of a callback
};

static int64_t now_ms(const struct follow *follow)
{
	return loop_now_ms(kube_client_loop(follow->client));
}

static void on_change(void *context)
{
	(void)context; // the loop below looks after every round
}

static void on_trouble(void *context, const struct err *failure, int64_t pause_ms)
{
	struct follow *follow = context;
	bool may_pass = failure->kind == ERR_UNREACHABLE && follow->options->is_patient;

	if (!follow->has_state && !may_pass) {
		if (follow->failure.kind == ERR_NONE)
			err_copy(&follow->failure, failure);
		return;
	}
	if (follow->options->on_trouble)
		follow->options->on_trouble(follow->options->context, failure, pause_ms);
}

static bool on_line(void *context, const char *timestamp, size_t timestamp_len, const char *text,
                    size_t len, struct err *err)
{
	struct source *own = context;
	const struct follow *follow = own->follow;
	struct jobs_source source = {own->pod, own->container, own->index,
	                             follow->wants_many || follow->source_count > 1};

	own->has_lines = true;
	return follow->options->on_line(follow->options->context, &source, timestamp, timestamp_len,
	                                text, len, err);
}

static void on_end(void *context, const struct err *failure)
{
	struct source *source = context;
	struct follow *follow = source->follow;

	source->is_over = true;
	source->over_ms = now_ms(follow);
	source->is_refused = failure && failure->kind == ERR_REFUSED;
	if (failure && !source->is_refused && follow->failure.kind == ERR_NONE)
		err_copy(&follow->failure, failure);
}

static void free_source(struct source *source)
{
	if (!source)
		return;
	jobs_log_free(source->stream);
	mem_free(source->pod);
	mem_free(source->container);
	mem_free(source->index);
	mem_free(source);
}

static struct source *find_source(const struct follow *follow, const char *pod,
                                  const char *container)
{
	for (size_t i = 0; i < follow->source_count; i++) {
		struct source *source = follow->sources[i];

		if (!strcmp(source->pod, pod) && !strcmp(source->container, container))
			return source;
	}
	return NULL;
}

static bool open_stream(struct source *source, struct err *err)
{
	const struct jobs_follow_options *options = source->follow->options;
	struct jobs_log_options log = {.namespace = options->namespace,
	                               .pod = source->pod,
	                               .container = source->container,
	                               .follows = !options->ends_with_logs,
	                               .is_previous = options->is_previous,
	                               .since_s = options->since_s,
	                               .tail = options->tail,
	                               .on_line = on_line,
	                               .on_end = on_end,
	                               .context = source};

	source->stream = jobs_log_open(source->follow->client, &log, err);
	return source->stream;
}

static bool add_source(struct follow *follow, const struct kube_pod_info *pod,
                       const struct kube_container_info *container, struct err *err)
{
	struct source *source = mem_alloc(sizeof(*source));

	if (!source)
		return err_memory(err);
	source->follow = follow;
	source->pod = mem_dup(pod->name);
	source->container = mem_dup(container->name);
	source->index = pod->index ? mem_dup(pod->index) : NULL;
	if (!source->pod || !source->container || (pod->index && !source->index) ||
	    !mem_append(&follow->sources, &follow->source_count, &source, sizeof(source))) {
		free_source(source);
		return err_memory(err);
	}
	return open_stream(source, err);
}

static bool is_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

// Has it written anything that is asked for? Init containers count only where they failed.
static bool is_wanted(const struct follow *follow, const struct kube_pod_info *pod,
                      const struct kube_container_info *container)
{
	const struct jobs_follow_options *options = follow->options;
	bool has_begun = container->state == KUBE_CONTAINER_RUNNING ||
	                 container->state == KUBE_CONTAINER_TERMINATED || container->has_last;

	if (!pod->name || !container->name || !has_begun)
		return false;
	if (options->index && !is_text(options->index, pod->index))
		return false;
	if (options->container)
		return is_text(options->container, container->name);
	return !container->is_init ||
	       (container->state == KUBE_CONTAINER_TERMINATED && container->exit_code);
}

// A log that ended before its container did (rotated away, a restart of kubelet) is read on; and once more
// when the container has ended, since the last lines can reach the file after kubelet has stopped to look.
static bool look_after(struct source *source, const struct kube_container_info *container,
                       struct err *err)
{
	const struct follow *follow = source->follow;

	if (!source->is_over || follow->options->ends_with_logs || follow->options->is_previous)
		return true;
	if (container->state == KUBE_CONTAINER_TERMINATED && !source->has_last_look)
		source->has_last_look = true;
	else if (container->state != KUBE_CONTAINER_RUNNING ||
	         now_ms(follow) - source->over_ms < REOPEN_MS)
		return true;
	source->is_over = false;
	return jobs_log_reopen(source->stream, err);
}

// Init containers do not count: they are shown only where they failed.
static bool has_many_containers(const struct kube_pod_info *pod)
{
	size_t count = 0;

	for (size_t i = 0; i < pod->container_count; i++)
		count += !pod->containers[i].is_init;
	return count > 1;
}

// So that the first lines of the first one say where they come from, too.
static bool wants_many(const struct follow *follow, const struct kube_pod_info *pods, size_t count)
{
	const struct kube_job_info *job = &jobs_tracker_item(follow->tracker)->job;

	if (!follow->options->index && (job->completions > 1 || job->parallelism > 1))
		return true;
	return !follow->options->container && count && has_many_containers(&pods[0]);
}

static bool look_at_logs(struct follow *follow, struct err *err)
{
	size_t count;
	const struct kube_pod_info *pods = jobs_tracker_pods(follow->tracker, &count);

	follow->wants_many = wants_many(follow, pods, count);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < pods[i].container_count; j++) {
			const struct kube_container_info *container = &pods[i].containers[j];
			struct source *source;

			if (!is_wanted(follow, &pods[i], container))
				continue;
			source = find_source(follow, pods[i].name, container->name);
			if (source ? !look_after(source, container, err)
			           : !add_source(follow, &pods[i], container, err))
				return false;
		}
	}
	return true;
}

static bool are_logs_over(const struct follow *follow)
{
	for (size_t i = 0; i < follow->source_count; i++)
		if (!follow->sources[i]->is_over)
			return false;
	return true;
}

// A job that waits is told again when it waits for something else.
static bool is_told(const struct follow *follow, const struct jobs_item *item,
                    enum jobs_state state)
{
	enum jobs_trouble trouble = item->outcome.trouble;

	if (!follow->has_state || follow->state != state)
		return false;
	if (state != JOBS_PENDING && state != JOBS_STARTING)
		return true;
	return (trouble <= JOBS_TROUBLE_STARTING || trouble == follow->trouble) &&
	       follow->has_create_failure == (item->create_failure != NULL);
}

// Why it has no pods is in events, which are asked for only where it is late with them.
static bool look_for_pods(struct follow *follow, const struct jobs_item *item, struct err *err)
{
	size_t count;

	jobs_tracker_pods(follow->tracker, &count);
	return count || jobs_item_state(item) != JOBS_PENDING ||
	       now_ms(follow) - follow->start_ms < NO_PODS_MS ||
	       jobs_tracker_ask_events(follow->tracker, err);
}

static void look_at_state(struct follow *follow, const struct jobs_item *item)
{
	enum jobs_state state = jobs_item_state(item);
	bool has_ended = jobs_state_is_end(state);
	bool is_stuck = item->outcome.trouble == JOBS_TROUBLE_STUCK && !item->outcome.running;

	if (has_ended && !follow->ended_since_ms)
		follow->ended_since_ms = now_ms(follow);
	if (!is_stuck)
		follow->stuck_since_ms = 0;
	else if (!follow->stuck_since_ms)
		follow->stuck_since_ms = now_ms(follow);
	if (is_told(follow, item, state))
		return;
	follow->has_state = true;
	follow->trouble = item->outcome.trouble;
	follow->has_create_failure = item->create_failure != NULL;
	follow->state = state;
	if (follow->options->on_state)
		follow->options->on_state(follow->options->context, item);
}

static bool is_over(int64_t since_ms, int64_t limit_ms, int64_t now)
{
	return limit_ms && now - since_ms >= limit_ms;
}

// Has what the pods say caught up with the Job that has ended? They come by another watch.
static bool is_settled(const struct follow *follow, const struct jobs_item *item)
{
	bool has_live_pods = item->outcome.running || item->outcome.pending;

	return follow->ended_since_ms &&
	       now_ms(follow) - follow->ended_since_ms >= (has_live_pods ? SETTLE_LIVE_MS : SETTLE_MS);
}

// What it has come to; false: go on.
static bool has_ended(const struct follow *follow, enum jobs_end *ret)
{
	const struct jobs_follow_options *options = follow->options;
	const struct jobs_item *item = jobs_tracker_item(follow->tracker);
	bool is_synced = jobs_tracker_is_synced(follow->tracker);

	if (options->is_interrupted && options->is_interrupted(options->context))
		*ret = JOBS_END_INTERRUPTED;
	else if (jobs_tracker_is_gone(follow->tracker))
		*ret = JOBS_END_GONE;
	else if (is_synced && !item)
		*ret = JOBS_END_MISSING;
	else if (item && options->ends_with_logs && is_synced && are_logs_over(follow))
		*ret = JOBS_END_LOGS;
	else if (item && !options->ends_with_logs && is_settled(follow, item) && are_logs_over(follow))
		*ret = JOBS_END_DONE;
	else if (is_over(follow->start_ms, options->limit_ms, now_ms(follow)))
		*ret = JOBS_END_LIMIT;
	else if (follow->stuck_since_ms &&
	         is_over(follow->stuck_since_ms, options->start_limit_ms, now_ms(follow)))
		*ret = JOBS_END_STUCK;
	else
		return false;
	return true;
}

static bool dup_text(char **to, const char *from, struct err *err)
{
	if (!from || !*from)
		return true;
	*to = mem_dup(from);
	return *to || err_memory(err);
}

// Logs that could be read; that of an evicted pod is empty once its containers are gone.
static size_t count_logs(const struct follow *follow, const struct jobs_item *item)
{
	bool is_evicted = item && item->outcome.trouble == JOBS_TROUBLE_EVICTED;
	size_t count = 0;

	for (size_t i = 0; i < follow->source_count; i++) {
		const struct source *source = follow->sources[i];

		count += source->has_lines || !(is_evicted || source->is_refused);
	}
	return count;
}

static bool describe(const struct follow *follow, struct jobs_ending *ending, struct err *err)
{
	const struct jobs_item *item = jobs_tracker_item(follow->tracker);
	_cleanup_strbuf_ struct strbuf reason = STRBUF_INIT(REASON_MAX_BYTES);

	ending->source_count = count_logs(follow, item);
	if (!item)
		return true;
	if (ending->end == JOBS_END_DONE)
		ending->exit_status = jobs_exit_status_of(&item->job, &item->outcome);
	jobs_reason_write(&reason, &item->job, &item->outcome, item->create_failure);
	return dup_text(&ending->reason, strbuf_get(&reason), err) &&
	       dup_text(&ending->message,
	                item->outcome.message ? item->outcome.message : item->job.failed_message, err);
}

static bool run(struct follow *follow, struct jobs_ending *ret, struct err *err)
{
	while (!has_ended(follow, &ret->end)) {
		const struct jobs_item *item;

		if (!loop_run(kube_client_loop(follow->client), TICK_MS, err))
			return false;
		if (follow->failure.kind != ERR_NONE)
			return err_copy(err, &follow->failure);
		item = jobs_tracker_item(follow->tracker);
		if (!item || !jobs_tracker_is_synced(follow->tracker))
			continue;
		look_at_state(follow, item);
		if (!look_for_pods(follow, item, err))
			return false;
		if (follow->options->has_logs && !look_at_logs(follow, err))
			return false;
	}
	return describe(follow, ret, err);
}

bool jobs_follow(struct kube_client *client, const struct jobs_follow_options *options,
                 struct jobs_ending *ret, struct err *err)
{
	struct follow follow = {.client = client, .options = options, .failure = ERR_INIT};
	struct jobs_tracker_options tracker = {.namespace = options->namespace,
	                                       .name = options->name,
	                                       .on_change = on_change,
	                                       .on_trouble = on_trouble,
	                                       .context = &follow};
	bool is_ok = false;

	*ret = (struct jobs_ending){.end = JOBS_END_DONE};
	follow.start_ms = now_ms(&follow);
	follow.tracker = jobs_tracker_start(client, &tracker, err);
	if (follow.tracker)
		is_ok = run(&follow, ret, err);
	for (size_t i = 0; i < follow.source_count; i++)
		free_source(follow.sources[i]);
	mem_free(follow.sources);
	jobs_tracker_free(follow.tracker);
	err_clear(&follow.failure);
	if (!is_ok)
		jobs_ending_release(ret);
	return is_ok;
}

void jobs_ending_release(struct jobs_ending *ending)
{
	mem_free(TAKE(ending->reason));
	mem_free(TAKE(ending->message));
}
