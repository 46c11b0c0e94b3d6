/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes between a socket and a parser wait here, never more than was allowed at birth. */
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define BUF_SMALLEST 4096u

void buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){.max = max};
}

void buf_release(struct buf *b)
{
	free(b->mem);
	*b = (struct buf){.max = b->max};
}

static void buf_move_to_front(struct buf *b)
{
	size_t len = buf_len(b);

	if (b->rd && len)
		memmove(b->mem, b->mem + b->rd, len);
	b->rd = 0;
	b->wr = len;
}

/* At least need bytes, at least twice of now, at most max; need is at most max. */
static size_t buf_next_cap(const struct buf *b, size_t need)
{
	size_t cap = b->cap < b->max / 2 ? b->cap * 2 : b->max;

	if (cap < BUF_SMALLEST)
		cap = BUF_SMALLEST < b->max ? BUF_SMALLEST : b->max;
	return cap > need ? cap : need;
}

enum err buf_reserve(struct buf *b, size_t n)
{
	size_t len = buf_len(b);
	size_t cap;
	uint8_t *mem;

	if (n <= buf_room(b))
		return ERR_OK;
	if (n > b->max - len)
		return ERR_FULL;
	/* Moving is cheap when little is left of what the buffer holds: each byte then moves once on average. */
	if (n <= b->cap - len && len <= b->cap / 2) {
		buf_move_to_front(b);
		return ERR_OK;
	}
	cap = buf_next_cap(b, len + n);
	if (cap > b->cap) {
		mem = realloc(b->mem, cap);
		if (!mem)
			return ERR_NO_MEMORY;
		b->mem = mem;
		b->cap = cap;
	}
	if (n > buf_room(b))
		buf_move_to_front(b);
	return ERR_OK;
}

void buf_commit(struct buf *b, size_t n)
{
	sl_assert(n <= buf_room(b));
	b->wr += n;
}

void buf_consume(struct buf *b, size_t n)
{
	sl_assert(n <= buf_len(b));
	b->rd += n;
	if (b->rd == b->wr)
		b->rd = b->wr = 0;
}

enum err buf_append(struct buf *b, const void *p, size_t n)
{
	enum err e;

	if (n == 0)
		return ERR_OK;
	e = buf_reserve(b, n);
	if (e)
		return e;
	memcpy(buf_tail(b), p, n);
	buf_commit(b, n);
	return ERR_OK;
}

void buf_shrink(struct buf *b)
{
	if (buf_len(b) == 0)
		buf_release(b);
}
