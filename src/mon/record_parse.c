// SPDX-License-Identifier: MIT
#include "mon/record.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/parse.h"
#include "mon/arena.h"
#include "mon/model.h"
#include "mon/record_fields.h"

enum { MAX_INTERVAL_MS = 3600 * 1000 };

static const double max_integer = 9007199254740992.0; // 2^53

static bool wrong(struct err *err, const char *name, const char *wanted)
{
	return err_set(err, ERR_FAILED, "%s: not %s", name, wanted);
}

// The name of a node, pod or job, which cannot be without.
static bool get_name(const struct json *object, const char **ret, struct err *err)
{
	return json_get_string(object, "name", ret, err) && (**ret || wrong(err, "name", "a name"));
}

// The first element or member of a list or object that may not be there.
static const struct json *first_of(const struct json *list)
{
	return list ? json_first(list) : NULL;
}

static bool get_integer(const struct json *value, const char *name, int64_t *ret, struct err *err)
{
	double number = json_number(value);

	if (json_type(value) != JSON_NUMBER || number != floor(number) || fabs(number) > max_integer)
		return wrong(err, name, "an integer");
	*ret = (int64_t)number;
	return true;
}

static bool get_word(const struct json *value, const char *name, const char *const *words,
                     unsigned int *ret, struct err *err)
{
	size_t index;

	if (json_type(value) != JSON_STRING)
		return wrong(err, name, "a string");
	if (!parse_word(json_string(value), words, &index, err)) {
		err->kind = ERR_FAILED;
		return err_wrap(err, "%s", name);
	}
	*ret = (unsigned int)index;
	return true;
}

static bool take_field(struct mon_snapshot *s, const struct mon_field *field,
                       const struct json *value, char *to, struct err *err)
{
	const char *text;
	int64_t number;
	unsigned int word;
	bool is_set;

	switch (field->type) {
	case MON_FIELD_TEXT:
		if (json_type(value) != JSON_STRING)
			return wrong(err, field->name, "a string");
		text = mon_snapshot_text(s, json_string(value));
		memcpy(to, &text, sizeof text);
		return true;
	case MON_FIELD_I64:
		if (!get_integer(value, field->name, &number, err))
			return false;
		memcpy(to, &number, sizeof number);
		return true;
	case MON_FIELD_BOOL:
		if (json_type(value) != JSON_BOOL)
			return wrong(err, field->name, "true or false");
		is_set = json_is_true(value);
		memcpy(to, &is_set, sizeof is_set);
		return true;
	case MON_FIELD_WORD:
		if (!get_word(value, field->name, field->words, &word, err))
			return false;
		memcpy(to, &word, sizeof word);
		return true;
	case MON_FIELD_BITS:
		if (!get_integer(value, field->name, &number, err))
			return false;
		word = (unsigned int)(number & 0xffff);
		memcpy(to, &word, sizeof word);
		return true;
	}
	return true;
}

static bool take_fields(struct mon_snapshot *s, const struct mon_field_list *list,
                        const struct json *object, void *to, struct err *err)
{
	for (const struct json *member = json_first(object); member; member = json_next(member))
		for (size_t i = 0; i < list->count; i++) {
			const struct mon_field *field = &list->fields[i];

			if (strcmp(field->name, json_name(member)) == 0 &&
			    !take_field(s, field, member, (char *)to + field->where, err))
				return false;
		}
	return true;
}

// [number or null, age in ms, source]
static bool take_value(const struct json *array, const char *name, int64_t now_ms,
                       struct mon_value *to, struct err *err)
{
	const struct json *number = json_type(array) == JSON_ARRAY ? json_first(array) : NULL;
	const struct json *age = number ? json_next(number) : NULL;
	const struct json *source = age ? json_next(age) : NULL;
	unsigned int word;
	int64_t age_ms;

	if (!source || json_next(source) ||
	    (json_type(number) != JSON_NUMBER && json_type(number) != JSON_NULL))
		return wrong(err, name, "[number or null, age in ms, source]");
	if (!get_integer(age, name, &age_ms, err) ||
	    !get_word(source, name, mon_source_words, &word, err))
		return false;
	*to = (struct mon_value){json_number(number), now_ms - age_ms,
	                         json_type(number) == JSON_NULL ? MON_NA : MON_NUMBER,
	                         (enum mon_source)word};
	return true;
}

static bool take_values(const struct json *object, const char *const *names, size_t count,
                        int64_t now_ms, struct mon_value *to, struct err *err)
{
	const struct json *values = json_find(object, "values");

	for (const struct json *member = first_of(values); member; member = json_next(member))
		for (size_t i = 0; json_name(member) && i < count; i++)
			if (strcmp(names[i], json_name(member)) == 0 &&
			    !take_value(member, names[i], now_ms, &to[i], err))
				return false;
	return true;
}

// The newest slot last; no more than there is room for.
static bool take_ring(const struct json *object, const char *name, int64_t now_ms,
                      struct mon_ring *ring, struct err *err)
{
	const struct json *array = json_find(object, name);
	int64_t count = 0, at = 0;

	for (const struct json *slot = first_of(array); slot; slot = json_next(slot))
		count++;
	if (count > MON_RING_SLOTS)
		return wrong(err, name, "a list of at most 120");
	for (const struct json *slot = first_of(array); slot; slot = json_next(slot), at++) {
		int64_t at_ms = now_ms - (count - 1 - at) * MON_RING_SLOT_MS;

		if (json_type(slot) == JSON_NUMBER)
			mon_ring_add(ring, at_ms, MON_RING_SLOT_MS, json_number(slot));
		else if (json_type(slot) != JSON_NULL)
			return wrong(err, name, "a list of numbers and null");
	}
	return true;
}

// The same into new memory, where the member is there.
static bool keep_ring(struct mon_snapshot *s, const struct json *object, const char *name,
                      int64_t now_ms, const struct mon_ring **ret, struct err *err)
{
	struct mon_ring *ring;

	if (!json_find(object, name))
		return true;
	ring = mon_arena_alloc(s->arena, sizeof *ring);
	if (!ring)
		return err_memory(err);
	*ret = ring;
	return take_ring(object, name, now_ms, ring, err);
}

static bool take_owners(struct mon_snapshot *s, const struct json *gpu, int64_t gpu_index,
                        struct err *err)
{
	const struct json *owners = json_find(gpu, "owners");

	for (const struct json *item = first_of(owners); item; item = json_next(item)) {
		struct mon_owner owner = {.gpu = (size_t)gpu_index};

		if (json_type(item) != JSON_OBJECT)
			return wrong(err, "owners", "a list of objects");
		if (!take_fields(s, &mon_owner_fields, item, &owner, err))
			return false;
		mon_snapshot_add_owner(s, &owner);
	}
	return true;
}

static bool take_gpu(struct mon_snapshot *s, const struct json *object, int64_t node,
                     int64_t now_ms, struct err *err)
{
	struct mon_gpu read = {.instance = MON_WHOLE_GPU, .model = "", .profile = "", .health = ""};
	struct mon_gpu *gpu;
	int64_t index;

	if (json_type(object) != JSON_OBJECT)
		return wrong(err, "gpus", "a list of objects");
	if (!take_fields(s, &mon_gpu_fields, object, &read, err) ||
	    !take_values(object, mon_gpu_value_names, MON_GPU_VALUES, now_ms, read.values, err) ||
	    !keep_ring(s, object, "util_history_pct", now_ms, &read.util_ring, err) ||
	    !keep_ring(s, object, "vram_history_pct", now_ms, &read.vram_ring, err))
		return false;
	gpu = mon_snapshot_gpu(s, node, read.uuid, read.index, read.instance, &index);
	read.node = node;
	read.uuid = gpu->uuid;
	*gpu = read;
	return index == MON_NO_INDEX || take_owners(s, object, index, err);
}

static bool take_resources(struct mon_snapshot *s, const struct json *object, int64_t node,
                           struct err *err)
{
	const struct json *resources = json_find(object, "resources");
	int64_t count;

	if (resources && json_type(resources) != JSON_OBJECT)
		return wrong(err, "resources", "an object");
	for (const struct json *item = first_of(resources); item; item = json_next(item)) {
		if (!get_integer(item, json_name(item), &count, err))
			return false;
		mon_snapshot_add_resource(s, node, json_name(item), count);
	}
	return true;
}

static bool take_node(struct mon_snapshot *s, const struct json *object, int64_t now_ms,
                      struct err *err)
{
	const struct json *gpus = json_find(object, "gpus");
	const char *name;
	struct mon_node *node;
	int64_t index;

	if (!get_name(object, &name, err))
		return false;
	node = mon_snapshot_node(s, name, &index);
	if (index == MON_NO_INDEX)
		return err_memory(err);
	if (!take_fields(s, &mon_node_fields, object, node, err) ||
	    !take_values(object, mon_node_value_names, MON_NODE_VALUES, now_ms, node->values, err) ||
	    !keep_ring(s, object, "gpu_history_pct", now_ms, &node->gpu_ring, err) ||
	    !keep_ring(s, object, "cpu_history_pct", now_ms, &node->cpu_ring, err) ||
	    !take_resources(s, object, index, err))
		return false;
	for (const struct json *item = first_of(gpus); item; item = json_next(item))
		if (!take_gpu(s, item, index, now_ms, err))
			return false;
	return true;
}

static bool take_pod(struct mon_snapshot *s, const struct json *object, int64_t now_ms,
                     struct err *err)
{
	const char *name, *namespace = "default";
	struct mon_pod *pod;

	if (!get_name(object, &name, err) ||
	    !json_get_string_optional(object, "namespace", &namespace, err))
		return false;
	pod = mon_snapshot_add_pod(s, namespace, name);
	return take_fields(s, &mon_pod_fields, object, pod, err) &&
	       take_values(object, mon_pod_value_names, MON_POD_VALUES, now_ms, pod->values, err);
}

static bool take_job(struct mon_snapshot *s, const struct json *object, int64_t now_ms,
                     struct err *err)
{
	const char *name, *namespace = "default";

	(void)now_ms;
	if (!get_name(object, &name, err) ||
	    !json_get_string_optional(object, "namespace", &namespace, err))
		return false;
	return take_fields(s, &mon_job_fields, object, mon_snapshot_add_job(s, namespace, name), err);
}

static bool take_note(struct mon_snapshot *s, const struct json *object, int64_t now_ms,
                      struct err *err)
{
	const char *text;
	int64_t since_ms = 0;

	(void)now_ms;
	if (!json_get_string(object, "text", &text, err) ||
	    !json_get_i64_optional(object, "since_ms", &since_ms, err))
		return false;
	mon_snapshot_add_note(s, text, since_ms);
	return true;
}

static bool take_list(struct mon_snapshot *s, const struct json *tree, const char *name,
                      int64_t now_ms, struct err *err,
                      bool (*take)(struct mon_snapshot *, const struct json *, int64_t,
                                   struct err *))
{
	const struct json *list = json_find(tree, name);
	size_t at = 0;

	if (list && json_type(list) != JSON_ARRAY)
		return wrong(err, name, "a list");
	for (const struct json *item = first_of(list); item; item = json_next(item), at++) {
		if (json_type(item) != JSON_OBJECT)
			return wrong(err, name, "a list of objects");
		if (!take(s, item, now_ms, err))
			return err_wrap(err, "%s[%zu]", name, at);
	}
	return true;
}

static bool take_head(struct mon_snapshot *s, const struct json *tree, int64_t *ret_now_ms,
                      struct err *err)
{
	const char *cluster = "", *link = "live", *link_error = "";
	int64_t version;
	size_t word;

	if (!json_get_i64(tree, "vpsml_record", &version, err) ||
	    !json_get_i64(tree, "time_ms", ret_now_ms, err) ||
	    !json_get_i64_optional(tree, "interval_ms", &s->interval_ms, err) ||
	    !json_get_i64_optional(tree, "link_since_ms", &s->link_since_ms, err) ||
	    !json_get_string_optional(tree, "cluster", &cluster, err) ||
	    !json_get_string_optional(tree, "link", &link, err) ||
	    !json_get_string_optional(tree, "link_error", &link_error, err))
		return false;
	if (version != MON_RECORD_VERSION)
		return err_set(err, ERR_FAILED, "vpsml_record: version %lld is not known to this vpsml",
		               (long long)version);
	if (*ret_now_ms <= 0)
		return wrong(err, "time_ms", "a time");
	if (!parse_word(link, mon_link_words, &word, err)) {
		err->kind = ERR_FAILED;
		return err_wrap(err, "link");
	}
	if (s->interval_ms < 0 || s->interval_ms > MAX_INTERVAL_MS)
		return wrong(err, "interval_ms", "a time of at most an hour");
	s->link = (enum mon_link)word;
	s->cluster = mon_snapshot_text(s, cluster);
	s->link_error = mon_snapshot_text(s, link_error);
	return true;
}

static bool take_rings(struct mon_snapshot *s, const struct json *tree, int64_t now_ms,
                       struct err *err)
{
	const struct json *history = json_find(tree, "history");

	return take_ring(history, "gpu_pct", now_ms, &s->rings.gpu, err) &&
	       take_ring(history, "vram_pct", now_ms, &s->rings.vram, err) &&
	       take_ring(history, "cpu_pct", now_ms, &s->rings.cpu, err) &&
	       take_ring(history, "power_pct", now_ms, &s->rings.power, err);
}

struct mon_snapshot *mon_record_parse(const char *line, size_t len, int64_t *ret_now_ms,
                                      struct err *err)
{
	_cleanup_mon_snapshot_ struct mon_snapshot *s = mon_snapshot_new(err);
	_cleanup_json_ struct json *tree = s ? json_parse(line, len, err) : NULL;
	int64_t now_ms;

	if (!s || !tree || !take_head(s, tree, &now_ms, err) || !take_rings(s, tree, now_ms, err) ||
	    !take_list(s, tree, "nodes", now_ms, err, take_node) ||
	    !take_list(s, tree, "pods", now_ms, err, take_pod) ||
	    !take_list(s, tree, "jobs", now_ms, err, take_job) ||
	    !take_list(s, tree, "notes", now_ms, err, take_note))
		return NULL;
	*ret_now_ms = now_ms;
	return TAKE(s);
}
