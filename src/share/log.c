/* SPDX-License-Identifier: Apache-2.0 */
/* What is read from a partition's log for all groups of one isolation level: who needs which offset, what is asked for,
 * what came. */
#include "engine.h"

static int share_log_cmp(const struct share_log *a, const struct share_log *b)
{
	int d = uuid_cmp(a->key.topic_id, b->key.topic_id);

	if (d)
		return d;
	if (a->key.partition != b->key.partition)
		return a->key.partition < b->key.partition ? -1 : 1;
	return (int)a->key.read_committed - (int)b->key.read_committed;
}

static int share_log_partition_cmp(const struct share_partition *a, const struct share_partition *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->serial > b->serial) - (a->serial < b->serial);
}

static int share_need_cmp(const struct share_need *a, const struct share_need *b)
{
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->sp->serial != b->sp->serial)
		return a->sp->serial < b->sp->serial ? -1 : 1;
	return (a > b) - (a < b); /* two of the same partition: any fixed order */
}

RB_GENERATE(share_log_tree, share_log, by_key, share_log_cmp)
RB_GENERATE(share_log_partition_tree, share_partition, in_log, share_log_partition_cmp)
RB_GENERATE(share_need_tree, share_need, by_offset, share_need_cmp)

/* ---- who uses a log ---- */

void share_log_attach(struct share_engine *e, struct share_partition *sp)
{
	struct share_log key = {.key = {sp->topic->id, sp->partition, sp->g->cfg.read_committed}}, *l;

	if (sp->log || sp->phase != SHARE_PARTITION_READY)
		return;
	l = RB_FIND(share_log_tree, &e->logs, &key);
	if (!l) {
		l = mem_zalloc(1, sizeof(*l));
		l->key = key.key;
		l->fetched_at = INT64_MIN / 2;
		l->high_watermark = l->last_stable_offset = -1;
		RB_INIT(&l->sps);
		RB_INIT(&l->needs);
		RB_INIT(&l->kept);
		RB_INIT(&l->stretches);
		RB_INSERT(share_log_tree, &e->logs, l);
	}
	sp->log = l;
	RB_INSERT(share_log_partition_tree, &l->sps, sp);
	if (!TAILQ_EMPTY(&sp->waiters))
		l->waiting++;
}

static void log_free_if_unused(struct share_engine *e, struct share_log *l)
{
	if (!RB_EMPTY(&l->sps))
		return;
	share_kept_drop_below(e, l, INT64_MAX);
	share_deadline_clear(e, &l->retry);
	if (l->wants_n) /* its answers are still to come */
		return;
	if (l->hot)
		TAILQ_REMOVE(&e->hot_logs, l, hot_link);
	RB_REMOVE(share_log_tree, &e->logs, l);
	mem_free(l);
}

void share_log_detach(struct share_engine *e, struct share_partition *sp)
{
	struct share_log *l = sp->log;

	if (!l)
		return;
	share_log_need_none(sp, 0);
	share_log_need_none(sp, 1);
	RB_REMOVE(share_log_partition_tree, &l->sps, sp);
	if (!TAILQ_EMPTY(&sp->waiters))
		l->waiting--;
	sp->log = NULL;
	log_free_if_unused(e, l);
}

/* The only writer of a start offset: what no group can need any more is given back. */
void share_log_start_changed(struct share_engine *e, struct share_partition *sp, int64_t new_start)
{
	struct share_log *l = sp->log;
	bool was_lowest;

	if (!l) {
		sp->start = new_start;
		return;
	}
	was_lowest = RB_MIN(share_log_partition_tree, &l->sps) == sp;
	RB_REMOVE(share_log_partition_tree, &l->sps, sp);
	sp->start = new_start;
	RB_INSERT(share_log_partition_tree, &l->sps, sp);
	if (was_lowest)
		share_kept_drop_below(e, l, RB_MIN(share_log_partition_tree, &l->sps)->start);
}

void share_log_waiting(struct share_engine *e, struct share_partition *sp, bool waiting)
{
	struct share_log *l = sp->log;

	if (!l)
		return;
	if (waiting) {
		l->waiting++;
		share_log_heat(e, l);
	} else {
		l->waiting--;
	}
}

void share_log_heat(struct share_engine *e, struct share_log *l)
{
	if (l->hot)
		return;
	l->hot = true;
	TAILQ_INSERT_TAIL(&e->hot_logs, l, hot_link);
}

/* ---- what is needed and asked for ---- */

void share_log_need(struct share_engine *e, struct share_partition *sp, uint32_t which, int64_t offset)
{
	struct share_need *n = &sp->need[which];

	if (!n->linked || n->offset != offset) {
		share_log_need_none(sp, which);
		n->offset = offset;
		n->linked = true;
		RB_INSERT(share_need_tree, &sp->log->needs, n);
	}
	share_log_heat(e, sp->log);
}

void share_log_need_none(struct share_partition *sp, uint32_t which)
{
	struct share_need *n = &sp->need[which];

	if (!n->linked)
		return;
	RB_REMOVE(share_need_tree, &sp->log->needs, n);
	n->linked = false;
}

static bool log_wants(const struct share_log *l, int64_t offset)
{
	for (uint32_t i = 0; i < l->wants_n; i++) {
		if (l->wants[i].offset == offset)
			return true;
	}
	return false;
}

bool share_log_need_is_coming(const struct share_partition *sp, uint32_t which)
{
	return sp->need[which].linked && log_wants(sp->log, sp->need[which].offset);
}

/* Bytes of one fetch: large enough to be worth it, small enough that many logs fit under the ceiling. */
static int32_t want_bytes(const struct share_engine *e)
{
	int64_t n = e->cfg.read_ahead_max_bytes / 8;

	if (n < 1024 * 1024)
		n = 1024 * 1024;
	return n < e->cfg.fetch_max_bytes ? (int32_t)n : e->cfg.fetch_max_bytes;
}

static void log_want(struct share_engine *e, struct share_log *l, int64_t offset)
{
	struct share_effect *fx = share_emit(e, SHARE_FX_WANT_RECORDS);

	fx->u.want.log = l->key;
	fx->u.want.offset = offset;
	fx->u.want.max_bytes = want_bytes(e);
	l->wants[l->wants_n].offset = offset;
	l->wants[l->wants_n++].since = e->now;
}

static struct share_need *need_from(const struct share_log *l, int64_t offset)
{
	struct share_need *n = RB_ROOT(&l->needs), *best = NULL;

	while (n) {
		if (n->offset >= offset) {
			best = n;
			n = RB_LEFT(n, by_offset);
		} else {
			n = RB_RIGHT(n, by_offset);
		}
	}
	return best;
}

/* The next offset that somebody needs and nobody has asked for, in turn, so that none is passed over for ever. */
static bool log_next_need(struct share_log *l, int64_t *ret)
{
	int64_t from = l->next_need;
	bool wrapped = false;

	/* every offset that is skipped here is on its way already: at most SHARE_LOG_WANTS_MAX of them, met at most
	 * twice */
	for (uint32_t i = 0; i <= 2 * SHARE_LOG_WANTS_MAX + 1; i++) {
		struct share_need *n = need_from(l, from);

		if (!n) {
			if (wrapped)
				return false;
			wrapped = true;
			from = INT64_MIN;
			continue;
		}
		if (!log_wants(l, n->offset)) {
			*ret = n->offset;
			l->next_need = n->offset + 1;
			return true;
		}
		from = n->offset + 1;
	}
	return false;
}

/* Reads ahead of the partition that is furthest: what it will hand out next is there before it is asked for. */
static void log_read_ahead(struct share_engine *e, struct share_log *l)
{
	struct share_partition *sp = RB_MAX(share_log_partition_tree, &l->sps);
	int64_t edge, ahead, bytes = want_bytes(e);

	if (!sp)
		return;
	ahead = share_kept_ahead(l, sp->end, &edge);
	if (ahead < bytes && !log_wants(l, edge) && e->fresh_bytes + bytes <= e->cfg.read_ahead_max_bytes)
		log_want(e, l, edge);
}

void share_log_pump(struct share_engine *e, struct share_log *l)
{
	bool active = l->waiting || e->now - l->fetched_at < SHARE_LOG_ACTIVE_MS;
	uint32_t max = active ? SHARE_LOG_WANTS_MAX : 1;
	int64_t offset;

	if (RB_EMPTY(&l->sps) || l->retry.slot)
		return;
	while (l->wants_n < max && log_next_need(l, &offset))
		log_want(e, l, offset);
	if (active && l->wants_n < max)
		log_read_ahead(e, l);
}

static void log_back_off(struct share_engine *e, struct share_log *l)
{
	l->backoff_ms = l->backoff_ms ? l->backoff_ms * 2 : SHARE_LOG_BACKOFF_MIN_MS;
	if (l->backoff_ms > SHARE_LOG_BACKOFF_MAX_MS)
		l->backoff_ms = SHARE_LOG_BACKOFF_MAX_MS;
	share_deadline_set(e, &l->retry, SHARE_DL_LOG, e->now + l->backoff_ms);
}

/* ---- what came ---- */

/* Aborted transactions, as a consumer that reads committed records finds them: a producer's batches from the first
 * offset of an aborted transaction up to its marker. The producers whose transactions are open are kept in order. */
struct aborted_set {
	int64_t *producers;
	uint32_t n, next;
};

/* Where the producer is, or would be. */
static uint32_t aborted_place(const struct aborted_set *s, int64_t producer)
{
	uint32_t low = 0, high = s->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->producers[middle] < producer)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void aborted_open(struct aborted_set *s, const struct share_event *ev, int64_t up_to)
{
	while (s->next < ev->u.records.aborted_n && ev->u.records.aborted[s->next].first_offset <= up_to) {
		int64_t producer = ev->u.records.aborted[s->next++].producer_id;
		uint32_t i = aborted_place(s, producer);

		memmove(&s->producers[i + 1], &s->producers[i], (s->n - i) * sizeof(*s->producers));
		s->producers[i] = producer;
		s->n++;
	}
}

/* A marker ends the producer's transaction. */
static bool aborted_has(struct aborted_set *s, int64_t producer, bool is_marker)
{
	uint32_t i = aborted_place(s, producer);

	if (i == s->n || s->producers[i] != producer)
		return false;
	if (is_marker) {
		s->n--;
		memmove(&s->producers[i], &s->producers[i + 1], (s->n - i) * sizeof(*s->producers));
	}
	return true;
}

static void records_insert(struct share_engine *e, struct share_log *l, const struct share_event *ev, int64_t *ret_end)
{
	struct aborted_set aborted = {mem_zalloc(ev->u.records.aborted_n + 1, sizeof(int64_t)), 0, 0};
	int64_t lowest = RB_EMPTY(&l->sps) ? INT64_MAX : RB_MIN(share_log_partition_tree, &l->sps)->start;
	int64_t cover = ev->u.records.from_offset;

	for (uint32_t i = 0; i < ev->u.records.batches_n; i++) {
		const struct share_batch *b = &ev->u.records.batches[i];
		int64_t first = cover < b->base_offset ? cover : b->base_offset;
		bool has_records = !b->control && !b->empty;

		if (b->last_offset < b->base_offset || b->base_offset < 0 || b->last_offset == INT64_MAX ||
			(i && b->base_offset < cover)) {
			share_release(e, b->ref);
			continue;
		}
		if (l->key.read_committed && b->transactional) {
			aborted_open(&aborted, ev, b->last_offset);
			if (aborted_has(&aborted, b->producer_id, b->control))
				has_records = false;
		}
		cover = b->last_offset + 1;
		if (b->last_offset < lowest)
			share_release(e, b->ref);
		else
			share_kept_insert(e, l, b, first, has_records);
	}
	mem_free(aborted.producers);
	*ret_end = cover;
}

/* Partitions that waited for offsets in [from, end) may go on. */
static void records_wake(struct share_engine *e, struct share_log *l, int64_t from, int64_t end)
{
	struct share_need *n;

	while ((n = need_from(l, from)) && n->offset < end) {
		struct share_partition *sp = n->sp;

		share_log_need_none(sp, n == &sp->need[1] ? 1 : 0);
		share_partition_heat(e, sp);
	}
}

/* Nothing came for this offset: only who still waits goes on asking. */
static void records_drop_idle_needs(struct share_log *l, int64_t offset)
{
	struct share_need *n = need_from(l, offset), *next;

	for (; n && n->offset == offset; n = next) {
		next = RB_NEXT(share_need_tree, NULL, n);
		if (TAILQ_EMPTY(&n->sp->waiters))
			share_log_need_none(n->sp, n == &n->sp->need[1] ? 1 : 0);
	}
}

static void records_log_start(struct share_engine *e, struct share_log *l, int64_t log_start)
{
	struct share_partition *sp;

	while ((sp = RB_MIN(share_log_partition_tree, &l->sps)) && sp->start < log_start)
		share_partition_log_start(e, sp, log_start);
	share_kept_drop_below(e, l, log_start);
	records_wake(e, l, INT64_MIN, log_start);
}

/* The log was cut: partitions beyond its end go on from there. */
static void records_truncated(struct share_engine *e, struct share_log *l, int64_t log_end)
{
	struct share_partition *sp, *next;

	share_kept_drop_from(e, l, log_end);
	for (sp = RB_MIN(share_log_partition_tree, &l->sps); sp; sp = next) {
		next = RB_NEXT(share_log_partition_tree, NULL, sp); /* before sp moves: never forward */
		share_partition_truncate(e, sp, log_end);
	}
	records_wake(e, l, log_end + 1, INT64_MAX);
}

static void records_out_of_range(struct share_engine *e, struct share_log *l, const struct share_event *ev)
{
	int64_t from = ev->u.records.from_offset;

	if (ev->u.records.log_start_offset > from)
		records_log_start(e, l, ev->u.records.log_start_offset);
	else if (ev->u.records.high_watermark >= 0 && ev->u.records.high_watermark < from &&
		 ev->u.records.log_start_offset >= 0)
		records_truncated(e, l, ev->u.records.high_watermark);
	else
		log_back_off(e, l);
}

static void records_arrived(struct share_engine *e, struct share_log *l, const struct share_event *ev, int64_t since)
{
	int64_t from = ev->u.records.from_offset, end;
	int64_t limit = l->key.read_committed ? ev->u.records.last_stable_offset : ev->u.records.high_watermark;

	l->high_watermark = ev->u.records.high_watermark;
	l->last_stable_offset = ev->u.records.last_stable_offset;
	records_log_start(e, l, ev->u.records.log_start_offset);
	records_insert(e, l, ev, &end);
	if (end > from) {
		l->backoff_ms = 0;
		records_wake(e, l, from, end);
		return;
	}
	records_drop_idle_needs(l, from);
	if (limit > from && e->now - since < SHARE_LOG_POLL_MS)
		log_back_off(e, l); /* there should have been something, and it was not waited for */
	else
		l->backoff_ms = 0;
}

static bool log_want_done(struct share_log *l, int64_t offset, int64_t *ret_since)
{
	for (uint32_t i = 0; i < l->wants_n; i++) {
		if (l->wants[i].offset == offset) {
			*ret_since = l->wants[i].since;
			l->wants[i] = l->wants[--l->wants_n];
			return true;
		}
	}
	return false;
}

void share_log_records(struct share_engine *e, const struct share_event *ev)
{
	struct share_log key = {.key = ev->u.records.log}, *l;
	int64_t since = 0;

	l = RB_FIND(share_log_tree, &e->logs, &key);
	if (!l || !log_want_done(l, ev->u.records.from_offset, &since) || RB_EMPTY(&l->sps)) {
		for (uint32_t i = 0; i < ev->u.records.batches_n; i++)
			share_release(e, ev->u.records.batches[i].ref);
		if (l)
			log_free_if_unused(e, l);
		return;
	}
	share_log_heat(e, l);
	if (ev->u.records.error == SHARE_ERR_NONE) {
		records_arrived(e, l, ev, since);
		return;
	}
	for (uint32_t i = 0; i < ev->u.records.batches_n; i++)
		share_release(e, ev->u.records.batches[i].ref);
	if (ev->u.records.error == SHARE_ERR_OFFSET_OUT_OF_RANGE)
		records_out_of_range(e, l, ev);
	else
		log_back_off(e, l);
}

void share_log_start_told(struct share_engine *e, const struct share_event *ev)
{
	for (int i = 0; i < 2; i++) {
		struct share_log key = {.key = {ev->u.log_start.topic_id, ev->u.log_start.partition, i == 1}}, *l;

		l = RB_FIND(share_log_tree, &e->logs, &key);
		if (l)
			records_log_start(e, l, ev->u.log_start.offset);
	}
}
