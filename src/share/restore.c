/* SPDX-License-Identifier: Apache-2.0 */
/* A group is taken over from the state log: checked first, then built; nothing of it is written again. */
#include <stdlib.h>

#include "engine.h"

static bool ranges_are_sound(const struct share_partition_state *p)
{
	int64_t from = p->start_offset;

	if (p->start_offset < -1 || (p->start_offset == -1 && p->ranges_n))
		return false;
	for (uint32_t i = 0; i < p->ranges_n; i++) {
		const struct share_state_range *r = &p->ranges[i];

		if (r->first < from || r->last < r->first || r->last >= INT64_MAX - 1 || r->delivery_count < 0)
			return false;
		if (r->state != SHARE_AVAILABLE && !share_state_is_done(r->state))
			return false;
		from = r->last + 1;
	}
	return true;
}

static bool is_name(struct str s)
{
	return s.p && s.n;
}

static const char *partitions_unsound(const struct share_group_state *st)
{
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		if (!is_name(st->partitions[i].topic_name) || st->partitions[i].partition < 0)
			return "a share-partition without a topic name or with a negative number";
		if (!ranges_are_sound(&st->partitions[i]))
			return "records below the start offset, over each other or in a state that is not stored";
	}
	return NULL;
}

const char *share_state_unsound(const struct share_group_state *st)
{
	if (!is_name(st->group_id))
		return "its id is empty";
	if (!st->exists && (st->members_n || st->partitions_n))
		return "it has members or share-partitions, but does not exist";
	if (st->exists && st->assignment_epoch > st->group_epoch)
		return "its assignment epoch is later than its group epoch";
	for (uint32_t i = 0; i < st->members_n; i++) {
		if (!is_name(st->members[i].member_id))
			return "a member without an id";
	}
	for (uint32_t i = 0; i < st->configs_n; i++) {
		if (!is_name(st->configs[i].name) || !st->configs[i].value.p)
			return "a config without a name or value";
	}
	return partitions_unsound(st);
}

static void restore_ranges(struct share_engine *e, struct share_partition *sp, const struct share_partition_state *p)
{
	struct share_range *r;

	for (uint32_t i = 0; i < p->ranges_n; i++) {
		const struct share_state_range *s = &p->ranges[i];

		if (s->first > sp->end) { /* was handed out, and the log knows nothing of it */
			r = share_range_append(e, sp, s->first - 1, SHARE_AVAILABLE, 0, NULL, 0);
			(void)share_range_merge(e, sp, r);
		}
		r = share_range_append(
			e, sp, s->last, s->state, share_state_is_done(s->state) ? 0 : s->delivery_count, NULL, 0);
		(void)share_range_merge(e, sp, r);
	}
	share_partition_trim(e, sp);
}

static bool restore_partition(struct share_engine *e, struct share_group *g, const struct share_partition_state *p)
{
	struct share_topic *t = share_topic_get(e, p->topic_id, p->topic_name);
	struct share_partition *sp = share_partition_find(g, p->topic_id, p->partition);

	if (sp && sp->stored)
		return false;
	sp = share_partition_get(e, g, t, p->partition);
	sp->stored = true;
	if (p->start_offset < 0)
		return true;
	sp->phase = SHARE_PARTITION_READY;
	sp->start = sp->end = p->start_offset;
	restore_ranges(e, sp, p);
	return true;
}

static void restore_assignment(struct share_member *m, const struct share_member_state *st)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < st->assigned_n; i++)
		n += st->assigned[i].partitions_n;
	m->assigned = mem_zalloc((size_t)n + 1, sizeof(*m->assigned));
	m->target = mem_zalloc((size_t)n + 1, sizeof(*m->target));
	for (uint32_t i = 0; i < st->assigned_n; i++) {
		for (uint32_t j = 0; j < st->assigned[i].partitions_n; j++)
			m->assigned[m->assigned_n++] =
				(struct share_topic_partition){st->assigned[i].topic_id, st->assigned[i].partitions[j]};
	}
	qsort(m->assigned, m->assigned_n, sizeof(*m->assigned), share_topic_partition_cmp);
	memcpy(m->target, m->assigned, m->assigned_n * sizeof(*m->target));
	m->target_n = m->assigned_n;
}

static bool restore_member(struct share_engine *e, struct share_group *g, const struct share_member_state *st)
{
	struct share_member *m;

	if (share_member_find(g, st->member_id))
		return false;
	m = share_member_new(e, g, st->member_id);
	m->epoch = st->member_epoch;
	m->previous_epoch = st->previous_epoch;
	m->rack_id = share_str_dup(st->rack_id);
	m->client_id = share_str_dup(st->client_id);
	m->client_host = share_str_dup(st->client_host);
	(void)share_member_subscribe(e, m, st->subscribed, st->subscribed_n);
	restore_assignment(m, st);
	if (m->epoch != g->assignment_epoch)
		g->new_partitions = true; /* its target is not known any more: the next heartbeat computes a new one */
	share_deadline_set(e, &m->session, SHARE_DL_MEMBER, e->now + g->cfg.session_timeout_ms);
	return true;
}

static void restore_configs(struct share_engine *e, struct share_group *g, const struct share_group_state *st)
{
	g->configs = mem_zalloc((size_t)st->configs_n + 1, sizeof(*g->configs));
	for (uint32_t i = 0; i < st->configs_n; i++) {
		g->configs[i] = (struct share_config_entry){
			share_str_dup(st->configs[i].name), share_str_dup(st->configs[i].value)};
		g->configs_n++;
	}
	share_admin_config_effective(e, g, &g->cfg);
}

enum err share_restore(
	struct share_engine *e, int32_t state_partition, const struct share_group_state *st, struct share_now now)
{
	struct share_group *g;
	bool ok = true;

	if (share_state_unsound(st))
		return ERR_INVALID;
	g = share_group_find(e, st->group_id);
	if (g) /* also one that only has sessions: they belong to the owner before */
		return ERR_INVALID;
	if (now.mono > e->now)
		e->now = now.mono;
	g = share_group_get(e, st->group_id, state_partition);
	if (!g)
		return ERR_FULL;
	restore_configs(e, g, st);
	if (st->exists) {
		share_group_create(e, g);
		g->group_epoch = g->stored_group_epoch = st->group_epoch;
		g->assignment_epoch = g->stored_assignment_epoch = st->assignment_epoch;
	}
	for (uint32_t i = 0; ok && i < st->partitions_n; i++)
		ok = restore_partition(e, g, &st->partitions[i]);
	for (uint32_t i = 0; ok && i < st->members_n; i++)
		ok = restore_member(e, g, &st->members[i]);
	if (ok)
		return ERR_OK;
	share_group_drop(e, g);
	return ERR_INVALID;
}
