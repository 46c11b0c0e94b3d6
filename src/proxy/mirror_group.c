/* SPDX-License-Identifier: Apache-2.0 */
/* The mirror's groups, what their shadows have, and the mark of a commit. */
#include <stdio.h>

#include "base/mem.h"
#include "proxy/mirror_priv.h"

#define MARK "sluice 1 "

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

void mirror_mark_write(char mark[MIRROR_MARK_MAX], struct uuid topic_id, int64_t owner_epoch, struct uuid log_id)
{
	char id[23], log[23];

	uuid_format(topic_id, id);
	uuid_format(log_id, log);
	snprintf(mark, MIRROR_MARK_MAX, MARK "%s %lld %s", id, (long long)owner_epoch, log);
}

bool mirror_mark_is_ours(
	struct str metadata, struct uuid topic_id, struct uuid log_id, bool *ret_same, bool *ret_other_log)
{
	const size_t n = sizeof(MARK) - 1;
	char id[23], log[23], zero[23];

	uuid_format(topic_id, id);
	uuid_format(log_id, log);
	uuid_format((struct uuid){{0}}, zero);
	if (metadata.n < n || memcmp(metadata.p, MARK, n) != 0)
		return false;
	*ret_same = metadata.n >= n + 23 && memcmp(metadata.p + n, id, 22) == 0 && metadata.p[n + 22] == ' ';
	/* Marks of early versions do not name the log; without topic ids it has no name. */
	*ret_other_log = metadata.n >= n + 23 + 2 + 22 && metadata.p[metadata.n - 23] == ' ' &&
			 memcmp(metadata.p + metadata.n - 22, log, 22) != 0 &&
			 memcmp(metadata.p + metadata.n - 22, zero, 22) != 0 && !uuid_is_zero(log_id);
	return true;
}
