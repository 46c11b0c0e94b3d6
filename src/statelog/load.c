/* SPDX-License-Identifier: Apache-2.0 */
/* What is read from the log is checked and understood here: all of it while loading, what others wrote between our own
 * afterwards. */
#include <stdio.h>

#include "base/assert.h"
#include "internal.h"

static void replay_begin(struct statelog *l)
{
	state_replay_free(l->replay);
	l->replay = state_replay_new(l->log_start);
	l->read_offset = l->log_start;
	l->reason[0] = '\0';
}

void statelog_load_begin(struct statelog *l)
{
	l->read = STATELOG_READ_LOAD;
	replay_begin(l);
	statelog_set_state(l, STATELOG_LOADING);
}

/* Keeps the first oddity for whoever asks. */
static void odd_note(struct statelog *l, int64_t offset, const char *why)
{
	l->counts.foreign_batches++;
	if (l->reason[0] == '\0')
		snprintf(l->reason, sizeof(l->reason), "state partition %d, offset %lld: left out %s", l->cfg.partition,
			(long long)offset, why);
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
	l->tell_loaded = true;
	statelog_set_state(l, STATELOG_OWNED);
}

/* Our own claim must be where the broker said, and in force. */
static void own_claim_check(struct statelog *l, const struct state_batch *b)
{
	char why[STATELOG_REASON_MAX / 2];

	if (b->verdict != STATE_OURS || b->head.kind != STATE_CLAIM || !uuid_eq(b->head.owner_id, l->cfg.owner_id)) {
		statelog_end(l, STATELOG_LOST, b->base_offset, "our claim is not where the broker said it was");
	} else if (state_replay_epoch(l->replay) != b->base_offset) {
		snprintf(why, sizeof(why),
			"the log is of another state partition or records a partition count of %d instead of %d: "
			"give the topic its old count, or delete it",
			state_replay_partition_count(l->replay), l->cfg.partition_count);
		statelog_end(l, STATELOG_REFUSED, b->base_offset, why);
	} else {
		load_end(l);
	}
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
		own_claim_check(l, b);
	else if (res == STATE_REPLAY_FOREIGN)
		odd_note(l, b->base_offset, why);
}

/* A batch between our last record and the one just written. */
static void gap_batch(struct statelog *l, const struct state_batch *b)
{
	if (b->verdict == STATE_OURS && b->head.kind == STATE_CLAIM && b->head.partition == l->cfg.partition &&
		b->head.partition_count == l->cfg.partition_count) {
		statelog_end(l, STATELOG_LOST, b->base_offset, "another sluice has claimed the partition");
		return;
	}
	if (b->verdict == STATE_OURS && b->head.owner_epoch == l->owner_epoch) {
		statelog_end(l, STATELOG_LOST, b->base_offset, "a record of ours that was written twice");
		return;
	}
	l->counts.foreign_batches++;
	l->bytes_since += b->size;
	if (b->last_offset + 1 >= l->flight_base) {
		l->read = STATELOG_READ_NONE;
		statelog_landed(l);
	}
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
		else
			gap_batch(l, &b);
		break;
	}
	arena_release(&a);
}

/* Takes the batches one by one until the data or the reason to read ends. */
static void data_take(struct statelog *l, struct bytes data)
{
	size_t at = 0;

	while (l->read != STATELOG_READ_NONE && at < data.n) {
		struct batch_header h;
		enum batch_status status = batch_header_read(data.p + at, data.n - at, &h);

		if (status == BATCH_TRUNCATED)
			return;
		if (status == BATCH_BAD) {
			statelog_end(l, STATELOG_REFUSED, l->read_offset, "a record batch with an impossible header");
			return;
		}
		if (batch_last_offset(&h) >= l->read_offset) {
			if (h.base_offset > l->read_offset) {
				statelog_end(l, STATELOG_REFUSED, l->read_offset,
					"records are missing up to the next one: is cleanup.policy something else than "
					"delete?");
				return;
			}
			batch_take(l, data.p + at, &h);
		}
		at += h.size;
	}
}

void statelog_read_done(struct statelog *l, struct bytes data, int64_t end_offset, int64_t log_start_offset)
{
	sl_assert(l->is_reading);
	l->is_reading = false;
	(void)end_offset;
	if (l->read == STATELOG_READ_NONE)
		return; /* the ownership ended meanwhile */
	if (log_start_offset > l->read_offset) {
		if (l->read == STATELOG_READ_GAP || log_start_offset > l->owner_epoch) {
			statelog_end(l, STATELOG_LOST, log_start_offset,
				"the log was trimmed past our own records: there is a later owner");
			return;
		}
		l->log_start = log_start_offset;
		replay_begin(l);
		return;
	}
	data_take(l, data);
}

void statelog_take_groups(struct statelog *l, statelog_group_cb cb, void *arg)
{
	sl_assert(l->state == STATELOG_OWNED && l->replay && !l->is_taken);
	state_replay_each(l->replay, cb, arg);
	state_replay_free(l->replay);
	l->replay = NULL;
	l->is_taken = true;
}
