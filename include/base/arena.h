/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed all at once, with a ceiling: one arena for each terminated request. */
#ifndef SLUICE_BASE_ARENA_H
#define SLUICE_BASE_ARENA_H

#include <stddef.h>

#include "base/types.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes handed out */
	size_t max;  /* ceiling of used */
};

/* Makes an empty arena that hands out at most max bytes. Holds no memory until the first use. */
void arena_init(struct arena *a, size_t max);

/* Frees everything that was handed out; the arena is empty and usable again. */
void arena_release(struct arena *a);

/* Zeroed, 16-byte aligned memory for n objects of size bytes; NULL beyond the ceiling, on overflow or when there is no
 * memory: peers choose these sizes. n == 0 gives a valid non-NULL pointer. */
void *arena_zalloc(struct arena *a, size_t n, size_t size) __attribute__((warn_unused_result));

/* A terminated copy of s in the arena, NULL as above. */
char *arena_copy_string(struct arena *a, struct str s) __attribute__((warn_unused_result));

/* printf into the arena; the null string when there is no room. */
struct str arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
