// SPDX-License-Identifier: MIT
#include "base/strv.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool reserve_one(struct strv *list)
{
	size_t capacity = list->capacity ? list->capacity * 2 : 8;
	char **items;

	if (list->count + 1 < list->capacity)
		return true;
	items = mem_resize(list->items, capacity * sizeof(*items));
	if (!items)
		return false;
	list->items = items;
	list->capacity = capacity;
	return true;
}

bool strv_take(struct strv *list, char *text, struct err *err)
{
	if (!text || !reserve_one(list)) {
		mem_free(text);
		return err_memory(err);
	}
	list->items[list->count++] = text;
	list->items[list->count] = NULL;
	return true;
}

bool strv_add(struct strv *list, const char *text, struct err *err)
{
	return strv_take(list, mem_dup(text), err);
}

bool strv_add_n(struct strv *list, const char *text, size_t len, struct err *err)
{
	return strv_take(list, mem_dup_n(text, len), err);
}

bool strv_split(struct strv *list, const char *text, char separator, struct err *err)
{
	const char *end;

	while ((end = strchr(text, separator))) {
		if (!strv_add_n(list, text, (size_t)(end - text), err))
			return false;
		text = end + 1;
	}
	return strv_add(list, text, err);
}

bool strv_contains(const struct strv *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i], text))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare);
}

void strv_release(struct strv *list)
{
	for (size_t i = 0; i < list->count; i++)
		mem_free(list->items[i]);
	mem_free(list->items);
	*list = (struct strv)STRV_INIT;
}
