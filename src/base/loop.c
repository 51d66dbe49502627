// SPDX-License-Identifier: MIT
#include "base/loop.h"

#include <errno.h>
#include <limits.h>

#include "base/mem.h"

struct loop {
	const struct clock *clock;
	int64_t now_ms;
	uint64_t round;
	struct loop_watch *watches;
	struct loop_timer *timers;
	struct loop_deferred *deferred, **deferred_end; // in the order in which they were asked for
	struct loop_source *sources;
	struct loop_source *next_source; // of the walk that is going on
	struct pollfd *fds;
	size_t fd_capacity;
};

static int64_t read_clock(const struct loop *loop)
{
	return loop->clock->monotonic_ms(loop->clock->context);
}

static bool reserve_fds(struct loop *loop, size_t count, struct err *err)
{
	struct pollfd *fds;

	if (count <= loop->fd_capacity)
		return true;
	fds = mem_resize(loop->fds, count * 2 * sizeof(*fds));
	if (!fds)
		return err_memory(err);
	loop->fds = fds;
	loop->fd_capacity = count * 2;
	return true;
}

struct loop *loop_new(const struct clock *clock, struct err *err)
{
	struct loop *loop = mem_alloc(sizeof(*loop));

	if (!loop) {
		err_memory(err);
		return NULL;
	}
	loop->clock = clock ? clock : &clock_system;
	loop->now_ms = read_clock(loop);
	loop->deferred_end = &loop->deferred;
	if (!reserve_fds(loop, 8, err)) {
		loop_free(loop);
		return NULL;
	}
	return loop;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	mem_free(loop->fds);
	mem_free(loop);
}

void loop_freep(struct loop **loop)
{
	loop_free(*loop);
}

int64_t loop_now_ms(const struct loop *loop)
{
	return loop->now_ms;
}

void loop_watch(struct loop *loop, struct loop_watch *watch, int fd, short events,
                void (*call)(void *context, short ready), void *context)
{
	if (!watch->loop) {
		watch->loop = loop;
		watch->next = loop->watches;
		watch->ready = 0; // not of this round
		loop->watches = watch;
	} else if (watch->fd != fd) {
		watch->ready = 0;
	}
	watch->fd = fd;
	watch->events = events;
	watch->call = call;
	watch->context = context;
}

void loop_unwatch(struct loop_watch *watch)
{
	struct loop_watch **link;

	if (!watch->loop)
		return;
	for (link = &watch->loop->watches; *link != watch;)
		link = &(*link)->next;
	*link = watch->next;
	watch->loop = NULL;
}

void loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t delay_ms,
                    void (*call)(void *context), void *context)
{
	if (!timer->loop) {
		timer->loop = loop;
		timer->next = loop->timers;
		loop->timers = timer;
	}
	timer->due_ms = read_clock(loop) + delay_ms;
	timer->round = loop->round;
	timer->call = call;
	timer->context = context;
}

void loop_timer_stop(struct loop_timer *timer)
{
	struct loop_timer **link;

	if (!timer->loop)
		return;
	for (link = &timer->loop->timers; *link != timer;)
		link = &(*link)->next;
	*link = timer->next;
	timer->loop = NULL;
}

void loop_defer(struct loop *loop, struct loop_deferred *deferred, void (*call)(void *context),
                void *context)
{
	deferred->call = call;
	deferred->context = context;
	if (deferred->loop)
		return;
	deferred->loop = loop;
	deferred->next = NULL;
	*loop->deferred_end = deferred;
	loop->deferred_end = &deferred->next;
}

void loop_defer_cancel(struct loop_deferred *deferred)
{
	struct loop *loop = deferred->loop;
	struct loop_deferred **link;

	if (!loop)
		return;
	for (link = &loop->deferred; *link != deferred;)
		link = &(*link)->next;
	*link = deferred->next;
	if (loop->deferred_end == &deferred->next)
		loop->deferred_end = link;
	deferred->loop = NULL;
}

void loop_add_source(struct loop *loop, struct loop_source *source)
{
	if (source->loop)
		return;
	source->loop = loop;
	source->count = 0; // not of this round
	source->next = loop->sources;
	loop->sources = source;
}

void loop_remove_source(struct loop_source *source)
{
	struct loop_source **link;

	if (!source->loop)
		return;
	if (source->loop->next_source == source)
		source->loop->next_source = source->next;
	for (link = &source->loop->sources; *link != source;)
		link = &(*link)->next;
	*link = source->next;
	source->loop = NULL;
}

void loop_postpone(struct loop *loop, int64_t ms)
{
	for (struct loop_timer *timer = loop->timers; timer; timer = timer->next)
		timer->due_ms += ms;
}

// Before the wait

static struct loop_timer *first_timer(const struct loop *loop)
{
	struct loop_timer *first = loop->timers;

	for (struct loop_timer *timer = first; timer; timer = timer->next)
		if (timer->due_ms < first->due_ms)
			first = timer;
	return first;
}

// The shorter of two waits in ms, of which -1 is the longest.
static int64_t shorter(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int wait_ms(const struct loop *loop, int timeout_ms)
{
	const struct loop_timer *timer = first_timer(loop);
	int64_t wait = timeout_ms;

	if (loop->deferred)
		return 0;
	if (timer) {
		int64_t left = timer->due_ms - read_clock(loop);

		wait = shorter(wait, left < 0 ? 0 : left);
	}
	for (struct loop_source *source = loop->sources; source; source = source->next)
		wait = shorter(wait, source->poll_timeout(source->context));
	return wait > INT_MAX ? INT_MAX : (int)wait;
}

static bool gather_watches(struct loop *loop, size_t *count, struct err *err)
{
	for (struct loop_watch *watch = loop->watches; watch; watch = watch->next) {
		if (!watch->events)
			continue;
		if (!reserve_fds(loop, *count + 1, err))
			return false;
		loop->fds[(*count)++] = (struct pollfd){watch->fd, watch->events, 0};
	}
	return true;
}

static bool gather_sources(struct loop *loop, size_t *count, struct err *err)
{
	for (struct loop_source *source = loop->sources; source; source = source->next) {
		size_t need =
			source->poll_fds(source->context, loop->fds + *count, loop->fd_capacity - *count);

		if (need > loop->fd_capacity - *count) {
			if (!reserve_fds(loop, *count + need, err))
				return false;
			need = source->poll_fds(source->context, loop->fds + *count, need);
		}
		source->first = *count;
		source->count = need;
		*count += need;
	}
	return true;
}

// After the wait

// Hands out what poll(2) said: no watch was added or removed since gather_watches.
static void note_ready(struct loop *loop)
{
	size_t at = 0;

	for (struct loop_watch *watch = loop->watches; watch; watch = watch->next)
		watch->ready = watch->events ? loop->fds[at++].revents : 0;
}

// The calls change the list, so each search starts over; none is told twice. Those that come
// first in the list are the youngest, which harms nobody: all are told in this round.
static void call_watches(struct loop *loop)
{
	struct loop_watch *watch = loop->watches;

	while (watch) {
		short ready = watch->ready;

		watch->ready = 0;
		if (!ready || !(watch->events || ready & (POLLERR | POLLHUP | POLLNVAL))) {
			watch = watch->next;
			continue;
		}
		watch->call(watch->context, ready);
		watch = loop->watches;
	}
}

static struct loop_timer *first_due(const struct loop *loop, int64_t now)
{
	struct loop_timer *first = NULL;

	for (struct loop_timer *timer = loop->timers; timer; timer = timer->next)
		if (timer->round != loop->round && timer->due_ms <= now &&
		    (!first || timer->due_ms < first->due_ms))
			first = timer;
	return first;
}

// In the order of their time. One that is set by these calls waits for the next round.
static void call_timers(struct loop *loop)
{
	struct loop_timer *timer;

	loop->round++;
	while ((timer = first_due(loop, loop->now_ms))) {
		loop_timer_stop(timer);
		timer->call(timer->context);
	}
}

// Only those that were asked for before this round, or two that ask for each other never end.
static void call_deferred(struct loop *loop)
{
	struct loop_deferred last = {0}, *first;

	loop_defer(loop, &last, NULL, NULL);
	while ((first = loop->deferred) != &last) {
		loop_defer_cancel(first);
		first->call(first->context);
	}
	loop_defer_cancel(&last);
}

static bool call_sources(struct loop *loop, struct err *err)
{
	for (struct loop_source *source = loop->sources; source; source = loop->next_source) {
		loop->next_source = source->next;
		if (!source->dispatch(source->context, loop->fds + source->first, source->count, err))
			return false;
	}
	return true;
}

bool loop_run(struct loop *loop, int timeout_ms, struct err *err)
{
	size_t count = 0;

	if (!gather_watches(loop, &count, err) || !gather_sources(loop, &count, err))
		return false;
	if (poll(loop->fds, (nfds_t)count, wait_ms(loop, timeout_ms)) < 0) {
		if (errno != EINTR && errno != EAGAIN)
			return err_errno(err, "poll");
		for (size_t i = 0; i < count; i++)
			loop->fds[i].revents = 0;
	}
	loop->now_ms = read_clock(loop);
	note_ready(loop);
	call_deferred(loop);
	call_watches(loop);
	call_timers(loop);
	return call_sources(loop, err);
}
