/* SPDX-License-Identifier: Apache-2.0 */
/* Record batches of the internal topic are built and judged here: one record each, whose key tells sluice's own from
 * others'. */
#include "statelog/format.h"

#include "base/assert.h"

#define KEY_SIZE 3
#define KEY_VERSION 2
#define ADDRESS_MAX 512

static const uint8_t key_mark[KEY_SIZE] = {'s', 'l', STATE_FORMAT_VERSION};

static void owner_write(struct writer *w, const struct state_head *h)
{
	wr_uuid(w, h->owner_id);
	wr_cstr(w, h->owner_address);
	wr_uvarint(w, (uint32_t)h->partition);
	wr_uvarint(w, (uint32_t)h->partition_count);
}

static void owner_read(struct reader *r, struct state_head *h)
{
	uint32_t partition, count;

	h->owner_id = rd_uuid(r);
	h->owner_address = rd_cstr(r);
	partition = rd_uvarint(r);
	count = rd_uvarint(r);
	if (str_is_null(h->owner_address) || h->owner_address.n > ADDRESS_MAX || count > INT32_MAX ||
		partition >= count)
		rd_fail(r);
	h->partition = (int32_t)partition;
	h->partition_count = (int32_t)count;
}

/* An offset, which is never negative. */
static int64_t offset_read(struct reader *r)
{
	uint64_t v = rd_uvarlong(r);

	if (v > INT64_MAX)
		rd_fail(r);
	return (int64_t)v;
}

static bool bool_read(struct reader *r)
{
	int8_t v = rd_i8(r);

	if (v != 0 && v != 1)
		rd_fail(r);
	return v == 1;
}

void state_head_write(struct writer *w, const struct state_head *h)
{
	wr_i8(w, (int8_t)h->kind);
	if (h->kind != STATE_CLAIM)
		wr_uvarlong(w, (uint64_t)h->owner_epoch);
	if (h->kind == STATE_CLAIM || h->kind == STATE_BEGIN)
		owner_write(w, h);
	if (h->kind == STATE_END) {
		wr_uvarlong(w, (uint64_t)h->begin_offset);
		wr_uvarint(w, h->snapshots);
	}
	if (h->kind == STATE_RESIGN)
		wr_i8(w, h->settled ? 1 : 0);
}

enum err state_head_read(struct reader *r, int64_t offset, struct state_head *ret)
{
	struct state_head h = {0};
	int8_t kind = rd_i8(r);

	if (kind < STATE_CLAIM || kind > STATE_RESIGN)
		rd_fail(r);
	h.kind = (enum state_kind)kind;
	h.owner_epoch = kind == STATE_CLAIM ? offset : offset_read(r);
	if (kind == STATE_CLAIM || kind == STATE_BEGIN)
		owner_read(r, &h);
	if (kind == STATE_END) {
		h.begin_offset = offset_read(r);
		h.snapshots = rd_uvarint(r);
	}
	if (kind == STATE_RESIGN)
		h.settled = bool_read(r);
	if (kind != STATE_ENTRIES && rd_left(r) > 0)
		rd_fail(r);
	if (r->err)
		return r->err;
	*ret = h;
	return ERR_OK;
}

struct chunk *state_batch_build(struct bytes value, size_t max, int64_t wall_ms, int64_t producer_id,
	int16_t producer_epoch, int32_t base_sequence)
{
	struct batch_builder b;
	struct chunk *c;
	enum err e;

	batch_builder_init(&b, max, wall_ms);
	e = batch_builder_add(&b, (struct bytes){key_mark, KEY_SIZE}, value);
	sl_assert(e == ERR_OK);
	c = batch_builder_end(&b, producer_id, producer_epoch, base_sequence);
	batch_builder_release(&b);
	return c;
}

/* The first record of a batch, and how many there are (2: more than one). */
struct first_record {
	struct record rec;
	int n;
};

static bool first_record_cb(void *arg, const struct record *rec)
{
	struct first_record *f = arg;

	if (f->n++ == 0)
		f->rec = *rec;
	return f->n < 2;
}

static enum state_verdict verdict(struct state_batch *b, enum state_verdict v, const char *why)
{
	b->verdict = v;
	b->why = why;
	return v;
}

/* Judges key, version and head of a batch whose records could be read. */
static enum state_verdict record_judge(const struct first_record *f, struct state_batch *b)
{
	struct bytes key = f->rec.key;

	if (f->n == 0)
		return verdict(b, STATE_FOREIGN, "a batch without records");
	if (!key.p || key.n != KEY_SIZE || memcmp(key.p, key_mark, KEY_VERSION) != 0)
		return verdict(b, STATE_FOREIGN, "a record that no sluice wrote");
	if (key.p[KEY_VERSION] > STATE_FORMAT_VERSION)
		return verdict(b, STATE_NEWER, "a record in a newer format, written by a newer sluice");
	if (key.p[KEY_VERSION] != STATE_FORMAT_VERSION || f->n != 1 || !f->rec.value.p)
		return verdict(b, STATE_CORRUPT, "a state record that can not be");
	b->entries = rd_init(f->rec.value.p, f->rec.value.n);
	if (state_head_read(&b->entries, b->base_offset, &b->head))
		return verdict(b, STATE_CORRUPT, "a state record with a malformed head");
	return verdict(b, STATE_OURS, "");
}

enum state_verdict state_batch_read(
	const uint8_t *p, const struct batch_header *h, struct arena *a, struct state_batch *ret)
{
	struct first_record f = {.n = 0};
	enum err e;

	*ret = (struct state_batch){
		.base_offset = h->base_offset,
		.last_offset = batch_last_offset(h),
		.producer_id = h->producer_id,
		.producer_epoch = h->producer_epoch,
		.base_sequence = h->base_sequence,
		.size = h->size,
	};
	if (h->magic != 2)
		return verdict(ret, STATE_FOREIGN, "a message of an old format");
	if (batch_check_crc(p, h))
		return verdict(ret, STATE_CORRUPT, "a record batch with a wrong checksum");
	if (batch_is_control(h) || batch_is_transactional(h))
		return verdict(ret, STATE_FOREIGN, "a batch of a transaction");
	e = batch_read_records(p, h, a, STATE_RECORD_MAX, first_record_cb, &f);
	if (e == ERR_UNSUPPORTED)
		return verdict(ret, STATE_CORRUPT, "a record batch with an unknown compression");
	if (e == ERR_TOO_LARGE || e == ERR_NO_MEMORY)
		return verdict(ret, STATE_CORRUPT, "a record batch larger than sluice ever writes");
	if (e)
		return verdict(ret, STATE_CORRUPT, "a record batch with malformed records");
	return record_judge(&f, ret);
}
