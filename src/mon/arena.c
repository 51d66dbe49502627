// SPDX-License-Identifier: MIT
#include "mon/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK_BYTES = 16 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	char bytes[];
};

struct mon_arena {
	struct block *blocks; // the one in use first
};

struct mon_arena *mon_arena_new(void)
{
	return mem_alloc(sizeof(struct mon_arena));
}

static struct block *add_block(struct mon_arena *arena, size_t at_least)
{
	size_t size = at_least > BLOCK_BYTES ? at_least : BLOCK_BYTES;
	struct block *block;

	if (size > SIZE_MAX - sizeof *block)
		return NULL;
	block = mem_alloc(sizeof *block + size);
	if (!block)
		return NULL;
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

const char *mon_arena_text(struct mon_arena *arena, const char *text, size_t len)
{
	struct block *block = arena->blocks;
	char *copy;

	if (len == SIZE_MAX)
		return NULL;
	if (!block || block->size - block->used <= len)
		block = add_block(arena, len + 1);
	if (!block)
		return NULL;
	copy = block->bytes + block->used;
	memcpy(copy, text, len);
	copy[len] = '\0';
	block->used += len + 1;
	return copy;
}

void mon_arena_free(struct mon_arena *arena)
{
	if (!arena)
		return;
	for (struct block *block = arena->blocks, *next; block; block = next) {
		next = block->next;
		mem_free(block);
	}
	mem_free(arena);
}
