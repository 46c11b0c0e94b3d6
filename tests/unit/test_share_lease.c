/* SPDX-License-Identifier: Apache-2.0 */
/* Leases: records are handed out only while that of the group's state partition is open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "share_env.h"

static void lease(struct env *v, int32_t state_partition, int64_t not_before, int64_t until)
{
	struct share_event ev = {.type = SHARE_EV_LEASE};

	ev.u.lease.state_partition = state_partition;
	ev.u.lease.not_before = not_before;
	ev.u.lease.until = until;
	env_apply(v, &ev);
	env_serve(v);
}

/* Group g, whose member m has a session of epoch 1 and got nothing yet of what is there. */
static struct env *with_records(void)
{
	struct env *v = env_new(NULL);
	struct env_request q = {.group = "g", .member = "m", .node = 1, .conn = 1, .max_records = -1};
	struct share_partition_acks a = {v->topics[0], 0, NULL, 0};

	env_group(v, "g", 0, 1, 0);
	for (int i = 0; i < 5; i++)
		(void)env_batch(v, 0, 0, 10);
	q.partitions = &a;
	q.partitions_n = 1;
	(void)env_fetched(v, env_fetch(v, &q));
	return v;
}

static uint64_t fetch(struct env *v, int32_t epoch, int32_t max_wait_ms, int32_t min_bytes)
{
	struct env_request q = {.group = "g",
		.member = "m",
		.node = 1,
		.epoch = epoch,
		.max_wait_ms = max_wait_ms,
		.min_bytes = min_bytes,
		.max_records = 10};
	uint64_t token = env_fetch(v, &q);

	env_serve(v);
	return token;
}

static int64_t acquired(const struct env *v, uint64_t token)
{
	const struct share_fetch_partition_reply *p = env_part(env_fetched(v, token), v->topics[0], 0);
	int64_t n = 0;

	for (uint32_t i = 0; p && i < p->acquired_n; i++)
		n += p->acquired[i].last - p->acquired[i].first + 1;
	return n;
}

static void test_closed_lease_hands_out_nothing(void **state)
{
	struct env *v = with_records();
	uint64_t token;

	(void)state;
	lease(v, 0, INT64_MIN, v->now + 100);
	assert_int_equal(acquired(v, fetch(v, 1, 500, 1)), 10);
	env_time(v, 100); /* ends exactly there */
	token = fetch(v, 2, 500, 1);
	assert_null(env_reply(v, token));
	lease(v, 0, INT64_MIN, v->now); /* not longer */
	assert_null(env_reply(v, token));
	lease(v, 0, INT64_MIN, v->now + 1);
	assert_int_equal(acquired(v, token), 10); /* the one that waited */
	share_check(v->e);
	env_free(v);
}

static void test_waits_no_longer_than_asked(void **state)
{
	struct env *v = with_records();
	uint64_t token;
	bool told = false;

	(void)state;
	lease(v, 0, INT64_MIN, INT64_MIN);
	assert_int_equal(acquired(v, fetch(v, 1, -1, 1)), 0); /* that does not wait */
	token = fetch(v, 2, 500, 1);
	env_time(v, 499);
	assert_null(env_reply(v, token));
	env_time(v, 1);
	assert_int_equal(acquired(v, token), 0);
	for (uint32_t i = 0; i < v->fx.n; i++)
		told = told || (v->fx.v[i].type == SHARE_FX_STALLED &&
				       strstr(v->fx.v[i].u.stalled.reason, "end of its log is not seen"));
	assert_true(told);
	env_free(v);
}

static void test_opens_by_itself(void **state)
{
	struct env *v = with_records();
	int64_t opens = v->now + 200;
	uint64_t token;

	(void)state;
	lease(v, 0, opens, opens + 50);
	assert_int_equal(share_next_deadline(v->e), opens);
	token = fetch(v, 1, 10000, 1);
	env_time(v, 150);
	lease(v, 0, opens, v->now + 1000); /* renewed before it opens */
	assert_null(env_reply(v, token));
	assert_int_equal(share_next_deadline(v->e), opens);
	env_time(v, 49);
	assert_null(env_reply(v, token));
	env_time(v, 1);
	env_serve(v);
	assert_int_equal(acquired(v, token), 10);
	env_free(v);
}

static void test_is_over_before_it_opens(void **state)
{
	struct env *v = with_records();
	int64_t opens = v->now + 200;
	uint64_t token;

	(void)state;
	lease(v, 0, opens, opens - 50);
	token = fetch(v, 1, 10000, 1);
	env_time(v, 200);
	assert_null(env_reply(v, token));
	lease(v, 0, opens, v->now + 50);
	assert_int_equal(acquired(v, token), 10);
	lease(v, 0, v->now + 500, v->now + 600); /* closes again, to open later */
	token = fetch(v, 2, 10000, 1);
	assert_null(env_reply(v, token));
	lease(v, 0, INT64_MIN, v->now + 600);
	assert_int_equal(acquired(v, token), 10);
	env_free(v);
}

/* Bytes that can not be handed out are none. */
static void test_min_bytes(void **state)
{
	struct env *v = with_records();
	uint64_t token;

	(void)state;
	lease(v, 0, INT64_MIN, v->now + 1000);
	assert_int_equal(acquired(v, fetch(v, 1, 500, 1)), 10); /* more is read ahead now */
	lease(v, 0, INT64_MIN, v->now);
	token = fetch(v, 2, 500, 300);
	assert_null(env_reply(v, token));
	lease(v, 0, INT64_MIN, v->now + 1000);
	assert_int_equal(acquired(v, token), 10);
	env_free(v);
}

static void test_nothing_else_depends_on_it(void **state)
{
	struct env *v = with_records();
	const char *topics[] = {env_topic_name(0).p};
	struct share_counts c;
	uint64_t token;

	(void)state;
	assert_int_equal(acquired(v, fetch(v, 1, 500, 1)), 10); /* without any lease yet */
	lease(v, 0, INT64_MIN, v->now);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 0, 3, 1), 0);
	token = env_heartbeat(v, "g", "x", 0, topics, 1);
	assert_int_equal(env_reply(v, token)->u.heartbeat.error, 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 6);
	assert_int_equal(c.members, 1);
	env_time(v, 60000); /* locks run out */
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 0);
	assert_true(c.lock_timeouts > 0);
	share_check(v->e);
	env_free(v);
}

static void test_each_state_partition_has_its_own(void **state)
{
	struct env *v = with_records();
	struct share_event ev = {.type = SHARE_EV_STATE_LOST};
	struct env_request q = {.group = "g", .member = "m", .node = 1, .conn = 1};
	struct share_partition_acks a = {v->topics[0], 0, NULL, 0};
	uint64_t token;

	(void)state;
	lease(v, 7, INT64_MIN, v->now);
	lease(v, 1, v->now + 50, v->now + 60);
	assert_int_equal(acquired(v, fetch(v, 1, 500, 1)), 10);
	lease(v, 0, v->now + 50, v->now + 60);
	token = fetch(v, 2, 500, 1);
	assert_null(env_reply(v, token));
	env_apply(v, &ev);
	assert_non_null(env_reply(v, token)); /* not ours any more */
	env_clear(v);
	env_group(v, "g", 0, 1, 0); /* ours again: no limit until the next lease, nor a deadline of the last */
	q.partitions = &a;
	q.partitions_n = 1;
	token = env_fetch(v, &q);
	env_serve(v);
	assert_true(acquired(v, token) > 0);
	env_free(v);
}

/* One that goes on has no effect at all, however often it comes. */
static void test_renewal(void **state)
{
	struct env *v = with_records();

	(void)state;
	lease(v, 0, INT64_MIN, v->now + 1000);
	env_clear(v);
	for (int i = 0; i < 1000; i++)
		lease(v, 0, INT64_MIN, v->now + 1000 + i);
	assert_int_equal(v->fx.n, 0);
	assert_int_equal(share_next_deadline(v->e), INT64_MAX);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_lease_hands_out_nothing),
		cmocka_unit_test(test_waits_no_longer_than_asked),
		cmocka_unit_test(test_opens_by_itself),
		cmocka_unit_test(test_is_over_before_it_opens),
		cmocka_unit_test(test_min_bytes),
		cmocka_unit_test(test_nothing_else_depends_on_it),
		cmocka_unit_test(test_each_state_partition_has_its_own),
		cmocka_unit_test(test_renewal),
	};

	return cmocka_run_group_tests_name("share_lease", tests, NULL, NULL);
}
