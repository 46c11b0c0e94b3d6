/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor that all encoding goes through; it checks field widths and can refer to bytes instead of copying them.
 *
 * The error is sticky as in the reader. What is written is a list of pieces: own bytes in one growing buffer, and
 * slices of chunks (record batches) between them, so that stored batches reach the socket without a copy. */
#ifndef SLUICE_WIRE_WRITER_H
#define SLUICE_WIRE_WRITER_H

#include "base/buf.h"
#include "base/chunk.h"
#include "base/err.h"
#include "base/types.h"

/* A slice that stands at position at of the own bytes. */
struct writer_ref {
	size_t at;
	struct slice slice; /* holds a reference on its chunk */
};

struct writer {
	struct buf own;
	struct writer_ref *refs;
	size_t refs_n, refs_cap;
	size_t refs_bytes;
	enum err err; /* ERR_OK, ERR_TOO_LARGE, ERR_NO_MEMORY or ERR_INVALID (a value does not fit its field) */
};

/* An empty writer of at most max own bytes. */
void wr_init(struct writer *w, size_t max);

/* Frees the bytes and drops the references. */
void wr_release(struct writer *w);

/* Bytes written so far, slices included. */
size_t wr_size(const struct writer *w);

void wr_i8(struct writer *w, int8_t v);
void wr_i16(struct writer *w, int16_t v);
void wr_u16(struct writer *w, uint16_t v);
void wr_i32(struct writer *w, int32_t v);
void wr_u32(struct writer *w, uint32_t v);
void wr_i64(struct writer *w, int64_t v);
void wr_f64(struct writer *w, double v);
void wr_bool(struct writer *w, bool v);
void wr_uuid(struct writer *w, struct uuid v);
void wr_uvarint(struct writer *w, uint32_t v);
void wr_uvarlong(struct writer *w, uint64_t v);
void wr_varint(struct writer *w, int32_t v);
void wr_varlong(struct writer *w, int64_t v);
/* Strings are at most 32767 bytes, compact ones too, as in Kafka. Null is written as null: whether it may be is the
 * caller's business. */
void wr_str(struct writer *w, struct str v);
void wr_cstr(struct writer *w, struct str v);
void wr_bytes(struct writer *w, struct bytes v);
void wr_cbytes(struct writer *w, struct bytes v);
void wr_raw(struct writer *w, const void *p, size_t n);

/* Appends a slice: copied when it is small or has no chunk, else referred to (a reference is taken). */
void wr_slice(struct writer *w, struct slice s);

/* Overwrites four own bytes at position at (an earlier wr_size with no slice before it): lengths known at the end. */
void wr_patch_i32(struct writer *w, size_t at, int32_t v);

/* What is written between begin and end gets its length in front of it, as an unsigned varint (the value of a tagged
 * field). No slice may be referred to in between. */
struct writer_mark {
	size_t at, refs_n;
};
struct writer_mark wr_sized_begin(const struct writer *w);
void wr_sized_end(struct writer *w, struct writer_mark mark);

/* Copies everything, slices included, into out of wr_size bytes. */
void wr_flatten(const struct writer *w, uint8_t *out);

#endif
