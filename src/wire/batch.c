/* SPDX-License-Identifier: Apache-2.0 */
/* Record batches are read here: headers without touching the records, and the records of our own topic. */
#include "wire/batch.h"
#include "base/assert.h"
#include "wire/compress.h"

#define LENGTH_END 12 /* offset and length, which every format begins with */
#define CRC_START 21  /* the CRC covers everything behind itself */
#define OLD_MIN_V0 14 /* crc, magic, attributes, null key, null value */
#define OLD_MIN_V1 22 /* and a timestamp */
#define LOG_APPEND_TIME 0x08

/* Everything in the header of a v2 batch behind the magic. */
static void header_read_v2(struct reader *r, struct batch_header *h)
{
	h->crc = rd_u32(r);
	h->attributes = rd_i16(r);
	h->last_offset_delta = rd_i32(r);
	h->base_timestamp = rd_i64(r);
	h->max_timestamp = rd_i64(r);
	h->producer_id = rd_i64(r);
	h->producer_epoch = rd_i16(r);
	h->base_sequence = rd_i32(r);
	h->records_count = rd_i32(r);
}

/* The offset behind the last one has to be a number too. */
static bool header_is_possible(const struct batch_header *h)
{
	return h->last_offset_delta >= 0 && h->records_count >= 0 && h->base_offset < INT64_MAX - h->last_offset_delta;
}

static enum batch_status old_header_read(size_t n, struct batch_header *h)
{
	int64_t offset = h->base_offset;
	int8_t magic = h->magic;
	size_t size = h->size;

	if (h->batch_length < (magic == 0 ? OLD_MIN_V0 : OLD_MIN_V1))
		return BATCH_BAD;
	if (n < size)
		return BATCH_TRUNCATED;
	*h = (struct batch_header){.base_offset = offset, .magic = magic, .size = size};
	return BATCH_OLD;
}

enum batch_status batch_header_read(const uint8_t *p, size_t n, struct batch_header *ret)
{
	struct reader r = rd_init(p, n);
	struct batch_header *h = ret;

	*h = (struct batch_header){0};
	if (n < LENGTH_END)
		return BATCH_TRUNCATED;
	h->base_offset = rd_i64(&r);
	h->batch_length = rd_i32(&r);
	if (h->base_offset < 0 || h->base_offset == INT64_MAX || h->batch_length < OLD_MIN_V0)
		return BATCH_BAD;
	h->size = (size_t)h->batch_length + LENGTH_END;
	if (n <= BATCH_MAGIC_OFFSET)
		return BATCH_TRUNCATED;
	h->partition_leader_epoch = rd_i32(&r);
	h->magic = rd_i8(&r);
	if (h->magic == 0 || h->magic == 1)
		return old_header_read(n, h);
	if (h->magic != 2 || h->size < BATCH_HEADER_SIZE)
		return BATCH_BAD;
	if (n < BATCH_HEADER_SIZE)
		return BATCH_TRUNCATED;
	header_read_v2(&r, h);
	if (!header_is_possible(h))
		return BATCH_BAD;
	return n < h->size ? BATCH_TRUNCATED : BATCH_READY;
}

enum err batch_check_crc(const uint8_t *p, const struct batch_header *h)
{
	sl_assert(h->magic == 2 && h->size >= BATCH_HEADER_SIZE);
	return crc32c(0, p + CRC_START, h->size - CRC_START) == h->crc ? ERR_OK : ERR_CORRUPT;
}

/* A field with a varint length, -1 for null. */
static struct bytes record_bytes(struct reader *r)
{
	int32_t len = rd_varint(r);

	if (r->err || len == -1)
		return (struct bytes){NULL, 0};
	if (len < 0) {
		rd_fail(r);
		return (struct bytes){NULL, 0};
	}
	return rd_raw(r, (size_t)len);
}

static void record_skip_headers(struct reader *r)
{
	int32_t n = rd_varint(r);

	if (n < 0 || (size_t)n > rd_left(r)) {
		rd_fail(r);
		return;
	}
	for (int32_t i = 0; i < n && !r->err; i++) {
		if (!record_bytes(r).p)
			rd_fail(r);
		record_bytes(r);
	}
}

/* Reads one record; *last_delta is the offset delta of the one before (-1: none). */
static void record_read(struct reader *all, const struct batch_header *h, int32_t *last_delta, struct record *ret)
{
	int32_t len = rd_varint(all);
	struct bytes raw = {NULL, 0};
	struct reader r;
	int32_t delta;

	if (len < 0)
		rd_fail(all);
	else
		raw = rd_raw(all, (size_t)len);
	if (all->err)
		return;
	r = rd_init(raw.p, raw.n);
	rd_i8(&r); /* attributes, unused by Kafka */
	if (__builtin_add_overflow(h->base_timestamp, rd_varlong(&r), &ret->timestamp))
		rd_fail(&r);
	if (h->attributes & LOG_APPEND_TIME)
		ret->timestamp = h->max_timestamp;
	delta = rd_varint(&r);
	if (delta <= *last_delta || delta > h->last_offset_delta)
		rd_fail(&r);
	*last_delta = delta;
	ret->offset = h->base_offset + delta;
	ret->key = record_bytes(&r);
	ret->value = record_bytes(&r);
	record_skip_headers(&r);
	if (r.err || rd_left(&r) > 0)
		rd_fail(all);
}

enum err batch_read_records(const uint8_t *p, const struct batch_header *h, struct arena *a, size_t max_bytes,
	batch_record_cb on_record, void *arg)
{
	struct bytes data = {p + BATCH_HEADER_SIZE, h->size - BATCH_HEADER_SIZE};
	int32_t last_delta = -1;
	struct record rec;
	struct reader r;

	if (h->magic != 2)
		return ERR_UNSUPPORTED;
	if (batch_compression(h) != COMPRESSION_NONE) {
		enum err e = decompress(batch_compression(h), data, max_bytes, a, &data);

		if (e)
			return e;
	}
	r = rd_init(data.p, data.n);
	for (int32_t i = 0; i < h->records_count; i++) {
		record_read(&r, h, &last_delta, &rec);
		if (r.err)
			return r.err;
		if (!on_record(arg, &rec))
			return ERR_OK;
	}
	return rd_left(&r) > 0 ? ERR_MALFORMED : ERR_OK;
}
