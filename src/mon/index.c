// SPDX-License-Identifier: MIT
// Open addressing with linear steps, at most half full.
#include "mon/index.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_SIZE = 64 };

struct entry {
	const char *key; // NULL: empty
	uint32_t hash;
	long number;
};

struct mon_index {
	struct entry *entries;
	size_t size, count; // size is a power of two
};

static uint32_t hash_of(const char *key)
{
	uint32_t hash = 2166136261U; // FNV-1a

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * 16777619U;
	return hash;
}

struct mon_index *mon_index_new(void)
{
	return mem_alloc(sizeof(struct mon_index));
}

// The entry of KEY, or the empty one where it belongs.
static struct entry *entry_of(const struct mon_index *index, const char *key, uint32_t hash)
{
	size_t at = hash & (index->size - 1);

	while (index->entries[at].key &&
	       (index->entries[at].hash != hash || strcmp(index->entries[at].key, key) != 0))
		at = (at + 1) & (index->size - 1);
	return &index->entries[at];
}

static bool grow(struct mon_index *index)
{
	struct mon_index larger = {.size = index->size ? index->size * 2 : FIRST_SIZE};

	larger.entries = mem_alloc(larger.size * sizeof *larger.entries);
	if (!larger.entries)
		return false;
	for (size_t i = 0; i < index->size; i++) {
		const struct entry *entry = &index->entries[i];

		if (entry->key)
			*entry_of(&larger, entry->key, entry->hash) = *entry;
	}
	mem_free(index->entries);
	index->entries = larger.entries;
	index->size = larger.size;
	return true;
}

long *mon_index_place(struct mon_index *index, const char *key)
{
	uint32_t hash = hash_of(key);
	struct entry *entry;

	if (index->count * 2 >= index->size && !grow(index))
		return NULL;
	entry = entry_of(index, key, hash);
	if (!entry->key) {
		*entry = (struct entry){key, hash, MON_INDEX_NONE};
		index->count++;
	}
	return &entry->number;
}

long mon_index_find(const struct mon_index *index, const char *key)
{
	const struct entry *entry = index->size ? entry_of(index, key, hash_of(key)) : NULL;

	return entry && entry->key ? entry->number : MON_INDEX_NONE;
}

void mon_index_free(struct mon_index *index)
{
	if (!index)
		return;
	mem_free(index->entries);
	mem_free(index);
}
