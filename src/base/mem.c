/* SPDX-License-Identifier: Apache-2.0 */
/* Memory comes from here: what we size ourselves never fails, what a peer sizes may. */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void mem_exhausted(size_t n, size_t size)
{
	dprintf(STDERR_FILENO, "sluice: out of memory (%zu objects of %zu bytes)\n", n, size);
	abort();
}

void *mem_zalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		mem_exhausted(n, size);
	return p;
}

void *mem_resize(void *p, size_t n, size_t size)
{
	void *q;

	if (size && n > SIZE_MAX / size)
		mem_exhausted(n, size);
	q = realloc(p, n && size ? n * size : 1);
	if (!q)
		mem_exhausted(n, size);
	return q;
}

void *mem_try_alloc(size_t size)
{
	return malloc(size ? size : 1);
}

char *mem_copy_string(const char *p, size_t n)
{
	char *s;

	if (n == SIZE_MAX)
		mem_exhausted(n, 1);
	s = mem_zalloc(n + 1, 1);
	if (n)
		memcpy(s, p, n);
	return s;
}

void mem_free(void *p)
{
	free(p);
}
