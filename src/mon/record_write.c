// SPDX-License-Identifier: MIT
#include "mon/record.h"

#include <string.h>

#include "base/json.h"
#include "base/json_build.h"
#include "mon/model.h"
#include "mon/record_fields.h"

static void put_field(struct json_build *b, const struct mon_field *field, const char *from)
{
	const char *text;
	int64_t number;
	unsigned int word;
	bool is_set;

	switch (field->type) {
	case MON_FIELD_TEXT:
		memcpy(&text, from, sizeof text);
		if (text && *text)
			json_put_string(b, field->name, text);
		break;
	case MON_FIELD_I64:
		memcpy(&number, from, sizeof number);
		if (number != field->otherwise)
			json_put_i64(b, field->name, number);
		break;
	case MON_FIELD_BOOL:
		memcpy(&is_set, from, sizeof is_set);
		if (is_set)
			json_put_bool(b, field->name, true);
		break;
	case MON_FIELD_WORD:
		memcpy(&word, from, sizeof word);
		if (word)
			json_put_string(b, field->name, field->words[word]);
		break;
	case MON_FIELD_BITS:
		memcpy(&word, from, sizeof word);
		if (word)
			json_put_i64(b, field->name, word);
		break;
	}
}

static void put_fields(struct json_build *b, const struct mon_field_list *list, const void *object)
{
	const char *from = object;

	for (size_t i = 0; i < list->count; i++)
		put_field(b, &list->fields[i], from + list->fields[i].where);
}

static void put_value(struct json_build *b, const char *name, const struct mon_value *value,
                      int64_t now_ms)
{
	if (value->state == MON_NONE)
		return;
	json_build_open_array(b, name);
	if (value->state == MON_NA)
		json_put_null(b, NULL);
	else
		json_put_number(b, NULL, value->number);
	json_put_i64(b, NULL, now_ms - value->at_ms);
	json_put_string(b, NULL, mon_source_words[value->source]);
	json_build_close(b);
}

static void put_values(struct json_build *b, const char *const *names,
                       const struct mon_value *values, size_t count, int64_t now_ms)
{
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		known += values[i].state != MON_NONE;
	if (!known)
		return;
	json_build_open_object(b, "values");
	for (size_t i = 0; i < count; i++)
		put_value(b, names[i], &values[i], now_ms);
	json_build_close(b);
}

// The newest slot last; null is a gap.
static void put_ring(struct json_build *b, const char *name, const struct mon_ring *ring,
                     int64_t now_ms)
{
	if (!ring || !ring->last_slot)
		return;
	json_build_open_array(b, name);
	for (size_t back = MON_RING_SLOTS; back-- > 0;) {
		unsigned char percent = mon_ring_get(ring, now_ms, back);

		if (percent == MON_RING_GAP)
			json_put_null(b, NULL);
		else
			json_put_i64(b, NULL, percent);
	}
	json_build_close(b);
}

static void put_gpu(struct json_build *b, const struct mon_snapshot *s, const struct mon_gpu *gpu,
                    bool is_first)
{
	json_build_open_object(b, NULL);
	put_fields(b, &mon_gpu_fields, gpu);
	put_values(b, mon_gpu_value_names, gpu->values, MON_GPU_VALUES, s->now_ms);
	if (gpu->owner_count) {
		json_build_open_array(b, "owners");
		for (size_t i = 0; i < gpu->owner_count; i++) {
			const struct mon_owner *owner = &s->owners[gpu->owner_first + i];

			if (owner->how == MON_OWNER_REQUEST)
				continue; // found again
			json_build_open_object(b, NULL);
			put_fields(b, &mon_owner_fields, owner);
			json_build_close(b);
		}
		json_build_close(b);
	}
	if (is_first) {
		put_ring(b, "util_history_pct", gpu->util_ring, s->now_ms);
		put_ring(b, "vram_history_pct", gpu->vram_ring, s->now_ms);
	}
	json_build_close(b);
}

static void put_node(struct json_build *b, const struct mon_snapshot *s,
                     const struct mon_node *node, bool is_first)
{
	json_build_open_object(b, NULL);
	put_fields(b, &mon_node_fields, node);
	put_values(b, mon_node_value_names, node->values, MON_NODE_VALUES, s->now_ms);
	if (node->resource_count) {
		json_build_open_object(b, "resources");
		for (size_t i = 0; i < node->resource_count; i++) {
			const struct mon_resource *resource = &s->resources[node->resource_first + i];

			json_put_i64(b, resource->name, resource->allocatable);
		}
		json_build_close(b);
	}
	if (is_first) {
		put_ring(b, "gpu_history_pct", node->gpu_ring, s->now_ms);
		put_ring(b, "cpu_history_pct", node->cpu_ring, s->now_ms);
	}
	if (node->gpu_count) {
		json_build_open_array(b, "gpus");
		for (size_t i = 0; i < node->gpu_count; i++)
			put_gpu(b, s, &s->gpus[node->gpu_first + i], is_first);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_workloads(struct json_build *b, const struct mon_snapshot *s)
{
	json_build_open_array(b, "pods");
	for (size_t i = 0; i < s->pod_count; i++) {
		json_build_open_object(b, NULL);
		put_fields(b, &mon_pod_fields, &s->pods[i]);
		put_values(b, mon_pod_value_names, s->pods[i].values, MON_POD_VALUES, s->now_ms);
		json_build_close(b);
	}
	json_build_close(b);
	json_build_open_array(b, "jobs");
	for (size_t i = 0; i < s->job_count; i++) {
		json_build_open_object(b, NULL);
		put_fields(b, &mon_job_fields, &s->jobs[i]);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_notes(struct json_build *b, const struct mon_snapshot *s)
{
	json_build_open_array(b, "notes");
	for (size_t i = 0; i < s->note_count; i++) {
		json_build_open_object(b, NULL);
		json_put_string(b, "text", s->notes[i].text);
		json_put_i64(b, "since_ms", s->notes[i].since_ms);
		json_build_close(b);
	}
	json_build_close(b);
}

static void put_rings(struct json_build *b, const struct mon_snapshot *s)
{
	json_build_open_object(b, "history");
	put_ring(b, "gpu_pct", &s->rings.gpu, s->now_ms);
	put_ring(b, "vram_pct", &s->rings.vram, s->now_ms);
	put_ring(b, "cpu_pct", &s->rings.cpu, s->now_ms);
	put_ring(b, "power_pct", &s->rings.power, s->now_ms);
	json_build_close(b);
}

bool mon_record_write(struct strbuf *out, const struct mon_snapshot *s, bool is_first,
                      struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_put_i64(&b, "vpsml_record", MON_RECORD_VERSION);
	json_put_i64(&b, "time_ms", s->now_ms);
	json_put_string(&b, "cluster", s->cluster);
	json_put_string(&b, "link", mon_link_words[s->link]);
	if (*s->link_error)
		json_put_string(&b, "link_error", s->link_error);
	json_put_i64(&b, "link_since_ms", s->link_since_ms);
	json_put_i64(&b, "interval_ms", s->interval_ms);
	json_build_open_array(&b, "nodes");
	for (size_t i = 0; i < s->node_count; i++)
		put_node(&b, s, &s->nodes[i], is_first);
	json_build_close(&b);
	put_workloads(&b, s);
	put_notes(&b, s);
	if (is_first)
		put_rings(&b, s);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	json_write(out, tree);
	strbuf_add_char(out, '\n');
	return strbuf_ok(out, err);
}
