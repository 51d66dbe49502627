// SPDX-License-Identifier: MIT
// What dcgm-exporter says of one node, from its samples: a row a GPU, or a row an instance of one that is
// cut into several (MIG). Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "mon/model.h"
#include "mon/promtext.h"

enum { MON_PAGE_MAX_GPUS = 1024, MON_PAGE_MAX_HOLDERS = 64 };

// Who uses a GPU, as the exporter has it from the kubelet.
struct mon_holder {
	char *namespace, *pod, *container;
};

// A number that was read, or nothing.
struct mon_reading {
	bool is_known;
	double number;
};

struct mon_gpu_row {
	char *uuid, *model;
	int64_t index;                             // on its node; MON_NO_INDEX: not said
	int64_t instance;                          // of MIG, else MON_WHOLE_GPU
	char *profile;                             // of the instance, "1g.10gb"; NULL: none
	struct mon_reading values[MON_GPU_VALUES]; // in the units of the model
	struct mon_reading active_pct, free_bytes; // of the graphics engine; of the memory
	struct mon_holder *holders;
	size_t holder_count;
};

struct mon_gpu_page {
	struct mon_gpu_row *rows;
	size_t count;
};

// Takes a sample; others than a GPU's are passed over. A GPU that pods share comes once for each: it
// stays one row, with several holders. What cannot be (a use over 100 %) is as if it were not said. Fits
// as the callback of mon_prom_new, with a struct mon_gpu_page as context.
bool mon_gpu_page_take(void *page, const struct mon_prom_sample *sample,
                       struct err *err) _nodiscard_;

// Pours the page into NODE of the snapshot, as measured at AT_MS. A GPU whose use is not said is n/a; an
// instance's use is that of its graphics engine, since it has no other (dcgm-exporter#216).
void mon_gpu_page_pour(const struct mon_gpu_page *page, struct mon_snapshot *s, int64_t node,
                       int64_t at_ms);

void mon_gpu_page_release(struct mon_gpu_page *page);
