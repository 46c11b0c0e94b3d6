/* SPDX-License-Identifier: Apache-2.0 */
/* The played clients: sessions, fetches, acknowledgements, right ones and wrong ones; each says beforehand what must be
 * answered. */
#include "sim_engine.h"

#include "base/assert.h"

/* ---- acknowledgements ---- */

struct play_acks {
	struct share_partition_acks entries[SIM_ACKS];
	uint32_t n;
	struct share_ack_batch batches[64];
	uint32_t batches_n;
	int8_t types[2048];
	uint32_t types_n;
};

static int8_t some_type(struct sim *s, bool renew)
{
	static const int8_t types[] = {1, 1, 1, 1, 2, 3, 0, 4};

	return types[rng_below(&s->rng, renew ? 8 : 7)];
}

static void spoil(struct sim *s, struct share_ack_batch *b)
{
	switch (rng_below(&s->rng, 6)) {
	case 0:
		b->first -= 1 + rng_below(&s->rng, 20);
		break;
	case 1:
		b->last += 1 + rng_below(&s->rng, 20);
		break;
	case 2:
		b->last = INT64_MAX;
		break;
	case 3:
		b->first = 0;
		break;
	case 4:
		b->types_n = 0;
		break;
	default:
		b->first = INT64_MIN;
		break;
	}
}

/* Batches for what the member holds in a partition, or seems to. */
static void acks_of_part(struct sim *s, struct play_acks *a, const struct model_part *mp, int owner, bool renew)
{
	uint32_t n = 0;

	for (int64_t o = mp->start; o < mp->end && n < 6; o++) {
		struct share_ack_batch *b = &a->batches[a->batches_n];
		int64_t first = o, last;

		if (mp->r[o].state != SHARE_ACQUIRED || mp->r[o].owner != owner || rng_chance(&s->rng, 20))
			continue;
		for (last = o;
			last + 1 < mp->end && mp->r[last + 1].state == SHARE_ACQUIRED && mp->r[last + 1].owner == owner;
			last++) {
			if (rng_chance(&s->rng, 8))
				break;
		}
		*b = (struct share_ack_batch){first, last, &a->types[a->types_n], 1};
		if (rng_chance(&s->rng, 30) && last - first < 200)
			b->types_n = (uint32_t)(last - first + 1);
		if (a->types_n + b->types_n > sizeof(a->types))
			return;
		for (uint32_t i = 0; i < b->types_n; i++)
			a->types[a->types_n++] = some_type(s, renew);
		if (rng_chance(&s->rng, 2))
			spoil(s, b);
		a->batches_n++;
		n++;
		o = last;
	}
}

static void make_acks(struct sim *s, struct play_acks *a, const struct sim_group *g, int owner, bool renew)
{
	for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
		const struct model_part *mp = &g->parts[i / SIM_PARTS][i % SIM_PARTS];
		uint32_t from = a->batches_n, n;

		if (!mp->stored || !mp->end || rng_chance(&s->rng, 30) || a->n + 2 > SIM_ACKS)
			continue;
		acks_of_part(s, a, mp, owner, renew);
		n = a->batches_n - from;
		if (!n && rng_chance(&s->rng, 98))
			continue;
		if (!n) { /* something that it does not hold */
			a->types[a->types_n] = 1;
			a->batches[a->batches_n++] =
				(struct share_ack_batch){mp->start, mp->end, &a->types[a->types_n++], 1};
			n = 1;
		}
		a->entries[a->n++] =
			(struct share_partition_acks){s->topics[i / SIM_PARTS], i % SIM_PARTS, &a->batches[from], n};
		if (n > 1 && rng_chance(&s->rng, 10)) { /* the same partition twice */
			a->entries[a->n - 1].batches_n = 1;
			a->entries[a->n++] = (struct share_partition_acks){
				s->topics[i / SIM_PARTS], i % SIM_PARTS, &a->batches[from + 1], n - 1};
		}
	}
}

/* What the engine must answer to them; applied to the model at once. */
static void expect_acks(struct sim *s, struct sim_pending *p, struct sim_group *g, const struct share_event *ev)
{
	for (uint32_t i = 0; i < ev->u.fetch.partitions_n; i++) {
		const struct share_partition_acks *a = &ev->u.fetch.partitions[i];
		int t = sim_topic_of(s, a->topic_id);
		uint32_t n = a->batches_n;

		if (!n || (i && a->partition == a[-1].partition && uuid_eq(a->topic_id, a[-1].topic_id)))
			continue;
		if (i + 1 < ev->u.fetch.partitions_n && a[1].partition == a->partition &&
			uuid_eq(a[1].topic_id, a->topic_id))
			n += a[1].batches_n; /* they lie next to each other */
		p->acks[p->acks_n].topic_id = a->topic_id;
		p->acks[p->acks_n].partition = a->partition;
		p->acks[p->acks_n++].error = model_part_ack(&g->parts[t][a->partition], &g->limits, a->batches, n,
			p->member, p->node, ev->u.fetch.api_version, ev->u.fetch.is_renew_ack,
			sim_session_has(g, t, a->partition), s->now);
		s->acked += n;
	}
}

/* ---- sessions ---- */

static void session_closed(struct sim *s, struct sim_group *g, int node, int m)
{
	struct sim_session *ss = &g->sessions[node][m];

	for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
		if (ss->in[i / SIM_PARTS][i % SIM_PARTS])
			model_part_release_owner(&g->parts[i / SIM_PARTS][i % SIM_PARTS], &g->limits, m, node);
	}
	(void)s;
	*ss = (struct sim_session){0};
}

/* The fetch that waits in the session is answered now, before what displaces it. */
static void displaced(struct sim *s, struct sim_session *ss, int16_t error)
{
	struct sim_pending *p = ss->waiting ? sim_pending_find(s, ss->waiting) : NULL;

	if (!p)
		return;
	p->no_records = true;
	p->error = error;
	ss->waiting = 0;
}

static struct share_event some_request(struct sim *s, enum share_event_type type, int gi, int node, int m)
{
	struct share_event ev = {.type = type, .token = ++s->last_token, .state_partition = gi % 2};

	ev.u.fetch.group_id = sim_group_id(gi);
	ev.u.fetch.member_id = sim_member_id(m);
	ev.u.fetch.node_id = node;
	ev.u.fetch.api_version = 1 + (int16_t)rng_below(&s->rng, 2);
	ev.u.fetch.max_wait_ms = rng_chance(&s->rng, 20) ? 0 : 1 + (int32_t)rng_below(&s->rng, 300);
	ev.u.fetch.min_bytes = rng_chance(&s->rng, 10) ? (int32_t)rng_below(&s->rng, 2000) : 1;
	ev.u.fetch.max_bytes = rng_chance(&s->rng, 20) ? 1 + (int32_t)rng_below(&s->rng, 300) : 50000;
	ev.u.fetch.max_records = rng_chance(&s->rng, 3) ? 0 : 1 + (int32_t)rng_below(&s->rng, 40);
	ev.u.fetch.batch_size = 1 + (int32_t)rng_below(&s->rng, 20);
	ev.u.fetch.acquire_mode = (int8_t)rng_below(&s->rng, 2);
	return ev;
}

static void fetch_sent(struct sim *s, struct share_event *ev, struct sim_session *ss, uint64_t token)
{
	struct sim_pending *p;

	ss->waiting = token;
	sim_apply(s, ev);
	p = sim_pending_find(s, token);
	sl_assert(!p || (ev->u.fetch.max_wait_ms > 0 && ev->u.fetch.max_records > 0));
}

static void play_open(struct sim *s, int gi, int node, int m)
{
	struct share_event ev = some_request(s, SHARE_EV_FETCH, gi, node, m);
	struct sim_session *ss = &s->groups[gi].sessions[node][m];
	struct share_partition_acks parts[SIM_TOPICS * SIM_PARTS];
	struct sim_pending *p;

	displaced(s, ss, 123);
	*ss = (struct sim_session){.open = true, .next_epoch = 1};
	ss->conn_id = ev.u.fetch.conn_id = rng_chance(&s->rng, 20) && s->last_conn ? s->last_conn : ++s->last_conn;
	ev.u.fetch.partitions = parts;
	for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
		int t = i / SIM_PARTS;

		if (i % SIM_PARTS >= s->partitions[t] || rng_chance(&s->rng, 40))
			continue;
		ss->in[t][i % SIM_PARTS] = true;
		parts[ev.u.fetch.partitions_n++] = (struct share_partition_acks){s->topics[t], i % SIM_PARTS, NULL, 0};
	}
	p = sim_pend(s, &ev, gi, m, node);
	p->answer_by = s->now + ev.u.fetch.max_wait_ms + 1;
	fetch_sent(s, &ev, ss, ev.token);
}

static void change_session(struct sim *s, struct share_event *ev, struct sim_session *ss, struct play_acks *a,
	struct share_topic_partition *forgotten)
{
	int t = (int)rng_below(&s->rng, SIM_TOPICS), p = (int)rng_below(&s->rng, (uint32_t)s->partitions[t]);

	if (rng_chance(&s->rng, 10) && a->n < SIM_ACKS) {
		a->entries[a->n++] = (struct share_partition_acks){s->topics[t], p, NULL, 0};
		ev->u.fetch.partitions_n = a->n;
	}
	for (uint32_t i = 0; i < a->n; i++)
		ss->in[sim_topic_of(s, a->entries[i].topic_id)][a->entries[i].partition] = true;
	if (rng_chance(&s->rng, 5)) {
		*forgotten = (struct share_topic_partition){s->topics[t], p};
		ev->u.fetch.forgotten = forgotten;
		ev->u.fetch.forgotten_n = 1;
	}
}

static void play_continue(struct sim *s, int gi, int node, int m, enum share_event_type type)
{
	struct share_event ev = some_request(s, type, gi, node, m);
	struct sim_group *g = &s->groups[gi];
	struct sim_session *ss = &g->sessions[node][m];
	struct share_topic_partition forgotten;
	struct play_acks a = {.n = 0};
	bool closes = rng_chance(&s->rng, 2), wrong = rng_chance(&s->rng, 2);
	struct sim_pending *p;

	ev.u.fetch.conn_id = rng_chance(&s->rng, 90) ? ss->conn_id : ++s->last_conn;
	ev.u.fetch.session_epoch = closes ? -1 : wrong || !ss->open ? ss->next_epoch + 1 : ss->next_epoch;
	ev.u.fetch.is_renew_ack = ev.u.fetch.api_version == 2 && rng_chance(&s->rng, 10);
	if (ev.u.fetch.is_renew_ack)
		ev.u.fetch.max_wait_ms = ev.u.fetch.min_bytes = ev.u.fetch.max_bytes = ev.u.fetch.max_records = 0;
	p = sim_pend(s, &ev, gi, m, node);
	p->answer_by = s->now + ev.u.fetch.max_wait_ms + 1;
	if (!ss->open || (wrong && !closes)) {
		p->error = ss->open ? 123 : 122;
		sim_apply(s, &ev);
		sl_assert(!sim_pending_find(s, ev.token));
		return;
	}
	if (rng_chance(&s->rng, 60))
		make_acks(s, &a, g, m, ev.u.fetch.is_renew_ack);
	ev.u.fetch.partitions = a.entries;
	ev.u.fetch.partitions_n = a.n;
	displaced(s, ss, 123);
	p = sim_pending_find(s, ev.token);
	if (type == SHARE_EV_FETCH && !closes)
		change_session(s, &ev, ss, &a, &forgotten);
	expect_acks(s, p, g, &ev);
	if (ev.u.fetch.forgotten_n)
		ss->in[sim_topic_of(s, forgotten.topic_id)][forgotten.partition] = false;
	ss->next_epoch++;
	if (closes) {
		p->no_records = true;
		session_closed(s, g, node, m);
	}
	if (type == SHARE_EV_FETCH && !closes) {
		fetch_sent(s, &ev, ss, ev.token);
		return;
	}
	sim_apply(s, &ev);
	sl_assert(!sim_pending_find(s, ev.token));
}

void sim_play_client(struct sim *s)
{
	int gi = (int)rng_below(&s->rng, SIM_GROUPS), node = (int)rng_below(&s->rng, SIM_NODES),
	    m = (int)rng_below(&s->rng, SIM_MEMBERS);
	struct sim_session *ss = &s->groups[gi].sessions[node][m];

	if (ss->waiting && rng_chance(&s->rng, 95))
		return;
	if (!ss->open ? rng_chance(&s->rng, 90) : rng_chance(&s->rng, 1))
		play_open(s, gi, node, m);
	else
		play_continue(s, gi, node, m, rng_chance(&s->rng, 60) ? SHARE_EV_FETCH : SHARE_EV_ACKNOWLEDGE);
}

void sim_close_conn(struct sim *s, uint64_t conn_id)
{
	struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};

	ev.u.conn_id = conn_id;
	for (uint32_t i = 0; i < s->pending_n; i++) {
		struct sim_pending *p = &s->pending[i];
		struct sim_session *ss = &s->groups[p->g].sessions[p->node][p->member];

		if (p->type != SHARE_EV_FETCH || ss->waiting != p->token)
			continue;
		if (ss->conn_id == ev.u.conn_id || p->conn_id == ev.u.conn_id)
			displaced(s, ss, 122);
	}
	for (int g = 0; g < SIM_GROUPS; g++) {
		for (int i = 0; i < SIM_NODES * SIM_MEMBERS; i++) {
			if (s->groups[g].sessions[i / SIM_MEMBERS][i % SIM_MEMBERS].open &&
				s->groups[g].sessions[i / SIM_MEMBERS][i % SIM_MEMBERS].conn_id == ev.u.conn_id)
				session_closed(s, &s->groups[g], i / SIM_MEMBERS, i % SIM_MEMBERS);
		}
	}
	sim_apply(s, &ev);
}

void sim_play_conn_closed(struct sim *s)
{
	const struct sim_pending *p = &s->pending[rng_below(&s->rng, s->pending_n)];

	if (s->pending_n && p->type == SHARE_EV_FETCH && rng_chance(&s->rng, 50))
		sim_close_conn(s, p->conn_id);
	else if (s->last_conn)
		sim_close_conn(s, s->last_conn - rng_below(&s->rng, s->last_conn < 30 ? (uint32_t)s->last_conn : 30));
}
