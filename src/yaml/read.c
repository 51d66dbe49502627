// SPDX-License-Identifier: MIT
// libyaml's events to nodes, within the limits. libyaml 0.2.5 itself has none: yaml_parser_load
// nests without end and hands out cyclic documents, so only its events are used.
#include "yaml/nodes.h"

#include <string.h>
#include <yaml.h>

#include "base/mem.h"

enum { ANCHORS_MAX = 256 };

struct anchor {
	uint32_t name; // in texts
	uint32_t node;
};

struct yaml_reader {
	yaml_parser_t parser;
	const char *name, *text;
	size_t len;
	uint32_t text_offset; // of text in the file, bytes
	const struct yaml_limits *limits;
	size_t events;
	size_t cursor_char, cursor_byte; // the same place, counted in both ways
	struct yaml_nodes nodes;
	uint32_t open[JSON_MAX_DEPTH], last[JSON_MAX_DEPTH]; // containers, and their last child
	size_t depth;
	struct anchor anchors[ANCHORS_MAX];
	size_t anchor_count;
};

struct yaml_reader *yaml_reader_new(const char *name, const char *text, size_t len, uint32_t offset,
                                    const struct yaml_limits *limits, struct err *err)
{
	struct yaml_reader *r = mem_alloc(sizeof(*r));

	if (!r || !yaml_parser_initialize(&r->parser)) {
		mem_free(r);
		err_memory(err);
		return NULL;
	}
	r->name = name;
	r->text = text;
	r->len = len;
	r->text_offset = offset;
	r->limits = limits;
	// An escape such as \L is shorter than its character; each text also has a NUL.
	r->nodes.texts = (struct strbuf)STRBUF_INIT(2 * limits->bytes + limits->events);
	yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, len);
	return r;
}

void yaml_reader_free(struct yaml_reader *r)
{
	if (!r)
		return;
	yaml_parser_delete(&r->parser);
	mem_free(r->nodes.items);
	strbuf_release(&r->nodes.texts);
	mem_free(r);
}

void yaml_reader_freep(struct yaml_reader **reader)
{
	yaml_reader_free(*reader);
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

// The byte at which character INDEX starts. Marks are near each other, so that walking from the
// last one is cheap.
static size_t byte_of(struct yaml_reader *r, size_t index)
{
	while (r->cursor_char < index && r->cursor_byte < r->len) {
		do
			r->cursor_byte++;
		while (r->cursor_byte < r->len && is_continuation(r->text[r->cursor_byte]));
		r->cursor_char++;
	}
	while (r->cursor_char > index) {
		do
			r->cursor_byte--;
		while (is_continuation(r->text[r->cursor_byte]));
		r->cursor_char--;
	}
	return r->cursor_byte;
}

static struct yaml_mark convert_mark(struct yaml_reader *r, const yaml_mark_t *mark)
{
	return (struct yaml_mark){
		.line = (uint32_t)mark->line + 1,
		.column = (uint32_t)mark->column + 1,
		.offset = (uint32_t)byte_of(r, mark->index) + r->text_offset,
	};
}

static struct yaml_span convert_span(struct yaml_reader *r, const yaml_event_t *event)
{
	return (struct yaml_span){convert_mark(r, &event->start_mark),
	                          convert_mark(r, &event->end_mark)};
}

// Where the last text that libyaml has read ends, for errors that have no mark.
static struct yaml_mark mark_of_byte(const struct yaml_reader *r, size_t offset)
{
	struct yaml_mark mark = {1, 1, (uint32_t)offset + r->text_offset};

	for (size_t i = 0; i < offset && i < r->len; i++) {
		if (r->text[i] == '\n') {
			mark.line++;
			mark.column = 1;
		} else if (!is_continuation(r->text[i])) {
			mark.column++;
		}
	}
	return mark;
}

// libyaml's own complaint. It does not say that a tab is what it cannot take.
static bool report_parser(struct yaml_reader *r, struct err *err)
{
	const char *problem = r->parser.problem ? r->parser.problem : "not YAML";
	struct yaml_mark mark;
	size_t offset;

	if (r->parser.error == YAML_MEMORY_ERROR)
		return err_memory(err);
	if (r->parser.error == YAML_READER_ERROR) {
		mark = mark_of_byte(r, r->parser.problem_offset);
		return yaml_fault(err, r->name, &mark, "%s (byte %#x)", problem,
		                  (unsigned)r->parser.problem_value);
	}
	mark = convert_mark(r, &r->parser.problem_mark);
	offset = mark.offset - r->text_offset;
	if (offset < r->len && r->text[offset] == '\t') {
		yaml_fault(err, r->name, &mark, "a tab cannot stand here");
		return err_hint(err, "indent with blanks");
	}
	return yaml_fault(err, r->name, &mark, "%s", problem);
}

static bool next_event(struct yaml_reader *r, yaml_event_t *event, struct err *err)
{
	struct yaml_mark mark;

	if (!yaml_parser_parse(&r->parser, event)) {
		memset(event, 0, sizeof(*event));
		return report_parser(r, err);
	}
	if (++r->events <= r->limits->events)
		return true;
	mark = convert_mark(r, &event->start_mark);
	return yaml_fault(err, r->name, &mark, "more than %zu values and keys", r->limits->events);
}

static bool reserve_node(struct yaml_nodes *nodes, struct err *err)
{
	uint32_t capacity = nodes->capacity ? nodes->capacity * 2 : 64;
	struct yaml_node *items;

	if (nodes->count < nodes->capacity)
		return true;
	items = mem_resize(nodes->items, capacity * sizeof(*items));
	if (!items)
		return err_memory(err);
	nodes->items = items;
	nodes->capacity = capacity;
	return true;
}

// A new node behind the last child of the innermost open container; 0 on failure.
static uint32_t add_node(struct yaml_reader *r, enum node_type type, struct yaml_span span,
                         struct err *err)
{
	struct yaml_nodes *nodes = &r->nodes;
	uint32_t index = nodes->count;

	if (!reserve_node(nodes, err))
		return 0;
	nodes->count++;
	nodes->items[index] = (struct yaml_node){.type = type, .values = 1, .span = span};
	if (!r->depth) {
		nodes->root = index;
	} else {
		uint32_t *last = &r->last[r->depth - 1];

		if (*last)
			nodes->items[*last].next = index;
		else
			nodes->items[r->open[r->depth - 1]].first = index;
		*last = index;
	}
	return index;
}

// Adds a finished node's sums to its container, and refuses what would expand over the limits.
static bool finish_node(struct yaml_reader *r, uint32_t index, struct err *err)
{
	const struct yaml_node *node = &r->nodes.items[index];
	struct yaml_node *parent;

	if (!r->depth)
		return true;
	parent = &r->nodes.items[r->open[r->depth - 1]];
	parent->values += node->values;
	parent->bytes += node->bytes;
	if (parent->height < node->height + 1)
		parent->height = node->height + 1;
	if (parent->values > r->limits->events)
		return yaml_fault(err, r->name, &node->span.start, "aliases expand to more than %zu values",
		                  r->limits->events);
	if (parent->bytes > 2 * r->limits->bytes)
		return yaml_fault(err, r->name, &node->span.start,
		                  "aliases expand to more than %zu bytes of text", r->limits->bytes);
	return true;
}

// Adds LEN bytes and a NUL to the texts; *RET is where.
static bool add_text(struct yaml_reader *r, const char *text, size_t len, uint32_t *ret,
                     struct err *err)
{
	*ret = (uint32_t)r->nodes.texts.len;
	strbuf_add_n(&r->nodes.texts, text, len);
	strbuf_add_char(&r->nodes.texts, '\0');
	return strbuf_ok(&r->nodes.texts, err);
}

static bool add_anchor(struct yaml_reader *r, const yaml_char_t *name, uint32_t node,
                       struct err *err)
{
	const char *text = (const char *)name;
	struct anchor *anchor = &r->anchors[r->anchor_count];

	if (!text || !r->limits->has_aliases)
		return true;
	if (r->anchor_count == ANCHORS_MAX)
		return yaml_fault(err, r->name, &r->nodes.items[node].span.start, "more than %d anchors",
		                  ANCHORS_MAX);
	r->anchor_count++;
	anchor->node = node;
	return add_text(r, text, strlen(text), &anchor->name, err);
}

static bool read_tag(struct yaml_reader *r, const yaml_char_t *text, uint32_t node, struct err *err)
{
	static const char prefix[] = "tag:yaml.org,2002:";
	static const char *const names[] = {
		[TAG_STR] = "str",   [TAG_INT] = "int", [TAG_FLOAT] = "float", [TAG_BOOL] = "bool",
		[TAG_NULL] = "null", [TAG_MAP] = "map", [TAG_SEQ] = "seq"};
	const char *tag = (const char *)text;
	struct yaml_node *item = &r->nodes.items[node];

	if (!tag)
		return true;
	if (!strcmp(tag, "!")) {
		item->tag = item->type == NODE_SCALAR ? TAG_STR : TAG_NONE;
		return true;
	}
	if (!strncmp(tag, prefix, sizeof(prefix) - 1))
		for (size_t i = TAG_STR; i < COUNT_OF(names); i++)
			if (!strcmp(tag + sizeof(prefix) - 1, names[i]))
				item->tag = (enum node_tag)i;
	if ((item->type == NODE_MAP && item->tag == TAG_MAP) ||
	    (item->type == NODE_LIST && item->tag == TAG_SEQ) ||
	    (item->type == NODE_SCALAR && item->tag != TAG_NONE && item->tag < TAG_MAP))
		return true;
	return yaml_fault(err, r->name, &item->span.start, "tag \"%s\" is not for this value", tag);
}

static bool read_scalar(struct yaml_reader *r, const yaml_event_t *event, struct err *err)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;
	uint32_t node = add_node(r, NODE_SCALAR, convert_span(r, event), err), offset;
	struct yaml_node *item;

	if (!node || !add_text(r, text, len, &offset, err))
		return false;
	item = &r->nodes.items[node];
	item->text = offset;
	item->bytes = (uint32_t)len;
	item->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	if (memchr(text, '\0', len))
		return yaml_fault(err, r->name, &item->span.start, "a string with a NUL character");
	return read_tag(r, event->data.scalar.tag, node, err) &&
	       add_anchor(r, event->data.scalar.anchor, node, err) && finish_node(r, node, err);
}

static bool open_container(struct yaml_reader *r, enum node_type type, const yaml_event_t *event,
                           const yaml_char_t *tag, const yaml_char_t *anchor, struct err *err)
{
	struct yaml_span span = convert_span(r, event);
	uint32_t node;

	if (r->depth == r->limits->depth || r->depth == JSON_MAX_DEPTH)
		return yaml_fault(err, r->name, &span.start, "nested deeper than %zu levels", r->depth);
	node = add_node(r, type, span, err);
	if (!node || !read_tag(r, tag, node, err) || !add_anchor(r, anchor, node, err))
		return false;
	r->nodes.items[node].height = 1;
	r->open[r->depth] = node;
	r->last[r->depth++] = 0;
	return true;
}

static bool close_container(struct yaml_reader *r, const yaml_event_t *event, struct err *err)
{
	struct yaml_span span = convert_span(r, event);
	uint32_t index = r->open[--r->depth], last = r->last[r->depth];
	struct yaml_node *node = &r->nodes.items[index];

	// A flow container ends with its bracket. A block one has no mark of its own: libyaml says
	// where the next token starts, which is behind blank lines and comments.
	if (span.end.offset > span.start.offset || !last)
		node->span.end = span.end;
	else
		node->span.end = r->nodes.items[last].span.end;
	return finish_node(r, index, err);
}

static const struct anchor *find_anchor(const struct yaml_reader *r, const char *name)
{
	const char *texts = strbuf_get(&r->nodes.texts);

	for (size_t i = r->anchor_count; i > 0; i--) // the latest of a name counts
		if (!strcmp(texts + r->anchors[i - 1].name, name))
			return &r->anchors[i - 1];
	return NULL;
}

static bool is_open(const struct yaml_reader *r, uint32_t node)
{
	for (size_t i = 0; i < r->depth; i++)
		if (r->open[i] == node)
			return true;
	return false;
}

static bool read_alias(struct yaml_reader *r, const yaml_event_t *event, struct err *err)
{
	const char *name = (const char *)event->data.alias.anchor;
	struct yaml_span span = convert_span(r, event);
	const struct anchor *anchor = find_anchor(r, name);
	struct yaml_node *item, *target;
	uint32_t node;

	if (!r->limits->has_aliases) {
		yaml_fault(err, r->name, &span.start, "alias *%s: aliases are not read here", name);
		return err_hint(err, "write the value out");
	}
	if (!anchor)
		return yaml_fault(err, r->name, &span.start, "alias *%s has no anchor before it", name);
	if (is_open(r, anchor->node))
		return yaml_fault(err, r->name, &span.start, "alias *%s stands inside its own anchor",
		                  name);
	node = add_node(r, NODE_ALIAS, span, err);
	if (!node)
		return false;
	item = &r->nodes.items[node];
	target = &r->nodes.items[anchor->node];
	item->first = anchor->node;
	item->values = target->values;
	item->bytes = target->bytes;
	item->height = target->height;
	if (r->depth + item->height > r->limits->depth)
		return yaml_fault(err, r->name, &span.start, "nested deeper than %zu levels",
		                  r->limits->depth);
	return finish_node(r, node, err);
}

static bool read_value(struct yaml_reader *r, const yaml_event_t *event, struct err *err)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return read_scalar(r, event, err);
	case YAML_ALIAS_EVENT:
		return read_alias(r, event, err);
	case YAML_SEQUENCE_START_EVENT:
		return open_container(r, NODE_LIST, event, event->data.sequence_start.tag,
		                      event->data.sequence_start.anchor, err);
	case YAML_MAPPING_START_EVENT:
		return open_container(r, NODE_MAP, event, event->data.mapping_start.tag,
		                      event->data.mapping_start.anchor, err);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_container(r, event, err);
	default:
		return true;
	}
}

static bool start_document(struct yaml_reader *r, struct err *err)
{
	r->nodes.count = 0;
	r->nodes.root = 0;
	strbuf_clear(&r->nodes.texts);
	r->depth = 0;
	r->anchor_count = 0;
	if (!reserve_node(&r->nodes, err))
		return false;
	r->nodes.items[r->nodes.count++] = (struct yaml_node){0};
	return true;
}

bool yaml_reader_next(struct yaml_reader *r, const struct yaml_nodes **ret, struct err *err)
{
	yaml_event_type_t type;

	do {
		yaml_event_t event;
		bool is_ok = next_event(r, &event, err);

		type = event.type;
		if (is_ok && type == YAML_DOCUMENT_START_EVENT)
			is_ok = start_document(r, err);
		else if (is_ok)
			is_ok = read_value(r, &event, err);
		yaml_event_delete(&event);
		if (!is_ok)
			return false;
	} while (type != YAML_DOCUMENT_END_EVENT && type != YAML_STREAM_END_EVENT);
	*ret = type == YAML_DOCUMENT_END_EVENT ? &r->nodes : NULL;
	return true;
}
