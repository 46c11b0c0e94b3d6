/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated partition logs are made up and read here. */
#include "world.h"

#include "base/assert.h"
#include "base/mem.h"

uint64_t rng_next(struct rng *r)
{
	uint64_t z = (r->s += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint32_t rng_below(struct rng *r, uint32_t n)
{
	return n ? (uint32_t)(rng_next(r) % n) : 0;
}

bool rng_chance(struct rng *r, uint32_t percent)
{
	return rng_below(r, 100) < percent;
}

void world_log_init(struct world_log *l, uint64_t seed, bool plain)
{
	*l = (struct world_log){.rng = {seed}, .open = {-1, -1}, .plain = plain};
}

void world_log_release(struct world_log *l)
{
	mem_free(l->b);
	mem_free(l->txns);
	*l = (struct world_log){0};
}

static int64_t first_open(const struct world_log *l, int64_t end)
{
	for (int i = 0; i < 2; i++) {
		if (l->open[i] >= 0 && l->txns[l->open[i]].first < end)
			end = l->txns[l->open[i]].first;
	}
	return end;
}

static void begin_txn(struct world_log *l, int slot, int64_t first)
{
	if (l->txns_n == l->txns_cap) {
		l->txns_cap = l->txns_cap ? l->txns_cap * 2 : 16;
		l->txns = mem_resize(l->txns, l->txns_cap, sizeof(*l->txns));
	}
	l->txns[l->txns_n] = (struct world_txn){100 + slot, first, -1, rng_chance(&l->rng, 40)};
	l->open[slot] = l->txns_n++;
}

/* Lays the next batch down behind the last one. */
static void lay(struct world_log *l)
{
	int64_t at = l->n ? l->b[l->n - 1].last + 1 : 0;
	struct world_batch b = {.producer_id = -1};
	int slot = (int)rng_below(&l->rng, 2);

	if (!l->plain && rng_chance(&l->rng, 5))
		at += 1 + rng_below(&l->rng, 4); /* compacted away */
	b.base = at;
	b.last = at + rng_below(&l->rng, rng_chance(&l->rng, 10) ? WORLD_BATCH_RECORDS : 4);
	b.size = 61 + (uint32_t)(b.last - b.base + 1) * (1 + rng_below(&l->rng, 20));
	if (!l->plain && l->open[slot] >= 0 && rng_chance(&l->rng, 40)) {
		b.control = b.transactional = true;
		b.producer_id = 100 + slot;
		b.last = b.base;
		l->txns[l->open[slot]].marker = b.base;
		l->open[slot] = -1;
	} else if (!l->plain && rng_chance(&l->rng, 20)) {
		if (l->open[slot] < 0)
			begin_txn(l, slot, b.base);
		b.transactional = true;
		b.producer_id = 100 + slot;
		b.aborted = l->txns[l->open[slot]].aborted;
	} else if (!l->plain && rng_chance(&l->rng, 5)) {
		b.empty = true;
	}
	b.lso_after = first_open(l, b.last + 1);
	if (l->n == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 64;
		l->b = mem_resize(l->b, l->cap, sizeof(*l->b));
	}
	l->b[l->n++] = b;
}

void world_log_grow(struct world_log *l, uint32_t batches)
{
	l->visible += batches;
	while (l->n < l->visible)
		lay(l);
}

void world_log_cut(struct world_log *l, uint32_t batches)
{
	l->visible -= batches < l->visible ? batches : l->visible;
	if (world_log_end(l) < l->start)
		l->start = world_log_end(l);
}

int64_t world_log_end(const struct world_log *l)
{
	return l->visible ? l->b[l->visible - 1].last + 1 : 0;
}

int64_t world_log_lso(const struct world_log *l)
{
	return l->visible ? l->b[l->visible - 1].lso_after : 0;
}

/* Index of the first batch that ends at or behind offset; n when there is none. */
static uint32_t find(const struct world_log *l, int64_t offset)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->b[mid].last < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool world_log_is_hole(const struct world_log *l, int64_t offset, bool read_committed)
{
	uint32_t i = find(l, offset);

	sl_assert(i < l->n);
	return offset < l->b[i].base || l->b[i].control || l->b[i].empty || (read_committed && l->b[i].aborted);
}

/* Aborted transactions that overlap [from, upto], by first offset as brokers give them. Transactions of one producer
 * follow each other, so going backwards a producer is finished with the first one that ends before from. */
static void answer_aborted(
	const struct world_log *l, struct share_event *ev, int64_t upto, struct share_aborted *v, uint32_t cap)
{
	uint32_t lo = 0, hi = l->txns_n, n = 0, begin;
	bool finished[2] = {false, false};

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->txns[mid].first <= upto)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (begin = lo; begin > 0 && !(finished[0] && finished[1]); begin--) {
		const struct world_txn *t = &l->txns[begin - 1];

		if (t->marker >= 0 && t->marker < ev->u.records.from_offset)
			finished[t->producer_id - 100] = true;
	}
	for (uint32_t i = begin; i < lo; i++) {
		const struct world_txn *t = &l->txns[i];

		if (!t->aborted || t->marker < ev->u.records.from_offset)
			continue;
		sl_assert(n < cap);
		v[n++] = (struct share_aborted){t->producer_id, t->first};
	}
	ev->u.records.aborted = v;
	ev->u.records.aborted_n = n;
}

void world_log_answer(struct world_log *l, struct share_event *ev, uint32_t max, struct share_batch *batches,
	struct share_aborted *aborted, uint32_t aborted_cap, uint64_t *live)
{
	int64_t from = ev->u.records.from_offset;
	bool rc = ev->u.records.log.read_committed;
	int64_t limit = rc ? world_log_lso(l) : world_log_end(l);
	uint32_t i = find(l, from), n = 0;

	ev->u.records.high_watermark = world_log_end(l);
	ev->u.records.last_stable_offset = world_log_lso(l);
	ev->u.records.log_start_offset = l->start;
	if (from < l->start || from > world_log_end(l)) {
		ev->u.records.error = 1;
		return;
	}
	for (; i < l->visible && n < max && l->b[i].last < limit; i++) {
		struct world_ref *r = mem_zalloc(1, sizeof(*r));

		r->log = l;
		r->batch = l->b[i];
		++*live;
		batches[n++] = (struct share_batch){
			.base_offset = l->b[i].base,
			.last_offset = l->b[i].last,
			.size = l->b[i].size,
			.control = l->b[i].control,
			.transactional = l->b[i].transactional,
			.empty = l->b[i].empty,
			.producer_id = l->b[i].producer_id,
			.ref = r,
		};
	}
	ev->u.records.batches = batches;
	ev->u.records.batches_n = n;
	if (rc && n)
		answer_aborted(l, ev, batches[n - 1].last_offset, aborted, aborted_cap);
}

void world_log_widen(const struct world_log *l, int64_t *first, int64_t *last)
{
	int64_t from = *first, to = *last;

	for (uint32_t i = 0; i < l->n; i++) {
		if (l->b[i].base <= from && from <= l->b[i].last)
			*first = l->b[i].base;
		if (l->b[i].base <= to && to <= l->b[i].last)
			*last = l->b[i].last;
	}
}
