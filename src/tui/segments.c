// SPDX-License-Identifier: MIT
#include "tui/segments.h"

#include <stdarg.h>
#include <string.h>

void tui_segments_add(struct tui_segments *segments, int drop, enum tui_style style,
                      const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(TUI_SEGMENT_BYTES * 16);
	struct tui_segment *segment;
	size_t len;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	if (!text.len || segments->count == TUI_SEGMENTS)
		return;
	segment = &segments->items[segments->count++];
	len = text.len < TUI_SEGMENT_BYTES ? text.len : TUI_SEGMENT_BYTES - 1;
	memcpy(segment->text, strbuf_get(&text), len);
	segment->text[len] = '\0';
	segment->style = style;
	segment->drop = drop;
}

static int total(const struct tui_segments *segments, const struct tui_canvas *canvas, int gap)
{
	int width = 0;

	for (size_t i = 0; i < segments->count; i++)
		width += tui_text_width(canvas, segments->items[i].text) + (i ? gap : 0);
	return width;
}

// False where all that is left must stay.
static bool drop_one(struct tui_segments *segments)
{
	size_t found = segments->count;

	for (size_t i = 0; i < segments->count; i++)
		if (segments->items[i].drop > 0 &&
		    (found == segments->count || segments->items[i].drop >= segments->items[found].drop))
			found = i;
	if (found == segments->count)
		return false;
	segments->count--;
	memmove(&segments->items[found], &segments->items[found + 1],
	        (segments->count - found) * sizeof segments->items[0]);
	return true;
}

void tui_segments_draw(struct tui_segments *segments, struct tui_canvas *canvas,
                       struct tui_rect rect, int gap, bool is_last_right)
{
	int column = 0;

	if (!rect.rows)
		return;
	while (total(segments, canvas, gap) > rect.columns && drop_one(segments))
		;
	for (size_t i = 0; i < segments->count && column < rect.columns; i++) {
		const struct tui_segment *segment = &segments->items[i];
		int left = rect.columns - column;

		if (is_last_right && i + 1 == segments->count)
			tui_put_right(canvas, rect.row, rect.column + column, left, segment->style,
			              segment->text);
		else
			column += tui_put(canvas, rect.row, rect.column + column, left, segment->style,
			                  segment->text) +
			          gap;
	}
}
