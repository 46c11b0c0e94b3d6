/* SPDX-License-Identifier: Apache-2.0 */
/* The clients of the simulation: what they ask, what they were told, and what must therefore still be so after any
 * crash. */
#include "base/assert.h"
#include "base/mem.h"
#include "sim.h"

static struct client *client_of(struct sim *s, int g, int c)
{
	return &s->clients[g][c];
}

/* All that it was handed out so far is, or may be, held no more. */
static void client_drop_held(struct client *cl)
{
	cl->gen++;
	cl->held_n = 0;
	cl->session_epoch = 0;
}

void client_conn_lost(struct sim *s, int g, int c)
{
	struct client *cl = client_of(s, g, c);

	client_drop_held(cl);
	cl->heartbeating = cl->fetching = false;
	cl->conn++;
}

void clients_expire(struct sim *s)
{
	for (int g = 0; g < GROUPS; g++) {
		for (int c = 0; c < CLIENTS; c++) {
			struct client *cl = client_of(s, g, c);

			if (cl->member_epoch > 0 && s->now - cl->last_heartbeat >= SESSION_MS) {
				client_drop_held(cl);
				cl->member_epoch = 0;
			}
		}
	}
}

/* ---- what was told ---- */

static void told_grow(struct told *told, int64_t cap)
{
	int64_t old = told->cap;

	if (cap <= old)
		return;
	told->cap = cap > 2 * old ? cap : 2 * old;
	told->done = mem_resize(told->done, (size_t)told->cap, 1);
	memset(told->done + old, 0, (size_t)(told->cap - old));
}

static void told_ack(struct sim *s, int g, const struct ack *a)
{
	struct told *told;

	if (a->error || a->t < 0 || (a->type != 1 && a->type != 3 && a->type != 0))
		return;
	told = &s->told[g][a->t][a->p];
	told_grow(told, a->last + 1);
	memset(told->done + a->first, 1, (size_t)(a->last - a->first + 1));
	s->told_acks++;
}

void told_forget(struct sim *s, int t)
{
	for (int g = 0; g < GROUPS; g++) {
		for (int p = 0; p < PARTS; p++) {
			mem_free(s->told[g][t][p].done);
			s->told[g][t][p] = (struct told){.start = -1};
		}
		for (int c = 0; c < CLIENTS; c++) {
			struct client *cl = client_of(s, g, c);

			client_drop_held(cl);
		}
	}
}

static const struct share_partition_state *part_of(const struct share_group_state *st, struct uuid topic_id, int32_t p)
{
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		if (uuid_eq(st->partitions[i].topic_id, topic_id) && st->partitions[i].partition == p)
			return &st->partitions[i];
	}
	return NULL;
}

/* Every record that was told to be done is done in this state, and no start offset has gone back. */
void told_check(struct sluice *n, const struct share_group_state *st, int g)
{
	for (int i = 0; i < TOPICS * PARTS; i++) {
		int t = i / PARTS, p = i % PARTS;
		const struct told *told = &n->s->told[g][t][p];
		const struct share_partition_state *x = part_of(st, n->s->topics[t], p);
		uint32_t k = 0;

		sim_check(n->s, told->start < 0 || (x && x->start_offset >= told->start));
		for (int64_t o = x && x->start_offset > 0 ? x->start_offset : 0; o < told->cap; o++) {
			if (!told->done[o])
				continue;
			sim_check(n->s, x != NULL);
			while (k < x->ranges_n && x->ranges[k].last < o)
				k++;
			sim_check(n->s, k < x->ranges_n && x->ranges[k].first <= o);
			sim_check(
				n->s, x->ranges[k].state == SHARE_ACKNOWLEDGED || x->ranges[k].state == SHARE_ARCHIVED);
		}
	}
}

/* ---- who holds what, within one owner ---- */

static void slot_take(struct sluice *n, int g, int c, const struct ack *a, int64_t o)
{
	struct slot *slot = &n->ring[g][a->t][a->p][o % RING];
	struct client *cl = client_of(n->s, g, c);

	if (slot->offset == o && slot->until > n->s->now && slot->c != c)
		sim_check(n->s, client_of(n->s, g, slot->c)->gen != slot->gen);
	*slot = (struct slot){.offset = o, .until = n->s->now + LOCK_MS, .c = c, .gen = cl->gen};
}

static void slots_free(struct sluice *n, int g, const struct ack *a)
{
	for (int64_t o = a->first; o <= a->last; o++) {
		struct slot *slot = &n->ring[g][a->t][a->p][o % RING];

		if (slot->offset == o)
			slot->until = 0;
	}
}

/* The engine has answered: what it handed out is held from now on, told or not, if its client still has the
 * connection. */
void clients_answered(struct sluice *n, struct request *rq)
{
	for (uint32_t i = 0; i < rq->acquired_n; i++) {
		const struct ack *a = &rq->acquired[i];

		for (int64_t o = a->first; o <= a->last && client_is_there(n, rq); o++)
			slot_take(n, rq->g, rq->c, a, o);
		n->s->handed_out += (uint64_t)(a->last - a->first + 1);
	}
}

/* ---- what clients hear ---- */

static void heartbeat_told(struct sim *s, struct client *cl, const struct request *rq)
{
	cl->heartbeating = false;
	if (rq->is_leave)
		return;
	if (rq->error == 0) {
		cl->member_epoch = rq->member_epoch;
	} else if (rq->error == 16) {
		cl->at = (cl->at + 1) % SLUICES;
		client_drop_held(cl);
	} else {
		client_drop_held(cl);
		cl->member_epoch = 0;
	}
	(void)s;
}

static void fetch_told(struct sim *s, struct client *cl, const struct request *rq)
{
	cl->fetching = false;
	for (uint32_t i = 0; i < rq->acks_n; i++)
		told_ack(s, rq->g, &rq->acks[i]);
	if (rq->error || rq->is_close) {
		client_drop_held(cl);
		return;
	}
	cl->session_epoch++;
	for (uint32_t i = 0; i < rq->acquired_n && cl->held_n < HELD_MAX; i++)
		cl->held[cl->held_n++] = rq->acquired[i];
}

bool client_is_there(const struct sluice *n, const struct request *rq)
{
	return n->s->clients[rq->g][rq->c].conn == rq->conn;
}

void client_told(struct sluice *n, struct request *rq)
{
	struct client *cl = client_of(n->s, rq->g, rq->c);

	if (rq->type == SHARE_EV_HEARTBEAT)
		heartbeat_told(n->s, cl, rq);
	else if (rq->type == SHARE_EV_FETCH || rq->type == SHARE_EV_ACKNOWLEDGE)
		fetch_told(n->s, cl, rq);
}

/* ---- what clients ask ---- */

static struct request *request_new(struct sluice *n, struct share_event *ev, int g, int c)
{
	struct request *rq = &n->requests[n->requests_n];

	sim_check(n->s, n->requests_n < REQUESTS_MAX);
	n->requests_n++;
	*rq = (struct request){
		.token = ++n->s->last_token, .type = ev->type, .g = g, .c = c, .conn = client_of(n->s, g, c)->conn};
	ev->token = rq->token;
	ev->state_partition = 0;
	return rq;
}

static void heartbeat(struct sluice *n, int g, int c, bool leave)
{
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT};
	struct client *cl = client_of(n->s, g, c);
	struct request *rq = request_new(n, &ev, g, c);
	struct str topics[TOPICS];

	ev.u.heartbeat.group_id = sim_group(g);
	ev.u.heartbeat.member_id = sim_member(c);
	ev.u.heartbeat.member_epoch = leave ? -1 : cl->member_epoch;
	ev.u.heartbeat.client_id = STR_LIT("client");
	ev.u.heartbeat.client_host = STR_LIT("/127.0.0.1");
	if (cl->member_epoch == 0 && !leave) {
		ev.u.heartbeat.topics = topics;
		topics[ev.u.heartbeat.topics_n++] = sim_topic((int)rng_below(&n->s->rng, TOPICS));
		if (rng_chance(&n->s->rng, 60))
			topics[ev.u.heartbeat.topics_n++] = sim_topic((int)rng_below(&n->s->rng, TOPICS));
	}
	rq->is_leave = leave;
	cl->heartbeating = true;
	cl->last_heartbeat = n->s->now;
	if (leave) {
		client_drop_held(cl);
		cl->member_epoch = 0;
	}
	sluice_apply(n, &ev);
}

struct ack_lists {
	struct share_partition_acks parts[TOPICS * PARTS];
	uint32_t parts_n;
	struct share_ack_batch batches[TOPICS * PARTS][ACKS_MAX];
	int8_t types[ACKS_MAX];
};

/* Takes the n-th held range, or its beginning, for acknowledging. */
static bool held_take(struct sim *s, struct client *cl, uint32_t i, struct ack *ret)
{
	static const int8_t types[] = {1, 1, 1, 1, 1, 1, 2, 2, 3, 0};
	struct ack *h = &cl->held[i];

	*ret = *h;
	ret->type = types[rng_below(&s->rng, sizeof(types))];
	ret->error = 0;
	if (h->last > h->first && rng_chance(&s->rng, 60)) {
		ret->last = h->first + rng_below(&s->rng, (uint32_t)(h->last - h->first + 1));
		h->first = ret->last + 1;
		if (h->first <= h->last)
			return false;
	}
	*h = cl->held[--cl->held_n];
	return true;
}

/* Chooses some of what it holds. */
static void acks_choose(struct sim *s, struct client *cl, struct request *rq)
{
	uint32_t want = rng_below(&s->rng, 7);

	for (uint32_t i = 0; i < cl->held_n && rq->acks_n < want;) {
		if (!held_take(s, cl, i, &rq->acks[rq->acks_n++]))
			i++;
	}
	for (uint32_t i = 1; i < rq->acks_n; i++) { /* ascending */
		for (uint32_t k = i; k > 0; k--) {
			struct ack x = rq->acks[k], *y = &rq->acks[k - 1];

			if (y->t * PARTS + y->p < x.t * PARTS + x.p ||
				(y->t == x.t && y->p == x.p && y->first < x.first))
				break;
			rq->acks[k] = *y;
			*y = x;
		}
	}
}

static void acks_list(struct sluice *n, struct request *rq, struct ack_lists *v)
{
	for (uint32_t i = 0; i < rq->acks_n; i++) {
		struct ack *a = &rq->acks[i];
		struct share_partition_acks *x = v->parts_n ? &v->parts[v->parts_n - 1] : NULL;
		struct uuid id = n->s->topics[a->t];

		if (!x || !uuid_eq(x->topic_id, id) || x->partition != a->p) {
			x = &v->parts[v->parts_n];
			*x = (struct share_partition_acks){id, a->p, v->batches[v->parts_n], 0};
			v->parts_n++;
		}
		v->types[i] = a->type;
		v->batches[v->parts_n - 1][x->batches_n++] =
			(struct share_ack_batch){a->first, a->last, &v->types[i], 1};
		slots_free(n, rq->g, a);
	}
}

static void fetch(struct sluice *n, int g, int c)
{
	struct sim *s = n->s;
	struct client *cl = client_of(s, g, c);
	bool acks_only = cl->session_epoch > 0 && rng_chance(&s->rng, 20);
	struct share_event ev = {.type = acks_only ? SHARE_EV_ACKNOWLEDGE : SHARE_EV_FETCH};
	struct request *rq = request_new(n, &ev, g, c);
	struct ack_lists v = {.parts_n = 0};

	ev.u.fetch.group_id = sim_group(g);
	ev.u.fetch.member_id = sim_member(c);
	ev.u.fetch.node_id = c % 2;
	ev.u.fetch.conn_id = (uint64_t)(g * CLIENTS + c + 1);
	ev.u.fetch.api_version = 1;
	ev.u.fetch.max_wait_ms = (int32_t)rng_below(&s->rng, 300);
	ev.u.fetch.min_bytes = 1;
	ev.u.fetch.max_bytes = 50000;
	ev.u.fetch.max_records = 1 + (int32_t)rng_below(&s->rng, 30);
	ev.u.fetch.batch_size = ev.u.fetch.max_records;
	ev.u.fetch.acquire_mode = (int8_t)rng_below(&s->rng, 2);
	ev.u.fetch.session_epoch = cl->session_epoch;
	rq->is_first = cl->session_epoch == 0;
	rq->is_close = cl->session_epoch > 0 && rng_chance(&s->rng, 1);
	if (rq->is_close)
		ev.u.fetch.session_epoch = -1;
	if (rq->is_first) {
		client_drop_held(cl);
		for (int i = 0; i < TOPICS * PARTS; i++)
			v.parts[v.parts_n++] = (struct share_partition_acks){s->topics[i / PARTS], i % PARTS, NULL, 0};
	} else {
		acks_choose(s, cl, rq);
		acks_list(n, rq, &v);
	}
	if (rq->is_close)
		cl->gen++;
	ev.u.fetch.partitions = v.parts;
	ev.u.fetch.partitions_n = v.parts_n;
	cl->fetching = true;
	sluice_apply(n, &ev);
}

static void config(struct sluice *n)
{
	struct share_event ev = {.type = SHARE_EV_ALTER_CONFIG};
	struct share_config_entry c = {STR_LIT("share.isolation.level"), STR_NULL};
	int g = (int)rng_below(&n->s->rng, GROUPS);

	(void)request_new(n, &ev, g, 0);
	if (rng_chance(&n->s->rng, 70))
		c.value = rng_chance(&n->s->rng, 50) ? STR_LIT("read_committed") : STR_LIT("read_uncommitted");
	ev.u.config.group_id = sim_group(g);
	ev.u.config.entries = &c;
	ev.u.config.entries_n = 1;
	sluice_apply(n, &ev);
}

static void conn_close(struct sluice *n, int g, int c)
{
	struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};

	ev.u.conn_id = (uint64_t)(g * CLIENTS + c + 1);
	for (uint32_t i = 0; i < n->requests_n; i++) { /* what waits for an answer on it is answered into the void */
		if (n->requests[i].g == g && n->requests[i].c == c)
			return;
	}
	client_conn_lost(n->s, g, c);
	sluice_apply(n, &ev);
}

void client_leave(struct sim *s, int g, int c)
{
	struct client *cl = client_of(s, g, c);
	struct sluice *n = &s->sluices[cl->at];

	if (cl->heartbeating || !n->serving || n->leaving != STAYS || !statelog_has_room(n->l))
		return;
	heartbeat(n, g, c, true);
}

/* Its sluice does not answer: it closes the connection, which that learns when it wakes up, and tries the other. */
static void client_gives_up(struct sim *s, int g, int c)
{
	struct client *cl = client_of(s, g, c);
	struct sluice *n = &s->sluices[cl->at];

	client_conn_lost(s, g, c);
	n->closed[g][c] = n->any_closed = true;
	cl->at = (cl->at + 1) % SLUICES;
}

void client_step(struct sim *s)
{
	int g = (int)rng_below(&s->rng, GROUPS), c = (int)rng_below(&s->rng, CLIENTS);
	struct client *cl = client_of(s, g, c);
	struct sluice *n = &s->sluices[cl->at];

	if (sluice_is_paused(n)) {
		if (rng_chance(&s->rng, 3))
			client_gives_up(s, g, c);
		return;
	}
	if (!n->up || !n->serving || n->leaving != STAYS) {
		if (!cl->heartbeating && !cl->fetching && rng_chance(&s->rng, 30)) {
			cl->at = (cl->at + 1) % SLUICES;
			client_drop_held(cl);
		}
		return;
	}
	if (!statelog_has_room(n->l))
		return;
	if (!cl->heartbeating && (cl->member_epoch == 0 ? rng_chance(&s->rng, 60) : rng_chance(&s->rng, 8)))
		heartbeat(n, g, c, cl->member_epoch > 0 && rng_chance(&s->rng, 3));
	else if (!cl->fetching && cl->member_epoch > 0)
		fetch(n, g, c);
	else if (rng_chance(&s->rng, 1))
		config(n);
	else if (rng_chance(&s->rng, 1))
		conn_close(n, g, c);
}
