// SPDX-License-Identifier: MIT
// Job arrays as Slurm writes them: "0-15", "1-7:2", "0-99%4".
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum { KUBE_ARRAY_MAX_TASKS = 100000 }; // parallelism and completions of an Indexed Job end there

struct kube_array {
	bool is_set;
	int64_t first, last, step; // last is a task: first plus a multiple of step
	int64_t at_once;           // how many may run at a time; 0: all
};

// "FROM-TO[:STEP][%AT_ONCE]", as sbatch --array takes it.
bool kube_array_parse(const char *text, struct kube_array *ret, struct err *err) _nodiscard_;

// How many tasks there are.
int64_t kube_array_count(const struct kube_array *array);

// Are the task numbers the completion indices themselves (first 0, step 1)?
bool kube_array_is_plain(const struct kube_array *array);
