/* SPDX-License-Identifier: Apache-2.0 */
/* The mirror's groups, and what their shadows have. */
#include "base/mem.h"
#include "proxy/mirror_priv.h"

struct mirror_group *mirror_group_find(struct mirror *m, struct str id)
{
	struct mirror_group *g;

	HASH_FIND(hh, m->groups, id.p, id.n, g);
	return g;
}

struct mirror_group *mirror_group_get(struct mirror *m, struct str id)
{
	struct mirror_group *g = mirror_group_find(m, id);

	if (g)
		return g;
	g = mem_zalloc(1, sizeof(*g) + id.n + 1);
	g->m = m;
	g->state_partition = state_store_partition_of(m->sv->store, id);
	memcpy(g->text, id.p, id.n);
	g->id = (struct str){g->text, id.n};
	TAILQ_INIT(&g->ops);
	HASH_ADD_KEYPTR(hh, m->groups, g->id.p, g->id.n, g);
	return g;
}

void mirror_seen_clear(struct mirror_group *g)
{
	struct mirror_seen *s, *tmp;

	HASH_ITER(hh, g->seen, s, tmp)
	{
		HASH_DEL(g->seen, s);
		mem_free(s);
	}
}

struct mirror_seen *mirror_seen_find(struct mirror_group *g, struct uuid topic_id, int32_t partition)
{
	struct mirror_seen *s;
	struct mirror_key key;

	memset(&key, 0, sizeof(key));
	key.topic_id = topic_id;
	key.partition = partition;
	HASH_FIND(hh, g->seen, &key, sizeof(key), s);
	return s;
}

struct mirror_seen *mirror_seen_set(struct mirror_group *g, struct uuid topic_id, int32_t partition, int64_t offset)
{
	struct mirror_seen *s = mirror_seen_find(g, topic_id, partition);

	if (!s) {
		s = mem_zalloc(1, sizeof(*s));
		s->key.topic_id = topic_id;
		s->key.partition = partition;
		HASH_ADD(hh, g->seen, key, sizeof(s->key), s);
	}
	s->offset = offset;
	s->is_other_log = false;
	return s;
}

void mirror_op_free(struct mirror_op *op)
{
	mem_free(op->v);
	mem_free(op);
}

void mirror_group_free(struct mirror_group *g)
{
	struct mirror_op *op;

	while ((op = TAILQ_FIRST(&g->ops))) {
		TAILQ_REMOVE(&g->ops, op, link);
		mirror_op_free(op);
	}
	if (g->waiting)
		TAILQ_REMOVE(&g->m->waiting, g, wait_link);
	if (g->lost)
		TAILQ_REMOVE(&g->m->lost, g, lost_link);
	else
		HASH_DEL(g->m->groups, g);
	if (g->stopped)
		g->m->stopped--;
	mirror_seen_clear(g);
	mem_free(g);
}
