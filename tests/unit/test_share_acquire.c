/* SPDX-License-Identifier: Apache-2.0 */
/* Which records a fetch gets: acquire modes, limits, the window, what is never handed out, and who is woken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "share_env.h"

/* One fetch of the open session of member m with these limits. */
static const struct share_fetch_partition_reply *fetch(
	struct env *v, int32_t epoch, int8_t mode, int32_t max_records, int32_t batch_size, int32_t max_bytes)
{
	struct env_request q = {.group = "g",
		.member = "m",
		.node = 1,
		.epoch = epoch,
		.acquire_mode = mode,
		.max_records = max_records,
		.batch_size = batch_size,
		.max_bytes = max_bytes};
	uint64_t token = env_fetch(v, &q);

	env_serve(v);
	return env_part(env_fetched(v, token), v->topics[0], 0);
}

static struct env *with_batches(uint32_t n, int64_t records)
{
	struct env *v = env_new(NULL);
	struct env_request q = {.group = "g", .member = "m", .node = 1, .conn = 1, .max_records = -1};
	struct share_partition_acks a = {v->topics[0], 0, NULL, 0};

	env_group(v, "g", 0, 1, 0);
	while (n--)
		(void)env_batch(v, 0, 0, records);
	q.partitions = &a;
	q.partitions_n = 1;
	(void)env_fetched(v, env_fetch(v, &q));
	return v;
}

static void test_batch_optimized_rounds_up_to_a_batch(void **state)
{
	struct env *v = with_batches(10, 7);
	const struct share_fetch_partition_reply *p = fetch(v, 1, 0, 10, 10, 0);

	(void)state;
	assert_int_equal(p->acquired_n, 1);
	assert_int_equal(p->acquired[0].first, 0);
	assert_int_equal(p->acquired[0].last, 13);
	assert_int_equal(p->acquired[0].delivery_count, 1);
	assert_int_equal(p->batch_refs_n, 2);
	assert_ptr_equal(p->batch_refs[1], &v->logs[0][0].b[1]);
	p = fetch(v, 2, 0, 1, 1, 0);
	assert_int_equal(p->acquired[0].first, 14);
	assert_int_equal(p->acquired[0].last, 20);
	env_free(v);
}

static void test_batch_size_cuts_at_batches(void **state)
{
	struct env *v = with_batches(10, 4);
	const struct share_fetch_partition_reply *p = fetch(v, 1, 0, 24, 6, 0);

	(void)state;
	assert_int_equal(p->acquired_n, 3);
	assert_int_equal(p->acquired[0].last, 7); /* 8 offsets are at least 6 */
	assert_int_equal(p->acquired[1].first, 8);
	assert_int_equal(p->acquired[1].last, 15);
	assert_int_equal(p->acquired[2].last, 23);
	env_free(v);
}

static void test_record_limit_is_exact(void **state)
{
	struct env *v = with_batches(10, 7);
	const struct share_fetch_partition_reply *p = fetch(v, 1, 1, 10, 3, 0);

	(void)state;
	assert_int_equal(p->acquired_n, 1);
	assert_int_equal(p->acquired[0].last, 9);
	assert_int_equal(p->batch_refs_n, 2);
	p = fetch(v, 2, 1, 3, 3, 0);
	assert_int_equal(p->acquired[0].first, 10);
	assert_int_equal(p->acquired[0].last, 12);
	assert_int_equal(p->batch_refs_n, 1);
	env_free(v);
}

static void test_max_bytes(void **state)
{
	struct env *v = with_batches(10, 5);
	const struct share_fetch_partition_reply *p = fetch(v, 1, 0, 500, 500, 250);

	(void)state;
	assert_int_equal(p->acquired[0].last, 9); /* two batches of 100 bytes */
	p = fetch(v, 2, 0, 500, 500, 1);
	assert_int_equal(p->acquired[0].last, 14); /* one batch at least */
	env_free(v);
}

static void test_bytes_and_records_are_one_budget(void **state)
{
	struct env *v = env_new(NULL);
	struct env_request q = {
		.group = "g", .member = "m", .node = 1, .epoch = 1, .max_records = 10, .acquire_mode = 1};
	const struct share_fetch_reply *r;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 3, 0);
	for (int p = 0; p < 3; p++) {
		for (int i = 0; i < 4; i++)
			(void)env_batch(v, 0, p, 7);
	}
	token = env_open(v, "g", "other", 1, 0, 3); /* brings the batches in; takes everything */
	(void)env_fetched(v, token);
	q.member = "other";
	q.epoch = -1;
	(void)env_fetch(v, &q);
	{
		struct share_partition_acks a[3] = {
			{v->topics[0], 0, NULL, 0}, {v->topics[0], 1, NULL, 0}, {v->topics[0], 2, NULL, 0}};
		struct env_request o = {.group = "g",
			.member = "m",
			.node = 1,
			.conn = 9,
			.partitions = a,
			.partitions_n = 3,
			.max_records = 10,
			.acquire_mode = 1};

		token = env_fetch(v, &o);
		env_serve(v);
		r = env_fetched(v, token);
		assert_int_equal(env_part(r, v->topics[0], 0)->acquired[0].last, 9);
		assert_null(env_part(r, v->topics[0], 1)); /* nothing to tell */
	}
	q = (struct env_request){
		.group = "g", .member = "m", .node = 1, .epoch = 1, .max_records = 10, .acquire_mode = 1};
	token = env_fetch(v, &q); /* another partition's turn */
	env_serve(v);
	r = env_fetched(v, token);
	assert_int_equal(env_part(r, v->topics[0], 1)->acquired[0].last, 9);
	assert_null(env_part(r, v->topics[0], 0));
	env_free(v);
}

static void test_window_counts_held_records(void **state)
{
	struct env *v = with_batches(60, 10);
	const struct share_fetch_partition_reply *p;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.partition.max.record.locks", "100"), 0);
	p = fetch(v, 1, 0, 500, 500, 0);
	assert_int_equal(p->acquired[0].last, 99);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 1, 99, 1), 0); /* one slow record stays */
	for (int32_t i = 0; i < 5; i++) {
		p = fetch(v, 3 + 2 * i, 0, 90, 500, 0);
		assert_non_null(p);
		assert_int_equal(p->acquired[0].last - p->acquired[0].first + 1, 90);
		assert_int_equal(
			env_ack_one(v, "g", "m", 4 + 2 * i, 0, 0, p->acquired[0].first, p->acquired[0].last, 1), 0);
	}
	env_free(v);
}

static void test_full_window_wakes_when_freed(void **state)
{
	struct env *v = with_batches(60, 10);
	struct env_request q = {.group = "g", .member = "n", .node = 1, .conn = 3};
	struct share_partition_acks a = {v->topics[0], 0, NULL, 0};
	uint64_t token;
	bool stalled = false;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.partition.max.record.locks", "100"), 0);
	(void)fetch(v, 1, 0, 500, 500, 0);
	q.partitions = &a;
	q.partitions_n = 1;
	token = env_fetch(v, &q);
	env_serve(v);
	assert_null(env_reply(v, token));
	env_time(v, 500);
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired_n, 0);
	for (uint32_t i = 0; i < v->fx.n; i++)
		stalled = stalled || v->fx.v[i].type == SHARE_FX_STALLED;
	assert_true(stalled);
	q.epoch = 1;
	token = env_fetch(v, &q);
	assert_null(env_reply(v, token));
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 0, 49, 1), 0);
	env_serve(v);
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired[0].first, 100);
	env_free(v);
}

static void test_released_records_go_to_who_waits_longest(void **state)
{
	struct env *v = with_batches(1, 10);
	uint64_t a, b;

	(void)state;
	(void)fetch(v, 1, 0, 500, 500, 0);
	a = env_open(v, "g", "a", 1, 0, 1);
	b = env_open(v, "g", "b", 2, 0, 1);
	assert_null(env_reply(v, a));
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 3, 5, 2), 0);
	assert_int_equal(env_part(env_fetched(v, a), v->topics[0], 0)->acquired[0].first, 3);
	assert_int_equal(env_part(env_fetched(v, a), v->topics[0], 0)->acquired[0].delivery_count, 2);
	assert_null(env_reply(v, b));
	assert_int_equal(env_ack_one(v, "g", "m", 3, 0, 0, 0, 0, 2), 0);
	assert_int_equal(env_part(env_fetched(v, b), v->topics[0], 0)->acquired[0].last, 0);
	env_free(v);
}

static void test_offsets_without_records_are_never_handed_out(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_fetch_partition_reply *p;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	env_hole(v, 0, 0, 3);                  /* 0-2 compacted away */
	(void)env_batch(v, 0, 0, 2);           /* 3-4 */
	env_batch(v, 0, 0, 1)->control = true; /* 5 */
	(void)env_batch(v, 0, 0, 2);           /* 6-7 */
	env_hole(v, 0, 0, 2);                  /* 8-9 */
	env_batch(v, 0, 0, 2)->empty = true;   /* 10-11 */
	(void)env_batch(v, 0, 0, 1);           /* 12 */
	token = env_open(v, "g", "m", 1, 0, 1);
	p = env_part(env_fetched(v, token), v->topics[0], 0);
	assert_int_equal(p->acquired_n, 3);
	assert_int_equal(p->acquired[0].first, 3);
	assert_int_equal(p->acquired[0].last, 4);
	assert_int_equal(p->acquired[1].first, 6);
	assert_int_equal(p->acquired[1].last, 7);
	assert_int_equal(p->acquired[2].first, 12);
	assert_int_equal(p->batch_refs_n, 3);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 3, 4, 1), 0);
	env_clear(v);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 6, 7, 1), 0);
	assert_int_equal(env_change(v, 0)->u.partition.start_offset, 12); /* over all the holes */
	assert_int_equal(env_change(v, 0)->u.partition.ranges_n, 0);
	env_free(v);
}

static void test_aborted_transactions(void **state)
{
	for (int committed = 0; committed < 2; committed++) {
		struct env *v = env_new(NULL);
		const struct share_fetch_partition_reply *p;
		struct share_batch *b;
		uint64_t token;

		(void)state;
		env_group(v, "g", 0, 1, 0);
		assert_int_equal(
			env_set(v, "g", "share.isolation.level", committed ? "read_committed" : "read_uncommitted"), 0);
		b = env_batch(v, 0, 0, 3); /* 0-2 of the aborted transaction */
		b->transactional = true;
		b->producer_id = 7;
		(void)env_batch(v, 0, 0, 1); /* 3 of nobody's */
		b = env_batch(v, 0, 0, 1);   /* 4 its marker */
		b->transactional = b->control = true;
		b->producer_id = 7;
		b = env_batch(v, 0, 0, 1); /* 5 of the producer's next transaction, committed */
		b->transactional = true;
		b->producer_id = 7;
		v->logs[0][0].aborted[0] = (struct share_aborted){7, 0};
		v->logs[0][0].aborted_n = 1;
		b = env_batch(v, 0, 0, 1); /* 6 still open */
		v->logs[0][0].lso = 6;
		token = env_open(v, "g", "m", 1, 0, 1);
		p = env_part(env_fetched(v, token), v->topics[0], 0);
		assert_int_equal(p->acquired[0].first, committed ? 3 : 0);
		assert_int_equal(p->acquired[p->acquired_n - 1].last, committed ? 5 : 6);
		env_free(v);
	}
}

static void test_aborted_transactions_of_several_producers(void **state)
{
	static const struct {
		int64_t producer;
		bool marker;
	} log[] = {{9, false}, {7, false}, {8, false}, {7, true}, {7, false}, {9, false}, {9, true}, {9, false},
		{8, true}, {8, false}};
	struct env *v = env_new(NULL);
	const struct share_fetch_partition_reply *p;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	assert_int_equal(env_set(v, "g", "share.isolation.level", "read_committed"), 0);
	for (size_t i = 0; i < sizeof(log) / sizeof(log[0]); i++) {
		struct share_batch *b = env_batch(v, 0, 0, 1);

		b->transactional = true;
		b->producer_id = log[i].producer;
		b->control = log[i].marker;
	}
	v->logs[0][0].aborted[0] = (struct share_aborted){9, 0};
	v->logs[0][0].aborted[1] = (struct share_aborted){7, 1};
	v->logs[0][0].aborted[2] = (struct share_aborted){8, 2};
	v->logs[0][0].aborted_n = 3;
	p = env_part(env_fetched(v, env_open(v, "g", "m", 1, 0, 1)), v->topics[0], 0);
	assert_int_equal(p->acquired_n, 3); /* what each wrote after its marker */
	assert_int_equal(p->acquired[0].first, 4);
	assert_int_equal(p->acquired[1].first, 7);
	assert_int_equal(p->acquired[2].first, 9);
	assert_int_equal(p->acquired[2].last, 9);
	env_free(v);
}

static void test_min_bytes(void **state)
{
	struct env *v = with_batches(2, 5);
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1, .min_bytes = 400};
	uint64_t token = env_fetch(v, &q);

	(void)state;
	env_serve(v);
	assert_null(env_reply(v, token));
	(void)env_batch(v, 0, 0, 5);
	env_serve(v);
	assert_null(env_reply(v, token));
	(void)env_batch(v, 0, 0, 5);
	env_serve(v);
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired[0].last, 19);
	q.epoch = 2;
	token = env_fetch(v, &q);
	(void)env_batch(v, 0, 0, 5);
	env_serve(v);
	assert_null(env_reply(v, token));
	env_time(v, 500); /* then what there is */
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired[0].last, 24);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batch_optimized_rounds_up_to_a_batch),
		cmocka_unit_test(test_batch_size_cuts_at_batches),
		cmocka_unit_test(test_record_limit_is_exact),
		cmocka_unit_test(test_max_bytes),
		cmocka_unit_test(test_bytes_and_records_are_one_budget),
		cmocka_unit_test(test_window_counts_held_records),
		cmocka_unit_test(test_full_window_wakes_when_freed),
		cmocka_unit_test(test_released_records_go_to_who_waits_longest),
		cmocka_unit_test(test_offsets_without_records_are_never_handed_out),
		cmocka_unit_test(test_aborted_transactions),
		cmocka_unit_test(test_aborted_transactions_of_several_producers),
		cmocka_unit_test(test_min_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
