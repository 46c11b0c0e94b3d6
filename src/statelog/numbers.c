/* SPDX-License-Identifier: Apache-2.0 */
/* A writer's share-partitions get their short numbers here. */
#include "statelog/numbers.h"

#include "base/assert.h"
#include "hash.h"

struct partition_key {
	struct uuid topic_id;
	int32_t partition;
};

_Static_assert(sizeof(struct partition_key) == 20, "hashed as bytes, so without padding");

struct state_number {
	struct partition_key key;
	uint32_t number;
	UT_hash_handle hh;
};

struct state_number_group {
	char *id;
	struct state_number *partitions;
	UT_hash_handle hh;
};

static struct state_number_group *group_find(const struct state_numbers *t, struct str id)
{
	struct state_number_group *g;

	HASH_FIND(hh, t->groups, id.p, id.n, g);
	return g;
}

static struct state_number *number_find(const struct state_number_group *g, struct uuid topic_id, int32_t partition)
{
	struct partition_key key = {topic_id, partition};
	struct state_number *n;

	HASH_FIND(hh, g->partitions, &key, sizeof(key), n);
	return n;
}

uint32_t state_numbers_find(const struct state_numbers *t, struct str group_id, struct uuid topic_id, int32_t partition)
{
	const struct state_number_group *g = group_find(t, group_id);
	const struct state_number *n = g ? number_find(g, topic_id, partition) : NULL;

	return n ? n->number : 0;
}

uint32_t state_numbers_add(struct state_numbers *t, struct str group_id, struct uuid topic_id, int32_t partition)
{
	struct state_number_group *g = group_find(t, group_id);
	struct state_number *n;

	sl_assert(t->last < UINT32_MAX);
	if (!g) {
		g = mem_zalloc(1, sizeof(*g));
		g->id = mem_copy_string(group_id.p, group_id.n);
		HASH_ADD_KEYPTR(hh, t->groups, g->id, group_id.n, g);
	}
	sl_assert(!number_find(g, topic_id, partition));
	n = mem_zalloc(1, sizeof(*n));
	n->key = (struct partition_key){topic_id, partition};
	n->number = ++t->last;
	HASH_ADD(hh, g->partitions, key, sizeof(n->key), n);
	t->n++;
	return n->number;
}

static void number_free(struct state_numbers *t, struct state_number_group *g, struct state_number *n)
{
	HASH_DEL(g->partitions, n);
	mem_free(n);
	t->n--;
}

static void group_free(struct state_numbers *t, struct state_number_group *g)
{
	while (g->partitions)
		number_free(t, g, g->partitions);
	HASH_DEL(t->groups, g);
	mem_free(g->id);
	mem_free(g);
}

void state_numbers_drop(struct state_numbers *t, struct str group_id, struct uuid topic_id, int32_t partition)
{
	struct state_number_group *g = group_find(t, group_id);
	struct state_number *n = g ? number_find(g, topic_id, partition) : NULL;

	if (!n)
		return;
	number_free(t, g, n);
	if (!g->partitions)
		group_free(t, g);
}

void state_numbers_drop_group(struct state_numbers *t, struct str group_id)
{
	struct state_number_group *g = group_find(t, group_id);

	if (g)
		group_free(t, g);
}

void state_numbers_release(struct state_numbers *t)
{
	while (t->groups)
		group_free(t, t->groups);
	*t = (struct state_numbers){.groups = NULL};
}
