// SPDX-License-Identifier: MIT
#include "tui/views.h"

const struct tui_view *const tui_views[TUI_VIEWS] = {
	[TUI_VIEW_NODES] = &tui_view_nodes, [TUI_VIEW_GPUS] = &tui_view_gpus,
	[TUI_VIEW_PODS] = &tui_view_pods,   [TUI_VIEW_JOBS] = &tui_view_jobs,
	[TUI_VIEW_QUEUE] = &tui_view_queue, [TUI_VIEW_ALERTS] = &tui_view_alerts,
};

struct tui_datum tui_view_get(const void *context, size_t row, size_t field)
{
	const struct tui_rows *rows = context;
	const struct tui_column *column = &rows->view->columns[field];

	if (!column->datum)
		return (struct tui_datum){TUI_NOTHING, 0, ""};
	return column->datum(rows->s, row);
}

void tui_view_fields(const struct tui_view *view, const char **ret)
{
	for (size_t i = 0; i < view->column_count; i++)
		ret[i] = view->columns[i].field ? view->columns[i].field : "";
}
