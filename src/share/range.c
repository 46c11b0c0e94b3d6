/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges of a share-partition are kept here: one tree that covers [start, end), one of what is AVAILABLE, lists of
 * what is held. */
#include "engine.h"

static int share_range_cmp(const struct share_range *a, const struct share_range *b)
{
	return (a->first > b->first) - (a->first < b->first);
}

static int share_holder_cmp(const struct share_holder *a, const struct share_holder *b)
{
	if (a->sp->serial != b->sp->serial)
		return a->sp->serial < b->sp->serial ? -1 : 1;
	return (a->duration_ms > b->duration_ms) - (a->duration_ms < b->duration_ms);
}

RB_GENERATE(share_range_tree, share_range, by_offset, share_range_cmp)
RB_GENERATE(share_available_tree, share_range, u.by_available, share_range_cmp)
RB_GENERATE(share_holder_tree, share_holder, by_partition, share_holder_cmp)

bool share_state_is_done(enum share_record_state s)
{
	return s == SHARE_ACKNOWLEDGED || s == SHARE_ARCHIVED;
}

struct share_range *share_range_at(const struct share_partition *sp, int64_t offset)
{
	struct share_range *r = RB_ROOT(&sp->ranges), *best = NULL;

	while (r) {
		if (r->first <= offset) {
			best = r;
			r = RB_RIGHT(r, by_offset);
		} else {
			r = RB_LEFT(r, by_offset);
		}
	}
	return best;
}

struct share_range *share_range_next(struct share_range *r)
{
	return RB_NEXT(share_range_tree, NULL, r);
}

struct share_range *share_range_first_available(const struct share_partition *sp, int64_t from)
{
	struct share_range *r = RB_ROOT(&sp->available), *best = NULL;

	while (r) {
		if (r->last >= from) {
			best = r;
			r = RB_LEFT(r, u.by_available);
		} else {
			r = RB_RIGHT(r, u.by_available);
		}
	}
	return best;
}

/* ---- counting and linking by state ---- */

static void range_count(struct share_engine *e, struct share_partition *sp, enum share_record_state state, int64_t n)
{
	if (state == SHARE_AVAILABLE) {
		sp->available_n += n;
		e->counts.available_records += (uint64_t)n;
	} else if (state == SHARE_ACQUIRED) {
		sp->held_n += n;
		e->counts.held_records += (uint64_t)n;
	} else if (share_state_is_done(state)) {
		sp->done_n += n;
	}
}

static void holder_rearm(struct share_engine *e, struct share_holder *h)
{
	struct share_range *r = TAILQ_FIRST(&h->ranges);

	if (r)
		share_deadline_set(e, &h->lock, SHARE_DL_LOCK, r->u.held.until);
	else
		share_deadline_clear(e, &h->lock);
}

static void range_hold(struct share_engine *e, struct share_range *r, struct share_holder *h, int64_t until)
{
	r->u.held.holder = h;
	r->u.held.until = until;
	TAILQ_INSERT_TAIL(&h->ranges, r, u.held.link);
	if (TAILQ_FIRST(&h->ranges) == r)
		holder_rearm(e, h);
}

static void range_unhold(struct share_engine *e, struct share_range *r)
{
	struct share_holder *h = r->u.held.holder;
	bool was_first = TAILQ_FIRST(&h->ranges) == r;

	TAILQ_REMOVE(&h->ranges, r, u.held.link);
	if (was_first)
		holder_rearm(e, h);
	if (TAILQ_EMPTY(&h->ranges) && !h->owner->sessions && !h->idle) {
		h->idle = true;
		LIST_INSERT_HEAD(&e->idle_holders, h, idle_link);
	}
}

static void range_leave_state(struct share_engine *e, struct share_partition *sp, struct share_range *r)
{
	range_count(e, sp, r->state, -(r->last - r->first + 1));
	if (r->state == SHARE_AVAILABLE)
		RB_REMOVE(share_available_tree, &sp->available, r);
	else if (r->state == SHARE_ACQUIRED)
		range_unhold(e, r);
}

static void range_enter_state(struct share_engine *e, struct share_partition *sp, struct share_range *r,
	struct share_holder *h, int64_t until)
{
	range_count(e, sp, r->state, r->last - r->first + 1);
	if (r->state == SHARE_AVAILABLE) {
		sl_assert(RB_INSERT(share_available_tree, &sp->available, r) == NULL);
	} else if (r->state == SHARE_ACQUIRED) {
		range_hold(e, r, h, until);
	}
}

static struct share_range *range_new(struct share_engine *e, struct share_partition *sp, int64_t first, int64_t last)
{
	struct share_range *r = mem_zalloc(1, sizeof(*r));

	r->first = first;
	r->last = last;
	sl_assert(RB_INSERT(share_range_tree, &sp->ranges, r) == NULL);
	sp->ranges_n++;
	e->counts.state_ranges++;
	return r;
}

/* ---- changing ---- */

struct share_range *share_range_append(struct share_engine *e, struct share_partition *sp, int64_t last,
	enum share_record_state state, int16_t count, struct share_holder *h, int64_t until)
{
	struct share_range *r;

	sl_assert(last >= sp->end && last < INT64_MAX);
	r = range_new(e, sp, sp->end, last);
	r->state = (uint8_t)state;
	r->count = count;
	sp->end = last + 1;
	range_enter_state(e, sp, r, h, until);
	return r;
}

void share_range_split(struct share_engine *e, struct share_partition *sp, struct share_range *r, int64_t at)
{
	struct share_range *n;

	sl_assert(r->first < at && at <= r->last);
	n = range_new(e, sp, at, r->last);
	n->state = r->state;
	n->count = r->count;
	r->last = at - 1;
	if (r->state == SHARE_AVAILABLE) {
		sl_assert(RB_INSERT(share_available_tree, &sp->available, n) == NULL);
	} else if (r->state == SHARE_ACQUIRED) {
		n->u.held.holder = r->u.held.holder;
		n->u.held.until = r->u.held.until;
		TAILQ_INSERT_AFTER(&r->u.held.holder->ranges, r, n, u.held.link);
	}
}

void share_range_set(struct share_engine *e, struct share_partition *sp, struct share_range *r,
	enum share_record_state state, int16_t count, struct share_holder *h, int64_t until)
{
	range_leave_state(e, sp, r);
	r->state = (uint8_t)state;
	r->count = share_state_is_done(state) ? 0 : count;
	range_enter_state(e, sp, r, h, until);
}

static bool range_like(const struct share_range *a, const struct share_range *b)
{
	if (a->state != b->state || a->count != b->count)
		return false;
	return a->state != SHARE_ACQUIRED ||
	       (a->u.held.holder == b->u.held.holder && a->u.held.until == b->u.held.until);
}

/* Joins b, the right neighbour of a and like it, to a. */
static void range_join(struct share_engine *e, struct share_partition *sp, struct share_range *a, struct share_range *b)
{
	int64_t last = b->last;

	range_leave_state(e, sp, b);
	RB_REMOVE(share_range_tree, &sp->ranges, b);
	mem_free(b);
	sp->ranges_n--;
	e->counts.state_ranges--;
	range_count(e, sp, a->state, last - a->last);
	a->last = last;
}

struct share_range *share_range_merge(struct share_engine *e, struct share_partition *sp, struct share_range *r)
{
	struct share_range *prev = RB_PREV(share_range_tree, NULL, r), *next = RB_NEXT(share_range_tree, NULL, r);

	if (next && range_like(r, next))
		range_join(e, sp, r, next);
	if (prev && range_like(prev, r)) {
		range_join(e, sp, prev, r);
		r = prev;
	}
	return r;
}

void share_range_free(struct share_engine *e, struct share_partition *sp, struct share_range *r)
{
	range_leave_state(e, sp, r);
	RB_REMOVE(share_range_tree, &sp->ranges, r);
	mem_free(r);
	sp->ranges_n--;
	e->counts.state_ranges--;
}

/* ---- holders ---- */

struct share_holder *share_holder_get(struct share_partition *sp, struct share_owner *o)
{
	struct share_holder key = {.sp = sp, .duration_ms = sp->g->cfg.record_lock_duration_ms}, *h;

	h = RB_FIND(share_holder_tree, &o->holders, &key);
	if (h)
		return h;
	h = mem_zalloc(1, sizeof(*h));
	h->owner = o;
	h->sp = sp;
	h->duration_ms = key.duration_ms;
	TAILQ_INIT(&h->ranges);
	RB_INSERT(share_holder_tree, &o->holders, h);
	LIST_INSERT_HEAD(&sp->holders, h, in_partition);
	return h;
}

/* The owner may be left without anything: see share_owner_put. */
void share_holder_free(struct share_engine *e, struct share_holder *h)
{
	sl_assert(TAILQ_EMPTY(&h->ranges));
	share_deadline_clear(e, &h->lock);
	RB_REMOVE(share_holder_tree, &h->owner->holders, h);
	LIST_REMOVE(h, in_partition);
	if (h->idle)
		LIST_REMOVE(h, idle_link);
	mem_free(h);
}

void share_holder_reap_idle(struct share_engine *e)
{
	struct share_holder *h;

	while ((h = LIST_FIRST(&e->idle_holders))) {
		struct share_owner *o = h->owner;

		LIST_REMOVE(h, idle_link);
		h->idle = false;
		if (TAILQ_EMPTY(&h->ranges) && !o->sessions) {
			share_holder_free(e, h);
			share_owner_put(e, o);
		}
	}
}
