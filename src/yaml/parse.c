// SPDX-License-Identifier: MIT
#include "yaml/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "yaml/nodes.h"

const struct yaml_limits yaml_limits_plain = {
	.bytes = 1024 * 1024, .depth = JSON_MAX_DEPTH, .events = 10000, .has_aliases = false};
const struct yaml_limits yaml_limits_aliases = {
	.bytes = 1024 * 1024, .depth = JSON_MAX_DEPTH, .events = 100000, .has_aliases = true};

enum { TAG_DIRECTIVES_MAX = 16, MESSAGE_MAX_BYTES = 4096 };

static bool fault_args(struct err *err, const char *name, const struct yaml_mark *mark,
                       const char *format, va_list args) _printf_(4, 0);
static bool fault_args(struct err *err, const char *name, const struct yaml_mark *mark,
                       const char *format, va_list args)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MESSAGE_MAX_BYTES);

	strbuf_vaddf(&text, format, args);
	// A key of a megabyte need not be shown whole, but the position must be.
	if (text.is_over_max)
		strbuf_clear(&text), strbuf_add(&text, "a text too long to show is wrong here");
	if (mark)
		return err_set(err, text.failed ? ERR_MEMORY : ERR_USAGE, "%s:%u:%u: %s", name, mark->line,
		               mark->column, strbuf_get(&text));
	return err_set(err, text.failed ? ERR_MEMORY : ERR_USAGE, "%s: %s", name, strbuf_get(&text));
}

bool yaml_fault(struct err *err, const char *name, const struct yaml_mark *mark, const char *format,
                ...)
{
	va_list args;

	va_start(args, format);
	fault_args(err, name, mark, format, args);
	va_end(args);
	return false;
}

bool yaml_error_at(struct err *err, const struct yaml_document *document,
                   const struct yaml_span *span, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fault_args(err, document->name, span ? &span->start : NULL, format, args);
	va_end(args);
	return false;
}

static bool check_utf8(const char *name, const char *text, size_t len, struct err *err)
{
	struct yaml_mark mark = {1, 1, 0};

	for (size_t i = 0, step; i < len; i += step) {
		uint32_t c;

		step = text_decode(text + i, len - i, &c);
		if (!step)
			return yaml_fault(err, name, &mark, "not UTF-8 (byte %#x)", (unsigned char)text[i]);
		mark.column++;
		if (c == '\n') {
			mark.line++;
			mark.column = 1;
		}
	}
	return true;
}

// libyaml compares each %TAG with all before it, outside of any event.
static bool check_directives(const char *name, const char *text, size_t len, struct err *err)
{
	struct yaml_mark mark = {1, 1, 0};
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n')
			mark.line++;
		if (text[i] == '%' && (!i || text[i - 1] == '\n' || text[i - 1] == '\r'))
			count++;
		if (count > TAG_DIRECTIVES_MAX)
			return yaml_fault(err, name, &mark, "more than %d directives", TAG_DIRECTIVES_MAX);
	}
	return true;
}

// A document with nothing between its markers.
static bool is_empty(const struct yaml_nodes *nodes)
{
	const struct yaml_node *root = &nodes->items[nodes->root];

	return root->type == NODE_SCALAR && root->is_plain && root->tag == TAG_NONE &&
	       !*yaml_node_text(nodes, nodes->root);
}

static bool add_document(const char *name, const struct yaml_nodes *nodes,
                         const struct yaml_limits *limits, struct yaml_documents *documents,
                         struct err *err)
{
	struct yaml_document *items =
		mem_resize(documents->items, (documents->count + 1) * sizeof(*items));
	struct yaml_document *document;

	if (!items)
		return err_memory(err);
	documents->items = items;
	document = &items[documents->count++];
	*document = (struct yaml_document)YAML_DOCUMENT_INIT;
	document->name = mem_dup(name);
	if (!document->name)
		return err_memory(err);
	return yaml_convert(nodes, limits, document, err);
}

static bool read_documents(const char *name, struct yaml_reader *reader,
                           const struct yaml_limits *limits, struct yaml_documents *documents,
                           struct err *err)
{
	const struct yaml_nodes *nodes;

	for (;;) {
		if (!yaml_reader_next(reader, &nodes, err))
			return false;
		if (!nodes)
			return true;
		if (!is_empty(nodes) && !add_document(name, nodes, limits, documents, err))
			return false;
	}
}

bool yaml_parse(const char *name, const char *text, size_t len, const struct yaml_limits *limits,
                struct yaml_documents *ret, struct err *err)
{
	static const char byte_order_mark[] = "\xEF\xBB\xBF";
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	_cleanup_yaml_reader_ struct yaml_reader *reader = NULL;
	size_t skip = len >= 3 && !memcmp(text, byte_order_mark, 3) ? 3 : 0;

	if (len > limits->bytes)
		return err_set(err, ERR_USAGE, "%s: larger than %zu bytes", name, limits->bytes);
	if (!check_utf8(name, text + skip, len - skip, err) ||
	    !check_directives(name, text + skip, len - skip, err))
		return false;
	reader = yaml_reader_new(name, text + skip, len - skip, (uint32_t)skip, limits, err);
	if (!reader || !read_documents(name, reader, limits, &documents, err))
		return false;
	*ret = documents;
	documents = (struct yaml_documents)YAML_DOCUMENTS_INIT;
	return true;
}

bool yaml_parse_one(const char *name, const char *text, size_t len,
                    const struct yaml_limits *limits, struct yaml_document *ret, struct err *err)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;

	if (!yaml_parse(name, text, len, limits, &documents, err))
		return false;
	if (!documents.count)
		return err_set(err, ERR_USAGE, "%s: empty", name);
	if (documents.count > 1)
		return yaml_error_at(err, &documents.items[1],
		                     yaml_value_span(&documents.items[1], documents.items[1].root),
		                     "a second document starts here; only one is read");
	*ret = documents.items[0];
	documents.items[0] = (struct yaml_document)YAML_DOCUMENT_INIT;
	return true;
}

void yaml_document_release(struct yaml_document *document)
{
	json_free(document->root);
	mem_free(document->places);
	mem_free(document->name);
	*document = (struct yaml_document)YAML_DOCUMENT_INIT;
}

void yaml_documents_release(struct yaml_documents *documents)
{
	for (size_t i = 0; i < documents->count; i++)
		yaml_document_release(&documents->items[i]);
	mem_free(documents->items);
	*documents = (struct yaml_documents)YAML_DOCUMENTS_INIT;
}

static int compare_value(const void *key, const void *item)
{
	uintptr_t wanted = (uintptr_t)key, own = (uintptr_t)((const struct yaml_place *)item)->value;

	return wanted < own ? -1 : wanted > own;
}

static const struct yaml_place *find_place(const struct yaml_document *document,
                                           const struct json *value)
{
	if (!value || !document->place_count)
		return NULL;
	return bsearch(value, document->places, document->place_count, sizeof(*document->places),
	               compare_value);
}

const struct yaml_span *yaml_value_span(const struct yaml_document *document,
                                        const struct json *value)
{
	const struct yaml_place *place = find_place(document, value);

	return place ? &place->span : NULL;
}

const struct yaml_span *yaml_key_span(const struct yaml_document *document,
                                      const struct json *value)
{
	const struct yaml_place *place = find_place(document, value);

	if (!place)
		return NULL;
	return place->key.start.line ? &place->key : &place->span;
}
