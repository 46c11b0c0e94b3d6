/* SPDX-License-Identifier: Apache-2.0 */
/* Which topics exist, under which id, and which groups wait for a name. */
#include "engine.h"

static int share_topic_cmp(const struct share_topic *a, const struct share_topic *b)
{
	return uuid_cmp(a->id, b->id);
}

static int share_topic_name_cmp(const struct share_topic_name *a, const struct share_topic_name *b)
{
	return str_cmp(a->name, b->name);
}

RB_GENERATE(share_topic_tree, share_topic, by_id, share_topic_cmp)
RB_GENERATE(share_topic_name_tree, share_topic_name, by_name, share_topic_name_cmp)

int share_topic_partition_cmp(const void *a, const void *b)
{
	const struct share_topic_partition *x = a, *y = b;
	int d = uuid_cmp(x->topic_id, y->topic_id);

	return d ? d : (x->partition > y->partition) - (x->partition < y->partition);
}

struct share_topic_name *share_topic_name_get(struct share_engine *e, struct str name)
{
	struct share_topic_name key = {.name = name}, *n;

	n = RB_FIND(share_topic_name_tree, &e->names, &key);
	if (!n) {
		n = mem_zalloc(1, sizeof(*n));
		n->name = share_str_dup(name);
		LIST_INIT(&n->subscriptions);
		RB_INSERT(share_topic_name_tree, &e->names, n);
	}
	n->refs++;
	return n;
}

void share_topic_name_put(struct share_engine *e, struct share_topic_name *n)
{
	if (--n->refs)
		return;
	RB_REMOVE(share_topic_name_tree, &e->names, n);
	share_str_free(&n->name);
	mem_free(n);
}

struct share_topic *share_topic_find(struct share_engine *e, struct uuid id)
{
	struct share_topic key = {.id = id};

	return RB_FIND(share_topic_tree, &e->topics, &key);
}

struct share_topic *share_topic_get(struct share_engine *e, struct uuid id, struct str name)
{
	struct share_topic *t = share_topic_find(e, id);

	if (t)
		return t;
	t = mem_zalloc(1, sizeof(*t));
	t->id = id;
	t->name = share_topic_name_get(e, name);
	LIST_INIT(&t->sps);
	RB_INSERT(share_topic_tree, &e->topics, t);
	return t;
}

void share_topic_put(struct share_engine *e, struct share_topic *t)
{
	if (t->pinned || t->partitions || !LIST_EMPTY(&t->sps))
		return;
	if (t->name->topic == t)
		t->name->topic = NULL;
	RB_REMOVE(share_topic_tree, &e->topics, t);
	share_topic_name_put(e, t->name);
	mem_free(t);
}

void share_topic_event(struct share_engine *e, struct uuid id, struct str name, int32_t partitions)
{
	struct share_topic *t = share_topic_get(e, id, name);
	struct share_subscription *sub;

	if (t->name->topic && t->name->topic != t) /* deleted and created again */
		share_topic_gone(e, t->name->topic->id);
	t->name->topic = t;
	if (partitions <= t->partitions)
		return;
	t->partitions = partitions;
	LIST_FOREACH(sub, &t->name->subscriptions, in_name)
	share_resolve_subscription(e, sub);
}

/* All of one group's partitions of a topic. */
static void topic_gone_from_group(struct share_engine *e, struct share_topic *t, struct share_group *g)
{
	struct share_partition *sp, *next;

	LIST_FOREACH_SAFE(sp, &t->sps, in_topic, next)
	{
		if (sp->g != g)
			continue;
		share_resolve_settled(sp);
		share_partition_delete(e, sp);
		share_fetch_orphan(e, sp);
		share_partition_put(e, sp);
	}
	share_fetch_answer_orphaned(e);
}

void share_topic_gone(struct share_engine *e, struct uuid id)
{
	struct share_topic *t = share_topic_find(e, id);
	struct share_partition *sp;

	if (!t)
		return;
	t->partitions = 0;
	t->pinned = true; /* while its partitions go */
	if (t->name->topic == t)
		t->name->topic = NULL;
	while ((sp = LIST_FIRST(&t->sps))) {
		struct share_group *g = sp->g;

		topic_gone_from_group(e, t, g);
		if (g->members_n) {
			share_group_bump(g);
			share_group_persist(e, g);
		}
		share_heartbeat_resume(e, g);
		share_group_put(e, g);
	}
	t->pinned = false;
	share_topic_put(e, t);
}
