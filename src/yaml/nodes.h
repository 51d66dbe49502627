// SPDX-License-Identifier: MIT
// Inside src/yaml only: a document as its text has it, before aliases are followed and scalars
// get their types.
#pragma once

#include "yaml/yaml.h"

enum node_type { NODE_SCALAR, NODE_LIST, NODE_MAP, NODE_ALIAS };

enum node_tag { TAG_NONE, TAG_STR, TAG_INT, TAG_FLOAT, TAG_BOOL, TAG_NULL, TAG_MAP, TAG_SEQ };

// Nodes refer to each other by index; 0 is none. The children of a map are key, value, key, …
struct yaml_node {
	enum node_type type;
	enum node_tag tag;
	bool is_plain;   // a scalar without quotes
	uint32_t first;  // a container's first child; what an alias stands for
	uint32_t next;   // the sibling behind this one
	uint32_t text;   // a scalar's text: offset in texts, NUL-terminated
	uint32_t values; // how many nodes this one is after expansion
	uint32_t bytes;  // how many bytes of text it has after expansion
	uint32_t height; // containers on the longest way down from it
	struct yaml_span span;
};

struct yaml_nodes {
	struct yaml_node *items; // items[0] is unused
	uint32_t count, capacity;
	uint32_t root;
	struct strbuf texts;
};

static inline const char *yaml_node_text(const struct yaml_nodes *nodes, uint32_t node)
{
	return strbuf_get(&nodes->texts) + nodes->items[node].text;
}

struct yaml_reader;

// Reads TEXT (borrowed), which must be UTF-8 without byte order mark; MARK is where it starts.
struct yaml_reader *yaml_reader_new(const char *name, const char *text, size_t len, uint32_t offset,
                                    const struct yaml_limits *limits, struct err *err) _nodiscard_;

// The next document, borrowed until the next call; NULL in *RET behind the last one.
bool yaml_reader_next(struct yaml_reader *reader, const struct yaml_nodes **ret,
                      struct err *err) _nodiscard_;

void yaml_reader_free(struct yaml_reader *reader);
void yaml_reader_freep(struct yaml_reader **reader);
#define _cleanup_yaml_reader_ _cleanup_(yaml_reader_freep)

// A scalar with its type.
struct yaml_scalar {
	enum json_type type; // JSON_NULL, _BOOL, _NUMBER or _STRING
	bool is_true;
	bool is_whole; // a number written as an integer
	double number;
};

// The type of TEXT. False if it has a value that JSON cannot hold or that does not fit the tag;
// *RET_FAULT then says what is wrong.
bool yaml_scalar_resolve(const char *text, enum node_tag tag, bool is_plain,
                         struct yaml_scalar *ret, const char **ret_fault) _nodiscard_;

// Turns the nodes into DOCUMENT's tree and places. DOCUMENT's name is set already.
bool yaml_convert(const struct yaml_nodes *nodes, const struct yaml_limits *limits,
                  struct yaml_document *document, struct err *err) _nodiscard_;

// One value and where it stands.
struct yaml_place {
	const struct json *value;
	struct yaml_span key; // empty at line 0 where there is none
	struct yaml_span span;
};

// Sets *err to "NAME:LINE:COLUMN: message" and returns false.
bool yaml_fault(struct err *err, const char *name, const struct yaml_mark *mark, const char *format,
                ...) _printf_(4, 5);
