/* SPDX-License-Identifier: Apache-2.0 */
/* Handing out records: what is available is matched with the batches that are kept, batch by batch, within the
 * request's limits. */
#include "engine.h"

/* One partition while it is gone through. */
struct acquire {
	struct share_engine *e;
	struct share_session_partition *p;
	struct share_partition *sp;
	struct share_owner *owner;
	struct share_budget *b;
	struct share_grab *g;
	struct share_kept *last_batch; /* the last one put into the answer */
	bool missed[2];
	int64_t taken;        /* records, so far */
	bool suspect;         /* records that were delivered often without success are handed out */
	int64_t suspect_last; /* ... nothing behind this offset, which ends their batch */
	int64_t suspect_left; /* ... and so many at most */
};

static bool budget_is_spent(const struct share_budget *b)
{
	return b->records <= 0 || (b->any && b->bytes <= 0);
}

/* Offsets without a record are done by themselves: nobody must ever be handed one. */
static void acquire_archive(struct acquire *a, const struct share_candidate *c, int64_t last)
{
	struct share_range *r;

	if (c->is_new) {
		r = share_range_append(a->e, a->sp, last, SHARE_ARCHIVED, 0, NULL, 0);
	} else {
		r = share_range_at(a->sp, c->first);
		if (r->first < c->first) {
			share_range_split(a->e, a->sp, r, c->first);
			r = share_range_next(r);
		}
		if (r->last > last)
			share_range_split(a->e, a->sp, r, last + 1);
		share_range_set(a->e, a->sp, r, SHARE_ARCHIVED, 0, NULL, 0);
	}
	share_partition_note(a->e, a->sp, c->first, last, SHARE_ARCHIVED, 0);
	(void)share_range_merge(a->e, a->sp, r);
}

static void acquire_lock(struct acquire *a, const struct share_candidate *c, int64_t last)
{
	struct share_holder *h = share_holder_get(a->sp, a->owner);
	int64_t until = a->e->now + h->duration_ms;
	int16_t count = c->count < INT16_MAX ? (int16_t)(c->count + 1) : INT16_MAX;
	struct share_range *r;

	h->node_id = a->p->s->node->id;
	a->sp->handed_out = true;
	if (c->is_new) {
		r = share_range_append(a->e, a->sp, last, SHARE_ACQUIRED, count, h, until);
	} else {
		r = share_range_at(a->sp, c->first);
		if (r->first < c->first) {
			share_range_split(a->e, a->sp, r, c->first);
			r = share_range_next(r);
		}
		if (r->last > last)
			share_range_split(a->e, a->sp, r, last + 1);
		share_range_set(a->e, a->sp, r, SHARE_ACQUIRED, count, h, until);
	}
	(void)share_range_merge(a->e, a->sp, r);
	a->e->counts.acquired_records += (uint64_t)(last - c->first + 1);
}

/* Adds first..last to the answer's list: joined to the range before where that is allowed. */
static void acquire_list(struct acquire *a, int64_t first, int64_t last, int16_t count)
{
	struct share_engine *e = a->e;
	struct share_acquired *prev = a->g->acquired_n ? &e->acquired[e->acquired_n - 1] : NULL;
	bool joins = prev && prev->last + 1 == first && prev->delivery_count == count;

	if (joins && !a->b->record_limit && a->b->batch_size > 0 && prev->last - prev->first + 1 >= a->b->batch_size)
		joins = false;
	if (joins) {
		prev->last = last;
		return;
	}
	e->acquired = share_grow(e->acquired, &e->acquired_cap, e->acquired_n + 1, sizeof(*e->acquired));
	e->acquired[e->acquired_n++] = (struct share_acquired){first, last, count};
	a->g->acquired_n++;
}

static void acquire_batch(struct acquire *a, struct share_kept *k)
{
	struct share_engine *e = a->e;

	if (a->last_batch == k)
		return;
	e->refs = share_grow(e->refs, &e->refs_cap, e->refs_n + 1, sizeof(*e->refs));
	e->refs[e->refs_n++] = k->ref;
	a->g->refs_n++;
	a->b->bytes -= (int64_t)k->size;
	a->last_batch = k;
	share_kept_use(e, k);
}

/* ---- suspect records ---- */

/* The record that a batch always fails for must not drag the rest of it to the delivery limit: from half of the limit
 * on fewer and fewer of the batch are delivered together, and for the last time each record alone. A batch is what
 * stands together with the same count, at least what was produced together. */
static void suspect_begin(struct acquire *a, const struct share_candidate *c, const struct share_kept *k, int32_t from)
{
	const struct share_range *r = share_range_at(a->sp, c->first);
	int64_t first = r->first < k->base ? r->first : k->base, last = r->last > k->last ? r->last : k->last;
	int32_t shift = c->count - from + 1;
	int64_t n = shift < 63 ? (last - first + 1) >> shift : 0;

	a->suspect = true;
	a->suspect_last = last;
	a->suspect_left = n > 1 ? n : 1;
	if (!a->g->acquired_n)
		return;
	if (a->e->acquired[a->g->acquired].first < first)
		a->suspect_left = 0; /* another batch goes first, this one leads the next answer */
	else
		a->suspect_left -= a->taken;
}

/* Cuts the candidate down to what may be delivered together; false: nothing more of this partition now. */
static bool suspect_allows(struct acquire *a, struct share_candidate *c, const struct share_kept *k)
{
	int32_t limit = a->sp->g->cfg.delivery_count_limit, from = (limit + 1) / 2;
	int64_t most;

	if (from < 2)
		from = 2;
	if (!a->suspect && (c->is_new || c->count < from))
		return true;
	if (!a->suspect)
		suspect_begin(a, c, k, from);
	if (c->is_new || a->suspect_left <= 0 || c->first > a->suspect_last)
		return false;
	if (limit > 2 && c->count >= limit - 1) {
		if (a->g->acquired_n)
			return false;
		a->suspect_left = 1;
	}
	most = c->first + a->suspect_left - 1;
	if (most > a->suspect_last)
		most = a->suspect_last;
	if (c->last > most)
		c->last = most;
	return true;
}

/* ---- going through a partition ---- */

/* Takes what it may of candidate c from batch k; returns the offset to go on from, or -1: the budget is spent. */
static int64_t acquire_from_batch(struct acquire *a, const struct share_candidate *c, struct share_kept *k)
{
	int64_t hole_last = k->has_records ? k->base - 1 : k->last;
	int64_t last = c->last < k->last ? c->last : k->last, room;

	if (c->first <= hole_last) {
		if (last > hole_last)
			last = hole_last;
		acquire_archive(a, c, last);
		return last + 1;
	}
	if (a->last_batch != k && a->b->any && k->size > a->b->bytes)
		return -1;
	if (a->b->record_limit) {
		room = a->b->records;
		if (c->is_new && room > share_partition_room(a->sp))
			room = share_partition_room(a->sp);
		if (last - c->first + 1 > room)
			last = c->first + room - 1;
	}
	acquire_batch(a, k);
	acquire_lock(a, c, last);
	acquire_list(a, c->first, last, (int16_t)(c->count + 1));
	a->b->records -= last - c->first + 1;
	a->b->any = true;
	a->taken += last - c->first + 1;
	a->suspect_left -= last - c->first + 1;
	return last + 1;
}

/* The candidate is not kept: asks for it; returns where kept data goes on, or -1. */
static int64_t acquire_missed(struct acquire *a, const struct share_candidate *c)
{
	uint32_t which = c->is_new ? 1 : 0;
	struct share_kept *k;

	if (!a->missed[which] && !(which == 0 && share_log_need_is_coming(a->sp, which)))
		share_log_need(a->e, a->sp, which, c->first);
	a->missed[which] = true;
	if (c->is_new)
		return -1;
	k = share_kept_after(a->sp->log, c->first);
	return k && k->cover_first < a->sp->end ? k->cover_first : a->sp->end;
}

static void acquire_walk(struct acquire *a)
{
	struct share_partition *sp = a->sp;
	struct share_candidate c;
	int64_t from = sp->start;

	while (!budget_is_spent(a->b) && share_partition_available(a->e, sp, a->owner, from, &c)) {
		struct share_kept *k = share_kept_at(sp->log, c.first);

		if (k && k->has_records && c.first >= k->base && !suspect_allows(a, &c, k))
			break;
		from = k ? acquire_from_batch(a, &c, k) : acquire_missed(a, &c);
		if (from < 0)
			break;
	}
}

/* Acquires for the session what it may have of one partition; true: something was, the engine's last grab tells what.
 * Offsets that are not kept are asked for. */
bool share_acquire(struct share_engine *e, struct share_session_partition *p, struct share_budget *b)
{
	struct share_partition *sp = p->sp;
	struct acquire a = {.e = e, .p = p, .sp = sp, .owner = p->s->owner, .b = b};

	if (!sp || !sp->log || budget_is_spent(b))
		return false;
	if (sp->dirty)
		share_flush(e); /* what is archived here must not meet an older note of the same offset */
	e->grabs = share_grow(e->grabs, &e->grabs_cap, e->grabs_n + 1, sizeof(*e->grabs));
	a.g = &e->grabs[e->grabs_n];
	*a.g = (struct share_grab){p, e->acquired_n, 0, e->refs_n, 0};
	sp->log->fetched_at = e->now;
	share_log_heat(e, sp->log);
	acquire_walk(&a);
	if (!a.missed[0])
		share_log_need_none(sp, 0);
	if (!a.missed[1])
		share_log_need_none(sp, 1);
	share_partition_trim(e, sp);
	if (!a.g->acquired_n)
		return false;
	e->grabs_n++;
	sp->served = e->step;
	return true;
}

/* Bytes of the kept batches from offset on that follow each other without a gap, counted up to enough. */
static int64_t kept_run_bytes(const struct share_log *l, int64_t offset, int64_t enough)
{
	struct share_kept *k = share_kept_at(l, offset);
	int64_t bytes = 0;

	while (k && bytes < enough && k->cover_first <= offset) {
		if (k->has_records)
			bytes += (int64_t)k->size;
		offset = k->last + 1;
		k = RB_NEXT(share_kept_tree, NULL, k);
	}
	return bytes;
}

/* Bytes that could be handed out now without waiting for the cluster, counted up to enough. */
int64_t share_acquire_bytes(const struct share_engine *e, const struct share_partition *sp, int64_t enough)
{
	const struct share_kept *k, *counted = NULL;
	struct share_candidate c;
	int64_t from = sp->start, bytes = 0;

	if (!sp->log)
		return 0;
	while (bytes < enough && share_partition_available(e, sp, NULL, from, &c)) {
		if (c.is_new)
			return bytes + kept_run_bytes(sp->log, c.first, enough - bytes);
		k = share_kept_after(sp->log, c.first);
		if (!k) {
			from = sp->end;
		} else if (k->cover_first > c.first) {
			from = k->cover_first < sp->end ? k->cover_first : sp->end;
		} else {
			if (k->has_records && k != counted)
				bytes += (int64_t)k->size;
			counted = k;
			from = (k->last < c.last ? k->last : c.last) + 1;
		}
	}
	return bytes;
}
