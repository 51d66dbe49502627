// SPDX-License-Identifier: MIT
// Draws a record as the dashboard does, without a terminal:
//
//     draw RECORD ROWSxCOLUMNS utf8|ascii text|mono|8|16|256 [KEYS]
//
// RECORD is a file of one line. KEYS are pressed before: characters, and <down>, <enter>, <tab>, <f1> ….
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "base/strv.h"
#include "mon/record.h"
#include "tui/screen.h"

enum { MAX_OUT_BYTES = 64 * 1024 * 1024 };

static int named_key(const char **keys)
{
	static const struct {
		const char *name;
		int key;
	} names[] = {
		{"<up>", TUI_KEY_UP},          {"<down>", TUI_KEY_DOWN},  {"<enter>", TUI_KEY_ENTER},
		{"<back>", TUI_KEY_BACK},      {"<esc>", TUI_KEY_ESCAPE}, {"<tab>", TUI_KEY_TAB},
		{"<f1>", TUI_KEY_F1},          {"<f6>", TUI_KEY_F6},      {"<end>", TUI_KEY_END},
		{"<pgdn>", TUI_KEY_PAGE_DOWN}, {"<home>", TUI_KEY_HOME},
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strncmp(*keys, names[i].name, strlen(names[i].name))) {
			*keys += strlen(names[i].name);
			return names[i].key;
		}
	return (unsigned char)*(*keys)++;
}

static bool take_size(const char *text, int *ret_rows, int *ret_columns, struct err *err)
{
	_cleanup_strv_ struct strv parts = STRV_INIT;
	int64_t columns, rows;

	if (!strv_split(&parts, text, 'x', err))
		return false;
	if (parts.count != 2)
		return err_set(err, ERR_USAGE, "%s: not COLUMNSxROWS", text);
	if (!parse_i64(parts.items[0], 0, 1000, &columns, err) ||
	    !parse_i64(parts.items[1], 0, 1000, &rows, err))
		return false;
	*ret_rows = (int)rows;
	*ret_columns = (int)columns;
	return true;
}

static bool press_all(struct tui *tui, struct tui_canvas *canvas, const char *keys, int64_t now_ms,
                      struct err *err)
{
	while (*keys) {
		if (!tui_draw(tui, canvas, now_ms, err))
			return false;
		tui_press(tui, named_key(&keys), now_ms);
	}
	return tui_draw(tui, canvas, now_ms, err);
}

static bool draw(char **argv, struct strbuf *out, struct err *err)
{
	static const char *const depths[] = {"mono", "8", "16", "256", "text", NULL};
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(MON_RECORD_MAX_LINE_BYTES);
	_cleanup_mon_history_ struct mon_history *history = mon_history_new(err);
	_cleanup_mon_snapshot_ struct mon_snapshot *s = NULL;
	_cleanup_tui_canvas_ struct tui_canvas canvas = {0};
	_cleanup_tui_ struct tui *tui = tui_new(err);
	bool is_ascii = strcmp(argv[3], "ascii") == 0;
	int64_t now_ms;
	int rows = 0, columns = 0;
	size_t depth;

	if (!history || !tui || !file_read(argv[1], &line, err) ||
	    !take_size(argv[2], &rows, &columns, err) || !parse_word(argv[4], depths, &depth, err))
		return false;
	s = mon_record_parse(strbuf_get(&line), line.len, &now_ms, err);
	if (!s || !mon_snapshot_finish(s, history, &mon_thresholds_default, now_ms, err) ||
	    !tui_canvas_resize(&canvas, rows, columns, is_ascii ? &tui_ascii : &tui_utf8, err) ||
	    !tui_show(tui, s, err) || !press_all(tui, &canvas, argv[5] ? argv[5] : "", now_ms, err))
		return false;
	if (depth == TUI_DEPTHS)
		tui_canvas_write(out, &canvas);
	else
		tui_canvas_write_ansi(out, &canvas, (enum tui_depth)depth);
	return strbuf_ok(out, err);
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(MAX_OUT_BYTES);

	setlocale(LC_CTYPE, "C.UTF-8");
	if (argc < 5) {
		fputs("usage: draw RECORD COLUMNSxROWS utf8|ascii text|mono|8|16|256 [KEYS]\n", stderr);
		return 2;
	}
	if (!draw(argv, &out, &err)) {
		fprintf(stderr, "%s\n", err_message(&err));
		return err_exit_status(err.kind);
	}
	fputs(strbuf_get(&out), stdout);
	return 0;
}
