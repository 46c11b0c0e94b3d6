/* SPDX-License-Identifier: Apache-2.0 */
/* What is read from the log is checked and understood here: all of it while following and loading, what others wrote
 * between our own afterwards. */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "internal.h"
#include "statelog/walk.h"

void statelog_replay_begin(struct statelog *l, enum statelog_read why)
{
	state_replay_free(l->replay);
	l->replay = state_replay_new(l->log_start);
	l->read = why;
	l->read_offset = l->log_start;
	l->drop_read = l->is_reading;
	l->is_caught_up = false;
	l->reason[0] = '\0';
}

/* Keeps the first oddity for whoever asks. */
static void odd_note(struct statelog *l, int64_t offset, const char *why)
{
	l->counts.foreign_batches++;
	if (l->reason[0] == '\0')
		snprintf(l->reason, sizeof(l->reason), "state partition %d, offset %lld: left out %s", l->cfg.partition,
			(long long)offset, why);
}

/* Is it known of the owner before us that it hands out nothing any more? */
static bool is_settled(const struct statelog *l, const struct state_replay_owner *before)
{
	if (before->epoch < 0 || (before->resigned && before->settled))
		return true;
	return before->epoch == l->settled_epoch && uuid_eq(before->id, l->cfg.owner_id);
}

/* Our claim was read: the state is what stood before it. */
static void load_end(struct statelog *l)
{
	const char *why = state_replay_finish(l->replay);
	struct state_replay_counts n;

	if (why) {
		statelog_end(l, STATELOG_REFUSED, l->log_start, why);
		return;
	}
	state_replay_get_counts(l->replay, &n);
	l->counts.loaded_records = n.entries;
	l->counts.loaded_bytes = n.bytes;
	l->bytes_since = n.bytes_since_checkpoint;
	l->last_checkpoint_bytes = n.checkpoint_bytes;
	l->checkpoint_at = statelog_checkpoint_step(l);
	l->read = STATELOG_READ_NONE;
	l->must_wait = !is_settled(l, state_replay_owner_before(l->replay));
	if (!l->must_wait)
		l->settled_epoch = l->owner_epoch;
	l->tell_loaded = true;
	statelog_set_state(l, STATELOG_OWNED);
}

/* The log is that of another partition, or of another number of them. */
static void place_refuse(struct statelog *l, int64_t offset)
{
	int32_t count = state_replay_partition_count(l->replay);
	char why[STATELOG_REASON_MAX - 100];

	snprintf(why, sizeof(why),
		"the log is of another state partition or records a partition count of %d instead of %d: "
		"a topic does not get its old count back, so name another one by state.topic, or delete this one: "
		"groups "
		"go on from their stable offsets then",
		count, l->cfg.partition_count);
	statelog_end(l, STATELOG_REFUSED, offset, why);
	l->refused_count = count;
}

/* The batch at the offset of our claim was applied. */
static void own_claim_check(struct statelog *l, bool is_ours)
{
	if (!is_ours)
		statelog_end(l, STATELOG_LOST, l->owner_epoch, "our claim is not where the broker said it was");
	else if (state_replay_epoch(l->replay) != l->owner_epoch)
		place_refuse(l, l->owner_epoch);
	else
		load_end(l);
}

/* What was followed goes on, unless the claim landed before the end of it: then the end of the log was cut off, and
 * what was read may not be there any more. */
void statelog_load_begin(struct statelog *l)
{
	bool is_cut = l->replay && !l->is_claim_seen && l->owner_epoch < l->read_offset;

	statelog_set_state(l, STATELOG_LOADING);
	if (!l->replay || is_cut)
		statelog_replay_begin(l, STATELOG_READ_LOAD);
	l->read = STATELOG_READ_LOAD;
	if (l->is_claim_seen)
		own_claim_check(l, l->claim_offset == l->owner_epoch);
}

static void load_batch(struct statelog *l, struct state_batch *b)
{
	const char *why;
	enum state_replay_result res = state_replay_batch(l->replay, b, &why);

	if (res == STATE_REPLAY_BROKEN) {
		statelog_end(l, STATELOG_REFUSED, b->base_offset, why);
		return;
	}
	if (b->last_offset >= l->owner_epoch)
		own_claim_check(l, b->verdict == STATE_OURS && b->head.kind == STATE_CLAIM &&
					   uuid_eq(b->head.owner_id, l->cfg.owner_id));
	else if (res == STATE_REPLAY_FOREIGN)
		odd_note(l, b->base_offset, why);
}

/* Is it the claim that is on its way? Its producer has written nothing else yet. */
static bool is_own_claim(const struct statelog *l, const struct state_batch *b)
{
	return l->state == STATELOG_CLAIMING && b->verdict == STATE_OURS && b->head.kind == STATE_CLAIM &&
	       b->producer_id == l->producer_id && b->producer_epoch == l->producer_epoch && b->base_sequence == 0 &&
	       uuid_eq(b->head.owner_id, l->cfg.owner_id);
}

/* A batch of others, until our claim, which may be read before its write is answered: there the state is whole. */
static void follow_batch(struct statelog *l, struct state_batch *b)
{
	const char *why;
	enum state_replay_result res = state_replay_batch(l->replay, b, &why);

	if (res == STATE_REPLAY_BROKEN) {
		statelog_end(l, STATELOG_REFUSED, b->base_offset, why);
		return;
	}
	if (is_own_claim(l, b)) {
		l->is_claim_seen = true;
		l->claim_offset = b->base_offset;
		l->read = STATELOG_READ_NONE;
		return;
	}
	if (res == STATE_REPLAY_FOREIGN)
		odd_note(l, b->base_offset, why);
	if (state_replay_partition_count(l->replay) > 0 &&
		(state_replay_partition_count(l->replay) != l->cfg.partition_count ||
			state_replay_partition(l->replay) != l->cfg.partition))
		place_refuse(l, b->base_offset);
}

void statelog_gap_begin(struct statelog *l)
{
	l->read = STATELOG_READ_GAP;
	l->read_offset = l->next_offset;
}

static void taker_set(struct statelog *l, const struct state_head *h)
{
	mem_free(l->taker.address);
	l->taker.epoch = h->owner_epoch;
	l->taker.id = h->owner_id;
	l->taker.address = mem_copy_string(h->owner_address.p, h->owner_address.n);
	l->taker.address_n = h->owner_address.n;
	l->is_taker_known = true;
}

/* A harmless batch behind our last record was read: does it end the gap? */
static void gap_advance(struct statelog *l, const struct state_batch *b)
{
	l->counts.foreign_batches++;
	l->bytes_since += b->size;
	if (l->flight && b->last_offset + 1 >= l->flight_base) {
		l->read = STATELOG_READ_NONE;
		statelog_landed(l);
	} else if (!l->flight) {
		l->next_offset = b->last_offset + 1;
		if (l->next_offset >= l->seen_end)
			l->read = STATELOG_READ_NONE;
		statelog_sight_check(l);
	}
}

/* A batch between our last record and the one just written, or the end seen. */
static void gap_batch(struct statelog *l, const struct state_batch *b)
{
	if (b->verdict == STATE_OURS && b->head.kind == STATE_CLAIM && b->head.partition == l->cfg.partition &&
		b->head.partition_count == l->cfg.partition_count) {
		taker_set(l, &b->head);
		statelog_end(l, STATELOG_LOST, b->base_offset, "another sluice has claimed the partition");
		return;
	}
	if (b->verdict == STATE_OURS && b->head.owner_epoch == l->owner_epoch) {
		statelog_end(l, STATELOG_LOST, b->base_offset, "a record of ours that was written twice");
		return;
	}
	gap_advance(l, b);
}

static void batch_take(struct statelog *l, const uint8_t *p, const struct batch_header *h)
{
	struct state_batch b;
	struct arena a;

	arena_init(&a, 2 * STATE_RECORD_MAX);
	switch (state_batch_read(p, h, &a, &b)) {
	case STATE_NEWER:
	case STATE_CORRUPT:
		statelog_end(l, STATELOG_REFUSED, b.base_offset, b.why);
		break;
	case STATE_OURS:
	case STATE_FOREIGN:
		l->read_offset = b.last_offset + 1;
		if (l->read == STATELOG_READ_LOAD)
			load_batch(l, &b);
		else if (l->read == STATELOG_READ_FOLLOW)
			follow_batch(l, &b);
		else
			gap_batch(l, &b);
		break;
	}
	arena_release(&a);
}

/* Takes the batches one by one until the data or the reason to read ends. */
static void data_take(struct statelog *l, struct bytes data)
{
	struct state_walk w = {.data = data};

	while (l->read != STATELOG_READ_NONE) {
		switch (state_walk_next(&w, l->read_offset)) {
		case STATE_WALK_END:
			return;
		case STATE_WALK_MISSING:
		case STATE_WALK_BROKEN:
			statelog_end(l, STATELOG_REFUSED, l->read_offset, w.why);
			break;
		case STATE_WALK_BATCH:
			batch_take(l, w.p, &w.h);
			break;
		}
	}
}

/* What was to be read next is not there any more. */
static void trimmed(struct statelog *l, int64_t log_start_offset)
{
	bool is_claimed = l->read != STATELOG_READ_FOLLOW;

	if (l->read == STATELOG_READ_GAP || (is_claimed && log_start_offset > l->owner_epoch)) {
		statelog_end(l, STATELOG_LOST, log_start_offset,
			"the log was trimmed past our own records: there is a later owner");
		return;
	}
	l->log_start = log_start_offset;
	statelog_replay_begin(l, l->read);
}

void statelog_read_done(struct statelog *l, struct bytes data, int64_t end_offset, int64_t log_start_offset)
{
	bool was_dropped = l->drop_read;

	sl_assert(l->is_reading);
	l->is_reading = l->drop_read = false;
	if (l->read == STATELOG_READ_NONE || was_dropped)
		return; /* the ownership ended meanwhile, or what was read is to be read again */
	if (log_start_offset > l->read_offset) {
		trimmed(l, log_start_offset);
		return;
	}
	data_take(l, data);
	l->is_caught_up = l->read == STATELOG_READ_FOLLOW && l->read_offset >= end_offset;
	if (l->read == STATELOG_READ_GAP && !l->flight && end_offset <= l->read_offset) {
		l->read = STATELOG_READ_NONE; /* the end seen is gone again, or lags: the next one tells more */
		l->seen_ms = INT64_MIN;
	}
}

void statelog_end_seen(struct statelog *l, int64_t end_offset, int64_t sent_ms)
{
	if (l->state != STATELOG_LOADING && l->state != STATELOG_OWNED)
		return;
	if (end_offset > l->next_offset && l->state == STATELOG_LOADING)
		return; /* what follows our claim is read once we own */
	if (end_offset <= l->next_offset) {
		l->sight = sent_ms > l->sight ? sent_ms : l->sight;
		return;
	}
	if (sent_ms < l->seen_ms)
		return;
	l->seen_end = end_offset;
	l->seen_ms = sent_ms;
	if (!l->flight && l->read == STATELOG_READ_NONE)
		statelog_gap_begin(l);
}

void statelog_sight_check(struct statelog *l)
{
	if (l->seen_ms == INT64_MIN || l->seen_end > l->next_offset)
		return;
	l->sight = l->seen_ms > l->sight ? l->seen_ms : l->sight;
	l->seen_ms = INT64_MIN;
}

int64_t statelog_sight(const struct statelog *l)
{
	return l->sight;
}

void statelog_take_groups(struct statelog *l, statelog_group_cb cb, void *arg)
{
	sl_assert(l->state == STATELOG_OWNED && l->replay && !l->is_taken);
	state_replay_each(l->replay, cb, arg);
	state_replay_free(l->replay);
	l->replay = NULL;
	l->is_taken = true;
}
