// SPDX-License-Identifier: MIT
#include "mon/promtext.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "unit.h"

// "name{a=b} value" a line.
static bool show(void *context, const struct mon_prom_sample *sample, struct err *err)
{
	(void)err;
	strbuf_add(context, sample->name);
	for (size_t i = 0; i < sample->label_count; i++)
		strbuf_addf(context, "%c%s=%s", i ? ',' : '{', sample->labels[i].name,
		            sample->labels[i].value);
	strbuf_addf(context, "%s %g\n", sample->label_count ? "}" : "", sample->value);
	return true;
}

// Reads TEXT in pieces of STEP bytes.
static void read_in(const char *text, size_t step, const char *expected, int64_t malformed)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(65536);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_prom_ struct mon_prom *prom = mon_prom_new(show, &out, &err);
	size_t len = strlen(text);

	assert_non_null(prom);
	for (size_t at = 0; at < len; at += step)
		assert_true(mon_prom_feed(prom, text + at, len - at < step ? len - at : step, &err));
	assert_true(mon_prom_finish(prom, &err));
	assert_string_equal(strbuf_get(&out), expected);
	assert_int_equal(mon_prom_malformed(prom), malformed);
}

static void check(const char *text, const char *expected, int64_t malformed)
{
	read_in(text, 1, expected, malformed);
	read_in(text, 7, expected, malformed);
	read_in(text, 1 << 20, expected, malformed);
}

static void samples(void **state)
{
	(void)state;
	check("", "", 0);
	check("a 1\n", "a 1\n", 0);
	check("a 1", "a 1\n", 0);
	check("# HELP a b\n# TYPE a gauge\n\n  \na{x=\"1\"} 2.5e3 1796095800000\n", "a{x=1} 2500\n", 0);
	check("a{} 1\nb{x=\"1\",} 2\r\nc{ x = \"1\" , y=\"2\" }\t 3 \n",
	      "a 1\nb{x=1} 2\nc{x=1,y=2} 3\n", 0);
	check("a{x=\"q\\\"b\\\\n\\nl\\x\"} -1 -5\n", "a{x=q\"b\\n\nl\\x} -1\n", 0);
	check("a{x=\"},=#\"} +Inf # {id=\"7\"} 1 2\n# EOF\n", "a{x=},=#} inf\n", 0);
	check("a NaN\n", "a nan\n", 0);
}

// One bad line costs that line.
static void dcgm_exporter_394(void **state)
{
	(void)state;
	check("a{gpu=\"0\"} 1\nDCGM_FI_DEV_VGPU_INSTANCE_IDS{gpu=\"0\"} ERROR - FAILED TO CONVERT TO "
	      "STRING\nb 2\n",
	      "a{gpu=0} 1\nb 2\n", 1);
	check("<html>\na\na{x=\"1\"}\na{x=\"1\" 3\na{x=1} 3\na{x=\"1\"y=\"2\"} 3\n1a 3\na 3x\na 3 x\nb "
	      "2\n",
	      "b 2\n", 9);
}

static void caps(void **state)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1 << 20);

	(void)state;
	strbuf_add(&text, "a{x=\"");
	strbuf_add_repeat(&text, 'y', MON_PROM_MAX_LINE_BYTES);
	strbuf_add(&text, "\"} 1\nb 2\n");
	read_in(strbuf_get(&text), 1000, "b 2\n", 1);
	strbuf_clear(&text);
	strbuf_add(&text, "a{");
	for (int i = 0; i <= MON_PROM_MAX_LABELS; i++)
		strbuf_addf(&text, "l%d=\"\",", i);
	strbuf_add(&text, "} 1\nb 2\n");
	read_in(strbuf_get(&text), 1000, "b 2\n", 1);
}

static void page_has_an_end(void **state)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(16), piece = STRBUF_INIT(1 << 20);
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_mon_prom_ struct mon_prom *prom = mon_prom_new(show, &out, &err);
	bool is_ok = true;

	(void)state;
	strbuf_add_repeat(&piece, '#', 1 << 20);
	for (int i = 0; is_ok && i < 100; i++)
		is_ok = mon_prom_feed(prom, strbuf_get(&piece), piece.len, &err);
	assert_false(is_ok);
	assert_string_equal(err_message(&err), "a page of metrics with more than 64 MiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples),
		cmocka_unit_test(dcgm_exporter_394),
		cmocka_unit_test(caps),
		cmocka_unit_test(page_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
