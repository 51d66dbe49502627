// SPDX-License-Identifier: MIT
// The time, from a clock that tests can replace. Pure code takes times as arguments instead.
#pragma once

#include <stdint.h>

struct clock {
	int64_t (*wall_ms)(void *context);      // since the epoch; may jump
	int64_t (*monotonic_ms)(void *context); // never goes back
	void *context;
};

// The machine's own clock.
extern const struct clock clock_system;
