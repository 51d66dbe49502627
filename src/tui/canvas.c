// SPDX-License-Identifier: MIT
#include "tui/canvas.h"

#include <string.h>
#include <wchar.h>

#include "base/mem.h"
#include "base/text.h"

static int ascii_width(uint32_t c)
{
	return c >= 0x20 && c < 0x7f ? 1 : -1;
}

static int locale_width(uint32_t c)
{
	return wcwidth((wchar_t)c);
}

const struct tui_charset tui_ascii = {true, ascii_width};
const struct tui_charset tui_utf8 = {false, locale_width};

static int clamped(int side)
{
	return side < 0 ? 0 : side > TUI_MAX_SIDE ? TUI_MAX_SIDE : side;
}

bool tui_canvas_resize(struct tui_canvas *canvas, int rows, int columns,
                       const struct tui_charset *charset, struct err *err)
{
	size_t count = (size_t)clamped(rows) * (size_t)clamped(columns);
	struct tui_cell *cells = mem_resize(canvas->cells, (count ? count : 1) * sizeof *cells);

	if (!cells)
		return err_memory(err);
	*canvas = (struct tui_canvas){clamped(rows), clamped(columns), cells, charset};
	tui_canvas_clear(canvas);
	return true;
}

static const struct tui_cell blank = {" ", 1, TUI_PLAIN};

void tui_canvas_clear(struct tui_canvas *canvas)
{
	for (int i = 0; i < canvas->rows * canvas->columns; i++)
		canvas->cells[i] = blank;
}

// The cell at the place, or NULL outside.
static struct tui_cell *cell_at(const struct tui_canvas *canvas, int row, int column)
{
	if (row < 0 || column < 0 || row >= canvas->rows || column >= canvas->columns)
		return NULL;
	return &canvas->cells[row * canvas->columns + column];
}

// A wide character that is half drawn over becomes blanks.
static void unwiden(struct tui_canvas *canvas, int row, int column)
{
	struct tui_cell *cell = cell_at(canvas, row, column);
	struct tui_cell *left = cell_at(canvas, row, column - 1);
	struct tui_cell *right = cell_at(canvas, row, column + 1);

	if (cell->width == 0 && left)
		*left = (struct tui_cell){" ", 1, left->style};
	if (cell->width == 2 && right)
		*right = (struct tui_cell){" ", 1, right->style};
}

static void set(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
                const char *text, size_t len)
{
	for (int i = 0; i < width; i++) {
		struct tui_cell *cell = cell_at(canvas, row, column + i);

		if (!cell)
			return;
		unwiden(canvas, row, column + i);
		*cell = (struct tui_cell){"", 0, (unsigned char)style};
		if (i)
			continue;
		memcpy(cell->text, text, len);
		cell->width = (unsigned char)width;
	}
}

// A mark that has no width of its own joins the character before it, while there is room.
static void combine(struct tui_canvas *canvas, int row, int column, const char *text, size_t len)
{
	struct tui_cell *cell = cell_at(canvas, row, column);
	size_t have = cell ? strlen(cell->text) : 0;

	if (!cell || !have || have + len >= sizeof cell->text)
		return;
	memcpy(cell->text + have, text, len);
	cell->text[have + len] = '\0';
}

// The next character of TEXT: its bytes and columns. What cannot be shown is "?".
static size_t next(const struct tui_canvas *canvas, const char *text, const char **ret_text,
                   size_t *ret_len, int *ret_width)
{
	uint32_t c = 0;
	size_t step = text_decode(text, strlen(text), &c);

	*ret_width = step ? canvas->charset->width(c) : -1;
	*ret_text = text;
	*ret_len = step;
	if (*ret_width < 0 || *ret_width > 2 || step >= TUI_CELL_BYTES) {
		*ret_text = "?";
		*ret_len = 1;
		*ret_width = 1;
	}
	return step ? step : 1;
}

int tui_text_width(const struct tui_canvas *canvas, const char *text)
{
	int width = 0;

	while (*text && width < TUI_MAX_SIDE) {
		const char *shown;
		size_t len;
		int columns;

		text += next(canvas, text, &shown, &len, &columns);
		width += columns;
	}
	return width;
}

int tui_put(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
            const char *text)
{
	bool is_cut = tui_text_width(canvas, text) > width;
	int room = is_cut ? width - 1 : width, used = 0, last = -1;

	if (width <= 0)
		return 0;
	while (*text) {
		const char *shown;
		size_t len;
		int columns;

		text += next(canvas, text, &shown, &len, &columns);
		if (used + columns > room)
			break;
		if (columns)
			set(canvas, row, column + used, columns, style, shown, len);
		else if (last >= 0)
			combine(canvas, row, column + last, shown, len);
		last = columns ? used : last;
		used += columns;
	}
	if (is_cut)
		set(canvas, row, column + used++, 1, style, "~", 1);
	return used;
}

void tui_put_right(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
                   const char *text)
{
	int wanted = tui_text_width(canvas, text);
	int skip = wanted < width ? width - wanted : 0;

	tui_put(canvas, row, column + skip, width - skip, style, text);
}

void tui_repeat(struct tui_canvas *canvas, int row, int column, int count, enum tui_style style,
                char c)
{
	for (int i = 0; i < count && column + i < canvas->columns; i++)
		set(canvas, row, column + i, 1, style, &c, 1);
}

void tui_restyle(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style)
{
	for (int i = 0; i < width && column + i < canvas->columns; i++) {
		struct tui_cell *cell = cell_at(canvas, row, column + i);

		if (cell)
			cell->style = (unsigned char)style;
	}
}

// Draws the filled part, in eighths of a column where the characters allow it.
static void fill(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
                 double percent)
{
	static const char *const eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
	double part = percent < 0 ? 0 : percent > 100 ? 1 : percent / 100;
	int filled = (int)(part * width * 8 + 0.5);

	if (canvas->charset->is_ascii) {
		tui_repeat(canvas, row, column, (int)(part * width + 0.5), style, '|');
		return;
	}
	for (int i = 0; i < width && filled > 0; i++, filled -= 8)
		tui_put(canvas, row, column + i, 1, style, eighths[filled > 8 ? 8 : filled]);
}

void tui_bar(struct tui_canvas *canvas, int row, int column, int width, enum tui_style style,
             double percent, const char *label)
{
	int inner = width - 2, label_width = tui_text_width(canvas, label);

	if (inner < label_width) {
		tui_put_right(canvas, row, column, width, style, label);
		return;
	}
	tui_put(canvas, row, column, 1, TUI_PLAIN, "[");
	tui_put(canvas, row, column + width - 1, 1, TUI_PLAIN, "]");
	fill(canvas, row, column + 1, inner - label_width, style, percent);
	tui_put(canvas, row, column + 1 + inner - label_width, label_width, style, label);
}

const char *tui_spark(const struct tui_canvas *canvas, unsigned int percent)
{
	static const char *const levels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {".", ",", "-", "~", "="};

	if (percent > 100)
		return " ";
	if (canvas->charset->is_ascii)
		return ascii[percent / 21];
	return levels[percent * 7 / 100];
}

static int last_used(const struct tui_canvas *canvas, int row)
{
	int last = canvas->columns;

	while (last > 0) {
		const struct tui_cell *cell = cell_at(canvas, row, last - 1);

		if (strcmp(cell->text, " ") != 0 || cell->style == TUI_SELECTED)
			break;
		last--;
	}
	return last;
}

void tui_canvas_write(struct strbuf *out, const struct tui_canvas *canvas)
{
	for (int row = 0; row < canvas->rows; row++) {
		int last = canvas->columns;

		while (last > 0 && strcmp(cell_at(canvas, row, last - 1)->text, " ") == 0)
			last--;
		for (int column = 0; column < last; column++)
			strbuf_add(out, cell_at(canvas, row, column)->text);
		strbuf_add_char(out, '\n');
	}
}

// Select Graphic Rendition (ECMA-48 8.3.117).
static void write_look(struct strbuf *out, enum tui_style style, enum tui_depth depth)
{
	struct tui_look look = tui_style_look(style, depth);

	strbuf_add(out, "\033[0");
	if (look.is_bold)
		strbuf_add(out, ";1");
	if (look.is_underlined)
		strbuf_add(out, ";4");
	if (look.is_reverse)
		strbuf_add(out, ";7");
	if (look.foreground >= 16)
		strbuf_addf(out, ";38;5;%d", look.foreground);
	else if (look.foreground >= 8)
		strbuf_addf(out, ";%d", 90 + look.foreground - 8);
	else if (look.foreground >= 0)
		strbuf_addf(out, ";%d", 30 + look.foreground);
	strbuf_add_char(out, 'm');
}

void tui_canvas_write_ansi(struct strbuf *out, const struct tui_canvas *canvas,
                           enum tui_depth depth)
{
	for (int row = 0; row < canvas->rows; row++) {
		int last = last_used(canvas, row);
		unsigned char style = TUI_PLAIN;

		for (int column = 0; column < last; column++) {
			const struct tui_cell *cell = cell_at(canvas, row, column);

			if (cell->style != style)
				write_look(out, cell->style, depth);
			style = cell->style;
			strbuf_add(out, cell->text);
		}
		strbuf_add(out, style == TUI_PLAIN ? "\n" : "\033[0m\n");
	}
}

void tui_canvas_release(struct tui_canvas *canvas)
{
	mem_free(canvas->cells);
	*canvas = (struct tui_canvas){0};
}
