/* SPDX-License-Identifier: Apache-2.0 */
/* Record batches for our own topic are built here; producer fields can be changed once a batch is finished. */
#include "base/assert.h"
#include "wire/batch.h"

#define LENGTH_END 12
#define CRC_START 21
#define RECORD_FIXED 3 /* attributes, timestamp delta 0 and no headers: a byte each */

/* Bytes of v as a zigzag varint. */
static size_t varint_size(int32_t v)
{
	uint32_t u = ((uint32_t)v << 1) ^ (v < 0 ? UINT32_MAX : 0);
	size_t n = 1;

	while (u >>= 7)
		n++;
	return n;
}

static size_t bytes_size(struct bytes b)
{
	return b.p ? varint_size((int32_t)b.n) + b.n : varint_size(-1);
}

static void bytes_write(struct writer *w, struct bytes b)
{
	wr_varint(w, b.p ? (int32_t)b.n : -1);
	if (b.p)
		wr_raw(w, b.p, b.n);
}

static void header_write(uint8_t out[BATCH_HEADER_SIZE], const struct batch_header *h)
{
	struct writer w;

	wr_init(&w, BATCH_HEADER_SIZE);
	wr_i64(&w, h->base_offset);
	wr_i32(&w, h->batch_length);
	wr_i32(&w, h->partition_leader_epoch);
	wr_i8(&w, h->magic);
	wr_u32(&w, h->crc);
	wr_i16(&w, h->attributes);
	wr_i32(&w, h->last_offset_delta);
	wr_i64(&w, h->base_timestamp);
	wr_i64(&w, h->max_timestamp);
	wr_i64(&w, h->producer_id);
	wr_i16(&w, h->producer_epoch);
	wr_i32(&w, h->base_sequence);
	wr_i32(&w, h->records_count);
	sl_assert(!w.err && wr_size(&w) == BATCH_HEADER_SIZE);
	wr_flatten(&w, out);
	wr_release(&w);
}

/* Writes the header in front of the records that stand in c, with the CRC over both. */
static void batch_seal(struct chunk *c, struct batch_header *h)
{
	header_write(c->data, h);
	h->crc = crc32c(0, c->data + CRC_START, c->size - CRC_START);
	header_write(c->data, h);
}

void batch_builder_init(struct batch_builder *b, size_t max, int64_t timestamp)
{
	sl_assert(max > BATCH_HEADER_SIZE && max <= INT32_MAX);
	wr_init(&b->w, max - BATCH_HEADER_SIZE);
	b->count = 0;
	b->timestamp = timestamp;
}

void batch_builder_release(struct batch_builder *b)
{
	wr_release(&b->w);
	b->count = 0;
}

enum err batch_builder_add(struct batch_builder *b, struct bytes key, struct bytes value)
{
	size_t max = b->w.own.max, body;
	enum err e;

	if (key.n > max || value.n > max)
		return ERR_TOO_LARGE;
	body = RECORD_FIXED + varint_size(b->count) + bytes_size(key) + bytes_size(value);
	if (body > max || varint_size((int32_t)body) + body > max - wr_size(&b->w))
		return ERR_TOO_LARGE;
	e = buf_reserve(&b->w.own, varint_size((int32_t)body) + body);
	if (e)
		return e == ERR_FULL ? ERR_TOO_LARGE : e;
	wr_varint(&b->w, (int32_t)body);
	wr_i8(&b->w, 0);
	wr_varlong(&b->w, 0);
	wr_varint(&b->w, b->count);
	bytes_write(&b->w, key);
	bytes_write(&b->w, value);
	wr_varint(&b->w, 0);
	sl_assert(!b->w.err);
	b->count++;
	return ERR_OK;
}

size_t batch_builder_size(const struct batch_builder *b)
{
	return BATCH_HEADER_SIZE + wr_size(&b->w);
}

struct chunk *batch_builder_end(
	struct batch_builder *b, int64_t producer_id, int16_t producer_epoch, int32_t base_sequence)
{
	size_t size = batch_builder_size(b), max = b->w.own.max;
	struct chunk *c = chunk_try_new(size);
	struct batch_header h = {
		.batch_length = (int32_t)(size - LENGTH_END),
		.partition_leader_epoch = -1,
		.magic = 2,
		.last_offset_delta = b->count - 1,
		.base_timestamp = b->timestamp,
		.max_timestamp = b->timestamp,
		.producer_id = producer_id,
		.producer_epoch = producer_epoch,
		.base_sequence = base_sequence,
		.records_count = b->count,
	};

	sl_assert(b->count > 0);
	sl_assert(c != NULL); /* a size of our own: no memory for it ends the program */
	wr_flatten(&b->w, c->data + BATCH_HEADER_SIZE);
	batch_seal(c, &h);
	wr_release(&b->w);
	wr_init(&b->w, max);
	b->count = 0;
	return c;
}

void batch_set_producer(struct chunk *c, int64_t producer_id, int16_t producer_epoch, int32_t base_sequence)
{
	struct batch_header h;

	sl_assert(batch_header_read(c->data, c->size, &h) == BATCH_READY && h.size == c->size);
	h.producer_id = producer_id;
	h.producer_epoch = producer_epoch;
	h.base_sequence = base_sequence;
	batch_seal(c, &h);
}
