// SPDX-License-Identifier: MIT
#include "tui/views.h"

#include <string.h>

#include "mon/show.h"
#include "tui/pen.h"

enum { MAX_TEXT_BYTES = 1024 };

static const double gib = 1024.0 * 1024 * 1024;

static const struct mon_gpu *gpu_at(const struct mon_snapshot *s, size_t row)
{
	return &s->gpus[row];
}

static const struct mon_value *value_at(const struct mon_snapshot *s, size_t row,
                                        enum mon_gpu_value which)
{
	return &s->gpus[row].values[which];
}

static size_t count(const struct mon_snapshot *s)
{
	return s->gpu_count;
}

static void identify(const struct mon_snapshot *s, size_t row, struct strbuf *out)
{
	const struct mon_gpu *gpu = gpu_at(s, row);

	strbuf_addf(out, "%s:%lld", s->nodes[gpu->node].name, (long long)gpu->index);
	if (gpu->instance != MON_WHOLE_GPU)
		strbuf_addf(out, "/%lld", (long long)gpu->instance);
}

static int rank(const struct mon_snapshot *s, size_t row)
{
	return mon_gpu_is_faulty(s, gpu_at(s, row)) ? 0 : mon_gpu_idle_s(s, gpu_at(s, row)) ? 1 : 2;
}

static char mark(const struct mon_snapshot *s, size_t row)
{
	return mon_gpu_is_faulty(s, gpu_at(s, row)) ? '!' : ' ';
}

static struct tui_datum node(const struct mon_snapshot *s, size_t row)
{
	return tui_words(s->nodes[gpu_at(s, row)->node].name);
}

// "3", "4/3" for an instance; with IS_LONG "gpu-a:4/3".
static void draw_place(const struct tui_pen *pen, size_t row, bool is_long)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_gpu *gpu = gpu_at(pen->s, row);

	if (is_long)
		strbuf_addf(&text, "%s:", pen->s->nodes[gpu->node].name);
	if (is_long || gpu->instance == MON_WHOLE_GPU)
		strbuf_addf(&text, "%lld", (long long)gpu->index);
	if (gpu->instance != MON_WHOLE_GPU)
		strbuf_addf(&text, "/%lld", (long long)gpu->instance);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static void draw_number(const struct tui_pen *pen, size_t row)
{
	draw_place(pen, row, false);
}

static void draw_name(const struct tui_pen *pen, size_t row)
{
	draw_place(pen, row, true);
}

static struct tui_datum index_of(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)gpu_at(s, row)->index);
}

static struct tui_datum model(const struct mon_snapshot *s, size_t row)
{
	const struct mon_gpu *gpu = gpu_at(s, row);

	return tui_words(*gpu->profile ? gpu->profile : gpu->model);
}

// "H100-80GB" of "NVIDIA H100 80GB HBM3": without the maker's name, and what tells nothing.
static void draw_model(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const char *name = model(pen->s, row).text;
	const char *end;

	if (strncmp(name, "NVIDIA ", 7) == 0)
		name += 7;
	end = strstr(name, "GB ");
	for (; *name && !(end && name == end + 2); name++)
		strbuf_add_char(&text, *name == ' ' ? '-' : *name);
	tui_draw_text(pen, TUI_PLAIN, strbuf_get(&text));
}

static struct tui_datum use(const struct mon_snapshot *s, size_t row)
{
	return tui_value(value_at(s, row, MON_GPU_UTIL_PCT));
}

static void draw_use(const struct tui_pen *pen, size_t row)
{
	const struct mon_gpu *gpu = gpu_at(pen->s, row);
	const struct mon_value *value = value_at(pen->s, row, MON_GPU_UTIL_PCT);
	bool is_unused =
		gpu->allocated == MON_YES && mon_value_or(value, 100) < pen->s->thresholds.idle_pct;

	if (gpu->is_lost)
		tui_draw_bar_word(pen, "n/a");
	else if (gpu->kind == MON_GPU_MIG_PARENT && !mon_value_is_known(value))
		tui_draw_bar_word(pen, "MIG");
	else
		tui_draw_bar(pen, value, is_unused ? TUI_AMBER : TUI_PLAIN);
}

static struct tui_datum vram(const struct mon_snapshot *s, size_t row)
{
	return tui_value(value_at(s, row, MON_GPU_VRAM_USED_BYTES));
}

static void draw_vram(const struct tui_pen *pen, size_t row)
{
	tui_draw_pair(pen, value_at(pen->s, row, MON_GPU_VRAM_USED_BYTES),
	              value_at(pen->s, row, MON_GPU_VRAM_TOTAL_BYTES), gib);
}

static void draw_reserved(const struct tui_pen *pen, size_t row)
{
	tui_draw_value(pen, value_at(pen->s, row, MON_GPU_VRAM_RESERVED_BYTES), gib, 1);
}

static struct tui_datum power(const struct mon_snapshot *s, size_t row)
{
	return tui_value(value_at(s, row, MON_GPU_POWER_W));
}

static void draw_power(const struct tui_pen *pen, size_t row)
{
	tui_draw_value(pen, value_at(pen->s, row, MON_GPU_POWER_W), 1, 0);
}

static void draw_limit(const struct tui_pen *pen, size_t row)
{
	tui_draw_value(pen, value_at(pen->s, row, MON_GPU_POWER_LIMIT_W), 1, 0);
}

static struct tui_datum temperature(const struct mon_snapshot *s, size_t row)
{
	return tui_value(value_at(s, row, MON_GPU_TEMPERATURE_C));
}

static void draw_temperature(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_value *value = value_at(pen->s, row, MON_GPU_TEMPERATURE_C);

	if (mon_value_or(value, 0) < pen->s->thresholds.temperature_c) {
		tui_draw_value(pen, value, 1, 0);
		return;
	}
	strbuf_addf(&text, "%.0f!", value->number);
	tui_draw_text(pen, TUI_FAULT, strbuf_get(&text));
}

static struct tui_datum ecc(const struct mon_snapshot *s, size_t row)
{
	return tui_value(value_at(s, row, MON_GPU_ECC));
}

static struct tui_datum xid(const struct mon_snapshot *s, size_t row)
{
	return tui_value(value_at(s, row, MON_GPU_XID));
}

// A counter of faults: red unless it is 0.
static void draw_faults(const struct tui_pen *pen, const struct mon_value *value)
{
	tui_draw_value(pen, value, 1, 0);
	if (mon_value_or(value, 0) > 0)
		tui_restyle(pen->canvas, pen->row, pen->column, pen->width, TUI_FAULT);
}

static void draw_ecc(const struct tui_pen *pen, size_t row)
{
	draw_faults(pen, value_at(pen->s, row, MON_GPU_ECC));
}

static void draw_xid(const struct tui_pen *pen, size_t row)
{
	const struct mon_value *value = value_at(pen->s, row, MON_GPU_XID);

	if (mon_value_is_known(value) && value->number <= 0)
		tui_draw_text(pen, TUI_FAINT, "-");
	else
		draw_faults(pen, value);
}

static const struct mon_owner *first_owner(const struct mon_snapshot *s, const struct mon_gpu *gpu)
{
	return gpu->owner_count ? &s->owners[gpu->owner_first] : NULL;
}

static struct tui_datum owner(const struct mon_snapshot *s, size_t row)
{
	const struct mon_owner *owner = first_owner(s, gpu_at(s, row));

	return tui_words(owner ? owner->pod : "");
}

static struct tui_datum namespace(const struct mon_snapshot *s, size_t row)
{
	const struct mon_owner *owner = first_owner(s, gpu_at(s, row));

	return tui_words(owner ? owner->namespace : "");
}

// Pods that have an instance of the parent.
static size_t instance_owners(const struct mon_snapshot *s, size_t row)
{
	const struct mon_gpu *parent = gpu_at(s, row);
	size_t owners = 0;

	for (size_t i = row + 1;
	     i < s->gpu_count && s->gpus[i].node == parent->node && s->gpus[i].index == parent->index;
	     i++)
		owners += s->gpus[i].owner_count;
	return owners;
}

static void draw_owner(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_gpu *gpu = gpu_at(pen->s, row);
	const struct mon_owner *owner = first_owner(pen->s, gpu);
	size_t pods = gpu->kind == MON_GPU_MIG_PARENT ? instance_owners(pen->s, row) : gpu->owner_count;

	if (pods > 1)
		strbuf_addf(&text, "(%zu pods)", pods);
	else if (owner && *owner->pod)
		strbuf_addf(&text, "%s/%s", owner->namespace, owner->pod);
	else if (owner)
		strbuf_addf(&text, "pod %s", owner->pod_uid);
	else if (gpu->allocated == MON_YES)
		strbuf_add(&text, "owner unknown");
	else
		strbuf_add(&text, gpu->allocated == MON_NO ? "-" : "?");
	tui_draw_text(pen, text.len > 1 ? TUI_PLAIN : TUI_FAINT, strbuf_get(&text));
}

static const struct mon_pod *owner_pod(const struct mon_snapshot *s, const struct mon_gpu *gpu)
{
	const struct mon_owner *owner = first_owner(s, gpu);

	return owner && owner->pod_index != MON_NO_INDEX ? &s->pods[owner->pod_index] : NULL;
}

static struct tui_datum job(const struct mon_snapshot *s, size_t row)
{
	const struct mon_pod *pod = owner_pod(s, gpu_at(s, row));

	return tui_words(pod ? pod->job_name : "");
}

static struct tui_datum user(const struct mon_snapshot *s, size_t row)
{
	const struct mon_pod *pod = owner_pod(s, gpu_at(s, row));

	return tui_words(pod ? pod->user : "");
}

static struct tui_datum allocated(const struct mon_snapshot *s, size_t row)
{
	enum mon_truth allocated = gpu_at(s, row)->allocated;

	return allocated == MON_UNKNOWN ? tui_nothing() : tui_number(allocated == MON_YES);
}

static struct tui_datum idle(const struct mon_snapshot *s, size_t row)
{
	return tui_number((double)mon_gpu_idle_s(s, gpu_at(s, row)));
}

// How the STATE column begins, its style, and the seconds behind it (-1: none).
struct state {
	const char *word;
	enum tui_style style;
	int64_t seconds;
};

static struct state fault_state(const struct mon_gpu *gpu)
{
	if (gpu->is_lost)
		return (struct state){"LOST", TUI_FAULT, -1};
	if (mon_value_or(&gpu->values[MON_GPU_XID], 0) > 0)
		return (struct state){"XID", TUI_FAULT, -1};
	if (mon_value_or(&gpu->values[MON_GPU_ECC], 0) > 0)
		return (struct state){"ECC", TUI_FAULT, -1};
	if (*gpu->health)
		return (struct state){gpu->health, TUI_FAULT, -1};
	return (struct state){"HOT", TUI_FAULT, -1};
}

static struct state state_of(const struct mon_snapshot *s, const struct mon_gpu *gpu)
{
	const struct mon_value *use = &gpu->values[MON_GPU_UTIL_PCT];
	int64_t idle_s = mon_gpu_idle_s(s, gpu);

	if (mon_gpu_is_faulty(s, gpu))
		return fault_state(gpu);
	if (idle_s)
		return (struct state){"IDLE", TUI_AMBER, idle_s};
	if (gpu->kind != MON_GPU_DEVICE)
		return (struct state){"mig", TUI_PLAIN, -1};
	if (!mon_value_is_known(use))
		return (struct state){use->state == MON_STALE ? "stale" : "no data", TUI_FAINT, -1};
	if (use->number >= s->thresholds.idle_pct)
		return (struct state){"ok", TUI_GOOD, -1};
	if (gpu->allocated == MON_NO)
		return (struct state){"free", TUI_PLAIN, -1};
	return (struct state){"quiet", TUI_PLAIN,
	                      gpu->quiet_since_ms ? (s->now_ms - gpu->quiet_since_ms) / 1000 : -1};
}

static struct tui_datum state(const struct mon_snapshot *s, size_t row)
{
	return tui_words(state_of(s, gpu_at(s, row)).word);
}

static void draw_state(const struct tui_pen *pen, size_t row)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_gpu *gpu = gpu_at(pen->s, row);
	struct state state = state_of(pen->s, gpu);

	strbuf_add(&text, state.word);
	if (strcmp(state.word, "XID") == 0)
		strbuf_addf(&text, " %.0f", gpu->values[MON_GPU_XID].number);
	if (state.seconds >= 0) {
		strbuf_add_char(&text, ' ');
		mon_show_age(&text, state.seconds);
	}
	tui_draw_text(pen, state.style, strbuf_get(&text));
}

static void draw_ring(const struct tui_pen *pen, size_t row)
{
	tui_draw_ring(pen, gpu_at(pen->s, row)->util_ring);
}

enum { USE_COLUMN = 3 };

static const struct tui_column columns[] = {
	{"GPU", "node", 11, 24, 0, false, TUI_IN_LIST, node, draw_name},
	{"#", "index", 2, 3, 0, true, TUI_IN_PANEL, index_of, draw_number},
	{"MODEL", "model", 9, 20, 9, false, TUI_ANYWHERE, model, draw_model},
	{"GPU%", "gpu", 14, 24, 0, false, TUI_ANYWHERE, use, draw_use},
	{"VRAM GiB", "vram", 11, 11, 2, true, TUI_ANYWHERE, vram, draw_vram},
	{"RSV", NULL, 4, 4, 14, true, TUI_ANYWHERE, NULL, draw_reserved},
	{"W", "power", 4, 4, 4, true, TUI_ANYWHERE, power, draw_power},
	{"LIMIT", NULL, 5, 5, 12, true, TUI_ANYWHERE, NULL, draw_limit},
	{"C", "temp", 4, 4, 3, true, TUI_ANYWHERE, temperature, draw_temperature},
	{"ECC", "ecc", 3, 5, 13, true, TUI_ANYWHERE, ecc, draw_ecc},
	{"XID", "xid", 3, 3, 13, true, TUI_ANYWHERE, xid, draw_xid},
	{"OWNER ns/pod", "owner", 20, 40, 0, false, TUI_ANYWHERE, owner, draw_owner},
	{"JOB", "job", 10, 24, 10, false, TUI_ANYWHERE, job, NULL},
	{"USER", "user", 8, 12, 15, false, TUI_ANYWHERE, user, NULL},
	{"STATE", "state", 8, 11, 0, false, TUI_ANYWHERE, state, draw_state},
	{"10 min", NULL, 8, 60, 5, false, TUI_ANYWHERE, NULL, draw_ring},
	{"", "ns", 0, 0, 0, false, TUI_ANYWHERE, namespace, NULL},
	{"", "alloc", 0, 0, 0, false, TUI_ANYWHERE, allocated, NULL},
	{"", "idle", 0, 0, 0, false, TUI_ANYWHERE, idle, NULL},
};

const struct tui_view tui_view_gpus = {
	.name = "gpus",
	.key = 'g',
	.columns = columns,
	.column_count = COUNT_OF(columns),
	.large_sort = USE_COLUMN,
	.count = count,
	.identify = identify,
	.rank = rank,
	.mark = mark,
	.empty = "no GPUs are known: no source has named one",
};
