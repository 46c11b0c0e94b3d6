/* SPDX-License-Identifier: Apache-2.0 */
/* Decompression: what each codec's own library writes comes back, cut or damaged input is an error, nothing exceeds its
 * limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <lz4frame.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include "wire/compress.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define CAP (4u << 20)

/* What a test works with: plain text, its packed form, and where the unpacked one goes. */
struct fixture {
	uint8_t *plain, *packed;
	size_t packed_n;
	struct arena arena;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	uint32_t x = 12345;

	if (!f)
		return -1;
	f->plain = malloc(CAP);
	f->packed = malloc(2 * CAP);
	if (!f->plain || !f->packed)
		return -1;
	for (size_t i = 0; i < CAP; i++) { /* half noise, half runs */
		x = x * 1664525 + 1013904223;
		f->plain[i] = i / 1000 % 2 ? (uint8_t)(x >> 24) : (uint8_t)(i / 1000);
	}
	arena_init(&f->arena, 2 * CAP);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	free(f->plain);
	free(f->packed);
	free(f);
	return 0;
}

static void pack_gzip(struct fixture *f, size_t n)
{
	z_stream z = {0};

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = f->plain;
	z.avail_in = (uInt)n;
	z.next_out = f->packed + f->packed_n;
	z.avail_out = (uInt)(2 * CAP - f->packed_n);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	f->packed_n += z.total_out;
	deflateEnd(&z);
}

static void pack_snappy(struct fixture *f, size_t n)
{
	size_t out = 2 * CAP - f->packed_n;

	assert_int_equal(snappy_compress((const char *)f->plain, n, (char *)f->packed + f->packed_n, &out), SNAPPY_OK);
	f->packed_n += out;
}

/* As Java's SnappyOutputStream: blocks of 32 KiB behind their lengths. */
static void pack_snappy_java(struct fixture *f, size_t n)
{
	static const uint8_t head[16] = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1};

	memcpy(f->packed, head, sizeof(head));
	f->packed_n = sizeof(head);
	for (size_t at = 0; at < n; at += 32768) {
		size_t part = n - at < 32768 ? n - at : 32768, out = 2 * CAP - f->packed_n - 4;
		uint8_t *p = f->packed + f->packed_n;

		assert_int_equal(snappy_compress((const char *)f->plain + at, part, (char *)p + 4, &out), SNAPPY_OK);
		for (size_t i = 0; i < 4; i++)
			p[i] = (uint8_t)(out >> (24 - 8 * i));
		f->packed_n += out + 4;
	}
}

static void pack_lz4(struct fixture *f, size_t n)
{
	LZ4F_preferences_t prefs = {.frameInfo = {.contentChecksumFlag = LZ4F_contentChecksumEnabled}};
	size_t rc = LZ4F_compressFrame(f->packed + f->packed_n, 2 * CAP - f->packed_n, f->plain, n, &prefs);

	assert_false(LZ4F_isError(rc));
	f->packed_n += rc;
}

/* Streamed, so that the frame does not tell its size. */
static void pack_zstd(struct fixture *f, size_t n)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	ZSTD_outBuffer out = {f->packed + f->packed_n, 2 * CAP - f->packed_n, 0};
	ZSTD_inBuffer in = {f->plain, n, 0};

	assert_non_null(c);
	while (in.pos < in.size)
		assert_false(ZSTD_isError(ZSTD_compressStream2(c, &out, &in, ZSTD_e_continue)));
	while (ZSTD_compressStream2(c, &out, &in, ZSTD_e_end) != 0)
		;
	assert_true(n == 0 || ZSTD_getFrameContentSize(f->packed, out.pos) == ZSTD_CONTENTSIZE_UNKNOWN);
	f->packed_n += out.pos;
	ZSTD_freeCCtx(c);
}

static void pack_zstd_sized(struct fixture *f, size_t n)
{
	size_t rc = ZSTD_compress(f->packed + f->packed_n, 2 * CAP - f->packed_n, f->plain, n, 3);

	assert_false(ZSTD_isError(rc));
	f->packed_n += rc;
}

static const struct packer {
	enum compression codec;
	void (*pack)(struct fixture *f, size_t n);
	bool joinable, checked;
} packers[] = {
	{COMPRESSION_GZIP, pack_gzip, true, true},
	{COMPRESSION_SNAPPY, pack_snappy, false, false},
	{COMPRESSION_SNAPPY, pack_snappy_java, false, false},
	{COMPRESSION_LZ4, pack_lz4, true, true},
	{COMPRESSION_ZSTD, pack_zstd, true, false},
	{COMPRESSION_ZSTD, pack_zstd_sized, true, false},
};

static enum err unpack(struct fixture *f, const struct packer *p, size_t max, struct bytes *ret)
{
	arena_release(&f->arena);
	return decompress(p->codec, (struct bytes){f->packed, f->packed_n}, max, &f->arena, ret);
}

static void test_round_trip_and_limit(void **state)
{
	static const size_t sizes[] = {1, 100, 65535, 65536, 65537, 300000, CAP};
	struct fixture *f = *state;

	for (size_t k = 0; k < COUNT(packers); k++) {
		for (size_t i = 0; i < COUNT(sizes); i++) {
			size_t n = sizes[i];
			struct bytes got = {NULL, 0};

			f->packed_n = 0;
			packers[k].pack(f, n);
			assert_int_equal(unpack(f, &packers[k], n, &got), ERR_OK);
			assert_int_equal(got.n, n);
			assert_memory_equal(got.p, f->plain, n);
			assert_int_equal(unpack(f, &packers[k], n - 1, &got), ERR_TOO_LARGE);
			assert_int_equal(unpack(f, &packers[k], SIZE_MAX, &got), ERR_OK);
			assert_int_equal(got.n, n);
		}
	}
}

static void test_joined_frames(void **state)
{
	struct fixture *f = *state;

	for (size_t k = 0; k < COUNT(packers); k++) {
		struct bytes got = {NULL, 0};

		if (!packers[k].joinable)
			continue;
		f->packed_n = 0;
		packers[k].pack(f, 70000);
		packers[k].pack(f, 10);
		packers[k].pack(f, 70000);
		assert_int_equal(unpack(f, &packers[k], 140010, &got), ERR_OK);
		assert_int_equal(got.n, 140010);
		assert_memory_equal(got.p, f->plain, 70000);
		assert_memory_equal(got.p + 70000, f->plain, 10);
		assert_memory_equal(got.p + 70010, f->plain, 70000);
		assert_int_equal(unpack(f, &packers[k], 140009, &got), ERR_TOO_LARGE);
		/* An empty frame behind a full buffer is no more than allowed. */
		packers[k].pack(f, 0);
		assert_int_equal(unpack(f, &packers[k], 140010, &got), ERR_OK);
	}
}

static void test_every_cut_is_malformed(void **state)
{
	struct fixture *f = *state;

	for (size_t k = 0; k < COUNT(packers); k++) {
		struct bytes got;
		size_t whole;

		f->packed_n = 0;
		packers[k].pack(f, 3000);
		whole = f->packed_n;
		for (f->packed_n = 0; f->packed_n < whole; f->packed_n++) {
			/* Java's framing alone has no end mark: it may stop behind the head, with nothing. */
			if (packers[k].pack == pack_snappy_java && f->packed_n == 16)
				continue;
			assert_int_equal(unpack(f, &packers[k], CAP, &got), ERR_MALFORMED);
		}
	}
}

static void test_junk_behind_is_malformed(void **state)
{
	struct fixture *f = *state;

	for (size_t k = 0; k < COUNT(packers); k++) {
		struct bytes got;

		f->packed_n = 0;
		packers[k].pack(f, 3000);
		memcpy(f->packed + f->packed_n, "junk!", 5);
		f->packed_n += 5;
		assert_int_equal(unpack(f, &packers[k], CAP, &got), ERR_MALFORMED);
	}
}

/* Any byte changed: never more than the limit, never a crash, and where the format has a check sum never other bytes.
 */
static void test_damage(void **state)
{
	struct fixture *f = *state;

	for (size_t k = 0; k < COUNT(packers); k++) {
		f->packed_n = 0;
		packers[k].pack(f, 3000);
		for (size_t i = 0; i < f->packed_n; i++) {
			for (unsigned bit = 0; bit < 8; bit++) {
				struct bytes got = {NULL, 0};
				enum err e;

				f->packed[i] ^= (uint8_t)(1u << bit);
				e = unpack(f, &packers[k], 5000, &got);
				assert_true(e == ERR_OK || e == ERR_MALFORMED || e == ERR_TOO_LARGE);
				if (e == ERR_OK)
					assert_true(got.n <= 5000);
				if (e == ERR_OK && packers[k].checked && got.n > 0)
					assert_memory_equal(got.p, f->plain, got.n);
				f->packed[i] ^= (uint8_t)(1u << bit);
			}
		}
	}
}

/* Four megabytes of zeros in few bytes, allowed one: the limit is met at once, whatever the frame says of itself. */
static void test_bomb(void **state)
{
	struct fixture *f = *state;

	memset(f->plain, 0, CAP);
	for (size_t k = 0; k < COUNT(packers); k++) {
		struct bytes got;

		f->packed_n = 0;
		packers[k].pack(f, CAP);
		assert_int_equal(unpack(f, &packers[k], 1 << 20, &got), ERR_TOO_LARGE);
	}
}

static void test_snappy_lie_about_the_length(void **state)
{
	struct fixture *f = *state;
	static const uint8_t lie[] = {0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 'x'};
	struct bytes got;

	memcpy(f->packed, lie, sizeof(lie));
	f->packed_n = sizeof(lie);
	assert_int_equal(unpack(f, &packers[1], SIZE_MAX, &got), ERR_MALFORMED);
}

static void test_none_unknown_and_arena_limit(void **state)
{
	struct fixture *f = *state;
	struct bytes in = {f->plain, 100}, got = {NULL, 0};
	struct arena small;

	assert_int_equal(decompress(COMPRESSION_NONE, in, 100, &f->arena, &got), ERR_OK);
	assert_ptr_equal(got.p, in.p);
	assert_int_equal(got.n, 100);
	assert_int_equal(decompress(COMPRESSION_NONE, in, 99, &f->arena, &got), ERR_TOO_LARGE);
	assert_int_equal(decompress((enum compression)5, in, 100, &f->arena, &got), ERR_UNSUPPORTED);
	f->packed_n = 0;
	pack_zstd(f, 3000);
	arena_init(&small, 2000);
	in = (struct bytes){f->packed, f->packed_n};
	assert_int_equal(decompress(COMPRESSION_ZSTD, in, 5000, &small, &got), ERR_TOO_LARGE);
	arena_release(&small);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip_and_limit),
		TEST(test_joined_frames),
		TEST(test_every_cut_is_malformed),
		TEST(test_junk_behind_is_malformed),
		TEST(test_damage),
		TEST(test_bomb),
		TEST(test_snappy_lie_about_the_length),
		TEST(test_none_unknown_and_arena_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
