/* SPDX-License-Identifier: Apache-2.0 */
/* The bounded cursor that all decoding goes through. Nothing else reads raw bytes.
 *
 * The error is sticky: after the first one every read gives zero or null and the cursor does not move, so a decoder may
 * read a whole structure and check once. Views given out point into the bytes that the reader was made on: their owner
 * (the frame's slot) must outlive them, what lives longer is copied. */
#ifndef SLUICE_WIRE_READER_H
#define SLUICE_WIRE_READER_H

#include "base/err.h"
#include "base/types.h"

struct reader {
	const uint8_t *p;
	const uint8_t *end;
	enum err err; /* ERR_OK or ERR_MALFORMED */
};

/* A reader over n bytes. */
struct reader rd_init(const uint8_t *p, size_t n);

/* Bytes not read yet; 0 after an error. */
size_t rd_left(const struct reader *r);

/* Marks the reader as failed. */
void rd_fail(struct reader *r);

/* Big-endian fixed width, as Kafka's protocol. rd_bool takes any non-zero byte as true. */
int8_t rd_i8(struct reader *r);
int16_t rd_i16(struct reader *r);
uint16_t rd_u16(struct reader *r);
int32_t rd_i32(struct reader *r);
uint32_t rd_u32(struct reader *r);
int64_t rd_i64(struct reader *r);
double rd_f64(struct reader *r);
bool rd_bool(struct reader *r);
struct uuid rd_uuid(struct reader *r);

/* Base-128: at most 5 bytes (32 bit) or 10 bytes (64 bit), surplus bits are an error. The signed forms are zigzag, as
 * in records. */
uint32_t rd_uvarint(struct reader *r);
uint64_t rd_uvarlong(struct reader *r);
int32_t rd_varint(struct reader *r);
int64_t rd_varlong(struct reader *r);

/* int16 / int32 / uvarint(n + 1) length prefixed. Length -1 (or compact 0) gives null; any other negative length is
 * an error, and so is a string of more than 32767 bytes, compact or not, as in Kafka. */
struct str rd_str(struct reader *r);
struct str rd_cstr(struct reader *r);
struct bytes rd_bytes(struct reader *r);
struct bytes rd_cbytes(struct reader *r);

/* The element count of an array. *ret_null tells null. A count is refused when fewer than count * min_size bytes are
 * left (min_size at least 1: the smallest element) or when it exceeds 1,000,000, Kafka's own limit. */
uint32_t rd_array(struct reader *r, size_t min_size, bool *ret_null);
uint32_t rd_carray(struct reader *r, size_t min_size, bool *ret_null);

/* n raw bytes, a view. */
struct bytes rd_raw(struct reader *r, size_t n);

/* Skips one section of tagged fields, at most 10,000 of them with ascending tags. */
void rd_skip_tags(struct reader *r);

#endif
