/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a group: what they subscribe to, what they were assigned, and how that is written down. */
#include <stdlib.h>

#include "engine.h"

static int share_member_cmp(const struct share_member *a, const struct share_member *b)
{
	return str_cmp(a->id, b->id);
}

RB_GENERATE(share_member_tree, share_member, by_id, share_member_cmp)

struct share_member *share_member_find(struct share_group *g, struct str id)
{
	struct share_member key = {.id = id};

	return RB_FIND(share_member_tree, &g->members, &key);
}

struct share_member *share_member_new(struct share_engine *e, struct share_group *g, struct str id)
{
	struct share_member *m = mem_zalloc(1, sizeof(*m));

	m->g = g;
	m->id = share_str_dup(id);
	m->previous_epoch = -1;
	RB_INSERT(share_member_tree, &g->members, m);
	g->members_n++;
	e->counts.members++;
	return m;
}

void share_member_stop_waiting(struct share_engine *e, struct share_member *m)
{
	if (!m->waiting)
		return;
	m->waiting = false;
	TAILQ_REMOVE(&m->g->waiting, m, wait_link);
	share_deadline_clear(e, &m->wait);
	e->counts.waiting_heartbeats--;
}

void share_member_free(struct share_engine *e, struct share_member *m)
{
	struct share_group *g = m->g;

	share_member_stop_waiting(e, m);
	share_deadline_clear(e, &m->session);
	RB_REMOVE(share_member_tree, &g->members, m);
	for (uint32_t i = 0; i < m->subs_n; i++)
		share_subscription_put(e, m->subs[i]);
	mem_free(m->subs);
	mem_free(m->assigned);
	mem_free(m->target);
	share_str_free(&m->id);
	share_str_free(&m->rack_id);
	share_str_free(&m->client_id);
	share_str_free(&m->client_host);
	mem_free(m);
	g->members_n--;
	e->counts.members--;
}

void share_member_remove(struct share_engine *e, struct share_member *m)
{
	struct share_group *g = m->g;
	struct share_effect *fx = share_group_change(e, g, SHARE_CHANGE_MEMBER_REMOVED);

	fx->u.change.u.member.member_id = share_fx_copy(e, m->id);
	if (m->waiting)
		share_heartbeat_refuse(e, m, SHARE_ERR_UNKNOWN_MEMBER_ID, "The member has left the group.");
	share_member_free(e, m);
	share_group_bump(g);
	share_group_persist(e, g);
}

/* ---- subscription ---- */

static int name_cmp(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Sorted, without doubles and nulls; number of names left. */
static uint32_t names_settle(struct str *v, const struct str *topics, uint32_t n)
{
	uint32_t k = 0, u = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (topics[i].p)
			v[k++] = topics[i];
	}
	qsort(v, k, sizeof(*v), name_cmp);
	for (uint32_t i = 0; i < k; i++) {
		if (!u || !str_eq(v[u - 1], v[i]))
			v[u++] = v[i];
	}
	return u;
}

static bool subscribes_like(const struct share_member *m, const struct str *v, uint32_t n)
{
	if (m->subs_n != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!str_eq(m->subs[i]->name->name, v[i]))
			return false;
	}
	return true;
}

/* Sets the subscription, compared as a set; true: it changed. */
bool share_member_subscribe(struct share_engine *e, struct share_member *m, const struct str *topics, uint32_t n)
{
	struct str *v = mem_zalloc(n + 1, sizeof(*v));
	struct share_subscription **subs;

	n = names_settle(v, topics, n);
	if (subscribes_like(m, v, n)) {
		mem_free(v);
		return false;
	}
	subs = mem_zalloc(n + 1, sizeof(struct share_subscription *));
	for (uint32_t i = 0; i < n; i++) /* the new ones first: what stays is not dropped in between */
		subs[i] = share_subscription_get(e, m->g, v[i]);
	for (uint32_t i = 0; i < m->subs_n; i++)
		share_subscription_put(e, m->subs[i]);
	mem_free(m->subs);
	mem_free(v);
	m->subs = subs;
	m->subs_n = n;
	return true;
}

/* ---- assignment ---- */

static bool member_subscribes(const struct share_member *m, const struct share_partition *sp)
{
	for (uint32_t i = 0; i < m->subs_n; i++) {
		if (m->subs[i]->name == sp->topic->name)
			return true;
	}
	return false;
}

/* One step, as share groups need no hand-over: the member gets the group's assignment epoch and what the target gives
 * it. */
bool share_member_reconcile(struct share_member *m)
{
	struct share_topic_partition *v = mem_zalloc(m->target_n + 1, sizeof(*v));
	struct share_group *g = m->g;
	uint32_t n = 0;
	bool changed;

	for (uint32_t i = 0; i < m->target_n; i++) {
		struct share_partition *sp = share_partition_find(g, m->target[i].topic_id, m->target[i].partition);

		if (sp && sp->phase == SHARE_PARTITION_READY && member_subscribes(m, sp))
			v[n++] = m->target[i];
	}
	changed = n != m->assigned_n;
	for (uint32_t i = 0; !changed && i < n; i++)
		changed = share_topic_partition_cmp(&v[i], &m->assigned[i]) != 0;
	if (changed) {
		mem_free(m->assigned);
		m->assigned = v;
		m->assigned_n = n;
		m->dirty = true;
	} else {
		mem_free(v);
	}
	if (m->epoch != g->assignment_epoch) {
		m->previous_epoch = m->epoch;
		m->epoch = g->assignment_epoch;
		m->dirty = true;
	}
	return changed;
}

const struct share_topic_partitions *share_member_assignment(
	const struct share_member *m, struct arena *a, uint32_t *ret_n)
{
	struct share_topic_partitions *v = arena_zalloc(a, m->assigned_n, sizeof(*v));
	int32_t *partitions = arena_zalloc(a, m->assigned_n, sizeof(*partitions));
	uint32_t n = 0;

	*ret_n = 0;
	if (!v || !partitions)
		return NULL;
	for (uint32_t i = 0; i < m->assigned_n; i++) {
		partitions[i] = m->assigned[i].partition;
		if (!n || !uuid_eq(v[n - 1].topic_id, m->assigned[i].topic_id))
			v[n++] = (struct share_topic_partitions){m->assigned[i].topic_id, &partitions[i], 0};
		v[n - 1].partitions_n++;
	}
	*ret_n = n;
	return v;
}

/* ---- writing ---- */

static bool copy_into(struct arena *a, struct str s, struct str *ret)
{
	*ret = STR_NULL;
	if (!s.p)
		return true;
	ret->p = arena_copy_string(a, s);
	ret->n = s.n;
	return ret->p != NULL;
}

bool share_member_state_of(const struct share_member *m, struct arena *a, struct share_member_state *ret)
{
	struct str *names = arena_zalloc(a, m->subs_n, sizeof(*names));

	*ret = (struct share_member_state){.member_epoch = m->epoch, .previous_epoch = m->previous_epoch};
	if (!names || !copy_into(a, m->id, &ret->member_id) || !copy_into(a, m->rack_id, &ret->rack_id) ||
		!copy_into(a, m->client_id, &ret->client_id) || !copy_into(a, m->client_host, &ret->client_host))
		return false;
	for (uint32_t i = 0; i < m->subs_n; i++) {
		if (!copy_into(a, m->subs[i]->name->name, &names[i]))
			return false;
	}
	ret->subscribed = names;
	ret->subscribed_n = m->subs_n;
	ret->assigned = share_member_assignment(m, a, &ret->assigned_n);
	return ret->assigned != NULL;
}

void share_member_persist(struct share_engine *e, struct share_member *m)
{
	struct share_effect *fx;
	bool ok;

	if (!m->dirty)
		return;
	fx = share_group_change(e, m->g, SHARE_CHANGE_MEMBER);
	ok = share_member_state_of(m, &e->fx->arena, &fx->u.change.u.member);
	sl_assert(ok);
	m->dirty = false;
}
