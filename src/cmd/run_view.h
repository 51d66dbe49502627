// SPDX-License-Identifier: MIT
// What a run on hosts shows: on a terminal a line a host that is kept up to date, elsewhere a line an
// event, or with -o json an object an event.
#pragma once

#include "boot/inventory.h"
#include "boot/run.h"
#include "cli/context.h"

enum run_view_kind { RUN_VIEW_PLAIN, RUN_VIEW_LIVE, RUN_VIEW_JSON };

struct run_view {
	struct cli_context *context;
	const struct boot_inventory *inventory;
	enum run_view_kind kind;
	char **lines; // LIVE: of the hosts
	size_t count;
	size_t drawn;       // lines of hosts on the terminal now
	size_t name_width;  // columns
	struct strbuf text; // under way to the stream
	bool is_output_over;
};

// LIVE only on a terminal with room for a line a host.
void run_view_init(struct run_view *view, struct cli_context *context,
                   const struct boot_inventory *inventory, bool is_json);
void run_view_release(struct run_view *view);

// boot_run_options.event; the context is the view.
void run_view_event(void *data, const struct boot_event *event);

// A line about the cluster as a whole, harmless. HOST NULL: of no single host.
void run_view_say(struct run_view *view, const char *host, const char *text);

// The last lines that a failed step wrote, and where its log is.
void run_view_failure(struct run_view *view, const struct boot_event *event);

// The end: what has come of it.
void run_view_summary(struct run_view *view, const struct boot_run_summary *summary,
                      int64_t wait_ms, int64_t wall_ms, bool is_changed);
