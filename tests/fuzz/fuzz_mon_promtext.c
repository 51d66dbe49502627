// SPDX-License-Identifier: MIT
// An exporter's page: what comes of it does not depend on how it was cut, and no page does harm.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "mon/gpu_page.h"

struct seen {
	size_t samples;
	struct mon_gpu_page page;
};

static bool take(void *context, const struct mon_prom_sample *sample, struct err *err)
{
	struct seen *seen = context;

	seen->samples++;
	if (!*sample->name || sample->label_count > MON_PROM_MAX_LABELS)
		abort();
	return mon_gpu_page_take(&seen->page, sample, err);
}

static int64_t feed(const char *data, size_t len, size_t step, struct seen *seen)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_prom_ struct mon_prom *prom = mon_prom_new(take, seen, &err);
	int64_t malformed;

	if (!prom)
		abort();
	for (size_t at = 0; at < len; at += step)
		if (!mon_prom_feed(prom, data + at, len - at < step ? len - at : step, &err))
			abort();
	if (!mon_prom_finish(prom, &err))
		abort();
	malformed = mon_prom_malformed(prom);
	return malformed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct seen one = {0}, other = {0};

	if (feed((const char *)data, len, 3, &one) != feed((const char *)data, len, len + 1, &other) ||
	    one.samples != other.samples || one.page.count != other.page.count)
		abort();
	for (size_t i = 0; i < one.page.count; i++) {
		const struct mon_reading *use = &one.page.rows[i].values[MON_GPU_UTIL_PCT];

		if (use->is_known && (use->number < 0 || use->number > 100))
			abort();
	}
	mon_gpu_page_release(&one.page);
	mon_gpu_page_release(&other.page);
	return 0;
}
