// SPDX-License-Identifier: MIT
// The views, one a file.
#pragma once

#include "tui/view.h"

extern const struct tui_view tui_view_nodes, tui_view_gpus, tui_view_pods, tui_view_jobs,
	tui_view_queue, tui_view_alerts;
