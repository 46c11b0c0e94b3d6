/* SPDX-License-Identifier: Apache-2.0 */
/* The writer: the reader gives back what was written, ceilings hold, slices are referred to and dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "wire/reader.h"
#include "wire_fill.h"

static struct reader written(const struct writer *w, uint8_t **ret_mem)
{
	*ret_mem = writer_copy(w);
	return rd_init(*ret_mem, wr_size(w));
}

static void test_exact_bytes(void **state)
{
	static const uint8_t want[] = {0xfe, 0xff, 0xfe, 0xff, 0xfd, 0x80, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 1, 2, 3, 4,
		5, 6, 7, 8, 0xbf, 0xf8, 0, 0, 0, 0, 0, 0, 1, 0};
	struct writer w;
	uint8_t *p;

	(void)state;
	wr_init(&w, 100);
	assert_int_equal(wr_size(&w), 0);
	wr_flatten(&w, NULL);
	wr_i8(&w, -2);
	wr_i16(&w, -2);
	wr_u16(&w, 0xfffd);
	wr_i32(&w, INT32_MIN + 1);
	wr_u32(&w, 0xfffffffe);
	wr_i64(&w, INT64_C(0x0102030405060708));
	wr_f64(&w, -1.5);
	wr_bool(&w, true);
	wr_bool(&w, false);
	assert_int_equal(w.err, ERR_OK);
	assert_int_equal(wr_size(&w), sizeof(want));
	p = writer_copy(&w);
	assert_memory_equal(p, want, sizeof(want));
	mem_free(p);
	wr_release(&w);
	assert_int_equal(wr_size(&w), 0);
	wr_release(&w);
}

static void test_varints_come_back(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit <= 64; bit++) {
		for (int off = -1; off <= 1; off++) {
			uint64_t v = (bit < 64 ? UINT64_C(1) << bit : 0) + (uint64_t)off;
			struct writer w;
			struct reader r;
			uint8_t *mem;

			wr_init(&w, 100);
			wr_uvarint(&w, (uint32_t)v);
			wr_uvarlong(&w, v);
			wr_varint(&w, (int32_t)v);
			wr_varlong(&w, (int64_t)v);
			r = written(&w, &mem);
			assert_int_equal(rd_uvarint(&r), (uint32_t)v);
			assert_true(rd_uvarlong(&r) == v);
			assert_int_equal(rd_varint(&r), (int32_t)v);
			assert_true(rd_varlong(&r) == (int64_t)v);
			assert_int_equal(r.err, ERR_OK);
			assert_int_equal(rd_left(&r), 0);
			mem_free(mem);
			wr_release(&w);
		}
	}
}

static void test_views_come_back(void **state)
{
	struct uuid u = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
	struct bytes b = {(const uint8_t *)"\0\1", 2}, none = {(const uint8_t *)"", 0}, null = {NULL, 0};
	struct writer w;
	struct reader r;
	uint8_t *mem;

	(void)state;
	wr_init(&w, 1000);
	for (int compact = 0; compact < 2; compact++) {
		void (*str)(struct writer *, struct str) = compact ? wr_cstr : wr_str;
		void (*bytes)(struct writer *, struct bytes) = compact ? wr_cbytes : wr_bytes;

		str(&w, STR_LIT("abc"));
		str(&w, STR_LIT(""));
		str(&w, STR_NULL);
		bytes(&w, b);
		bytes(&w, none);
		bytes(&w, null);
	}
	wr_uuid(&w, u);
	wr_raw(&w, "xy", 2);
	wr_raw(&w, NULL, 0);
	assert_int_equal(w.err, ERR_OK);
	r = written(&w, &mem);
	for (int compact = 0; compact < 2; compact++) {
		struct str (*str)(struct reader *) = compact ? rd_cstr : rd_str;
		struct bytes (*bytes)(struct reader *) = compact ? rd_cbytes : rd_bytes;
		struct bytes got;

		assert_true(str_eq(str(&r), STR_LIT("abc")));
		assert_true(str_eq(str(&r), STR_LIT("")));
		assert_true(str_is_null(str(&r)));
		got = bytes(&r);
		assert_int_equal(got.n, 2);
		assert_memory_equal(got.p, b.p, 2);
		got = bytes(&r);
		assert_true(got.p && got.n == 0);
		assert_null(bytes(&r).p);
		assert_int_equal(r.err, ERR_OK);
	}
	assert_true(uuid_eq(rd_uuid(&r), u));
	assert_memory_equal(rd_raw(&r, 2).p, "xy", 2);
	assert_int_equal(rd_left(&r), 0);
	mem_free(mem);
	wr_release(&w);
}

static void test_width_is_checked(void **state)
{
	char *p = mem_zalloc(32768, 1);
	struct writer w;

	(void)state;
	wr_init(&w, 100000);
	wr_str(&w, (struct str){p, 32767});
	wr_cstr(&w, (struct str){p, 32767});
	assert_int_equal(w.err, ERR_OK);
	wr_str(&w, (struct str){p, 32768});
	assert_int_equal(w.err, ERR_INVALID);
	assert_int_equal(wr_size(&w), 2 + 32767 + 3 + 32767);
	wr_i8(&w, 1); /* sticky */
	assert_int_equal(wr_size(&w), 2 + 32767 + 3 + 32767);
	wr_release(&w);
	wr_init(&w, 100000);
	wr_cstr(&w, (struct str){p, 32768});
	assert_int_equal(w.err, ERR_INVALID);
	wr_release(&w);
	wr_init(&w, 100000);
	wr_bytes(&w, (struct bytes){(const uint8_t *)p, (size_t)INT32_MAX + 1});
	assert_int_equal(w.err, ERR_INVALID);
	wr_release(&w);
	wr_init(&w, 100000);
	wr_cbytes(&w, (struct bytes){(const uint8_t *)p, (size_t)INT32_MAX + 1});
	assert_int_equal(w.err, ERR_INVALID);
	wr_release(&w);
	mem_free(p);
}

/* Every ceiling is kept, and what was written before stays. */
static void test_ceiling(void **state)
{
	(void)state;
	for (size_t max = 0; max < 24; max++) {
		struct writer w;

		wr_init(&w, max);
		for (int i = 0; i < 6; i++)
			wr_u32(&w, 7);
		assert_int_equal(w.err, ERR_TOO_LARGE);
		assert_int_equal(wr_size(&w), max / 4 * 4);
		wr_i8(&w, 1);
		wr_patch_i32(&w, 1000, 1); /* nothing is touched after an error */
		assert_int_equal(wr_size(&w), max / 4 * 4);
		wr_release(&w);
	}
}

static void test_patch(void **state)
{
	struct writer w;
	uint8_t *p;

	(void)state;
	wr_init(&w, 100);
	wr_i8(&w, 1);
	wr_i32(&w, 0);
	wr_i8(&w, 2);
	wr_patch_i32(&w, 1, -2);
	p = writer_copy(&w);
	assert_memory_equal(p, "\1\xff\xff\xff\xfe\2", 6);
	mem_free(p);
	wr_release(&w);
}

static void test_sized(void **state)
{
	static const size_t sizes[] = {0, 1, 127, 128, 300, 16383, 16384};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct writer_mark mark;
		struct writer w;
		struct reader r;
		uint8_t *mem;

		wr_init(&w, 20000);
		wr_i8(&w, 9);
		mark = wr_sized_begin(&w);
		for (size_t k = 0; k < sizes[i]; k++)
			wr_i8(&w, (int8_t)k);
		wr_sized_end(&w, mark);
		wr_i8(&w, 8);
		assert_int_equal(w.err, ERR_OK);
		r = written(&w, &mem);
		assert_int_equal(rd_i8(&r), 9);
		assert_int_equal(rd_uvarint(&r), sizes[i]);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(rd_i8(&r), (int8_t)k);
		assert_int_equal(rd_i8(&r), 8);
		assert_int_equal(rd_left(&r), 0);
		mem_free(mem);
		wr_release(&w);
	}
}

static void test_slices(void **state)
{
	struct chunk *big = chunk_try_new(5000), *small = chunk_try_new(10);
	struct writer w;
	uint8_t *p;

	(void)state;
	assert_true(big && small);
	memset(big->data, 'b', big->size);
	memset(small->data, 's', small->size);
	wr_init(&w, 100);
	wr_slice(&w, (struct slice){big, big->data + 1, 4000});
	wr_i8(&w, 1);
	wr_slice(&w, (struct slice){small, small->data, 10});
	wr_slice(&w, (struct slice){NULL, (const uint8_t *)"view", 4});
	wr_slice(&w, (struct slice){big, big->data, 2000});
	wr_slice(&w, (struct slice){big, big->data, 0});
	wr_i8(&w, 2);
	wr_patch_i32(&w, 1, 0x01020304);
	assert_int_equal(w.err, ERR_OK);
	assert_int_equal(w.refs_n, 2);
	assert_int_equal(w.refs[0].at, 0);
	assert_int_equal(w.refs[1].at, 15);
	assert_int_equal(big->refs, 3);
	assert_int_equal(small->refs, 1);
	assert_int_equal(wr_size(&w), 4000 + 15 + 2000 + 1);
	p = writer_copy(&w);
	assert_memory_equal(p, big->data, 4000);
	assert_memory_equal(p + 4000, "\1\1\2\3\4ssssssview", 15);
	assert_memory_equal(p + 4015, big->data, 2000);
	assert_int_equal(p[6015], 2);
	mem_free(p);
	wr_release(&w);
	assert_int_equal(big->refs, 1);
	chunk_unref(big);
	chunk_unref(small);
}

/* A slice without a chunk is copied whatever its size, within the ceiling. */
static void test_slice_without_chunk(void **state)
{
	uint8_t *p = mem_zalloc(5000, 1);
	struct writer w;

	(void)state;
	wr_init(&w, 6000);
	wr_slice(&w, (struct slice){NULL, p, 5000});
	assert_int_equal(w.refs_n, 0);
	assert_int_equal(wr_size(&w), 5000);
	wr_slice(&w, (struct slice){NULL, p, 5000});
	assert_int_equal(w.err, ERR_TOO_LARGE);
	wr_release(&w);
	mem_free(p);
}

static void test_many_slices(void **state)
{
	struct chunk *c = chunk_try_new(1100000);
	struct writer w;
	size_t n = 0;

	(void)state;
	assert_non_null(c);
	wr_init(&w, 10);
	while (!w.err && n < 3000) {
		wr_slice(&w, (struct slice){c, c->data, c->size});
		n++;
	}
	/* The whole stays below the length that a frame can have. */
	assert_int_equal(w.err, ERR_TOO_LARGE);
	assert_true(wr_size(&w) <= INT32_MAX && wr_size(&w) > (size_t)INT32_MAX - c->size);
	assert_int_equal(c->refs, n);
	wr_release(&w);
	assert_int_equal(c->refs, 1);
	chunk_unref(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_bytes),
		cmocka_unit_test(test_varints_come_back),
		cmocka_unit_test(test_views_come_back),
		cmocka_unit_test(test_width_is_checked),
		cmocka_unit_test(test_ceiling),
		cmocka_unit_test(test_patch),
		cmocka_unit_test(test_sized),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_slice_without_chunk),
		cmocka_unit_test(test_many_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
