// SPDX-License-Identifier: MIT
#include "mon/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK_BYTES = 16 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
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

// LEN bytes at a multiple of ALIGN.
static void *take(struct mon_arena *arena, size_t len, size_t align)
{
	struct block *block = arena->blocks;
	size_t used;

	if (len > SIZE_MAX / 2)
		return NULL;
	if (!block || block->size - block->used < len + align)
		block = add_block(arena, len + align);
	if (!block)
		return NULL;
	used = (block->used + align - 1) / align * align;
	block->used = used + len;
	return block->bytes + used;
}

const char *mon_arena_text(struct mon_arena *arena, const char *text, size_t len)
{
	char *copy = len < SIZE_MAX ? take(arena, len + 1, 1) : NULL;

	if (!copy)
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void *mon_arena_alloc(struct mon_arena *arena, size_t size)
{
	return take(arena, size, alignof(max_align_t));
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
