// SPDX-License-Identifier: MIT
#include "kube/watch.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

enum {
	PATH_MAX_BYTES = 64 * 1024,
	SERVER_LIMIT_S = 290, // the server ends the watch then; a fresh one goes on at its version
	GRACE_S = 30,         // a peer that lets so much more pass is dead
	FIRST_PAUSE_MS = 800,
	MAX_PAUSE_MS = 30 * 1000,
	CALM_MS = 120 * 1000,  // after so long without trouble the pauses start small again
	SHORT_MS = 1000,       // a watch that ends sooner without an event is trouble
	ASKED_SPREAD_MS = 600, // so that not all come back at once when a server names a pause
};

struct kube_watch {
	struct kube_client *client;
	struct kube_watch_options options;
	struct kube_list *list;
	struct kube_record_reader *reader;
	struct loop_timer timer;
	uint64_t call_id;
	bool is_watching;
	char *version;
	bool has_event;     // of this watch
	bool has_expired;   // ERROR event 410
	int64_t began_ms;   // of this watch
	int64_t pause_ms;   // the last one
	int64_t trouble_ms; // when it was
	uint32_t dice;
};

static void begin_list(void *context);
static void begin_watch(void *context);

void kube_watch_free(struct kube_watch *watch)
{
	if (!watch)
		return;
	loop_timer_stop(&watch->timer);
	kube_list_free(watch->list);
	if (watch->is_watching)
		kube_client_cancel(watch->client, watch->call_id);
	kube_record_reader_free(watch->reader);
	mem_free(watch->version);
	mem_free(watch);
}

// xorshift: pauses need no better dice.
static uint32_t roll(struct kube_watch *watch)
{
	watch->dice ^= watch->dice << 13;
	watch->dice ^= watch->dice >> 17;
	watch->dice ^= watch->dice << 5;
	return watch->dice;
}

static int64_t now_ms(const struct kube_watch *watch)
{
	return loop_now_ms(kube_client_loop(watch->client));
}

// The next pause: twice the last one and up to as much again, and never less than the server asks for.
static int64_t next_pause(struct kube_watch *watch, int64_t asked_ms)
{
	int64_t calm = now_ms(watch) - watch->trouble_ms, own_ms;

	watch->pause_ms *= 2;
	if (!watch->pause_ms || calm > CALM_MS)
		watch->pause_ms = FIRST_PAUSE_MS;
	if (watch->pause_ms > MAX_PAUSE_MS)
		watch->pause_ms = MAX_PAUSE_MS;
	watch->trouble_ms = now_ms(watch);
	own_ms = watch->pause_ms + roll(watch) % watch->pause_ms;
	if (asked_ms >= own_ms)
		return asked_ms + roll(watch) % ASKED_SPREAD_MS;
	return own_ms;
}

// ASKED_MS is the server's Retry-After; -1: none.
static void pause_then(struct kube_watch *watch, const struct err *failure, int64_t asked_ms,
                       void (*next)(void *context))
{
	int64_t pause = next_pause(watch, asked_ms);

	if (watch->options.on_trouble && failure)
		watch->options.on_trouble(watch->options.context, failure, pause);
	loop_timer_set(kube_client_loop(watch->client), &watch->timer, pause, next, watch);
}

static bool set_version(struct kube_watch *watch, const char *version, struct err *err)
{
	char *copy = mem_dup(version);

	if (!copy)
		return err_memory(err);
	mem_free(watch->version);
	watch->version = copy;
	return true;
}

static bool on_list_record(void *context, enum kube_record_change change, void *record,
                           struct err *err)
{
	struct kube_watch *watch = context;

	return watch->options.on_record(watch->options.context, change, record, err);
}

static void on_list_restart(void *context)
{
	struct kube_watch *watch = context;

	watch->options.on_list(watch->options.context);
}

static void on_list_done(void *context, const char *version, const struct err *failure)
{
	struct kube_watch *watch = context;
	_cleanup_err_ struct err err = ERR_INIT;

	if (!failure && !set_version(watch, version, &err))
		failure = &err;
	if (failure) {
		pause_then(watch, failure, -1, begin_list);
		return;
	}
	if (watch->options.on_synced)
		watch->options.on_synced(watch->options.context);
	loop_timer_set(kube_client_loop(watch->client), &watch->timer, 0, begin_watch, watch);
}

static void begin_list(void *context)
{
	struct kube_watch *watch = context;
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_list_options options = {
		.collection = watch->options.collection,
		.kind = watch->options.kind,
		.namespace = watch->options.namespace,
		.label_selector = watch->options.label_selector,
		.field_selector = watch->options.field_selector,
		.on_record = on_list_record,
		.on_restart = on_list_restart,
		.on_done = on_list_done,
		.context = watch,
	};

	kube_list_free(TAKE(watch->list));
	watch->options.on_list(watch->options.context);
	watch->list = kube_list_start(watch->client, &options, &err);
	if (!watch->list)
		pause_then(watch, &err, -1, begin_list);
}

static bool on_watch_record(void *context, enum kube_record_change change, void *record,
                            struct err *err)
{
	struct kube_watch *watch = context;
	const struct kube_record_meta *meta = kube_record_reader_meta(watch->reader);

	if (change == KUBE_RECORD_ERROR) {
		watch->has_expired = meta->error_code == 410;
		return err_set(err, ERR_FAILED, "%s", meta->error_message);
	}
	watch->has_event = true;
	if (*meta->resource_version && !set_version(watch, meta->resource_version, err))
		return false;
	if (change == KUBE_RECORD_BOOKMARK)
		return true;
	return watch->options.on_record(watch->options.context, change, record, err);
}

static bool on_body(void *context, const char *data, size_t len, struct err *err)
{
	struct kube_watch *watch = context;

	return kube_record_reader_feed(watch->reader, data, len, err);
}

// The end of a watch. What ended soon or failed pauses first.
static void on_watch_done(void *context, const struct kube_result *result)
{
	struct kube_watch *watch = context;
	bool has_expired = watch->has_expired || (result->refusal && result->refusal->code == 410);
	bool was_short = now_ms(watch) - watch->began_ms < SHORT_MS;
	const struct err *failure = has_expired ? NULL : result->failure;
	void (*next)(void *) = has_expired ? begin_list : begin_watch;

	watch->is_watching = false;
	if (was_short || (failure && !watch->has_event))
		pause_then(watch, failure, result->retry_after_ms, next);
	else
		loop_timer_set(kube_client_loop(watch->client), &watch->timer, 0, next, watch);
}

static void write_path(const struct kube_watch *watch, struct strbuf *path)
{
	const struct kube_watch_options *options = &watch->options;
	char limit[16];

	snprintf(limit, sizeof(limit), "%" PRId64, options->server_limit_s);
	kube_path_write(path, options->collection, options->namespace, NULL);
	if (options->label_selector)
		kube_query_add(path, "labelSelector", options->label_selector);
	if (options->field_selector)
		kube_query_add(path, "fieldSelector", options->field_selector);
	kube_query_add(path, "watch", "1");
	kube_query_add(path, "allowWatchBookmarks", "true");
	kube_query_add(path, "timeoutSeconds", limit);
	kube_query_add(path, "resourceVersion", watch->version);
}

static int64_t silence_limit_ms(const struct kube_watch_options *options)
{
	return (options->server_limit_s + options->grace_s) * 1000;
}

static void begin_watch(void *context)
{
	struct kube_watch *watch = context;
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	struct kube_call call = {.method = "GET",
	                         .is_stream = true,
	                         .timeout_ms = silence_limit_ms(&watch->options),
	                         .body = on_body,
	                         .done = on_watch_done,
	                         .context = watch};

	kube_record_reader_reset(watch->reader);
	watch->has_event = watch->has_expired = false;
	watch->began_ms = now_ms(watch);
	write_path(watch, &path);
	call.path = strbuf_get(&path);
	if (strbuf_ok(&path, &err) && kube_client_start(watch->client, &call, &watch->call_id, &err))
		watch->is_watching = true;
	else
		pause_then(watch, &err, -1, begin_watch);
}

struct kube_watch *kube_watch_start(struct kube_client *client,
                                    const struct kube_watch_options *options, struct err *err)
{
	struct kube_watch *watch = mem_alloc(sizeof(*watch));

	if (!watch) {
		err_memory(err);
		return NULL;
	}
	watch->client = client;
	watch->options = *options;
	if (!options->server_limit_s)
		watch->options.server_limit_s = SERVER_LIMIT_S;
	if (!options->grace_s)
		watch->options.grace_s = GRACE_S;
	watch->dice = options->seed ? options->seed : 1;
	watch->reader =
		kube_record_reader_new(options->kind, KUBE_RECORD_WATCH, on_watch_record, watch, err);
	if (!watch->reader) {
		kube_watch_free(watch);
		return NULL;
	}
	loop_timer_set(kube_client_loop(client), &watch->timer, 0, begin_list, watch);
	return watch;
}
