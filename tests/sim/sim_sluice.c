/* SPDX-License-Identifier: Apache-2.0 */
/* One sluice of the simulation: what stands between engine, state log and the simulated cluster. */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "sim.h"
#include "statelog/format.h"
#include "statelog/replay.h"

#define NOT_ANSWERED (-99)
#define WALL(s) (1700000000000 + (s)->now)

static struct share_now now_of(const struct sluice *n)
{
	return (struct share_now){n->s->now, WALL(n->s)};
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

		if (!rq.answered || (rq.seq > durable && n->s->broken != BREAK_ANSWER_EARLY)) {
			i++;
			continue;
		}
		n->requests[i] = n->requests[--n->requests_n];
		n->s->told_answers++;
		client_told(n, &rq);
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

static void reply(struct sluice *n, const struct share_effect *fx)
{
	struct request *rq = request_find(n, fx->token);

	sim_check(n->s, rq && !rq->answered && rq->type == fx->reply_type);
	rq->answered = true;
	rq->seq = fx->after_durable ? statelog_appended(n->l) : 0;
	if (fx->reply_type == SHARE_EV_HEARTBEAT) {
		rq->error = fx->u.heartbeat.error;
		rq->member_epoch = fx->u.heartbeat.member_epoch;
	} else if (fx->reply_type == SHARE_EV_FETCH || fx->reply_type == SHARE_EV_ACKNOWLEDGE) {
		reply_fetch(n, rq, &fx->u.fetch);
		clients_answered(n, rq);
	} else {
		rq->error = fx->u.config.error;
	}
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

void sluice_apply(struct sluice *n, struct share_event *ev)
{
	share_effects_clear(&n->fx);
	share_apply(n->e, ev, now_of(n), &n->fx);
	for (uint32_t i = 0; i < n->fx.n; i++)
		effect(n, &n->fx.v[i]);
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
	const struct fake_partition *p = &n->s->p;
	struct statelog_counts counts;
	bool stale = false;

	statelog_get_counts(n->l, &counts);
	for (size_t i = p->n; i-- > 0 && p->v[i].base > counts.owner_epoch && !stale;) {
		struct batch_header h;
		struct state_batch b;
		struct arena a;

		arena_init(&a, 2 * STATE_RECORD_MAX);
		stale = batch_header_read(p->v[i].bytes->data, p->v[i].bytes->size, &h) == BATCH_READY &&
			state_batch_read(p->v[i].bytes->data, &h, &a, &b) == STATE_OURS && b.head.kind == STATE_CLAIM;
		arena_release(&a);
	}
	return stale;
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

/* The ownership has ended: what was not told yet will never be. */
static void lost(struct sluice *n)
{
	struct share_event ev = {.type = SHARE_EV_STATE_LOST};

	sim_check(n->s, statelog_get_state(n->l) == STATELOG_LOST);
	n->s->losses++;
	n->serving = false;
	n->restart_at = n->s->now + (int64_t)rng_below(&n->s->rng, 2000);
	for (uint32_t i = 0; i < n->requests_n; i++) {
		struct request *rq = &n->requests[i];

		if (!rq->answered || rq->seq <= statelog_durable(n->l))
			continue;
		rq->error = 16;
		rq->seq = 0;
		for (uint32_t k = 0; k < rq->acks_n; k++)
			rq->acks[k].error = 16;
		rq->acquired_n = 0;
	}
	sluice_apply(n, &ev);
	for (uint32_t i = 0; i < n->requests_n; i++)
		sim_check(n->s, n->requests[i].answered);
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
			break;
		case STATELOG_READ:
			n->reading = true;
			n->read_offset = act.u.offset;
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

/* ---- the state partition's answers ---- */

/* Trims before the end mark is confirmed: the rule that is broken here. */
static void trim_early(struct sluice *n)
{
	struct batch_header h;
	struct state_batch b;
	struct arena a;

	arena_init(&a, 2 * STATE_RECORD_MAX);
	if (batch_header_read(n->flight->data, n->flight->size, &h) == BATCH_READY &&
		state_batch_read(n->flight->data, &h, &a, &b) == STATE_OURS) {
		if (b.head.kind == STATE_ENTRIES && n->begin >= 0)
			fake_partition_trim(&n->s->p, n->begin);
		n->begin = b.head.kind == STATE_BEGIN ? n->base : -1;
	}
	arena_release(&a);
}

static void write_answer(struct sluice *n)
{
	struct statelog_counts counts;
	struct chunk *c = n->flight;

	statelog_get_counts(n->l, &counts);
	n->expected = counts.next_offset;
	if (n->s->broken == BREAK_TRIM_EARLY)
		trim_early(n);
	n->flight = NULL;
	chunk_unref(c);
	statelog_write_done(n->l, n->base);
	starts_follow(n);
	pump(n);
	requests_tell(n);
}

static void late_add(struct sim *s, struct chunk *c)
{
	if (s->late_n < LATE_MAX)
		s->late[s->late_n++] = chunk_ref(c);
}

static void write_step(struct sluice *n)
{
	struct sim *s = n->s;
	uint32_t dice = s->quiet ? 0 : rng_below(&s->rng, 100);

	if (dice < 15 && !s->quiet && rng_chance(&s->rng, 2)) { /* known to have failed; it may still be there */
		struct chunk *c = n->flight;

		if (rng_chance(&s->rng, 50))
			late_add(s, c);
		n->flight = NULL;
		chunk_unref(c);
		statelog_write_failed(n->l, "a failure of the simulation");
		pump(n);
		requests_tell(n);
		return;
	}
	if (dice >= 75)
		return; /* slow */
	n->base = fake_partition_produce(&s->p, n->flight);
	sim_check(s, n->base >= 0);
	n->landed = true;
	if (dice < 60)
		write_answer(n);
}

/* What a writer sees that does not look: others' records of no meaning. */
static void read_nothing(struct sluice *n, struct buf *out)
{
	struct batch_builder b;
	struct chunk *c;

	batch_builder_init(&b, 1u << 20, 1);
	for (int64_t i = n->read_offset; i < n->base; i++)
		sl_assert(batch_builder_add(&b, (struct bytes){NULL, 0}, (struct bytes){NULL, 0}) == ERR_OK);
	c = batch_builder_end(&b, -1, -1, -1);
	batch_builder_release(&b);
	for (int i = 7; i >= 0; i--)
		c->data[i] = (uint8_t)(n->read_offset >> (8 * (7 - i)));
	sl_assert(buf_append(out, c->data, c->size) == ERR_OK);
	chunk_unref(c);
}

static void read_step(struct sluice *n)
{
	struct sim *s = n->s;
	size_t max = 1 + rng_below(&s->rng, 30000), cut;
	struct buf b;

	buf_init(&b, 64u << 20);
	if (s->broken == BREAK_NO_OFFSET_CHECK && statelog_get_state(n->l) == STATELOG_OWNED)
		read_nothing(n, &b);
	else if (!rng_chance(&s->rng, 5))
		fake_partition_read(&s->p, n->read_offset, max, &b);
	cut = rng_chance(&s->rng, 10) && buf_len(&b) > 0 ? rng_below(&s->rng, 40) : 0;
	cut = cut < buf_len(&b) ? cut : 0;
	n->reading = false;
	statelog_read_done(n->l, (struct bytes){buf_head(&b), buf_len(&b) - cut}, s->p.end, s->p.log_start);
	buf_release(&b);
	starts_follow(n);
	pump(n);
	requests_tell(n);
}

static void trim_step(struct sluice *n)
{
	struct sim *s = n->s;
	int64_t offset = n->trim;
	bool is_late = !s->quiet && rng_chance(&s->rng, 20);

	n->trim = -1;
	if (is_late)
		s->late_trim = offset;
	else
		fake_partition_trim(&s->p, offset);
	statelog_trim_done(n->l, !is_late);
	pump(n);
}

void sluice_step_log(struct sluice *n)
{
	if (!n->up)
		return;
	if (n->flight && n->landed && (n->s->quiet || rng_chance(&n->s->rng, 50)))
		write_answer(n);
	else if (n->flight && !n->landed)
		write_step(n);
	else if (n->reading)
		read_step(n);
	else if (n->trim >= 0)
		trim_step(n);
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
	if (!n->up || !statelog_has_room(n->l))
		return;
	if (n->resolves_n && rng_chance(&n->s->rng, 50))
		resolve_answer(n, rng_below(&n->s->rng, n->resolves_n));
	else if (n->wants_n)
		want_answer(n, rng_below(&n->s->rng, n->wants_n));
}

/* ---- life and death ---- */

void sluice_claim(struct sluice *n)
{
	n->s->claims++;
	statelog_start(n->l, n->s->p.log_start, fake_partition_producer_id(&n->s->p), 0, WALL(n->s));
	pump(n);
}

void sluice_start(struct sluice *n)
{
	n->up = true;
	n->serving = n->reading = false;
	n->trim = n->begin = -1;
	n->flight = NULL;
	n->requests_n = n->wants_n = n->resolves_n = n->notes_n = 0;
	n->live_refs = 0;
	n->e = share_engine_new(&n->s->cfg);
	n->l = statelog_new(&n->s->log_cfg);
	share_effects_init(&n->fx);
	sluice_claim(n);
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
	n->up = n->serving = false;
}

void sluice_crash(struct sluice *n)
{
	struct sim *s = n->s;

	s->crashes++;
	if (n->flight && rng_chance(&s->rng, 50))
		late_add(s, n->flight);
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

bool sluice_is_idle(const struct sluice *n)
{
	return !n->up || (!n->flight && !n->reading && n->trim < 0);
}

/* ---- memory and log must agree ---- */

struct exact {
	struct sluice *n;
	uint32_t groups;
};

static bool same_ranges(const struct share_partition_state *a, const struct share_partition_state *b)
{
	if (a->ranges_n != b->ranges_n || a->start_offset != b->start_offset)
		return false;
	for (uint32_t i = 0; i < a->ranges_n; i++) {
		if (a->ranges[i].first != b->ranges[i].first || a->ranges[i].last != b->ranges[i].last ||
			a->ranges[i].state != b->ranges[i].state ||
			a->ranges[i].delivery_count != b->ranges[i].delivery_count)
			return false;
	}
	return true;
}

static bool same_member(const struct share_member_state *a, const struct share_member_state *b)
{
	if (!str_eq(a->member_id, b->member_id) || a->member_epoch != b->member_epoch ||
		a->previous_epoch != b->previous_epoch || !str_eq(a->rack_id, b->rack_id) ||
		a->subscribed_n != b->subscribed_n || a->assigned_n != b->assigned_n)
		return false;
	for (uint32_t i = 0; i < a->assigned_n; i++) {
		const struct share_topic_partitions *x = &a->assigned[i], *y = &b->assigned[i];

		if (!uuid_eq(x->topic_id, y->topic_id) || x->partitions_n != y->partitions_n ||
			memcmp(x->partitions, y->partitions, x->partitions_n * sizeof(*x->partitions)) != 0)
			return false;
	}
	return true;
}

static void exact_cb(void *arg, const struct share_group_state *st)
{
	struct exact *x = arg;
	struct share_group_state mem;
	struct arena a;
	enum err err;

	x->groups++;
	arena_init(&a, 64u << 20);
	err = share_snapshot(x->n->e, st->group_id, &a, &mem);
	sim_check(x->n->s, err == ERR_OK);
	sim_check(x->n->s, mem.exists == st->exists && mem.group_epoch == st->group_epoch);
	sim_check(x->n->s, mem.assignment_epoch == st->assignment_epoch);
	sim_check(x->n->s, mem.configs_n == st->configs_n && mem.members_n == st->members_n);
	sim_check(x->n->s, mem.partitions_n == st->partitions_n);
	for (uint32_t i = 0; i < mem.members_n; i++)
		sim_check(x->n->s, same_member(&mem.members[i], &st->members[i]));
	for (uint32_t i = 0; i < mem.partitions_n; i++) {
		sim_check(x->n->s, uuid_eq(mem.partitions[i].topic_id, st->partitions[i].topic_id));
		sim_check(x->n->s, mem.partitions[i].partition == st->partitions[i].partition);
		sim_check(x->n->s, same_ranges(&mem.partitions[i], &st->partitions[i]));
	}
	arena_release(&a);
}

static void log_replay(struct sim *s, struct state_replay *rp)
{
	for (size_t i = 0; i < s->p.n; i++) {
		const struct chunk *c = s->p.v[i].bytes;
		struct batch_header h;
		struct state_batch b;
		const char *why;
		struct arena a;

		arena_init(&a, 2 * STATE_RECORD_MAX);
		sim_check(s, batch_header_read(c->data, c->size, &h) == BATCH_READY);
		sim_check(s, state_batch_read(c->data, &h, &a, &b) <= STATE_FOREIGN);
		sim_check(s, state_replay_batch(rp, &b, &why) != STATE_REPLAY_BROKEN);
		arena_release(&a);
	}
}

/* With nothing on its way (what is, is given some time), a replay of the log gives exactly what the engine has in mind.
 */
void sluice_check_exact(struct sluice *n)
{
	struct exact x = {n, 0};
	struct statelog_counts counts;
	struct state_replay *rp;
	uint32_t groups = 0;
	struct str id = STR_NULL;

	for (int i = 0; i < 50 && n->serving && n->flight; i++)
		sluice_step_log(n);
	if (!n->serving || n->flight || statelog_durable(n->l) != statelog_appended(n->l) ||
		statelog_get_state(n->l) != STATELOG_OWNED)
		return;
	statelog_get_counts(n->l, &counts);
	rp = state_replay_new(n->s->p.log_start);
	log_replay(n->s, rp);
	if (state_replay_epoch(rp) == counts.owner_epoch) {
		sim_check(n->s, state_replay_finish(rp) == NULL);
		state_replay_each(rp, exact_cb, &x);
		while (!str_is_null(id = share_next_group(n->e, 0, id)))
			groups++;
		sim_check(n->s, groups == x.groups);
		n->s->exact_checks++;
	}
	state_replay_free(rp);
}
