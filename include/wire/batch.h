/* SPDX-License-Identifier: Apache-2.0 */
/* Record batches of message format v2: headers without touching the records, and building and reading of our own
 * batches. */
#ifndef SLUICE_WIRE_BATCH_H
#define SLUICE_WIRE_BATCH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/types.h"
#include "wire/reader.h"
#include "wire/writer.h"

#define BATCH_HEADER_SIZE 61
#define BATCH_MAGIC_OFFSET 16

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_SNAPPY, COMPRESSION_LZ4, COMPRESSION_ZSTD };

struct batch_header {
	int64_t base_offset;
	int32_t batch_length; /* as stored: bytes behind this field */
	int32_t partition_leader_epoch;
	int8_t magic;
	uint32_t crc;
	int16_t attributes;
	int32_t last_offset_delta;
	int64_t base_timestamp, max_timestamp;
	int64_t producer_id;
	int16_t producer_epoch;
	int32_t base_sequence;
	int32_t records_count;
	size_t size; /* whole batch: batch_length + 12 */
};

static inline bool batch_is_control(const struct batch_header *h)
{
	return (h->attributes & 0x20) != 0;
}

static inline bool batch_is_transactional(const struct batch_header *h)
{
	return (h->attributes & 0x10) != 0;
}

static inline enum compression batch_compression(const struct batch_header *h)
{
	return (enum compression)(h->attributes & 0x07);
}

static inline int64_t batch_last_offset(const struct batch_header *h)
{
	return h->base_offset + h->last_offset_delta;
}

enum batch_status {
	BATCH_READY,     /* whole batch there */
	BATCH_TRUNCATED, /* cut off by the fetch size: h->size (when its 12 first bytes are there, else 0) says how much
			    is needed */
	BATCH_OLD,       /* magic 0 or 1: size set, base_offset is the entry's offset, the rest zero */
	BATCH_BAD,       /* lengths, magic or offsets that cannot be */
};

/* Reads the header of the batch at p; n bytes have arrived. The CRC is not checked. */
enum batch_status batch_header_read(const uint8_t *p, size_t n, struct batch_header *ret);

/* Checks the CRC-32C of a whole batch: ERR_CORRUPT. */
enum err batch_check_crc(const uint8_t *p, const struct batch_header *h) ERR_CHECKED;

/* CRC-32C of n bytes, continued from crc (0 to start). */
uint32_t crc32c(uint32_t crc, const void *p, size_t n);

struct record {
	int64_t offset;
	int64_t timestamp;
	struct bytes key, value; /* views; null: p == NULL */
};

/* Walks the records of a whole batch, decompressed by this module where needed (at most max_bytes of them, into the
 * arena). on_record returning false stops. ERR_MALFORMED, ERR_TOO_LARGE, ERR_UNSUPPORTED (codec), ERR_NO_MEMORY.
 * Headers of records are skipped. */
typedef bool (*batch_record_cb)(void *arg, const struct record *rec);
enum err batch_read_records(const uint8_t *p, const struct batch_header *h, struct arena *a, size_t max_bytes,
	batch_record_cb on_record, void *arg) ERR_CHECKED;

/* Builds an uncompressed batch: begin, add records, end. The offset of record i is i. */
struct batch_builder {
	struct writer w;
	int32_t count;
	int64_t timestamp;
};

/* Starts a batch of at most max bytes with one timestamp (ms) for all records. */
void batch_builder_init(struct batch_builder *b, size_t max, int64_t timestamp);
void batch_builder_release(struct batch_builder *b);

/* Adds a record with key (null allowed) and value. ERR_TOO_LARGE when the batch would exceed max: then it is unchanged.
 */
enum err batch_builder_add(struct batch_builder *b, struct bytes key, struct bytes value) ERR_CHECKED;

/* Bytes that the batch has now. */
size_t batch_builder_size(const struct batch_builder *b);

/* Fills in header, producer fields (-1 when not idempotent) and CRC, and gives the bytes as a chunk; the builder is
 * empty afterwards. */
struct chunk *batch_builder_end(
	struct batch_builder *b, int64_t producer_id, int16_t producer_epoch, int32_t base_sequence);

/* Overwrites producer fields in a finished batch and its CRC (a new producer id after the old one was lost). */
void batch_set_producer(struct chunk *c, int64_t producer_id, int16_t producer_epoch, int32_t base_sequence);

#endif
