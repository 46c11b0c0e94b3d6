/* SPDX-License-Identifier: Apache-2.0 */
/* Values become raw bytes here and nowhere else; stored batches are referred to instead of copied.
 *
 *   own bytes   [........ at0 ............... at1 .....]
 *   on the wire [........|slice 0|...........|slice 1|.....] */
#include "wire/writer.h"

#include "base/assert.h"
#include "base/mem.h"

#define STRING_MAX INT16_MAX
/* Below this a copy is cheaper than one more piece in the gathering write. */
#define SLICE_COPY_MAX 1024u
#define REFS_MAX 65536u
/* A frame's length is an int32. */
#define SIZE_MAX_ON_WIRE ((size_t)INT32_MAX)

void wr_init(struct writer *w, size_t max)
{
	*w = (struct writer){.err = ERR_OK};
	buf_init(&w->own, max);
}

void wr_release(struct writer *w)
{
	for (size_t i = 0; i < w->refs_n; i++)
		chunk_unref(w->refs[i].slice.chunk);
	mem_free(w->refs);
	buf_release(&w->own);
	w->refs = NULL;
	w->refs_n = w->refs_cap = w->refs_bytes = 0;
	w->err = ERR_OK;
}

size_t wr_size(const struct writer *w)
{
	return buf_len(&w->own) + w->refs_bytes;
}

static void wr_fail(struct writer *w, enum err e)
{
	if (!w->err)
		w->err = e;
}

/* Room for n more own bytes, NULL after an error. */
static uint8_t *wr_room(struct writer *w, size_t n)
{
	enum err e;

	if (w->err)
		return NULL;
	if (n > SIZE_MAX_ON_WIRE - wr_size(w)) {
		wr_fail(w, ERR_TOO_LARGE);
		return NULL;
	}
	e = buf_reserve(&w->own, n);
	if (e) {
		wr_fail(w, e == ERR_FULL ? ERR_TOO_LARGE : e);
		return NULL;
	}
	return buf_tail(&w->own);
}

static void put_be(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = n; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
}

static void wr_be(struct writer *w, uint64_t v, size_t n)
{
	uint8_t *p = wr_room(w, n);

	if (!p)
		return;
	put_be(p, v, n);
	buf_commit(&w->own, n);
}

void wr_i8(struct writer *w, int8_t v)
{
	wr_be(w, (uint8_t)v, 1);
}

void wr_i16(struct writer *w, int16_t v)
{
	wr_be(w, (uint16_t)v, 2);
}

void wr_u16(struct writer *w, uint16_t v)
{
	wr_be(w, v, 2);
}

void wr_i32(struct writer *w, int32_t v)
{
	wr_be(w, (uint32_t)v, 4);
}

void wr_u32(struct writer *w, uint32_t v)
{
	wr_be(w, v, 4);
}

void wr_i64(struct writer *w, int64_t v)
{
	wr_be(w, (uint64_t)v, 8);
}

void wr_f64(struct writer *w, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	wr_be(w, bits, 8);
}

void wr_bool(struct writer *w, bool v)
{
	wr_be(w, v ? 1 : 0, 1);
}

void wr_uuid(struct writer *w, struct uuid v)
{
	wr_raw(w, v.b, sizeof(v.b));
}

static size_t put_base128(uint8_t out[10], uint64_t v)
{
	size_t n = 0;

	for (; v > 0x7f; v >>= 7)
		out[n++] = (uint8_t)(v | 0x80);
	out[n++] = (uint8_t)v;
	return n;
}

void wr_uvarlong(struct writer *w, uint64_t v)
{
	uint8_t b[10];
	size_t n = put_base128(b, v);

	wr_raw(w, b, n);
}

void wr_uvarint(struct writer *w, uint32_t v)
{
	wr_uvarlong(w, v);
}

void wr_varint(struct writer *w, int32_t v)
{
	wr_uvarint(w, (uint32_t)v << 1 ^ (v < 0 ? UINT32_MAX : 0));
}

void wr_varlong(struct writer *w, int64_t v)
{
	wr_uvarlong(w, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void wr_str(struct writer *w, struct str v)
{
	if (v.n > STRING_MAX) {
		wr_fail(w, ERR_INVALID);
		return;
	}
	wr_i16(w, v.p ? (int16_t)v.n : -1);
	if (v.p)
		wr_raw(w, v.p, v.n);
}

void wr_cstr(struct writer *w, struct str v)
{
	if (v.n > STRING_MAX) {
		wr_fail(w, ERR_INVALID);
		return;
	}
	wr_uvarint(w, v.p ? (uint32_t)v.n + 1 : 0);
	if (v.p)
		wr_raw(w, v.p, v.n);
}

void wr_bytes(struct writer *w, struct bytes v)
{
	if (v.n > SIZE_MAX_ON_WIRE) {
		wr_fail(w, ERR_INVALID);
		return;
	}
	wr_i32(w, v.p ? (int32_t)v.n : -1);
	if (v.p)
		wr_raw(w, v.p, v.n);
}

void wr_cbytes(struct writer *w, struct bytes v)
{
	if (v.n > SIZE_MAX_ON_WIRE) {
		wr_fail(w, ERR_INVALID);
		return;
	}
	wr_uvarint(w, v.p ? (uint32_t)v.n + 1 : 0);
	if (v.p)
		wr_raw(w, v.p, v.n);
}

void wr_raw(struct writer *w, const void *p, size_t n)
{
	uint8_t *to = n ? wr_room(w, n) : NULL;

	if (!to)
		return;
	memcpy(to, p, n);
	buf_commit(&w->own, n);
}

void wr_slice(struct writer *w, struct slice s)
{
	if (!s.chunk || s.n <= SLICE_COPY_MAX) {
		wr_raw(w, s.p, s.n);
		return;
	}
	if (w->err)
		return;
	if (w->refs_n == REFS_MAX || s.n > SIZE_MAX_ON_WIRE - wr_size(w)) {
		wr_fail(w, ERR_TOO_LARGE);
		return;
	}
	if (w->refs_n == w->refs_cap) {
		w->refs_cap = w->refs_cap ? w->refs_cap * 2 : 8;
		w->refs = mem_resize(w->refs, w->refs_cap, sizeof(w->refs[0]));
	}
	chunk_ref(s.chunk);
	w->refs[w->refs_n++] = (struct writer_ref){buf_len(&w->own), s};
	w->refs_bytes += s.n;
}

void wr_patch_i32(struct writer *w, size_t at, int32_t v)
{
	size_t len = buf_len(&w->own);

	if (w->err)
		return;
	sl_assert(at <= len && len - at >= 4);
	put_be(buf_tail(&w->own) - (len - at), (uint32_t)v, 4);
}

struct writer_mark wr_sized_begin(const struct writer *w)
{
	return (struct writer_mark){buf_len(&w->own), w->refs_n};
}

void wr_sized_end(struct writer *w, struct writer_mark mark)
{
	size_t len = buf_len(&w->own) - mark.at, size_n;
	uint8_t size[10], *end;

	if (w->err)
		return;
	sl_assert(w->refs_n == mark.refs_n);
	size_n = put_base128(size, len);
	end = wr_room(w, size_n);
	if (!end)
		return;
	memmove(end - len + size_n, end - len, len);
	memcpy(end - len, size, size_n);
	buf_commit(&w->own, size_n);
}

void wr_flatten(const struct writer *w, uint8_t *out)
{
	const uint8_t *own = buf_len(&w->own) ? buf_head(&w->own) : NULL;
	size_t done = 0, n;

	for (size_t i = 0; i < w->refs_n; i++) {
		const struct writer_ref *ref = &w->refs[i];

		n = ref->at - done;
		if (n)
			memcpy(out, own + done, n);
		out += n;
		done = ref->at;
		memcpy(out, ref->slice.p, ref->slice.n);
		out += ref->slice.n;
	}
	n = buf_len(&w->own) - done;
	if (n)
		memcpy(out, own + done, n);
}
