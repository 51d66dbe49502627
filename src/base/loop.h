// SPDX-License-Identifier: MIT
// One poll(2) loop a thread: descriptors, timers, deferred calls, and other event sources.
//
//     loop_watch(loop, &conn->watch, fd, POLLIN, on_readable, conn);
//     loop_timer_set(loop, &conn->deadline, 10000, on_deadline, conn);
//     while (!is_done && loop_run(loop, -1, err))
//         …
//
// Watches, timers, deferred calls and sources are members of their owners' structs, so adding
// and removing them cannot fail and costs no memory. Zeroed is "not in a loop"; each must be
// removed before its memory goes. Callbacks may add and remove any of them, themselves too.
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"

struct loop;

// A descriptor to wait for.
struct loop_watch {
	struct loop *loop; // NULL: not watched
	struct loop_watch *next;
	int fd;
	short events; // POLLIN, POLLOUT; 0 waits for nothing, not even for an error
	short ready;  // what this round's poll(2) said and has not been told yet
	void (*call)(void *context, short ready); // READY may hold POLLERR, POLLHUP and POLLNVAL
	void *context;
};

// A call at a time.
struct loop_timer {
	struct loop *loop; // NULL: not set
	struct loop_timer *next;
	int64_t due_ms; // monotonic
	uint64_t round; // in which it was set
	void (*call)(void *context);
	void *context;
};

// A call in the next round, once.
struct loop_deferred {
	struct loop *loop; // NULL: not asked for
	struct loop_deferred *next;
	void (*call)(void *context);
	void *context;
};

// Something with descriptors of its own, such as a pool of HTTP requests.
struct loop_source {
	struct loop *loop;
	struct loop_source *next;
	size_t first, count; // its part of this round's fds
	size_t (*poll_fds)(void *context, struct pollfd *fds, size_t max); // returns how many it has
	int (*poll_timeout)(void *context);                                // ms; -1: no limit
	bool (*dispatch)(void *context, const struct pollfd *fds, size_t count, struct err *err);
	void *context;
};

// CLOCK is borrowed; NULL is the machine's own. Only its monotonic time is read.
struct loop *loop_new(const struct clock *clock, struct err *err) _nodiscard_;

// Watches, timers and sources must have been removed.
void loop_free(struct loop *loop);
void loop_freep(struct loop **loop);
#define _cleanup_loop_ _cleanup_(loop_freep)

// The monotonic time at which this round began; before the first round, the time of loop_new.
int64_t loop_now_ms(const struct loop *loop);

// Calls as often as FD is ready for EVENTS (as in poll), until loop_unwatch. WATCH belongs to the
// caller and must stay where it is.
void loop_watch(struct loop *loop, struct loop_watch *watch, int fd, short events,
                void (*call)(void *context, short ready), void *context);
void loop_unwatch(struct loop_watch *watch);

// Calls once, DELAY_MS after the time now (read from the clock); a timer that is set is moved.
void loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t delay_ms,
                    void (*call)(void *context), void *context);
void loop_timer_stop(struct loop_timer *timer);

// Asked for twice is called once.
void loop_defer(struct loop *loop, struct loop_deferred *deferred, void (*call)(void *context),
                void *context);
void loop_defer_cancel(struct loop_deferred *deferred);

// The fields that are functions and the context are the caller's; the others are set here.
void loop_add_source(struct loop *loop, struct loop_source *source);
void loop_remove_source(struct loop_source *source);

// Moves all timers by MS: for a callback that has waited for a person to answer, so that nobody
// else's deadline passes meanwhile.
void loop_postpone(struct loop *loop, int64_t ms);

// One round: waits at most TIMEOUT_MS (-1: no limit) for the first event and makes the calls that
// are due. A signal ends the wait early, and the round is then a success. Fails on memory, on
// poll(2), and where a source fails.
bool loop_run(struct loop *loop, int timeout_ms, struct err *err) _nodiscard_;
