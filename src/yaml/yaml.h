// SPDX-License-Identifier: MIT
// YAML text to JSON trees, with the place of every value, and JSON trees to YAML text. libyaml
// stays behind it.
//
//     _cleanup_yaml_document_ struct yaml_document file = YAML_DOCUMENT_INIT;
//     if (!yaml_parse_one("cluster.yaml", text, len, &yaml_limits_plain, &file, err))
//         return false;                       cluster.yaml:12:5: did not find expected key
//     node = json_find(file.root, "nodez");
//     return yaml_error_at(err, &file, yaml_key_span(&file, node), "unknown key \"%s\"", …);
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/json.h"
#include "base/strbuf.h"

// What a text may ask of us. Over a limit it is refused before the memory is spent.
struct yaml_limits {
	size_t bytes;     // of the whole text, and of all strings after expansion; < 1 GiB
	size_t depth;     // lists and maps inside each other; at most JSON_MAX_DEPTH
	size_t events;    // values, keys, starts and ends together, and values after expansion
	bool has_aliases; // *alias and << are expanded; else refused
};

// 1 MiB, 64 levels, 10,000 events, no aliases: files that only vpsml reads.
extern const struct yaml_limits yaml_limits_plain;
// The same with 100,000 events and aliases: kubeconfigs, manifests, other people's files.
extern const struct yaml_limits yaml_limits_aliases;

struct yaml_mark {
	uint32_t line;   // from 1
	uint32_t column; // from 1, in characters
	uint32_t offset; // from 0, in bytes, a byte order mark included
};

// Where something stands: from its first character (tag and anchor included) to behind its last.
// A block scalar (| or >) takes the blank lines behind it along and so ends at a line's start; a
// block list or map ends where its last value ends. A missing value (`key:`) is empty.
struct yaml_span {
	struct yaml_mark start, end;
};

struct yaml_place; // one value of a document and its spans

struct yaml_document {
	struct json *root;
	struct yaml_place *places; // sorted by value, place_count of them
	size_t place_count;
	char *name; // for messages
};

#define YAML_DOCUMENT_INIT  \
	{                       \
		NULL, NULL, 0, NULL \
	}
#define _cleanup_yaml_document_ _cleanup_(yaml_document_release)

struct yaml_documents {
	struct yaml_document *items;
	size_t count;
};

#define YAML_DOCUMENTS_INIT \
	{                       \
		NULL, 0             \
	}
#define _cleanup_yaml_documents_ _cleanup_(yaml_documents_release)

// Every document in TEXT (UTF-8, with or without byte order mark) that is not empty; none is no
// error. NAME stands in front of messages: "NAME:LINE:COLUMN: what"; the kind is ERR_USAGE.
//
// Types are those that kubectl would see (sigs.k8s.io/yaml, which is YAML 1.1): plain yes, on,
// y, TRUE are true, 0755 is 493, dates stay strings; what is quoted is a string. Unlike kubectl,
// a key stays as it is written (`y:` is "y", `1.30:` is "1.30").
// Refused: duplicate keys, keys that are no scalar, numbers that JSON cannot hold (.inf, .nan) or
// that a double would change (whole numbers beyond 2^53), tags but !!str !!int !!float !!bool
// !!null !!map !!seq, NUL in a string.
bool yaml_parse(const char *name, const char *text, size_t len, const struct yaml_limits *limits,
                struct yaml_documents *ret, struct err *err) _nodiscard_;

// The only document in TEXT; none, or a second one, is an error.
bool yaml_parse_one(const char *name, const char *text, size_t len,
                    const struct yaml_limits *limits, struct yaml_document *ret,
                    struct err *err) _nodiscard_;

void yaml_document_release(struct yaml_document *document);
void yaml_documents_release(struct yaml_documents *documents);

// Where VALUE, any value in DOCUMENT, is written; for an alias the place of the *alias, for what
// is inside it the place of the anchored text. NULL if it is not of this document.
const struct yaml_span *yaml_value_span(const struct yaml_document *document,
                                        const struct json *value);

// Where the key of VALUE is written; the value's own span where it has none (in a list, the root).
const struct yaml_span *yaml_key_span(const struct yaml_document *document,
                                      const struct json *value);

// Sets *err (ERR_USAGE) to "NAME:LINE:COLUMN: message"; SPAN NULL leaves the numbers out. Returns
// false.
bool yaml_error_at(struct err *err, const struct yaml_document *document,
                   const struct yaml_span *span, const char *format, ...) _printf_(4, 5);

// Adds TREE to OUT as one block-style document as kubectl prints it: two blanks a level, lists not
// indented under their key, no folding, no --- or ... (the caller separates documents). A string
// or key is plain only where no YAML 1.1 or 1.2 reader can take it for anything else; text of
// several lines is a | block where that keeps every byte and its lines have no blanks at their
// ends; else it is double-quoted. What would move or hide text on a terminal is escaped.
// Fails on a string that is not UTF-8, and like OUT.
bool yaml_write(struct strbuf *out, const struct json *tree, struct err *err) _nodiscard_;
