// SPDX-License-Identifier: MIT
#include "jobs/amount.h"

#include <inttypes.h>

#include "kube/quantity.h"

void jobs_amount_write_cpus(struct strbuf *out, int64_t milli)
{
	struct kube_quantity quantity = {true, milli / 1000, (int32_t)(milli % 1000) * 1000000,
	                                 KUBE_QUANTITY_DECIMAL};

	kube_quantity_write(out, &quantity);
}

void jobs_amount_write_bytes(struct strbuf *out, int64_t bytes)
{
	static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti"};
	size_t unit = 0;
	int64_t tenths = bytes < INT64_MAX / 10 ? bytes * 10 : INT64_MAX;

	for (; tenths >= 10240 && unit + 1 < COUNT_OF(units); unit++)
		tenths /= 1024;
	strbuf_addf(out, "%" PRId64, tenths / 10);
	if (tenths % 10)
		strbuf_addf(out, ".%" PRId64, tenths % 10);
	strbuf_add(out, units[unit]);
}
