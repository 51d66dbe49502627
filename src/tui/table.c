// SPDX-License-Identifier: MIT
#include "tui/table.h"

#include <string.h>

#include "base/strbuf.h"
#include "tui/pen.h"

enum {
	MAX_COLUMNS = 32,
	MAX_TEXT_BYTES = 256,
	MARK_COLUMNS = 1,
	NAME_AT_MOST = 20,
	LEAST_WIDTH = 6
};

struct fit {
	int widths[MAX_COLUMNS]; // 0: left out
	size_t count;
};

static int total_width(const struct fit *fit)
{
	int total = MARK_COLUMNS;

	for (size_t i = 0; i < fit->count; i++)
		if (fit->widths[i])
			total += fit->widths[i] + 1;
	return total - 1;
}

// The column that goes first, or COUNT where all must stay.
static size_t next_to_drop(const struct tui_view *view, const struct fit *fit)
{
	size_t found = fit->count;

	for (size_t i = 0; i < fit->count; i++)
		if (fit->widths[i] && view->columns[i].drop &&
		    (found == fit->count || view->columns[i].drop >= view->columns[found].drop))
			found = i;
	return found;
}

// Columns that the first cell of the row needs.
static int first_width(const struct tui_canvas *canvas, const struct tui_list *list,
                       const struct mon_snapshot *s, size_t row)
{
	_cleanup_strbuf_ struct strbuf id = STRBUF_INIT(4 * TUI_ID_BYTES);
	const struct tui_column *column = &list->view->columns[0];
	struct tui_datum datum = column->datum(s, row);

	if (!column->draw)
		return datum.type == TUI_TEXT ? tui_text_width(canvas, datum.text) : 0;
	list->view->identify(s, row, &id);
	return tui_text_width(canvas, strbuf_get(&id));
}

// Names deserve room before columns that may be left out do: the first column takes what its longest
// text needs, up to NAME_AT_MOST.
static int name_width(const struct tui_canvas *canvas, const struct tui_list *list,
                      const struct mon_snapshot *s)
{
	int width = list->view->columns[0].width;

	for (size_t i = 0; i < list->count && width < NAME_AT_MOST; i++) {
		int wanted = first_width(canvas, list, s, list->rows[i]);

		width = wanted > width ? wanted : width;
	}
	return width > NAME_AT_MOST ? NAME_AT_MOST : width;
}

// Gives LEFT columns of the screen to the table's columns that always stay, or to the others, one each
// in turn. Returns what nobody could use.
static int grow(const struct tui_view *view, struct fit *fit, int left, bool of_lasting)
{
	for (bool has_grown = true; has_grown && left > 0;) {
		has_grown = false;
		for (size_t i = 0; i < fit->count && left > 0; i++)
			if (fit->widths[i] && fit->widths[i] < view->columns[i].widest &&
			    (view->columns[i].drop == 0) == of_lasting) {
				fit->widths[i]++;
				left--;
				has_grown = true;
			}
	}
	return left;
}

// Where no more column may go, the widest give way.
static void shrink(struct fit *fit, int width)
{
	while (total_width(fit) > width) {
		size_t widest = 0;

		for (size_t i = 1; i < fit->count; i++)
			if (fit->widths[i] > fit->widths[widest])
				widest = i;
		if (fit->widths[widest] <= LEAST_WIDTH)
			return; // cut on the right
		fit->widths[widest]--;
	}
}

static struct fit fit_columns(const struct tui_canvas *canvas, const struct tui_list *list,
                              const struct mon_snapshot *s, enum tui_place place, int width)
{
	const struct tui_view *view = list->view;
	struct fit fit = {{0}, view->column_count < MAX_COLUMNS ? view->column_count : MAX_COLUMNS};

	for (size_t i = 0; i < fit.count; i++)
		if (view->columns[i].place == TUI_ANYWHERE || view->columns[i].place == place)
			fit.widths[i] = view->columns[i].width;
	if (fit.widths[0] && !view->columns[0].is_right && view->columns[0].datum)
		fit.widths[0] = name_width(canvas, list, s);
	while (total_width(&fit) > width) {
		size_t drop = next_to_drop(view, &fit);

		if (drop == fit.count)
			break;
		fit.widths[drop] = 0;
	}
	shrink(&fit, width);
	grow(view, &fit, grow(view, &fit, width - total_width(&fit), true), false);
	return fit;
}

// "GPU%" with the sign of the direction where the list is sorted by it: ^ rises, v falls.
static void draw_heading(const struct tui_pen *pen, const struct tui_list *list, size_t column)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct tui_column *it = &list->view->columns[column];
	bool is_number = false;

	strbuf_add(&text, it->title);
	if (list->sort == (int)column) {
		if (list->count && it->datum)
			is_number = it->datum(pen->s, list->rows[0]).type == TUI_NUMBER;
		strbuf_add_char(&text, list->is_reverse != is_number ? 'v' : '^');
	}
	tui_draw_text(pen, TUI_HEADING, strbuf_get(&text));
}

static void draw_datum(const struct tui_pen *pen, const struct tui_column *column, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	struct tui_datum datum =
		column->datum ? column->datum(pen->s, row) : (struct tui_datum){TUI_NOTHING, 0, ""};

	if (datum.type == TUI_NUMBER)
		strbuf_addf(&text, "%.0f", datum.number);
	if (datum.type == TUI_NOTHING || (datum.type == TUI_TEXT && !*datum.text))
		tui_draw_text(pen, TUI_FAINT, "-");
	else
		tui_draw_text(pen, TUI_PLAIN, datum.type == TUI_TEXT ? datum.text : strbuf_get(&text));
}

static void draw_row(struct tui_canvas *canvas, struct tui_rect rect, int at,
                     const struct tui_list *list, const struct mon_snapshot *s,
                     const struct fit *fit, size_t row)
{
	const struct tui_view *view = list->view;
	struct tui_pen pen = {canvas, s, rect.row + at, rect.column + MARK_COLUMNS, 0, false};
	int end = rect.column + rect.columns;
	char mark[2] = {view->mark ? view->mark(s, row) : ' ', '\0'};

	tui_put(canvas, pen.row, rect.column, 1, *mark == '!' ? TUI_FAULT : TUI_PLAIN, mark);
	for (size_t i = 0; i < fit->count && pen.column < end; i++) {
		if (!fit->widths[i])
			continue;
		pen.width = fit->widths[i] < end - pen.column ? fit->widths[i] : end - pen.column;
		pen.is_right = view->columns[i].is_right;
		if (view->columns[i].draw)
			view->columns[i].draw(&pen, row);
		else
			draw_datum(&pen, &view->columns[i], row);
		pen.column += fit->widths[i] + 1;
	}
}

static void draw_headings(struct tui_canvas *canvas, struct tui_rect rect,
                          const struct tui_list *list, const struct mon_snapshot *s,
                          const struct fit *fit)
{
	struct tui_pen pen = {canvas, s, rect.row, rect.column + MARK_COLUMNS, 0, false};
	int end = rect.column + rect.columns;

	for (size_t i = 0; i < fit->count && pen.column < end; i++) {
		if (!fit->widths[i])
			continue;
		pen.width = fit->widths[i] < end - pen.column ? fit->widths[i] : end - pen.column;
		pen.is_right = list->view->columns[i].is_right;
		draw_heading(&pen, list, i);
		pen.column += fit->widths[i] + 1;
	}
}

void tui_table_draw(struct tui_canvas *canvas, struct tui_rect rect, struct tui_list *list,
                    const struct mon_snapshot *s, enum tui_place place, bool is_focused)
{
	int visible = rect.rows - 1;
	struct fit fit;

	if (rect.rows <= 0 || rect.columns <= 0)
		return;
	fit = fit_columns(canvas, list, s, place, rect.columns);
	draw_headings(canvas, rect, list, s, &fit);
	tui_list_scroll(list, (size_t)visible);
	if (!list->count && visible > 0)
		tui_put(canvas, rect.row + 1, rect.column + MARK_COLUMNS, rect.columns - MARK_COLUMNS,
		        TUI_FAINT, list->total ? "no row matches" : list->view->empty);
	for (int i = 0; i < visible && list->top + (size_t)i < list->count; i++) {
		size_t at = list->top + (size_t)i;

		draw_row(canvas, rect, i + 1, list, s, &fit, list->rows[at]);
		if (at != list->at || (!is_focused && list->view != tui_views[TUI_VIEW_NODES]))
			continue;
		tui_put(canvas, rect.row + 1 + i, rect.column, 1, TUI_PLAIN, ">");
		if (is_focused)
			tui_restyle(canvas, rect.row + 1 + i, rect.column, rect.columns, TUI_SELECTED);
	}
}
