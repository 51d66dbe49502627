// SPDX-License-Identifier: MIT
// Numbers, durations and words from text: the whole string, or an error that quotes it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

// A decimal integer in [min, max]; an optional sign, no blanks.
bool parse_i64(const char *text, int64_t min, int64_t max, int64_t *ret,
               struct err *err) _nodiscard_;

// A duration as kubectl or Slurm write it: 90s, 2h30m, 1d, HH:MM:SS, D-HH:MM:SS, D-HH; in
// seconds, at least MIN_S and at most 100 years. A bare number other than 0 is refused: Slurm
// reads minutes there and kubectl seconds.
bool parse_duration_s(const char *text, int64_t min_s, int64_t *ret_s, struct err *err) _nodiscard_;

// The index of TEXT among the NULL-terminated WORDS; the error lists them.
bool parse_word(const char *text, const char *const *words, size_t *ret,
                struct err *err) _nodiscard_;
