/* SPDX-License-Identifier: Apache-2.0 */
/* Rights are kept here by resource. What was said about a resource has the age of the oldest part. */
#include "proxy/rights.h"

#include <string.h>

#include <uthash.h>

#include "base/mem.h"

/* Resources of one connection between two requests; a single request may name more. */
#define RIGHTS_MAX 10000

struct right {
	UT_hash_handle hh;
	uint32_t known, allowed, asked;
	int64_t at;
	size_t key_n;
	char key[]; /* kind, name */
};

struct rights {
	struct right *all;
};

struct rights *rights_new(void)
{
	return mem_zalloc(1, sizeof(struct rights));
}

static void clear(struct rights *r)
{
	struct right *e, *next;

	HASH_ITER(hh, r->all, e, next)
	{
		HASH_DEL(r->all, e);
		mem_free(e);
	}
}

void rights_free(struct rights *r)
{
	if (!r)
		return;
	clear(r);
	mem_free(r);
}

static struct right *make(int kind, struct str name)
{
	struct right *e = mem_zalloc(1, sizeof(*e) + name.n + 1);

	e->key_n = name.n + 1;
	e->key[0] = (char)kind;
	if (name.n)
		memcpy(e->key + 1, name.p, name.n);
	return e;
}

static struct right *find(const struct rights *r, int kind, struct str name, bool add)
{
	struct rights *w = (struct rights *)(uintptr_t)r;
	struct right *e = make(kind, name), *found = NULL;

	HASH_FIND(hh, w->all, e->key, e->key_n, found);
	if (found || !add) {
		mem_free(e);
		return found;
	}
	HASH_ADD(hh, w->all, key, e->key_n, e);
	return e;
}

/* No request asks while another one does: nothing that is still asked about goes. */
static void make_room(struct rights *r)
{
	const struct right *e;

	if (HASH_COUNT(r->all) < RIGHTS_MAX)
		return;
	for (e = r->all; e; e = e->hh.next) {
		if (e->asked)
			return;
	}
	clear(r);
}

uint32_t rights_want(struct rights *r, int kind, struct str name, uint32_t operations, int64_t now, int32_t max_age_ms)
{
	struct right *e;
	uint32_t ask;

	make_room(r);
	e = find(r, kind, name, true);
	if (e->known && now - e->at >= max_age_ms)
		e->known = 0;
	ask = operations & ~e->known & ~e->asked;
	e->asked |= ask;
	return ask;
}

void rights_set(struct rights *r, int kind, struct str name, uint32_t operations, uint32_t allowed, int64_t now)
{
	struct right *e = find(r, kind, name, true);

	if (!e->known)
		e->at = now;
	e->asked &= ~operations;
	e->known |= operations;
	e->allowed = (e->allowed & ~operations) | (allowed & operations);
}

void rights_unknown(struct rights *r, int kind, struct str name, uint32_t operations)
{
	struct right *e = find(r, kind, name, true);

	e->asked &= ~operations;
	e->known &= ~operations;
}

enum rights_verdict rights_get(const struct rights *r, int kind, struct str name, uint32_t operation)
{
	const struct right *e = find(r, kind, name, false);

	if (!e || !(e->known & operation))
		return RIGHTS_UNKNOWN;
	return e->allowed & operation ? RIGHTS_ALLOWED : RIGHTS_DENIED;
}
