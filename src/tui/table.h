// SPDX-License-Identifier: MIT
// Draws a list as a table: columns that do not fit are left out in their order, the others grow.
#pragma once

#include <stdbool.h>

#include "tui/list.h"
#include "tui/view.h"

// Draws heading and rows into RECT and scrolls the list so that the selected row is seen. PLACE says
// which columns belong. The selected row is shown as such where IS_FOCUSED.
void tui_table_draw(struct tui_canvas *canvas, struct tui_rect rect, struct tui_list *list,
                    const struct mon_snapshot *s, enum tui_place place, bool is_focused);
