// SPDX-License-Identifier: MIT
#include "mon/history.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "mon/arena.h"
#include "mon/index.h"
#include "mon/join.h"
#include "mon/model.h"

enum { MAX_KEY_BYTES = 16 * 1024, FORGET_MS = 3600 * 1000, SPARE_MEMORIES = 64 };

// A node, a device or a MIG instance.
struct memory {
	const char *key, *node, *uuid, *model; // in the arena; node "": this is a node
	int64_t index, instance;
	int64_t seen_ms; // the last snapshot that had it
	int64_t lost_since_ms;
	bool is_dismissed;
	int64_t sample_ms, quiet_since_ms;
	double xid;
	int64_t xid_first_ms;
	bool is_xid_known, is_xid_old;
	struct mon_ring rings[2]; // of a GPU: use, VRAM; of a node: use of its GPUs, CPU
};

struct mon_history {
	struct memory *memories;
	size_t count;
	struct mon_index *index;
	struct mon_arena *arena;
	size_t *places; // the memory of each of the snapshot's GPUs, then of its nodes
	struct mon_cluster_rings rings;
};

void mon_ring_add(struct mon_ring *ring, int64_t at_ms, int64_t window_ms, double percent)
{
	int64_t slot = at_ms / MON_RING_SLOT_MS, first = (at_ms - window_ms) / MON_RING_SLOT_MS + 1;
	bool is_valid = percent >= 0 && percent <= 100; // not NaN either

	if (slot <= 0)
		return;
	if (!ring->last_slot || slot - ring->last_slot >= MON_RING_SLOTS) {
		memset(ring->percent, MON_RING_GAP, sizeof ring->percent);
		ring->last_slot = slot;
	}
	while (ring->last_slot < slot)
		ring->percent[++ring->last_slot % MON_RING_SLOTS] = MON_RING_GAP;
	if (first <= ring->last_slot - MON_RING_SLOTS)
		first = ring->last_slot - MON_RING_SLOTS + 1;
	if (slot < first || !is_valid)
		return;
	for (int64_t at = first; at < slot; at++)
		if (ring->percent[at % MON_RING_SLOTS] == MON_RING_GAP)
			ring->percent[at % MON_RING_SLOTS] = (unsigned char)lround(percent);
	ring->percent[slot % MON_RING_SLOTS] = (unsigned char)lround(percent);
}

unsigned char mon_ring_get(const struct mon_ring *ring, int64_t now_ms, size_t back)
{
	int64_t slot = now_ms / MON_RING_SLOT_MS - (int64_t)back;

	if (!ring || !ring->last_slot || slot > ring->last_slot ||
	    slot <= ring->last_slot - MON_RING_SLOTS || slot <= 0)
		return MON_RING_GAP;
	return ring->percent[slot % MON_RING_SLOTS];
}

struct mon_history *mon_history_new(struct err *err)
{
	_cleanup_mon_history_ struct mon_history *history = mem_alloc(sizeof *history);

	if (!history || !(history->index = mon_index_new()) || !(history->arena = mon_arena_new())) {
		err_memory(err);
		return NULL;
	}
	return TAKE(history);
}

static const char *keep(struct mon_history *history, const char *text)
{
	return mon_arena_text(history->arena, text, strlen(text));
}

// The number of the memory with the key in KEY, added where it is new; false when memory is short.
static bool find(struct mon_history *history, struct strbuf *key, size_t *ret)
{
	const char *text = strbuf_get(key);
	struct memory memory = {.node = "", .uuid = "", .model = "", .instance = MON_WHOLE_GPU};
	long *place;

	if (key->failed)
		return false;
	if (mon_index_find(history->index, text) != MON_INDEX_NONE) {
		*ret = (size_t)mon_index_find(history->index, text);
		return true;
	}
	memory.key = keep(history, text);
	place = memory.key ? mon_index_place(history->index, memory.key) : NULL;
	if (!place || !mem_append(&history->memories, &history->count, &memory, sizeof memory))
		return false;
	*ret = history->count - 1;
	*place = (long)*ret;
	return true;
}

// The memory of a GPU, which is known by its node and UUID, else by its number there.
static bool find_gpu(struct mon_history *history, const struct mon_snapshot *s,
                     const struct mon_gpu *gpu, size_t *ret)
{
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(MAX_KEY_BYTES);
	const char *node = s->nodes[gpu->node].name;
	struct memory *memory;

	strbuf_addf(&key, "%s\n%s\n", node, gpu->uuid);
	if (!*gpu->uuid)
		strbuf_addf(&key, "%lld", (long long)gpu->index);
	strbuf_addf(&key, "\n%lld", (long long)gpu->instance);
	if (!find(history, &key, ret))
		return false;
	memory = &history->memories[*ret];
	if (!*memory->node) {
		memory->node = keep(history, node);
		memory->uuid = keep(history, gpu->uuid);
		memory->instance = gpu->instance;
	}
	if (memory->model && !*memory->model && *gpu->model)
		memory->model = keep(history, gpu->model);
	memory->index = gpu->index;
	return memory->node && memory->uuid && memory->model;
}

static bool is_missing(const struct mon_snapshot *s, const struct memory *memory)
{
	long node = *memory->node && memory->instance == MON_WHOLE_GPU
	                ? mon_index_find(s->node_index, memory->node)
	                : MON_INDEX_NONE;

	return node != MON_INDEX_NONE && s->nodes[node].gpu_heard_ms > memory->seen_ms &&
	       !mon_snapshot_has_gpu(s, node, memory->uuid, memory->index, memory->instance);
}

bool mon_history_recall(struct mon_history *history, struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < history->count; i++) {
		struct memory *memory = &history->memories[i];
		struct mon_gpu *gpu;

		if (memory->is_dismissed || !is_missing(s, memory))
			continue;
		if (!memory->lost_since_ms)
			memory->lost_since_ms = s->now_ms;
		gpu = mon_snapshot_gpu(s, mon_index_find(s->node_index, memory->node), memory->uuid,
		                       memory->index, memory->instance, NULL);
		gpu->is_lost = true;
		gpu->lost_since_ms = memory->lost_since_ms;
		gpu->model = mon_snapshot_text(s, memory->model);
	}
	return s->is_out_of_memory ? err_memory(err) : true;
}

// A GPU is quiet since the first of an unbroken row of low samples.
static void note_use(struct memory *memory, const struct mon_value *util, double idle_pct)
{
	int64_t gap_ms = 4 * mon_source_interval_ms(util->source);

	if (!mon_value_is_known(util) || util->at_ms <= memory->sample_ms)
		return;
	if (util->number >= idle_pct)
		memory->quiet_since_ms = 0;
	else if (!memory->quiet_since_ms || util->at_ms - memory->sample_ms > gap_ms)
		memory->quiet_since_ms = util->at_ms;
	memory->sample_ms = util->at_ms;
}

// An XID is an event when it changes: the exporter repeats the last one for ever (dcgm-exporter#500).
static void note_xid(struct memory *memory, const struct mon_value *xid)
{
	if (!mon_value_is_known(xid))
		return;
	if (memory->xid != xid->number) {
		memory->xid = xid->number;
		memory->xid_first_ms = xid->number > 0 ? xid->at_ms : 0;
		memory->is_xid_old = !memory->is_xid_known;
	}
	memory->is_xid_known = true;
}

static void add_sample(struct mon_ring *ring, const struct mon_value *value, double percent)
{
	if (mon_value_is_known(value))
		mon_ring_add(ring, value->at_ms, mon_source_interval_ms(value->source), percent);
}

// At the first sight of it, what a record remembers of a GPU is taken over.
static void adopt_gpu(struct memory *memory, const struct mon_gpu *gpu)
{
	if (memory->seen_ms)
		return;
	memory->quiet_since_ms = gpu->quiet_since_ms;
	memory->sample_ms = gpu->quiet_since_ms ? gpu->values[MON_GPU_UTIL_PCT].at_ms - 1 : 0;
	if (gpu->xid_first_ms) {
		memory->xid = mon_value_or(&gpu->values[MON_GPU_XID], 0);
		memory->xid_first_ms = gpu->xid_first_ms;
		memory->is_xid_old = gpu->is_xid_old;
	}
	if (gpu->util_ring)
		memory->rings[0] = *gpu->util_ring;
	if (gpu->vram_ring)
		memory->rings[1] = *gpu->vram_ring;
}

static void note_gpu(struct memory *memory, struct mon_gpu *gpu, const struct mon_snapshot *s)
{
	const struct mon_value *used = &gpu->values[MON_GPU_VRAM_USED_BYTES];
	double total = mon_value_or(&gpu->values[MON_GPU_VRAM_TOTAL_BYTES], 0);

	if (gpu->is_lost)
		return; // it was not seen
	adopt_gpu(memory, gpu);
	memory->seen_ms = s->now_ms;
	memory->lost_since_ms = 0;
	memory->is_dismissed = false;
	note_use(memory, &gpu->values[MON_GPU_UTIL_PCT], s->thresholds.idle_pct);
	note_xid(memory, &gpu->values[MON_GPU_XID]);
	add_sample(&memory->rings[0], &gpu->values[MON_GPU_UTIL_PCT],
	           gpu->values[MON_GPU_UTIL_PCT].number);
	if (total > 0)
		add_sample(&memory->rings[1], used, used->number / total * 100);
	gpu->quiet_since_ms = memory->quiet_since_ms;
	gpu->xid_first_ms = memory->xid_first_ms;
	gpu->is_xid_old = memory->is_xid_old;
}

bool mon_history_join(struct mon_history *history, struct mon_snapshot *s, struct err *err)
{
	size_t *places =
		mem_resize(history->places, (s->gpu_count + s->node_count + 1) * sizeof *history->places);

	if (!places)
		return err_memory(err);
	history->places = places;
	for (size_t i = 0; i < s->gpu_count; i++) {
		if (!find_gpu(history, s, &s->gpus[i], &places[i]))
			return err_memory(err);
		note_gpu(&history->memories[places[i]], &s->gpus[i], s);
	}
	return true;
}

static bool note_node(struct mon_history *history, const struct mon_snapshot *s,
                      const struct mon_node *node, size_t *ret)
{
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(MAX_KEY_BYTES);
	const struct mon_value *cpu = &node->values[MON_NODE_CPU_MILLI];
	struct memory *memory;

	strbuf_add(&key, node->name);
	if (!find(history, &key, ret))
		return false;
	memory = &history->memories[*ret];
	if (!memory->seen_ms && node->gpu_ring)
		memory->rings[0] = *node->gpu_ring;
	if (!memory->seen_ms && node->cpu_ring)
		memory->rings[1] = *node->cpu_ring;
	memory->seen_ms = s->now_ms;
	add_sample(&memory->rings[0], &node->gpu_util_pct, node->gpu_util_pct.number);
	if (node->cpu_capacity_milli > 0)
		add_sample(&memory->rings[1], cpu, cpu->number / (double)node->cpu_capacity_milli * 100);
	return true;
}

static void add_total(struct mon_ring *ring, const struct mon_snapshot *s, double sum, double of)
{
	if (of > 0)
		mon_ring_add(ring, s->now_ms, s->interval_ms, sum / of * 100);
}

static void note_totals(struct mon_history *history, struct mon_snapshot *s)
{
	const struct mon_totals *t = &s->totals;

	if (!history->rings.gpu.last_slot)
		history->rings = s->rings;
	add_total(&history->rings.gpu, s, t->gpu_util_pct.sum, (double)t->gpu_util_pct.known * 100);
	add_total(&history->rings.vram, s, t->vram_bytes.sum, t->vram_bytes.of);
	add_total(&history->rings.cpu, s, t->cpu_milli.sum, t->cpu_milli.of);
	add_total(&history->rings.power, s, t->power_w.sum, t->power_w.of);
	s->rings = history->rings;
}

// Copies what has samples into the snapshot.
static const struct mon_ring *give(struct mon_ring **room, const struct mon_ring *ring)
{
	if (!ring->last_slot)
		return NULL;
	**room = *ring;
	return (*room)++;
}

static bool give_rings(const struct mon_history *history, struct mon_snapshot *s, struct err *err)
{
	struct mon_ring *room =
		mem_alloc((s->gpu_count + s->node_count + 1) * 2 * sizeof *s->rings_memory);

	s->rings_memory = room;
	if (!room)
		return err_memory(err);
	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct memory *memory = &history->memories[history->places[i]];

		s->gpus[i].util_ring = give(&room, &memory->rings[0]);
		s->gpus[i].vram_ring = give(&room, &memory->rings[1]);
	}
	for (size_t i = 0; i < s->node_count; i++) {
		const struct memory *memory = &history->memories[history->places[s->gpu_count + i]];

		s->nodes[i].gpu_ring = give(&room, &memory->rings[0]);
		s->nodes[i].cpu_ring = give(&room, &memory->rings[1]);
	}
	return true;
}

static void release(struct mon_history *history)
{
	mem_free(history->memories);
	mon_index_free(history->index);
	mon_arena_free(history->arena);
}

// Appends a copy of MEMORY, texts too; false when memory is short.
static bool copy_memory(struct mon_history *to, struct memory memory)
{
	long *place;

	memory.key = keep(to, memory.key);
	memory.node = keep(to, memory.node);
	memory.uuid = keep(to, memory.uuid);
	memory.model = keep(to, memory.model);
	place = memory.key ? mon_index_place(to->index, memory.key) : NULL;
	if (!place || !memory.node || !memory.uuid || !memory.model ||
	    !mem_append(&to->memories, &to->count, &memory, sizeof memory))
		return false;
	*place = (long)to->count - 1;
	return true;
}

// Nodes that come and go for months must not pile up: what was not seen for an hour is forgotten once it
// is the larger part.
static bool forget(struct mon_history *history, const struct mon_snapshot *s, struct err *err)
{
	struct mon_history kept = {.index = NULL};
	bool is_ok;

	if (history->count < 2 * (s->gpu_count + s->node_count) + SPARE_MEMORIES)
		return true;
	kept.index = mon_index_new();
	kept.arena = mon_arena_new();
	is_ok = kept.index && kept.arena;
	for (size_t i = 0; is_ok && i < history->count; i++)
		if (s->now_ms - history->memories[i].seen_ms <= FORGET_MS)
			is_ok = copy_memory(&kept, history->memories[i]);
	if (!is_ok) {
		release(&kept);
		return err_memory(err);
	}
	release(history);
	kept.places = history->places;
	kept.rings = history->rings;
	*history = kept;
	return true;
}

bool mon_history_count(struct mon_history *history, struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < s->node_count; i++)
		if (!note_node(history, s, &s->nodes[i], &history->places[s->gpu_count + i]))
			return err_memory(err);
	note_totals(history, s);
	return give_rings(history, s, err) && forget(history, s, err);
}

void mon_history_dismiss_lost(struct mon_history *history)
{
	for (size_t i = 0; i < history->count; i++)
		if (history->memories[i].lost_since_ms)
			history->memories[i].is_dismissed = true;
}

void mon_history_free(struct mon_history *history)
{
	if (!history)
		return;
	release(history);
	mem_free(history->places);
	mem_free(history);
}

void mon_history_freep(struct mon_history **history)
{
	mon_history_free(*history);
}
