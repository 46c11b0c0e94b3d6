/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions that somebody asks about are kept once here, and grouped by topic for requests. */
#include "base/assert.h"
#include "base/mem.h"
#include "cluster_priv.h"

/* What was learned about the ends of this many partitions is kept while nobody asks; the rest is forgotten. */
#define IDLE_TPS_MAX 100000

static struct topic *topic_get(struct cluster *c, struct str name)
{
	struct topic *t;

	HASH_FIND(hh, c->topics, name.p, name.n, t);
	if (t)
		return t;
	t = mem_zalloc(1, sizeof(*t) + name.n);
	if (name.n)
		memcpy(t->text, name.p, name.n);
	t->name = (struct str){t->text, name.n};
	HASH_ADD_KEYPTR(hh, c->topics, t->name.p, t->name.n, t);
	return t;
}

static void topic_put(struct cluster *c, struct topic *t)
{
	sl_assert(t->refs > 0);
	if (--t->refs > 0)
		return;
	HASH_DELETE(hh, c->topics, t);
	mem_free(t);
}

struct tp *tp_get(struct cluster *c, struct str topic, int32_t partition)
{
	struct tp_key key = {.topic = topic_get(c, topic), .partition = partition};
	struct tp *tp;

	HASH_FIND(hh, c->tps, &key, sizeof(key), tp);
	if (!tp) {
		tp = mem_zalloc(1, sizeof(*tp));
		tp->key = key;
		tp->high_watermark = tp->last_stable_offset = -1;
		key.topic->refs++;
		HASH_ADD(hh, c->tps, key, sizeof(key), tp);
	}
	tp->refs++;
	return tp;
}

static void tp_drop(struct cluster *c, struct tp *tp)
{
	HASH_DELETE(hh, c->tps, tp);
	topic_put(c, tp->key.topic);
	mem_free(tp);
}

void tp_put(struct cluster *c, struct tp *tp)
{
	sl_assert(tp->refs > 0);
	if (--tp->refs > 0)
		return;
	/* Kept for what it knows of the end of the log, as long as the topic is there. */
	if (!c->freed && tp->high_watermark >= 0 && HASH_COUNT(c->tps) < IDLE_TPS_MAX &&
		cluster_find_topic(c, tp->key.topic->name))
		return;
	tp_drop(c, tp);
}

int16_t tp_leader(struct cluster *c, const struct tp *tp, struct node **ret)
{
	const struct cluster_topic *t = cluster_find_topic(c, tp->key.topic->name);

	if (!t || tp->key.partition < 0 || tp->key.partition >= t->partitions_n)
		return KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION;
	*ret = node_find(c, t->partitions[tp->key.partition].leader);
	return *ret ? 0 : KAFKA_ERR_LEADER_NOT_AVAILABLE;
}

void tp_set_init(struct tp_set *s, struct cluster *c, struct tp *const *v, uint32_t n)
{
	uint32_t *group = mem_zalloc(n, sizeof(*group));

	*s = (struct tp_set){.n = n};
	s->v = mem_zalloc(n, sizeof(*s->v));
	s->ids = mem_zalloc(n, sizeof(*s->ids));
	s->order = mem_zalloc(n, sizeof(*s->order));
	s->start = mem_zalloc((size_t)n + 2, sizeof(*s->start));
	c->stamp++;
	for (uint32_t i = 0; i < n; i++) {
		struct topic *t = v[i]->key.topic;

		s->v[i] = v[i];
		if (t->stamp != c->stamp) {
			const struct cluster_topic *info = cluster_find_topic(c, t->name);

			t->stamp = c->stamp;
			t->group = s->groups++;
			if (info)
				s->ids[t->group] = info->id;
			s->no_ids = s->no_ids || uuid_is_zero(s->ids[t->group]);
		}
		group[i] = t->group;
		s->start[group[i] + 2]++;
	}
	/* Counting sort: start[g + 1] is where the next one of group g goes, and its end when all are placed. */
	for (uint32_t g = 0; g < s->groups; g++)
		s->start[g + 2] += s->start[g + 1];
	for (uint32_t i = 0; i < n; i++)
		s->order[s->start[group[i] + 1]++] = i;
	mem_free(group);
}

void tp_set_release(struct tp_set *s)
{
	mem_free(s->v);
	mem_free(s->ids);
	mem_free(s->order);
	mem_free(s->start);
	*s = (struct tp_set){.v = NULL};
}

/* Answers come in the order of the request as a rule: so the search begins behind the last hit. */
int64_t tp_set_find(struct tp_set *s, bool by_id, struct str name, struct uuid id, int32_t partition)
{
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t pos = (s->hint + i) % s->n;
		const struct tp *tp = tp_set_at(s, pos);
		uint32_t group = s->hint_group;

		if (tp->key.partition != partition)
			continue;
		if (pos < s->start[group])
			group = 0;
		while (pos >= s->start[group + 1])
			group++;
		if (by_id ? !uuid_eq(s->ids[group], id) : !str_eq(tp->key.topic->name, name))
			continue;
		s->hint = (pos + 1) % s->n;
		s->hint_group = group;
		return s->order[pos];
	}
	return -1;
}

void tps_purge(struct cluster *c)
{
	struct tp *tp, *next;

	HASH_ITER(hh, c->tps, tp, next)
	{
		if (tp->refs == 0 && (c->freed || !cluster_find_topic(c, tp->key.topic->name)))
			tp_drop(c, tp);
	}
}
