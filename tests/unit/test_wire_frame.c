/* SPDX-License-Identifier: Apache-2.0 */
/* Frame lengths and headers: every cut, every lie, every stranger at the port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/frame.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_length_waits_for_four_bytes(void **state)
{
	const uint8_t p[] = {0, 0, 1, 0};
	const char *reason = NULL;
	uint32_t len = 7;
	size_t need = 0;

	(void)state;
	for (size_t n = 0; n < 4; n++) {
		assert_int_equal(frame_length(p, n, 0, 1000, &len, &need, &reason), FRAME_NEED_MORE);
		assert_int_equal(need, 4 - n);
		assert_int_equal(len, 7);
	}
	assert_int_equal(frame_length(p, 4, 0, 1000, &len, &need, &reason), FRAME_READY);
	assert_int_equal(len, 256);
	assert_null(reason);
}

static void test_length_limits_are_inclusive(void **state)
{
	const uint8_t p[] = {0, 0, 0, 100, 9, 9};
	const char *reason = NULL;
	uint32_t len = 0;
	size_t need;

	(void)state;
	assert_int_equal(frame_length(p, 6, 100, 100, &len, &need, &reason), FRAME_READY);
	assert_int_equal(len, 100);
	assert_int_equal(frame_length(p, 6, 101, 200, &len, &need, &reason), FRAME_BAD);
	assert_string_equal(reason, "frame_too_short");
	assert_int_equal(frame_length(p, 6, 0, 99, &len, &need, &reason), FRAME_BAD);
	assert_string_equal(reason, "frame_too_large");
}

static void test_length_names_strangers(void **state)
{
	static const struct {
		uint8_t p[4];
		const char *reason;
	} cases[] = {
		{{0x16, 0x03, 0x01, 0x00}, "tls_hello"},
		{{0x16, 0x03, 0x03, 0x7a}, "tls_hello"},
		{{0x15, 0x03, 0x03, 0x00}, "tls_alert"},
		{{'G', 'E', 'T', ' '}, "http"},
		{{'P', 'O', 'S', 'T'}, "http"},
		{{'H', 'T', 'T', 'P'}, "http"},
		{{0xff, 0xff, 0xff, 0xff}, "frame_length_negative"},
		{{0x80, 0x00, 0x00, 0x00}, "frame_length_negative"},
		{{0x00, 0x00, 0x00, 0x03}, "frame_too_short"},
		{{0x00, 0x00, 0x00, 0x00}, "frame_too_short"},
		{{0x7f, 0xff, 0xff, 0xff}, "frame_too_large"},
		{{'S', 'S', 'H', '-'}, "frame_too_large"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *reason = NULL;
		uint32_t len;
		size_t need;

		assert_int_equal(frame_length(cases[i].p, 4, 8, FRAME_MAX_DEFAULT, &len, &need, &reason), FRAME_BAD);
		assert_string_equal(reason, cases[i].reason);
	}
}

static size_t write_header(uint8_t *out, size_t cap, const struct request_header *h)
{
	struct writer w;
	size_t n;

	wr_init(&w, cap);
	request_header_write(&w, h);
	assert_int_equal(w.err, ERR_OK);
	n = wr_size(&w);
	wr_flatten(&w, out);
	wr_release(&w);
	return n;
}

static void test_header_round_trip_and_every_cut(void **state)
{
	static const struct str ids[] = {{NULL, 0}, {"", 0}, {"rdkafka", 7}};

	(void)state;
	for (int8_t version = 0; version <= 2; version++) {
		for (size_t i = 0; i < COUNT(ids); i++) {
			struct request_header h = {.api_key = 78,
				.api_version = 2,
				.correlation_id = -5,
				.client_id = ids[i],
				.header_version = version};
			struct request_header got;
			const char *reason = NULL;
			uint8_t p[64];
			size_t n = write_header(p, sizeof(p), &h), need = 0;

			for (size_t cut = 0; cut < n; cut++) {
				/* More of the frame is to come: ask for it, never for more than the header has. */
				assert_int_equal(request_header_read(p, cut, 64, version, &got, &need, &reason),
					FRAME_NEED_MORE);
				assert_true(need > 0 && need <= n - cut);
				/* The frame ends here: it cannot be. */
				assert_int_equal(
					request_header_read(p, cut, (uint32_t)cut, version, &got, &need, &reason),
					FRAME_BAD);
				assert_string_equal(reason, "header_malformed");
			}
			assert_int_equal(
				request_header_read(p, n, (uint32_t)n, version, &got, &need, &reason), FRAME_READY);
			assert_int_equal(got.api_key, 78);
			assert_int_equal(got.api_version, 2);
			assert_int_equal(got.correlation_id, -5);
			assert_int_equal(got.header_version, version);
			assert_int_equal(got.size, n);
			if (version > 0)
				assert_true(str_eq(got.client_id, ids[i]));
			else
				assert_true(str_is_null(got.client_id));
			assert_int_equal(request_header_peek(p, n, &got, &need), FRAME_READY);
			assert_int_equal(got.correlation_id, -5);
			assert_int_equal(got.size, 8);
		}
	}
}

static void test_peek_waits_for_eight_bytes(void **state)
{
	const uint8_t p[8] = {0, 3, 0, 13, 0, 0, 0, 1};
	struct request_header h;
	size_t need;

	(void)state;
	for (size_t n = 0; n < 8; n++) {
		assert_int_equal(request_header_peek(p, n, &h, &need), FRAME_NEED_MORE);
		assert_int_equal(need, 8 - n);
	}
	assert_int_equal(request_header_peek(p, 8, &h, &need), FRAME_READY);
	assert_int_equal(h.api_key, 3);
	assert_int_equal(h.api_version, 13);
}

/* A real request of the Java client: ShareFetch v2. The body begins behind the empty tags. */
static void test_header_of_java_client(void **state)
{
	const uint8_t p[] = {0x00, 0x4e, 0x00, 0x02, 0x00, 0x00, 0x00, 0x12, 0x00, 0x01, 0x63, 0x00, 0x02, 0x67};
	struct request_header h;
	const char *reason;
	size_t need;

	(void)state;
	assert_int_equal(request_header_read(p, sizeof(p), 120, 2, &h, &need, &reason), FRAME_READY);
	assert_int_equal(h.api_key, 78);
	assert_int_equal(h.correlation_id, 18);
	assert_true(str_eq(h.client_id, STR_LIT("c")));
	assert_int_equal(h.size, 12);
}

/* Reads header version 2 with the given bytes behind an empty client id; the frame goes on for extra bytes. */
static enum frame_status read_tags(
	const uint8_t *tags, size_t n, uint32_t extra, struct request_header *ret, const char **ret_reason)
{
	uint8_t p[256] = {0, 18, 0, 3, 0, 0, 0, 1, 0, 0};
	size_t need = 0;
	enum frame_status s;

	memcpy(p + 10, tags, n);
	s = request_header_read(p, 10 + n, (uint32_t)(10 + n) + extra, 2, ret, &need, ret_reason);
	if (s == FRAME_NEED_MORE)
		assert_true(need > 0 && need <= extra);
	return s;
}

static void test_header_tags(void **state)
{
	static const uint8_t two[] = {2, 1, 1, 0xaa, 7, 2, 0xbb, 0xcc};
	static const uint8_t descending[] = {2, 7, 0, 1, 0};
	static const uint8_t twice[] = {2, 7, 0, 7, 0};
	static const uint8_t long_varint[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
	static const uint8_t many[] = {0x91, 0x4e}; /* 10,001 */
	static const uint8_t huge[] = {1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f};
	static const uint8_t wide[] = {1, 1, 0x80, 0x80, 0x06}; /* 98,304: in the frame, but no header is that large */
	struct request_header h;
	const char *reason = NULL;

	(void)state;
	assert_int_equal(read_tags(two, sizeof(two), 0, &h, &reason), FRAME_READY);
	assert_int_equal(h.size, 10 + sizeof(two));
	for (size_t cut = 0; cut < sizeof(two); cut++)
		assert_int_equal(read_tags(two, cut, 50, &h, &reason), FRAME_NEED_MORE);
	assert_int_equal(read_tags(descending, sizeof(descending), 50, &h, &reason), FRAME_BAD);
	assert_int_equal(read_tags(twice, sizeof(twice), 50, &h, &reason), FRAME_BAD);
	assert_int_equal(read_tags(long_varint, sizeof(long_varint), 50, &h, &reason), FRAME_BAD);
	assert_int_equal(read_tags(many, sizeof(many), 50, &h, &reason), FRAME_BAD);
	assert_int_equal(read_tags(huge, sizeof(huge), 50, &h, &reason), FRAME_BAD);
	assert_string_equal(reason, "header_malformed");
	assert_int_equal(read_tags(wide, sizeof(wide), 200000, &h, &reason), FRAME_BAD);
	assert_string_equal(reason, "header_too_large");
}

/* Ten thousand empty tags, each as wide as its numbers can be written: refused by its size, not by its count. */
static void test_header_of_many_tags(void **state)
{
	static uint8_t p[10 + 2 + 8 * 10000] = {0, 18, 0, 3, 0, 0, 0, 1, 0, 0, 0x90, 0x4e};
	struct request_header h;
	const char *reason = NULL;
	size_t n = 12, need;

	(void)state;
	for (unsigned tag = 0; tag < 10000; tag++) {
		const uint8_t field[] = {
			(uint8_t)(tag | 0x80), (uint8_t)(tag >> 7 | 0x80), 0, 0x80, 0x80, 0x80, 0x80, 0};

		memcpy(p + n, field, sizeof(field));
		n += sizeof(field);
	}
	assert_int_equal(request_header_read(p, n, (uint32_t)n, 2, &h, &need, &reason), FRAME_BAD);
	assert_string_equal(reason, "header_too_large");
	p[10] = 0x88; /* 5,000 of them */
	p[11] = 0x27;
	assert_int_equal(request_header_read(p, n, (uint32_t)n, 2, &h, &need, &reason), FRAME_READY);
	assert_int_equal(h.size, 12 + 8 * 5000);
}

static void test_header_client_id_lies(void **state)
{
	uint8_t p[16] = {0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xfe};
	struct request_header h;
	const char *reason = NULL;
	size_t need;

	(void)state;
	assert_int_equal(request_header_read(p, 16, 16, 1, &h, &need, &reason), FRAME_BAD); /* -2 */
	p[8] = 0x7f;
	p[9] = 0xff;
	assert_int_equal(request_header_read(p, 16, 16, 1, &h, &need, &reason), FRAME_BAD); /* beyond the frame */
	assert_int_equal(request_header_read(p, 16, 100000, 1, &h, &need, &reason), FRAME_NEED_MORE);
	assert_int_equal(need, 10 + 32767 - 16);
	/* What stands behind the frame is not read. */
	p[8] = 0;
	p[9] = 3;
	assert_int_equal(request_header_read(p, 16, 12, 1, &h, &need, &reason), FRAME_BAD);
	assert_int_equal(request_header_read(p, 16, 13, 1, &h, &need, &reason), FRAME_READY);
}

static void test_response_header(void **state)
{
	struct writer w;
	uint8_t p[8];

	(void)state;
	wr_init(&w, 64);
	response_header_write(&w, 0, 0x01020304);
	assert_int_equal(wr_size(&w), 4);
	response_header_write(&w, 1, -1);
	assert_int_equal(wr_size(&w), 9);
	wr_release(&w);
	wr_init(&w, 64);
	response_header_write(&w, 1, 0x01020304);
	wr_flatten(&w, p);
	assert_memory_equal(p, "\x01\x02\x03\x04\x00", 5);
	wr_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length_waits_for_four_bytes),
		cmocka_unit_test(test_length_limits_are_inclusive),
		cmocka_unit_test(test_length_names_strangers),
		cmocka_unit_test(test_header_round_trip_and_every_cut),
		cmocka_unit_test(test_peek_waits_for_eight_bytes),
		cmocka_unit_test(test_header_of_java_client),
		cmocka_unit_test(test_header_tags),
		cmocka_unit_test(test_header_of_many_tags),
		cmocka_unit_test(test_header_client_id_lies),
		cmocka_unit_test(test_response_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
