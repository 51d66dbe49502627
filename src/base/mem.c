// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <cjson/cJSON.h>

static bool (*failure_hook)(size_t size);

static bool must_fail(size_t size)
{
	return failure_hook && failure_hook(size);
}

void *mem_alloc(size_t size)
{
	return must_fail(size) ? NULL : calloc(1, size ? size : 1);
}

void *mem_resize(void *block, size_t size)
{
	return must_fail(size) ? NULL : realloc(block, size ? size : 1);
}

char *mem_dup_n(const char *data, size_t len)
{
	char *copy = mem_alloc(len + 1);

	if (copy && len)
		memcpy(copy, data, len);
	return copy;
}

char *mem_dup(const char *text)
{
	return mem_dup_n(text, strlen(text));
}

bool mem_append(void *items, size_t *count, const void *item, size_t size)
{
	char **array = items;

	if ((*count & (*count - 1)) == 0) {
		char *grown = mem_resize(*array, (*count ? *count * 2 : 1) * size);

		if (!grown)
			return false;
		*array = grown;
	}
	memcpy(*array + *count * size, item, size);
	++*count;
	return true;
}

void mem_free(void *block)
{
	free(block);
}

void mem_freep(void *p)
{
	free(*(void **)p);
}

void mem_set_failure_hook(bool (*hook)(size_t size))
{
	cJSON_Hooks hooks = {.malloc_fn = mem_alloc, .free_fn = mem_free};

	failure_hook = hook;
	cJSON_InitHooks(hook ? &hooks : NULL);
}
