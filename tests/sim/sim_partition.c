/* SPDX-License-Identifier: Apache-2.0 */
/* The state partition's side of a sluice: writes land and are answered, reads, trims and questions for its end are
 * answered, each any time later. */
#include "base/assert.h"
#include "base/mem.h"
#include "sim.h"
#include "statelog/format.h"
#include "wire/batch.h"

static bool head_read(const struct chunk *c, struct state_head *ret)
{
	struct batch_header h;
	struct state_batch b;
	struct arena a;
	bool ok;

	arena_init(&a, 2 * STATE_RECORD_MAX);
	ok = batch_header_read(c->data, c->size, &h) == BATCH_READY &&
	     state_batch_read(c->data, &h, &a, &b) == STATE_OURS;
	if (ok)
		*ret = b.head;
	arena_release(&a);
	return ok;
}

int64_t sim_produce(struct sim *s, const struct chunk *c)
{
	int64_t end = s->p.end, base = fake_partition_produce(&s->p, c);
	struct state_head h;

	if (base != end || !head_read(c, &h) || h.kind != STATE_CLAIM)
		return base;
	if (s->claims_n == s->claims_cap) {
		s->claims_cap = s->claims_cap ? 2 * s->claims_cap : 64;
		s->claims = mem_resize(s->claims, s->claims_cap, sizeof(*s->claims));
	}
	s->claims[s->claims_n++] = base;
	return base;
}

int64_t sim_next_claim(const struct sim *s, int64_t epoch)
{
	int64_t next = INT64_MAX;

	for (size_t i = s->claims_n; i-- > 0 && s->claims[i] > epoch;)
		next = s->claims[i];
	return next;
}

/* Something was answered: what does the sluice make of it? */
static void answered(struct sluice *n)
{
	owner_confirms(n);
	sluice_pump(n);
}

/* ---- writes ---- */

/* Trims before the end mark is confirmed: the rule that is broken here. */
static void trim_early(struct sluice *n)
{
	struct state_head h;

	if (!head_read(n->flight, &h))
		return;
	if (h.kind == STATE_ENTRIES && n->begin >= 0)
		fake_partition_trim(&n->s->p, n->begin);
	n->begin = h.kind == STATE_BEGIN ? n->base : -1;
}

static void write_answer(struct sluice *n)
{
	struct chunk *c = n->flight;

	if (n->s->broken == BREAK_TRIM_EARLY)
		trim_early(n);
	if (statelog_get_state(n->l) == STATELOG_CLAIMING)
		n->claimed_at = n->s->now;
	n->flight = NULL;
	chunk_unref(c);
	statelog_write_done(n->l, n->base);
	statelog_end_seen(n->l, n->base + 1, n->write_sent);
	answered(n);
}

static void write_land(struct sluice *n)
{
	n->base = sim_produce(n->s, n->flight);
	sim_check(n->s, n->base >= 0);
	n->landed = true;
}

static void write_step(struct sluice *n)
{
	struct sim *s = n->s;
	uint32_t dice = s->quiet ? 0 : rng_below(&s->rng, 100);

	if (dice < 15 && !s->quiet && rng_chance(&s->rng, 2)) { /* known to have failed; it may still be there */
		struct chunk *c = n->flight;

		if (rng_chance(&s->rng, 50))
			sluice_late(s, c);
		n->flight = NULL;
		chunk_unref(c);
		statelog_write_failed(n->l, "a failure of the simulation");
		sluice_pump(n);
		return;
	}
	if (dice >= 75)
		return; /* slow */
	write_land(n);
	if (dice < 60)
		write_answer(n);
}

/* ---- reads ---- */

/* What a writer sees that does not look: others' records of no meaning. */
static void read_nothing(struct sluice *n, struct buf *out)
{
	int64_t from = n->read.offset, upto = n->flight || n->base >= from ? n->base : n->s->p.end;
	struct batch_builder b;
	struct chunk *c;

	batch_builder_init(&b, 1u << 20, 1);
	for (int64_t i = from; i < upto; i++)
		sl_assert(batch_builder_add(&b, (struct bytes){NULL, 0}, (struct bytes){NULL, 0}) == ERR_OK);
	c = batch_builder_end(&b, -1, -1, -1);
	batch_builder_release(&b);
	for (int i = 7; i >= 0; i--, from >>= 8)
		c->data[i] = (uint8_t)from;
	sl_assert(buf_append(out, c->data, c->size) == ERR_OK);
	chunk_unref(c);
}

static void read_take(struct sluice *n)
{
	struct sim *s = n->s;
	size_t max = 1 + rng_below(&s->rng, 30000);

	n->read.answered = true;
	buf_init(&n->read.data, 64u << 20);
	if (s->broken == BREAK_NO_OFFSET_CHECK && statelog_get_state(n->l) == STATELOG_OWNED)
		read_nothing(n, &n->read.data);
	else if (!rng_chance(&s->rng, 5))
		fake_partition_read(&s->p, n->read.offset, max, &n->read.data);
	n->read.end = s->p.end;
	n->read.log_start = s->p.log_start;
}

static void read_answer(struct sluice *n)
{
	struct sim *s = n->s;
	struct sim_read r = n->read;
	size_t size = buf_len(&r.data), cut = rng_chance(&s->rng, 10) && size > 0 ? rng_below(&s->rng, 40) : 0;

	n->read = (struct sim_read){.asked = false};
	statelog_read_done(n->l, (struct bytes){buf_head(&r.data), size - (cut < size ? cut : 0)}, r.end, r.log_start);
	buf_release(&r.data);
	answered(n);
}

/* A follower's read waits at the end of the log until something comes, most of the time. */
static bool read_waits(const struct sluice *n)
{
	enum statelog_state state = statelog_get_state(n->l);

	return !n->s->quiet && n->read.offset == n->s->p.end &&
	       (state == STATELOG_FOLLOWING || state == STATELOG_CLAIMING) && !rng_chance(&n->s->rng, 10);
}

static void read_step(struct sluice *n)
{
	if (!n->read.answered) {
		if (read_waits(n))
			return;
		read_take(n);
		if (!n->s->quiet && rng_chance(&n->s->rng, 30))
			return; /* the answer is on its way */
	}
	read_answer(n);
}

/* ---- trims, and the end ---- */

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
	sluice_pump(n);
}

static void poll_take(struct sluice *n)
{
	n->poll.answered = true;
	n->poll.end = n->s->p.end;
}

static void poll_step(struct sluice *n)
{
	struct sim *s = n->s;
	struct sim_poll *p = &n->poll;

	if (!p->asked) {
		if (p->next > s->now || !n->serving)
			return;
		*p = (struct sim_poll){.asked = true, .sent = s->now, .next = s->now + LEASE_MS / 4};
	} else if (!p->answered) {
		poll_take(n);
	} else {
		p->asked = false;
		if (!rng_chance(&s->rng, 3)) /* an answer that is lost */
			statelog_end_seen(n->l, p->end, p->sent);
		answered(n);
	}
}

void partition_step(struct sluice *n)
{
	bool read_first = n->read.asked && rng_chance(&n->s->rng, 30);

	if (rng_chance(&n->s->rng, 30))
		poll_step(n);
	else if (n->flight && !read_first && n->landed && (n->s->quiet || rng_chance(&n->s->rng, 50)))
		write_answer(n);
	else if (n->flight && !read_first && !n->landed)
		write_step(n);
	else if (n->read.asked)
		read_step(n);
	else if (n->trim >= 0)
		trim_step(n);
}

void partition_step_paused(struct sluice *n)
{
	if (n->flight && !n->landed)
		write_land(n);
	else if (n->read.asked && !n->read.answered)
		read_take(n);
	else if (n->poll.asked && !n->poll.answered)
		poll_take(n);
}
