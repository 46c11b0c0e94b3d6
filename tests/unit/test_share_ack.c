/* SPDX-License-Identifier: Apache-2.0 */
/* Acknowledgements: what is refused and with which code, what each type does, what is written, how locks run out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "share_env.h"

/* Member m holds 0-9 of partition 0 through a session that expects epoch 1. */
static struct env *with_ten_held(void)
{
	struct env *v = env_new(NULL);

	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 10);
	(void)env_open(v, "g", "m", 1, 0, 1);
	env_clear(v);
	return v;
}

static int16_t ack_list(
	struct env *v, int32_t epoch, int16_t version, bool renew, const struct share_ack_batch *b, uint32_t n)
{
	struct share_partition_acks a = {v->topics[0], 0, b, n};
	struct env_request q = {.group = "g",
		.member = "m",
		.node = 1,
		.epoch = epoch,
		.version = version,
		.renew = renew,
		.partitions = &a,
		.partitions_n = 1};
	const struct share_fetch_reply *r = env_fetched(v, env_ack(v, &q));

	assert_int_equal(r->error, 0);
	assert_int_equal(r->partitions_n, 1);
	return r->partitions[0].error;
}

static void test_malformed_is_42(void **state)
{
	static const int8_t accept[] = {1}, renew[] = {4}, unknown[] = {5}, negative[] = {-1}, three[] = {1, 2, 3};
	struct env *v = with_ten_held();
	int32_t e = 1;

	(void)state;
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 2, accept, 1}}, 1), 42);
	assert_int_equal(
		ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, accept, 1}, {1, 2, accept, 1}}, 2), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, accept, 0}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, NULL, 0}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, three, 3}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, unknown, 1}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, negative, 1}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{3, 4, renew, 1}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 1, true, (struct share_ack_batch[]){{3, 4, renew, 1}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{0, INT64_MAX, accept, 1}}, 1), 42);
	assert_int_equal(
		ack_list(v, e++, 2, false, (struct share_ack_batch[]){{INT64_MIN, INT64_MAX, three, 3}}, 1), 42);
	assert_int_equal(ack_list(v, e++, 2, false, (struct share_ack_batch[]){{10, 10, accept, 1}}, 1), 42);
	assert_int_equal(env_changes(v), 0);
	env_free(v);
}

static void test_all_or_nothing(void **state)
{
	static const int8_t accept[] = {1};
	struct env *v = with_ten_held();
	struct share_counts c;

	(void)state;
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 4, 4, 1), 0);
	assert_int_equal(
		ack_list(v, 2, 2, false, (struct share_ack_batch[]){{0, 1, accept, 1}, {3, 5, accept, 1}}, 2), 121);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 9);
	assert_int_equal(ack_list(v, 3, 2, false, (struct share_ack_batch[]){{0, 1, accept, 1}, {1, 2, accept, 1}}, 2),
		121); /* 1 twice */
	assert_int_equal(
		ack_list(v, 4, 2, false, (struct share_ack_batch[]){{0, 3, accept, 1}, {5, 9, accept, 1}}, 2), 0);
	assert_int_equal(ack_list(v, 5, 2, false, (struct share_ack_batch[]){{0, 9, accept, 1}}, 1),
		0); /* below the start by now */
	assert_int_equal(ack_list(v, 6, 2, false, (struct share_ack_batch[]){{-5, -1, accept, 1}}, 1), 42);
	assert_int_equal(ack_list(v, 7, 2, false, (struct share_ack_batch[]){{10, 10, accept, 1}}, 1), 121);
	env_free(v);
}

static void test_other_members_records(void **state)
{
	struct env *v = with_ten_held();

	(void)state;
	(void)env_open(v, "g", "n", 1, 0, 1);
	assert_int_equal(env_ack_one(v, "g", "n", 1, 0, 0, 0, 3, 1), 121);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 3, 1), 0);
	env_free(v);
}

static void test_unknown_partitions(void **state)
{
	static const int8_t accept[] = {1};
	struct env *v = with_ten_held();
	struct share_ack_batch b = {0, 0, accept, 1};
	struct share_partition_acks a[] = {{v->topics[3], 0, &b, 1}, {v->topics[0], 7, &b, 1},
		{v->topics[0], 0, NULL, 0}, {v->topics[0], 0, &b, 1}};
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1, .partitions = a, .partitions_n = 4};
	const struct share_fetch_reply *r = env_fetched(v, env_ack(v, &q));

	(void)state;
	assert_int_equal(r->partitions_n, 3);
	assert_int_equal(env_part(r, v->topics[3], 0)->error, 100);
	assert_int_equal(env_part(r, v->topics[0], 7)->error, 3);
	assert_int_equal(env_part(r, v->topics[0], 0)->error, 0);
	env_free(v);
}

/* Nobody of the group has fetched the partition: for who acknowledges it there is none, until somebody fetches. */
static void test_never_fetched_is_3(void **state)
{
	struct env *v = with_ten_held();

	(void)state;
	env_group(v, "g", 1, 1, 0);
	(void)env_batch(v, 1, 0, 5);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 1, 0, 0, 0, 1), 3);
	(void)env_open(v, "g", "other", 1, 1, 1);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 1, 0, 0, 0, 1), 121);
	env_free(v);
}

static void test_what_is_written(void **state)
{
	static const int8_t mixed[] = {1, 1, 2, 3, 0};
	struct env *v = with_ten_held();
	const struct share_change *c;

	(void)state;
	assert_int_equal(ack_list(v, 1, 2, false, (struct share_ack_batch[]){{5, 9, mixed, 5}}, 1), 0);
	assert_int_equal(env_changes(v), 1);
	c = env_change(v, 0);
	assert_int_equal(c->type, SHARE_CHANGE_RECORDS);
	assert_int_equal(c->u.partition.start_offset, -1);
	assert_int_equal(c->u.partition.ranges_n, 3);
	assert_int_equal(c->u.partition.ranges[0].state, SHARE_ACKNOWLEDGED);
	assert_int_equal(c->u.partition.ranges[0].last, 6);
	assert_int_equal(c->u.partition.ranges[1].state, SHARE_AVAILABLE);
	assert_int_equal(c->u.partition.ranges[1].delivery_count, 1);
	assert_int_equal(c->u.partition.ranges[2].state, SHARE_ARCHIVED);
	assert_int_equal(c->u.partition.ranges[2].last, 9);
	env_clear(v);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 0, 4, 1), 0);
	c = env_change(v, 0); /* a done prefix needs no ranges */
	assert_int_equal(c->u.partition.start_offset, 7);
	assert_int_equal(c->u.partition.ranges_n, 0);
	env_free(v);
}

/* The order of effects is the promise: what an answer depends on is written before it. */
static void test_written_before_it_is_answered(void **state)
{
	struct env *v = with_ten_held();
	bool written = false;

	(void)state;
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 0, 1), 0);
	for (uint32_t i = 0; i < v->fx.n; i++) {
		written = written || v->fx.v[i].type == SHARE_FX_PERSIST;
		if (v->fx.v[i].type != SHARE_FX_REPLY)
			continue;
		assert_true(written);
		assert_true(v->fx.v[i].after_durable);
	}
	env_free(v);
}

static void test_acquisition_writes_nothing(void **state)
{
	struct env *v = env_new(NULL);

	(void)state;
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 500);
	(void)env_open(v, "g", "m", 1, 0, 1);
	assert_int_equal(env_changes(v), 0);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 499, 1), 0);
	assert_int_equal(env_changes(v), 1);
	assert_int_equal(env_change(v, 0)->u.partition.start_offset, 500);
	env_free(v);
}

static void test_lock_timeout(void **state)
{
	struct env *v = with_ten_held();
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_time(v, 29999);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 10);
	assert_int_equal(share_next_deadline(v->e), v->now + 1);
	env_time(v, 1);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 0);
	assert_int_equal(c.lock_timeouts, 10);
	assert_int_equal(env_change(v, 0)->u.partition.ranges[0].state, SHARE_AVAILABLE);
	assert_int_equal(env_change(v, 0)->u.partition.ranges[0].delivery_count, 1);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 9, 1), 121);
	token = env_open(v, "g", "n", 1, 0, 1);
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired[0].delivery_count, 2);
	env_free(v);
}

static void test_expiry_wakes_a_waiting_fetch(void **state)
{
	struct env *v = with_ten_held();
	uint64_t token;

	(void)state;
	env_time(v, 29800);
	token = env_open(v, "g", "n", 1, 0, 1);
	assert_null(env_reply(v, token));
	env_time(v, 200);
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired[0].last, 9);
	env_free(v);
}

static void test_delivery_limit(void **state)
{
	struct env *v = with_ten_held();
	struct env_request q = {.group = "g", .member = "m", .node = 1};
	uint64_t token;

	(void)state;
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 1, 9, 1), 0);
	for (int32_t i = 0; i < 4; i++) {
		assert_int_equal(env_ack_one(v, "g", "m", 2 + 2 * i, 0, 0, 0, 0, 2), 0);
		q.epoch = 3 + 2 * i;
		token = env_fetch(v, &q);
		assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired[0].delivery_count, 2 + i);
	}
	env_clear(v);
	assert_int_equal(env_ack_one(v, "g", "m", 10, 0, 0, 0, 0, 2), 0); /* the fifth time */
	assert_int_equal(env_change(v, 0)->u.partition.start_offset, 10);
	env_free(v);
}

static void test_renew(void **state)
{
	struct env *v = with_ten_held();
	struct share_counts c;

	(void)state;
	env_time(v, 20000);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 2, 5, 4), 0);
	assert_int_equal(env_changes(v), 0);
	env_time(v, 10000);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 4);
	env_time(v, 19999);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 4);
	env_time(v, 1);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 0);
	env_free(v);
}

static void test_renew_disabled(void **state)
{
	struct env *v = with_ten_held();

	(void)state;
	assert_int_equal(env_set(v, "g", "share.renew.acknowledge.enable", "false"), 0);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 2, 5, 4), 121);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 2, 5, 1), 0);
	env_free(v);
}

/* Locks of different durations of one member run out each in its time. */
static void test_duration_changes(void **state)
{
	struct env *v = with_ten_held();
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1};
	struct share_counts c;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.record.lock.duration.ms", "15000"), 0);
	(void)env_batch(v, 0, 0, 10);
	(void)env_fetch(v, &q);
	env_serve(v);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 20);
	env_time(v, 15000);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 10);
	env_time(v, 15000);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 0);
	env_free(v);
}

static void test_close_with_acknowledgements(void **state)
{
	static const int8_t accept[] = {1};
	struct env *v = with_ten_held();
	struct share_ack_batch b = {0, 3, accept, 1};
	struct share_partition_acks a = {v->topics[0], 0, &b, 1};
	struct env_request q = {
		.group = "g", .member = "m", .node = 1, .epoch = -1, .partitions = &a, .partitions_n = 1};
	const struct share_fetch_reply *r = env_fetched(v, env_fetch(v, &q));
	struct share_counts c;

	(void)state;
	assert_int_equal(env_part(r, v->topics[0], 0)->ack_error, 0);
	assert_int_equal(env_part(r, v->topics[0], 0)->acquired_n, 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.sessions, 0);
	assert_int_equal(c.available_records, 6);
	env_free(v);
}

static void test_a_million_types(void **state)
{
	enum { N = 1000000 };
	struct env *v = env_new(NULL);
	int8_t *types = mem_zalloc(N, 1);

	(void)state;
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, N);
	(void)env_open(v, "g", "m", 1, 0, 1);
	for (int i = 0; i < N; i++)
		types[i] = 1;
	types[N / 2] = 2;
	assert_int_equal(ack_list(v, 1, 2, false, (struct share_ack_batch[]){{0, N - 1, types, N}}, 1), 0);
	assert_int_equal(env_change(v, 0)->u.partition.start_offset, N / 2);
	assert_int_equal(env_change(v, 0)->u.partition.ranges_n, 2);
	mem_free(types);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_malformed_is_42),
		cmocka_unit_test(test_all_or_nothing),
		cmocka_unit_test(test_other_members_records),
		cmocka_unit_test(test_unknown_partitions),
		cmocka_unit_test(test_never_fetched_is_3),
		cmocka_unit_test(test_what_is_written),
		cmocka_unit_test(test_written_before_it_is_answered),
		cmocka_unit_test(test_acquisition_writes_nothing),
		cmocka_unit_test(test_lock_timeout),
		cmocka_unit_test(test_expiry_wakes_a_waiting_fetch),
		cmocka_unit_test(test_delivery_limit),
		cmocka_unit_test(test_renew),
		cmocka_unit_test(test_renew_disabled),
		cmocka_unit_test(test_duration_changes),
		cmocka_unit_test(test_close_with_acknowledgements),
		cmocka_unit_test(test_a_million_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
