/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, arena, buffer and chunk: bounds at birth are kept, bytes come out as they went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/chunk.h"
#include "base/clock.h"
#include "base/mem.h"

static void test_mem_zalloc_zeroes(void **state)
{
	unsigned char *p = mem_zalloc(100, 3);

	(void)state;
	for (size_t i = 0; i < 300; i++)
		assert_int_equal(p[i], 0);
	p = mem_resize(p, 1000, 3);
	memset(p, 1, 3000);
	mem_free(p);
	p = mem_zalloc(0, 8);
	assert_non_null(p);
	mem_free(p);
	mem_free(NULL);
}

static void test_mem_copy_string_terminates(void **state)
{
	char *s = mem_copy_string("hello", 3);

	(void)state;
	assert_string_equal(s, "hel");
	mem_free(s);
	s = mem_copy_string(NULL, 0);
	assert_string_equal(s, "");
	mem_free(s);
}

static void test_arena_alignment_and_zero(void **state)
{
	struct arena a;

	(void)state;
	arena_init(&a, 1 << 20);
	for (size_t i = 1; i < 300; i++) {
		unsigned char *p = arena_zalloc(&a, i, 1);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t k = 0; k < i; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xee, i);
	}
	arena_release(&a);
	assert_int_equal(a.used, 0);
	assert_null(a.blocks);
}

static void test_arena_ceiling(void **state)
{
	struct arena a;

	(void)state;
	arena_init(&a, 64);
	assert_null(arena_zalloc(&a, 65, 1));
	assert_non_null(arena_zalloc(&a, 1, 48));
	assert_non_null(arena_zalloc(&a, 1, 16));
	assert_null(arena_zalloc(&a, 1, 1));
	assert_non_null(arena_zalloc(&a, 0, 100));
	assert_null(arena_copy_string(&a, STR_LIT("x")));
	arena_release(&a);
	assert_non_null(arena_zalloc(&a, 64, 1));
	arena_release(&a);
}

static void test_arena_overflow(void **state)
{
	struct arena a;

	(void)state;
	arena_init(&a, SIZE_MAX);
	assert_null(arena_zalloc(&a, SIZE_MAX / 2, 4));
	assert_null(arena_zalloc(&a, SIZE_MAX, 1));
	assert_null(arena_zalloc(&a, SIZE_MAX - 8, 1));
	assert_int_equal(a.used, 0);
	arena_release(&a);
}

static void test_arena_strings(void **state)
{
	struct arena a;
	struct str s;

	(void)state;
	arena_init(&a, 4096);
	assert_string_equal(arena_copy_string(&a, (struct str){"abcdef", 4}), "abcd");
	assert_string_equal(arena_copy_string(&a, STR_NULL), "");
	s = arena_printf(&a, "%d-%s", 42, "x");
	assert_int_equal(s.n, 4);
	assert_string_equal(s.p, "42-x");
	s = arena_printf(&a, "%5000d", 1);
	assert_true(str_is_null(s));
	arena_release(&a);
}

static void test_buf_append_and_consume(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 100);
	assert_int_equal(buf_len(&b), 0);
	assert_int_equal(buf_append(&b, NULL, 0), ERR_OK);
	assert_null(b.mem);
	assert_int_equal(buf_append(&b, "hello ", 6), ERR_OK);
	assert_int_equal(buf_append(&b, "world", 5), ERR_OK);
	assert_int_equal(buf_len(&b), 11);
	assert_memory_equal(buf_head(&b), "hello world", 11);
	buf_consume(&b, 6);
	assert_memory_equal(buf_head(&b), "world", 5);
	buf_shrink(&b);
	assert_non_null(b.mem);
	buf_consume(&b, 5);
	assert_int_equal(b.rd, 0);
	buf_shrink(&b);
	assert_null(b.mem);
	buf_release(&b);
}

static void test_buf_ceiling(void **state)
{
	struct buf b;
	uint8_t bytes[64] = {0};

	(void)state;
	buf_init(&b, 100);
	assert_int_equal(buf_append(&b, bytes, 60), ERR_OK);
	assert_int_equal(buf_append(&b, bytes, 41), ERR_FULL);
	assert_int_equal(buf_len(&b), 60);
	assert_int_equal(buf_append(&b, bytes, 40), ERR_OK);
	assert_int_equal(buf_reserve(&b, 1), ERR_FULL);
	assert_int_equal(buf_reserve(&b, SIZE_MAX), ERR_FULL);
	buf_consume(&b, 10);
	assert_int_equal(buf_reserve(&b, 10), ERR_OK);
	assert_int_equal(buf_reserve(&b, 11), ERR_FULL);
	assert_true(b.cap <= 100);
	buf_release(&b);
	buf_init(&b, 0);
	assert_int_equal(buf_reserve(&b, 1), ERR_FULL);
	buf_release(&b);
}

/* Random pieces in and out; a counter as the content shows any byte that is lost, doubled or moved. */
static void test_buf_is_a_queue(void **state)
{
	struct buf b;
	uint8_t in = 0, out = 0;
	uint32_t seed = 1;

	(void)state;
	buf_init(&b, 10000);
	for (int round = 0; round < 20000; round++) {
		size_t n = (seed = seed * 1664525u + 1013904223u) >> 20;

		if (n % 2 && n <= b.max - buf_len(&b)) {
			assert_int_equal(buf_reserve(&b, n), ERR_OK);
			assert_true(buf_room(&b) >= n);
			for (size_t i = 0; i < n; i++)
				buf_tail(&b)[i] = in++;
			buf_commit(&b, n);
		} else {
			n = n < buf_len(&b) ? n : buf_len(&b);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(buf_head(&b)[i], out++);
			buf_consume(&b, n);
		}
		assert_true(b.cap <= b.max);
	}
	buf_release(&b);
}

static void test_chunk_counts(void **state)
{
	struct chunk *c = chunk_try_new(10);

	(void)state;
	assert_non_null(c);
	assert_int_equal(c->size, 10);
	memset(c->data, 7, 10);
	assert_ptr_equal(chunk_ref(c), c);
	assert_int_equal(c->refs, 2);
	chunk_unref(c);
	assert_int_equal(c->refs, 1);
	chunk_unref(c);
	assert_null(chunk_ref(NULL));
	chunk_unref(NULL);
	assert_null(chunk_try_new(SIZE_MAX));
	assert_null(chunk_try_new(SIZE_MAX - 8));
}

static void test_clock_moves(void **state)
{
	int64_t us = clock_mono_us();
	int64_t ms = clock_mono_ms();

	(void)state;
	assert_true(us > 0 && ms >= us / 1000);
	assert_true(clock_mono_us() >= us);
	assert_true(clock_wall_ms() > INT64_C(1600000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mem_zalloc_zeroes),
		cmocka_unit_test(test_mem_copy_string_terminates),
		cmocka_unit_test(test_arena_alignment_and_zero),
		cmocka_unit_test(test_arena_ceiling),
		cmocka_unit_test(test_arena_overflow),
		cmocka_unit_test(test_arena_strings),
		cmocka_unit_test(test_buf_append_and_consume),
		cmocka_unit_test(test_buf_ceiling),
		cmocka_unit_test(test_buf_is_a_queue),
		cmocka_unit_test(test_chunk_counts),
		cmocka_unit_test(test_clock_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
