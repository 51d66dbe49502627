// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static const cJSON *raw(const struct json *value)
{
	return (const cJSON *)value;
}

static const struct json *wrapped(const cJSON *value)
{
	return (const struct json *)value;
}

// How deep the brackets of TEXT nest, as far as a scan that knows strings can tell. cJSON
// itself allows a thousand levels.
static size_t nesting(const char *text, size_t len)
{
	size_t depth = 0, deepest = 0;
	bool in_string = false;

	for (size_t i = 0; i < len; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && (text[i] == '[' || text[i] == '{'))
			deepest = ++depth > deepest ? depth : deepest;
		else if (!in_string && (text[i] == ']' || text[i] == '}') && depth)
			depth--;
	}
	return deepest;
}

static bool is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r\n", text[i]) || !text[i])
			return false;
	return true;
}

// cJSON reads 1e999 as infinity, for which there is no text to write back.
static bool is_finite(const struct json *value)
{
	if (json_type(value) == JSON_NUMBER)
		return isfinite(json_number(value));
	for (const struct json *child = json_first(value); child; child = json_next(child))
		if (!is_finite(child))
			return false;
	return true;
}

struct json *json_parse(const char *text, size_t len, struct err *err)
{
	const char *end = NULL;
	cJSON *tree;

	if (nesting(text, len) > JSON_MAX_DEPTH) {
		err_set(err, ERR_FAILED, "JSON nested deeper than %d levels", JSON_MAX_DEPTH);
		return NULL;
	}
	tree = cJSON_ParseWithLengthOpts(text, len, &end, false);
	if (!tree || !is_blank(end, len - (size_t)(end - text)))
		err_set(err, ERR_FAILED, "not JSON at byte %zu", end ? (size_t)(end - text) : 0);
	else if (!is_finite(wrapped(tree)))
		err_set(err, ERR_FAILED, "a number that is too large for JSON");
	else
		return (struct json *)tree;
	cJSON_Delete(tree);
	return NULL;
}

struct json *json_dup(const struct json *tree)
{
	return (struct json *)cJSON_Duplicate(raw(tree), true);
}

void json_free(struct json *tree)
{
	cJSON_Delete((cJSON *)tree);
}

void json_freep(struct json **tree)
{
	json_free(*tree);
}

enum json_type json_type(const struct json *value)
{
	switch (raw(value)->type & 0xFF) {
	case cJSON_True:
	case cJSON_False:
		return JSON_BOOL;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Object:
		return JSON_OBJECT;
	default:
		return JSON_NULL;
	}
}

const char *json_string(const struct json *value)
{
	return cJSON_IsString(raw(value)) ? raw(value)->valuestring : "";
}

double json_number(const struct json *value)
{
	return cJSON_IsNumber(raw(value)) ? raw(value)->valuedouble : 0;
}

bool json_is_true(const struct json *value)
{
	return cJSON_IsTrue(raw(value));
}

const struct json *json_first(const struct json *value)
{
	return wrapped(raw(value)->child);
}

const struct json *json_next(const struct json *child)
{
	return wrapped(raw(child)->next);
}

const char *json_name(const struct json *child)
{
	return raw(child)->string;
}

static const struct json *member(const struct json *object, const char *name, size_t len)
{
	const struct json *child = json_first(object);

	for (; child; child = json_next(child)) {
		const char *own = json_name(child);

		if (own && !strncmp(own, name, len) && !own[len])
			return child;
	}
	return NULL;
}

static const struct json *element(const struct json *array, const char **path)
{
	const struct json *child = json_first(array);
	size_t index = 0;

	for (++*path; **path && **path != ']'; ++*path)
		index = index * 10 + (size_t)(**path - '0');
	*path += **path == ']';
	while (child && index--)
		child = json_next(child);
	return child;
}

const struct json *json_find(const struct json *tree, const char *path)
{
	const struct json *value = tree;

	while (value && *path) {
		if (*path == '[') {
			value = element(value, &path);
		} else {
			size_t len = strcspn(path, ".[");

			value = member(value, path, len);
			path += len;
		}
		path += *path == '.';
	}
	return value;
}

// The value of TYPE at PATH. Absent: NULL, and an error unless IS_OPTIONAL.
static bool find_typed(const struct json *tree, const char *path, enum json_type type,
                       bool is_optional, const struct json **ret, struct err *err)
{
	static const char *const names[] = {"null",     "true or false", "a number",
	                                    "a string", "a list",        "an object"};
	const struct json *value = json_find(tree, path);

	*ret = NULL;
	if (!value || (is_optional && json_type(value) == JSON_NULL))
		return is_optional || err_set(err, ERR_FAILED, "%s: missing", path);
	if (json_type(value) != type)
		return err_set(err, ERR_FAILED, "%s: %s, not %s", path, names[json_type(value)],
		               names[type]);
	*ret = value;
	return true;
}

static bool get_string(const struct json *tree, const char *path, bool is_optional,
                       const char **ret, struct err *err)
{
	const struct json *value;

	if (!find_typed(tree, path, JSON_STRING, is_optional, &value, err))
		return false;
	if (value)
		*ret = json_string(value);
	return true;
}

static bool get_i64(const struct json *tree, const char *path, bool is_optional, int64_t *ret,
                    struct err *err)
{
	static const double exact_max = 9007199254740992.0; // 2^53
	const struct json *value;
	double number;

	if (!find_typed(tree, path, JSON_NUMBER, is_optional, &value, err))
		return false;
	if (!value)
		return true;
	number = json_number(value);
	if (!(number >= -exact_max && number <= exact_max) || number != (double)(int64_t)number)
		return err_set(err, ERR_FAILED, "%s: %g is not a whole number", path, number);
	*ret = (int64_t)number;
	return true;
}

static bool get_bool(const struct json *tree, const char *path, bool is_optional, bool *ret,
                     struct err *err)
{
	const struct json *value;

	if (!find_typed(tree, path, JSON_BOOL, is_optional, &value, err))
		return false;
	if (value)
		*ret = json_is_true(value);
	return true;
}

bool json_get_string(const struct json *tree, const char *path, const char **ret, struct err *err)
{
	return get_string(tree, path, false, ret, err);
}

bool json_get_i64(const struct json *tree, const char *path, int64_t *ret, struct err *err)
{
	return get_i64(tree, path, false, ret, err);
}

bool json_get_bool(const struct json *tree, const char *path, bool *ret, struct err *err)
{
	return get_bool(tree, path, false, ret, err);
}

bool json_get_array(const struct json *tree, const char *path, const struct json **ret,
                    struct err *err)
{
	return find_typed(tree, path, JSON_ARRAY, false, ret, err);
}

bool json_get_object(const struct json *tree, const char *path, const struct json **ret,
                     struct err *err)
{
	return find_typed(tree, path, JSON_OBJECT, false, ret, err);
}

bool json_get_string_optional(const struct json *tree, const char *path, const char **ret,
                              struct err *err)
{
	return get_string(tree, path, true, ret, err);
}

bool json_get_i64_optional(const struct json *tree, const char *path, int64_t *ret, struct err *err)
{
	return get_i64(tree, path, true, ret, err);
}

bool json_get_bool_optional(const struct json *tree, const char *path, bool *ret, struct err *err)
{
	return get_bool(tree, path, true, ret, err);
}
