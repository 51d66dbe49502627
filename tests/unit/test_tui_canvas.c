// SPDX-License-Identifier: MIT
#include "tui/canvas.h"

#include <locale.h>
#include <string.h>

#include "unit.h"

enum { MAX_BYTES = 4096 };

static struct tui_canvas make(int rows, int columns, const struct tui_charset *charset)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct tui_canvas canvas = {0};

	assert_true(tui_canvas_resize(&canvas, rows, columns, charset, &err));
	return canvas;
}

static void assert_text(const struct tui_canvas *canvas, const char *want)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_BYTES);

	tui_canvas_write(&text, canvas);
	assert_string_equal(strbuf_get(&text), want);
}

static void test_text_is_cut_by_columns(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(3, 8, &tui_utf8);

	(void)state;
	assert_int_equal(tui_put(&canvas, 0, 0, 8, TUI_PLAIN, "abcdefgh"), 8);
	assert_int_equal(tui_put(&canvas, 1, 0, 5, TUI_PLAIN, "abcdefgh"), 5);
	tui_put_right(&canvas, 2, 0, 8, TUI_PLAIN, "abc");
	assert_text(&canvas, "abcdefgh\nabcd~\n     abc\n");
}

// bottom#33 and its like: characters of several bytes, two columns, or none.
static void test_bottom_33_wide_and_combining(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(4, 6, &tui_utf8);

	(void)state;
	assert_int_equal(tui_put(&canvas, 0, 0, 6, TUI_PLAIN, "节点a"), 5);
	assert_int_equal(tui_put(&canvas, 1, 0, 4, TUI_PLAIN, "节点节点"), 3); // no half character
	assert_int_equal(tui_put(&canvas, 2, 0, 6, TUI_PLAIN, "e\u0301x"), 2);
	assert_int_equal(tui_put(&canvas, 3, 0, 6, TUI_PLAIN, "a\xff\xc3z"), 4);
	assert_text(&canvas, "节点a\n节~\ne\u0301x\na??z\n");
}

static void test_half_of_a_wide_character_goes(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(2, 4, &tui_utf8);

	(void)state;
	tui_put(&canvas, 0, 0, 4, TUI_PLAIN, "节点");
	tui_put(&canvas, 0, 1, 1, TUI_PLAIN, "x");
	tui_put(&canvas, 1, 0, 4, TUI_PLAIN, "节点");
	tui_put(&canvas, 1, 2, 1, TUI_PLAIN, "x");
	assert_text(&canvas, " x点\n节x\n");
}

static void test_escape_sequences_cannot_be_drawn(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(1, 12, &tui_utf8);

	(void)state;
	tui_put(&canvas, 0, 0, 12, TUI_PLAIN, "a\033[2J\x07\xc2\x9b");
	assert_text(&canvas, "a?[2J??\n");
}

static void test_ascii_alone(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(1, 10, &tui_ascii);

	(void)state;
	tui_put(&canvas, 0, 0, 10, TUI_PLAIN, "节a");
	tui_put(&canvas, 0, 5, 1, TUI_PLAIN, tui_spark(&canvas, 100));
	assert_text(&canvas, "?a   =\n");
}

static void test_nothing_outside(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas empty = make(0, 0, &tui_utf8);
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(1, 3, &tui_utf8);

	(void)state;
	tui_put(&empty, 0, 0, 10, TUI_PLAIN, "abc");
	tui_bar(&empty, 0, 0, 10, TUI_GOOD, 50, "50%");
	assert_text(&empty, "");
	tui_put(&canvas, -1, 0, 3, TUI_PLAIN, "abc");
	tui_put(&canvas, 5, 0, 3, TUI_PLAIN, "abc");
	tui_put(&canvas, 0, -2, 5, TUI_PLAIN, "abc");
	tui_put(&canvas, 0, 1, -5, TUI_PLAIN, "abc");
	tui_put(&canvas, 0, 2, 9, TUI_PLAIN, "点");
	tui_restyle(&canvas, 0, -1, 9, TUI_FAULT);
	tui_repeat(&canvas, 3, 0, 9, TUI_FAULT, '-');
	assert_text(&canvas, "c 点\n");
}

// metrics-server#1060: the number is what it is, the bar stops at its end.
static void test_metrics_server_1060_over_100(void **state)
{
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(5, 12, &tui_ascii);

	(void)state;
	tui_bar(&canvas, 0, 0, 12, TUI_GOOD, 262, "262%");
	tui_bar(&canvas, 1, 0, 12, TUI_GOOD, 50, " 50%");
	tui_bar(&canvas, 2, 0, 12, TUI_GOOD, 0, "  0%");
	tui_bar(&canvas, 3, 0, 12, TUI_GOOD, -1, "stale");
	tui_bar(&canvas, 4, 0, 4, TUI_GOOD, 50, " 50%");
	assert_text(&canvas, "[||||||262%]\n[|||    50%]\n[        0%]\n[     stale]\n 50%\n");
}

static void test_colours_by_depth(void **state)
{
	static const char *const want[TUI_DEPTHS] = {
		[TUI_MONO] = "\033[0;1;7mX\033[0m\n",
		[TUI_8_COLOURS] = "\033[0;1;31mX\033[0m\n",
		[TUI_16_COLOURS] = "\033[0;91mX\033[0m\n",
		[TUI_256_COLOURS] = "\033[0;38;5;160mX\033[0m\n",
	};
	_cleanup_tui_canvas_ struct tui_canvas canvas = make(1, 3, &tui_ascii);

	(void)state;
	tui_put(&canvas, 0, 0, 3, TUI_FAULT, "X");
	for (int depth = 0; depth < TUI_DEPTHS; depth++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_BYTES);

		tui_canvas_write_ansi(&text, &canvas, (enum tui_depth)depth);
		assert_string_equal(strbuf_get(&text), want[depth]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_cut_by_columns),
		cmocka_unit_test(test_bottom_33_wide_and_combining),
		cmocka_unit_test(test_half_of_a_wide_character_goes),
		cmocka_unit_test(test_escape_sequences_cannot_be_drawn),
		cmocka_unit_test(test_ascii_alone),
		cmocka_unit_test(test_nothing_outside),
		cmocka_unit_test(test_metrics_server_1060_over_100),
		cmocka_unit_test(test_colours_by_depth),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
