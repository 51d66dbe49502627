// SPDX-License-Identifier: MIT
#include "base/loop.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

// A clock that stands still until it is moved.
static int64_t fake_ms;

static int64_t read_fake(void *context)
{
	(void)context;
	return fake_ms;
}

static const struct clock fake_clock = {read_fake, read_fake, NULL};

struct fixture {
	struct loop *loop;
	struct loop_watch watch, other_watch;
	struct loop_timer timers[3];
	struct loop_deferred deferred;
	struct loop_source source;
	int pipe[2], other_pipe[2];
	char order[16];
	size_t calls;
	short ready;
	size_t source_fds, source_calls;
	short source_revents;
};

static int set_up(void **state)
{
	struct fixture *fixture = mem_alloc(sizeof(*fixture));
	_cleanup_err_ struct err err = ERR_INIT;

	fake_ms = 1000;
	fixture->loop = loop_new(&fake_clock, &err);
	*state = fixture;
	return !fixture->loop || pipe(fixture->pipe) || pipe(fixture->other_pipe);
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	loop_unwatch(&fixture->watch);
	loop_unwatch(&fixture->other_watch);
	for (size_t i = 0; i < COUNT_OF(fixture->timers); i++)
		loop_timer_stop(&fixture->timers[i]);
	loop_defer_cancel(&fixture->deferred);
	loop_remove_source(&fixture->source);
	for (size_t i = 0; i < 2; i++) {
		close(fixture->pipe[i]);
		close(fixture->other_pipe[i]);
	}
	loop_free(fixture->loop);
	mem_free(fixture);
	return 0;
}

static void run(struct fixture *fixture, int timeout_ms)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!loop_run(fixture->loop, timeout_ms, &err))
		fail_msg("%s", err_message(&err));
}

static void note(struct fixture *fixture, char what)
{
	fixture->order[fixture->calls++] = what;
}

static void on_ready(void *context, short ready)
{
	struct fixture *fixture = context;

	note(fixture, 'r');
	fixture->ready = ready;
}

static void readable_descriptor_is_told(void **state)
{
	struct fixture *fixture = *state;

	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[0], POLLIN, on_ready, fixture);
	run(fixture, 0);
	assert_int_equal(fixture->calls, 0);
	assert_int_equal(write(fixture->pipe[1], "x", 1), 1);
	run(fixture, -1);
	assert_int_equal(fixture->calls, 1);
	assert_int_equal(fixture->ready & POLLIN, POLLIN);
	run(fixture, 0); // still readable: level, not edge
	assert_int_equal(fixture->calls, 2);
}

static void interest_can_change_and_rest(void **state)
{
	struct fixture *fixture = *state;

	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[1], POLLOUT, on_ready, fixture);
	run(fixture, -1);
	assert_int_equal(fixture->calls, 1);
	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[1], 0, on_ready, fixture);
	run(fixture, 0);
	assert_int_equal(fixture->calls, 1);
	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[1], POLLOUT, on_ready, fixture);
	run(fixture, -1);
	assert_int_equal(fixture->calls, 2);
}

static void on_ready_remove_both(void *context, short ready)
{
	struct fixture *fixture = context;

	(void)ready;
	note(fixture, 'b');
	loop_unwatch(&fixture->watch);
	loop_unwatch(&fixture->other_watch);
}

static void callback_may_remove_itself_and_others(void **state)
{
	struct fixture *fixture = *state;

	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[1], POLLOUT, on_ready_remove_both,
	           fixture);
	loop_watch(fixture->loop, &fixture->other_watch, fixture->other_pipe[1], POLLOUT,
	           on_ready_remove_both, fixture);
	run(fixture, -1);
	assert_int_equal(fixture->calls, 1); // the second was removed before its turn
	run(fixture, 0);
	assert_int_equal(fixture->calls, 1);
}

static void on_ready_add_other(void *context, short ready)
{
	struct fixture *fixture = context;

	(void)ready;
	note(fixture, 'a');
	loop_unwatch(&fixture->watch);
	fixture->other_watch.ready = POLLOUT; // what an earlier loop may have left
	loop_watch(fixture->loop, &fixture->other_watch, fixture->other_pipe[1], POLLOUT, on_ready,
	           fixture);
}

static void watch_added_by_a_callback_waits_for_the_next_round(void **state)
{
	struct fixture *fixture = *state;

	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[1], POLLOUT, on_ready_add_other,
	           fixture);
	run(fixture, -1);
	assert_string_equal(fixture->order, "a");
	run(fixture, -1);
	assert_string_equal(fixture->order, "ar");
}

static void closed_peer_is_told_as_hang_up(void **state)
{
	struct fixture *fixture = *state;

	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[0], POLLIN, on_ready, fixture);
	close(fixture->pipe[1]);
	run(fixture, -1);
	fixture->pipe[1] = open("/dev/null", O_WRONLY);
	assert_int_equal(fixture->ready & POLLHUP, POLLHUP);
}

static void on_timer_1(void *context)
{
	note(context, '1');
}

static void on_timer_2(void *context)
{
	note(context, '2');
}

static void on_timer_again(void *context)
{
	struct fixture *fixture = context;

	note(fixture, 'a');
	loop_timer_set(fixture->loop, &fixture->timers[0], 0, on_timer_again, fixture);
}

static void timers_come_in_order_and_once(void **state)
{
	struct fixture *fixture = *state;

	loop_timer_set(fixture->loop, &fixture->timers[0], 20, on_timer_2, fixture);
	loop_timer_set(fixture->loop, &fixture->timers[1], 10, on_timer_1, fixture);
	run(fixture, 0);
	assert_int_equal(fixture->calls, 0);
	fake_ms += 9;
	run(fixture, 0);
	assert_int_equal(fixture->calls, 0);
	fake_ms += 11;
	run(fixture, 0);
	assert_string_equal(fixture->order, "12");
	fake_ms += 1000;
	run(fixture, 0);
	assert_int_equal(fixture->calls, 2);
}

static void timer_can_move_and_stop(void **state)
{
	struct fixture *fixture = *state;

	loop_timer_set(fixture->loop, &fixture->timers[0], 10, on_timer_1, fixture);
	loop_timer_set(fixture->loop, &fixture->timers[0], 50, on_timer_1, fixture);
	loop_timer_set(fixture->loop, &fixture->timers[1], 10, on_timer_2, fixture);
	loop_timer_stop(&fixture->timers[1]);
	loop_timer_stop(&fixture->timers[1]);
	fake_ms += 20;
	run(fixture, 0);
	assert_int_equal(fixture->calls, 0);
	fake_ms += 30;
	run(fixture, 0);
	assert_string_equal(fixture->order, "1");
}

static void timer_that_sets_itself_lets_the_round_end(void **state)
{
	struct fixture *fixture = *state;

	loop_timer_set(fixture->loop, &fixture->timers[0], 0, on_timer_again, fixture);
	run(fixture, -1);
	assert_string_equal(fixture->order, "a");
	run(fixture, -1);
	assert_string_equal(fixture->order, "aa");
}

static void postponed_timers_wait_longer(void **state)
{
	struct fixture *fixture = *state;

	loop_timer_set(fixture->loop, &fixture->timers[0], 10, on_timer_1, fixture);
	fake_ms += 60000; // a person was asked
	loop_postpone(fixture->loop, 60000);
	run(fixture, 0);
	assert_int_equal(fixture->calls, 0);
	fake_ms += 10;
	run(fixture, 0);
	assert_string_equal(fixture->order, "1");
}

static void timer_ends_the_wait_of_a_real_clock(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_loop_ struct loop *loop = loop_new(NULL, &err);
	int64_t start = loop_now_ms(loop);

	loop_timer_set(loop, &fixture->timers[0], 30, on_timer_1, fixture);
	while (!fixture->calls)
		assert_true(loop_run(loop, -1, &err));
	assert_true(loop_now_ms(loop) - start >= 30);
}

static void on_deferred(void *context)
{
	note(context, 'd');
}

static void on_deferred_again(void *context)
{
	struct fixture *fixture = context;

	note(fixture, 'D');
	loop_defer(fixture->loop, &fixture->deferred, on_deferred_again, fixture);
}

static void deferred_call_comes_once_and_at_once(void **state)
{
	struct fixture *fixture = *state;

	loop_defer(fixture->loop, &fixture->deferred, on_deferred, fixture);
	loop_defer(fixture->loop, &fixture->deferred, on_deferred, fixture);
	assert_int_equal(fixture->calls, 0);
	run(fixture, -1); // does not wait
	assert_string_equal(fixture->order, "d");
	loop_defer(fixture->loop, &fixture->deferred, on_deferred, fixture);
	loop_defer_cancel(&fixture->deferred);
	run(fixture, 0);
	assert_string_equal(fixture->order, "d");
}

static void deferred_call_that_asks_again_lets_the_round_end(void **state)
{
	struct fixture *fixture = *state;

	loop_defer(fixture->loop, &fixture->deferred, on_deferred_again, fixture);
	run(fixture, -1);
	assert_string_equal(fixture->order, "D");
	run(fixture, -1);
	assert_string_equal(fixture->order, "DD");
}

// A source with two hundred descriptors, all the same, and a limit of 0 ms.
static size_t source_poll_fds(void *context, struct pollfd *fds, size_t max)
{
	struct fixture *fixture = context;

	for (size_t i = 0; i < fixture->source_fds && i < max; i++)
		fds[i] = (struct pollfd){fixture->other_pipe[1], POLLOUT, 0};
	return fixture->source_fds;
}

static int source_poll_timeout(void *context)
{
	(void)context;
	return 0;
}

static bool source_dispatch(void *context, const struct pollfd *fds, size_t count, struct err *err)
{
	struct fixture *fixture = context;

	(void)err;
	fixture->source_calls++;
	assert_int_equal(count, fixture->source_fds);
	for (size_t i = 0; i < count; i++)
		fixture->source_revents |= fds[i].revents;
	return true;
}

static void source_gets_its_own_descriptors(void **state)
{
	struct fixture *fixture = *state;

	fixture->source_fds = 200;
	fixture->source.poll_fds = source_poll_fds;
	fixture->source.poll_timeout = source_poll_timeout;
	fixture->source.dispatch = source_dispatch;
	fixture->source.context = fixture;
	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[0], POLLIN, on_ready, fixture);
	loop_add_source(fixture->loop, &fixture->source);
	run(fixture, -1);
	assert_int_equal(fixture->source_calls, 1);
	assert_int_equal(fixture->source_revents, POLLOUT);
	assert_int_equal(fixture->calls, 0);
	loop_remove_source(&fixture->source);
	run(fixture, 0);
	assert_int_equal(fixture->source_calls, 1);
}

static void on_signal(int number)
{
	(void)number;
}

// Sends a signal every 20 ms, so that one comes during the wait however slow the machine is.
static pid_t start_signaller(void)
{
	pid_t child = fork();

	if (child)
		return child;
	for (int i = 0; i < 500; i++) {
		poll(NULL, 0, 20);
		kill(getppid(), SIGUSR1);
	}
	_exit(0);
}

static void signal_ends_the_wait(void **state)
{
	struct fixture *fixture = *state;
	struct sigaction action = {.sa_handler = on_signal};
	int64_t start = clock_system.monotonic_ms(NULL);
	pid_t child;

	sigaction(SIGUSR1, &action, NULL);
	loop_watch(fixture->loop, &fixture->watch, fixture->pipe[0], POLLIN, on_ready, fixture);
	child = start_signaller();
	run(fixture, 9000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(fixture->calls, 0);
	assert_true(clock_system.monotonic_ms(NULL) - start < 9000);
}

static void memory_for_descriptors_may_be_short(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_err_ struct err err = ERR_INIT;

	unit_fail_allocation(1);
	assert_null(loop_new(NULL, &err));
	unit_fail_allocation(2);
	assert_null(loop_new(NULL, &err));
	fixture->source_fds = 1000;
	fixture->source.poll_fds = source_poll_fds;
	fixture->source.poll_timeout = source_poll_timeout;
	fixture->source.dispatch = source_dispatch;
	fixture->source.context = fixture;
	loop_add_source(fixture->loop, &fixture->source);
	unit_fail_allocation(1);
	assert_false(loop_run(fixture->loop, 0, &err));
	unit_fail_allocation(0);
	assert_int_equal(err.kind, ERR_MEMORY);
	run(fixture, 0);
}

#define LOOP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP_TEST(readable_descriptor_is_told),
		LOOP_TEST(interest_can_change_and_rest),
		LOOP_TEST(callback_may_remove_itself_and_others),
		LOOP_TEST(watch_added_by_a_callback_waits_for_the_next_round),
		LOOP_TEST(closed_peer_is_told_as_hang_up),
		LOOP_TEST(timers_come_in_order_and_once),
		LOOP_TEST(timer_can_move_and_stop),
		LOOP_TEST(timer_that_sets_itself_lets_the_round_end),
		LOOP_TEST(postponed_timers_wait_longer),
		LOOP_TEST(timer_ends_the_wait_of_a_real_clock),
		LOOP_TEST(deferred_call_comes_once_and_at_once),
		LOOP_TEST(deferred_call_that_asks_again_lets_the_round_end),
		LOOP_TEST(source_gets_its_own_descriptors),
		LOOP_TEST(signal_ends_the_wait),
		LOOP_TEST(memory_for_descriptors_may_be_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
