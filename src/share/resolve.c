/* SPDX-License-Identifier: Apache-2.0 */
/* Share-partitions get their start offset here: subscribed ones that have none are resolved by the group's reset
 * strategy. */
#include "engine.h"

static void resolve_ask(struct share_engine *e, struct share_partition *sp)
{
	struct share_effect *fx = share_emit(e, SHARE_FX_RESOLVE_OFFSET);
	const struct share_group_config *cfg = &sp->g->cfg;

	fx->state_partition = sp->g->state_partition;
	fx->u.resolve.group_id = share_fx_copy(e, sp->g->id);
	fx->u.resolve.topic_id = sp->topic->id;
	fx->u.resolve.partition = sp->partition;
	switch (cfg->auto_offset_reset) {
	case SHARE_RESET_EARLIEST:
		fx->u.resolve.strategy = SHARE_OFFSET_EARLIEST;
		break;
	case SHARE_RESET_BY_DURATION:
		fx->u.resolve.strategy = SHARE_OFFSET_TIMESTAMP;
		fx->u.resolve.timestamp =
			e->wall > cfg->auto_offset_reset_duration_ms ? e->wall - cfg->auto_offset_reset_duration_ms : 0;
		break;
	case SHARE_RESET_LATEST:
	default:
		fx->u.resolve.strategy = SHARE_OFFSET_LATEST;
		break;
	}
	sp->phase = SHARE_PARTITION_RESOLVING;
	sp->asked = true;
}

static bool group_has_topic(struct share_group *g, const struct share_topic *t)
{
	struct share_partition *sp;

	for (int32_t i = 0; i < t->partitions; i++) {
		sp = share_partition_find(g, t->id, i);
		if (sp && sp->stored && sp->phase == SHARE_PARTITION_READY)
			return true;
	}
	return false;
}

/* Whether a partition of the topic has a start offset and nobody to read it. So it is when the log told of the group
 * before the cluster told of the topic: what was assigned in between, here or by the owner before, was without it. */
static bool group_leaves_out(struct share_group *g, const struct share_topic *t)
{
	uint8_t *has = mem_zalloc((size_t)t->partitions + 1, 1);
	struct share_member *m;
	bool found = false;

	RB_FOREACH(m, share_member_tree, &g->members)
	{
		for (uint32_t i = 0; i < m->target_n; i++) {
			const struct share_topic_partition *tp = &m->target[i];

			if (uuid_eq(tp->topic_id, t->id) && tp->partition >= 0 && tp->partition < t->partitions)
				has[tp->partition] = 1;
		}
	}
	for (int32_t i = 0; i < t->partitions && !found; i++) {
		const struct share_partition *sp = has[i] ? NULL : share_partition_find(g, t->id, i);

		found = sp && sp->phase == SHARE_PARTITION_READY;
	}
	mem_free(has);
	return found;
}

/* Looks at all partitions of a subscribed topic. One that is new in a topic that the group has already starts at 0,
 * whatever the reset strategy: records written to it before it was noticed must not be passed over. */
void share_resolve_subscription(struct share_engine *e, struct share_subscription *sub)
{
	struct share_topic *t = sub->name->topic;
	struct share_group *g = sub->g;
	bool has_topic;

	sub->checked = true;
	if (!t)
		return;
	has_topic = group_has_topic(g, t);
	if (has_topic && group_leaves_out(g, t))
		g->new_partitions = true;
	for (int32_t i = 0; i < t->partitions; i++) {
		struct share_partition *sp = share_partition_get(e, g, t, i);

		if (sp->phase == SHARE_PARTITION_READY)
			continue;
		if (sp->phase == SHARE_PARTITION_UNKNOWN && has_topic && !sp->stored) {
			share_partition_start(e, sp, 0);
			g->new_partitions = true;
			continue;
		}
		if (!sp->counted) {
			sp->counted = true;
			sub->unresolved++;
		}
		if (sp->phase == SHARE_PARTITION_UNKNOWN)
			resolve_ask(e, sp);
	}
}

bool share_resolve_pending(const struct share_member *m)
{
	for (uint32_t i = 0; i < m->subs_n; i++) {
		if (m->subs[i]->unresolved)
			return true;
	}
	return false;
}

void share_resolve_settled(struct share_partition *sp)
{
	struct share_subscription *sub;

	if (!sp->counted)
		return;
	sp->counted = false;
	sub = share_subscription_find(sp->g, sp->topic->name->name);
	if (sub)
		sub->unresolved--;
}

void share_resolve_answer(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = share_group_find(e, ev->u.offset.group_id);
	struct share_partition *sp = g ? share_partition_find(g, ev->u.offset.topic_id, ev->u.offset.partition) : NULL;

	if (!sp || !sp->asked)
		return;
	sp->asked = false;
	if (ev->u.offset.error != SHARE_ERR_NONE || ev->u.offset.offset < 0) {
		share_deadline_set(e, &sp->resolve, SHARE_DL_RESOLVE, e->now + SHARE_RESOLVE_RETRY_MS);
		return;
	}
	share_resolve_settled(sp);
	share_partition_start(e, sp, ev->u.offset.offset);
	g->new_partitions = true;
	share_heartbeat_resume(e, g);
}

void share_resolve_retry(struct share_engine *e, struct share_partition *sp)
{
	struct share_group *g = sp->g;

	if (share_subscription_find(g, sp->topic->name->name)) {
		resolve_ask(e, sp);
		return;
	}
	sp->phase = SHARE_PARTITION_UNKNOWN;
	share_partition_put(e, sp);
	share_group_put(e, g);
}
