/* SPDX-License-Identifier: Apache-2.0 */
/* A share-partition: where it starts and ends, what of it is available, and what of its changes has to be written. */
#include <stdlib.h>

#include "engine.h"

static int share_partition_cmp(const struct share_partition *a, const struct share_partition *b)
{
	int d = uuid_cmp(a->topic->id, b->topic->id);

	return d ? d : (a->partition > b->partition) - (a->partition < b->partition);
}

RB_GENERATE(share_partition_tree, share_partition, in_group, share_partition_cmp)

/* ---- life ---- */

static void partition_persist_whole(struct share_engine *e, struct share_partition *sp);

struct share_partition *share_partition_find(struct share_group *g, struct uuid topic_id, int32_t partition)
{
	struct share_topic t = {.id = topic_id};
	struct share_partition key = {.topic = &t, .partition = partition};

	return RB_FIND(share_partition_tree, &g->sps, &key);
}

struct share_partition *share_partition_get(
	struct share_engine *e, struct share_group *g, struct share_topic *t, int32_t partition)
{
	struct share_partition *sp = share_partition_find(g, t->id, partition);

	if (sp)
		return sp;
	sp = mem_zalloc(1, sizeof(*sp));
	sp->g = g;
	sp->topic = t;
	sp->partition = partition;
	sp->serial = ++e->serial;
	sp->start = sp->end = 0;
	sp->stalled_at = INT64_MIN;
	RB_INIT(&sp->ranges);
	RB_INIT(&sp->available);
	LIST_INIT(&sp->holders);
	LIST_INIT(&sp->sessions);
	TAILQ_INIT(&sp->waiters);
	sp->need[0].sp = sp->need[1].sp = sp;
	RB_INSERT(share_partition_tree, &g->sps, sp);
	LIST_INSERT_HEAD(&t->sps, sp, in_topic);
	e->counts.share_partitions++;
	return sp;
}

/* Frees all ranges and the holders that had nothing else; the offsets stay. */
void share_partition_clear(struct share_engine *e, struct share_partition *sp)
{
	struct share_range *r;
	struct share_holder *h;

	while ((r = RB_MIN(share_range_tree, &sp->ranges)))
		share_range_free(e, sp, r);
	while ((h = LIST_FIRST(&sp->holders))) {
		struct share_owner *o = h->owner;

		share_holder_free(e, h);
		share_owner_put(e, o);
	}
	sp->notes_n = 0;
	sp->start_moved = false;
}

void share_partition_put(struct share_engine *e, struct share_partition *sp)
{
	struct share_topic *t = sp->topic;

	if (sp->stored || sp->phase != SHARE_PARTITION_UNKNOWN || !LIST_EMPTY(&sp->sessions))
		return;
	share_partition_clear(e, sp);
	share_log_detach(e, sp);
	share_deadline_clear(e, &sp->resolve);
	if (sp->hot)
		TAILQ_REMOVE(&e->hot, sp, hot_link);
	if (sp->dirty)
		TAILQ_REMOVE(&e->dirty, sp, dirty_link);
	RB_REMOVE(share_partition_tree, &sp->g->sps, sp);
	LIST_REMOVE(sp, in_topic);
	mem_free(sp->notes);
	mem_free(sp);
	e->counts.share_partitions--;
	share_topic_put(e, t);
}

void share_partition_start(struct share_engine *e, struct share_partition *sp, int64_t start)
{
	share_partition_clear(e, sp);
	share_deadline_clear(e, &sp->resolve);
	share_log_need_none(sp, 0);
	share_log_need_none(sp, 1);
	sp->phase = SHARE_PARTITION_READY;
	sp->stored = true;
	sp->asked = false;
	sp->handed_out = false;
	share_log_start_changed(e, sp, start);
	sp->end = start;
	if (!sp->log && !LIST_EMPTY(&sp->sessions))
		share_log_attach(e, sp);
	partition_persist_whole(e, sp);
	share_partition_heat(e, sp);
}

void share_partition_delete(struct share_engine *e, struct share_partition *sp)
{
	struct share_effect *fx;

	share_partition_clear(e, sp);
	share_log_detach(e, sp);
	share_deadline_clear(e, &sp->resolve);
	if (sp->stored) {
		fx = share_group_change(e, sp->g, SHARE_CHANGE_PARTITION_DELETED);
		fx->u.change.u.partition.topic_id = sp->topic->id;
		fx->u.change.u.partition.topic_name = share_fx_copy(e, sp->topic->name->name);
		fx->u.change.u.partition.partition = sp->partition;
	}
	sp->stored = false;
	sp->asked = false;
	sp->handed_out = false;
	sp->phase = SHARE_PARTITION_UNKNOWN;
	sp->start = sp->end = 0;
}

/* ---- what is available: the one place that decides ---- */

/* Records in flight are those that are handed out or came back; where the span counts, everything from the first of
 * them to the last, done or not. */
int64_t share_partition_room(const struct share_partition *sp)
{
	int64_t locks = sp->g->cfg.partition_max_record_locks;

	if (sp->g->cfg.record_locks_span)
		return locks - (sp->end - sp->start);
	return locks - sp->held_n - sp->available_n;
}

static bool ranges_are_many(const struct share_partition *sp)
{
	return (int64_t)sp->ranges_n >= (int64_t)sp->g->cfg.partition_max_record_locks * SHARE_RANGES_PER_LOCK;
}

/* What may be handed to this owner from this offset on, lowest first: records that came back, then new ones as long as
 * fewer records are in flight than the group allows; nothing while the lease is closed. False: nothing. */
bool share_partition_available(const struct share_engine *e, const struct share_partition *sp,
	const struct share_owner *o, int64_t from, struct share_candidate *ret)
{
	struct share_range *r;

	(void)o; /* every member may have every record */
	if (sp->phase != SHARE_PARTITION_READY || !share_lease_is_open(e, sp->g->state_partition))
		return false;
	r = share_range_first_available(sp, from);
	if (r) {
		*ret = (struct share_candidate){r->first > from ? r->first : from, r->last, r->count, false};
		return true;
	}
	if (from > sp->end || share_partition_room(sp) <= 0 || ranges_are_many(sp))
		return false;
	*ret = (struct share_candidate){sp->end, INT64_MAX - 1, 0, true};
	return true;
}

void share_partition_heat(struct share_engine *e, struct share_partition *sp)
{
	if (sp->hot || TAILQ_EMPTY(&sp->waiters))
		return;
	sp->hot = true;
	TAILQ_INSERT_TAIL(&e->hot, sp, hot_link);
}

/* ---- moving the start ---- */

void share_partition_trim(struct share_engine *e, struct share_partition *sp)
{
	struct share_range *r;
	int64_t start = sp->start;

	while ((r = RB_MIN(share_range_tree, &sp->ranges)) && share_state_is_done(r->state)) {
		start = r->last + 1;
		share_range_free(e, sp, r);
	}
	if (start == sp->start)
		return;
	share_log_start_changed(e, sp, start);
	sp->start_moved = true;
	if (!sp->dirty) {
		sp->dirty = true;
		TAILQ_INSERT_TAIL(&e->dirty, sp, dirty_link);
	}
}

/* Records below the log's start are gone: done, whoever held them. */
void share_partition_log_start(struct share_engine *e, struct share_partition *sp, int64_t log_start)
{
	struct share_range *r;

	if (sp->phase != SHARE_PARTITION_READY || log_start <= sp->start)
		return;
	while ((r = RB_MIN(share_range_tree, &sp->ranges)) && r->first < log_start) {
		if (r->last >= log_start)
			share_range_split(e, sp, r, log_start);
		share_range_free(e, sp, r);
	}
	if (sp->end < log_start)
		sp->end = log_start;
	share_log_start_changed(e, sp, log_start);
	sp->start_moved = true;
	if (!sp->dirty) {
		sp->dirty = true;
		TAILQ_INSERT_TAIL(&e->dirty, sp, dirty_link);
	}
	share_partition_trim(e, sp);
	share_partition_heat(e, sp);
}

/* The log ends below what was handed out (unclean leader election): what is written there from now on is new, so its
 * old state goes. This and AlterShareGroupOffsets are the only ways for the start to go back. */
void share_partition_truncate(struct share_engine *e, struct share_partition *sp, int64_t log_end)
{
	struct share_range *r;

	if (sp->phase != SHARE_PARTITION_READY || sp->end <= log_end)
		return;
	while ((r = RB_MAX(share_range_tree, &sp->ranges)) && r->last >= log_end) {
		if (r->first < log_end) {
			share_range_split(e, sp, r, log_end);
			r = RB_MAX(share_range_tree, &sp->ranges);
		}
		share_range_free(e, sp, r);
	}
	sp->end = log_end;
	if (sp->start > log_end)
		share_log_start_changed(e, sp, log_end);
	share_log_need_none(sp, 1);
	partition_persist_whole(e, sp);
	share_partition_heat(e, sp);
}

/* ---- locks that end ---- */

/* A held range comes back: to be delivered again, or for good when it was delivered often enough. */
static void range_return(struct share_engine *e, struct share_partition *sp, struct share_range *r)
{
	bool last = r->count >= sp->g->cfg.delivery_count_limit;

	share_range_set(e, sp, r, last ? SHARE_ARCHIVED : SHARE_AVAILABLE, r->count, NULL, 0);
	share_partition_note(e, sp, r->first, r->last, r->state, r->count);
	(void)share_range_merge(e, sp, r);
}

void share_partition_release_holder(struct share_engine *e, struct share_holder *h)
{
	struct share_partition *sp = h->sp;
	struct share_range *r;

	while ((r = TAILQ_FIRST(&h->ranges)))
		range_return(e, sp, r);
	share_partition_trim(e, sp);
	share_partition_heat(e, sp);
}

/* Takes from *work for each range; what is left when that is used up stays due. */
void share_partition_locks_expired(struct share_engine *e, struct share_holder *h, int64_t *work)
{
	struct share_partition *sp = h->sp;
	struct share_range *r;

	while (*work > 0 && (r = TAILQ_FIRST(&h->ranges)) && r->u.held.until <= e->now) {
		(*work)--;
		e->counts.lock_timeouts += (uint64_t)(r->last - r->first + 1);
		range_return(e, sp, r);
	}
	share_partition_trim(e, sp);
	share_partition_heat(e, sp);
}

/* Locks that have run out but were not come to yet: before their owner acts on them. */
void share_partition_expire_owner(struct share_engine *e, struct share_partition *sp, struct share_owner *o)
{
	struct share_holder key = {.sp = sp, .duration_ms = INT32_MIN}, *h;
	int64_t work = INT64_MAX;

	for (h = RB_NFIND(share_holder_tree, &o->holders, &key); h && h->sp == sp;
		h = RB_NEXT(share_holder_tree, &o->holders, h))
		share_partition_locks_expired(e, h, &work);
}

/* ---- writing ---- */

void share_partition_note(
	struct share_engine *e, struct share_partition *sp, int64_t first, int64_t last, uint8_t state, int16_t count)
{
	struct share_state_range *n = sp->notes_n ? &sp->notes[sp->notes_n - 1] : NULL;

	if (!sp->dirty) {
		sp->dirty = true;
		TAILQ_INSERT_TAIL(&e->dirty, sp, dirty_link);
	}
	if (n && n->last + 1 == first && n->state == (enum share_record_state)state && n->delivery_count == count) {
		n->last = last;
		return;
	}
	sp->notes = share_grow(sp->notes, &sp->notes_cap, sp->notes_n + 1, sizeof(*sp->notes));
	sp->notes[sp->notes_n++] = (struct share_state_range){first, last, (enum share_record_state)state, count};
}

static int note_cmp(const void *a, const void *b)
{
	const struct share_state_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Brings the notes into the order of a change: ascending, at or above the start, equal neighbours joined. */
static uint32_t notes_settle(struct share_partition *sp)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < sp->notes_n; i++) {
		if (sp->notes[i].first < sp->notes[i - 1].first) {
			qsort(sp->notes, sp->notes_n, sizeof(*sp->notes), note_cmp);
			break;
		}
	}
	for (uint32_t i = 0; i < sp->notes_n; i++) {
		struct share_state_range r = sp->notes[i];
		struct share_state_range *p = n ? &sp->notes[n - 1] : NULL;

		if (r.last < sp->start)
			continue;
		if (r.first < sp->start)
			r.first = sp->start;
		sl_assert(!p || p->last < r.first);
		if (p && p->last + 1 == r.first && p->state == r.state && p->delivery_count == r.delivery_count)
			p->last = r.last;
		else
			sp->notes[n++] = r;
	}
	return n;
}

static struct share_effect *partition_change(
	struct share_engine *e, struct share_partition *sp, enum share_change_type type)
{
	struct share_effect *fx = share_group_change(e, sp->g, type);
	struct share_partition_state *st = &fx->u.change.u.partition;

	st->topic_id = sp->topic->id;
	st->topic_name = share_fx_copy(e, sp->topic->name->name);
	st->partition = sp->partition;
	return fx;
}

void share_partition_flush(struct share_engine *e, struct share_partition *sp)
{
	uint32_t n = notes_settle(sp);
	struct share_state_range *ranges;
	struct share_effect *fx;

	if (n || sp->start_moved) {
		fx = partition_change(e, sp, SHARE_CHANGE_RECORDS);
		fx->u.change.u.partition.start_offset = sp->start_moved ? sp->start : -1;
		ranges = share_fx_alloc(e, n, sizeof(*ranges));
		if (n)
			memcpy(ranges, sp->notes, n * sizeof(*ranges));
		fx->u.change.u.partition.ranges = ranges;
		fx->u.change.u.partition.ranges_n = n;
	}
	sp->notes_n = 0;
	sp->start_moved = false;
	mem_free(sp->notes); /* most partitions are idle most of the time */
	sp->notes = NULL;
	sp->notes_cap = 0;
}

/* What the log knows of a range: nothing of an acquisition. */
static bool range_as_stored(const struct share_range *r, struct share_state_range *ret)
{
	*ret = (struct share_state_range){r->first, r->last, (enum share_record_state)r->state, r->count};
	if (r->state == SHARE_ACQUIRED) {
		ret->state = SHARE_AVAILABLE;
		ret->delivery_count--;
	}
	return ret->state != SHARE_AVAILABLE || ret->delivery_count > 0;
}

const struct share_state_range *share_partition_ranges(
	const struct share_partition *sp, struct arena *a, uint32_t *ret_n)
{
	struct share_state_range *v = arena_zalloc(a, sp->ranges_n, sizeof(*v)), s;
	struct share_range *r;
	uint32_t n = 0;

	*ret_n = 0;
	if (!v)
		return NULL;
	for (r = RB_MIN(share_range_tree, (struct share_range_tree *)(uintptr_t)&sp->ranges); r;
		r = share_range_next(r)) {
		if (!range_as_stored(r, &s))
			continue;
		if (n && v[n - 1].last + 1 == s.first && v[n - 1].state == s.state &&
			v[n - 1].delivery_count == s.delivery_count)
			v[n - 1].last = s.last;
		else
			v[n++] = s;
	}
	*ret_n = n;
	return v;
}

static void partition_persist_whole(struct share_engine *e, struct share_partition *sp)
{
	struct share_effect *fx = partition_change(e, sp, SHARE_CHANGE_PARTITION);
	struct share_partition_state *st = &fx->u.change.u.partition;

	st->start_offset = sp->start;
	st->ranges = share_partition_ranges(sp, &e->fx->arena, &st->ranges_n);
	sl_assert(st->ranges);
	sp->notes_n = 0;
	sp->start_moved = false;
}

/* ---- why nothing is handed out ---- */

static const struct {
	const char *name, *text;
} stalled_reasons[] = {
#define STALLED_ROW(id, name, text) {name, text},
	SHARE_STALLED_REASONS(STALLED_ROW)
#undef STALLED_ROW
};

const char *share_stalled_reason_name(enum share_stalled_reason r)
{
	return stalled_reasons[r].name;
}

/* False: it is not stalled, there is just no record. */
static bool stalled_reason(
	const struct share_engine *e, const struct share_partition *sp, enum share_stalled_reason *ret)
{
	const struct share_log *l = sp->log;
	struct share_candidate c;

	if (sp->phase != SHARE_PARTITION_READY)
		*ret = SHARE_STALLED_START_OFFSET;
	else if (!share_lease_is_open(e, sp->g->state_partition))
		*ret = SHARE_STALLED_LEASE;
	else if (!share_partition_available(e, sp, NULL, sp->start, &c))
		*ret = share_partition_room(sp) > 0   ? SHARE_STALLED_FRAGMENTED
		       : sp->g->cfg.record_locks_span ? SHARE_STALLED_OFFSET_SPAN
						      : SHARE_STALLED_RECORD_LOCKS;
	else if (l && l->backoff_ms)
		*ret = SHARE_STALLED_READ;
	else if (l && l->key.read_committed && c.first >= l->last_stable_offset &&
		 l->last_stable_offset < l->high_watermark)
		*ret = SHARE_STALLED_TRANSACTION;
	else
		return false;
	return true;
}

void share_partition_report_stalled(struct share_engine *e, struct share_partition *sp)
{
	enum share_stalled_reason reason;
	struct share_effect *fx;

	if (!stalled_reason(e, sp, &reason))
		return;
	e->counts.stalled_fetches[reason]++;
	if (sp->stalled_at != INT64_MIN && e->now - sp->stalled_at < SHARE_STALLED_EVERY_MS)
		return;
	sp->stalled_at = e->now;
	fx = share_emit(e, SHARE_FX_STALLED);
	fx->state_partition = sp->g->state_partition;
	fx->u.stalled.group_id = share_fx_copy(e, sp->g->id);
	fx->u.stalled.topic_name = share_fx_copy(e, sp->topic->name->name);
	fx->u.stalled.partition = sp->partition;
	fx->u.stalled.reason = stalled_reasons[reason].text;
}
