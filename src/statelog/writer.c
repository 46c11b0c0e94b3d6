/* SPDX-License-Identifier: Apache-2.0 */
/* Changes and snapshots are packed into the values of record batches here, in the order of the log.
 *
 *   queue  [mark] [entries, full] [entries, open] <- the next entry
 *          taken first                              */
#include "statelog/writer.h"

#include "base/assert.h"
#include "base/mem.h"

#define HEAD_MAX 16           /* kind and owner epoch */
#define IN_GROUP_MAX 8        /* around a group id */
#define RANGE_MAX 24          /* one range of a RECORDS entry */
#define RECORDS_MAX 64        /* such an entry without its ranges, and a NUMBER before it */
#define EMPTY_SNAPSHOT_MAX 24 /* around a group id */

void state_writer_init(struct state_writer *w, size_t max_batch, size_t max_pending)
{
	*w = (struct state_writer){.max_value = max_batch - STATE_BATCH_OVERHEAD, .max_pending = max_pending};
	TAILQ_INIT(&w->queue);
}

void state_value_free(struct state_value *v)
{
	if (!v)
		return;
	wr_release(&v->w);
	mem_free(v->context);
	mem_free(v);
}

void state_writer_clear(struct state_writer *w)
{
	struct state_value *v;

	while ((v = state_writer_take(w)))
		state_value_free(v);
	state_numbers_release(&w->numbers);
}

struct state_value *state_writer_take(struct state_writer *w)
{
	struct state_value *v = TAILQ_FIRST(&w->queue);

	if (!v)
		return NULL;
	TAILQ_REMOVE(&w->queue, v, link);
	w->queued--;
	w->pending -= v->change_bytes;
	w->pending_snapshots -= v->snapshot_bytes;
	return v;
}

static struct state_value *value_add(struct state_writer *w, const struct state_head *h)
{
	struct state_value *v = mem_zalloc(1, sizeof(*v));

	v->kind = h->kind;
	wr_init(&v->w, w->max_value);
	state_head_write(&v->w, h);
	TAILQ_INSERT_TAIL(&w->queue, v, link);
	w->queued++;
	return v;
}

void state_writer_mark(struct state_writer *w, const struct state_head *h)
{
	struct state_value *v = value_add(w, h);

	sl_assert(!v->w.err);
}

/* The value that takes n more bytes of entries. */
static struct state_value *value_for(struct state_writer *w, size_t n)
{
	struct state_value *v = TAILQ_LAST(&w->queue, state_value_queue);

	if (v && v->kind == STATE_ENTRIES && n <= w->max_value - wr_size(&v->w))
		return v;
	return value_add(w, &(struct state_head){.kind = STATE_ENTRIES, .owner_epoch = w->owner_epoch});
}

static void context_set(struct state_value *v, struct str group_id)
{
	mem_free(v->context);
	v->context = mem_copy_string(group_id.p, group_id.n);
	v->context_n = group_id.n;
}

/* Does the entry say by itself which group it is about? */
static bool names_group(const struct state_entry *e)
{
	return e->type == STATE_ENTRY_RECORDS || e->type == STATE_ENTRY_SNAPSHOT || e->type == STATE_ENTRY_SNAPSHOT_END;
}

/* Puts the encoded entry into the queue, its group named before it where needed. */
static struct state_value *entry_put(struct state_writer *w, const struct state_entry *e, struct str group_id,
	const struct writer *encoded, bool is_snapshot)
{
	struct state_value *v = value_for(w, wr_size(encoded) + group_id.n + IN_GROUP_MAX);
	size_t before = wr_size(&v->w), n;

	if (!names_group(e) && !(v->context && str_eq(group_id, (struct str){v->context, v->context_n}))) {
		state_entry_write(&v->w, &(struct state_entry){.type = STATE_ENTRY_IN_GROUP, .group_id = group_id});
		context_set(v, group_id);
	}
	wr_raw(&v->w, buf_head(&encoded->own), buf_len(&encoded->own));
	sl_assert(!v->w.err);
	if (e->type == STATE_ENTRY_SNAPSHOT)
		context_set(v, group_id);
	n = wr_size(&v->w) - before;
	if (is_snapshot) {
		v->snapshot_bytes += n;
		w->pending_snapshots += n;
	} else {
		v->change_bytes += n;
		w->pending += n;
	}
	return v;
}

/* Encodes e into *ret (the caller's to release): ERR_TOO_LARGE when it fits no value. */
static enum err entry_encode(
	const struct state_writer *w, const struct state_entry *e, struct str group_id, struct writer *ret)
{
	size_t around = HEAD_MAX + IN_GROUP_MAX + group_id.n;

	wr_init(ret, w->max_value);
	state_entry_write(ret, e);
	sl_assert(ret->err != ERR_NO_MEMORY);
	if (ret->err || around > w->max_value || wr_size(ret) > w->max_value - around) {
		wr_release(ret);
		return ERR_TOO_LARGE;
	}
	return ERR_OK;
}

/* Adds an entry that is known to fit. */
static struct state_value *entry_add(
	struct state_writer *w, const struct state_entry *e, struct str group_id, bool is_snapshot)
{
	struct state_value *v;
	struct writer encoded;
	enum err err = entry_encode(w, e, group_id, &encoded);

	sl_assert(err == ERR_OK);
	v = entry_put(w, e, group_id, &encoded, is_snapshot);
	wr_release(&encoded);
	return v;
}

/* The number of a share-partition, defined in the log if it was not. */
static uint32_t number_for(
	struct state_writer *w, struct str group_id, const struct share_partition_state *p, bool is_snapshot)
{
	uint32_t number = state_numbers_find(&w->numbers, group_id, p->topic_id, p->partition);
	struct state_entry e = {.type = STATE_ENTRY_NUMBER, .u.partition = *p};

	if (number)
		return number;
	e.number = state_numbers_add(&w->numbers, group_id, p->topic_id, p->partition);
	entry_add(w, &e, group_id, is_snapshot);
	return e.number;
}

/* Adds ranges in pieces of which each fits a value; returns where the last one stands. */
static struct state_value *records_add(
	struct state_writer *w, struct state_entry *e, struct str group_id, bool is_snapshot)
{
	uint32_t piece = (uint32_t)((w->max_value - HEAD_MAX - RECORDS_MAX) / RANGE_MAX);
	struct share_partition_state all = e->u.partition;
	struct state_value *v;
	uint32_t at = 0;

	do {
		e->u.partition.ranges = all.ranges + at;
		e->u.partition.ranges_n = all.ranges_n - at < piece ? all.ranges_n - at : piece;
		v = entry_add(w, e, group_id, is_snapshot);
		at += e->u.partition.ranges_n;
		e->u.partition.start_offset = -1;
	} while (at < all.ranges_n);
	return v;
}

static enum err room_check(const struct state_writer *w, size_t n)
{
	if (n > w->max_pending)
		return ERR_TOO_LARGE;
	return n > w->max_pending - (w->pending < w->max_pending ? w->pending : w->max_pending) ? ERR_FULL : ERR_OK;
}

static void arm(struct state_writer *w, struct str group_id)
{
	struct state_entry e = {.type = STATE_ENTRY_SNAPSHOT, .group_id = group_id};

	entry_add(w, &e, group_id, true);
	e.type = STATE_ENTRY_SNAPSHOT_END;
	entry_add(w, &e, group_id, true);
}

static void change_count(struct state_value *v, uint64_t seq)
{
	v->last_seq = seq;
	v->changes++;
}

static enum err records_change(struct state_writer *w, const struct share_change *c, uint64_t seq, bool arm_group)
{
	struct state_entry e = state_entry_of_change(c);
	size_t n = RECORDS_MAX + 2 * (c->group_id.n + EMPTY_SNAPSHOT_MAX) + (size_t)c->u.partition.ranges_n * RANGE_MAX;
	enum err err = room_check(w, n);

	if (err)
		return err;
	if (2 * (c->group_id.n + RECORDS_MAX) > w->max_value)
		return ERR_TOO_LARGE;
	if (arm_group)
		arm(w, c->group_id);
	e.number = number_for(w, c->group_id, &c->u.partition, false);
	change_count(records_add(w, &e, c->group_id, false), seq);
	return ERR_OK;
}

/* The number that a PARTITION entry defines; *ret_is_new: not given out before. */
static uint32_t number_peek(const struct state_writer *w, const struct share_change *c, bool *ret_is_new)
{
	uint32_t number =
		state_numbers_find(&w->numbers, c->group_id, c->u.partition.topic_id, c->u.partition.partition);

	*ret_is_new = number == 0;
	return number ? number : w->numbers.last + 1;
}

/* Keeps the table of numbers in step with a change that was added. */
static void numbers_follow(struct state_writer *w, const struct share_change *c, bool is_new)
{
	const struct share_partition_state *p = &c->u.partition;

	if (is_new)
		state_numbers_add(&w->numbers, c->group_id, p->topic_id, p->partition);
	else if (c->type == SHARE_CHANGE_PARTITION_DELETED)
		state_numbers_drop(&w->numbers, c->group_id, p->topic_id, p->partition);
	else if (c->type == SHARE_CHANGE_GROUP_DELETED)
		state_numbers_drop_group(&w->numbers, c->group_id);
}

enum err state_writer_change(struct state_writer *w, const struct share_change *c, uint64_t seq, bool arm_group)
{
	struct state_entry e;
	struct writer encoded;
	bool is_new = false;
	enum err err;

	if (c->type == SHARE_CHANGE_RECORDS)
		return records_change(w, c, seq, arm_group);
	e = state_entry_of_change(c);
	if (c->type == SHARE_CHANGE_PARTITION)
		e.number = number_peek(w, c, &is_new);
	err = entry_encode(w, &e, c->group_id, &encoded);
	if (err)
		return err;
	err = room_check(w, wr_size(&encoded) + 2 * (c->group_id.n + EMPTY_SNAPSHOT_MAX));
	if (err) {
		wr_release(&encoded);
		return err;
	}
	if (arm_group)
		arm(w, c->group_id);
	change_count(entry_put(w, &e, c->group_id, &encoded, false), seq);
	wr_release(&encoded);
	numbers_follow(w, c, is_new);
	return ERR_OK;
}

/* Would the entry fit a value? */
static bool entry_fits(const struct state_writer *w, const struct state_entry *e, struct str group_id)
{
	struct writer encoded;

	if (entry_encode(w, e, group_id, &encoded))
		return false;
	wr_release(&encoded);
	return true;
}

static bool snapshot_fits(const struct state_writer *w, const struct share_group_state *st)
{
	struct state_entry e = {.type = STATE_ENTRY_SNAPSHOT, .group_id = st->group_id};

	if (2 * (st->group_id.n + RECORDS_MAX) > w->max_value || !entry_fits(w, &e, st->group_id))
		return false;
	for (uint32_t i = 0; i < st->configs_n; i++) {
		e = (struct state_entry){.type = STATE_ENTRY_CONFIG, .u.config = st->configs[i]};
		if (!entry_fits(w, &e, st->group_id))
			return false;
	}
	for (uint32_t i = 0; i < st->members_n; i++) {
		e = (struct state_entry){.type = STATE_ENTRY_MEMBER, .u.member = st->members[i]};
		if (!entry_fits(w, &e, st->group_id))
			return false;
	}
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		e = (struct state_entry){
			.type = STATE_ENTRY_PARTITION, .number = UINT32_MAX, .u.partition = st->partitions[i]};
		e.u.partition.ranges_n = 0;
		if (!entry_fits(w, &e, st->group_id))
			return false;
	}
	return true;
}

static void snapshot_partition(struct state_writer *w, struct str group_id, const struct share_partition_state *p)
{
	struct state_entry e = {.type = STATE_ENTRY_PARTITION, .u.partition = *p};

	e.number = state_numbers_find(&w->numbers, group_id, p->topic_id, p->partition);
	if (!e.number)
		e.number = state_numbers_add(&w->numbers, group_id, p->topic_id, p->partition);
	e.u.partition.ranges_n = 0;
	entry_add(w, &e, group_id, true);
	if (p->ranges_n == 0)
		return;
	e.type = STATE_ENTRY_RECORDS;
	e.u.partition.ranges_n = p->ranges_n;
	e.u.partition.start_offset = -1;
	records_add(w, &e, group_id, true);
}

enum err state_writer_snapshot(struct state_writer *w, const struct share_group_state *st)
{
	struct state_entry e = {
		.type = STATE_ENTRY_SNAPSHOT,
		.group_id = st->group_id,
		.exists = st->exists,
		.group_epoch = st->group_epoch,
		.assignment_epoch = st->assignment_epoch,
	};

	if (!snapshot_fits(w, st))
		return ERR_TOO_LARGE;
	entry_add(w, &e, st->group_id, true);
	for (uint32_t i = 0; i < st->configs_n; i++) {
		e = (struct state_entry){.type = STATE_ENTRY_CONFIG, .u.config = st->configs[i]};
		entry_add(w, &e, st->group_id, true);
	}
	for (uint32_t i = 0; i < st->members_n; i++) {
		e = (struct state_entry){.type = STATE_ENTRY_MEMBER, .u.member = st->members[i]};
		entry_add(w, &e, st->group_id, true);
	}
	for (uint32_t i = 0; i < st->partitions_n; i++)
		snapshot_partition(w, st->group_id, &st->partitions[i]);
	e = (struct state_entry){.type = STATE_ENTRY_SNAPSHOT_END};
	entry_add(w, &e, st->group_id, true);
	return ERR_OK;
}
