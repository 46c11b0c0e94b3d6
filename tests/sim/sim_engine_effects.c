/* SPDX-License-Identifier: Apache-2.0 */
/* The effects of a step are executed and judged here. */
#include "sim_engine.h"

#include "base/assert.h"
#include "base/mem.h"

/* ---- requests that wait for their answer ---- */

struct sim_pending *sim_pend(struct sim *s, const struct share_event *ev, int g, int member, int node)
{
	struct sim_pending *p = &s->pending[s->pending_n++];

	sl_assert(s->pending_n < SIM_PENDING);
	*p = (struct sim_pending){
		.token = ev->token, .type = ev->type, .g = g, .member = member, .node = node, .answer_by = s->now};
	if (ev->type == SHARE_EV_FETCH) {
		p->conn_id = ev->u.fetch.conn_id;
		p->min_bytes = ev->u.fetch.min_bytes;
	}
	return p;
}

struct sim_pending *sim_pending_find(struct sim *s, uint64_t token)
{
	for (uint32_t i = 0; i < s->pending_n; i++) {
		if (s->pending[i].token == token)
			return &s->pending[i];
	}
	return NULL;
}

void sim_pending_remove(struct sim *s, struct sim_pending *p)
{
	*p = s->pending[--s->pending_n];
}

/* ---- what is written ---- */

static int group_of(struct str id)
{
	sl_assert(id.n == 2 && id.p[0] == 'g');
	return id.p[1] - '0';
}

static int member_of(struct str id)
{
	sl_assert(id.n == 2 && id.p[0] == 'm');
	return id.p[1] - '0';
}

static void member_read(const struct sim *s, const struct share_member_state *st, struct sim_member *m)
{
	m->present = true;
	m->epoch = st->member_epoch;
	m->previous_epoch = st->previous_epoch;
	m->topics = 0;
	for (uint32_t i = 0; i < st->subscribed_n; i++) {
		for (int t = 0; t < SIM_TOPICS; t++)
			m->topics |= str_eq(st->subscribed[i], sim_topic_name(t)) ? 1u << t : 0;
	}
	m->assigned_n = 0;
	for (uint32_t i = 0; i < st->assigned_n; i++) {
		for (uint32_t j = 0; j < st->assigned[i].partitions_n; j++) {
			sl_assert(m->assigned_n < SIM_TOPICS * SIM_PARTS);
			m->assigned[m->assigned_n++] =
				(struct share_topic_partition){st->assigned[i].topic_id, st->assigned[i].partitions[j]};
		}
	}
	(void)s;
}

static void config_written(struct sim_group *g, const struct share_config_entry *c)
{
	uint32_t i = 0;

	while (i < g->configs_n && !str_eq(str_of(g->configs[i][0]), c->name))
		i++;
	if (!c->value.p) {
		sl_assert(i < g->configs_n);
		memmove(&g->configs[i], &g->configs[i + 1], (g->configs_n - i - 1) * sizeof(g->configs[0]));
		g->configs_n--;
		return;
	}
	sl_assert(c->name.n < 40 && c->value.n < 40 && i < 4);
	memset(g->configs[i], 0, sizeof(g->configs[i]));
	memcpy(g->configs[i][0], c->name.p, c->name.n);
	memcpy(g->configs[i][1], c->value.p, c->value.n);
	if (i == g->configs_n)
		g->configs_n++;
}

static void partition_written(struct sim *s, int gi, const struct share_change *c)
{
	const struct share_partition_state *st = &c->u.partition;
	struct sim_group *g = &s->groups[gi];
	int t = sim_topic_of(s, st->topic_id);
	struct model_part *p;

	if (t < 0) { /* of a topic that is gone: only its end is written */
		sl_assert(c->type == SHARE_CHANGE_PARTITION_DELETED);
		return;
	}
	sl_assert(str_eq(st->topic_name, sim_topic_name(t)) && st->partition >= 0 && st->partition < SIM_PARTS);
	p = &g->parts[t][st->partition];
	if (c->type == SHARE_CHANGE_PARTITION)
		model_part_init(p, st, !p->stored || s->altering);
	else if (c->type == SHARE_CHANGE_RECORDS)
		model_part_written(p, st, &s->logs[t][st->partition], g->read_committed);
	else
		model_part_release(p);
}

static void change_written(struct sim *s, const struct share_effect *fx)
{
	const struct share_change *c = &fx->u.change;
	int gi = group_of(c->group_id);
	struct sim_group *g = &s->groups[gi];
	struct sim_member *m;

	sl_assert(fx->state_partition == gi % 2);
	s->persists++;
	switch (c->type) {
	case SHARE_CHANGE_GROUP:
		sl_assert(
			c->u.group.group_epoch >= g->group_epoch && c->u.group.assignment_epoch >= g->assignment_epoch);
		g->exists = true;
		g->group_epoch = c->u.group.group_epoch;
		g->assignment_epoch = c->u.group.assignment_epoch;
		break;
	case SHARE_CHANGE_GROUP_DELETED:
		sl_assert(c->type != SHARE_CHANGE_GROUP_DELETED); /* groups are not deleted here */
		break;
	case SHARE_CHANGE_MEMBER:
		m = &g->members[member_of(c->u.member.member_id)];
		member_read(s, &c->u.member, m);
		break;
	case SHARE_CHANGE_MEMBER_REMOVED:
		g->members[member_of(c->u.member.member_id)].present = false;
		break;
	case SHARE_CHANGE_CONFIG:
		config_written(g, &c->u.config);
		break;
	case SHARE_CHANGE_PARTITION:
	case SHARE_CHANGE_PARTITION_DELETED:
	case SHARE_CHANGE_RECORDS:
		partition_written(s, gi, c);
		break;
	}
}

/* ---- answers ---- */

static void heartbeat_answered(struct sim *s, struct sim_pending *p, const struct share_heartbeat_reply *r)
{
	struct sim_group *g = &s->groups[p->g];
	struct sim_member *m = &g->members[p->member];

	if (m->waiting == p->token)
		m->waiting = 0;
	sl_assert(r->error == p->error);
	if (r->error || r->member_epoch == -1)
		return;
	sl_assert(m->present && r->member_epoch == m->epoch && r->heartbeat_interval_ms > 0);
	sl_assert(str_eq(r->member_id, sim_member_id(p->member)));
	for (uint32_t i = 0; i < r->assignment_n; i++) {
		int t = sim_topic_of(s, r->assignment[i].topic_id);

		sl_assert(t >= 0 && (m->topics >> t) & 1);
		for (uint32_t j = 0; j < r->assignment[i].partitions_n; j++)
			sl_assert(g->parts[t][r->assignment[i].partitions[j]].stored);
	}
}

/* Every acquired offset must be a record of one of the batches, which ascend. */
static void check_batches(const struct sim *s, const struct sim_group *g, const struct share_fetch_partition_reply *r)
{
	uint32_t b = 0;
	int64_t before = -1;

	for (uint32_t i = 0; i < r->batch_refs_n; i++) {
		const struct world_ref *ref = r->batch_refs[i];

		sl_assert(ref->batch.base > before);
		before = ref->batch.last;
	}
	before = -1;
	for (uint32_t i = 0; i < r->acquired_n; i++) {
		sl_assert(r->acquired[i].first > before && r->acquired[i].last >= r->acquired[i].first);
		before = r->acquired[i].last;
		for (int64_t o = r->acquired[i].first; o <= r->acquired[i].last; o++) {
			const struct world_ref *ref;

			while (b < r->batch_refs_n && ((const struct world_ref *)r->batch_refs[b])->batch.last < o)
				b++;
			sl_assert(b < r->batch_refs_n);
			ref = r->batch_refs[b];
			sl_assert(ref->batch.base <= o && !ref->batch.control && !ref->batch.empty);
			sl_assert(!g->read_committed || !ref->batch.aborted);
		}
	}
	(void)s;
}

static int16_t ack_error_of(const struct share_fetch_partition_reply *r, enum share_event_type type)
{
	return type == SHARE_EV_ACKNOWLEDGE ? r->error : r->ack_error;
}

static void check_acks(struct sim_pending *p, const struct share_fetch_reply *f)
{
	for (uint32_t i = 0; i < p->acks_n; i++) {
		bool found = false;

		for (uint32_t j = 0; j < f->partitions_n && !found; j++) {
			const struct share_fetch_partition_reply *r = &f->partitions[j];

			if (!uuid_eq(r->topic_id, p->acks[i].topic_id) || r->partition != p->acks[i].partition)
				continue;
			found = true;
			sl_assert(ack_error_of(r, p->type) == p->acks[i].error);
		}
		sl_assert(found);
	}
}

/* Nobody is served before somebody who waits longer for the same partition. MinBytes may hold one back. */
static void check_turn(const struct sim *s, const struct sim_pending *p, int t, int32_t partition)
{
	for (uint32_t i = 0; i < s->pending_n; i++) {
		const struct sim_pending *w = &s->pending[i];

		if (w->type != SHARE_EV_FETCH || w->g != p->g || w->token >= p->token || w->min_bytes > 1 ||
			w->no_records)
			continue;
		sl_assert(!s->groups[w->g].sessions[w->node][w->member].in[t][partition]);
	}
}

static void records_answered(struct sim *s, struct sim_pending *p, const struct share_fetch_partition_reply *r)
{
	struct sim_group *g = &s->groups[p->g];
	int t = sim_topic_of(s, r->topic_id);

	if (!r->acquired_n) {
		sl_assert(!r->batch_refs_n);
		return;
	}
	sl_assert(!p->no_records && t >= 0 && !r->error && sim_may_hand_out(s, p->g));
	sl_assert(g->sessions[p->node][p->member].in[t][r->partition]);
	check_batches(s, g, r);
	check_turn(s, p, t, r->partition);
	model_part_check_suspects(&g->parts[t][r->partition], &g->limits, &s->logs[t][r->partition], g->read_committed,
		r->acquired, r->acquired_n);
	for (uint32_t i = 0; i < r->acquired_n; i++) {
		model_part_acquire(&g->parts[t][r->partition], &g->limits, &r->acquired[i], p->member, p->node, s->now);
		s->acquired += (uint64_t)(r->acquired[i].last - r->acquired[i].first + 1);
	}
}

static void fetch_answered(struct sim *s, struct sim_pending *p, const struct share_effect *fx)
{
	const struct share_fetch_reply *f = &fx->u.fetch;
	struct sim_session *ss = &s->groups[p->g].sessions[p->node][p->member];

	if (ss->waiting == p->token)
		ss->waiting = 0;
	sl_assert(f->error == p->error);
	if (f->error)
		return;
	if (p->lost) {
		for (uint32_t i = 0; i < f->partitions_n; i++)
			sl_assert(f->partitions[i].error == 6 && !f->partitions[i].acquired_n);
		return;
	}
	sl_assert(f->acquisition_lock_timeout_ms == s->groups[p->g].limits.lock_ms);
	sl_assert(!p->acks_n || fx->after_durable);
	check_acks(p, f);
	for (uint32_t i = 0; i < f->partitions_n; i++) {
		for (uint32_t j = 0; j < i; j++)
			sl_assert(!uuid_eq(f->partitions[i].topic_id, f->partitions[j].topic_id) ||
				  f->partitions[i].partition != f->partitions[j].partition);
		records_answered(s, p, &f->partitions[i]);
	}
}

static void offsets_answered(struct sim *s, struct sim_pending *p, const struct share_offsets_reply *r)
{
	const struct sim_group *g = &s->groups[p->g];

	sl_assert(r->error == p->error);
	if (p->type != SHARE_EV_DESCRIBE_OFFSETS)
		return;
	for (uint32_t i = 0; i < r->partitions_n; i++) {
		int t = sim_topic_of(s, r->partitions[i].topic_id);
		const struct model_part *mp;

		sl_assert(t >= 0);
		mp = &g->parts[t][r->partitions[i].partition];
		sl_assert(mp->stored && r->partitions[i].start_offset == mp->start);
		sl_assert(r->partitions[i].delivery_complete_count == model_part_done(mp));
	}
}

static void answered(struct sim *s, const struct share_effect *fx)
{
	struct sim_pending *p = sim_pending_find(s, fx->token);

	sl_assert(p && p->type == fx->reply_type); /* once, and with its own type */
	sl_assert(fx->state_partition == p->g % 2);
	s->answered++;
	if (s->tells)
		sim_tell_answer(s, p, fx);
	switch (p->type) {
	case SHARE_EV_HEARTBEAT:
		heartbeat_answered(s, p, &fx->u.heartbeat);
		break;
	case SHARE_EV_FETCH:
	case SHARE_EV_ACKNOWLEDGE:
		fetch_answered(s, p, fx);
		break;
	case SHARE_EV_DESCRIBE:
		sl_assert(fx->u.describe.error == p->error);
		break;
	case SHARE_EV_ALTER_CONFIG:
		sl_assert(fx->u.config.error == p->error);
		break;
	default:
		offsets_answered(s, p, &fx->u.offsets);
		break;
	}
	sim_pending_remove(s, p);
}

/* ---- all of it ---- */

static void wanted(struct sim *s, const struct share_effect *fx)
{
	uint32_t same_log = 0;

	for (uint32_t i = 0; i < s->wants_n; i++) {
		const struct share_log_key *k = &s->wants[i].log;

		if (!uuid_eq(k->topic_id, fx->u.want.log.topic_id) || k->partition != fx->u.want.log.partition ||
			k->read_committed != fx->u.want.log.read_committed)
			continue;
		sl_assert(s->wants[i].offset != fx->u.want.offset);
		same_log++;
	}
	sl_assert(same_log < 4 && s->wants_n < SIM_WANTS && fx->u.want.offset >= 0);
	s->wants[s->wants_n++] = (struct sim_want){fx->u.want.log, fx->u.want.offset};
}

void sim_effects(struct sim *s)
{
	for (uint32_t i = 0; i < s->fx.n; i++) {
		const struct share_effect *fx = &s->fx.v[i];

		switch (fx->type) {
		case SHARE_FX_PERSIST:
			change_written(s, fx);
			break;
		case SHARE_FX_REPLY:
			answered(s, fx);
			break;
		case SHARE_FX_WANT_RECORDS:
			wanted(s, fx);
			break;
		case SHARE_FX_RESOLVE_OFFSET:
			sl_assert(s->resolves_n < SIM_WANTS);
			s->resolves[s->resolves_n++] = (struct sim_resolve){
				group_of(fx->u.resolve.group_id), fx->u.resolve.topic_id, fx->u.resolve.partition};
			break;
		case SHARE_FX_RELEASE:
			s->live_refs--;
			mem_free(fx->u.batch_ref);
			break;
		case SHARE_FX_STALLED:
			break;
		}
	}
}

/* ---- a group's durable state against a snapshot ---- */

static void check_members(struct sim *s, const struct sim_group *g, const struct share_group_state *st)
{
	uint32_t n = 0;

	for (int i = 0; i < SIM_MEMBERS; i++)
		n += g->members[i].present ? 1 : 0;
	sl_assert(n == st->members_n);
	for (uint32_t i = 0; i < st->members_n; i++) {
		const struct sim_member *m = &g->members[member_of(st->members[i].member_id)];
		struct sim_member other = {0};

		member_read(s, &st->members[i], &other);
		sl_assert(m->present && m->epoch == other.epoch && m->previous_epoch == other.previous_epoch);
		sl_assert(m->topics == other.topics && m->assigned_n == other.assigned_n);
		for (uint32_t j = 0; j < m->assigned_n; j++)
			sl_assert(uuid_eq(m->assigned[j].topic_id, other.assigned[j].topic_id) &&
				  m->assigned[j].partition == other.assigned[j].partition);
	}
}

void sim_check_group(struct sim *s, int gi)
{
	const struct sim_group *g = &s->groups[gi];
	struct share_group_state st;
	struct arena a;
	uint32_t n = 0;
	enum err err;

	arena_init(&a, 16 << 20);
	err = share_snapshot(s->e, sim_group_id(gi), &a, &st);
	sl_assert(err == (g->exists || g->configs_n ? ERR_OK : ERR_NOT_FOUND));
	if (err == ERR_OK) {
		sl_assert(st.exists == g->exists && st.configs_n == g->configs_n);
		sl_assert(st.group_epoch == g->group_epoch && st.assignment_epoch == g->assignment_epoch);
		check_members(s, g, &st);
		for (uint32_t i = 0; i < st.partitions_n; i++) {
			int t = sim_topic_of(s, st.partitions[i].topic_id);

			sl_assert(t >= 0);
			sl_assert(g->parts[t][st.partitions[i].partition].stored);
			model_part_check_snapshot(&g->parts[t][st.partitions[i].partition], &st.partitions[i]);
		}
		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++)
			n += g->parts[i / SIM_PARTS][i % SIM_PARTS].stored ? 1 : 0;
		sl_assert(n == st.partitions_n);
	}
	arena_release(&a);
}
