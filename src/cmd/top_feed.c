// SPDX-License-Identifier: MIT
#include "cmd/top_feed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "mon/collect.h"
#include "mon/record.h"

enum {
	STOP_MS = 20,
	MESSAGE_BYTES = 256,
	LEAST_STEP_MS = 100,
	MOST_STEP_MS = 10000,
	REST_FACTOR = 4
};

struct top_feed {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct mon_snapshot *latest; // guarded, as all up to the next blank line
	char message[MESSAGE_BYTES];
	bool has_message, must_stop, is_done;
	int interval_s;

	int wake[2];
	struct top_source source;
	struct mon_history *history; // the thread's own, as all from here
	struct mon_store *store;
	FILE *record;
	bool is_recording;
	int64_t failed_ms; // since when the API server does not answer; 0: it does
};

static void wake(struct top_feed *feed)
{
	(void)!write(feed->wake[1], "", 1); // a full pipe wakes as well
}

static void publish(struct top_feed *feed, struct mon_snapshot *s)
{
	struct mon_snapshot *old;

	pthread_mutex_lock(&feed->lock);
	old = feed->latest;
	feed->latest = s;
	pthread_mutex_unlock(&feed->lock);
	mon_snapshot_free(old);
	wake(feed);
}

static void say(struct top_feed *feed, const char *text)
{
	_cleanup_strbuf_ struct strbuf clean = STRBUF_INIT(16 * MESSAGE_BYTES);
	size_t len;

	text_sanitize(&clean, text, strnlen(text, MESSAGE_BYTES), TEXT_ONE_LINE);
	len = clean.len < MESSAGE_BYTES ? clean.len : MESSAGE_BYTES - 1;
	pthread_mutex_lock(&feed->lock);
	memcpy(feed->message, strbuf_get(&clean), len);
	feed->message[len] = '\0';
	feed->has_message = true;
	pthread_mutex_unlock(&feed->lock);
	wake(feed);
}

static bool is_stopped(struct top_feed *feed)
{
	bool must_stop;

	pthread_mutex_lock(&feed->lock);
	must_stop = feed->must_stop;
	pthread_mutex_unlock(&feed->lock);
	return must_stop;
}

// Waits, at least LEAST_MS; with MS below 0 for the interval, which may change meanwhile. False: the end.
static bool rest(struct top_feed *feed, int64_t ms, int64_t least_ms)
{
	struct timespec until;
	bool must_stop;

	clock_gettime(CLOCK_REALTIME, &until);
	pthread_mutex_lock(&feed->lock);
	if (ms < 0)
		ms = feed->interval_s * 1000;
	ms = ms < least_ms ? least_ms : ms;
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (!feed->must_stop &&
	       pthread_cond_timedwait(&feed->changed, &feed->lock, &until) != ETIMEDOUT)
		;
	must_stop = feed->must_stop;
	pthread_mutex_unlock(&feed->lock);
	return !must_stop;
}

static bool record(struct top_feed *feed, const struct mon_snapshot *s, struct err *err)
{
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(MON_RECORD_MAX_LINE_BYTES);

	if (!feed->record)
		return true;
	if (!mon_record_write(&line, s, !feed->is_recording, err))
		return false;
	feed->is_recording = true;
	if (fputs(strbuf_get(&line), feed->record) < 0 || fflush(feed->record) != 0)
		return err_errno(err, "%s", feed->source.record);
	return true;
}

static int64_t now_ms(const struct top_feed *feed)
{
	return feed->source.clock->wall_ms(feed->source.clock->context);
}

// One round of asking. A server that does not answer leaves the old figures, which grow stale.
static struct mon_snapshot *collect(struct top_feed *feed, struct err *err)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = mon_snapshot_new(err);
	_cleanup_err_ struct err failure = ERR_INIT;
	struct mon_collect_options options = {.client = cmd_cluster_client(feed->source.cluster),
	                                      .clock = feed->source.clock,
	                                      .wants_gpus = true};

	if (!s)
		return NULL;
	s->link = MON_LINK_LIVE;
	s->interval_ms = feed->source.interval_s * 1000;
	if (mon_collect(&options, feed->store, &failure)) {
		feed->failed_ms = 0;
	} else {
		feed->failed_ms = feed->failed_ms ? feed->failed_ms : now_ms(feed);
		s->link = MON_LINK_DOWN;
		s->link_since_ms = feed->failed_ms;
		s->link_error = mon_snapshot_text(s, err_message(&failure));
	}
	mon_store_pour(feed->store, s);
	mon_snapshot_infer_jobs(s);
	if (!mon_snapshot_finish(s, feed->history, &mon_thresholds_default, now_ms(feed), err))
		return NULL;
	return TAKE(s);
}

static void run_live(struct top_feed *feed)
{
	while (!is_stopped(feed)) {
		_cleanup_err_ struct err err = ERR_INIT;
		int64_t begin_ms = feed->source.clock->monotonic_ms(feed->source.clock->context), took_ms;
		struct mon_snapshot *s = collect(feed, &err);

		if (s && !record(feed, s, &err))
			say(feed, err_message(&err));
		if (!s)
			say(feed, err_message(&err));
		else
			publish(feed, s);
		took_ms = feed->source.clock->monotonic_ms(feed->source.clock->context) - begin_ms;
		// A slow server is not asked all the time.
		if (!rest(feed, -1, took_ms * REST_FACTOR))
			return;
	}
}

// The next line of the record that can be read, finished; NULL at the end. Others are counted.
static struct mon_snapshot *next_line(FILE *file, struct mon_history *history, size_t *bad)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	struct mon_snapshot *s = NULL;

	while (!s && (len = getline(&line, &room, file)) >= 0) {
		_cleanup_err_ struct err err = ERR_INIT;
		int64_t time_ms;

		if ((size_t)len <= MON_RECORD_MAX_LINE_BYTES)
			s = mon_record_parse(line, (size_t)len, &time_ms, &err);
		if (s && !mon_snapshot_finish(s, history, &mon_thresholds_default, time_ms, &err)) {
			mon_snapshot_free(s);
			s = NULL;
		}
		*bad += !s;
	}
	free(line);
	return s;
}

static FILE *open_record(const char *path, const char *mode, struct err *err)
{
	FILE *file = fopen(path, mode);

	if (!file)
		err_errno(err, "%s", path);
	return file;
}

static void run_replay(struct top_feed *feed)
{
	_cleanup_err_ struct err err = ERR_INIT;
	FILE *file = open_record(feed->source.replay, "r", &err);
	struct mon_snapshot *s;
	int64_t last_ms = 0;
	size_t bad = 0;

	if (!file) {
		say(feed, err_message(&err));
		return;
	}
	while ((s = next_line(file, feed->history, &bad)) != NULL) {
		int64_t step_ms = last_ms ? s->now_ms - last_ms : 0;

		last_ms = s->now_ms;
		step_ms = step_ms > MOST_STEP_MS ? MOST_STEP_MS : step_ms;
		if (step_ms && !rest(feed, step_ms, LEAST_STEP_MS)) {
			mon_snapshot_free(s);
			break;
		}
		publish(feed, s);
	}
	fclose(file);
	say(feed, bad ? "end of the record; some lines could not be read" : "end of the record");
}

static void *run(void *context)
{
	struct top_feed *feed = context;

	if (feed->source.cluster)
		run_live(feed);
	else
		run_replay(feed);
	pthread_mutex_lock(&feed->lock);
	feed->is_done = true;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	return NULL;
}

static void release(struct top_feed *feed)
{
	if (!feed)
		return;
	if (feed->record)
		fclose(feed->record);
	mon_snapshot_free(feed->latest);
	mon_history_free(feed->history);
	mon_store_free(feed->store);
	cmd_cluster_close(feed->source.cluster);
	mem_free(feed->source.replay);
	if (feed->wake[0] >= 0)
		close(feed->wake[0]);
	if (feed->wake[1] >= 0)
		close(feed->wake[1]);
	mem_free(feed);
}

// Signals are the screen's.
static bool start_thread(struct top_feed *feed, struct err *err)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, old;
	int code;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	code = pthread_create(&thread, &attributes, run, feed);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	if (code) {
		errno = code;
		return err_errno(err, "thread of the collectors");
	}
	return true;
}

static bool open_pipe(int fds[2], struct err *err)
{
	if (pipe(fds) != 0)
		return err_errno(err, "pipe");
	for (int i = 0; i < 2; i++) {
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
		fcntl(fds[i], F_SETFL, O_NONBLOCK);
	}
	return true;
}

struct top_feed *top_feed_start(struct top_source *source, struct err *err)
{
	struct top_feed *feed = mem_alloc(sizeof *feed);

	if (!feed) {
		cmd_cluster_close(TAKE(source->cluster));
		mem_free(TAKE(source->replay));
		err_memory(err);
		return NULL;
	}
	feed->source = *source;
	source->cluster = NULL;
	source->replay = NULL;
	feed->interval_s = feed->source.interval_s;
	feed->wake[0] = feed->wake[1] = -1;
	pthread_mutex_init(&feed->lock, NULL);
	pthread_cond_init(&feed->changed, NULL);
	if (!(feed->history = mon_history_new(err)) || !(feed->store = mon_store_new(err)) ||
	    !open_pipe(feed->wake, err) ||
	    (feed->source.record && !(feed->record = open_record(feed->source.record, "a", err))) ||
	    !start_thread(feed, err)) {
		release(feed);
		return NULL;
	}
	return feed;
}

bool top_feed_is_replay(const struct top_feed *feed)
{
	return feed->source.replay;
}

int top_feed_fd(const struct top_feed *feed)
{
	return feed->wake[0];
}

struct mon_snapshot *top_feed_take(struct top_feed *feed)
{
	struct mon_snapshot *s;
	char bytes[64];

	while (read(feed->wake[0], bytes, sizeof bytes) > 0)
		;
	pthread_mutex_lock(&feed->lock);
	s = TAKE(feed->latest);
	pthread_mutex_unlock(&feed->lock);
	return s;
}

bool top_feed_message(struct top_feed *feed, char *ret, size_t size)
{
	bool has_message;

	pthread_mutex_lock(&feed->lock);
	has_message = feed->has_message;
	feed->has_message = false;
	if (has_message) {
		size_t len = strlen(feed->message);

		len = len < size ? len : size - 1;
		memcpy(ret, feed->message, len);
		ret[len] = '\0';
	}
	pthread_mutex_unlock(&feed->lock);
	return has_message;
}

void top_feed_set_interval_s(struct top_feed *feed, int seconds)
{
	pthread_mutex_lock(&feed->lock);
	feed->interval_s = seconds;
	pthread_mutex_unlock(&feed->lock);
}

void top_feed_stop(struct top_feed *feed)
{
	struct timespec until;
	bool is_done;

	if (!feed)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += STOP_MS * 1000000L;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&feed->lock);
	feed->must_stop = true;
	pthread_cond_broadcast(&feed->changed);
	while (!feed->is_done &&
	       pthread_cond_timedwait(&feed->changed, &feed->lock, &until) != ETIMEDOUT)
		;
	is_done = feed->is_done;
	pthread_mutex_unlock(&feed->lock);
	if (is_done)
		release(feed);
}

struct mon_snapshot *top_feed_last(const char *path, size_t *ret_bad, struct err *err)
{
	_cleanup_mon_history_ struct mon_history *history = mon_history_new(err);
	FILE *file = history ? open_record(path, "r", err) : NULL;
	struct mon_snapshot *last = NULL, *s;

	*ret_bad = 0;
	if (!file)
		return NULL;
	while ((s = next_line(file, history, ret_bad)) != NULL) {
		mon_snapshot_free(last);
		last = s;
	}
	fclose(file);
	if (!last)
		err_set(err, ERR_FAILED, "%s: no line of it is a record", path);
	return last;
}

bool top_feed_append(const char *path, const char *line, size_t len, struct err *err)
{
	FILE *file = open_record(path, "a", err);
	bool is_ok = file && fwrite(line, 1, len, file) == len;

	if (!file)
		return false;
	if (fclose(file) != 0 || !is_ok)
		return err_errno(err, "%s", path);
	return true;
}
