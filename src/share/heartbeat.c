/* SPDX-License-Identifier: Apache-2.0 */
/* ShareGroupHeartbeat: joining, staying, leaving. A join waits a little for its partitions so that the first answer has
 * them. */
#include "engine.h"

/* ---- answers ---- */

static void heartbeat_error(
	struct share_engine *e, int32_t state_partition, uint64_t token, int16_t error, struct str message)
{
	struct share_effect *fx = share_emit_reply(e, SHARE_EV_HEARTBEAT, state_partition, token);

	fx->u.heartbeat.error = error;
	fx->u.heartbeat.error_message = message;
	fx->u.heartbeat.member_id = STR_NULL;
}

static void heartbeat_ok(struct share_engine *e, struct share_member *m, uint64_t token, bool with_assignment)
{
	struct share_effect *fx = share_emit_reply(e, SHARE_EV_HEARTBEAT, m->g->state_partition, token);
	struct share_heartbeat_reply *h = &fx->u.heartbeat;

	fx->after_durable = true;
	h->member_id = share_fx_copy(e, m->id);
	h->member_epoch = m->epoch;
	h->heartbeat_interval_ms = m->g->cfg.heartbeat_interval_ms;
	h->has_assignment = with_assignment;
	if (with_assignment) {
		h->assignment = share_member_assignment(m, &e->fx->arena, &h->assignment_n);
		sl_assert(h->assignment);
	}
}

void share_heartbeat_refuse(struct share_engine *e, struct share_member *m, int16_t error, const char *message)
{
	share_member_stop_waiting(e, m);
	heartbeat_error(e, m->g->state_partition, m->token, error, str_of(message));
}

void share_heartbeat_answer(struct share_engine *e, struct share_member *m)
{
	share_member_stop_waiting(e, m);
	(void)share_member_reconcile(m);
	share_member_persist(e, m);
	share_group_persist(e, m->g);
	heartbeat_ok(e, m, m->token, true);
}

void share_heartbeat_resume(struct share_engine *e, struct share_group *g)
{
	struct share_member *m, *next;

	TAILQ_FOREACH_SAFE(m, &g->waiting, wait_link, next)
	{
		if (share_resolve_pending(m))
			continue;
		share_group_assign_if_due(e, g);
		if (g->assignment_epoch < g->group_epoch)
			break;
		share_heartbeat_answer(e, m);
	}
	share_group_persist(e, g);
}

/* ---- checks that need no group ---- */

static const char *heartbeat_malformed(const struct share_event *ev)
{
	struct str id = ev->u.heartbeat.member_id;
	size_t names_bytes = 0;

	if (!id.p || !id.n)
		return "MemberId can't be empty.";
	if (id.n > SHARE_MEMBER_ID_MAX)
		return "MemberId can't be longer than 36 characters.";
	if (!ev->u.heartbeat.group_id.p || !ev->u.heartbeat.group_id.n)
		return "GroupId can't be empty.";
	if (ev->u.heartbeat.rack_id.p && !ev->u.heartbeat.rack_id.n)
		return "RackId can't be empty.";
	if (ev->u.heartbeat.member_epoch == 0 && (!ev->u.heartbeat.topics || !ev->u.heartbeat.topics_n))
		return "SubscribedTopicNames must be set in first request.";
	if (ev->u.heartbeat.member_epoch < -1)
		return "MemberEpoch is invalid.";
	if (ev->u.heartbeat.topics_n > SHARE_SUBSCRIPTIONS_MAX)
		return "SubscribedTopicNames has too many entries.";
	for (uint32_t i = 0; i < ev->u.heartbeat.topics_n; i++)
		names_bytes += ev->u.heartbeat.topics[i].n;
	if (names_bytes > SHARE_SUBSCRIPTION_BYTES_MAX)
		return "SubscribedTopicNames is too long.";
	return NULL;
}

static struct str heartbeat_not_member(struct share_engine *e, const struct share_event *ev)
{
	struct str member = ev->u.heartbeat.member_id, group = ev->u.heartbeat.group_id;

	return arena_printf(&e->fx->arena, "Member %.*s is not a member of group %.*s.", (int)member.n, member.p,
		(int)group.n, group.p);
}

/* ---- leaving ---- */

static void heartbeat_leave(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = share_group_find(e, ev->u.heartbeat.group_id);
	struct share_member *m;
	struct share_effect *fx;

	if (!g || !g->exists) {
		heartbeat_error(e, ev->state_partition, ev->token, SHARE_ERR_GROUP_ID_NOT_FOUND,
			share_group_not_found(e, ev->u.heartbeat.group_id));
		return;
	}
	m = share_member_find(g, ev->u.heartbeat.member_id);
	if (!m) {
		heartbeat_error(
			e, ev->state_partition, ev->token, SHARE_ERR_UNKNOWN_MEMBER_ID, heartbeat_not_member(e, ev));
		return;
	}
	share_member_remove(e, m);
	fx = share_emit_reply(e, SHARE_EV_HEARTBEAT, ev->state_partition, ev->token);
	fx->after_durable = true;
	fx->u.heartbeat.member_id = share_fx_copy(e, ev->u.heartbeat.member_id);
	fx->u.heartbeat.member_epoch = -1;
}

/* ---- joining and staying ---- */

static struct str heartbeat_fenced(struct share_engine *e, const struct share_member *m, int32_t epoch)
{
	if (epoch > m->epoch)
		return arena_printf(&e->fx->arena,
			"The share group member has a greater member epoch (%d) than the one known by the group "
			"coordinator "
			"(%d). The member must abandon all its partitions and rejoin.",
			epoch, m->epoch);
	return arena_printf(&e->fx->arena,
		"The share group member has a smaller member epoch (%d) than the one known by the group coordinator "
		"(%d), "
		"and it does not match the previous member epoch (%d). The member must abandon all its partitions and "
		"rejoin.",
		epoch, m->epoch, m->previous_epoch);
}

/* The group must exist and know the member, or the member may join; 0 or the error. */
static int16_t heartbeat_check(struct share_engine *e, const struct share_group *g, const struct share_member *m,
	const struct share_event *ev, struct str *ret_message)
{
	int32_t epoch = ev->u.heartbeat.member_epoch;

	if ((!g || !g->exists) && epoch != 0) {
		*ret_message = arena_printf(&e->fx->arena, "Share group %.*s not found.",
			(int)ev->u.heartbeat.group_id.n, ev->u.heartbeat.group_id.p);
		return SHARE_ERR_GROUP_ID_NOT_FOUND;
	}
	if (!m && g && g->members_n >= (uint32_t)e->cfg.group_max_size) {
		*ret_message = arena_printf(&e->fx->arena,
			"The share group has reached its maximum capacity of %d members.", e->cfg.group_max_size);
		return SHARE_ERR_GROUP_MAX_SIZE_REACHED;
	}
	if (epoch == 0)
		return SHARE_ERR_NONE;
	if (!m) {
		*ret_message = heartbeat_not_member(e, ev);
		return SHARE_ERR_UNKNOWN_MEMBER_ID;
	}
	if (epoch == m->epoch || epoch == m->previous_epoch)
		return SHARE_ERR_NONE;
	*ret_message = heartbeat_fenced(e, m, epoch);
	return SHARE_ERR_FENCED_MEMBER_EPOCH;
}

static void member_set_string(struct share_member *m, struct str *field, struct str value)
{
	if (!value.p || str_eq(*field, value))
		return;
	share_str_free(field);
	*field = share_str_dup(value);
	m->dirty = true;
}

static void member_update(struct share_engine *e, struct share_member *m, const struct share_event *ev)
{
	member_set_string(m, &m->rack_id, ev->u.heartbeat.rack_id);
	member_set_string(m, &m->client_id, ev->u.heartbeat.client_id);
	member_set_string(m, &m->client_host, ev->u.heartbeat.client_host);
	if (ev->u.heartbeat.topics && share_member_subscribe(e, m, ev->u.heartbeat.topics, ev->u.heartbeat.topics_n)) {
		m->dirty = true;
		share_group_bump(m->g);
	}
	for (uint32_t i = 0; i < m->subs_n; i++) {
		if (!m->subs[i]->checked)
			share_resolve_subscription(e, m->subs[i]);
	}
	share_deadline_set(e, &m->session, SHARE_DL_MEMBER, e->now + m->g->cfg.session_timeout_ms);
}

static struct share_member *member_get(struct share_engine *e, struct share_group *g, const struct share_event *ev)
{
	struct share_member *m = share_member_find(g, ev->u.heartbeat.member_id);

	if (!g->exists)
		share_group_create(e, g);
	if (!m) {
		m = share_member_new(e, g, ev->u.heartbeat.member_id);
		m->dirty = true;
	} else if (m->waiting) {
		share_heartbeat_answer(e, m); /* the client has given up waiting for it */
	}
	return m;
}

static void member_wait(struct share_engine *e, struct share_member *m, uint64_t token)
{
	m->waiting = true;
	m->token = token;
	TAILQ_INSERT_TAIL(&m->g->waiting, m, wait_link);
	share_deadline_set(e, &m->wait, SHARE_DL_HEARTBEAT, e->now + SHARE_HEARTBEAT_WAIT_MS);
	e->counts.waiting_heartbeats++;
}

static void heartbeat_stay(struct share_engine *e, struct share_group *g, const struct share_event *ev)
{
	int32_t epoch = ev->u.heartbeat.member_epoch;
	bool full = epoch == 0 || ev->u.heartbeat.topics, changed;
	struct share_member *m = member_get(e, g, ev);

	member_update(e, m, ev);
	if (full && !e->stopping &&
		(share_resolve_pending(m) || g->new_partitions || g->assignment_epoch < g->group_epoch)) {
		member_wait(e, m, ev->token);
		share_heartbeat_resume(e, g);
		share_member_persist(e, m);
		share_group_persist(e, g);
		return;
	}
	share_group_assign_if_due(e, g);
	full = full || epoch != m->epoch; /* an answer was lost: it may have had the assignment */
	changed = share_member_reconcile(m);
	share_member_persist(e, m);
	share_group_persist(e, g);
	heartbeat_ok(e, m, ev->token, full || changed);
}

void share_heartbeat(struct share_engine *e, const struct share_event *ev)
{
	const char *malformed = heartbeat_malformed(ev);
	struct share_group *g;
	struct str message;
	int16_t error;

	if (malformed) {
		heartbeat_error(e, ev->state_partition, ev->token, SHARE_ERR_INVALID_REQUEST, str_of(malformed));
		return;
	}
	if (ev->u.heartbeat.member_epoch == -1) {
		heartbeat_leave(e, ev);
		return;
	}
	g = share_group_find(e, ev->u.heartbeat.group_id);
	error = heartbeat_check(e, g, g ? share_member_find(g, ev->u.heartbeat.member_id) : NULL, ev, &message);
	if (error) {
		heartbeat_error(e, ev->state_partition, ev->token, error, message);
		return;
	}
	g = share_group_get(e, ev->u.heartbeat.group_id, ev->state_partition);
	if (!g) {
		heartbeat_error(e, ev->state_partition, ev->token, SHARE_ERR_COORDINATOR_NOT_AVAILABLE,
			arena_printf(&e->fx->arena, "The limit of %u groups is reached.", e->cfg.max_groups));
		return;
	}
	heartbeat_stay(e, g, ev);
}
