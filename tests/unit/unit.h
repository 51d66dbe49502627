// SPDX-License-Identifier: MIT
// What every unit test includes after the header that it tests.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"

// Makes the Nth allocation from now fail, once; 0 ends it. Not for code that runs in parallel.
static inline size_t *unit_countdown(void)
{
	static size_t left;

	return &left;
}

static inline bool unit_allocation_hook(size_t size)
{
	size_t *left = unit_countdown();

	(void)size;
	return *left && --*left == 0;
}

static inline void unit_fail_allocation(size_t nth)
{
	*unit_countdown() = nth;
	mem_set_failure_hook(nth ? unit_allocation_hook : NULL);
}
