// SPDX-License-Identifier: MIT
// What the views draw into cells.
#pragma once

#include "mon/model.h"
#include "tui/view.h"

// Data for sorting and filters.
struct tui_datum tui_number(double number);
struct tui_datum tui_words(const char *text);
struct tui_datum tui_nothing(void);
struct tui_datum tui_value(const struct mon_value *value); // nothing unless it is known

// Text at the pen, on the side that the column has.
void tui_draw_text(const struct tui_pen *pen, enum tui_style style, const char *text);

// The value with its unit scaled, "-" where it was never heard or is too old, "n/a" where it cannot be had.
void tui_draw_value(const struct tui_pen *pen, const struct mon_value *value, double scale,
                    int decimals);

// "61.2/79.6", both divided by SCALE.
void tui_draw_pair(const struct tui_pen *pen, const struct mon_value *used,
                   const struct mon_value *total, double scale);

// A bar of a use in percent: STYLE, or the one that fits the number where STYLE is TUI_PLAIN. No number:
// "stale", "n/a" or "-" in its middle.
void tui_draw_bar(const struct tui_pen *pen, const struct mon_value *percent, enum tui_style style);
void tui_draw_bar_word(const struct tui_pen *pen, const char *word);

// A graph whose newest sample is at the right end; a gap is a blank.
void tui_draw_ring(const struct tui_pen *pen, const struct mon_ring *ring);

// Seconds as short as they can be: 47s, 12m, 3h, 5d. Below 0 is "-".
void tui_draw_age(const struct tui_pen *pen, int64_t seconds);

// The percent that USED is of TOTAL, as old as used; not known where one of them is not.
struct mon_value tui_percent(const struct mon_value *used, const struct mon_value *total);
