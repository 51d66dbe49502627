// SPDX-License-Identifier: MIT
// A JSON tree, and getters that say where in it something is wrong. cJSON stays behind it.
//
// A getter takes a PATH of member names and indices ("spec.containers[0].image") and its error
// names that path. Getters of absent members fail with the path; the _optional forms return true
// and leave *ret alone. What they return is borrowed from the tree.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

struct json; // one value: object, array, string, number, true, false or null

enum { JSON_MAX_DEPTH = 64 };

// The value in the LEN bytes of TEXT (RFC 8259); owned by the caller. Refused: anything after
// it, nesting over JSON_MAX_DEPTH, a number beyond a double's range.
struct json *json_parse(const char *text, size_t len, struct err *err) _nodiscard_;

// A deep copy, owned by the caller; NULL when memory is short.
struct json *json_dup(const struct json *tree) _nodiscard_;

void json_free(struct json *tree);
void json_freep(struct json **tree);
#define _cleanup_json_ _cleanup_(json_freep)

// Adds the tree as text: one line, or indented by two blanks and ended by a line feed.
void json_write(struct strbuf *out, const struct json *tree);
void json_write_pretty(struct strbuf *out, const struct json *tree);

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

// What a value is, and the value itself; strings are borrowed from the tree.
enum json_type json_type(const struct json *value);
const char *json_string(const struct json *value); // of a JSON_STRING; else ""
double json_number(const struct json *value);      // of a JSON_NUMBER; else 0
bool json_is_true(const struct json *value);

// Walking: the first child of an object or array, the next one, and its name in the object.
const struct json *json_first(const struct json *value);
const struct json *json_next(const struct json *child);
const char *json_name(const struct json *child); // NULL in an array

// The value at PATH, or NULL.
const struct json *json_find(const struct json *tree, const char *path);

// The value at PATH, borrowed, which must be there and of this type: the error names the path. The
// _optional ones leave *ret as it is where nothing, or null, is at PATH.
bool json_get_string(const struct json *tree, const char *path, const char **ret,
                     struct err *err) _nodiscard_;
bool json_get_i64(const struct json *tree, const char *path, int64_t *ret,
                  struct err *err) _nodiscard_;
bool json_get_bool(const struct json *tree, const char *path, bool *ret,
                   struct err *err) _nodiscard_;
bool json_get_array(const struct json *tree, const char *path, const struct json **ret,
                    struct err *err) _nodiscard_;
bool json_get_object(const struct json *tree, const char *path, const struct json **ret,
                     struct err *err) _nodiscard_;
bool json_get_string_optional(const struct json *tree, const char *path, const char **ret,
                              struct err *err) _nodiscard_;
bool json_get_i64_optional(const struct json *tree, const char *path, int64_t *ret,
                           struct err *err) _nodiscard_;
bool json_get_bool_optional(const struct json *tree, const char *path, bool *ret,
                            struct err *err) _nodiscard_;
