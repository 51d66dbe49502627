// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

#include "unit.h"

static void wall_clock_agrees_with_time(void **state)
{
	int64_t before = (int64_t)time(NULL) * 1000;
	int64_t now = clock_system.wall_ms(clock_system.context);
	int64_t after = ((int64_t)time(NULL) + 1) * 1000;

	(void)state;
	// time() may read a coarser clock that lags by a tick.
	assert_in_range(now, before, after + 100);
}

static void monotonic_clock_counts_milliseconds(void **state)
{
	const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
	int64_t start = clock_system.monotonic_ms(clock_system.context), spent;

	(void)state;
	while (nanosleep(&pause, NULL))
		;
	spent = clock_system.monotonic_ms(clock_system.context) - start;
	assert_in_range(spent, 19, 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wall_clock_agrees_with_time),
		cmocka_unit_test(monotonic_clock_counts_milliseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
