// SPDX-License-Identifier: MIT
// Pouring facts into a snapshot; join.c does the rest.
#include "mon/model.h"

#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "mon/arena.h"
#include "mon/index.h"
#include "mon/join.h"

enum { MAX_TEXT_BYTES = 4096, MAX_KEY_BYTES = 1024 };

const char *const mon_node_value_names[MON_NODE_VALUES] = {
	"cpu_milli",       "memory_bytes",     "net_rx_bytes_per_second", "net_tx_bytes_per_second",
	"disk_used_bytes", "disk_total_bytes",
};
const char *const mon_gpu_value_names[MON_GPU_VALUES] = {
	"util_pct",     "vram_used_bytes", "vram_reserved_bytes", "vram_total_bytes", "temperature_c",
	"power_w",      "power_limit_w",   "throttle_bits",       "ecc_errors",       "xid",
	"sm_clock_mhz",
};
const char *const mon_pod_value_names[MON_POD_VALUES] = {"cpu_milli", "memory_bytes"};

struct mon_snapshot *mon_snapshot_new(struct err *err)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = mem_alloc(sizeof *s);

	if (!s || !(s->arena = mon_arena_new()) || !(s->node_index = mon_index_new()) ||
	    !(s->gpu_index = mon_index_new())) {
		err_memory(err);
		return NULL;
	}
	s->cluster = s->link_error = "";
	return TAKE(s);
}

// Text of the arena, "" where memory is short.
static const char *keep(struct mon_snapshot *s, const char *text, size_t len)
{
	const char *copy = mon_arena_text(s->arena, text, len);

	if (!copy)
		s->is_out_of_memory = true;
	return copy ? copy : "";
}

static bool is_plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e)
			return false;
	return true;
}

const char *mon_snapshot_text_n(struct mon_snapshot *s, const char *text, size_t len)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(8 * MAX_TEXT_BYTES);

	if (!text || !len)
		return "";
	if (len > MAX_TEXT_BYTES)
		len = MAX_TEXT_BYTES;
	if (is_plain(text, len))
		return keep(s, text, len);
	text_sanitize(&out, text, len, TEXT_ONE_LINE);
	s->is_out_of_memory |= out.failed;
	return keep(s, strbuf_get(&out), out.len);
}

const char *mon_snapshot_text(struct mon_snapshot *s, const char *text)
{
	return text ? mon_snapshot_text_n(s, text, strlen(text)) : "";
}

// Appends ITEM, or gives SPARE where memory is short.
static void *append(struct mon_snapshot *s, void *items, size_t *count, const void *item,
                    size_t size, void *spare)
{
	char *base;

	if (!mem_append(items, count, item, size)) {
		s->is_out_of_memory = true;
		memcpy(spare, item, size);
		return spare;
	}
	memcpy(&base, items, sizeof base); // a T **
	return base + (*count - 1) * size;
}

static struct mon_node new_node(const char *name)
{
	return (struct mon_node){.name = name, .pool = "", .role = "", .version = "", .complaint = ""};
}

struct mon_node *mon_snapshot_node(struct mon_snapshot *s, const char *name, int64_t *ret_index)
{
	struct mon_node node = new_node(name), *added;
	size_t before = s->node_count;
	long *place;

	if (mon_index_find(s->node_index, name) == MON_INDEX_NONE)
		node.name = mon_snapshot_text(s, name);
	place = mon_index_place(s->node_index, node.name);
	if (place && *place != MON_INDEX_NONE) {
		if (ret_index)
			*ret_index = *place;
		return &s->nodes[*place];
	}
	s->is_out_of_memory |= !place;
	added = append(s, &s->nodes, &s->node_count, &node, sizeof node, &s->spare_node);
	if (ret_index)
		*ret_index = s->node_count > before ? (int64_t)before : MON_NO_INDEX;
	if (place && s->node_count > before)
		*place = (long)before;
	return added;
}

// What tells a GPU from others: its UUID, else its number on the node.
static void write_gpu_key(struct strbuf *key, int64_t node, const char *uuid, int64_t index,
                          int64_t instance)
{
	strbuf_addf(key, "%lld/", (long long)node);
	if (*uuid)
		strbuf_add(key, uuid);
	else
		strbuf_addf(key, "%lld", (long long)index);
	strbuf_addf(key, "/%lld", (long long)instance);
}

// The place of the GPU's number; NULL when memory is short.
static long *gpu_place(struct mon_snapshot *s, int64_t node, const char *uuid, int64_t index,
                       int64_t instance)
{
	_cleanup_strbuf_ struct strbuf buf = STRBUF_INIT(MAX_KEY_BYTES);
	const char *key;

	write_gpu_key(&buf, node, uuid, index, instance);
	key = strbuf_get(&buf);
	if (mon_index_find(s->gpu_index, key) == MON_INDEX_NONE)
		key = keep(s, key, buf.len);
	return mon_index_place(s->gpu_index, key);
}

bool mon_snapshot_has_gpu(const struct mon_snapshot *s, int64_t node, const char *uuid,
                          int64_t index, int64_t instance)
{
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(MAX_KEY_BYTES);

	write_gpu_key(&key, node, uuid, index, instance);
	return mon_index_find(s->gpu_index, strbuf_get(&key)) != MON_INDEX_NONE;
}

struct mon_gpu *mon_snapshot_gpu(struct mon_snapshot *s, int64_t node, const char *uuid,
                                 int64_t index, int64_t instance, int64_t *ret_index)
{
	long *place = gpu_place(s, node, uuid ? uuid : "", index, instance);
	size_t before = s->gpu_count;
	struct mon_gpu *added;
	struct mon_gpu gpu = {.node = node,
	                      .index = index,
	                      .instance = instance,
	                      .model = "",
	                      .profile = "",
	                      .health = ""};

	if (place && *place != MON_INDEX_NONE) {
		if (ret_index)
			*ret_index = *place;
		return &s->gpus[*place];
	}
	s->is_out_of_memory |= !place;
	gpu.kind = instance == MON_WHOLE_GPU ? MON_GPU_DEVICE : MON_GPU_MIG_INSTANCE;
	gpu.uuid = mon_snapshot_text(s, uuid);
	added = append(s, &s->gpus, &s->gpu_count, &gpu, sizeof gpu, &s->spare_gpu);
	if (ret_index)
		*ret_index = s->gpu_count > before ? (int64_t)before : MON_NO_INDEX;
	if (place && s->gpu_count > before)
		*place = (long)before;
	return added;
}

void mon_snapshot_add_owner(struct mon_snapshot *s, const struct mon_owner *owner)
{
	struct mon_owner copy = *owner, spare;

	copy.namespace = mon_snapshot_text(s, owner->namespace);
	copy.pod = mon_snapshot_text(s, owner->pod);
	copy.container = mon_snapshot_text(s, owner->container);
	copy.pod_uid = mon_snapshot_text(s, owner->pod_uid);
	copy.pod_index = MON_NO_INDEX;
	append(s, &s->owners, &s->owner_count, &copy, sizeof copy, &spare);
}

void mon_snapshot_add_resource(struct mon_snapshot *s, int64_t node, const char *name,
                               int64_t allocatable)
{
	struct mon_resource spare, resource = {node, mon_snapshot_text(s, name), allocatable, 0};

	append(s, &s->resources, &s->resource_count, &resource, sizeof resource, &spare);
}

struct mon_pod *mon_snapshot_add_pod(struct mon_snapshot *s, const char *namespace,
                                     const char *name)
{
	struct mon_pod pod = {.node_name = "", .job_name = "", .user = "", .reason = "", .uid = ""};

	pod.namespace = mon_snapshot_text(s, namespace);
	pod.name = mon_snapshot_text(s, name);
	pod.gpu_resource = "";
	pod.exit_code = -1;
	return append(s, &s->pods, &s->pod_count, &pod, sizeof pod, &s->spare_pod);
}

struct mon_job *mon_snapshot_add_job(struct mon_snapshot *s, const char *namespace,
                                     const char *name)
{
	struct mon_job job = {.user = "", .priority_class = "", .why = "", .nodes = ""};

	job.namespace = mon_snapshot_text(s, namespace);
	job.name = mon_snapshot_text(s, name);
	return append(s, &s->jobs, &s->job_count, &job, sizeof job, &s->spare_job);
}

void mon_snapshot_add_note(struct mon_snapshot *s, const char *text, int64_t since_ms)
{
	struct mon_note spare, note = {mon_snapshot_text(s, text), since_ms};

	append(s, &s->notes, &s->note_count, &note, sizeof note, &spare);
}

void mon_snapshot_free(struct mon_snapshot *s)
{
	if (!s)
		return;
	mem_free(s->nodes);
	mem_free(s->resources);
	mem_free(s->gpus);
	mem_free(s->owners);
	mem_free(s->pods);
	mem_free(s->jobs);
	mem_free(s->notes);
	mem_free(s->queue);
	mem_free(s->rings_memory);
	mon_alerts_release(&s->alerts);
	mon_index_free(s->node_index);
	mon_index_free(s->gpu_index);
	mon_arena_free(s->arena);
	mem_free(s);
}

void mon_snapshot_freep(struct mon_snapshot **s)
{
	mon_snapshot_free(*s);
}
