/* SPDX-License-Identifier: Apache-2.0 */
/* One state partition is claimed, written, checkpointed and trimmed here; load.c reads it.
 *
 *   append -> writer (queue) -> next: WRITE -> write_done: base offset as expected? -> durable
 *                                                          else READ the gap -> no claim in it? -> durable | LOST */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "internal.h"

#define BATCH_BYTES_MIN 1024
/* Snapshots are made while at most this many values wait, so that changes are not held up behind them. */
#define SNAPSHOT_QUEUE_MAX 1

static void config_copy(struct statelog *l, const struct statelog_config *cfg)
{
	l->cfg = *cfg;
	l->address = mem_copy_string(cfg->owner_address.p ? cfg->owner_address.p : "", cfg->owner_address.n);
	l->cfg.owner_address = (struct str){l->address, cfg->owner_address.n};
	if (l->cfg.max_batch_bytes > STATE_RECORD_MAX)
		l->cfg.max_batch_bytes = STATE_RECORD_MAX;
	if (l->cfg.max_batch_bytes < BATCH_BYTES_MIN)
		l->cfg.max_batch_bytes = BATCH_BYTES_MIN;
}

struct statelog *statelog_new(const struct statelog_config *cfg)
{
	struct statelog *l = mem_zalloc(1, sizeof(*l));

	config_copy(l, cfg);
	l->owner_epoch = -1;
	l->trim_wanted = -1;
	l->settled_epoch = -1;
	l->sight = l->seen_ms = INT64_MIN;
	state_writer_init(&l->writer, l->cfg.max_batch_bytes, l->cfg.max_pending_bytes);
	return l;
}

/* Forgets everything of an ownership but what is on its way to the broker. */
static void ownership_clear(struct statelog *l)
{
	state_writer_clear(&l->writer);
	state_checkpoint_set_phase(&l->ck, STATE_CHECKPOINT_IDLE);
	state_value_free(l->flight);
	l->flight = NULL;
	state_replay_free(l->replay);
	l->replay = NULL;
	l->refused_count = 0;
	l->read = STATELOG_READ_NONE;
	l->trim_wanted = -1;
	l->is_snapshot_asked = l->tell_loaded = l->is_taken = false;
	l->is_writing = false;
	l->is_cut = l->is_caught_up = l->must_wait = l->is_resigning = l->is_claim_seen = l->is_taker_known = false;
	l->sight = l->seen_ms = INT64_MIN;
}

void statelog_free(struct statelog *l)
{
	if (!l)
		return;
	ownership_clear(l);
	mem_free(l->taker.address);
	mem_free(l->address);
	mem_free(l);
}

void statelog_set_state(struct statelog *l, enum statelog_state state)
{
	l->state = state;
}

static void life_begin(struct statelog *l, int64_t log_start_offset)
{
	sl_assert(!l->is_writing && log_start_offset >= 0);
	ownership_clear(l);
	state_writer_init(&l->writer, l->cfg.max_batch_bytes, l->cfg.max_pending_bytes);
	l->drop_read = l->is_reading;
	l->tell_lost = false;
	l->reason[0] = '\0';
	l->owner_epoch = -1;
	l->given_up = l->appended;
	l->log_start = log_start_offset;
	l->bytes_since = l->last_checkpoint_bytes = 0;
}

void statelog_follow(struct statelog *l, int64_t log_start_offset)
{
	sl_assert(l->state == STATELOG_IDLE || l->state == STATELOG_LOST || l->state == STATELOG_REFUSED);
	life_begin(l, log_start_offset);
	statelog_replay_begin(l, STATELOG_READ_FOLLOW);
	statelog_set_state(l, STATELOG_FOLLOWING);
}

bool statelog_is_caught_up(const struct statelog *l)
{
	return l->state == STATELOG_FOLLOWING && l->is_caught_up;
}

int32_t statelog_recorded_count(const struct statelog *l)
{
	return l->replay ? state_replay_partition_count(l->replay) : l->refused_count;
}

bool statelog_get_owner(const struct statelog *l, struct statelog_owner *ret)
{
	const struct state_replay_owner *o;

	if (l->state == STATELOG_LOST && l->is_taker_known) {
		*ret = (struct statelog_owner){
			l->taker.epoch, l->taker.id, {l->taker.address, l->taker.address_n}, false};
		return true;
	}
	if (l->state != STATELOG_FOLLOWING)
		return false;
	o = state_replay_owner(l->replay);
	if (o->epoch < 0)
		return false;
	*ret = (struct statelog_owner){o->epoch, o->id, {o->address, o->address_n}, o->resigned};
	return true;
}

void statelog_start(
	struct statelog *l, int64_t log_start_offset, int64_t producer_id, int16_t producer_epoch, int64_t wall_ms)
{
	if (l->state != STATELOG_FOLLOWING)
		life_begin(l, log_start_offset);
	l->producer_id = producer_id;
	l->producer_epoch = producer_epoch;
	l->sequence = 0;
	l->last_ms = wall_ms;
	state_writer_mark(&l->writer, &(struct state_head){
					      .kind = STATE_CLAIM,
					      .owner_id = l->cfg.owner_id,
					      .owner_address = l->cfg.owner_address,
					      .partition = l->cfg.partition,
					      .partition_count = l->cfg.partition_count,
				      });
	statelog_set_state(l, STATELOG_CLAIMING);
}

enum statelog_state statelog_get_state(const struct statelog *l)
{
	return l->state;
}

const char *statelog_reason(const struct statelog *l)
{
	return l->reason;
}

void statelog_end(struct statelog *l, enum statelog_state state, int64_t offset, const char *why)
{
	bool is_taken_away = l->is_taker_known;

	snprintf(l->reason, sizeof(l->reason), "state partition %d, offset %lld: %s", l->cfg.partition,
		(long long)offset, why);
	ownership_clear(l);
	l->is_taker_known = is_taken_away;
	l->tell_lost = true;
	statelog_set_state(l, state);
}

uint64_t statelog_checkpoint_step(const struct statelog *l)
{
	uint64_t step = l->last_checkpoint_bytes * l->cfg.checkpoint_factor;

	return step > l->cfg.checkpoint_min_bytes ? step : l->cfg.checkpoint_min_bytes;
}

/* Queues the begin mark when the log has grown enough. */
static void checkpoint_consider(struct statelog *l)
{
	if (l->state != STATELOG_OWNED || !l->is_taken || l->is_resigning || l->ck.phase != STATE_CHECKPOINT_IDLE ||
		(l->bytes_since <= l->checkpoint_at && !l->is_cut))
		return;
	l->is_cut = false;
	state_writer_mark(&l->writer, &(struct state_head){
					      .kind = STATE_BEGIN,
					      .owner_epoch = l->owner_epoch,
					      .owner_id = l->cfg.owner_id,
					      .owner_address = l->cfg.owner_address,
					      .partition = l->cfg.partition,
					      .partition_count = l->cfg.partition_count,
				      });
	state_checkpoint_set_phase(&l->ck, STATE_CHECKPOINT_BEGINNING);
}

/* Kafka's sequences go round from INT32_MAX to 0. */
static int32_t sequence_take(struct statelog *l)
{
	int32_t sequence = l->sequence;

	l->sequence = sequence == INT32_MAX ? 0 : sequence + 1;
	return sequence;
}

/* The oldest value goes out as a batch of its own. */
static struct statelog_action write_action(struct statelog *l, int64_t wall_ms)
{
	struct writer *w;
	struct chunk *c;

	l->flight = state_writer_take(&l->writer);
	w = &l->flight->w;
	if (wall_ms > l->last_ms)
		l->last_ms = wall_ms;
	c = state_batch_build((struct bytes){buf_head(&w->own), buf_len(&w->own)}, l->cfg.max_batch_bytes, l->last_ms,
		l->producer_id, l->producer_epoch, sequence_take(l));
	wr_release(w);
	l->flight_size = c->size;
	l->is_writing = true;
	return (struct statelog_action){.type = STATELOG_WRITE, .u.batch = c};
}

static struct statelog_action read_action(struct statelog *l)
{
	l->is_reading = true;
	return (struct statelog_action){.type = STATELOG_READ, .u.offset = l->read_offset};
}

static struct statelog_action trim_action(struct statelog *l)
{
	l->is_trimming = true;
	l->trim_offset = l->trim_wanted;
	l->trim_wanted = -1;
	return (struct statelog_action){.type = STATELOG_TRIM, .u.offset = l->trim_offset};
}

static struct statelog_action snapshot_action(struct statelog *l)
{
	l->is_snapshot_asked = true;
	return (struct statelog_action){.type = STATELOG_SNAPSHOT, .u.after = {l->ck.cursor, l->ck.cursor_n}};
}

static bool wants_snapshot(const struct statelog *l)
{
	return l->ck.phase == STATE_CHECKPOINT_SNAPSHOTS && !l->is_snapshot_asked && !l->is_resigning &&
	       l->writer.queued <= SNAPSHOT_QUEUE_MAX;
}

struct statelog_action statelog_next(struct statelog *l, int64_t wall_ms)
{
	if (l->tell_lost) {
		l->tell_lost = false;
		return (struct statelog_action){.type = STATELOG_LOST_NOW};
	}
	if (l->tell_loaded) {
		l->tell_loaded = false;
		return (struct statelog_action){.type = STATELOG_LOADED};
	}
	checkpoint_consider(l);
	if (!l->flight && l->writer.queued > 0 && l->read != STATELOG_READ_GAP)
		return write_action(l, wall_ms);
	if (l->read != STATELOG_READ_NONE && !l->is_reading)
		return read_action(l);
	if (l->trim_wanted >= 0 && !l->is_trimming)
		return trim_action(l);
	if (wants_snapshot(l))
		return snapshot_action(l);
	return (struct statelog_action){.type = STATELOG_NONE};
}

/* The end mark counts, and with it everything before its begin mark is of no use any more. */
static void checkpoint_done(struct statelog *l)
{
	l->trim_wanted = l->ck.begin_offset;
	l->last_checkpoint_bytes = l->checkpoint_bytes;
	l->bytes_since = 0;
	l->checkpoint_at = statelog_checkpoint_step(l);
	l->counts.checkpoints++;
	state_checkpoint_set_phase(&l->ck, STATE_CHECKPOINT_IDLE);
}

void statelog_landed(struct statelog *l)
{
	struct state_value *v = l->flight;

	l->flight = NULL;
	l->next_offset = l->flight_base + 1;
	l->counts.batches++;
	l->counts.bytes += l->flight_size;
	l->counts.records += v->changes;
	l->bytes_since += l->flight_size;
	l->checkpoint_bytes += v->snapshot_bytes;
	if (v->last_seq)
		l->durable = v->last_seq;
	statelog_sight_check(l);
	if (v->kind == STATE_CLAIM) {
		l->owner_epoch = l->writer.owner_epoch = l->flight_base;
		statelog_load_begin(l);
	} else if (v->kind == STATE_RESIGN) {
		statelog_end(l, STATELOG_LOST, l->flight_base, "handed over");
	} else if (v->kind == STATE_BEGIN) {
		state_checkpoint_set_phase(&l->ck, STATE_CHECKPOINT_SNAPSHOTS);
		l->ck.begin_offset = l->flight_base;
		l->checkpoint_bytes = 0;
	} else if (v->kind == STATE_END) {
		checkpoint_done(l);
	}
	state_value_free(v);
}

void statelog_write_done(struct statelog *l, int64_t base_offset)
{
	sl_assert(l->is_writing && l->flight);
	l->is_writing = false;
	l->flight_base = base_offset;
	if (l->flight->kind != STATE_CLAIM && base_offset < l->next_offset) {
		statelog_end(l, STATELOG_LOST, base_offset,
			"a write landed before an earlier one: the end of the log was cut off (unclean leader "
			"election?)");
		return;
	}
	if (base_offset < 0) {
		statelog_end(l, STATELOG_LOST, base_offset, "the broker told no offset for the claim");
		return;
	}
	if (l->flight->kind == STATE_CLAIM || base_offset == l->next_offset) {
		statelog_landed(l);
		return;
	}
	statelog_gap_begin(l);
}

void statelog_write_failed(struct statelog *l, const char *reason)
{
	sl_assert(l->is_writing);
	statelog_end(l, STATELOG_LOST, l->next_offset, reason);
}

size_t statelog_shrink_batch(struct statelog *l, size_t max_bytes)
{
	if (max_bytes < BATCH_BYTES_MIN)
		max_bytes = BATCH_BYTES_MIN;
	if (max_bytes < l->cfg.max_batch_bytes)
		l->cfg.max_batch_bytes = max_bytes;
	return l->cfg.max_batch_bytes;
}

void statelog_abandon(struct statelog *l, const char *reason)
{
	if (l->state == STATELOG_IDLE || l->state == STATELOG_LOST || l->state == STATELOG_REFUSED || l->is_resigning)
		return;
	statelog_end(l, STATELOG_LOST, l->state == STATELOG_OWNED ? l->next_offset : l->read_offset, reason);
}

void statelog_trim_done(struct statelog *l, bool ok)
{
	sl_assert(l->is_trimming);
	l->is_trimming = false;
	if (!ok)
		return;
	l->counts.trims++;
	if (l->trim_offset > l->log_start)
		l->log_start = l->trim_offset;
}

bool statelog_start_seen(struct statelog *l, int64_t log_start_offset)
{
	if (l->state != STATELOG_OWNED || log_start_offset <= l->log_start)
		return false;
	l->log_start = log_start_offset;
	/* Of our own trims the last one goes furthest, whether its answer came or not. */
	l->is_cut = l->is_cut || log_start_offset > l->trim_offset;
	return log_start_offset > l->trim_offset;
}

enum err statelog_append(struct statelog *l, const struct share_change *c, uint64_t *ret_seq)
{
	bool arm = state_checkpoint_must_arm(&l->ck, c->group_id);
	enum err err;

	if (l->state != STATELOG_OWNED || l->is_resigning)
		return ERR_CLOSED;
	err = state_writer_change(&l->writer, c, l->appended + 1, arm);
	if (err)
		return err;
	if (arm)
		state_checkpoint_armed(&l->ck, c->group_id, false);
	*ret_seq = ++l->appended;
	return ERR_OK;
}

bool statelog_must_wait(const struct statelog *l)
{
	return l->state == STATELOG_OWNED && l->must_wait;
}

void statelog_wait_over(struct statelog *l)
{
	if (l->state != STATELOG_OWNED)
		return;
	l->must_wait = false;
	l->settled_epoch = l->owner_epoch;
}

void statelog_resign(struct statelog *l)
{
	if (l->state != STATELOG_OWNED || l->is_resigning)
		return;
	l->is_resigning = true;
	l->is_snapshot_asked = false;
	state_writer_mark(&l->writer, &(struct state_head){
					      .kind = STATE_RESIGN,
					      .owner_epoch = l->owner_epoch,
					      .settled = !l->must_wait,
				      });
}

bool statelog_has_room(const struct statelog *l)
{
	return l->writer.pending <= l->cfg.max_pending_bytes / 2;
}

uint64_t statelog_appended(const struct statelog *l)
{
	return l->appended;
}

uint64_t statelog_awaited(const struct statelog *l)
{
	return l->appended == l->given_up ? l->durable : l->appended;
}

uint64_t statelog_durable(const struct statelog *l)
{
	return l->durable;
}

enum err statelog_snapshot(struct statelog *l, const struct share_group_state *st)
{
	enum err err;

	if (!l->is_snapshot_asked)
		return ERR_CLOSED; /* lost or resigned since it was asked */
	l->is_snapshot_asked = false;
	err = state_writer_snapshot(&l->writer, st);
	if (err) {
		l->checkpoint_at = l->bytes_since + statelog_checkpoint_step(l);
		state_checkpoint_set_phase(&l->ck, STATE_CHECKPOINT_IDLE);
		return err;
	}
	state_checkpoint_armed(&l->ck, st->group_id, true);
	return ERR_OK;
}

void statelog_snapshot_end(struct statelog *l)
{
	if (!l->is_snapshot_asked)
		return;
	l->is_snapshot_asked = false;
	state_writer_mark(&l->writer, &(struct state_head){
					      .kind = STATE_END,
					      .owner_epoch = l->owner_epoch,
					      .begin_offset = l->ck.begin_offset,
					      .snapshots = l->ck.snapshots,
				      });
	state_checkpoint_set_phase(&l->ck, STATE_CHECKPOINT_ENDING);
}

void statelog_get_counts(const struct statelog *l, struct statelog_counts *ret)
{
	*ret = l->counts;
	ret->owner_epoch = l->owner_epoch;
	ret->next_offset = l->next_offset;
	ret->log_start_offset = l->log_start;
	ret->bytes_since_checkpoint = l->bytes_since;
	ret->last_checkpoint_bytes = l->last_checkpoint_bytes;
	ret->pending_bytes = l->writer.pending;
}
