/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways to get memory: sizes chosen by us abort on failure, sizes chosen by a peer are an error. */
#ifndef SLUICE_BASE_MEM_H
#define SLUICE_BASE_MEM_H

#include <stddef.h>

/* Zeroed memory for n objects of size bytes; aborts when there is none or n * size overflows. Free with mem_free. */
void *mem_zalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));

/* Resizes p (or NULL) to n objects of size bytes, new part not zeroed; aborts as mem_zalloc does. */
void *mem_resize(void *p, size_t n, size_t size) __attribute__((returns_nonnull, warn_unused_result));

/* Uninitialised memory of a size that a peer chose, after the caller capped it; NULL when there is none. */
void *mem_try_alloc(size_t size) __attribute__((malloc, warn_unused_result));

/* A copy of n bytes with a zero byte behind; aborts when there is no memory. Free with mem_free. */
char *mem_copy_string(const char *p, size_t n) __attribute__((malloc, returns_nonnull, warn_unused_result));

/* Frees what the functions above gave; NULL is allowed. */
void mem_free(void *p);

#endif
