// SPDX-License-Identifier: MIT
#include "kube/pairs.h"

#include <string.h>

#include "base/mem.h"

bool kube_pairs_add(struct kube_pairs *pairs, const char *key, const char *value, struct err *err)
{
	struct kube_pair pair = {mem_dup(key), mem_dup(value)};

	if (pair.key && pair.value && mem_append(&pairs->items, &pairs->count, &pair, sizeof(pair)))
		return true;
	mem_free(pair.key);
	mem_free(pair.value);
	return err_memory(err);
}

bool kube_pairs_parse(struct kube_pairs *pairs, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	_cleanup_free_ char *key = mem_dup_n(text, equals ? (size_t)(equals - text) : 0);

	if (!equals)
		return err_set(err, ERR_USAGE, "\"%s\" is not KEY=VALUE", text);
	if (!key)
		return err_memory(err);
	return kube_pairs_add(pairs, key, equals + 1, err);
}

// The index of the last pair with KEY, or count.
static size_t last_index(const struct kube_pairs *pairs, const char *key)
{
	for (size_t i = pairs->count; i-- > 0;)
		if (!strcmp(pairs->items[i].key, key))
			return i;
	return pairs->count;
}

const char *kube_pairs_get(const struct kube_pairs *pairs, const char *key)
{
	size_t index = last_index(pairs, key);

	return index < pairs->count ? pairs->items[index].value : NULL;
}

void kube_pairs_put(const struct kube_pairs *pairs, struct json_build *b)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (last_index(pairs, pairs->items[i].key) == i)
			json_put_string(b, pairs->items[i].key, pairs->items[i].value);
}

void kube_pairs_release(struct kube_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		mem_free(pairs->items[i].key);
		mem_free(pairs->items[i].value);
	}
	mem_free(pairs->items);
	*pairs = (struct kube_pairs){NULL, 0};
}
