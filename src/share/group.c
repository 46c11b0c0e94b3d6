/* SPDX-License-Identifier: Apache-2.0 */
/* The table of groups: a group is there while it exists, has configs, sessions or locks; its epochs are raised and
 * written here. */
#include "engine.h"

static int share_group_cmp(const struct share_group *a, const struct share_group *b)
{
	return str_cmp(a->id, b->id);
}

static int share_state_partition_cmp(const struct share_group *a, const struct share_group *b)
{
	if (a->state_partition != b->state_partition)
		return a->state_partition < b->state_partition ? -1 : 1;
	return str_cmp(a->id, b->id);
}

static int share_subscription_cmp(const struct share_subscription *a, const struct share_subscription *b)
{
	return str_cmp(a->name->name, b->name->name);
}

RB_GENERATE(share_group_tree, share_group, by_id, share_group_cmp)
RB_GENERATE(share_state_partition_tree, share_group, by_state_partition, share_state_partition_cmp)
RB_GENERATE(share_subscription_tree, share_subscription, by_name, share_subscription_cmp)

struct str share_group_not_found(struct share_engine *e, struct str id)
{
	return arena_printf(&e->fx->arena, "Group %.*s not found.", (int)id.n, id.p ? id.p : "");
}

struct share_group *share_group_find(const struct share_engine *e, struct str id)
{
	struct share_group *g = RB_ROOT(&e->groups);

	while (g) {
		int d = str_cmp(id, g->id);

		if (!d)
			return g;
		g = d < 0 ? RB_LEFT(g, by_id) : RB_RIGHT(g, by_id);
	}
	return NULL;
}

struct share_group *share_group_get(struct share_engine *e, struct str id, int32_t state_partition)
{
	struct share_group *g = share_group_find(e, id);

	if (g)
		return g;
	if (e->groups_n >= e->cfg.max_groups)
		return NULL;
	g = mem_zalloc(1, sizeof(*g));
	g->id = share_str_dup(id);
	g->state_partition = state_partition;
	share_group_config_default(&e->cfg.group, &g->cfg);
	RB_INIT(&g->members);
	TAILQ_INIT(&g->waiting);
	RB_INIT(&g->subs);
	RB_INIT(&g->sps);
	RB_INIT(&g->sessions);
	RB_INIT(&g->owners);
	RB_INSERT(share_group_tree, &e->groups, g);
	RB_INSERT(share_state_partition_tree, &e->by_state_partition, g);
	e->groups_n++;
	return g;
}

static void group_free(struct share_engine *e, struct share_group *g)
{
	share_deadline_clear(e, &g->assign);
	RB_REMOVE(share_group_tree, &e->groups, g);
	RB_REMOVE(share_state_partition_tree, &e->by_state_partition, g);
	for (uint32_t i = 0; i < g->configs_n; i++) {
		share_str_free(&g->configs[i].name);
		share_str_free(&g->configs[i].value);
	}
	mem_free(g->configs);
	share_str_free(&g->id);
	mem_free(g);
	e->groups_n--;
}

void share_group_put(struct share_engine *e, struct share_group *g)
{
	if (g->exists || g->configs_n || !RB_EMPTY(&g->sps) || !RB_EMPTY(&g->sessions) || !RB_EMPTY(&g->owners))
		return;
	group_free(e, g);
}

/* ---- what is durable ---- */

struct share_effect *share_group_change(
	struct share_engine *e, const struct share_group *g, enum share_change_type type)
{
	struct share_effect *fx = share_emit(e, SHARE_FX_PERSIST);

	fx->state_partition = g->state_partition;
	fx->u.change.type = type;
	fx->u.change.group_id = share_fx_copy(e, g->id);
	return fx;
}

void share_group_create(struct share_engine *e, struct share_group *g)
{
	g->exists = true;
	g->group_epoch = g->assignment_epoch = 1;
	g->stored_group_epoch = g->stored_assignment_epoch = 0;
	g->has_assigned = false;
	e->counts.groups++;
}

void share_group_persist(struct share_engine *e, struct share_group *g)
{
	struct share_effect *fx;

	if (!g->exists ||
		(g->group_epoch == g->stored_group_epoch && g->assignment_epoch == g->stored_assignment_epoch))
		return;
	fx = share_group_change(e, g, SHARE_CHANGE_GROUP);
	fx->u.change.u.group.group_epoch = g->stored_group_epoch = g->group_epoch;
	fx->u.change.u.group.assignment_epoch = g->stored_assignment_epoch = g->assignment_epoch;
}

void share_group_bump(struct share_group *g)
{
	g->group_epoch++;
	g->new_partitions = false; /* the next assignment sees them */
	if (!g->members_n) {       /* nobody to assign to: the next member is not kept waiting */
		g->assignment_epoch = g->group_epoch;
		g->has_assigned = false;
	}
}

/* Computes the target assignment when the group changed since and the last one is old enough; sets a timer when it has
 * to wait and somebody waits for it. */
void share_group_assign_if_due(struct share_engine *e, struct share_group *g)
{
	int64_t due = g->assigned_at + g->cfg.assignment_interval_ms;

	if (g->new_partitions && g->assignment_epoch == g->group_epoch && g->members_n)
		share_group_bump(g);
	if (g->assignment_epoch == g->group_epoch)
		return;
	if (g->has_assigned && e->now < due) {
		if (!TAILQ_EMPTY(&g->waiting))
			share_deadline_set(e, &g->assign, SHARE_DL_ASSIGN, due);
		return;
	}
	share_deadline_clear(e, &g->assign);
	share_assignor_run(g);
	g->new_partitions = false;
	g->assignment_epoch = g->group_epoch;
	g->assigned_at = e->now;
	g->has_assigned = true;
}

/* ---- subscriptions ---- */

struct share_subscription *share_subscription_find(struct share_group *g, struct str name)
{
	struct share_topic_name n = {.name = name};
	struct share_subscription key = {.name = &n};

	return RB_FIND(share_subscription_tree, &g->subs, &key);
}

struct share_subscription *share_subscription_get(struct share_engine *e, struct share_group *g, struct str name)
{
	struct share_subscription *sub = share_subscription_find(g, name);

	if (!sub) {
		sub = mem_zalloc(1, sizeof(*sub));
		sub->g = g;
		sub->name = share_topic_name_get(e, name);
		RB_INSERT(share_subscription_tree, &g->subs, sub);
		LIST_INSERT_HEAD(&sub->name->subscriptions, sub, in_name);
	}
	sub->members++;
	return sub;
}

void share_subscription_put(struct share_engine *e, struct share_subscription *sub)
{
	struct share_partition *sp;
	struct share_topic *t = sub->name->topic;

	if (--sub->members)
		return;
	for (int32_t i = 0; t && sub->unresolved && i < t->partitions; i++) {
		sp = share_partition_find(sub->g, t->id, i);
		if (sp)
			share_resolve_settled(sp);
	}
	RB_REMOVE(share_subscription_tree, &sub->g->subs, sub);
	LIST_REMOVE(sub, in_name);
	share_topic_name_put(e, sub->name);
	mem_free(sub);
}

/* ---- the end of a group in memory ---- */

/* Takes everything but the configs away without a trace in the log. */
static void group_clear(struct share_engine *e, struct share_group *g)
{
	struct share_session *s;
	struct share_member *m;
	struct share_partition *sp, *next;

	while ((m = RB_MIN(share_member_tree, &g->members))) {
		if (m->waiting)
			share_heartbeat_refuse(
				e, m, SHARE_ERR_NOT_COORDINATOR, "The group is owned by another coordinator now.");
		share_member_free(e, m);
	}
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	share_partition_clear(e, sp); /* locks go with the group: their release is nothing to write */
	while ((s = RB_MIN(share_session_tree, &g->sessions))) {
		if (s->waiting)
			share_fetch_lost(e, s);
		share_session_close(e, s, false);
	}
	RB_FOREACH_SAFE(sp, share_partition_tree, &g->sps, next)
	{
		sp->stored = false;
		sp->phase = SHARE_PARTITION_UNKNOWN;
		share_partition_put(e, sp);
	}
	if (g->exists)
		e->counts.groups--;
	g->exists = false;
	sl_assert(RB_EMPTY(&g->sps) && RB_EMPTY(&g->owners) && RB_EMPTY(&g->subs));
}

/* The log has the group, and somebody else may own it now. */
void share_group_drop(struct share_engine *e, struct share_group *g)
{
	group_clear(e, g);
	group_free(e, g);
}

void share_group_delete(struct share_engine *e, struct share_group *g)
{
	share_group_change(e, g, SHARE_CHANGE_GROUP_DELETED);
	group_clear(e, g);
	share_group_put(e, g);
}

struct share_group *share_group_first(struct share_engine *e, int32_t state_partition)
{
	struct share_group *g = RB_ROOT(&e->by_state_partition), *first = NULL;

	while (g) {
		if (g->state_partition >= state_partition) {
			first = g;
			g = RB_LEFT(g, by_state_partition);
		} else {
			g = RB_RIGHT(g, by_state_partition);
		}
	}
	return first;
}

void share_group_state_lost(struct share_engine *e, int32_t state_partition)
{
	struct share_group *g, *next;

	for (g = share_group_first(e, state_partition); g && g->state_partition == state_partition; g = next) {
		next = RB_NEXT(share_state_partition_tree, NULL, g);
		share_group_drop(e, g);
	}
}
