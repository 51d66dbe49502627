// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

static int64_t read_ms(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t wall_ms(void *context)
{
	(void)context;
	return read_ms(CLOCK_REALTIME);
}

static int64_t monotonic_ms(void *context)
{
	(void)context;
	return read_ms(CLOCK_MONOTONIC);
}

const struct clock clock_system = {wall_ms, monotonic_ms, NULL};
