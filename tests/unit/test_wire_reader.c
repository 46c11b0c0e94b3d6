/* SPDX-License-Identifier: Apache-2.0 */
/* The reader against values, truncation at each byte, absurd lengths, counts and varints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "wire/reader.h"

/* A reader over a copy of exactly n bytes, so that a sanitizer sees a read behind them. */
static struct reader rd_copy(const void *p, size_t n, uint8_t **ret_mem)
{
	*ret_mem = mem_zalloc(n ? n : 1, 1);
	if (n)
		memcpy(*ret_mem, p, n);
	return rd_init(*ret_mem, n);
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

/* Calls check with a reader over the first n bytes of p. */
static void with(void (*check)(struct reader *r, bool whole), const uint8_t *p, size_t n, bool whole)
{
	uint8_t *mem;
	struct reader r = rd_copy(p, n, &mem);

	check(&r, whole);
	mem_free(mem);
}

/* check gets the whole bytes, then every truncation of them, which must fail and give zero. */
static void each_truncation(void (*check)(struct reader *r, bool whole), const uint8_t *p, size_t n)
{
	with(check, p, n, true);
	for (size_t cut = 0; cut < n; cut++)
		with(check, p, cut, false);
}

static void done(struct reader *r, bool whole)
{
	assert_int_equal(r->err, whole ? ERR_OK : ERR_MALFORMED);
	assert_int_equal(rd_left(r), 0);
}

static void check_i8(struct reader *r, bool whole)
{
	assert_int_equal(rd_i8(r), whole ? -2 : 0);
	done(r, whole);
}

static void check_i16(struct reader *r, bool whole)
{
	assert_int_equal(rd_i16(r), whole ? -2 : 0);
	done(r, whole);
}

static void check_u16(struct reader *r, bool whole)
{
	assert_int_equal(rd_u16(r), whole ? 0xfffe : 0);
	done(r, whole);
}

static void check_i32(struct reader *r, bool whole)
{
	assert_int_equal(rd_i32(r), whole ? INT32_MIN + 2 : 0);
	done(r, whole);
}

static void check_u32(struct reader *r, bool whole)
{
	assert_int_equal(rd_u32(r), whole ? 0x80000002u : 0);
	done(r, whole);
}

static void check_i64(struct reader *r, bool whole)
{
	assert_true(rd_i64(r) == (whole ? INT64_C(0x0102030405060708) : 0));
	done(r, whole);
}

static void check_f64(struct reader *r, bool whole)
{
	assert_true(rd_f64(r) == (whole ? -1.5 : 0));
	done(r, whole);
}

static void check_uuid(struct reader *r, bool whole)
{
	struct uuid u = rd_uuid(r);

	assert_int_equal(u.b[0], whole ? 1 : 0);
	assert_int_equal(u.b[15], whole ? 16 : 0);
	assert_int_equal(uuid_is_zero(u), !whole);
	done(r, whole);
}

static void check_bool(struct reader *r, bool whole)
{
	assert_int_equal(rd_bool(r), whole);
	done(r, whole);
}

static void test_fixed_width(void **state)
{
	(void)state;
	each_truncation(check_i8, BYTES(0xfe));
	each_truncation(check_i16, BYTES(0xff, 0xfe));
	each_truncation(check_u16, BYTES(0xff, 0xfe));
	each_truncation(check_i32, BYTES(0x80, 0, 0, 2));
	each_truncation(check_u32, BYTES(0x80, 0, 0, 2));
	each_truncation(check_i64, BYTES(1, 2, 3, 4, 5, 6, 7, 8));
	each_truncation(check_f64, BYTES(0xbf, 0xf8, 0, 0, 0, 0, 0, 0));
	each_truncation(check_uuid, BYTES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
	each_truncation(check_bool, BYTES(1));
	each_truncation(check_bool, BYTES(0x80));
}

struct varint_case {
	uint8_t b[11];
	size_t n;
	bool ok;
	uint64_t v;
};

static void test_uvarint(void **state)
{
	static const struct varint_case cases[] = {
		{{0}, 1, true, 0},
		{{0x7f}, 1, true, 127},
		{{0x80, 0x01}, 2, true, 128},
		{{0xac, 0x02}, 2, true, 300},
		{{0x80, 0x00}, 2, true, 0}, /* longer than need be, as Kafka takes it */
		{{0xff, 0xff, 0xff, 0xff, 0x0f}, 5, true, UINT32_MAX},
		{{0x80, 0x80, 0x80, 0x80, 0x08}, 5, true, 0x80000000u},
		{{0xff, 0xff, 0xff, 0xff, 0x10}, 5, false, 0},
		{{0xff, 0xff, 0xff, 0xff, 0x1f}, 5, false, 0},
		{{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 6, false, 0},
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 11, false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t cut = 0; cut <= cases[i].n; cut++) {
			bool ok = cases[i].ok && cut == cases[i].n;
			uint8_t *mem;
			struct reader r = rd_copy(cases[i].b, cut, &mem);

			assert_int_equal(rd_uvarint(&r), ok ? cases[i].v : 0);
			done(&r, ok);
			mem_free(mem);
		}
	}
}

static void test_uvarlong(void **state)
{
	static const struct varint_case cases[] = {
		{{0}, 1, true, 0},
		{{0xff, 0xff, 0xff, 0xff, 0x1f}, 5, true, UINT64_C(0x1ffffffff)},
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 10, true, UINT64_MAX},
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, 10, false, 0},
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x00}, 11, false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t cut = 0; cut <= cases[i].n; cut++) {
			bool ok = cases[i].ok && cut == cases[i].n;
			uint8_t *mem;
			struct reader r = rd_copy(cases[i].b, cut, &mem);

			assert_true(rd_uvarlong(&r) == (ok ? cases[i].v : 0));
			done(&r, ok);
			mem_free(mem);
		}
	}
}

static void test_zigzag(void **state)
{
	static const struct {
		uint8_t b[10];
		size_t n;
		int64_t v;
	} cases[] = {
		{{0}, 1, 0},
		{{1}, 1, -1},
		{{2}, 1, 1},
		{{0xfe, 0xff, 0xff, 0xff, 0x0f}, 5, INT32_MAX},
		{{0xff, 0xff, 0xff, 0xff, 0x0f}, 5, INT32_MIN},
		{{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 10, INT64_MAX},
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 10, INT64_MIN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reader r = rd_init(cases[i].b, cases[i].n), r32 = r;

		assert_true(rd_varlong(&r) == cases[i].v);
		assert_int_equal(r.err, ERR_OK);
		if (cases[i].n <= 5) {
			assert_int_equal(rd_varint(&r32), cases[i].v);
			assert_int_equal(r32.err, ERR_OK);
		} else {
			assert_int_equal(rd_varint(&r32), 0);
			assert_int_equal(r32.err, ERR_MALFORMED);
		}
	}
}

typedef struct bytes (*view_fn)(struct reader *r);

static struct bytes view_str(struct reader *r)
{
	struct str s = rd_str(r);

	return (struct bytes){(const uint8_t *)s.p, s.n};
}

static struct bytes view_cstr(struct reader *r)
{
	struct str s = rd_cstr(r);

	return (struct bytes){(const uint8_t *)s.p, s.n};
}

enum view { VIEW_OK, VIEW_NULL, VIEW_BAD };

/* Reads from p; whole content is the last want_n bytes. Truncations fail, except those of a null. */
static void check_view(view_fn read, const uint8_t *p, size_t n, enum view want, size_t want_n)
{
	for (size_t cut = 0; cut <= n; cut++) {
		uint8_t *mem;
		struct reader r = rd_copy(p, cut, &mem);
		struct bytes b = read(&r);

		if (cut < n || want == VIEW_BAD) {
			assert_null(b.p);
			assert_int_equal(b.n, 0);
			assert_int_equal(r.err, ERR_MALFORMED);
		} else {
			assert_int_equal(r.err, ERR_OK);
			assert_int_equal(!b.p, want == VIEW_NULL);
			assert_int_equal(b.n, want_n);
			assert_int_equal(rd_left(&r), 0);
			if (want_n)
				assert_memory_equal(b.p, p + n - want_n, want_n);
		}
		mem_free(mem);
	}
}

static void test_views(void **state)
{
	(void)state;
	check_view(view_str, BYTES(0xff, 0xff), VIEW_NULL, 0);
	check_view(view_str, BYTES(0, 0), VIEW_OK, 0);
	check_view(view_str, BYTES(0, 3, 'a', 0, 'c'), VIEW_OK, 3);
	check_view(view_str, BYTES(0xff, 0xfe), VIEW_BAD, 0);
	check_view(view_str, BYTES(0x80, 0, 1, 1), VIEW_BAD, 0);
	check_view(view_str, BYTES(0x7f, 0xff, 1, 1), VIEW_BAD, 0);
	check_view(view_cstr, BYTES(0), VIEW_NULL, 0);
	check_view(view_cstr, BYTES(1), VIEW_OK, 0);
	check_view(view_cstr, BYTES(4, 'a', 0, 'c'), VIEW_OK, 3);
	check_view(view_cstr, BYTES(0xff, 0xff, 0xff, 0xff, 0x0f, 1), VIEW_BAD, 0);
	check_view(view_cstr, BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0x0f), VIEW_BAD, 0);
	check_view(rd_bytes, BYTES(0xff, 0xff, 0xff, 0xff), VIEW_NULL, 0);
	check_view(rd_bytes, BYTES(0, 0, 0, 0), VIEW_OK, 0);
	check_view(rd_bytes, BYTES(0, 0, 0, 2, 9, 8), VIEW_OK, 2);
	check_view(rd_bytes, BYTES(0xff, 0xff, 0xff, 0xfe), VIEW_BAD, 0);
	check_view(rd_bytes, BYTES(0x80, 0, 0, 0), VIEW_BAD, 0);
	check_view(rd_bytes, BYTES(0x7f, 0xff, 0xff, 0xff, 1), VIEW_BAD, 0);
	check_view(rd_cbytes, BYTES(0), VIEW_NULL, 0);
	check_view(rd_cbytes, BYTES(1), VIEW_OK, 0);
	check_view(rd_cbytes, BYTES(3, 9, 8), VIEW_OK, 2);
	check_view(rd_cbytes, BYTES(0xff, 0xff, 0xff, 0xff, 0x0f, 1), VIEW_BAD, 0);
}

/* The longest string that Kafka knows passes, one more byte does not, compact or not; bytes have no such limit. */
static void test_longest_string(void **state)
{
	uint8_t *p = mem_zalloc(32768 + 4, 1);
	struct reader r;

	(void)state;
	memcpy(p, (const uint8_t[]){0x7f, 0xff}, 2);
	r = rd_init(p, 2 + 32767);
	assert_int_equal(rd_str(&r).n, 32767);
	memcpy(p, (const uint8_t[]){0x80, 0x80, 0x02}, 3);
	r = rd_init(p, 3 + 32767);
	assert_int_equal(rd_cstr(&r).n, 32767);
	memcpy(p, (const uint8_t[]){0x81, 0x80, 0x02}, 3);
	r = rd_init(p, 3 + 32768);
	assert_null(rd_cstr(&r).p);
	assert_int_equal(r.err, ERR_MALFORMED);
	r = rd_init(p, 3 + 32768);
	assert_int_equal(rd_cbytes(&r).n, 32768);
	mem_free(p);
}

static void check_array(bool compact, const uint8_t *p, size_t n, size_t min, bool ok, bool want_null, uint32_t want)
{
	uint8_t *mem;
	struct reader r = rd_copy(p, n, &mem);
	bool null = !want_null;

	assert_int_equal(compact ? rd_carray(&r, min, &null) : rd_array(&r, min, &null), want);
	assert_int_equal(null, want_null);
	assert_int_equal(r.err, ok ? ERR_OK : ERR_MALFORMED);
	mem_free(mem);
}

static void test_array_counts(void **state)
{
	(void)state;
	check_array(false, BYTES(0xff, 0xff, 0xff, 0xff), 1, true, true, 0);
	check_array(false, BYTES(0, 0, 0, 0), 8, true, false, 0);
	check_array(false, BYTES(0, 0, 0, 2, 1, 1, 1, 1), 2, true, false, 2);
	check_array(false, BYTES(0, 0, 0, 2, 1, 1, 1), 2, false, false, 0);
	check_array(false, BYTES(0, 0, 0, 2, 1, 1), 0, true, false, 2);
	check_array(false, BYTES(0x7f, 0xff, 0xff, 0xff, 1), 1, false, false, 0);
	check_array(false, BYTES(0x40, 0, 0, 0, 1, 1, 1, 1), 4, false, false, 0);
	check_array(false, BYTES(0xff, 0xff, 0xff, 0xfe), 1, false, false, 0);
	check_array(false, BYTES(0x80, 0, 0, 0), 1, false, false, 0);
	check_array(false, BYTES(0, 0, 0), 1, false, false, 0);
	check_array(false, BYTES(0, 0, 0, 1, 1), SIZE_MAX, false, false, 0);
	check_array(true, BYTES(0), 1, true, true, 0);
	check_array(true, BYTES(1), 8, true, false, 0);
	check_array(true, BYTES(3, 1, 1, 1, 1), 2, true, false, 2);
	check_array(true, BYTES(3, 1, 1, 1), 2, false, false, 0);
	check_array(true, BYTES(0xff, 0xff, 0xff, 0xff, 0x0f, 1), 1, false, false, 0);
	check_array(true, BYTES(0x80), 1, false, false, 0);
}

/* Kafka's own limit holds even when all the bytes are there. */
static void test_array_limit(void **state)
{
	size_t n = 1000001;
	uint8_t *p = mem_zalloc(4 + n, 1);
	struct reader r;
	bool null;

	(void)state;
	memcpy(p, (const uint8_t[]){0, 0x0f, 0x42, 0x40}, 4);
	r = rd_init(p, 4 + n);
	assert_int_equal(rd_array(&r, 1, &null), 1000000);
	p[3] = 0x41;
	r = rd_init(p, 4 + n);
	assert_int_equal(rd_array(&r, 1, &null), 0);
	assert_int_equal(r.err, ERR_MALFORMED);
	mem_free(p);
}

static void test_error_is_sticky(void **state)
{
	struct reader r = rd_init(BYTES(0, 0, 0, 9, 1, 2));
	const uint8_t *at;
	bool null = true;

	(void)state;
	assert_null(rd_bytes(&r).p);
	at = r.p;
	assert_int_equal(rd_left(&r), 0);
	assert_int_equal(rd_i8(&r), 0);
	assert_int_equal(rd_uvarint(&r), 0);
	assert_int_equal(rd_varlong(&r), 0);
	assert_null(rd_str(&r).p);
	assert_null(rd_cbytes(&r).p);
	assert_null(rd_raw(&r, 0).p);
	assert_int_equal(rd_array(&r, 1, &null), 0);
	assert_false(null);
	assert_true(uuid_is_zero(rd_uuid(&r)));
	rd_skip_tags(&r);
	assert_ptr_equal(r.p, at);
	assert_int_equal(r.err, ERR_MALFORMED);

	r = rd_init(BYTES(1, 2));
	rd_fail(&r);
	assert_int_equal(rd_i8(&r), 0);
	assert_int_equal(r.err, ERR_MALFORMED);
}

static void test_raw(void **state)
{
	struct reader r = rd_init(BYTES(1, 2, 3));
	struct bytes b = rd_raw(&r, 2);

	(void)state;
	assert_int_equal(b.n, 2);
	assert_int_equal(b.p[1], 2);
	b = rd_raw(&r, 0);
	assert_non_null(b.p);
	assert_null(rd_raw(&r, SIZE_MAX).p);
	assert_int_equal(r.err, ERR_MALFORMED);
	r = rd_init(NULL, 0);
	assert_non_null(rd_raw(&r, 0).p);
	assert_int_equal(r.err, ERR_OK);
}

static void check_tags(struct reader *r, bool whole)
{
	rd_skip_tags(r);
	done(r, whole);
}

static void check_bad_tags(struct reader *r, bool whole)
{
	(void)whole;
	rd_skip_tags(r);
	assert_int_equal(r->err, ERR_MALFORMED);
}

static void test_tags(void **state)
{
	(void)state;
	each_truncation(check_tags, BYTES(0));
	each_truncation(check_tags, BYTES(1, 0, 0));
	each_truncation(check_tags, BYTES(3, 0, 1, 7, 5, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 2, 1, 1));
	each_truncation(check_bad_tags, BYTES(2, 4, 0, 4, 0));
	each_truncation(check_bad_tags, BYTES(2, 4, 0, 3, 0));
	each_truncation(check_bad_tags, BYTES(1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f));
	each_truncation(check_bad_tags, BYTES(0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0));
}

/* n tagged fields, all there: ten thousand pass, one more does not. */
static enum err skip_many_tags(uint32_t n)
{
	uint8_t *p = mem_zalloc(4 + (size_t)n * 4, 1), *at = p;
	enum err e;
	struct reader r;

	for (uint32_t v = n; v > 0 || at == p; v >>= 7)
		*at++ = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
	for (uint32_t tag = 0; tag < n; tag++) {
		*at++ = (uint8_t)(tag | 0x80);
		*at++ = (uint8_t)(tag >> 7 | 0x80);
		*at++ = (uint8_t)(tag >> 14);
		*at++ = 0;
	}
	r = rd_init(p, (size_t)(at - p));
	rd_skip_tags(&r);
	e = r.err;
	mem_free(p);
	return e;
}

static void test_tags_limit(void **state)
{
	(void)state;
	assert_int_equal(skip_many_tags(10000), ERR_OK);
	assert_int_equal(skip_many_tags(10001), ERR_MALFORMED);
}

/* Any calls on any bytes stay inside them, and left never grows. */
static void test_random_calls(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		uint8_t junk[24], *mem;
		size_t n, left;
		struct reader r;
		bool null;

		for (size_t i = 0; i < sizeof(junk); i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			junk[i] = seed >> 40 & 1 ? (uint8_t)(seed >> 56) : (uint8_t)(seed >> 60);
		}
		n = seed >> 33 & 15;
		r = rd_copy(junk, n, &mem);
		left = n;
		for (size_t i = 16; i < sizeof(junk); i++) {
			switch (junk[i] % 10) {
			case 0:
				rd_i16(&r);
				break;
			case 1:
				rd_uvarint(&r);
				break;
			case 2:
				rd_varlong(&r);
				break;
			case 3:
				rd_str(&r);
				break;
			case 4:
				rd_cstr(&r);
				break;
			case 5:
				rd_cbytes(&r);
				break;
			case 6:
				rd_carray(&r, 3, &null);
				break;
			case 7:
				rd_array(&r, 3, &null);
				break;
			case 8:
				rd_skip_tags(&r);
				break;
			default:
				rd_bytes(&r);
				break;
			}
			assert_true(r.p >= mem && r.p <= mem + n && rd_left(&r) <= left);
			left = rd_left(&r);
		}
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_width),
		cmocka_unit_test(test_uvarint),
		cmocka_unit_test(test_uvarlong),
		cmocka_unit_test(test_zigzag),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_longest_string),
		cmocka_unit_test(test_array_counts),
		cmocka_unit_test(test_array_limit),
		cmocka_unit_test(test_error_is_sticky),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_tags),
		cmocka_unit_test(test_tags_limit),
		cmocka_unit_test(test_random_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
