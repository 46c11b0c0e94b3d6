/* SPDX-License-Identifier: Apache-2.0 */
/* One sluice of the simulation: what stands between engine, state log and the simulated cluster. */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "sim.h"

#define NOT_ANSWERED (-99)
#define WALL(s) (1700000000000 + (s)->now)

static struct share_now now_of(const struct sluice *n)
{
	return (struct share_now){n->s->now, WALL(n->s)};
}

void sluice_late(struct sim *s, struct chunk *c)
{
	if (s->late_n < LATE_MAX)
		s->late[s->late_n++] = chunk_ref(c);
}

static struct request *request_find(struct sluice *n, uint64_t token)
{
	for (uint32_t i = 0; i < n->requests_n; i++) {
		if (n->requests[i].token == token)
			return &n->requests[i];
	}
	return NULL;
}

static void request_remove(struct sluice *n, struct request *rq)
{
	mem_free(rq->acquired);
	*rq = n->requests[--n->requests_n];
}

/* Tells what may be told by now. */
static void requests_tell(struct sluice *n)
{
	uint64_t durable = statelog_durable(n->l);

	for (uint32_t i = 0; i < n->requests_n;) {
		struct request rq = n->requests[i];

		if (!rq.answered || (rq.seq > durable && n->s->broken != BREAK_ANSWER_EARLY) ||
			(rq.acquired_n && client_is_there(n, &rq) && !owner_may_deliver(n))) {
			i++;
			continue;
		}
		n->requests[i] = n->requests[--n->requests_n];
		if (client_is_there(n, &rq)) {
			n->s->told_answers++;
			owner_delivers(n, &rq);
			client_told(n, &rq);
		}
		mem_free(rq.acquired);
	}
}

static void starts_follow(struct sluice *n)
{
	uint64_t durable = statelog_durable(n->l);
	uint32_t i = 0;

	while (i < n->notes_n && n->notes[i].seq <= durable) {
		const struct start_note *x = &n->notes[i++];
		struct told *told = &n->s->told[x->g][x->t][x->p];

		if (x->start > told->start)
			told->start = x->start;
	}
	n->notes_n -= i;
	memmove(n->notes, n->notes + i, n->notes_n * sizeof(*n->notes));
}

static void start_check(struct sluice *n, const struct share_change *c, uint64_t seq)
{
	int g = sim_group_index(c->group_id), t = sim_topic_index(n->s, c->u.partition.topic_id),
	    p = c->u.partition.partition;
	int64_t *start;

	if (t < 0 || (c->type != SHARE_CHANGE_RECORDS && c->type != SHARE_CHANGE_PARTITION) ||
		c->u.partition.start_offset < 0)
		return;
	start = &n->start[g][t][p];
	sim_check(n->s, c->u.partition.start_offset >= *start);
	*start = c->u.partition.start_offset;
	sim_check(n->s, n->notes_n < STARTS_MAX);
	n->notes[n->notes_n++] = (struct start_note){seq, g, t, p, *start};
}

static void persist(struct sluice *n, const struct share_change *c)
{
	uint64_t seq;
	enum err err = statelog_append(n->l, c, &seq);

	if (err == ERR_CLOSED) {
		sim_check(n->s, !n->serving || n->leaving >= RESIGNS);
		n->refused = true;
		return;
	}
	sim_check(n->s, err == ERR_OK);
	start_check(n, c, seq);
}

static void reply_fetch(struct sluice *n, struct request *rq, const struct share_fetch_reply *r)
{
	uint32_t acquired = 0;

	rq->error = r->error;
	for (uint32_t i = 0; i < r->partitions_n; i++)
		acquired += r->partitions[i].acquired_n;
	for (uint32_t k = 0; k < rq->acks_n; k++)
		rq->acks[k].error = r->error ? r->error : NOT_ANSWERED;
	rq->acquired = mem_zalloc(acquired ? acquired : 1, sizeof(*rq->acquired));
	for (uint32_t i = 0; i < r->partitions_n; i++) {
		const struct share_fetch_partition_reply *p = &r->partitions[i];
		int t = sim_topic_index(n->s, p->topic_id);
		int16_t ack_error = rq->type == SHARE_EV_FETCH ? p->ack_error : p->error;

		for (uint32_t k = 0; k < rq->acks_n; k++) {
			if (rq->acks[k].t == t && rq->acks[k].p == p->partition)
				rq->acks[k].error = ack_error;
		}
		for (uint32_t k = 0; k < p->acquired_n; k++)
			rq->acquired[rq->acquired_n++] = (struct ack){
				.t = t, .p = p->partition, .first = p->acquired[k].first, .last = p->acquired[k].last};
	}
	for (uint32_t k = 0; k < rq->acks_n; k++)
		sim_check(n->s, rq->acks[k].error != NOT_ANSWERED || rq->acks[k].t < 0);
}

/* What it depends on never becomes durable. */
static void not_ours(struct request *rq)
{
	rq->error = 16;
	rq->seq = 0;
	rq->acquired_n = 0;
	for (uint32_t k = 0; k < rq->acks_n; k++)
		rq->acks[k].error = 16;
}

static void reply(struct sluice *n, const struct share_effect *fx)
{
	struct request *rq = request_find(n, fx->token);

	sim_check(n->s, rq && !rq->answered && rq->type == fx->reply_type);
	rq->answered = true;
	rq->seq = fx->after_durable ? statelog_awaited(n->l) : 0;
	if (fx->reply_type == SHARE_EV_HEARTBEAT) {
		rq->error = fx->u.heartbeat.error;
		rq->member_epoch = fx->u.heartbeat.member_epoch;
	} else if (fx->reply_type == SHARE_EV_FETCH || fx->reply_type == SHARE_EV_ACKNOWLEDGE) {
		reply_fetch(n, rq, &fx->u.fetch);
		clients_answered(n, rq);
	} else {
		rq->error = fx->u.config.error;
	}
	if (fx->after_durable && n->refused)
		not_ours(rq);
}

static void effect(struct sluice *n, const struct share_effect *fx)
{
	switch (fx->type) {
	case SHARE_FX_PERSIST:
		persist(n, &fx->u.change);
		break;
	case SHARE_FX_REPLY:
		reply(n, fx);
		break;
	case SHARE_FX_WANT_RECORDS:
		sim_check(n->s, n->wants_n < WANTS_MAX);
		n->wants[n->wants_n].log = fx->u.want.log;
		n->wants[n->wants_n++].offset = fx->u.want.offset;
		break;
	case SHARE_FX_RESOLVE_OFFSET:
		sim_check(n->s, n->resolves_n < WANTS_MAX);
		n->resolves[n->resolves_n].g = sim_group_index(fx->u.resolve.group_id);
		n->resolves[n->resolves_n].topic_id = fx->u.resolve.topic_id;
		n->resolves[n->resolves_n++].partition = fx->u.resolve.partition;
		break;
	case SHARE_FX_RELEASE:
		n->live_refs--;
		mem_free(fx->u.batch_ref);
		break;
	case SHARE_FX_STALLED:
		break;
	}
}

static void pump(struct sluice *n);

static void event_apply(struct sluice *n, struct share_event *ev)
{
	n->refused = false;
	share_effects_clear(&n->fx);
	share_apply(n->e, ev, now_of(n), &n->fx);
	for (uint32_t i = 0; i < n->fx.n; i++)
		effect(n, &n->fx.v[i]);
}

/* What it learns of connections that were closed while it was paused. */
static void closed_apply(struct sluice *n)
{
	n->any_closed = false;
	for (int k = 0; k < GROUPS * CLIENTS; k++) {
		struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};

		if (!n->closed[k / CLIENTS][k % CLIENTS])
			continue;
		n->closed[k / CLIENTS][k % CLIENTS] = false;
		ev.u.conn_id = (uint64_t)k + 1;
		event_apply(n, &ev);
	}
}

void sluice_apply(struct sluice *n, struct share_event *ev)
{
	if (n->any_closed)
		closed_apply(n);
	event_apply(n, ev);
	sluice_pump(n);
}

void sluice_pump(struct sluice *n)
{
	starts_follow(n);
	pump(n);
	requests_tell(n);
}

void sluice_announce(struct sluice *n, int t)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC};

	ev.u.topic.topic_id = n->s->topics[t];
	ev.u.topic.name = sim_topic(t);
	ev.u.topic.partitions = PARTS;
	sluice_apply(n, &ev);
}

/* ---- the state log's wishes ---- */

/* Has somebody claimed behind this claim? Then its answer came late, and what it loads is no longer all that was told.
 */
static bool is_stale(const struct sluice *n)
{
	struct statelog_counts counts;

	statelog_get_counts(n->l, &counts);
	return sim_next_claim(n->s, counts.owner_epoch) != INT64_MAX;
}

static void restore_cb(void *arg, const struct share_group_state *st)
{
	struct sluice *n = arg;
	int g = sim_group_index(st->group_id);
	enum err err = share_restore(n->e, 0, st, now_of(n));

	sim_check(n->s, err == ERR_OK);
	if (!n->stale)
		told_check(n, st, g);
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		int t = sim_topic_index(n->s, st->partitions[i].topic_id);

		if (t >= 0)
			n->start[g][t][st->partitions[i].partition] = st->partitions[i].start_offset;
	}
}

static void load(struct sluice *n)
{
	memset(n->start, 0xff, sizeof(n->start));
	memset(n->ring, 0xff, sizeof(n->ring));
	n->notes_n = 0;
	n->begin = -1;
	n->s->loads++;
	n->stale = is_stale(n);
	owner_loaded(n);
	statelog_take_groups(n->l, restore_cb, n);
	for (int g = 0; g < GROUPS; g++) {
		struct share_group_state none = {.group_id = sim_group(g)};
		struct arena a;

		arena_init(&a, 64u << 20);
		if (!n->stale && share_snapshot(n->e, sim_group(g), &a, &none) != ERR_OK)
			told_check(n, &none, g);
		arena_release(&a);
	}
	n->serving = true;
	for (int t = 0; t < TOPICS; t++)
		sluice_announce(n, t);
}

/* What was not told yet will never be; nor are records that were held back. */
static void requests_lose(struct sluice *n)
{
	for (uint32_t i = 0; i < n->requests_n; i++) {
		struct request *rq = &n->requests[i];

		if (rq->answered && rq->seq > statelog_durable(n->l))
			not_ours(rq);
		if (rq->answered)
			rq->acquired_n = 0;
	}
}

/* The ownership has ended. */
static void lost(struct sluice *n)
{
	struct share_event ev = {.type = SHARE_EV_STATE_LOST};

	sim_check(n->s, statelog_get_state(n->l) == STATELOG_LOST);
	n->s->losses++;
	if (n->flight && !n->landed && rng_chance(&n->s->rng, 50))
		sluice_late(n->s, n->flight);
	chunk_unref(n->flight);
	n->flight = NULL;
	if (n->leaving == RESIGNS && strstr(statelog_reason(n->l), "handed over"))
		n->s->handovers++;
	if (n->leaving != STAYS)
		n->leaving = LEAVES;
	n->serving = false;
	n->restart_at = n->s->now + (int64_t)rng_below(&n->s->rng, 2000);
	requests_lose(n);
	sluice_apply(n, &ev);
	for (uint32_t i = 0; i < n->requests_n; i++)
		sim_check(n->s, n->requests[i].answered);
	requests_lose(n);
	requests_tell(n);
}

static void snapshot(struct sluice *n, struct str after)
{
	struct str id = share_next_group(n->e, 0, after);
	struct share_group_state st;
	struct arena a;
	enum err err;

	if (str_is_null(id)) {
		statelog_snapshot_end(n->l);
		return;
	}
	arena_init(&a, 64u << 20);
	err = share_snapshot(n->e, id, &a, &st);
	sim_check(n->s, err == ERR_OK);
	err = statelog_snapshot(n->l, &st);
	sim_check(n->s, err == ERR_OK);
	arena_release(&a);
}

static void pump(struct sluice *n)
{
	for (;;) {
		struct statelog_action act = statelog_next(n->l, WALL(n->s));

		switch (act.type) {
		case STATELOG_NONE:
			return;
		case STATELOG_WRITE:
			n->flight = act.u.batch;
			n->landed = false;
			n->write_sent = n->s->now;
			break;
		case STATELOG_READ:
			sim_check(n->s, !n->read.asked);
			n->read.asked = true;
			n->read.offset = act.u.offset;
			break;
		case STATELOG_TRIM:
			n->trim = act.u.offset;
			break;
		case STATELOG_LOADED:
			load(n);
			break;
		case STATELOG_SNAPSHOT:
			snapshot(n, act.u.after);
			break;
		case STATELOG_LOST_NOW:
			lost(n);
			break;
		}
	}
}

/* ---- the cluster's answers ---- */

static void want_answer(struct sluice *n, uint32_t i)
{
	struct share_event ev = {.type = SHARE_EV_RECORDS};
	struct share_batch batches[64];
	struct share_aborted aborted[256];
	int t = sim_topic_index(n->s, n->wants[i].log.topic_id);

	ev.u.records.log = n->wants[i].log;
	ev.u.records.from_offset = n->wants[i].offset;
	n->wants[i] = n->wants[--n->wants_n];
	if (t < 0)
		ev.u.records.error = 100;
	else
		world_log_answer(&n->s->logs[t][ev.u.records.log.partition], &ev, 1 + rng_below(&n->s->rng, 10),
			batches, aborted, 256, &n->live_refs);
	sluice_apply(n, &ev);
}

static void resolve_answer(struct sluice *n, uint32_t i)
{
	struct share_event ev = {.type = SHARE_EV_OFFSET};
	int t = sim_topic_index(n->s, n->resolves[i].topic_id);

	ev.u.offset.group_id = sim_group(n->resolves[i].g);
	ev.u.offset.topic_id = n->resolves[i].topic_id;
	ev.u.offset.partition = n->resolves[i].partition;
	n->resolves[i] = n->resolves[--n->resolves_n];
	ev.u.offset.error = t < 0 ? 3 : 0;
	if (t >= 0)
		ev.u.offset.offset = n->s->logs[t][ev.u.offset.partition].start;
	sluice_apply(n, &ev);
}

void sluice_step_cluster(struct sluice *n)
{
	if (!n->up || n->leaving != STAYS || sluice_is_paused(n) || !statelog_has_room(n->l))
		return;
	if (n->resolves_n && rng_chance(&n->s->rng, 50))
		resolve_answer(n, rng_below(&n->s->rng, n->resolves_n));
	else if (n->wants_n)
		want_answer(n, rng_below(&n->s->rng, n->wants_n));
}

/* ---- life and death ---- */

void sluice_step_log(struct sluice *n)
{
	if (!n->up)
		return;
	if (sluice_is_paused(n)) {
		partition_step_paused(n);
		return;
	}
	partition_step(n);
	owner_step(n);
}

void sluice_claim(struct sluice *n)
{
	n->s->starts++;
	statelog_start(n->l, n->s->p.log_start, fake_partition_producer_id(&n->s->p), 0, WALL(n->s));
	pump(n);
}

void sluice_follow(struct sluice *n)
{
	n->s->follows++;
	statelog_follow(n->l, n->s->p.log_start);
	pump(n);
}

void sluice_start(struct sluice *n)
{
	struct statelog_config cfg = n->s->log_cfg;
	uint64_t id = ++n->s->processes;

	memcpy(n->id.b, &id, sizeof(id));
	cfg.owner_id = n->id;
	n->up = true;
	n->serving = n->any_closed = false;
	n->leaving = STAYS;
	n->paused_until = 0;
	n->durable = 0;
	n->poll = (struct sim_poll){.asked = false};
	n->read = (struct sim_read){.asked = false};
	memset(n->closed, 0, sizeof(n->closed));
	n->trim = n->begin = -1;
	n->flight = NULL;
	n->requests_n = n->wants_n = n->resolves_n = n->notes_n = 0;
	n->live_refs = 0;
	n->e = share_engine_new(&n->s->cfg);
	n->l = statelog_new(&cfg);
	share_effects_init(&n->fx);
	if (rng_chance(&n->s->rng, 10))
		sluice_claim(n);
	else
		sluice_follow(n);
}

static void drop_ref(void *arg, void *ref)
{
	struct sluice *n = arg;

	n->live_refs--;
	mem_free(ref);
}

void sluice_free(struct sluice *n)
{
	struct statelog_counts counts;

	if (!n->up)
		return;
	share_engine_free(n->e, drop_ref, n);
	sim_check(n->s, n->live_refs == 0);
	statelog_get_counts(n->l, &counts);
	n->s->checkpoints += counts.checkpoints;
	share_effects_release(&n->fx);
	statelog_free(n->l);
	while (n->requests_n)
		request_remove(n, &n->requests[0]);
	chunk_unref(n->flight);
	n->flight = NULL;
	if (n->read.answered)
		buf_release(&n->read.data);
	n->up = n->serving = false;
}

void sluice_crash(struct sluice *n)
{
	struct sim *s = n->s;

	s->crashes++;
	if (n->flight && rng_chance(&s->rng, 50))
		sluice_late(s, n->flight);
	if (n->trim >= 0 && rng_chance(&s->rng, 50))
		s->late_trim = n->trim;
	sluice_free(n);
	n->restart_at = s->now + (int64_t)rng_below(&s->rng, 3000);
	for (int g = 0; g < GROUPS; g++) {
		for (int c = 0; c < CLIENTS; c++) {
			if (s->clients[g][c].at == n->index)
				client_conn_lost(s, g, c);
		}
	}
}
