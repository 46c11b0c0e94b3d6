/* SPDX-License-Identifier: Apache-2.0 */
/* A reference-counted block of bytes: fetched record batches are stored once and forwarded to many. */
#ifndef SLUICE_BASE_CHUNK_H
#define SLUICE_BASE_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "base/types.h"

struct chunk {
	size_t refs;
	size_t size;
	uint8_t data[];
};

/* A part of a chunk (or of memory that outlives its use, when chunk is NULL). */
struct slice {
	struct chunk *chunk;
	const uint8_t *p;
	size_t n;
};

/* A chunk of size bytes, uninitialised, with one reference; NULL when there is no memory. */
struct chunk *chunk_try_new(size_t size) __attribute__((warn_unused_result));

/* Takes or drops a reference; the last one frees. NULL is allowed. Not for use from several threads. */
struct chunk *chunk_ref(struct chunk *c);
void chunk_unref(struct chunk *c);

#endif
