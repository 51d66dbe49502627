// SPDX-License-Identifier: MIT
// What every harness offers: libFuzzer calls it with new inputs, replay.c with the stored ones.
// It returns 0, or aborts when something that must hold does not.
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
