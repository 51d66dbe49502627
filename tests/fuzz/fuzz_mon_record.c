// SPDX-License-Identifier: MIT
// A line of a record; what is read is joined, written and read again.
#include "fuzz.h"

#include <stdlib.h>

#include "mon/model.h"
#include "mon/record.h"

enum { MAX_LINE_BYTES = 64 * 1024 * 1024 };

static struct mon_snapshot *read_again(const struct mon_snapshot *s)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(MAX_LINE_BYTES);
	struct mon_snapshot *again;
	int64_t now_ms;

	if (!mon_record_write(&line, s, true, &err))
		abort();
	again = mon_record_parse(strbuf_get(&line), line.len, &now_ms, &err);
	if (!again || now_ms != s->now_ms)
		abort();
	return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_history_ struct mon_history *history = mon_history_new(&err);
	_cleanup_mon_snapshot_ struct mon_snapshot *again = NULL;
	int64_t now_ms;
	_cleanup_mon_snapshot_ struct mon_snapshot *s =
		mon_record_parse((const char *)data, len, &now_ms, &err);

	if (!s) {
		if (err.kind != ERR_FAILED)
			abort();
		return 0;
	}
	if (!mon_snapshot_finish(s, history, &mon_thresholds_default, now_ms, &err))
		abort();
	again = read_again(s);
	if (again->node_count != s->node_count || again->gpu_count != s->gpu_count ||
	    again->pod_count != s->pod_count || again->job_count != s->job_count)
		abort();
	return 0;
}
