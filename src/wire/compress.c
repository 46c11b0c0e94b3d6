/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed records are expanded here, into a growing buffer that never exceeds the caller's limit. */
#include <lz4frame.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/buf.h"
#include "wire/compress.h"
#include "wire/reader.h"

#define STEP ((size_t)64 * 1024)
/* A snappy element of three bytes expands to 64 at most: a larger claim is a lie. */
#define SNAPPY_RATIO 64
#define SNAPPY_JAVA_MAGIC "\x82SNAPPY"
#define SNAPPY_JAVA_MAGIC_SIZE 8
#define SNAPPY_JAVA_VERSIONS_SIZE 8

/* Room for the next piece of output: at least a byte, whatever has been written. */
static enum err out_grow(struct buf *out)
{
	size_t left = out->max - buf_len(out);
	enum err e;

	if (buf_room(out) > 0)
		return ERR_OK;
	e = buf_reserve(out, left < STEP ? left : STEP);
	return e == ERR_FULL || left == 0 ? ERR_TOO_LARGE : e;
}

static enum err gunzip_stream(z_stream *z, struct bytes in, struct buf *out)
{
	z->next_in = (Bytef *)(uintptr_t)in.p; /* only read */
	z->avail_in = (uInt)in.n;
	for (;;) {
		enum err e = out_grow(out);
		size_t room;
		int rc;

		if (e)
			return e;
		room = buf_room(out) < UINT32_MAX ? buf_room(out) : UINT32_MAX;
		z->next_out = buf_tail(out);
		z->avail_out = (uInt)room;
		rc = inflate(z, Z_NO_FLUSH);
		buf_commit(out, room - z->avail_out);
		if (rc == Z_STREAM_END) {
			if (z->avail_in == 0)
				return ERR_OK;
			rc = inflateReset(z); /* another member follows */
		} else if (rc == Z_OK && z->avail_in == 0 && z->avail_out > 0) {
			return ERR_MALFORMED; /* cut off */
		}
		if (rc != Z_OK)
			return rc == Z_MEM_ERROR ? ERR_NO_MEMORY : ERR_MALFORMED;
	}
}

static enum err gunzip(struct bytes in, struct buf *out)
{
	z_stream z = {0};
	enum err e;

	if (in.n > UINT32_MAX)
		return ERR_TOO_LARGE;
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return ERR_NO_MEMORY;
	e = gunzip_stream(&z, in, out);
	inflateEnd(&z);
	return e;
}

static enum err unsnap_block(struct bytes in, struct buf *out)
{
	const char *p = (const char *)in.p;
	size_t n;
	enum err e;

	if (snappy_uncompressed_length(p, in.n, &n) != SNAPPY_OK || n / SNAPPY_RATIO > in.n)
		return ERR_MALFORMED;
	if (n > out->max - buf_len(out))
		return ERR_TOO_LARGE;
	if (n == 0)
		return snappy_validate_compressed_buffer(p, in.n) == SNAPPY_OK ? ERR_OK : ERR_MALFORMED;
	e = buf_reserve(out, n);
	if (e)
		return e == ERR_FULL ? ERR_TOO_LARGE : e;
	if (snappy_uncompress(p, in.n, (char *)buf_tail(out), &n) != SNAPPY_OK)
		return ERR_MALFORMED;
	buf_commit(out, n);
	return ERR_OK;
}

/* One raw block, or the framing of Java's SnappyOutputStream: magic, two versions, then blocks behind their lengths. */
static enum err unsnap(struct bytes in, struct buf *out)
{
	struct reader r = rd_init(in.p, in.n);

	if (in.n < SNAPPY_JAVA_MAGIC_SIZE || memcmp(in.p, SNAPPY_JAVA_MAGIC, SNAPPY_JAVA_MAGIC_SIZE) != 0)
		return unsnap_block(in, out);
	rd_raw(&r, SNAPPY_JAVA_MAGIC_SIZE + SNAPPY_JAVA_VERSIONS_SIZE);
	while (rd_left(&r) > 0) {
		struct bytes block = rd_bytes(&r);
		enum err e;

		if (!block.p)
			return ERR_MALFORMED;
		e = unsnap_block(block, out);
		if (e)
			return e;
	}
	return r.err;
}

static enum err unlz4_stream(LZ4F_dctx *ctx, struct bytes in, struct buf *out)
{
	size_t hint = 1; /* 0: at the end of a frame */

	while (in.n > 0) {
		enum err e = out_grow(out);
		size_t room, used = in.n;

		if (e)
			return e;
		room = buf_room(out);
		hint = LZ4F_decompress(ctx, buf_tail(out), &room, in.p, &used, NULL);
		if (LZ4F_isError(hint) || (room == 0 && used == 0))
			return ERR_MALFORMED;
		buf_commit(out, room);
		in.p += used;
		in.n -= used;
	}
	return hint == 0 ? ERR_OK : ERR_MALFORMED;
}

static enum err unlz4(struct bytes in, struct buf *out)
{
	LZ4F_dctx *ctx;
	enum err e;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&ctx, LZ4F_VERSION)))
		return ERR_NO_MEMORY;
	e = unlz4_stream(ctx, in, out);
	LZ4F_freeDecompressionContext(ctx);
	return e;
}

/* In one go, with twice the room at each new try: so no window is held beside the output, sizes that a frame claims are
 * not believed, and frames may be joined. */
static enum err unzstd(struct bytes in, struct buf *out)
{
	size_t room = in.n < out->max / 4 ? in.n * 4 : out->max;

	if (room < STEP)
		room = out->max < STEP ? out->max : STEP;
	for (;;) {
		enum err e = buf_reserve(out, room);
		size_t n;

		if (e)
			return e == ERR_FULL ? ERR_TOO_LARGE : e;
		n = ZSTD_decompress(buf_tail(out), buf_room(out), in.p, in.n);
		if (!ZSTD_isError(n)) {
			buf_commit(out, n);
			return ERR_OK;
		}
		if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
			return ERR_NO_MEMORY;
		if (ZSTD_getErrorCode(n) != ZSTD_error_dstSize_tooSmall)
			return ERR_MALFORMED;
		if (room == out->max)
			return ERR_TOO_LARGE;
		room = room < out->max / 2 ? room * 2 : out->max;
	}
}

static enum err expand(enum compression codec, struct bytes in, struct buf *out)
{
	switch (codec) {
	case COMPRESSION_GZIP:
		return gunzip(in, out);
	case COMPRESSION_SNAPPY:
		return unsnap(in, out);
	case COMPRESSION_LZ4:
		return unlz4(in, out);
	case COMPRESSION_ZSTD:
		return unzstd(in, out);
	case COMPRESSION_NONE:
	default:
		return ERR_UNSUPPORTED;
	}
}

enum err decompress(enum compression codec, struct bytes in, size_t max, struct arena *a, struct bytes *ret)
{
	struct buf out;
	uint8_t *p;
	enum err e;

	if (codec == COMPRESSION_NONE) {
		if (in.n > max)
			return ERR_TOO_LARGE;
		*ret = in;
		return ERR_OK;
	}
	/* One more than allowed, so that the end is seen when the limit is met exactly. */
	buf_init(&out, max < SIZE_MAX ? max + 1 : max);
	e = in.n > 0 ? expand(codec, in, &out) : ERR_MALFORMED;
	if (!e && buf_len(&out) > max)
		e = ERR_TOO_LARGE;
	if (!e) {
		p = arena_zalloc(a, buf_len(&out), 1);
		if (!p)
			e = buf_len(&out) > a->max - a->used ? ERR_TOO_LARGE : ERR_NO_MEMORY;
		else if (buf_len(&out) > 0)
			memcpy(p, buf_head(&out), buf_len(&out));
		if (!e)
			*ret = (struct bytes){p, buf_len(&out)};
	}
	buf_release(&out);
	return e;
}
