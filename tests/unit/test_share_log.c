/* SPDX-License-Identifier: Apache-2.0 */
/* The log underneath: what is asked of the cluster and when, what is kept, how a log's moving start and end are
 * followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "share_env.h"

static const struct share_fetch_partition_reply *part0(const struct env *v, uint64_t token)
{
	return env_part(env_fetched(v, token), v->topics[0], 0);
}

static uint64_t fetch(struct env *v, const char *member, int32_t epoch, int32_t max_records)
{
	struct env_request q = {.group = "g", .member = member, .node = 1, .epoch = epoch, .max_records = max_records};
	uint64_t token = env_fetch(v, &q);

	env_serve(v);
	return token;
}

static void test_one_want_at_the_tail(void **state)
{
	struct env *v = env_new(NULL);

	(void)state;
	env_group(v, "g", 0, 1, 5);
	env_hole(v, 0, 0, 5);
	(void)env_open(v, "g", "a", 1, 0, 1);
	(void)env_open(v, "g", "b", 1, 0, 1);
	assert_int_equal(v->wants_n, 1); /* a long poll for both */
	assert_int_equal(v->wants[0].offset, 5);
	env_serve_one(v, 0, 0);
	assert_int_equal(v->wants_n, 1); /* nothing came: asked again while somebody waits */
	env_time(v, 500);
	env_time(v, 1000);
	env_serve_one(v, 0, 0);
	assert_int_equal(v->wants_n, 0); /* nobody waits */
	env_free(v);
}

static void test_groups_share_what_is_read(void **state)
{
	struct env *v = env_new(NULL);
	uint64_t a, b;
	struct share_counts c;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	env_group(v, "h", 0, 1, 0);
	(void)env_batch(v, 0, 0, 5);
	(void)env_batch(v, 0, 0, 5);
	a = env_open(v, "g", "m", 1, 0, 1);
	b = env_open(v, "h", "m", 1, 0, 1);
	assert_int_equal(part0(v, a)->acquired[0].last, 9);
	assert_int_equal(part0(v, b)->acquired[0].last, 9);
	assert_ptr_equal(part0(v, a)->batch_refs[0], part0(v, b)->batch_refs[0]);
	assert_true(v->wants_total <= 2); /* the data once, and the tail */
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 9, 1), 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.kept_batches, 2); /* the other group may need them again */
	assert_int_equal(env_ack_one(v, "h", "m", 1, 0, 0, 0, 9, 1), 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.kept_batches, 0);
	assert_int_equal(v->live, 0);
	env_free(v);
}

static void test_ceiling_and_what_comes_twice(void **state)
{
	struct share_engine_config cfg = env_config();
	struct env *v;
	struct share_counts c;
	uint64_t token;

	(void)state;
	cfg.read_ahead_max_bytes = 350;
	v = env_new(&cfg);
	env_group(v, "g", 0, 1, 0);
	for (int i = 0; i < 10; i++)
		(void)env_batch(v, 0, 0, 2);
	token = env_open(v, "g", "m", 1, 0, 1); /* everything, although it can not be kept */
	assert_int_equal(part0(v, token)->acquired[0].last, 19);
	assert_int_equal(part0(v, token)->batch_refs_n, 10);
	share_get_counts(v->e, &c);
	assert_int_equal(c.kept_batches, 3);
	assert_int_equal(v->live, 3);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 4, 5, 2), 0); /* of an evicted batch */
	token = fetch(v, "m", 2, 500);
	assert_int_equal(part0(v, token)->acquired[0].first, 4);
	assert_int_equal(part0(v, token)->acquired[0].delivery_count, 2);
	env_free(v);
}

/* A record that has to be read again does not hold up those that are there. */
static void test_kept_records_do_not_wait_for_others(void **state)
{
	struct share_engine_config cfg = env_config();
	struct env *v;
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 2};
	uint64_t token;

	(void)state;
	cfg.read_ahead_max_bytes = 350;
	v = env_new(&cfg);
	env_group(v, "g", 0, 1, 0);
	for (int i = 0; i < 10; i++)
		(void)env_batch(v, 0, 0, 2);
	(void)env_open(v, "g", "m", 1, 0, 1);
	{
		static const int8_t release[] = {2};
		struct share_ack_batch b[] = {{0, 1, release, 1}, {18, 19, release, 1}};
		struct share_partition_acks a = {v->topics[0], 0, b, 2};
		struct env_request k = {
			.group = "g", .member = "m", .node = 1, .epoch = 1, .partitions = &a, .partitions_n = 1};

		(void)env_ack(v, &k);
	}
	token = env_fetch(v, &q);
	assert_int_equal(part0(v, token)->acquired[0].first, 18);
	assert_int_equal(part0(v, token)->acquired_n, 1);
	q.epoch = 3;
	token = env_fetch(v, &q);
	env_serve(v);
	assert_int_equal(part0(v, token)->acquired[0].first, 0);
	env_free(v);
}

static void test_log_start_moves(void **state)
{
	struct env *v = env_new(NULL);
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	for (int i = 0; i < 10; i++)
		(void)env_batch(v, 0, 0, 10);
	(void)env_open(v, "g", "m", 1, 0, 1);
	token = fetch(v, "m", 1, 500);
	v->logs[0][0].start = 45;
	env_clear(v);
	env_serve_one(v, 0, 0); /* the answer at the tail tells it */
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 55);
	assert_int_equal(env_change(v, 0)->u.partition.start_offset, 45);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 40, 50, 1), 0); /* partly gone: fine */
	(void)token;
	env_free(v);
}

static void test_start_below_the_log(void **state)
{
	struct env *v = env_new(NULL);
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 3);
	for (int i = 0; i < 10; i++)
		(void)env_batch(v, 0, 0, 10);
	v->logs[0][0].start = 20;
	token = env_open(v, "g", "m", 1, 0, 1); /* out of range first */
	assert_int_equal(part0(v, token)->acquired[0].first, 20);
	assert_int_equal(part0(v, token)->error, 0);
	env_free(v);
}

static void test_truncated_log(void **state)
{
	struct env *v = env_new(NULL);
	struct share_counts c;
	const struct share_change *change;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	for (int i = 0; i < 5; i++)
		(void)env_batch(v, 0, 0, 10);
	(void)env_open(v, "g", "m", 1, 0, 1);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 5, 44, 1), 0);
	token = fetch(v, "m", 2, 500);
	assert_null(env_reply(v, token));
	v->logs[0][0].n = 3;
	v->logs[0][0].end = v->logs[0][0].lso = 30;
	env_clear(v);
	env_serve_one(v, 0, 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 5);
	change = env_change(v, 0);
	assert_int_equal(change->type, SHARE_CHANGE_PARTITION);
	assert_int_equal(change->u.partition.ranges_n, 1);
	assert_int_equal(change->u.partition.ranges[0].last, 29);
	(void)env_batch(v, 0, 0, 10); /* new records in the place of the old */
	env_serve(v);
	assert_int_equal(part0(v, token)->acquired[0].first, 30);
	assert_int_equal(part0(v, token)->acquired[0].delivery_count, 1);
	env_free(v);
}

static void test_errors_back_off(void **state)
{
	struct env *v = env_new(NULL);
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1, .max_wait_ms = 60000};
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	token = env_open(v, "g", "m", 1, 0, 1);
	env_time(v, 500);
	(void)env_fetched(v, token);
	token = env_fetch(v, &q);
	assert_int_equal(v->wants_n, 1);
	for (int64_t wait = 100; wait <= 3200; wait *= 2) {
		int64_t expected = wait < 2000 ? wait : 2000;

		env_serve_one(v, 0, 6);
		env_time(v, expected - 1);
		assert_int_equal(v->wants_n, 0);
		env_time(v, 1);
		assert_int_equal(v->wants_n, 1);
	}
	(void)env_batch(v, 0, 0, 3);
	env_serve(v);
	assert_int_equal(part0(v, token)->acquired[0].last, 2);
	env_free(v);
}

static void test_topic_gone(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event gone = {.type = SHARE_EV_TOPIC_GONE};
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 2, 0);
	(void)env_batch(v, 0, 0, 5);
	(void)env_open(v, "g", "m", 1, 0, 2);
	token = fetch(v, "m", 1, 500);
	assert_null(env_reply(v, token));
	gone.u.topic.topic_id = v->topics[0];
	env_apply(v, &gone);
	assert_int_equal(part0(v, token)->error, 3); /* told at once; the session knows it by name */
	share_get_counts(v->e, &c);
	assert_int_equal(c.share_partitions, 0);
	assert_int_equal(c.held_records, 0);
	token = fetch(v, "m", 2, 500);
	assert_null(env_reply(v, token)); /* told already: no storm */
	env_time(v, 500);
	assert_int_equal(part0(v, token)->error, 3);
	while (v->wants_n)
		env_serve_one(v, 0, 3);
	env_free(v);
}

/* Records that are kept are not handed out again once it is known that they were deleted. */
static void test_log_start_is_told(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_LOG_START};
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 2, 0);
	(void)env_batch(v, 0, 0, 5);
	(void)env_batch(v, 0, 0, 5);
	(void)env_open(v, "g", "m", 1, 0, 2);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 9, 2), 0);
	ev.u.log_start.topic_id = v->topics[0];
	ev.u.log_start.offset = 7;
	env_apply(v, &ev);
	token = fetch(v, "m", 2, 500);
	assert_int_equal(part0(v, token)->acquired_n, 1);
	assert_int_equal(part0(v, token)->acquired[0].first, 7);
	assert_int_equal(part0(v, token)->acquired[0].last, 9);
	env_free(v);
}

static void test_isolation_level_changes(void **state)
{
	struct env *v = env_new(NULL);
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	token = env_open(v, "g", "m", 1, 0, 1);
	(void)env_batch(v, 0, 0, 5);
	(void)env_batch(v, 0, 0, 5);
	v->logs[0][0].lso = 5;
	assert_int_equal(env_set(v, "g", "share.isolation.level", "read_committed"), 0);
	env_serve(v);
	assert_int_equal(part0(v, token)->acquired[0].last, 4);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_want_at_the_tail),
		cmocka_unit_test(test_groups_share_what_is_read),
		cmocka_unit_test(test_ceiling_and_what_comes_twice),
		cmocka_unit_test(test_kept_records_do_not_wait_for_others),
		cmocka_unit_test(test_log_start_moves),
		cmocka_unit_test(test_start_below_the_log),
		cmocka_unit_test(test_truncated_log),
		cmocka_unit_test(test_errors_back_off),
		cmocka_unit_test(test_topic_gone),
		cmocka_unit_test(test_log_start_is_told),
		cmocka_unit_test(test_isolation_level_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
