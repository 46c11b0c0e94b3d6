/* SPDX-License-Identifier: Apache-2.0 */
/* Shared blocks of bytes live as long as somebody holds a reference. */
#include "base/chunk.h"

#include "base/assert.h"
#include "base/mem.h"

struct chunk *chunk_try_new(size_t size)
{
	struct chunk *c;

	if (size > SIZE_MAX - sizeof(*c))
		return NULL;
	c = mem_try_alloc(sizeof(*c) + size);
	if (!c)
		return NULL;
	c->refs = 1;
	c->size = size;
	return c;
}

struct chunk *chunk_ref(struct chunk *c)
{
	if (c) {
		sl_assert(c->refs > 0 && c->refs < SIZE_MAX);
		c->refs++;
	}
	return c;
}

void chunk_unref(struct chunk *c)
{
	if (!c)
		return;
	sl_assert(c->refs > 0);
	if (--c->refs == 0)
		mem_free(c);
}
