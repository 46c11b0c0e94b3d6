/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes become values here and nowhere else; what is wanted is always compared with what is left. */
#include "wire/reader.h"

#define STRING_MAX INT16_MAX
#define ARRAY_MAX 1000000u
#define TAGS_MAX 10000u

/* What stands for "no bytes" in a view that is not null. */
static const uint8_t nothing[1];

struct reader rd_init(const uint8_t *p, size_t n)
{
	if (!p)
		p = nothing;
	return (struct reader){p, p + n, ERR_OK};
}

size_t rd_left(const struct reader *r)
{
	return r->err ? 0 : (size_t)(r->end - r->p);
}

void rd_fail(struct reader *r)
{
	r->err = ERR_MALFORMED;
}

/* The next n bytes, or NULL after an error or when fewer are left. */
static const uint8_t *rd_take(struct reader *r, size_t n)
{
	const uint8_t *p = r->p;

	if (r->err || n > (size_t)(r->end - r->p)) {
		rd_fail(r);
		return NULL;
	}
	r->p += n;
	return p;
}

static uint64_t rd_be(struct reader *r, size_t n)
{
	const uint8_t *p = rd_take(r, n);
	uint64_t v = 0;

	if (!p)
		return 0;
	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

int8_t rd_i8(struct reader *r)
{
	return (int8_t)rd_be(r, 1);
}

int16_t rd_i16(struct reader *r)
{
	return (int16_t)rd_be(r, 2);
}

uint16_t rd_u16(struct reader *r)
{
	return (uint16_t)rd_be(r, 2);
}

int32_t rd_i32(struct reader *r)
{
	return (int32_t)rd_be(r, 4);
}

uint32_t rd_u32(struct reader *r)
{
	return (uint32_t)rd_be(r, 4);
}

int64_t rd_i64(struct reader *r)
{
	return (int64_t)rd_be(r, 8);
}

double rd_f64(struct reader *r)
{
	uint64_t bits = rd_be(r, 8);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

bool rd_bool(struct reader *r)
{
	return rd_be(r, 1) != 0;
}

struct uuid rd_uuid(struct reader *r)
{
	const uint8_t *p = rd_take(r, sizeof(struct uuid));
	struct uuid v = {{0}};

	if (p)
		memcpy(v.b, p, sizeof(v.b));
	return v;
}

/* A base-128 number of at most bits bits. */
static uint64_t rd_base128(struct reader *r, unsigned bits)
{
	struct reader in = *r;
	uint64_t v = 0;

	for (unsigned shift = 0; shift < bits; shift += 7) {
		const uint8_t *p = rd_take(&in, 1);
		uint64_t part;

		if (!p)
			break;
		part = *p & 0x7f;
		if (bits - shift < 7 && part >> (bits - shift))
			break;
		v |= part << shift;
		if (*p & 0x80)
			continue;
		*r = in;
		return v;
	}
	rd_fail(r);
	return 0;
}

uint32_t rd_uvarint(struct reader *r)
{
	return (uint32_t)rd_base128(r, 32);
}

uint64_t rd_uvarlong(struct reader *r)
{
	return rd_base128(r, 64);
}

int32_t rd_varint(struct reader *r)
{
	uint32_t v = rd_uvarint(r);

	return (int32_t)(v >> 1 ^ (0 - (v & 1)));
}

int64_t rd_varlong(struct reader *r)
{
	uint64_t v = rd_uvarlong(r);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* A length or count as stored: -1 for null, -2 for what cannot be (the reader has failed then). */
static int64_t rd_len16(struct reader *r)
{
	int64_t n = rd_i16(r);

	if (n < -1)
		rd_fail(r);
	return r->err ? -2 : n;
}

static int64_t rd_len32(struct reader *r)
{
	int64_t n = rd_i32(r);

	if (n < -1)
		rd_fail(r);
	return r->err ? -2 : n;
}

static int64_t rd_clen(struct reader *r)
{
	int64_t n = (int64_t)rd_uvarint(r) - 1;

	return r->err ? -2 : n;
}

/* The n bytes behind a length; null when n is negative. */
static struct bytes rd_view(struct reader *r, int64_t n)
{
	if (n < 0)
		return (struct bytes){NULL, 0};
	return rd_raw(r, (size_t)n);
}

static struct str rd_str_view(struct reader *r, int64_t n)
{
	struct bytes b;

	if (n > STRING_MAX)
		rd_fail(r);
	b = rd_view(r, n);
	return (struct str){(const char *)b.p, b.n};
}

struct str rd_str(struct reader *r)
{
	return rd_str_view(r, rd_len16(r));
}

struct str rd_cstr(struct reader *r)
{
	return rd_str_view(r, rd_clen(r));
}

struct bytes rd_bytes(struct reader *r)
{
	return rd_view(r, rd_len32(r));
}

struct bytes rd_cbytes(struct reader *r)
{
	return rd_view(r, rd_clen(r));
}

static uint32_t rd_count(struct reader *r, int64_t n, size_t min_size, bool *ret_null)
{
	*ret_null = n == -1;
	if (n < 0)
		return 0;
	if (n > ARRAY_MAX || (uint64_t)n > rd_left(r) / (min_size ? min_size : 1)) {
		rd_fail(r);
		return 0;
	}
	return (uint32_t)n;
}

uint32_t rd_array(struct reader *r, size_t min_size, bool *ret_null)
{
	return rd_count(r, rd_len32(r), min_size, ret_null);
}

uint32_t rd_carray(struct reader *r, size_t min_size, bool *ret_null)
{
	return rd_count(r, rd_clen(r), min_size, ret_null);
}

struct bytes rd_raw(struct reader *r, size_t n)
{
	const uint8_t *p = rd_take(r, n);

	return p ? (struct bytes){p, n} : (struct bytes){NULL, 0};
}

void rd_skip_tags(struct reader *r)
{
	uint32_t n = rd_uvarint(r);
	int64_t last = -1;

	if (n > TAGS_MAX)
		rd_fail(r);
	for (uint32_t i = 0; i < n && !r->err; i++) {
		int64_t tag = rd_uvarint(r);
		uint32_t size = rd_uvarint(r);

		if (tag <= last)
			rd_fail(r);
		last = tag;
		rd_raw(r, size);
	}
}
