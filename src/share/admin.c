/* SPDX-License-Identifier: Apache-2.0 */
/* What administrators ask: describe a group, describe, alter and delete its offsets. */
#include "engine.h"

/* ---- describe ---- */

static bool describe_members(struct share_group *g, struct arena *a, struct share_group_state *st)
{
	struct share_member_state *v = arena_zalloc(a, g->members_n, sizeof(*v));
	struct share_member *m;

	if (!v)
		return false;
	RB_FOREACH(m, share_member_tree, &g->members)
	{
		if (!share_member_state_of(m, a, &v[st->members_n++]))
			return false;
	}
	st->members = v;
	return true;
}

/* The names of the topics that members may be assigned: one entry each. */
static void describe_topics(struct share_engine *e, struct share_group *g, struct share_group_state *st)
{
	struct share_partition_state *v;
	struct share_partition *sp;
	const struct share_topic *last = NULL;
	uint32_t n = 0;

	RB_FOREACH(sp, share_partition_tree, &g->sps)
	{
		n += sp->topic != last ? 1 : 0;
		last = sp->topic;
	}
	v = share_fx_alloc(e, n, sizeof(*v));
	n = 0;
	last = NULL;
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	{
		if (sp->topic != last) {
			v[n].topic_id = sp->topic->id;
			v[n].start_offset = -1;
			v[n++].topic_name = share_fx_copy(e, sp->topic->name->name);
		}
		last = sp->topic;
	}
	st->partitions = v;
	st->partitions_n = n;
}

void share_admin_describe(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = ev->u.group.group_id.p ? share_group_find(e, ev->u.group.group_id) : NULL;
	struct share_effect *fx = share_emit_reply(e, SHARE_EV_DESCRIBE, ev->state_partition, ev->token);
	struct share_describe_reply *d = &fx->u.describe;
	bool ok;

	d->state = "";
	d->assignor = "";
	d->group.group_id = share_fx_copy(e, ev->u.group.group_id);
	if (!ev->u.group.group_id.n) {
		d->error = SHARE_ERR_INVALID_GROUP_ID;
		return;
	}
	if (!g || !g->exists) {
		d->error = SHARE_ERR_GROUP_ID_NOT_FOUND;
		d->error_message = share_group_not_found(e, ev->u.group.group_id);
		return;
	}
	fx->after_durable = true;
	d->group.exists = true;
	d->group.group_epoch = g->group_epoch;
	d->group.assignment_epoch = g->assignment_epoch;
	ok = describe_members(g, &e->fx->arena, &d->group);
	sl_assert(ok);
	describe_topics(e, g, &d->group);
	d->state = share_group_state_name(e, g->id);
	d->assignor = "simple";
}

/* ---- offsets ---- */

static struct share_offsets_reply *offsets_reply(
	struct share_engine *e, const struct share_event *ev, int16_t error, struct str message)
{
	struct share_effect *fx = share_emit_reply(e, ev->type, ev->state_partition, ev->token);

	fx->after_durable = error == SHARE_ERR_NONE;
	fx->u.offsets.error = error;
	fx->u.offsets.error_message = message;
	return &fx->u.offsets;
}

void share_admin_offsets(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = ev->u.group.group_id.p ? share_group_find(e, ev->u.group.group_id) : NULL;
	struct share_offsets_reply *reply;
	struct share_offset_reply *v;
	struct share_partition *sp;
	uint32_t n = 0;

	/* A group that does not exist has no offsets: Kafka makes no error of it. */
	if (!g || !g->exists) {
		(void)offsets_reply(e, ev, SHARE_ERR_NONE, STR_NULL);
		return;
	}
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	n += sp->stored ? 1 : 0;
	v = share_fx_alloc(e, n, sizeof(*v));
	n = 0;
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	{
		bool ready = sp->phase == SHARE_PARTITION_READY;

		if (!sp->stored)
			continue;
		v[n++] = (struct share_offset_reply){
			.topic_id = sp->topic->id,
			.topic_name = share_fx_copy(e, sp->topic->name->name),
			.partition = sp->partition,
			.start_offset = ready ? sp->start : -1,
			.delivery_complete_count = ready ? sp->done_n : -1,
		};
	}
	reply = offsets_reply(e, ev, SHARE_ERR_NONE, STR_NULL);
	reply->partitions = v;
	reply->partitions_n = n;
}

/* Whether offsets may be changed: 0 or the error of the whole request. */
static int16_t offsets_check(const struct share_event *ev, const struct share_group *g, struct str *ret_message)
{
	if (!ev->u.offsets.group_id.p || !ev->u.offsets.group_id.n) {
		*ret_message = STR_LIT("The group id is invalid.");
		return SHARE_ERR_INVALID_GROUP_ID;
	}
	if (g && g->members_n) {
		*ret_message = STR_LIT("The group is not empty.");
		return SHARE_ERR_NON_EMPTY_GROUP;
	}
	return SHARE_ERR_NONE;
}

static void alter_one(struct share_engine *e, struct share_group *g, const struct share_event *ev, uint32_t i,
	struct share_offset_reply *r)
{
	const struct share_topic_partition *tp = &ev->u.offsets.partitions[i];
	struct share_topic *t = share_topic_find(e, tp->topic_id);
	struct share_partition *sp;

	r->topic_id = tp->topic_id;
	r->partition = tp->partition;
	r->start_offset = ev->u.offsets.start_offsets[i];
	r->delivery_complete_count = -1;
	if (!t || tp->partition < 0 || tp->partition >= t->partitions) {
		r->error = SHARE_ERR_UNKNOWN_TOPIC_OR_PARTITION;
		return;
	}
	r->topic_name = share_fx_copy(e, t->name->name);
	if (r->start_offset < 0 || r->start_offset == INT64_MAX) {
		r->error = SHARE_ERR_INVALID_REQUEST;
		return;
	}
	sp = share_partition_get(e, g, t, tp->partition);
	share_resolve_settled(sp);
	share_partition_start(e, sp, r->start_offset);
}

void share_admin_alter(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = ev->u.offsets.group_id.p ? share_group_find(e, ev->u.offsets.group_id) : NULL;
	struct str message = STR_NULL;
	int16_t error = offsets_check(ev, g, &message);
	struct share_offsets_reply *reply;
	struct share_offset_reply *v;

	if (error) {
		(void)offsets_reply(e, ev, error, message);
		return;
	}
	/* Nothing to alter makes no group. */
	if (ev->u.offsets.partitions_n == 0) {
		(void)offsets_reply(e, ev, SHARE_ERR_NONE, STR_NULL);
		return;
	}
	g = share_group_get(e, ev->u.offsets.group_id, ev->state_partition);
	if (!g) {
		(void)offsets_reply(
			e, ev, SHARE_ERR_COORDINATOR_NOT_AVAILABLE, STR_LIT("The limit of groups is reached."));
		return;
	}
	if (!g->exists)
		share_group_create(e, g);
	share_group_persist(e, g);
	v = share_fx_alloc(e, ev->u.offsets.partitions_n, sizeof(*v));
	for (uint32_t i = 0; i < ev->u.offsets.partitions_n; i++)
		alter_one(e, g, ev, i, &v[i]);
	reply = offsets_reply(e, ev, SHARE_ERR_NONE, STR_NULL);
	reply->partitions = v;
	reply->partitions_n = ev->u.offsets.partitions_n;
}

/* Deletes what the group has of one topic; false: nothing. */
static bool delete_topic(struct share_engine *e, struct share_group *g, struct uuid topic_id, struct str *ret_name)
{
	struct share_topic t = {.id = topic_id};
	struct share_partition key = {.topic = &t, .partition = 0}, *sp, *next;
	bool found = false;

	for (sp = RB_NFIND(share_partition_tree, &g->sps, &key); sp && uuid_eq(sp->topic->id, topic_id); sp = next) {
		next = RB_NEXT(share_partition_tree, NULL, sp);
		if (!sp->stored)
			continue;
		found = true;
		*ret_name = share_fx_copy(e, sp->topic->name->name);
		share_partition_delete(e, sp);
		share_partition_put(e, sp);
	}
	return found;
}

void share_admin_delete(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = ev->u.offsets.group_id.p ? share_group_find(e, ev->u.offsets.group_id) : NULL;
	struct str message = STR_NULL;
	int16_t error = offsets_check(ev, g, &message);
	struct share_offsets_reply *reply;
	struct share_offset_reply *v;

	if (!error && (!g || !g->exists)) {
		error = SHARE_ERR_GROUP_ID_NOT_FOUND;
		message = share_group_not_found(e, ev->u.offsets.group_id);
	}
	if (error) {
		(void)offsets_reply(e, ev, error, message);
		return;
	}
	v = share_fx_alloc(e, ev->u.offsets.partitions_n, sizeof(*v));
	for (uint32_t i = 0; i < ev->u.offsets.partitions_n; i++) {
		v[i].topic_id = ev->u.offsets.partitions[i].topic_id;
		v[i].partition = ev->u.offsets.partitions[i].partition;
		v[i].start_offset = v[i].delivery_complete_count = -1;
		if (!delete_topic(e, g, v[i].topic_id, &v[i].topic_name))
			v[i].error = SHARE_ERR_UNKNOWN_TOPIC_OR_PARTITION;
	}
	reply = offsets_reply(e, ev, SHARE_ERR_NONE, STR_NULL);
	reply->partitions = v;
	reply->partitions_n = ev->u.offsets.partitions_n;
}

/* ---- groups ---- */

const char *share_group_state_name(const struct share_engine *e, struct str group_id)
{
	const struct share_group *g = share_group_find(e, group_id);

	if (!g || !g->exists)
		return NULL;
	return g->members_n ? "Stable" : "Empty";
}

/* DeleteGroups (KIP-932): only without members; what else its sessions hold ends with it. */
void share_admin_delete_group(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = ev->u.group.group_id.p ? share_group_find(e, ev->u.group.group_id) : NULL;
	struct share_effect *fx;
	int16_t error = SHARE_ERR_NONE;

	if (!g || !g->exists)
		error = SHARE_ERR_GROUP_ID_NOT_FOUND;
	else if (g->members_n)
		error = SHARE_ERR_NON_EMPTY_GROUP;
	else
		share_group_delete(e, g);
	fx = share_emit_reply(e, SHARE_EV_DELETE_GROUP, ev->state_partition, ev->token);
	fx->after_durable = error == SHARE_ERR_NONE;
	fx->u.config.error = error;
	fx->u.config.error_message = STR_NULL;
}
