// SPDX-License-Identifier: MIT
// The picture of a large cluster: the map, the curves and the column of alerts.
#include "tui/header.h"

#include "mon/show.h"

enum { MAX_TEXT_BYTES = 512, GRAPHS = 4 };

struct spot {
	char sign;
	enum tui_style style;
};

static struct spot spot_of(const struct mon_snapshot *s, const struct mon_node *node)
{
	double use = mon_value_or(&node->gpu_util_pct, -1);

	if (s->now_ms - node->heard_ms > s->thresholds.no_data_s * 1000)
		return (struct spot){'?', TUI_FAULT};
	if (node->gpus_faulty || node->pressure || (node->is_in_api && node->ready != MON_YES))
		return (struct spot){'!', TUI_FAULT};
	if (node->gpus_idle)
		return (struct spot){'.', TUI_AMBER};
	if (!node->gpu_count)
		return (struct spot){'-', TUI_FAINT};
	if (!node->gpus_allocated && node->gpus_allocatable)
		return (struct spot){'_', TUI_LOW};
	if (use < 0)
		return (struct spot){'?', TUI_FAINT};
	return (struct spot){(char)('0' + (use >= 100 ? 9 : (int)(use / 10))),
	                     use < 70 ? TUI_GOOD : TUI_HIGH};
}

void tui_draw_map(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	size_t room;

	if (rect.rows < 2)
		return;
	strbuf_addf(&text, "%zu nodes", s->node_count);
	tui_put(canvas, rect.row, rect.column, rect.columns, TUI_TITLE,
	        "map (1 char = 1 node, busy tenths; .idle _free !fault ?no data)");
	tui_put_right(canvas, rect.row, rect.column + rect.columns - 14, 14, TUI_PLAIN,
	              strbuf_get(&text));
	room = (size_t)(rect.rows - 1) * (size_t)rect.columns;
	for (size_t i = 0; i < s->node_count && i < room; i++) {
		struct spot spot = spot_of(s, &s->nodes[i]);
		int row = rect.row + 1 + (int)(i / (size_t)rect.columns);

		tui_repeat(canvas, row, rect.column + (int)(i % (size_t)rect.columns), 1, spot.style,
		           spot.sign);
	}
	if (s->node_count > room)
		tui_put_right(canvas, rect.row + rect.rows - 1, rect.column + rect.columns - 5, 5, TUI_KEY,
		              " more");
}

// One column of a curve, ROWS high.
static void draw_column(struct tui_canvas *canvas, int row, int column, int rows,
                        unsigned int percent)
{
	int eighths = (int)(percent * (unsigned int)rows * 8 / 100);

	for (int i = 0; i < rows; i++) {
		int part = eighths - i * 8;
		bool is_base = i == 0 && part <= 0;

		if (part <= 0 && !is_base)
			return;
		if (canvas->charset->is_ascii)
			tui_put(canvas, row + rows - 1 - i, column, 1, TUI_GOOD,
			        part >= 8   ? "|"
			        : part >= 4 ? ":"
			                    : ".");
		else
			tui_put(canvas, row + rows - 1 - i, column, 1, TUI_GOOD,
			        tui_spark(canvas, part >= 8 ? 100U
			                          : is_base ? 0U
			                                    : (unsigned int)part * 100 / 8));
	}
}

static void draw_graph(struct tui_canvas *canvas, struct tui_rect rect, const char *name,
                       const struct mon_ring *ring, int64_t now_ms)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	unsigned char last = mon_ring_get(ring, now_ms, 0);

	strbuf_add(&text, name);
	if (last != MON_RING_GAP)
		strbuf_addf(&text, " %u%%", last);
	tui_put(canvas, rect.row, rect.column, rect.columns, TUI_TITLE, strbuf_get(&text));
	for (int i = 0; i < rect.columns && i < MON_RING_SLOTS; i++) {
		unsigned char percent = mon_ring_get(ring, now_ms, (size_t)i);

		if (percent != MON_RING_GAP)
			draw_column(canvas, rect.row + 1, rect.column + rect.columns - 1 - i, rect.rows - 1,
			            percent);
	}
}

void tui_draw_graphs(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s)
{
	static const char *const names[GRAPHS] = {"GPU%", "VRAM%", "CPU%", "power"};
	const struct mon_ring *const rings[GRAPHS] = {&s->rings.gpu, &s->rings.vram, &s->rings.cpu,
	                                              &s->rings.power};
	int width = rect.columns / GRAPHS;

	if (rect.rows < 2)
		return;
	for (int i = 0; i < GRAPHS; i++)
		draw_graph(canvas,
		           (struct tui_rect){rect.row, rect.column + i * width, rect.rows, width - 2},
		           names[i], rings[i], s->now_ms);
}

void tui_draw_side(struct tui_canvas *canvas, struct tui_rect rect, const struct mon_snapshot *s)
{
	if (rect.rows < 2)
		return;
	for (int i = 0; i < rect.rows; i++)
		tui_put(canvas, rect.row + i, rect.column - 1, 1, TUI_FAINT, "|");
	tui_put(canvas, rect.row, rect.column, rect.columns, TUI_TITLE, " alerts, worst first");
	for (int i = 1; i < rect.rows && (size_t)i <= s->alerts.count; i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
		const struct mon_alert *alert = &s->alerts.items[i - 1];
		enum tui_style style = alert->kind < MON_ALERT_IDLE ? TUI_FAULT : TUI_AMBER;

		if (alert->since_ms && !alert->is_older)
			mon_show_age(&text, (s->now_ms - alert->since_ms) / 1000);
		tui_put_right(canvas, rect.row + i, rect.column, 6, TUI_PLAIN,
		              text.len ? strbuf_get(&text) : "?");
		tui_put(canvas, rect.row + i, rect.column + 7, rect.columns - 7, style, alert->text);
	}
}
