// SPDX-License-Identifier: MIT
#include "tui/views.h"

#include <string.h>

#include "mon/show.h"
#include "tui/pen.h"

enum { MAX_TEXT_BYTES = 256, SKEW_SHOWN_MS = 10000 };

static const struct mon_node *node_at(const struct mon_snapshot *s, size_t row)
{
	return &s->nodes[row];
}

static size_t count(const struct mon_snapshot *s)
{
	return s->node_count;
}

static void identify(const struct mon_snapshot *s, size_t row, struct strbuf *out)
{
	strbuf_add(out, node_at(s, row)->name);
}

static bool is_silent(const struct mon_snapshot *s, const struct mon_node *node)
{
	return s->now_ms - node->heard_ms > s->thresholds.no_data_s * 1000;
}

static bool is_faulty(const struct mon_snapshot *s, const struct mon_node *node)
{
	return node->gpus_faulty || node->pressure || (node->is_in_api && node->ready != MON_YES) ||
	       is_silent(s, node);
}

static int rank(const struct mon_snapshot *s, size_t row)
{
	const struct mon_node *node = node_at(s, row);

	return is_faulty(s, node) ? 0 : node->gpus_idle ? 1 : 2;
}

static char mark(const struct mon_snapshot *s, size_t row)
{
	return is_faulty(s, node_at(s, row)) ? '!' : ' ';
}

static const char *state_word(const struct mon_snapshot *s, const struct mon_node *node)
{
	if (node->is_in_api && node->ready == MON_NO)
		return "NotR";
	if (is_silent(s, node) || (node->is_in_api && node->ready == MON_UNKNOWN))
		return "?";
	if (node->pressure)
		return "Pres";
	if (node->skew_ms > SKEW_SHOWN_MS || node->skew_ms < -SKEW_SHOWN_MS)
		return "Skew";
	return node->is_cordoned ? "Cord" : node->is_in_api ? "Rdy" : "ssh";
}

static struct tui_datum name(const struct mon_snapshot *s, size_t row)
{
	return tui_words(node_at(s, row)->name);
}

static struct tui_datum state(const struct mon_snapshot *s, size_t row)
{
	return tui_words(state_word(s, node_at(s, row)));
}

static void draw_state(const struct tui_pen *pen, size_t row)
{
	const char *word = state_word(pen->s, node_at(pen->s, row));
	bool is_good = strcmp(word, "Rdy") == 0 || strcmp(word, "ssh") == 0;

	tui_draw_text(pen,
	              is_good                     ? TUI_PLAIN
	              : strcmp(word, "Cord") == 0 ? TUI_AMBER
	                                          : TUI_FAULT,
	              word);
}

static int64_t age_s(const struct mon_snapshot *s, const struct mon_node *node)
{
	return node->heard_ms ? (s->now_ms - node->heard_ms) / 1000 : -1;
}

static struct tui_datum age(const struct mon_snapshot *s, size_t row)
{
	int64_t seconds = age_s(s, node_at(s, row));

	return seconds < 0 ? tui_nothing() : tui_number((double)seconds);
}

static void draw_age(const struct tui_pen *pen, size_t row)
{
	tui_draw_age(pen, age_s(pen->s, node_at(pen->s, row)));
}

static const char *source_word(const struct mon_node *node)
{
	enum mon_source source = node->gpu_source;

	if (source == MON_SOURCE_NONE)
		source = node->values[MON_NODE_CPU_MILLI].source;
	return source == MON_SOURCE_EXPORTER  ? "exp"
	       : source == MON_SOURCE_KUBELET ? "klt"
	       : source == MON_SOURCE_NONE    ? "-"
	                                      : mon_source_words[source];
}

static struct tui_datum source(const struct mon_snapshot *s, size_t row)
{
	return tui_words(source_word(node_at(s, row)));
}

static struct tui_datum allocated(const struct mon_snapshot *s, size_t row)
{
	const struct mon_node *node = node_at(s, row);

	return node->gpus_allocatable ? tui_number((double)node->gpus_allocated) : tui_nothing();
}

// "7/8", "-" where there is nothing to count.
static void draw_count(const struct tui_pen *pen, int64_t some, int64_t all)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	if (all <= 0) {
		tui_draw_text(pen, TUI_FAINT, "-");
		return;
	}
	strbuf_addf(&text, "%lld/%lld", (long long)some, (long long)all);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static void draw_allocated(const struct tui_pen *pen, size_t row)
{
	const struct mon_node *node = node_at(pen->s, row);

	draw_count(pen, node->gpus_allocated, node->gpus_allocatable);
}

static struct tui_datum busy(const struct mon_snapshot *s, size_t row)
{
	const struct mon_node *node = node_at(s, row);

	return node->gpus_reporting ? tui_number((double)node->gpus_busy) : tui_nothing();
}

static void draw_busy(const struct tui_pen *pen, size_t row)
{
	const struct mon_node *node = node_at(pen->s, row);

	draw_count(pen, (int64_t)node->gpus_busy, (int64_t)node->gpus_reporting);
}

static struct tui_datum idle(const struct mon_snapshot *s, size_t row)
{
	const struct mon_node *node = node_at(s, row);

	return node->gpus_reporting ? tui_number((double)node->gpus_idle) : tui_nothing();
}

static void draw_idle(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	size_t gpus = node_at(pen->s, row)->gpus_idle;

	strbuf_addf(&text, "%zu", gpus);
	tui_draw_text(pen, gpus ? TUI_AMBER : TUI_FAINT, gpus ? strbuf_get(&text) : "-");
}

static struct tui_datum gpu(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&node_at(s, row)->gpu_util_pct);
}

static void draw_gpu(const struct tui_pen *pen, size_t row)
{
	const struct mon_node *node = node_at(pen->s, row);

	tui_draw_bar(pen, &node->gpu_util_pct, node->gpus_idle ? TUI_AMBER : TUI_PLAIN);
}

static struct mon_value vram_percent(const struct mon_node *node)
{
	return tui_percent(&node->vram_used_bytes, &node->vram_total_bytes);
}

static struct tui_datum vram(const struct mon_snapshot *s, size_t row)
{
	struct mon_value percent = vram_percent(node_at(s, row));

	return tui_value(&percent);
}

static void draw_vram(const struct tui_pen *pen, size_t row)
{
	struct mon_value percent = vram_percent(node_at(pen->s, row));

	tui_draw_bar(pen, &percent, TUI_PLAIN);
}

static struct mon_value of_capacity(const struct mon_value *used, int64_t capacity)
{
	const struct mon_value total = {(double)capacity, 0, MON_NUMBER, MON_SOURCE_NONE};

	return tui_percent(used, &total);
}

static struct mon_value cpu_percent(const struct mon_node *node)
{
	return of_capacity(&node->values[MON_NODE_CPU_MILLI], node->cpu_capacity_milli);
}

static struct mon_value memory_percent(const struct mon_node *node)
{
	return of_capacity(&node->values[MON_NODE_MEMORY_BYTES], node->memory_capacity_bytes);
}

static struct mon_value disk_percent(const struct mon_node *node)
{
	return tui_percent(&node->values[MON_NODE_DISK_USED_BYTES],
	                   &node->values[MON_NODE_DISK_TOTAL_BYTES]);
}

static struct tui_datum cpu(const struct mon_snapshot *s, size_t row)
{
	struct mon_value percent = cpu_percent(node_at(s, row));

	return tui_value(&percent);
}

static void draw_cpu(const struct tui_pen *pen, size_t row)
{
	struct mon_value percent = cpu_percent(node_at(pen->s, row));

	tui_draw_value(pen, &percent, 1, 0);
}

static struct tui_datum memory(const struct mon_snapshot *s, size_t row)
{
	struct mon_value percent = memory_percent(node_at(s, row));

	return tui_value(&percent);
}

static void draw_memory(const struct tui_pen *pen, size_t row)
{
	struct mon_value percent = memory_percent(node_at(pen->s, row));

	tui_draw_value(pen, &percent, 1, 0);
}

static struct tui_datum disk(const struct mon_snapshot *s, size_t row)
{
	struct mon_value percent = disk_percent(node_at(s, row));

	return tui_value(&percent);
}

static void draw_disk(const struct tui_pen *pen, size_t row)
{
	struct mon_value percent = disk_percent(node_at(pen->s, row));

	tui_draw_value(pen, &percent, 1, 0);
}

// "301G/503G"
static void draw_working_set(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_node *node = node_at(pen->s, row);

	if (!mon_value_is_known(&node->values[MON_NODE_MEMORY_BYTES])) {
		tui_draw_value(pen, &node->values[MON_NODE_MEMORY_BYTES], 1, 0);
		return;
	}
	mon_show_bytes(&text, node->values[MON_NODE_MEMORY_BYTES].number);
	strbuf_add_char(&text, '/');
	mon_show_bytes(&text, (double)node->memory_capacity_bytes);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static void draw_network(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_value *values = node_at(pen->s, row)->values;

	if (!mon_value_is_known(&values[MON_NODE_NET_RX_BPS]) ||
	    !mon_value_is_known(&values[MON_NODE_NET_TX_BPS])) {
		tui_draw_value(pen, &values[MON_NODE_NET_RX_BPS], 1, 0);
		return;
	}
	mon_show_bytes(&text, values[MON_NODE_NET_RX_BPS].number);
	strbuf_add_char(&text, '/');
	mon_show_bytes(&text, values[MON_NODE_NET_TX_BPS].number);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static struct tui_datum hottest(const struct mon_snapshot *s, size_t row)
{
	return tui_value(&node_at(s, row)->temperature_c);
}

static void draw_hottest(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_value *value = &node_at(pen->s, row)->temperature_c;
	bool is_hot = mon_value_or(value, 0) >= pen->s->thresholds.temperature_c;

	if (!mon_value_is_known(value)) {
		tui_draw_value(pen, value, 1, 0);
		return;
	}
	strbuf_addf(&text, "%.0f%s", value->number, is_hot ? "!" : "");
	tui_draw_text(pen, is_hot ? TUI_FAULT : TUI_PLAIN, strbuf_get(&text));
}

static struct tui_datum pods(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)node_at(s, row)->pod_count);
}

static void draw_pods(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

	strbuf_addf(&text, "%zu", node_at(pen->s, row)->pod_count);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static void draw_ring(const struct tui_pen *pen, size_t row)
{
	tui_draw_ring(pen, node_at(pen->s, row)->gpu_ring);
}

static struct tui_datum lost(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)node_at(s, row)->gpus_lost);
}

static struct tui_datum pool(const struct mon_snapshot *s, size_t row)
{
	return tui_words(node_at(s, row)->pool);
}

static struct tui_datum role(const struct mon_snapshot *s, size_t row)
{
	return tui_words(node_at(s, row)->role);
}

enum { GPU_COLUMN = 7 };

static const struct tui_column columns[] = {
	{"NODE", "node", 9, 24, 0, false, TUI_ANYWHERE, name, NULL},
	{"ST", "state", 4, 4, 0, false, TUI_ANYWHERE, state, draw_state},
	{"AGE", "age", 3, 3, 0, true, TUI_ANYWHERE, age, draw_age},
	{"SRC", "src", 3, 3, 18, false, TUI_ANYWHERE, source, NULL},
	{"ALLOC", "alloc", 5, 5, 0, true, TUI_ANYWHERE, allocated, draw_allocated},
	{"BUSY", "busy", 5, 5, 1, true, TUI_ANYWHERE, busy, draw_busy},
	{"IDLE", "idle", 4, 4, 17, true, TUI_ANYWHERE, idle, draw_idle},
	{"GPU%", "gpu", 14, 24, 0, false, TUI_ANYWHERE, gpu, draw_gpu},
	{"VRAM%", "vram", 14, 24, 3, false, TUI_ANYWHERE, vram, draw_vram},
	{"CPU%", "cpu", 4, 4, 2, true, TUI_ANYWHERE, cpu, draw_cpu},
	{"MEM%", "mem", 4, 4, 4, true, TUI_ANYWHERE, memory, draw_memory},
	{"MEM ws", NULL, 10, 11, 20, true, TUI_ANYWHERE, NULL, draw_working_set},
	{"NET r/t", NULL, 11, 11, 22, true, TUI_ANYWHERE, NULL, draw_network},
	{"DSK%", "disk", 4, 4, 21, true, TUI_ANYWHERE, disk, draw_disk},
	{"MAXC", "temp", 4, 4, 5, true, TUI_ANYWHERE, hottest, draw_hottest},
	{"POD", "pods", 3, 4, 6, true, TUI_ANYWHERE, pods, draw_pods},
	{"10 min", NULL, 10, 60, 19, false, TUI_ANYWHERE, NULL, draw_ring},
	{"", "lost", 0, 0, 0, false, TUI_ANYWHERE, lost, NULL},
	{"", "pool", 0, 0, 0, false, TUI_ANYWHERE, pool, NULL},
	{"", "role", 0, 0, 0, false, TUI_ANYWHERE, role, NULL},
};

const struct tui_view tui_view_nodes = {
	.name = "nodes",
	.key = 'n',
	.columns = columns,
	.column_count = COUNT_OF(columns),
	.large_sort = GPU_COLUMN,
	.count = count,
	.identify = identify,
	.rank = rank,
	.mark = mark,
	.empty = "no nodes yet",
};
