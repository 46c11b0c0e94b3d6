/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one request is handed out here piece by piece and taken back as a whole. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under the address sanitizer each piece is a block of its own, so that a step over its end is seen. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_SEPARATE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_SEPARATE 1
#endif
#endif
#ifndef ARENA_SEPARATE
#define ARENA_SEPARATE 0
#endif

#define ARENA_ALIGN 16u
#define ARENA_FIRST_BLOCK 1024u
#define ARENA_LARGEST_BLOCK 65536u

struct arena_block {
	struct arena_block *next;
	size_t size; /* of data */
	size_t used;
	_Alignas(ARENA_ALIGN) unsigned char data[];
};

void arena_init(struct arena *a, size_t max)
{
	*a = (struct arena){.max = max};
}

void arena_release(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
	a->used = 0;
}

/* Size of the next block: each twice the last one, so that a small request stays small. */
static size_t arena_block_size(const struct arena *a, size_t want)
{
	size_t size = ARENA_FIRST_BLOCK;

	if (ARENA_SEPARATE)
		return want;
	if (a->blocks)
		size = a->blocks->size < ARENA_LARGEST_BLOCK / 2 ? a->blocks->size * 2 : ARENA_LARGEST_BLOCK;
	return size > want ? size : want;
}

static struct arena_block *arena_add_block(struct arena *a, size_t want)
{
	size_t size = arena_block_size(a, want);
	struct arena_block *b;

	if (size > SIZE_MAX - sizeof(*b))
		return NULL;
	b = malloc(sizeof(*b) + size);
	if (!b)
		return NULL;
	b->next = a->blocks;
	b->size = size;
	b->used = 0;
	a->blocks = b;
	return b;
}

void *arena_zalloc(struct arena *a, size_t n, size_t size)
{
	struct arena_block *b = a->blocks;
	size_t want, charged;
	void *p;

	if (size && n > SIZE_MAX / size)
		return NULL;
	want = n * size;
	if (want > SIZE_MAX - ARENA_ALIGN)
		return NULL;
	charged = (want + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	if (charged > a->max - a->used)
		return NULL;
	if (!b || ARENA_SEPARATE || charged > b->size - b->used)
		b = arena_add_block(a, ARENA_SEPARATE ? want : charged);
	if (!b)
		return NULL;
	p = b->data + b->used;
	b->used += ARENA_SEPARATE ? want : charged;
	a->used += charged;
	memset(p, 0, want);
	return p;
}

char *arena_copy_string(struct arena *a, struct str s)
{
	char *p;

	if (s.n == SIZE_MAX)
		return NULL;
	p = arena_zalloc(a, s.n + 1, 1);
	if (p && s.n)
		memcpy(p, s.p, s.n);
	return p;
}

struct str arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return STR_NULL;
	p = arena_zalloc(a, (size_t)n + 1, 1);
	if (!p)
		return STR_NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return (struct str){p, (size_t)n};
}
