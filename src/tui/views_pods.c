// SPDX-License-Identifier: MIT
#include "tui/views.h"

#include <string.h>

#include "mon/show.h"
#include "tui/pen.h"

enum { MAX_TEXT_BYTES = 1024 };

static const struct mon_pod *pod_at(const struct mon_snapshot *s, size_t row)
{
	return &s->pods[row];
}

static size_t count(const struct mon_snapshot *s)
{
	return s->pod_count;
}

static void identify(const struct mon_snapshot *s, size_t row, struct strbuf *out)
{
	strbuf_addf(out, "%s/%s", pod_at(s, row)->namespace, pod_at(s, row)->name);
}

static bool is_failing(const struct mon_pod *pod)
{
	return pod->phase == MON_POD_FAILED || pod->is_oom_killed ||
	       strstr(pod->reason, "BackOff") != NULL;
}

// GPU pods first, the largest first; what is over last.
static int rank(const struct mon_snapshot *s, size_t row)
{
	const struct mon_pod *pod = pod_at(s, row);

	if (pod->phase == MON_POD_SUCCEEDED || pod->phase == MON_POD_FAILED)
		return 2;
	return pod->gpus ? 0 : 1;
}

static char mark(const struct mon_snapshot *s, size_t row)
{
	return is_failing(pod_at(s, row)) ? '!' : ' ';
}

static struct tui_datum name(const struct mon_snapshot *s, size_t row)
{
	return tui_words(pod_at(s, row)->name);
}

static void draw_name(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	identify(pen->s, row, &text);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static struct tui_datum namespace(const struct mon_snapshot *s, size_t row)
{
	return tui_words(pod_at(s, row)->namespace);
}

static struct tui_datum node(const struct mon_snapshot *s, size_t row)
{
	return tui_words(pod_at(s, row)->node_name);
}

static const char *state_word(const struct mon_pod *pod)
{
	static const char *const words[] = {"Pending", "Running", "Done", "Failed", "?"};

	if (pod->is_terminating)
		return "Ending";
	if (pod->phase == MON_POD_RUNNING && strstr(pod->reason, "BackOff"))
		return "BackOff";
	if (pod->phase == MON_POD_FAILED && pod->is_oom_killed)
		return "OOM";
	return words[pod->phase];
}

static struct tui_datum state(const struct mon_snapshot *s, size_t row)
{
	return tui_words(state_word(pod_at(s, row)));
}

static void draw_state(const struct tui_pen *pen, size_t row)
{
	const struct mon_pod *pod = pod_at(pen->s, row);
	enum tui_style style = is_failing(pod)                 ? TUI_FAULT
	                       : pod->phase == MON_POD_PENDING ? TUI_AMBER
	                                                       : TUI_PLAIN;

	tui_draw_text(pen, style, state_word(pod));
}

static struct tui_datum gpus(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)pod_at(s, row)->gpus);
}

static void draw_count(const struct tui_pen *pen, int64_t number)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	strbuf_addf(&text, "%lld", (long long)number);
	tui_draw_text(pen, number ? TUI_PLAIN : TUI_FAINT, number ? strbuf_get(&text) : "-");
}

static void draw_gpus(const struct tui_pen *pen, size_t row)
{
	draw_count(pen, pod_at(pen->s, row)->gpus);
}

static struct tui_datum use(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&pod_at(s, row)->gpu_util_pct);
}

static void draw_use(const struct tui_pen *pen, size_t row)
{
	const struct mon_pod *pod = pod_at(pen->s, row);
	bool is_unused = mon_value_or(&pod->gpu_util_pct, 100) < pen->s->thresholds.idle_pct;

	if (pod->gpus || mon_value_is_known(&pod->gpu_util_pct))
		tui_draw_bar(pen, &pod->gpu_util_pct, is_unused ? TUI_AMBER : TUI_PLAIN);
}

static void draw_bytes(const struct tui_pen *pen, const struct mon_value *value)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	if (!mon_value_is_known(value)) {
		tui_draw_value(pen, value, 1, 0);
		return;
	}
	mon_show_bytes(&text, value->number);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static struct tui_datum vram(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&pod_at(s, row)->vram_used_bytes);
}

static void draw_vram(const struct tui_pen *pen, size_t row)
{
	draw_bytes(pen, &pod_at(pen->s, row)->vram_used_bytes);
}

static struct tui_datum cpu(const struct mon_snapshot *s, size_t row)
{
	struct tui_datum datum = tui_value(&pod_at(s, row)->values[MON_POD_CPU_MILLI]);

	datum.number /= 1000; // cores
	return datum;
}

static void draw_cpu(const struct tui_pen *pen, size_t row)
{
	tui_draw_value(pen, &pod_at(pen->s, row)->values[MON_POD_CPU_MILLI], 1000, 1);
}

static struct tui_datum memory(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&pod_at(s, row)->values[MON_POD_MEMORY_BYTES]);
}

static void draw_memory(const struct tui_pen *pen, size_t row)
{
	draw_bytes(pen, &pod_at(pen->s, row)->values[MON_POD_MEMORY_BYTES]);
}

static void draw_cpu_request(const struct tui_pen *pen, size_t row)
{
	const struct mon_value value = {(double)pod_at(pen->s, row)->cpu_milli, 0,
	                                pod_at(pen->s, row)->cpu_milli ? MON_NUMBER : MON_NONE, 0};

	tui_draw_value(pen, &value, 1000, 1);
}

static void draw_memory_request(const struct tui_pen *pen, size_t row)
{
	const struct mon_value value = {(double)pod_at(pen->s, row)->memory_bytes, 0,
	                                pod_at(pen->s, row)->memory_bytes ? MON_NUMBER : MON_NONE, 0};

	draw_bytes(pen, &value);
}

static struct tui_datum restarts(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)pod_at(s, row)->restarts);
}

static void draw_restarts(const struct tui_pen *pen, size_t row)
{
	draw_count(pen, pod_at(pen->s, row)->restarts);
}

static int64_t age_s(const struct mon_snapshot *s, const struct mon_pod *pod)
{
	return pod->created_ms ? (s->now_ms - pod->created_ms) / 1000 : -1;
}

static struct tui_datum age(const struct mon_snapshot *s, size_t row)
{
	int64_t seconds = age_s(s, pod_at(s, row));

	return seconds < 0 ? tui_nothing() : tui_number((double)seconds);
}

static void draw_age(const struct tui_pen *pen, size_t row)
{
	tui_draw_age(pen, age_s(pen->s, pod_at(pen->s, row)));
}

static struct tui_datum job(const struct mon_snapshot *s, size_t row)
{
	return tui_words(pod_at(s, row)->job_name);
}

static struct tui_datum user(const struct mon_snapshot *s, size_t row)
{
	return tui_words(pod_at(s, row)->user);
}

static struct tui_datum reason(const struct mon_snapshot *s, size_t row)
{
	return tui_words(pod_at(s, row)->reason);
}

static const struct tui_column columns[] = {
	{"POD ns/name", "name", 16, 48, 0, false, TUI_ANYWHERE, name, draw_name},
	{"NODE", "node", 9, 24, 3, false, TUI_ANYWHERE, node, NULL},
	{"STATE", "state", 7, 7, 0, false, TUI_ANYWHERE, state, draw_state},
	{"GPU", "gpus", 3, 3, 1, true, TUI_ANYWHERE, gpus, draw_gpus},
	{"GPU%", "gpu", 14, 20, 2, false, TUI_ANYWHERE, use, draw_use},
	{"VRAM", "vram", 5, 5, 4, true, TUI_ANYWHERE, vram, draw_vram},
	{"CPU", "cpu", 5, 5, 5, true, TUI_ANYWHERE, cpu, draw_cpu},
	{"/REQ", NULL, 5, 5, 9, true, TUI_ANYWHERE, NULL, draw_cpu_request},
	{"MEM ws", "mem", 6, 6, 6, true, TUI_ANYWHERE, memory, draw_memory},
	{"/REQ", NULL, 5, 5, 9, true, TUI_ANYWHERE, NULL, draw_memory_request},
	{"RST", "restarts", 3, 4, 8, true, TUI_ANYWHERE, restarts, draw_restarts},
	{"AGE", "age", 5, 5, 7, true, TUI_ANYWHERE, age, draw_age},
	{"JOB", "job", 12, 24, 10, false, TUI_ANYWHERE, job, NULL},
	{"USER", "user", 8, 12, 11, false, TUI_ANYWHERE, user, NULL},
	{"REASON", "why", 20, 80, 12, false, TUI_ANYWHERE, reason, NULL},
	{"", "ns", 0, 0, 0, false, TUI_ANYWHERE, namespace, NULL},
};

const struct tui_view tui_view_pods = {
	.name = "pods",
	.key = 'P',
	.columns = columns,
	.column_count = COUNT_OF(columns),
	.large_sort = 0,
	.count = count,
	.identify = identify,
	.rank = rank,
	.is_ranked_when_small = true,
	.mark = mark,
	.empty = "no pods",
};
