/* SPDX-License-Identifier: Apache-2.0 */
/* One flat byte buffer with a read and a write position and a ceiling given at birth. */
#ifndef SLUICE_BASE_BUF_H
#define SLUICE_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*   mem ....... rd ............. wr ............. cap (<= max)
 *     consumed     to be read       free               */
struct buf {
	uint8_t *mem;
	size_t rd, wr, cap, max;
};

/* Makes an empty buffer of at most max bytes. Holds no memory until the first buf_reserve. */
void buf_init(struct buf *b, size_t max);

/* Frees the memory; the buffer is empty and usable again. */
void buf_release(struct buf *b);

/* Bytes waiting to be read. */
static inline size_t buf_len(const struct buf *b)
{
	return b->wr - b->rd;
}

/* Where to read or write next; NULL while the buffer holds no memory. */
static inline const uint8_t *buf_head(const struct buf *b)
{
	return b->mem ? b->mem + b->rd : NULL;
}

/* The same for changing bytes in place before they go on. */
static inline uint8_t *buf_edit(struct buf *b)
{
	return b->mem ? b->mem + b->rd : NULL;
}

static inline uint8_t *buf_tail(struct buf *b)
{
	return b->mem ? b->mem + b->wr : NULL;
}

static inline size_t buf_room(const struct buf *b)
{
	return b->cap - b->wr;
}

/* Makes room for at least n more bytes behind the write position, moving or growing: ERR_FULL when that would exceed
 * max, ERR_NO_MEMORY. */
enum err buf_reserve(struct buf *b, size_t n) ERR_CHECKED;

/* Marks n bytes as written (n at most buf_room) or as consumed (n at most buf_len). */
void buf_commit(struct buf *b, size_t n);
void buf_consume(struct buf *b, size_t n);

/* Appends a copy of n bytes; errors as buf_reserve, then nothing was appended. */
enum err buf_append(struct buf *b, const void *p, size_t n) ERR_CHECKED;

/* Gives the memory back when nothing waits in the buffer: an idle connection holds none. */
void buf_shrink(struct buf *b);

#endif
