/* SPDX-License-Identifier: Apache-2.0 */
/* The record batches that are kept: found by offset, one ceiling for all logs together, the least useful ones given
 * back first. */
#include "engine.h"

static int share_kept_cmp(const struct share_kept *a, const struct share_kept *b)
{
	return (a->last > b->last) - (a->last < b->last);
}

static int share_stretch_cmp(const struct share_stretch *a, const struct share_stretch *b)
{
	return (a->first > b->first) - (a->first < b->first);
}

RB_GENERATE(share_kept_tree, share_kept, by_last, share_kept_cmp)
RB_GENERATE(share_stretch_tree, share_stretch, by_first, share_stretch_cmp)

/* Batches are given back when the step ends: a reply of the same step may still name them. */
void share_release(struct share_engine *e, void *ref)
{
	e->releases = share_grow(e->releases, &e->releases_cap, e->releases_n + 1, sizeof(*e->releases));
	e->releases[e->releases_n++] = ref;
}

struct share_kept *share_kept_after(const struct share_log *l, int64_t offset)
{
	struct share_kept *k = RB_ROOT(&l->kept), *best = NULL;

	while (k) {
		if (k->last >= offset) {
			best = k;
			k = RB_LEFT(k, by_last);
		} else {
			k = RB_RIGHT(k, by_last);
		}
	}
	return best;
}

struct share_kept *share_kept_at(const struct share_log *l, int64_t offset)
{
	struct share_kept *k = share_kept_after(l, offset);

	return k && k->cover_first <= offset ? k : NULL;
}

/* ---- stretches: how far the kept offsets go on without interruption ---- */

static struct share_stretch *stretch_at(const struct share_log *l, int64_t offset)
{
	struct share_stretch *s = RB_ROOT(&l->stretches), *best = NULL;

	while (s) {
		if (s->first <= offset) {
			best = s;
			s = RB_RIGHT(s, by_first);
		} else {
			s = RB_LEFT(s, by_first);
		}
	}
	return best && best->last >= offset ? best : NULL;
}

static struct share_stretch *stretch_new(struct share_log *l, int64_t first, int64_t last, int64_t bytes)
{
	struct share_stretch *s = mem_zalloc(1, sizeof(*s));

	s->first = first;
	s->last = last;
	s->bytes = bytes;
	sl_assert(RB_INSERT(share_stretch_tree, &l->stretches, s) == NULL);
	return s;
}

static void stretch_add(struct share_log *l, int64_t first, int64_t last, int64_t bytes)
{
	struct share_stretch *prev = first > INT64_MIN ? stretch_at(l, first - 1) : NULL;
	struct share_stretch *next = stretch_at(l, last + 1);

	if (prev) {
		prev->last = last;
		prev->bytes += bytes;
	} else {
		prev = stretch_new(l, first, last, bytes);
	}
	if (next) {
		prev->last = next->last;
		prev->bytes += next->bytes;
		RB_REMOVE(share_stretch_tree, &l->stretches, next);
		mem_free(next);
	}
}

/* Part of s that offsets n stand for; s holds them. */
static int64_t stretch_share(const struct share_stretch *s, int64_t n)
{
	return (int64_t)((double)s->bytes * ((double)n / ((double)(s->last - s->first) + 1.0)));
}

static void stretch_cut(struct share_log *l, int64_t first, int64_t last, int64_t bytes)
{
	struct share_stretch *s = stretch_at(l, first);
	int64_t tail;

	sl_assert(s && s->last >= last);
	s->bytes -= bytes;
	if (s->first == first && s->last == last) {
		RB_REMOVE(share_stretch_tree, &l->stretches, s);
		mem_free(s);
	} else if (s->first == first) {
		s->first = last + 1; /* keeps its place in the order */
	} else if (s->last == last) {
		s->last = first - 1;
	} else {
		tail = stretch_share(s, s->last - last);
		(void)stretch_new(l, last + 1, s->last, tail);
		s->last = first - 1;
		s->bytes -= tail;
	}
}

int64_t share_kept_ahead(const struct share_log *l, int64_t from, int64_t *ret_edge)
{
	const struct share_stretch *s = stretch_at(l, from);

	*ret_edge = s ? s->last + 1 : from;
	return s ? stretch_share(s, s->last - from + 1) : 0;
}

/* ---- keeping and giving back ---- */

/* Takes a batch over. One that is kept already, or that reaches into a kept one, is given back at once; what it tells
 * about the offsets before it is learnt all the same. */
void share_kept_insert(
	struct share_engine *e, struct share_log *l, const struct share_batch *b, int64_t cover_first, bool has_records)
{
	struct share_kept *next = share_kept_after(l, cover_first), *k;
	int64_t bytes = b->size;

	if (next && next->cover_first <= cover_first) { /* the gap before it is known in part */
		cover_first = next->last + 1;
		next = share_kept_after(l, cover_first);
	}
	if (next && next->base <= b->last_offset) {
		if (next->base >= cover_first && next->base == b->base_offset && cover_first < next->cover_first) {
			stretch_add(l, cover_first, next->cover_first - 1, 0);
			next->cover_first = cover_first;
		}
		share_release(e, b->ref);
		return;
	}
	if (cover_first > b->base_offset) {
		share_release(e, b->ref);
		return;
	}
	k = mem_zalloc(1, sizeof(*k));
	k->log = l;
	k->cover_first = cover_first;
	k->base = b->base_offset;
	k->last = b->last_offset;
	k->ref = b->ref;
	k->size = b->size;
	k->has_records = has_records;
	if (next && next->cover_first <= k->last) { /* its gap begins inside this batch */
		stretch_cut(l, next->cover_first, k->last, 0);
		next->cover_first = k->last + 1;
	}
	sl_assert(RB_INSERT(share_kept_tree, &l->kept, k) == NULL);
	stretch_add(l, k->cover_first, k->last, bytes);
	TAILQ_INSERT_TAIL(&e->fresh, k, lru);
	e->counts.kept_batches++;
	e->counts.kept_bytes += bytes;
	e->fresh_bytes += bytes;
}

static void kept_unlist(struct share_engine *e, struct share_kept *k)
{
	if (k->used) {
		TAILQ_REMOVE(&e->used, k, lru);
	} else {
		TAILQ_REMOVE(&e->fresh, k, lru);
		e->fresh_bytes -= (int64_t)k->size;
	}
}

static void kept_drop(struct share_engine *e, struct share_kept *k)
{
	stretch_cut(k->log, k->cover_first, k->last, k->size);
	RB_REMOVE(share_kept_tree, &k->log->kept, k);
	kept_unlist(e, k);
	e->counts.kept_batches--;
	e->counts.kept_bytes -= (int64_t)k->size;
	share_release(e, k->ref);
	mem_free(k);
}

void share_kept_use(struct share_engine *e, struct share_kept *k)
{
	kept_unlist(e, k);
	k->used = true;
	TAILQ_INSERT_TAIL(&e->used, k, lru);
}

void share_kept_drop_below(struct share_engine *e, struct share_log *l, int64_t offset)
{
	struct share_kept *k;

	while ((k = RB_MIN(share_kept_tree, &l->kept)) && k->last < offset)
		kept_drop(e, k);
}

void share_kept_drop_from(struct share_engine *e, struct share_log *l, int64_t offset)
{
	struct share_kept *k;

	while ((k = RB_MAX(share_kept_tree, &l->kept)) && k->last >= offset)
		kept_drop(e, k);
}

/* Down to the ceiling: first what was handed out, then what waits longest for its first reader. */
void share_kept_evict(struct share_engine *e)
{
	struct share_kept *k;

	while (e->counts.kept_bytes > e->cfg.read_ahead_max_bytes) {
		k = TAILQ_FIRST(&e->used);
		if (!k)
			k = TAILQ_FIRST(&e->fresh);
		if (!k)
			break;
		kept_drop(e, k);
	}
}
