// SPDX-License-Identifier: MIT
#include "base/json_build.h"

#include <cjson/cJSON.h>
#include <math.h>

static cJSON *raw(struct json *tree)
{
	return (cJSON *)tree;
}

// Adds ITEM to the innermost open container, or makes it the root.
static bool attach(struct json_build *b, const char *name, cJSON *item)
{
	cJSON *parent = b->depth ? raw(b->open[b->depth - 1]) : NULL;
	bool is_ok = item && !b->failed;

	if (is_ok && !parent) {
		is_ok = !b->root && !name;
		if (is_ok)
			b->root = (struct json *)item;
	} else if (is_ok && cJSON_IsObject(parent)) {
		is_ok = name && cJSON_AddItemToObject(parent, name, item);
	} else if (is_ok) {
		is_ok = !name && cJSON_AddItemToArray(parent, item);
	}
	if (!is_ok) {
		cJSON_Delete(item);
		b->failed = true;
	}
	return is_ok;
}

static void open_container(struct json_build *b, const char *name, cJSON *item)
{
	if (!attach(b, name, item))
		return;
	if (b->depth == COUNT_OF(b->open))
		b->failed = true;
	else
		b->open[b->depth++] = (struct json *)item;
}

void json_build_open_object(struct json_build *b, const char *name)
{
	open_container(b, name, cJSON_CreateObject());
}

void json_build_open_array(struct json_build *b, const char *name)
{
	open_container(b, name, cJSON_CreateArray());
}

void json_build_close(struct json_build *b)
{
	if (b->failed)
		return;
	if (b->depth)
		b->depth--;
	else
		b->failed = true;
}

void json_put_string(struct json_build *b, const char *name, const char *value)
{
	attach(b, name, cJSON_CreateString(value));
}

void json_put_text(struct json_build *b, const char *name, const struct strbuf *text)
{
	if (text->failed)
		b->failed = true;
	else
		json_put_string(b, name, strbuf_get(text));
}

void json_put_bool(struct json_build *b, const char *name, bool value)
{
	attach(b, name, cJSON_CreateBool(value));
}

void json_put_null(struct json_build *b, const char *name)
{
	attach(b, name, cJSON_CreateNull());
}

void json_put_i64(struct json_build *b, const char *name, int64_t value)
{
	static const int64_t exact_max = INT64_C(1) << 53;

	if (value > exact_max || value < -exact_max)
		b->failed = true;
	else
		json_put_number(b, name, (double)value);
}

void json_put_number(struct json_build *b, const char *name, double value)
{
	if (!isfinite(value))
		b->failed = true;
	else
		attach(b, name, cJSON_CreateNumber(value));
}

void json_put_tree(struct json_build *b, const char *name, struct json *tree)
{
	attach(b, name, raw(tree));
}

struct json *json_build_take(struct json_build *b, struct err *err)
{
	if (b->failed || b->depth || !b->root) {
		err_memory(err);
		return NULL;
	}
	return TAKE(b->root);
}

void json_build_release(struct json_build *b)
{
	cJSON_Delete(raw(b->root));
	*b = (struct json_build)JSON_BUILD_INIT;
}
