/* SPDX-License-Identifier: Apache-2.0 */
/* Record batches: headers cut anywhere, lies in every length, batches of Kafka's own producer, and our own batches read
 * again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/chunk.h"
#include "wire/batch.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PLENTY 100000

/* Three records by Kafka 4.4's own builder: base offset 100, leader epoch 5, producer 7/3/42; the first value is
 * "value-value-value-value-0", the second has no key and an empty value, the third no value and two headers. */
static const struct {
	enum compression codec;
	const char *hex;
} kafka_batches[] = {
	{COMPRESSION_NONE,
		"00000000000000640000006a00000005021ae026af0000000000020000018bcfe568000000018bcfe568050000000000"
		"00000700030000002a0000000342000000046b303276616c75652d76616c75652d76616c75652d76616c75652d30000c"
		"000a020100001e000204046b32010402680278026e01"},
	{COMPRESSION_GZIP,
		"00000000000000640000006d000000050222fa00a90001000000020000018bcfe568000000018bcfe568050000000000"
		"00000700030000002a000000031f8b08000000000000ff7362606060c936302a4bcc294dd5c5240d187818b898181918"
		"e418985858b28d18599832982a98f218011a04966f39000000"},
	{COMPRESSION_SNAPPY,
		"0000000000000064000000720000000502482845410002000000020000018bcfe568000000018bcfe568050000000000"
		"00000700030000002a0000000382534e415050590000000001000000010000002d393442000000046b303276616c7565"
		"2d4606006030000c000a020100001e000204046b32010402680278026e01"},
	{COMPRESSION_LZ4,
		"00000000000000640000006c0000000502c846d6e10003000000020000018bcfe568000000018bcfe568050000000000"
		"00000700030000002a0000000304224d186040822c000000ee42000000046b303276616c75652d0600f00a30000c000a"
		"020100001e000204046b32010402680278026e0100000000"},
	{COMPRESSION_ZSTD,
		"00000000000000640000006b000000050228691b190004000000020000018bcfe568000000018bcfe568050000000000"
		"00000700030000002a0000000328b52ffd0058740100740242000000046b303276616c75652d30000c000a020100001e"
		"000204046b32010402680278026e010100f18a12010000"},
};

static size_t from_hex(const char *hex, uint8_t *out, size_t cap)
{
	size_t n = strlen(hex) / 2;

	assert_true(n <= cap);
	for (size_t i = 0; i < n; i++) {
		const char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};

		out[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return n;
}

struct seen {
	struct record rec[8];
	size_t n, stop_at;
};

static bool on_record(void *arg, const struct record *rec)
{
	struct seen *s = arg;

	assert_true(s->n < COUNT(s->rec));
	s->rec[s->n++] = *rec;
	return s->n != s->stop_at;
}

static bool is_bytes(struct bytes b, const char *s)
{
	return s ? b.p && b.n == strlen(s) && memcmp(b.p, s, b.n) == 0 : b.p == NULL;
}

static void test_crc32c_vectors(void **state)
{
	uint8_t zeros[32] = {0}, ones[32];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(crc32c(0, zeros, 32), 0x8a9136aa); /* RFC 3720, B.4 */
	assert_int_equal(crc32c(0, ones, 32), 0x62a8ab43);
	assert_int_equal(crc32c(0, "", 0), 0);
	for (size_t cut = 0; cut <= 9; cut++)
		assert_int_equal(crc32c(crc32c(0, "123456789", cut), &"123456789"[cut], 9 - cut), 0xe3069283);
}

static void test_kafka_batches(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kafka_batches); i++) {
		struct seen seen = {.n = 0};
		struct batch_header h;
		struct arena a;
		uint8_t p[256];
		size_t n = from_hex(kafka_batches[i].hex, p, sizeof(p));

		assert_int_equal(batch_header_read(p, n, &h), BATCH_READY);
		assert_int_equal(h.size, n);
		assert_int_equal(h.base_offset, 100);
		assert_int_equal(batch_last_offset(&h), 102);
		assert_int_equal(h.partition_leader_epoch, 5);
		assert_int_equal(h.producer_id, 7);
		assert_int_equal(h.producer_epoch, 3);
		assert_int_equal(h.base_sequence, 42);
		assert_int_equal(h.records_count, 3);
		assert_int_equal(h.base_timestamp, 1700000000000);
		assert_int_equal(h.max_timestamp, 1700000000005);
		assert_int_equal(batch_compression(&h), kafka_batches[i].codec);
		assert_false(batch_is_control(&h));
		assert_false(batch_is_transactional(&h));
		assert_int_equal(batch_check_crc(p, &h), ERR_OK);
		arena_init(&a, PLENTY);
		assert_int_equal(batch_read_records(p, &h, &a, PLENTY, on_record, &seen), ERR_OK);
		assert_int_equal(seen.n, 3);
		assert_true(is_bytes(seen.rec[0].key, "k0"));
		assert_true(is_bytes(seen.rec[0].value, "value-value-value-value-0"));
		assert_true(is_bytes(seen.rec[1].key, NULL));
		assert_true(is_bytes(seen.rec[1].value, ""));
		assert_true(is_bytes(seen.rec[2].key, "k2"));
		assert_true(is_bytes(seen.rec[2].value, NULL));
		assert_int_equal(seen.rec[0].offset, 100);
		assert_int_equal(seen.rec[2].offset, 102);
		assert_int_equal(seen.rec[1].timestamp, 1700000000005);
		assert_int_equal(seen.rec[2].timestamp, 1700000000001);
		arena_release(&a);
	}
}

static void test_flipped_bits_fail_the_crc(void **state)
{
	struct batch_header h;
	uint8_t p[256];
	size_t n = from_hex(kafka_batches[0].hex, p, sizeof(p));

	(void)state;
	for (size_t i = 57; i < n; i++) { /* count and records: the header still reads */
		p[i] ^= 0x01;
		if (batch_header_read(p, n, &h) == BATCH_READY)
			assert_int_equal(batch_check_crc(p, &h), ERR_CORRUPT);
		p[i] ^= 0x01;
	}
	assert_int_equal(batch_header_read(p, n, &h), BATCH_READY);
	p[17] ^= 0x80; /* the CRC itself */
	assert_int_equal(batch_header_read(p, n, &h), BATCH_READY);
	assert_int_equal(batch_check_crc(p, &h), ERR_CORRUPT);
}

static void test_every_cut_is_truncated(void **state)
{
	struct batch_header h;
	uint8_t p[256];
	size_t n = from_hex(kafka_batches[0].hex, p, sizeof(p));

	(void)state;
	for (size_t cut = 0; cut < n; cut++) {
		uint8_t *part = malloc(cut + 1); /* so that a read too far is seen */

		assert_non_null(part);
		memcpy(part, p, cut);
		assert_int_equal(batch_header_read(cut ? part : NULL, cut, &h), BATCH_TRUNCATED);
		assert_int_equal(h.size, cut < 12 ? 0 : n);
		free(part);
	}
	assert_int_equal(batch_header_read(p, n + 50, &h), BATCH_READY);
	assert_int_equal(h.size, n);
}

/* Writes v over size bytes at p, big-endian. */
static void put(uint8_t *p, int64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		p[i] = (uint8_t)((uint64_t)v >> (8 * (size - 1 - i)));
}

static void test_impossible_headers_are_bad(void **state)
{
	static const struct {
		size_t at, size;
		int64_t v;
		enum batch_status status;
	} cases[] = {
		{0, 8, -1, BATCH_BAD},
		{0, 8, INT64_MIN, BATCH_BAD},
		{0, 8, INT64_MAX, BATCH_BAD},
		{0, 8, INT64_MAX - 2, BATCH_BAD}, /* the offset behind the last one is no number */
		{0, 8, INT64_MAX - 3, BATCH_READY},
		{8, 4, -1, BATCH_BAD},
		{8, 4, INT32_MIN, BATCH_BAD},
		{8, 4, 0, BATCH_BAD},
		{8, 4, 13, BATCH_BAD},
		{8, 4, 48, BATCH_BAD},
		{8, 4, 49, BATCH_READY},
		{8, 4, INT32_MAX, BATCH_TRUNCATED},
		{16, 1, 3, BATCH_BAD},
		{16, 1, -1, BATCH_BAD},
		{23, 4, -1, BATCH_BAD},
		{23, 4, INT32_MIN, BATCH_BAD},
		{57, 4, -1, BATCH_BAD},
	};
	struct batch_header h;
	uint8_t p[256];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t n = from_hex(kafka_batches[0].hex, p, sizeof(p));

		put(p + cases[i].at, cases[i].v, cases[i].size);
		assert_int_equal(batch_header_read(p, n, &h), cases[i].status);
	}
}

static void test_old_formats_are_recognised(void **state)
{
	struct batch_header h;
	uint8_t p[64] = {0};

	(void)state;
	for (int8_t magic = 0; magic <= 1; magic++) {
		int32_t smallest = magic == 0 ? 14 : 22;

		put(p, 77, 8);
		put(p + 8, smallest, 4);
		p[16] = (uint8_t)magic;
		assert_int_equal(batch_header_read(p, 64, &h), BATCH_OLD);
		assert_int_equal(h.base_offset, 77);
		assert_int_equal(h.magic, magic);
		assert_int_equal(h.size, smallest + 12);
		assert_int_equal(h.batch_length, 0);
		assert_int_equal(batch_header_read(p, h.size - 1, &h), BATCH_TRUNCATED);
		assert_int_equal(h.size, smallest + 12);
		put(p + 8, smallest - 1, 4);
		assert_int_equal(batch_header_read(p, 64, &h), BATCH_BAD);
	}
}

static enum err walk(const uint8_t *p, size_t n, size_t max_bytes)
{
	struct seen seen = {.n = 0};
	struct batch_header h;
	struct arena a;
	enum err e;

	if (batch_header_read(p, n, &h) != BATCH_READY)
		return ERR_INVALID;
	arena_init(&a, PLENTY);
	e = batch_read_records(p, &h, &a, max_bytes, on_record, &seen);
	arena_release(&a);
	return e;
}

/* Every byte of the records replaced by every value: an error or records, and never a read outside (the sanitizers
 * watch). */
static void test_damaged_records(void **state)
{
	uint8_t p[256];

	(void)state;
	for (size_t k = 0; k < COUNT(kafka_batches); k++) {
		size_t n = from_hex(kafka_batches[k].hex, p, sizeof(p)), errors = 0;

		for (size_t i = BATCH_HEADER_SIZE; i < n; i++) {
			uint8_t was = p[i];

			for (unsigned v = 0; v < 256; v++) {
				p[i] = (uint8_t)v;
				errors += walk(p, n, PLENTY) != ERR_OK;
			}
			p[i] = was;
		}
		assert_true(errors > 0);
		assert_int_equal(walk(p, n, PLENTY), ERR_OK);
	}
}

static void test_record_lies(void **state)
{
	uint8_t p[256], *second;
	size_t n = from_hex(kafka_batches[0].hex, p, sizeof(p));

	(void)state;
	put(p + 57, 4, 4); /* one record more than there are */
	assert_int_equal(walk(p, n, PLENTY), ERR_MALFORMED);
	put(p + 57, 2, 4); /* one less */
	assert_int_equal(walk(p, n, PLENTY), ERR_MALFORMED);
	put(p + 57, INT32_MAX, 4);
	assert_int_equal(walk(p, n, PLENTY), ERR_MALFORMED);
	from_hex(kafka_batches[0].hex, p, sizeof(p));
	put(p + 23, 1, 4); /* an offset beyond the last one */
	assert_int_equal(walk(p, n, PLENTY), ERR_MALFORMED);
	from_hex(kafka_batches[0].hex, p, sizeof(p));
	put(p + 21, 7, 2); /* a codec that does not exist */
	assert_int_equal(walk(p, n, PLENTY), ERR_UNSUPPORTED);
	n = from_hex(kafka_batches[0].hex, p, sizeof(p));
	second = memmem(p, n, "\x0c\x00\x0a\x02\x01", 5);
	assert_non_null(second);
	second[3] = 0; /* the offset of the first record once more */
	assert_int_equal(walk(p, n, PLENTY), ERR_MALFORMED);
	n = from_hex(kafka_batches[4].hex, p, sizeof(p));
	assert_int_equal(walk(p, n, 10), ERR_TOO_LARGE);
}

static void test_log_append_time_and_stop(void **state)
{
	struct seen seen = {.stop_at = 2};
	struct batch_header h;
	struct arena a;
	uint8_t p[256];
	size_t n = from_hex(kafka_batches[0].hex, p, sizeof(p));

	(void)state;
	put(p + 21, 8, 2);
	assert_int_equal(batch_header_read(p, n, &h), BATCH_READY);
	arena_init(&a, PLENTY);
	assert_int_equal(batch_read_records(p, &h, &a, PLENTY, on_record, &seen), ERR_OK);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.rec[0].timestamp, h.max_timestamp);
	arena_release(&a);
}

static struct bytes bytes_of(const char *s)
{
	return (struct bytes){(const uint8_t *)s, s ? strlen(s) : 0};
}

static void test_built_batch_is_read_again(void **state)
{
	struct seen seen = {.n = 0};
	struct batch_builder b;
	struct batch_header h;
	struct arena a;
	struct chunk *c;

	(void)state;
	batch_builder_init(&b, 1000, 1234);
	assert_int_equal(batch_builder_size(&b), BATCH_HEADER_SIZE);
	assert_int_equal(batch_builder_add(&b, bytes_of("key"), bytes_of("value")), ERR_OK);
	assert_int_equal(batch_builder_add(&b, bytes_of(NULL), bytes_of("")), ERR_OK);
	assert_int_equal(batch_builder_add(&b, bytes_of(""), bytes_of(NULL)), ERR_OK);
	c = batch_builder_end(&b, 9, 2, 17);
	assert_int_equal(batch_builder_size(&b), BATCH_HEADER_SIZE);
	arena_init(&a, PLENTY);
	for (int round = 0; round < 2; round++) {
		assert_int_equal(batch_header_read(c->data, c->size, &h), BATCH_READY);
		assert_int_equal(h.size, c->size);
		assert_int_equal(batch_check_crc(c->data, &h), ERR_OK);
		assert_int_equal(h.base_offset, 0);
		assert_int_equal(h.partition_leader_epoch, -1);
		assert_int_equal(h.attributes, 0);
		assert_int_equal(h.last_offset_delta, 2);
		assert_int_equal(h.base_timestamp, 1234);
		assert_int_equal(h.max_timestamp, 1234);
		assert_int_equal(h.producer_id, round ? 10 : 9);
		assert_int_equal(h.producer_epoch, round ? 0 : 2);
		assert_int_equal(h.base_sequence, round ? 0 : 17);
		seen.n = 0;
		assert_int_equal(batch_read_records(c->data, &h, &a, 0, on_record, &seen), ERR_OK);
		assert_int_equal(seen.n, 3);
		assert_true(is_bytes(seen.rec[0].key, "key") && is_bytes(seen.rec[0].value, "value"));
		assert_true(is_bytes(seen.rec[1].key, NULL) && is_bytes(seen.rec[1].value, ""));
		assert_true(is_bytes(seen.rec[2].key, "") && is_bytes(seen.rec[2].value, NULL));
		assert_int_equal(seen.rec[2].offset, 2);
		assert_int_equal(seen.rec[2].timestamp, 1234);
		batch_set_producer(c, 10, 0, 0);
	}
	/* The builder goes on with an empty batch. */
	chunk_unref(c);
	assert_int_equal(batch_builder_add(&b, bytes_of("again"), bytes_of(NULL)), ERR_OK);
	c = batch_builder_end(&b, -1, -1, -1);
	assert_int_equal(batch_header_read(c->data, c->size, &h), BATCH_READY);
	assert_int_equal(h.records_count, 1);
	assert_int_equal(h.producer_id, -1);
	chunk_unref(c);
	batch_builder_release(&b);
	arena_release(&a);
}

static void test_builder_stops_at_its_limit(void **state)
{
	uint8_t value[200] = {0};

	(void)state;
	for (size_t max = BATCH_HEADER_SIZE + 1; max < 500; max++) {
		struct batch_builder b;
		size_t added = 0;

		batch_builder_init(&b, max, 0);
		while (batch_builder_add(&b, bytes_of("k"), (struct bytes){value, 50 + added}) == ERR_OK)
			added++;
		assert_true(batch_builder_size(&b) <= max);
		/* What did not fit would have been larger than what is left: 8 or 9 bytes stand around key and value.
		 */
		assert_true(batch_builder_size(&b) + 51 + added + 9 > max);
		if (added > 0) {
			struct chunk *c = batch_builder_end(&b, 1, 1, 1);
			struct batch_header h;

			assert_int_equal(batch_header_read(c->data, c->size, &h), BATCH_READY);
			assert_int_equal(h.records_count, added);
			chunk_unref(c);
		}
		batch_builder_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc32c_vectors),
		cmocka_unit_test(test_kafka_batches),
		cmocka_unit_test(test_flipped_bits_fail_the_crc),
		cmocka_unit_test(test_every_cut_is_truncated),
		cmocka_unit_test(test_impossible_headers_are_bad),
		cmocka_unit_test(test_old_formats_are_recognised),
		cmocka_unit_test(test_damaged_records),
		cmocka_unit_test(test_record_lies),
		cmocka_unit_test(test_log_append_time_and_stop),
		cmocka_unit_test(test_built_batch_is_read_again),
		cmocka_unit_test(test_builder_stops_at_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
