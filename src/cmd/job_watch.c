// SPDX-License-Identifier: MIT
#include "cmd/job_watch.h"

#include <inttypes.h>

#include "jobs/missing.h"
#include "jobs/watch.h"

enum { OUT_MAX_BYTES = 64 * 1024 * 1024 };

// Drops jobs that are not chosen from the borrowed listing.
static void drop_others(struct jobs_listing *changed, const struct cmd_job_watch *watch)
{
	size_t kept = 0;

	for (size_t i = 0; i < changed->count; i++)
		if (jobs_item_matches(&changed->items[i], watch->states, watch->user))
			changed->items[kept++] = changed->items[i];
	changed->count = kept;
}

static bool on_change(void *context, struct jobs_listing *changed, struct err *err)
{
	struct cmd_job_watch *watch = context;
	const struct clock *clock = watch->context->clock;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(OUT_MAX_BYTES);
	int64_t now_ms = clock->wall_ms(clock->context);
	bool is_empty = !watch->has_begun && !changed->count;

	watch->has_begun = true;
	if (is_empty && !watch->is_all_namespaces &&
	    jobs_namespace_is_missing(cmd_cluster_client(watch->cluster),
	                              cmd_cluster_namespace(watch->cluster), err))
		return false;
	drop_others(changed, watch);
	jobs_listing_sort(changed, watch->order, now_ms);
	return cmd_jobs_write_more(&out, &watch->stream, changed, now_ms, err) &&
	       cli_write_out(watch->context, &out, err);
}

static void on_trouble(void *context, const struct err *failure, int64_t pause_ms)
{
	const struct cmd_job_watch *watch = context;
	_cleanup_faults_ struct faults faults = FAULTS_INIT;

	faults_warn(&faults, "%s: trying again in %" PRId64 " s", err_message(failure),
	            (pause_ms + 999) / 1000);
	cli_show_warnings(watch->context, &faults);
}

bool cmd_job_watch_run(struct cmd_job_watch *watch, struct err *err)
{
	struct jobs_watch_options options = {
		.namespace = watch->is_all_namespaces ? NULL : cmd_cluster_namespace(watch->cluster),
		.selector = watch->selector,
		.on_change = on_change,
		.on_trouble = on_trouble,
		.context = watch,
	};

	return jobs_watch(cmd_cluster_client(watch->cluster), &options, err);
}
