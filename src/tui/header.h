// SPDX-License-Identifier: MIT
// The lines around the tables: who and when, totals, alerts, map, titles, keys.
#pragma once

#include "mon/model.h"
#include "tui/canvas.h"
#include "tui/list.h"

// What the first line says beside the snapshot.
struct tui_moment {
	int64_t now_ms;   // since the epoch
	int64_t paused_s; // for how long the picture has stood still; below 0: it does not
	int64_t interval_s;
	int64_t late_s; // how old the picture is, where that is longer than it should be; else 0
};

// The first line, the totals with their bars, and what is wrong.
void tui_draw_header(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s,
                     const struct tui_moment *moment);
void tui_draw_totals(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s);
void tui_draw_alerts(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s);

// All of it in one line, for very small screens.
void tui_draw_line(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s);

// One character a node, in their order.
void tui_draw_map(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s);

// Curves of the whole cluster, and the newest alerts beside the tables.
void tui_draw_graphs(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s);
void tui_draw_side(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s);

// "-- gpus  of gpu-a ------ 1-8 of 8", for a list of which VISIBLE rows are drawn.
void tui_draw_title(struct tui_canvas *canvas, struct tui_rect rect, const struct tui_list *list,
                    int visible);

// The page, order and filter of a long list, and whose GPUs are idle.
void tui_draw_status(struct tui_canvas *canvas, struct tui_rect rect, const struct tui_list *list,
                     const char *filter, int visible, const struct mon_snapshot *s);

// The keys that there are.
void tui_draw_footer(struct tui_canvas *canvas, struct tui_rect rect);

// All keys and the filter language, from line TOP. Returns the lines that there are.
int tui_draw_help(struct tui_canvas *canvas, struct tui_rect rect, int top);
