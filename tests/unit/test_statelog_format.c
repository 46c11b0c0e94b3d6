/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of the state log: round trips, truncation, and which batches are sluice's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/mem.h"
#include "statelog/format.h"

#define BATCH_MAX 4096

static const struct str names[] = {{"orders", 6}, {"", 0}};
static const int32_t parts[] = {0, 1, 300, INT32_MAX};
static const struct share_topic_partitions assigned[] = {{{{9}}, parts, 4}, {{{8}}, parts, 0}};
static const struct share_state_range ranges[] = {
	{10, 10, SHARE_ACKNOWLEDGED, 1},
	{11, 500, SHARE_AVAILABLE, 30},
	{600, INT64_MAX - 1, SHARE_ARCHIVED, INT16_MAX},
};

static struct share_state_range many[100];

static void many_fill(void)
{
	for (uint32_t i = 0; i < 100; i++)
		many[i] = (struct share_state_range){20 + 3 * i, 21 + 3 * i, SHARE_ARCHIVING, (int16_t)i};
}

static struct share_partition_state partition(int64_t start, const struct share_state_range *r, uint32_t n)
{
	return (struct share_partition_state){
		.topic_id = {{1}},
		.topic_name = STR_LIT("orders"),
		.partition = 70000,
		.start_offset = start,
		.ranges = r,
		.ranges_n = n,
	};
}

/* One of each type and of each way to write it. */
static uint32_t samples(struct state_entry *e)
{
	struct state_entry *from = e;

	many_fill();
	*e++ = (struct state_entry){.type = STATE_ENTRY_IN_GROUP, .group_id = STR_LIT("g")};
	*e++ = (struct state_entry){
		.type = STATE_ENTRY_SNAPSHOT, .group_id = STR_LIT(""), .exists = true, .group_epoch = -1};
	*e++ = (struct state_entry){.type = STATE_ENTRY_SNAPSHOT_END};
	*e++ = (struct state_entry){.type = STATE_ENTRY_GROUP, .group_epoch = INT32_MAX, .assignment_epoch = INT32_MIN};
	*e++ = (struct state_entry){.type = STATE_ENTRY_GROUP_DELETED};
	*e++ = (struct state_entry){
		.type = STATE_ENTRY_MEMBER,
		.u.member = {STR_LIT("m"), 5, 4, STR_NULL, STR_LIT("c"), STR_LIT("/127.0.0.1"), names, 2, assigned, 2},
	};
	*e++ = (struct state_entry){
		.type = STATE_ENTRY_MEMBER, .u.member = {.member_id = STR_LIT("m"), .rack_id = STR_LIT("")}};
	*e++ = (struct state_entry){.type = STATE_ENTRY_MEMBER_REMOVED, .u.member.member_id = STR_LIT("m")};
	*e++ = (struct state_entry){.type = STATE_ENTRY_CONFIG, .u.config = {STR_LIT("share.x"), STR_LIT("")}};
	*e++ = (struct state_entry){.type = STATE_ENTRY_CONFIG, .u.config = {STR_LIT("share.x"), STR_NULL}};
	*e++ = (struct state_entry){.type = STATE_ENTRY_PARTITION, .number = 1, .u.partition = partition(-1, NULL, 0)};
	*e++ = (struct state_entry){
		.type = STATE_ENTRY_PARTITION, .number = 900, .u.partition = partition(10, ranges, 3)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_PARTITION_DELETED, .u.partition = partition(-1, NULL, 0)};
	*e++ = (struct state_entry){
		.type = STATE_ENTRY_NUMBER, .number = UINT32_MAX, .u.partition = partition(-1, NULL, 0)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(-1, ranges, 3)};
	*e++ = (struct state_entry){
		.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(INT64_MAX, NULL, 0)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(0, ranges, 1)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(50, ranges, 2)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(20, many, 30)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(20, many, 31)};
	*e++ = (struct state_entry){.type = STATE_ENTRY_RECORDS, .number = 1, .u.partition = partition(-1, many, 100)};
	return (uint32_t)(e - from);
}

static void assert_same_str(struct str a, struct str b)
{
	assert_true(str_eq(a, b));
}

static void assert_same_ranges(const struct share_partition_state *a, const struct share_partition_state *b)
{
	assert_int_equal(a->start_offset, b->start_offset);
	assert_int_equal(a->ranges_n, b->ranges_n);
	for (uint32_t i = 0; i < a->ranges_n; i++) {
		assert_int_equal(a->ranges[i].first, b->ranges[i].first);
		assert_int_equal(a->ranges[i].last, b->ranges[i].last);
		assert_int_equal(a->ranges[i].state, b->ranges[i].state);
		assert_int_equal(a->ranges[i].delivery_count, b->ranges[i].delivery_count);
	}
}

static void assert_same_member(const struct share_member_state *a, const struct share_member_state *b)
{
	assert_same_str(a->member_id, b->member_id);
	assert_int_equal(a->member_epoch, b->member_epoch);
	assert_int_equal(a->previous_epoch, b->previous_epoch);
	assert_same_str(a->rack_id, b->rack_id);
	assert_same_str(a->client_id, b->client_id);
	assert_same_str(a->client_host, b->client_host);
	assert_int_equal(a->subscribed_n, b->subscribed_n);
	for (uint32_t i = 0; i < a->subscribed_n; i++)
		assert_same_str(a->subscribed[i], b->subscribed[i]);
	assert_int_equal(a->assigned_n, b->assigned_n);
	for (uint32_t i = 0; i < a->assigned_n; i++) {
		assert_true(uuid_eq(a->assigned[i].topic_id, b->assigned[i].topic_id));
		assert_int_equal(a->assigned[i].partitions_n, b->assigned[i].partitions_n);
		for (uint32_t k = 0; k < a->assigned[i].partitions_n; k++)
			assert_int_equal(a->assigned[i].partitions[k], b->assigned[i].partitions[k]);
	}
}

static bool has_key(enum state_entry_type t)
{
	return t == STATE_ENTRY_PARTITION || t == STATE_ENTRY_PARTITION_DELETED || t == STATE_ENTRY_NUMBER;
}

static void assert_same_entry(const struct state_entry *a, const struct state_entry *b)
{
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->number, b->number);
	assert_same_str(a->group_id, b->group_id);
	assert_int_equal(a->exists, b->exists);
	assert_int_equal(a->group_epoch, b->group_epoch);
	assert_int_equal(a->assignment_epoch, b->assignment_epoch);
	if (a->type == STATE_ENTRY_MEMBER || a->type == STATE_ENTRY_MEMBER_REMOVED)
		assert_same_member(&a->u.member, &b->u.member);
	if (a->type == STATE_ENTRY_CONFIG) {
		assert_same_str(a->u.config.name, b->u.config.name);
		assert_same_str(a->u.config.value, b->u.config.value);
	}
	if (has_key(a->type)) {
		assert_true(uuid_eq(a->u.partition.topic_id, b->u.partition.topic_id));
		assert_int_equal(a->u.partition.partition, b->u.partition.partition);
	}
	if (a->type == STATE_ENTRY_PARTITION)
		assert_same_str(a->u.partition.topic_name, b->u.partition.topic_name);
	if (a->type == STATE_ENTRY_PARTITION || a->type == STATE_ENTRY_RECORDS)
		assert_same_ranges(&a->u.partition, &b->u.partition);
}

static void test_entries_round_trip(void **state)
{
	struct state_entry e[32], back;
	uint32_t n = samples(e);

	(void)state;
	for (uint32_t i = 0; i < n; i++) {
		struct writer w;
		struct arena a;
		struct reader r;

		wr_init(&w, BATCH_MAX);
		arena_init(&a, STATE_SCRATCH_MAX);
		state_entry_write(&w, &e[i]);
		assert_int_equal(w.err, ERR_OK);
		r = rd_init(buf_head(&w.own), buf_len(&w.own));
		assert_int_equal(state_entry_read(&r, &a, &back), ERR_OK);
		assert_int_equal(rd_left(&r), 0);
		assert_same_entry(&e[i], &back);
		arena_release(&a);
		wr_release(&w);
	}
}

static void test_entries_cut_off(void **state)
{
	struct state_entry e[32], back;
	uint32_t n = samples(e);

	(void)state;
	for (uint32_t i = 0; i < n; i++) {
		struct writer w;

		wr_init(&w, BATCH_MAX);
		state_entry_write(&w, &e[i]);
		for (size_t cut = 0; cut < wr_size(&w); cut++) {
			uint8_t *copy = mem_try_alloc(cut ? cut : 1); /* of its own size: a read outside is seen */
			struct reader r;
			struct arena a;

			assert_non_null(copy);
			memcpy(copy, buf_head(&w.own), cut);
			r = rd_init(copy, cut);
			arena_init(&a, STATE_SCRATCH_MAX);
			assert_int_equal(state_entry_read(&r, &a, &back), ERR_MALFORMED);
			arena_release(&a);
			mem_free(copy);
		}
		wr_release(&w);
	}
}

/* Bytes of one entry that must be refused. */
static void assert_malformed(const char *bytes, size_t n)
{
	struct reader r = rd_init((const uint8_t *)bytes, n);
	struct state_entry e;
	struct arena a;

	arena_init(&a, STATE_SCRATCH_MAX);
	assert_int_equal(state_entry_read(&r, &a, &e), ERR_MALFORMED);
	assert_true(a.used < 4096);
	arena_release(&a);
}

#define MALFORMED(s) assert_malformed(s, sizeof(s) - 1)

static void test_entries_that_can_not_be(void **state)
{
	(void)state;
	MALFORMED("\x00");                                                     /* no type */
	MALFORMED("\x0c");                                                     /* unknown type */
	MALFORMED("\x80\x01\x05");                                             /* beyond the records types */
	MALFORMED("\x01\x00");                                                 /* null group */
	MALFORMED("\x42\x00\x02\x00\x0a");                                     /* number 0 */
	MALFORMED("\x42\x01\x02\x00\x09");                                     /* acquired is never stored */
	MALFORMED("\x42\x01\x02\x00\x0d");                                     /* state 5 */
	MALFORMED("\x42\x01\x01\x00\x0a");                                     /* first offset -1 */
	MALFORMED("\x42\x01\x02\x00\xfa\xff\xff\x7f");                         /* delivery count too large */
	MALFORMED("\x42\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x0a");     /* last offset at the very end */
	MALFORMED("\x42\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x0a"); /* last offset over the end */
	MALFORMED("\x44\x01\x02\x00\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x0a"); /* the second range too */
	MALFORMED("\x41\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");                     /* start offset negative */
	MALFORMED("\x7e\x01\xff\xff\xff\xff\x0f\x02\x00\x0a");          /* 2^32 - 1 ranges in 3 bytes */
	MALFORMED("\x06\x02m\x00\x00\x00\x00\x00\xff\xff\xff\xff\x0f"); /* so many topic names */
	MALFORMED(
		"\x0a\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\xff\xff\xff\xff\x0f"); /* partition
													      */
}

static struct state_head claim_head(void)
{
	return (struct state_head){
		.kind = STATE_CLAIM,
		.owner_id = {{4}},
		.owner_address = STR_LIT("host:9092"),
		.partition = 3,
		.partition_count = 50,
	};
}

/* A batch with the value of a head; the caller frees. */
static struct chunk *batch_of(const struct state_head *h)
{
	struct writer w;
	struct chunk *c;

	wr_init(&w, BATCH_MAX);
	state_head_write(&w, h);
	c = state_batch_build((struct bytes){buf_head(&w.own), buf_len(&w.own)}, BATCH_MAX, 77, 5, 6, 7);
	wr_release(&w);
	return c;
}

/* Judges a batch that stands at its place in memory; ret's views die with the call. */
static enum state_verdict judge(const struct chunk *c, struct state_batch *ret)
{
	struct batch_header h;
	enum state_verdict v;
	struct arena a;

	assert_int_equal(batch_header_read(c->data, c->size, &h), BATCH_READY);
	arena_init(&a, 2 * STATE_RECORD_MAX);
	v = state_batch_read(c->data, &h, &a, ret);
	assert_int_equal(v, ret->verdict);
	assert_int_equal(ret->why[0] == '\0', v == STATE_OURS);
	arena_release(&a);
	return v;
}

static void resign_heads(void)
{
	static const uint8_t other[] = {STATE_RESIGN, 9, 2}, longer[] = {STATE_RESIGN, 9, 1, 0},
			     next[] = {STATE_RESIGN + 1, 9, 1};
	struct state_head h = {.kind = STATE_RESIGN, .owner_epoch = 300}, back;
	struct reader r;

	for (int settled = 0; settled < 2; settled++) {
		struct writer w;

		h.settled = settled;
		wr_init(&w, 100);
		state_head_write(&w, &h);
		r = rd_init(buf_head(&w.own), buf_len(&w.own));
		assert_int_equal(state_head_read(&r, 777, &back), ERR_OK);
		assert_int_equal(back.kind, STATE_RESIGN);
		assert_int_equal(back.owner_epoch, 300);
		assert_int_equal(back.settled, settled);
		wr_release(&w);
	}
	r = rd_init(other, sizeof(other));
	assert_int_equal(state_head_read(&r, 0, &back), ERR_MALFORMED);
	r = rd_init(longer, sizeof(longer));
	assert_int_equal(state_head_read(&r, 0, &back), ERR_MALFORMED);
	r = rd_init(next, sizeof(next));
	assert_int_equal(state_head_read(&r, 0, &back), ERR_MALFORMED);
}

static void test_heads_round_trip(void **state)
{
	struct state_head h = claim_head();
	struct state_batch b;
	struct chunk *c = batch_of(&h);

	(void)state;
	assert_true(c->size <= BATCH_HEADER_SIZE + 60);
	assert_int_equal(judge(c, &b), STATE_OURS);
	assert_int_equal(b.head.kind, STATE_CLAIM);
	assert_int_equal(b.head.owner_epoch, 0); /* where it stands */
	assert_int_equal(b.producer_id, 5);
	assert_int_equal(b.producer_epoch, 6);
	assert_int_equal(b.base_sequence, 7);
	assert_true(uuid_eq(b.head.owner_id, h.owner_id));
	assert_same_str(b.head.owner_address, h.owner_address);
	assert_int_equal(b.head.partition, 3);
	assert_int_equal(b.head.partition_count, 50);
	chunk_unref(c);
	h.kind = STATE_BEGIN;
	h.owner_epoch = INT64_MAX;
	c = batch_of(&h);
	assert_int_equal(judge(c, &b), STATE_OURS);
	assert_int_equal(b.head.owner_epoch, INT64_MAX);
	assert_int_equal(b.head.partition_count, 50);
	chunk_unref(c);
	resign_heads();
	c = batch_of(&(struct state_head){.kind = STATE_END, .owner_epoch = 9, .begin_offset = 1000, .snapshots = 3});
	assert_int_equal(judge(c, &b), STATE_OURS);
	assert_int_equal(b.head.owner_epoch, 9);
	assert_int_equal(b.head.begin_offset, 1000);
	assert_int_equal(b.head.snapshots, 3);
	chunk_unref(c);
}

static void test_checksum_first(void **state)
{
	struct state_head h = claim_head();
	struct chunk *c = batch_of(&h);
	struct state_batch b;

	(void)state;
	for (size_t i = 17; i < c->size; i++) { /* from the CRC on */
		struct batch_header bh;

		c->data[i] ^= 0x40;
		if (batch_header_read(c->data, c->size, &bh) == BATCH_READY)
			assert_int_equal(judge(c, &b), STATE_CORRUPT);
		c->data[i] ^= 0x40;
	}
	assert_int_equal(judge(c, &b), STATE_OURS);
	chunk_unref(c);
}

/* A batch of records with the keys and values given; attributes and codec as asked. */
static struct chunk *raw_batch(const char *const *keys, const char *const *values, const size_t *values_n, int n)
{
	struct batch_builder bb;
	struct chunk *c;

	batch_builder_init(&bb, BATCH_MAX, 1);
	for (int i = 0; i < n; i++) {
		struct bytes key = {(const uint8_t *)keys[i], keys[i] ? strlen(keys[i]) : 0};

		assert_int_equal(
			batch_builder_add(&bb, key, (struct bytes){(const uint8_t *)values[i], values_n[i]}), ERR_OK);
	}
	c = batch_builder_end(&bb, 1, 0, 0);
	batch_builder_release(&bb);
	return c;
}

static enum state_verdict judge_raw(const char *key, const char *value, size_t n)
{
	struct chunk *c = raw_batch(&key, &value, &n, 1);
	struct state_batch b;
	enum state_verdict v = judge(c, &b);

	chunk_unref(c);
	return v;
}

static void test_who_wrote_it(void **state)
{
	static const char *const two_keys[] = {"sl\1", "sl\1"}, *const two_values[] = {"\4\1", "\4\1"};
	static const size_t two_n[] = {2, 2};
	struct state_batch b;
	struct chunk *c;

	(void)state;
	assert_int_equal(judge_raw("sl\1", "\4\1", 2), STATE_OURS);
	assert_int_equal(judge_raw("sl\2", "\4\1", 2), STATE_NEWER);
	assert_int_equal(judge_raw("sl\377", "", 0), STATE_NEWER);
	assert_int_equal(judge_raw("sl", "\4\1", 2), STATE_FOREIGN);
	assert_int_equal(judge_raw("sm\1", "\4\1", 2), STATE_FOREIGN);
	assert_int_equal(judge_raw("sl\1x", "\4\1", 2), STATE_FOREIGN);
	assert_int_equal(judge_raw(NULL, "\4\1", 2), STATE_FOREIGN);
	assert_int_equal(judge_raw("sl\1", NULL, 0), STATE_CORRUPT);
	assert_int_equal(judge_raw("sl\1", "", 0), STATE_CORRUPT);
	assert_int_equal(judge_raw("sl\1", "\5\1", 2), STATE_CORRUPT);      /* unknown kind */
	assert_int_equal(judge_raw("sl\1", "\3\1\1\1x", 5), STATE_CORRUPT); /* more behind an end mark */
	c = raw_batch(two_keys, two_values, two_n, 2);
	assert_int_equal(judge(c, &b), STATE_CORRUPT);
	chunk_unref(c);
}

/* The batch with other attributes, its records compressed if asked. */
static struct chunk *changed(const struct chunk *c, int16_t attributes, bool gzip)
{
	size_t records_n = c->size - BATCH_HEADER_SIZE;
	uint8_t out[BATCH_MAX];
	struct writer w;
	struct chunk *ret;
	uint32_t crc;

	memcpy(out, c->data + BATCH_HEADER_SIZE, records_n);
	if (gzip) {
		z_stream z = {0};
		uint8_t in[BATCH_MAX];

		memcpy(in, out, records_n);
		assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
		z.next_in = in;
		z.avail_in = (uInt)records_n;
		z.next_out = out;
		z.avail_out = sizeof(out);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		records_n = z.total_out;
		deflateEnd(&z);
	}
	wr_init(&w, BATCH_MAX);
	wr_raw(&w, c->data, 8);
	wr_i32(&w, (int32_t)(BATCH_HEADER_SIZE + records_n - 12));
	wr_raw(&w, c->data + 12, 9);
	wr_i16(&w, attributes);
	wr_raw(&w, c->data + 23, BATCH_HEADER_SIZE - 23);
	wr_raw(&w, out, records_n);
	ret = chunk_try_new(wr_size(&w));
	assert_non_null(ret);
	wr_flatten(&w, ret->data);
	wr_release(&w);
	crc = crc32c(0, ret->data + 21, ret->size - 21);
	for (int i = 0; i < 4; i++)
		ret->data[17 + i] = (uint8_t)(crc >> (24 - 8 * i));
	return ret;
}

static void test_attributes(void **state)
{
	struct state_head h = claim_head();
	struct chunk *c = batch_of(&h), *x;
	struct state_batch b;

	(void)state;
	x = changed(c, 1, true); /* a broker that compresses */
	assert_int_equal(judge(x, &b), STATE_OURS);
	assert_int_equal(b.head.partition_count, 50);
	chunk_unref(x);
	x = changed(c, 1, false); /* says gzip, is not */
	assert_int_equal(judge(x, &b), STATE_CORRUPT);
	chunk_unref(x);
	x = changed(c, 7, false);
	assert_int_equal(judge(x, &b), STATE_CORRUPT);
	chunk_unref(x);
	x = changed(c, 0x10, false);
	assert_int_equal(judge(x, &b), STATE_FOREIGN);
	chunk_unref(x);
	x = changed(c, 0x30, false);
	assert_int_equal(judge(x, &b), STATE_FOREIGN);
	chunk_unref(x);
	chunk_unref(c);
}

static void test_old_format_is_foreign(void **state)
{
	static const uint8_t old[] = {
		0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 14, 1, 2, 3, 4, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0};
	struct batch_header h;
	struct state_batch b;
	struct arena a;

	(void)state;
	arena_init(&a, STATE_RECORD_MAX);
	assert_int_equal(batch_header_read(old, sizeof(old), &h), BATCH_OLD);
	assert_int_equal(state_batch_read(old, &h, &a, &b), STATE_FOREIGN);
	assert_int_equal(b.base_offset, 5);
	assert_int_equal(b.last_offset, 5);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries_round_trip),
		cmocka_unit_test(test_entries_cut_off),
		cmocka_unit_test(test_entries_that_can_not_be),
		cmocka_unit_test(test_heads_round_trip),
		cmocka_unit_test(test_checksum_first),
		cmocka_unit_test(test_who_wrote_it),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_old_format_is_foreign),
	};

	return cmocka_run_group_tests_name("statelog_format", tests, NULL, NULL);
}
