// SPDX-License-Identifier: MIT
#include "tui/screen.h"

#include <locale.h>
#include <string.h>

#include "mon/record.h"
#include "tui/layout.h"
#include "unit.h"

enum { MAX_BYTES = 1024 * 1024, RANDOM_KEYS = 10000 };

#define NOW INT64_C(1796094847000)

// Numbers that look random and are the same each time.
static unsigned int roll(uint64_t *state, unsigned int below)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned int)(*state >> 33) % below;
}

// A cluster of NODES with two GPUs each; node N's GPUs are used (N * STEP) % 100 percent.
static struct mon_snapshot *cluster(int nodes, int step)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct mon_snapshot *s = mon_snapshot_new(&err);

	assert_non_null(s);
	for (int i = 0; i < nodes; i++) {
		_cleanup_strbuf_ struct strbuf name = STRBUF_INIT(64);
		int64_t index;

		strbuf_addf(&name, "node-%d", i);
		mon_snapshot_node(s, strbuf_get(&name), &index)->is_in_api = true;
		s->nodes[i].ready = MON_YES;
		s->nodes[i].gpu_heard_ms = NOW;
		mon_snapshot_add_resource(s, index, "nvidia.com/gpu", 2);
		for (int k = 0; k < 2; k++) {
			struct mon_gpu *gpu = mon_snapshot_gpu(s, index, "", k, MON_WHOLE_GPU, NULL);

			mon_value_set(&gpu->values[MON_GPU_UTIL_PCT], i * step % 100, NOW, MON_SOURCE_SSH);
		}
		mon_snapshot_add_pod(s, "ml", strbuf_get(&name))->node_name = s->nodes[i].name;
		mon_snapshot_add_job(s, "ml", strbuf_get(&name))->state =
			(enum jobs_state)(i % JOBS_STATE_COUNT);
	}
	mon_snapshot_add_note(s, "metrics.k8s.io: 404", NOW);
	assert_true(mon_snapshot_finish(s, NULL, &mon_thresholds_default, NOW, &err));
	return s;
}

static void draw(struct tui *tui, struct tui_canvas *canvas, int rows, int columns)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(tui_canvas_resize(canvas, rows, columns, &tui_utf8, &err));
	assert_true(tui_draw(tui, canvas, NOW, &err));
}

// The line of the screen that has TEXT, copied to RET; "" where none has.
static const char *line_with(const struct tui_canvas *canvas, const char *text, char *ret,
                             size_t size)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(MAX_BYTES);
	const char *line;
	size_t len;

	tui_canvas_write(&out, canvas);
	ret[0] = '\0';
	for (line = strbuf_get(&out); *line; line += len + 1) {
		len = strcspn(line, "\n");
		if (len < size) {
			memcpy(ret, line, len);
			ret[len] = '\0';
			if (strstr(ret, text))
				return ret;
		}
	}
	ret[0] = '\0';
	return ret;
}

static void show(struct tui *tui, const struct mon_snapshot *s)
{
	_cleanup_err_ struct err err = ERR_INIT;

	assert_true(tui_show(tui, s, &err));
}

// bottom#238 and 10,000 keys: any keys, any sizes, between two clusters; nothing may break.
static void test_bottom_238_random_keys_and_sizes(void **state)
{
	static const int keys[] = {
		'n', 'g', 'P', 'j', 'u', 'a', 'r', 's',  '<',    '>',     '/', '\\',
		'N', 'B', 'x', 'p', '+', '-', '?', 'G',  'J',    'K',     'g', 'p',
		'u', '<', '5', '&', '~', '(', '"', 0xe9, 0x8282, 0x1f600, -1,
	};
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_snapshot_ struct mon_snapshot *few = cluster(3, 7), *many = cluster(150, 13);
	_cleanup_mon_snapshot_ struct mon_snapshot *none = cluster(0, 1);
	const struct mon_snapshot *const all[] = {few, many, none};
	_cleanup_tui_canvas_ struct tui_canvas canvas = {0};
	_cleanup_tui_ struct tui *tui = tui_new(&err);
	uint64_t dice = 238;

	(void)state;
	assert_non_null(tui);
	for (int i = 0; i < RANDOM_KEYS; i++) {
		int key = roll(&dice, 2) ? keys[roll(&dice, COUNT_OF(keys))]
		                         : TUI_KEY_UP + (int)roll(&dice, TUI_KEYS_END - TUI_KEY_UP);

		if (roll(&dice, 50) == 0)
			show(tui, all[roll(&dice, COUNT_OF(all))]);
		tui_press(tui, key, NOW + i);
		if (roll(&dice, 4) == 0)
			draw(tui, &canvas, (int)roll(&dice, 70), (int)roll(&dice, 220));
	}
}

// After many sizes the screen is what a new dashboard draws.
static void test_screen_after_resizing_is_as_new(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_snapshot_ struct mon_snapshot *s = cluster(40, 13);
	_cleanup_tui_canvas_ struct tui_canvas used = {0}, fresh = {0};
	_cleanup_tui_ struct tui *old = tui_new(&err), *new = tui_new(&err);
	_cleanup_strbuf_ struct strbuf a = STRBUF_INIT(MAX_BYTES), b = STRBUF_INIT(MAX_BYTES);

	(void)state;
	show(old, s);
	show(new, s);
	for (int i = 0; i < 100; i++) {
		draw(old, &used, 60, 200);
		draw(old, &used, 3, 10);
		draw(old, &used, 1, 1);
		draw(old, &used, 0, 0);
		draw(old, &used, 24, 80);
	}
	draw(new, &fresh, 24, 80);
	tui_canvas_write(&a, &used);
	tui_canvas_write(&b, &fresh);
	assert_string_equal(strbuf_get(&a), strbuf_get(&b));
}

// turm e54ac01: the selection stays on its object when the order changes.
static void test_turm_selection_follows_the_object(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_snapshot_ struct mon_snapshot *s = cluster(9, 37), *later = cluster(9, 53);
	_cleanup_tui_canvas_ struct tui_canvas canvas = {0};
	_cleanup_tui_ struct tui *tui = tui_new(&err);
	char line[512];

	(void)state;
	show(tui, s);
	assert_true(tui_set_sort(tui, "gpu", false, &err));
	draw(tui, &canvas, 30, 100);
	for (int i = 0; i < 3; i++)
		tui_press(tui, TUI_KEY_DOWN, NOW);
	draw(tui, &canvas, 30, 100);
	assert_non_null(strstr(line_with(&canvas, ">", line, sizeof line), "node-7")); // 59 %
	show(tui, later); // it has 71 % now
	draw(tui, &canvas, 30, 100);
	assert_non_null(strstr(line_with(&canvas, ">", line, sizeof line), "node-7"));
	tui_press(tui, 'r', NOW);
	draw(tui, &canvas, 30, 100);
	assert_non_null(strstr(line_with(&canvas, ">", line, sizeof line), "node-7"));
}

// What is selected may vanish: its place stays.
static void test_selection_survives_a_vanished_object(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_snapshot_ struct mon_snapshot *s = cluster(5, 7), *less = cluster(2, 7);
	_cleanup_tui_canvas_ struct tui_canvas canvas = {0};
	_cleanup_tui_ struct tui *tui = tui_new(&err);
	char line[512];

	(void)state;
	show(tui, s);
	draw(tui, &canvas, 24, 80);
	tui_press(tui, TUI_KEY_END, NOW);
	draw(tui, &canvas, 24, 80);
	assert_non_null(strstr(line_with(&canvas, ">", line, sizeof line), "node-4"));
	show(tui, less);
	draw(tui, &canvas, 24, 80);
	assert_non_null(strstr(line_with(&canvas, ">", line, sizeof line), "node-1"));
}

// k9s#754: q leaves, whatever there is; Esc never does.
static void test_k9s_754_q_always_leaves(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_snapshot_ struct mon_snapshot *s = cluster(2, 7);
	_cleanup_tui_ struct tui *tui = tui_new(&err);

	(void)state;
	assert_int_equal(tui_press(tui, 'q', NOW), TUI_QUIT);
	show(tui, s);
	for (int i = 0; i < 5; i++)
		assert_int_equal(tui_press(tui, TUI_KEY_ESCAPE, NOW), TUI_NO_ACTION);
	tui_press(tui, TUI_KEY_F1, NOW);
	assert_int_equal(tui_press(tui, 'q', NOW), TUI_QUIT);
	assert_int_equal(tui_press(tui, TUI_KEY_F10, NOW), TUI_QUIT);
}

static void test_interval_has_limits(void **state)
{
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_tui_ struct tui *tui = tui_new(&err);

	(void)state;
	for (int i = 0; i < 100; i++)
		tui_press(tui, '-', NOW);
	assert_int_equal(tui_interval_s(tui), 2);
	for (int i = 0; i < 100; i++)
		tui_press(tui, '+', NOW);
	assert_int_equal(tui_interval_s(tui), 60);
}

static bool overlap(const struct tui_rect *a, const struct tui_rect *b)
{
	return a->rows && b->rows && a->columns && b->columns && a->row < b->row + b->rows &&
	       b->row < a->row + a->rows && a->column < b->column + b->columns &&
	       b->column < a->column + a->columns;
}

static void check_layout(int rows, int columns, const struct tui_wants *wants)
{
	const struct tui_layout layout = tui_layout_of(rows, columns, wants);
	const struct tui_rect parts[] = {
		layout.line,      layout.header,    layout.totals, layout.alerts,    layout.graphs,
		layout.side,      layout.map,       layout.table,  layout.gpu_title, layout.gpu_table,
		layout.job_title, layout.job_table, layout.status, layout.footer};

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		const struct tui_rect *part = &parts[i];

		assert_true(part->rows >= 0 && part->columns >= 0 && part->row >= 0 && part->column >= 0);
		assert_true(!part->rows || part->row + part->rows <= rows);
		assert_true(!part->rows || part->column + part->columns <= columns);
		for (size_t k = 0; k < i; k++)
			assert_false(overlap(part, &parts[k]));
	}
	if (rows >= 8 && columns >= 40)
		assert_true(layout.table.rows >= 2);
}

// Every size to 200x60, for few and many of everything: no part leaves the screen or covers another.
static void test_layout_of_every_size(void **state)
{
	static const size_t counts[] = {0, 1, 3, 30, 300, 5000};

	(void)state;
	for (int rows = 0; rows <= 60; rows++)
		for (int columns = 0; columns <= 200; columns++)
			for (size_t i = 0; i < COUNT_OF(counts); i++) {
				struct tui_wants wants = {TUI_VIEW_NODES, counts[i], counts[i] * 8,
				                          counts[COUNT_OF(counts) - 1 - i], 8};

				check_layout(rows, columns, &wants);
				wants.view = TUI_VIEW_GPUS;
				check_layout(rows, columns, &wants);
			}
}

static void test_any_allocation_may_fail(void **state)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = cluster(3, 7);
	bool is_done = false;

	(void)state;
	for (size_t i = 1; !is_done; i++) {
		_cleanup_err_ struct err err = ERR_INIT;
		_cleanup_tui_canvas_ struct tui_canvas canvas = {0};
		_cleanup_tui_ struct tui *tui = NULL;

		unit_fail_allocation(i);
		tui = tui_new(&err);
		is_done = tui && tui_canvas_resize(&canvas, 40, 120, &tui_utf8, &err) &&
		          tui_show(tui, s, &err) && tui_draw(tui, &canvas, NOW, &err) &&
		          *unit_countdown() > 0;
		unit_fail_allocation(0);
		assert_true(i < 20000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bottom_238_random_keys_and_sizes),
		cmocka_unit_test(test_screen_after_resizing_is_as_new),
		cmocka_unit_test(test_turm_selection_follows_the_object),
		cmocka_unit_test(test_selection_survives_a_vanished_object),
		cmocka_unit_test(test_k9s_754_q_always_leaves),
		cmocka_unit_test(test_interval_has_limits),
		cmocka_unit_test(test_layout_of_every_size),
		cmocka_unit_test(test_any_allocation_may_fail),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
