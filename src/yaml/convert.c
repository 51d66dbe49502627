// SPDX-License-Identifier: MIT
// Nodes to a JSON tree: aliases followed, << merged, duplicate keys refused, scalars typed.
#include "yaml/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"

enum { NO_NODE = 0 };

// One key of a map that is being converted, own or merged.
struct entry {
	const char *key;
	uint32_t key_node, value_node;
	uint32_t order;   // own keys first, then those of the merged maps
	uint32_t earlier; // the key node of the same key before it, or NO_NODE
	bool is_own;
};

// The entries of the maps that are open, innermost last, and the places in the order of the tree.
struct converter {
	const struct yaml_nodes *nodes;
	const struct yaml_limits *limits;
	struct yaml_document *document;
	struct json_build build;
	struct entry *entries;
	size_t entry_count;
	struct err *err;
};

static const struct yaml_node *node_of(const struct converter *c, uint32_t index)
{
	return &c->nodes->items[index];
}

static uint32_t follow_alias(const struct converter *c, uint32_t index)
{
	const struct yaml_node *node = node_of(c, index);

	return node->type == NODE_ALIAS ? node->first : index;
}

static bool fault_at(const struct converter *c, uint32_t index, const char *text)
{
	return yaml_fault(c->err, c->document->name, &node_of(c, index)->span.start, "%s", text);
}

static bool add_place(struct converter *c, uint32_t key, uint32_t value)
{
	const struct yaml_place place = {
		.key = key ? node_of(c, key)->span : (struct yaml_span){{0, 0, 0}, {0, 0, 0}},
		.span = node_of(c, value)->span,
	};

	return mem_append(&c->document->places, &c->document->place_count, &place, sizeof(place)) ||
	       err_memory(c->err);
}

static bool convert_value(struct converter *c, const char *name, uint32_t key, uint32_t value);

static bool convert_scalar(struct converter *c, const char *name, uint32_t index)
{
	const struct yaml_node *node = node_of(c, index);
	const char *text = yaml_node_text(c->nodes, index), *fault;
	struct yaml_scalar scalar;

	if (!yaml_scalar_resolve(text, node->tag, node->is_plain, &scalar, &fault))
		return fault_at(c, index, fault);
	if (scalar.type == JSON_STRING)
		json_put_string(&c->build, name, text);
	else if (scalar.type == JSON_NUMBER)
		json_put_number(&c->build, name, scalar.number);
	else if (scalar.type == JSON_BOOL)
		json_put_bool(&c->build, name, scalar.is_true);
	else
		json_put_null(&c->build, name);
	return true;
}

static bool convert_list(struct converter *c, const char *name, uint32_t index)
{
	json_build_open_array(&c->build, name);
	for (uint32_t item = node_of(c, index)->first; item; item = node_of(c, item)->next)
		if (!convert_value(c, NULL, NO_NODE, item))
			return false;
	json_build_close(&c->build);
	return true;
}

static bool add_entry(struct converter *c, uint32_t key, uint32_t value, size_t base, bool is_own)
{
	const struct yaml_node *node = node_of(c, key);
	struct entry entry = {.key_node = key,
	                      .value_node = value,
	                      .order = (uint32_t)(c->entry_count - base),
	                      .is_own = is_own};

	if (node->type != NODE_SCALAR)
		return fault_at(c, key, "a key must be text, not a list, map or alias");
	entry.key = yaml_node_text(c->nodes, key);
	if (!*entry.key && node->is_plain)
		return fault_at(c, key, "a key is missing in front of \":\"");
	return mem_append(&c->entries, &c->entry_count, &entry, sizeof(entry)) || err_memory(c->err);
}

static bool is_merge_key(const struct converter *c, uint32_t key)
{
	const struct yaml_node *node = node_of(c, key);

	return node->type == NODE_SCALAR && node->is_plain && node->tag == TAG_NONE &&
	       !strcmp(yaml_node_text(c->nodes, key), "<<");
}

static bool collect(struct converter *c, uint32_t map, size_t base, bool is_own);

// The maps behind <<: one, or a list of them, of which an earlier one counts more.
static bool collect_merged(struct converter *c, uint32_t value, size_t base, bool is_in_list)
{
	uint32_t index = follow_alias(c, value);
	const struct yaml_node *node = node_of(c, index);

	if (node->type == NODE_MAP)
		return collect(c, index, base, false);
	if (node->type != NODE_LIST || is_in_list)
		return fault_at(c, value, "<< takes a map or a list of maps");
	for (uint32_t item = node->first; item; item = node_of(c, item)->next)
		if (!collect_merged(c, item, base, true))
			return false;
	return true;
}

// Adds the entries of MAP, then those that it merges.
static bool collect(struct converter *c, uint32_t map, size_t base, bool is_own)
{
	uint32_t key, merge = NO_NODE;

	for (key = node_of(c, map)->first; key; key = node_of(c, node_of(c, key)->next)->next) {
		uint32_t value = node_of(c, key)->next;

		if (!is_merge_key(c, key)) {
			if (!add_entry(c, key, value, base, is_own))
				return false;
			continue;
		}
		if (!c->limits->has_aliases)
			return fault_at(c, key, "<< is not read here: write the keys out");
		if (merge)
			return fault_at(c, key, "<< a second time: give it a list of maps");
		merge = value;
	}
	return !merge || collect_merged(c, merge, base, false);
}

static int by_order(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	return left->order < right->order ? -1 : left->order > right->order;
}

static int by_key(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;
	int order = strcmp(left->key, right->key);

	return order ? order : by_order(a, b);
}

// Finds for each entry whether its key stands before it: own ones may not, merged ones give way.
static bool mark_duplicates(struct converter *c, size_t base)
{
	size_t count = c->entry_count - base;
	struct entry *entries;

	if (count < 2)
		return true;
	entries = c->entries + base;
	qsort(entries, count, sizeof(*entries), by_key);
	for (size_t i = 1; i < count; i++)
		if (!strcmp(entries[i].key, entries[i - 1].key))
			entries[i].earlier = entries[i - 1].key_node;
	qsort(entries, count, sizeof(*entries), by_order);
	for (size_t i = 0; i < count && entries[i].is_own; i++)
		if (entries[i].earlier) {
			const struct yaml_mark *first = &node_of(c, entries[i].earlier)->span.start;

			return yaml_fault(
				c->err, c->document->name, &node_of(c, entries[i].key_node)->span.start,
				"key \"%s\" stands already at %u:%u", entries[i].key, first->line, first->column);
		}
	return true;
}

static bool convert_map(struct converter *c, const char *name, uint32_t index)
{
	size_t base = c->entry_count, end;

	if (!collect(c, index, base, true) || !mark_duplicates(c, base))
		return false;
	end = c->entry_count;
	json_build_open_object(&c->build, name);
	for (size_t i = base; i < end; i++) {
		struct entry entry = c->entries[i];

		if (!entry.earlier && !convert_value(c, entry.key, entry.key_node, entry.value_node))
			return false;
	}
	json_build_close(&c->build);
	c->entry_count = base;
	return true;
}

static bool convert_value(struct converter *c, const char *name, uint32_t key, uint32_t value)
{
	uint32_t index = follow_alias(c, value);

	if (!add_place(c, key, value))
		return false;
	if (c->build.failed)
		return err_memory(c->err);
	switch (node_of(c, index)->type) {
	case NODE_MAP:
		return convert_map(c, name, index);
	case NODE_LIST:
		return convert_list(c, name, index);
	default:
		return convert_scalar(c, name, index);
	}
}

// Walks the tree in the order in which the places were added.
static void assign_places(const struct json *value, struct yaml_place **next)
{
	(*next)++->value = value;
	for (const struct json *child = json_first(value); child; child = json_next(child))
		assign_places(child, next);
}

static int by_value(const void *a, const void *b)
{
	const struct yaml_place *left = a, *right = b;

	return (uintptr_t)left->value < (uintptr_t)right->value
	           ? -1
	           : (uintptr_t)left->value > (uintptr_t)right->value;
}

bool yaml_convert(const struct yaml_nodes *nodes, const struct yaml_limits *limits,
                  struct yaml_document *document, struct err *err)
{
	struct converter c = {.nodes = nodes,
	                      .limits = limits,
	                      .document = document,
	                      .build = JSON_BUILD_INIT,
	                      .err = err};
	bool is_ok = convert_value(&c, NULL, NO_NODE, nodes->root);
	struct yaml_place *next;

	if (is_ok)
		document->root = json_build_take(&c.build, err);
	json_build_release(&c.build);
	mem_free(c.entries);
	if (!document->root)
		return false;
	next = document->places;
	assign_places(document->root, &next);
	qsort(document->places, document->place_count, sizeof(*document->places), by_value);
	return true;
}
