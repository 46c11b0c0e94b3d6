/* SPDX-License-Identifier: Apache-2.0 */
/* Which broker coordinates a group is remembered here until that broker says otherwise or does not answer. */
#include "base/mem.h"
#include "cluster_priv.h"

#define COORDINATORS_MAX 4096u

struct coordinator {
	UT_hash_handle hh;
	int32_t node;
	char group[];
};

int32_t coordinators_find(const struct cluster *c, struct str group_id)
{
	struct coordinator *co;

	if (str_is_null(group_id))
		return -1;
	HASH_FIND(hh, c->coordinators, group_id.p, group_id.n, co);
	return co ? co->node : -1;
}

void coordinators_drop(struct cluster *c, struct str group_id)
{
	struct coordinator *co;

	if (str_is_null(group_id))
		return;
	HASH_FIND(hh, c->coordinators, group_id.p, group_id.n, co);
	if (!co)
		return;
	HASH_DEL(c->coordinators, co);
	mem_free(co);
}

void coordinators_put(struct cluster *c, struct str group_id, int32_t node)
{
	struct coordinator *co;

	if (str_is_null(group_id))
		return;
	coordinators_drop(c, group_id);
	/* The oldest gives way: it is found again when it is needed. */
	if (HASH_COUNT(c->coordinators) >= COORDINATORS_MAX) {
		co = c->coordinators;
		HASH_DEL(c->coordinators, co);
		mem_free(co);
	}
	co = mem_zalloc(1, sizeof(*co) + group_id.n + 1);
	co->node = node;
	memcpy(co->group, group_id.p, group_id.n);
	HASH_ADD_KEYPTR(hh, c->coordinators, co->group, group_id.n, co);
}

void coordinators_free(struct cluster *c)
{
	struct coordinator *co, *tmp;

	HASH_ITER(hh, c->coordinators, co, tmp)
	{
		HASH_DEL(c->coordinators, co);
		mem_free(co);
	}
}
