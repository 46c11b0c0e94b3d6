/* SPDX-License-Identifier: Apache-2.0 */
/* The players: clients, the cluster, time, crashes. Each makes one event and says beforehand what must come of it. */
#include "sim_engine.h"

#include "base/assert.h"
#include "base/mem.h"

static const int32_t lock_durations[MODEL_DURATIONS] = {1000, 1500, 3000, 5000};

struct str sim_group_id(int g)
{
	static const char *const ids[] = {"g0", "g1", "g2", "g3"};

	return str_of(ids[g]);
}

struct str sim_member_id(int m)
{
	static const char *const ids[] = {"m0", "m1", "m2", "m3", "m4", "m5"};

	return str_of(ids[m]);
}

struct str sim_topic_name(int t)
{
	static const char *const names[] = {"orders", "payments", "events"};

	return str_of(names[t]);
}

int sim_topic_of(const struct sim *s, struct uuid id)
{
	for (int t = 0; t < SIM_TOPICS; t++) {
		if (uuid_eq(s->topics[t], id))
			return t;
	}
	return -1;
}

void sim_apply(struct sim *s, struct share_event *ev)
{
	s->events++;
	share_effects_clear(&s->fx);
	share_apply(s->e, ev, (struct share_now){s->now, 1700000000000 + s->now}, &s->fx);
	sim_effects(s);
}

/* Time goes on; what it brings is seen before anything else happens. */
static void play_time(struct sim *s, int64_t ms)
{
	struct share_event ev = {.type = SHARE_EV_TICK};

	s->now += ms;
	for (int g = 0; g < SIM_GROUPS; g++) {
		struct sim_group *grp = &s->groups[g];

		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++)
			model_part_expire(&grp->parts[i / SIM_PARTS][i % SIM_PARTS], &grp->limits, s->now);
		for (int m = 0; m < SIM_MEMBERS; m++) {
			struct sim_pending *p =
				grp->members[m].waiting ? sim_pending_find(s, grp->members[m].waiting) : NULL;

			if (p && grp->members[m].expires <= s->now && p->answer_by > grp->members[m].expires)
				p->error = 25;
		}
	}
	sim_apply(s, &ev);
	for (uint32_t i = 0; i < s->pending_n; i++)
		sl_assert(s->pending[i].answer_by > s->now); /* nothing waits longer than it asked for */
}

/* ---- cluster ---- */

static void announce(struct sim *s, int t)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC};

	ev.u.topic.topic_id = s->topics[t];
	ev.u.topic.name = sim_topic_name(t);
	ev.u.topic.partitions = s->partitions[t];
	sim_apply(s, &ev);
}

static bool session_has(const struct sim_group *g, int t, int p)
{
	for (int n = 0; n < SIM_NODES; n++) {
		for (int m = 0; m < SIM_MEMBERS; m++) {
			if (g->sessions[n][m].open && g->sessions[n][m].in[t][p])
				return true;
		}
	}
	return false;
}

/* What every share-partition that reads this log learns from an answer. */
static void log_learnt(struct sim *s, const struct share_event *ev, int t)
{
	int p = ev->u.records.log.partition;

	for (int g = 0; g < SIM_GROUPS; g++) {
		struct sim_group *grp = &s->groups[g];
		struct model_part *mp = &grp->parts[t][p];

		if (!mp->stored || grp->read_committed != ev->u.records.log.read_committed || !session_has(grp, t, p))
			continue;
		if (ev->u.records.error == 0 ||
			(ev->u.records.error == 1 && ev->u.records.log_start_offset > ev->u.records.from_offset))
			model_part_log_start(mp, ev->u.records.log_start_offset);
		else if (ev->u.records.error == 1 && ev->u.records.high_watermark < ev->u.records.from_offset)
			model_part_truncate(mp, ev->u.records.high_watermark);
	}
}

static void answer_want(struct sim *s, uint32_t i, uint32_t max, int16_t error)
{
	struct share_event ev = {.type = SHARE_EV_RECORDS};
	struct share_batch batches[64];
	struct share_aborted aborted[256];
	int t = sim_topic_of(s, s->wants[i].log.topic_id);

	ev.u.records.log = s->wants[i].log;
	ev.u.records.from_offset = s->wants[i].offset;
	s->wants[i] = s->wants[--s->wants_n];
	if (t < 0) {
		ev.u.records.error = 100;
	} else if (error) {
		ev.u.records.error = error;
		ev.u.records.high_watermark = ev.u.records.log_start_offset = ev.u.records.last_stable_offset = -1;
		s->quiet_from[t][ev.u.records.log.partition] = s->now + 2000;
	} else {
		world_log_answer(
			&s->logs[t][ev.u.records.log.partition], &ev, max, batches, aborted, 256, &s->live_refs);
		log_learnt(s, &ev, t);
		if (!ev.u.records.error && !ev.u.records.batches_n &&
			ev.u.records.last_stable_offset >
				ev.u.records
					.from_offset) /* an answer that did not wait is not asked for again at once */
			s->quiet_from[t][ev.u.records.log.partition] = s->now + 2000;
	}
	sim_apply(s, &ev);
}

static bool want_has_data(const struct sim *s, uint32_t i)
{
	const struct share_log_key *k = &s->wants[i].log;
	int t = sim_topic_of(s, k->topic_id);
	const struct world_log *l;

	if (t < 0)
		return true;
	l = &s->logs[t][k->partition];
	return s->wants[i].offset < l->start || s->wants[i].offset > world_log_end(l) ||
	       s->wants[i].offset < (k->read_committed ? world_log_lso(l) : world_log_end(l));
}

static void play_want(struct sim *s)
{
	static const int16_t errors[] = {3, 6, 100, 56};
	uint32_t i = rng_below(&s->rng, s->wants_n);

	if (!s->wants_n || (!want_has_data(s, i) && !rng_chance(&s->rng, 10)))
		return;
	answer_want(s, i, 1 + rng_below(&s->rng, 20), rng_chance(&s->rng, 3) ? errors[rng_below(&s->rng, 4)] : 0);
}

static void play_resolve(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_OFFSET};
	uint32_t i = rng_below(&s->rng, s->resolves_n);
	struct sim_resolve r;
	int t;

	if (!s->resolves_n)
		return;
	r = s->resolves[i];
	s->resolves[i] = s->resolves[--s->resolves_n];
	t = sim_topic_of(s, r.topic_id);
	ev.u.offset.group_id = sim_group_id(r.g);
	ev.u.offset.topic_id = r.topic_id;
	ev.u.offset.partition = r.partition;
	ev.u.offset.error = t < 0 ? 3 : rng_chance(&s->rng, 10) ? 6 : 0;
	if (t >= 0)
		ev.u.offset.offset = rng_chance(&s->rng, 50) ? s->logs[t][r.partition].start
							     : world_log_end(&s->logs[t][r.partition]);
	sim_apply(s, &ev);
}

static void play_produce(struct sim *s)
{
	int t = (int)rng_below(&s->rng, SIM_TOPICS), p = (int)rng_below(&s->rng, SIM_PARTS);
	struct world_log *l = &s->logs[t][p];

	if (world_log_end(l) - l->start < 1500)
		world_log_grow(l, 1 + rng_below(&s->rng, 5));
	else
		l->start += 1 + rng_below(&s->rng, 1000); /* retention */
}

static void play_truncate(struct sim *s)
{
	struct world_log *l = &s->logs[rng_below(&s->rng, SIM_TOPICS)][rng_below(&s->rng, SIM_PARTS)];

	world_log_cut(l, rng_below(&s->rng, 3));
}

static struct uuid topic_id(int t, uint32_t generation)
{
	struct uuid id = {{0}};

	id.b[0] = (uint8_t)(t + 1);
	memcpy(&id.b[4], &generation, sizeof(generation));
	return id;
}

static void play_topic(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC_GONE};
	int t = (int)rng_below(&s->rng, SIM_TOPICS);

	if (rng_chance(&s->rng, 60)) {
		if (s->partitions[t] < SIM_PARTS)
			s->partitions[t]++;
		announce(s, t);
		return;
	}
	ev.u.topic.topic_id = s->topics[t];
	s->topics[t] = topic_id(t, ++s->generation[t]);
	for (int p = 0; p < SIM_PARTS; p++) {
		for (int g = 0; g < SIM_GROUPS; g++) {
			model_part_release(&s->groups[g].parts[t][p]);
			for (int i = 0; i < SIM_NODES * SIM_MEMBERS; i++)
				s->groups[g].sessions[i / SIM_MEMBERS][i % SIM_MEMBERS].in[t][p] = false;
		}
		world_log_release(&s->logs[t][p]);
		world_log_init(&s->logs[t][p], rng_next(&s->rng), s->plain);
		s->quiet_from[t][p] = 0;
	}
	sim_apply(s, &ev);
	s->partitions[t] = 1 + (int32_t)rng_below(&s->rng, SIM_PARTS);
	announce(s, t);
}

/* ---- members ---- */

static int16_t heartbeat_error(const struct sim_group *g, int m, int32_t epoch)
{
	int n = 0;

	for (int i = 0; i < SIM_MEMBERS; i++)
		n += g->members[i].present ? 1 : 0;
	if (!g->exists && epoch != 0)
		return 69;
	if (epoch == -1)
		return g->members[m].present ? 0 : 25;
	if (!g->members[m].present && n >= SIM_MEMBERS - 1)
		return 81;
	if (epoch == 0)
		return 0;
	if (!g->members[m].present)
		return 25;
	return epoch == g->members[m].epoch || epoch == g->members[m].previous_epoch ? 0 : 110;
}

static void play_heartbeat(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT, .token = ++s->last_token};
	int gi = (int)rng_below(&s->rng, SIM_GROUPS), mi = (int)rng_below(&s->rng, SIM_MEMBERS);
	struct sim_group *g = &s->groups[gi];
	struct sim_member *m = &g->members[mi];
	struct str topics[SIM_TOPICS];
	struct sim_pending *p;

	ev.state_partition = gi % 2;
	ev.u.heartbeat.group_id = sim_group_id(gi);
	ev.u.heartbeat.member_id = sim_member_id(mi);
	ev.u.heartbeat.client_id = STR_LIT("client");
	ev.u.heartbeat.member_epoch = m->present && !rng_chance(&s->rng, 10) ? m->epoch : 0;
	if (rng_chance(&s->rng, 5))
		ev.u.heartbeat.member_epoch = (int32_t)rng_below(&s->rng, 4) - 1;
	if (ev.u.heartbeat.member_epoch == 0 || rng_chance(&s->rng, 5)) {
		ev.u.heartbeat.topics = topics;
		topics[ev.u.heartbeat.topics_n++] = sim_topic_name((int)rng_below(&s->rng, SIM_TOPICS));
		if (rng_chance(&s->rng, 60))
			topics[ev.u.heartbeat.topics_n++] = sim_topic_name((int)rng_below(&s->rng, SIM_TOPICS));
	}
	p = sim_pend(s, &ev, gi, mi, 0);
	p->error = heartbeat_error(g, mi, ev.u.heartbeat.member_epoch);
	p->answer_by = s->now + 5000 + 1;
	if (!p->error && m->waiting && ev.u.heartbeat.member_epoch == -1)
		sim_pending_find(s, m->waiting)->error = 25;
	if (!p->error && ev.u.heartbeat.member_epoch != -1) {
		uint64_t older = m->waiting;

		m->waiting = ev.token; /* the older one is answered on the way */
		m->expires = s->now + 6000;
		sim_apply(s, &ev);
		sl_assert(!older || !sim_pending_find(s, older));
		return;
	}
	sim_apply(s, &ev);
	sl_assert(!sim_pending_find(s, ev.token));
}

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
			p->member, p->node, ev->u.fetch.api_version, ev->u.fetch.is_renew_ack, s->now);
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
	p->error = p->acks_n ? 0 : error;
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

static void play_client(struct sim *s)
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

static void close_conn(struct sim *s, uint64_t conn_id)
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

static void play_conn_closed(struct sim *s)
{
	if (s->last_conn)
		close_conn(s, s->last_conn - rng_below(&s->rng, s->last_conn < 30 ? (uint32_t)s->last_conn : 30));
}

/* ---- administration ---- */

static void play_config(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_ALTER_CONFIG, .token = ++s->last_token};
	struct share_config_entry c = {STR_NULL, STR_NULL};
	int gi = (int)rng_below(&s->rng, SIM_GROUPS);
	struct sim_group *g = &s->groups[gi];
	uint8_t d = (uint8_t)rng_below(&s->rng, MODEL_DURATIONS);

	ev.state_partition = gi % 2;
	ev.u.config.group_id = sim_group_id(gi);
	ev.u.config.entries = &c;
	ev.u.config.entries_n = 1;
	(void)sim_pend(s, &ev, gi, 0, 0);
	switch (rng_below(&s->rng, 4)) {
	case 0:
		c = (struct share_config_entry){STR_LIT("share.record.lock.duration.ms"), STR_NULL};
		c.value = d == 0   ? STR_LIT("1000")
			  : d == 1 ? STR_LIT("1500")
			  : d == 2 ? STR_LIT("3000")
				   : STR_LIT("5000");
		g->limits.duration = d;
		g->limits.lock_ms = lock_durations[d];
		break;
	case 1:
		c = (struct share_config_entry){STR_LIT("share.delivery.count.limit"), STR_LIT("3")};
		g->limits.delivery_count_limit = 3;
		if (d & 1) {
			c.value = STR_NULL;
			g->limits.delivery_count_limit = s->cfg.group.delivery_count_limit;
		}
		break;
	case 2:
		c = (struct share_config_entry){STR_LIT("share.isolation.level"),
			d & 1 ? STR_LIT("read_committed") : STR_LIT("read_uncommitted")};
		g->read_committed = d & 1;
		break;
	default:
		c = (struct share_config_entry){STR_LIT("share.partition.max.record.locks"), STR_LIT("100")};
		g->limits.max_record_locks = 100;
		break;
	}
	sim_apply(s, &ev);
}

static void play_offsets(struct sim *s)
{
	struct share_event ev = {.token = ++s->last_token};
	int gi = (int)rng_below(&s->rng, SIM_GROUPS), t = (int)rng_below(&s->rng, SIM_TOPICS);
	struct sim_group *g = &s->groups[gi];
	struct share_topic_partition tp = {s->topics[t], (int32_t)rng_below(&s->rng, (uint32_t)s->partitions[t])};
	int64_t start = world_log_end(&s->logs[t][tp.partition]);
	bool empty = true;

	for (int m = 0; m < SIM_MEMBERS; m++)
		empty = empty && !g->members[m].present;
	ev.type = rng_chance(&s->rng, 50)   ? SHARE_EV_ALTER_OFFSETS
		  : rng_chance(&s->rng, 20) ? SHARE_EV_DELETE_OFFSETS
					    : SHARE_EV_DESCRIBE_OFFSETS;
	ev.state_partition = gi % 2;
	if (ev.type == SHARE_EV_DESCRIBE_OFFSETS) {
		ev.u.group.group_id = sim_group_id(gi);
		sim_pend(s, &ev, gi, 0, 0)->error = g->exists ? 0 : 69;
		sim_apply(s, &ev);
		return;
	}
	ev.u.offsets.group_id = sim_group_id(gi);
	ev.u.offsets.partitions = &tp;
	ev.u.offsets.start_offsets = &start;
	ev.u.offsets.partitions_n = 1;
	start -= start > 0 ? rng_below(&s->rng, 20) : 0;
	start = start < 0 ? 0 : start;
	sim_pend(s, &ev, gi, 0, 0)->error = !empty ? 68 : ev.type == SHARE_EV_DELETE_OFFSETS && !g->exists ? 69 : 0;
	s->altering = true;
	sim_apply(s, &ev);
	s->altering = false;
}

/* ---- crashes ---- */

/* The state of these groups as a new owner finds it. */
static void groups_restarted(struct sim *s, int state_partition)
{
	for (int g = 0; g < SIM_GROUPS; g++) {
		if (state_partition >= 0 && g % 2 != state_partition)
			continue;
		memset(s->groups[g].sessions, 0, sizeof(s->groups[g].sessions));
		for (int m = 0; m < SIM_MEMBERS; m++) {
			s->groups[g].members[m].waiting = 0;
			s->groups[g].members[m].expires = s->now + 6000;
		}
		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
			if (s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS].stored)
				model_part_restart(&s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS]);
		}
	}
}

static void restore(struct share_engine *e, int g, const struct share_group_state *st, int64_t now)
{
	enum err err = share_restore(e, g % 2, st, (struct share_now){now, 0});

	sl_assert(err == ERR_OK);
}

static void drop_ref(void *arg, void *ref)
{
	struct sim *s = arg;

	s->live_refs--;
	mem_free(ref);
}

static void play_crash(struct sim *s)
{
	struct share_group_state st[SIM_GROUPS];
	bool has[SIM_GROUPS];
	struct share_engine *old = s->e;
	struct arena a;

	sim_check(s);
	arena_init(&a, 64 << 20);
	for (int g = 0; g < SIM_GROUPS; g++)
		has[g] = share_snapshot(old, sim_group_id(g), &a, &st[g]) == ERR_OK;
	s->e = share_engine_new(&s->cfg);
	share_engine_free(old, drop_ref, s);
	sl_assert(s->live_refs == 0);
	s->pending_n = s->wants_n = s->resolves_n = 0;
	for (int g = 0; g < SIM_GROUPS; g++) {
		if (has[g])
			restore(s->e, g, &st[g], s->now);
	}
	arena_release(&a);
	for (int t = 0; t < SIM_TOPICS; t++)
		announce(s, t);
	groups_restarted(s, -1);
	s->restarts++;
}

static void play_state_lost(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_STATE_LOST};
	struct share_group_state st[SIM_GROUPS];
	bool has[SIM_GROUPS];
	struct arena a;
	int sp = (int)rng_below(&s->rng, 2);

	arena_init(&a, 64 << 20);
	for (int g = 0; g < SIM_GROUPS; g++)
		has[g] = g % 2 == sp && share_snapshot(s->e, sim_group_id(g), &a, &st[g]) == ERR_OK;
	for (uint32_t i = 0; i < s->pending_n; i++) {
		struct sim_pending *p = &s->pending[i];

		if (p->g % 2 != sp)
			continue;
		p->no_records = true;
		p->lost = true;
		p->error = p->type == SHARE_EV_HEARTBEAT ? 16 : 0;
	}
	ev.u.state_partition = sp;
	sim_apply(s, &ev);
	for (uint32_t i = 0; i < s->pending_n; i++)
		sl_assert(s->pending[i].g % 2 != sp);
	for (int g = 0; g < SIM_GROUPS; g++) {
		if (has[g])
			restore(s->e, g, &st[g], s->now);
	}
	arena_release(&a);
	groups_restarted(s, sp);
}

/* ---- checks ---- */

void sim_check(struct sim *s)
{
	share_check(s->e);
	for (int g = 0; g < SIM_GROUPS; g++) {
		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++)
			model_part_check(&s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS]);
		sim_check_group(s, g);
	}
}

/* The cluster answers everything that it can; then no fetch may wait for a record that is there. */
static void play_quiet(struct sim *s)
{
	for (uint32_t i = 0, n = 0; i < s->wants_n && n < 2000; n++) {
		if (want_has_data(s, i)) {
			answer_want(s, i, 20, 0);
			i = 0;
		} else {
			i++;
		}
	}
	for (uint32_t i = 0; i < s->pending_n; i++) {
		const struct sim_pending *p = &s->pending[i];
		const struct sim_group *g = &s->groups[p->g];

		if (p->type != SHARE_EV_FETCH || p->min_bytes > 1)
			continue;
		for (int k = 0; k < SIM_TOPICS * SIM_PARTS; k++) {
			int t = k / SIM_PARTS, part = k % SIM_PARTS;

			if (g->sessions[p->node][p->member].in[t][part] && s->quiet_from[t][part] <= s->now)
				sl_assert(!model_part_has_available(
					&g->parts[t][part], &g->limits, &s->logs[t][part], g->read_committed));
		}
	}
}

/* ---- the run ---- */

void sim_start(struct sim *s, uint64_t seed)
{
	*s = (struct sim){.rng = {seed}, .seed = seed, .now = 1000};
	s->plain = rng_chance(&s->rng, 30);
	share_group_config_bounds_default(&s->cfg.group);
	s->cfg.group.session_timeout_ms = s->cfg.group.min_session_timeout_ms = 6000;
	s->cfg.group.min_record_lock_duration_ms = 1000;
	s->cfg.group.record_lock_duration_ms = 1000;
	s->cfg.group.partition_max_record_locks = 20;
	s->cfg.group.assignment_interval_ms = rng_chance(&s->rng, 50) ? 1000 : 0;
	s->cfg.group_max_size = SIM_MEMBERS - 1;
	s->cfg.max_share_sessions = 1000;
	s->cfg.read_ahead_max_bytes = rng_chance(&s->rng, 50) ? 2000 : 4 << 20;
	s->cfg.fetch_max_bytes = rng_chance(&s->rng, 50) ? 1000 : 100000;
	s->cfg.max_groups = 100;
	s->e = share_engine_new(&s->cfg);
	share_effects_init(&s->fx);
	for (int g = 0; g < SIM_GROUPS; g++)
		s->groups[g].limits = (struct model_limits){s->cfg.group.delivery_count_limit, 20, 1000, 0, true};
	for (int t = 0; t < SIM_TOPICS; t++) {
		s->topics[t] = topic_id(t, 0);
		s->partitions[t] = 1 + (int32_t)rng_below(&s->rng, SIM_PARTS);
		for (int p = 0; p < SIM_PARTS; p++)
			world_log_init(&s->logs[t][p], rng_next(&s->rng), s->plain);
		announce(s, t);
	}
}

void sim_step(struct sim *s)
{
	uint32_t r = rng_below(&s->rng, 10000);

	s->step++;
	if (r < 1500)
		play_time(s, rng_chance(&s->rng, 2) ? 1000 + rng_below(&s->rng, 6000) : 1 + rng_below(&s->rng, 20));
	else if (r < 3500)
		play_want(s);
	else if (r < 4500)
		play_produce(s);
	else if (r < 5000)
		play_resolve(s);
	else if (r < 5500)
		play_heartbeat(s);
	else if (r < 9700)
		play_client(s);
	else if (r < 9750)
		play_conn_closed(s);
	else if (r < 9800)
		play_config(s);
	else if (r < 9880)
		play_offsets(s);
	else if (r < 9900)
		play_truncate(s);
	else if (r < 9905)
		play_topic(s);
	else if (r < 9910)
		play_crash(s);
	else if (r < 9915)
		play_state_lost(s);
	else if (r < 9950)
		play_quiet(s);
	else
		sim_check(s);
}

void sim_finish(struct sim *s)
{
	struct share_counts c;

	for (uint64_t i = 1; i <= s->last_conn; i++)
		close_conn(s, i);
	for (uint32_t i = 0; i < 12; i++)
		play_time(s, 1000); /* members and forgotten locks run out */
	while (s->wants_n)
		answer_want(s, 0, 1, 6);
	sim_check(s);
	share_get_counts(s->e, &c);
	sl_assert(c.members == 0 && c.sessions == 0 && c.waiting_fetches == 0 && c.waiting_heartbeats == 0);
	sl_assert(c.held_records == 0 && c.kept_batches == 0 && c.kept_bytes == 0 && s->live_refs == 0 &&
		  s->pending_n == 0);
	share_engine_free(s->e, NULL, NULL);
	share_effects_release(&s->fx);
	for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
		world_log_release(&s->logs[i / SIM_PARTS][i % SIM_PARTS]);
		for (int g = 0; g < SIM_GROUPS; g++)
			model_part_release(&s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS]);
	}
}
