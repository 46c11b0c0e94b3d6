/* SPDX-License-Identifier: Apache-2.0 */
/* Who is served when, and with how much: suspect records, the two windows, fair turns, waiting no longer than needed,
 * why nothing comes, and bounded work by time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "share_env.h"

/* ---- helpers ---- */

/* A session of partition 0 that has fetched nothing yet; its next epoch is 1. */
static void join(struct env *v, const char *member, int32_t node)
{
	struct share_partition_acks a = {v->topics[0], 0, NULL, 0};
	struct env_request q = {.group = "g",
		.member = member,
		.node = node,
		.conn = (uint64_t)node,
		.max_records = -1,
		.partitions = &a,
		.partitions_n = 1};

	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 0);
	env_clear(v);
}

static struct env *with_batches(uint32_t n, int64_t records)
{
	struct env *v = env_new(NULL);

	env_group(v, "g", 0, 1, 0);
	while (n--)
		(void)env_batch(v, 0, 0, records);
	return v;
}

static uint64_t ask(struct env *v, const char *member, int32_t node, int32_t epoch, int32_t max_records)
{
	struct env_request q = {.group = "g",
		.member = member,
		.node = node,
		.conn = (uint64_t)node,
		.epoch = epoch,
		.max_records = max_records};
	uint64_t token = env_fetch(v, &q);

	env_serve(v);
	return token;
}

/* A fetch that carries one acknowledgement. */
static uint64_t ask_with_ack(struct env *v, const char *member, int32_t node, int32_t epoch, int32_t max_records,
	int64_t first, int64_t last, int8_t type)
{
	struct share_ack_batch b = {first, last, &type, 1};
	struct share_partition_acks a = {v->topics[0], 0, &b, 1};
	struct env_request q = {.group = "g",
		.member = member,
		.node = node,
		.conn = (uint64_t)node,
		.epoch = epoch,
		.max_records = max_records,
		.partitions = &a,
		.partitions_n = 1};
	uint64_t token = env_fetch(v, &q);

	env_serve(v);
	return token;
}

static const struct share_fetch_partition_reply *got(struct env *v, uint64_t token)
{
	return env_part(env_fetched(v, token), v->topics[0], 0);
}

/* Records in the answer. */
static int64_t got_n(struct env *v, uint64_t token)
{
	const struct share_fetch_partition_reply *p = got(v, token);
	int64_t n = 0;

	for (uint32_t i = 0; p && i < p->acquired_n; i++)
		n += p->acquired[i].last - p->acquired[i].first + 1;
	return n;
}

/* Opens a session at member m, fetches once, ends the session, so that everything comes back with the count raised. */
static int64_t crash_once(struct env *v, int64_t *ret_first)
{
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = -1};
	const struct share_fetch_partition_reply *p;
	uint64_t token;
	int64_t n;

	join(v, "m", 1);
	token = ask(v, "m", 1, 1, 500);
	p = got(v, token);
	*ret_first = p && p->acquired_n ? p->acquired[0].first : -1;
	n = got_n(v, token);
	(void)env_fetch(v, &q);
	env_clear(v);
	return n;
}

/* ---- suspect records ---- */

static void test_batches_are_halved_near_the_limit(void **state)
{
	static const int64_t want[] = {500, 500, 500, 250};
	struct env *v = with_batches(1, 500);
	int64_t first;

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_int_equal(crash_once(v, &first), want[i]);
		assert_int_equal(first, 0);
	}
	for (int64_t i = 0; i < 250; i++) { /* the last attempt: each alone, done then */
		assert_int_equal(crash_once(v, &first), 1);
		assert_int_equal(first, i);
	}
	assert_int_equal(
		crash_once(v, &first), 250); /* the other half, delivered three times so far: all of its half */
	assert_int_equal(first, 250);
	env_free(v);
}

static void test_halving_goes_on_with_a_higher_limit(void **state)
{
	static const int64_t want[] = {512, 512, 512, 512, 512, 256, 128, 64, 32, 1};
	struct env *v = with_batches(1, 512);
	int64_t first;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.delivery.count.limit", "10"), 0);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(crash_once(v, &first), want[i]);
		assert_int_equal(first, 0);
	}
	env_free(v);
}

static void test_no_halving_at_limit_two(void **state)
{
	struct env *v = with_batches(1, 40);
	int64_t first;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.delivery.count.limit", "2"), 0);
	assert_int_equal(crash_once(v, &first), 40);
	assert_int_equal(crash_once(v, &first), 40);
	assert_int_equal(env_set(v, "g", "share.delivery.count.limit", "5"), 0);
	env_free(v);
}

static void test_suspect_batch_leads_the_next_answer(void **state)
{
	struct env *v = with_batches(2, 10);
	uint64_t token;
	int64_t first;

	(void)state;
	for (int i = 0; i < 3; i++) { /* only the first batch */
		join(v, "m", 1);
		token = ask(v, "m", 1, 1, 10);
		assert_int_equal(got_n(v, token), 10);
		assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 0, 9, 2), 0);
		env_clear(v);
	}
	join(v, "m", 1); /* 0-9 three times: suspect; 10-19 never handed out */
	token = ask(v, "m", 1, 1, 500);
	assert_int_equal(got_n(v, token), 5);
	assert_int_equal(got(v, token)->acquired[0].last, 4);
	token = ask(v, "m", 1, 2, 500);
	assert_int_equal(got_n(v, token), 5); /* 5-9, nothing of the next batch with it */
	assert_int_equal(got(v, token)->acquired[0].first, 5);
	token = ask(v, "m", 1, 3, 500);
	assert_int_equal(got(v, token)->acquired[0].first, 10);
	assert_int_equal(env_ack_one(v, "g", "m", 4, 0, 0, 10, 19, 2), 0);
	assert_int_equal(env_ack_one(v, "g", "m", 5, 0, 0, 5, 9, 2), 0);
	env_clear(v);
	(void)crash_once(v, &first);
	env_free(v);
}

/* ---- the window ---- */

static void test_one_slow_record_does_not_stop_a_partition(void **state)
{
	for (int span = 0; span < 2; span++) {
		struct share_engine_config c = env_config();
		struct env *v;
		int64_t served = 0;

		(void)state;
		c.group.record_locks_span = span;
		v = env_new(&c);
		env_group(v, "g", 0, 1, 0);
		for (int i = 0; i < 500; i++)
			(void)env_batch(v, 0, 0, 10);
		join(v, "slow", 1);
		assert_int_equal(got_n(v, ask(v, "slow", 1, 1, 10)), 10); /* and never heard of again */
		join(v, "m", 2);
		for (int32_t epoch = 1;; epoch++) {
			uint64_t token = epoch == 1 ? ask(v, "m", 2, epoch, 10)
						    : ask_with_ack(v, "m", 2, epoch, 10, served, served + 9, 1);

			if (!env_reply(v, token))
				break;
			served += 10;
			env_clear(v);
		}
		assert_int_equal(served, span ? 1990 : 4990); /* the span of 2000, or all there is */
		env_free(v);
	}
}

/* ---- fair turns ---- */

static void test_what_a_request_frees_goes_to_who_waits(void **state)
{
	struct env *v = with_batches(10, 10);
	uint64_t a, b;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.partition.max.record.locks", "100"), 0);
	for (int i = 0; i < 20; i++)
		(void)env_batch(v, 0, 0, 10);
	join(v, "greedy", 1);
	join(v, "other", 2);
	assert_int_equal(got_n(v, ask(v, "greedy", 1, 1, 100)), 100); /* the whole window */
	b = ask(v, "other", 2, 1, 10);
	assert_null(env_reply(v, b));
	a = ask_with_ack(v, "greedy", 1, 2, 10, 0, 9, 1); /* frees as much as it wants itself */
	assert_int_equal(got_n(v, b), 10);
	assert_null(env_reply(v, a));
	env_clear(v);
	b = ask_with_ack(v, "other", 2, 2, 10, 100, 109, 1);
	assert_int_equal(got_n(v, a), 10); /* and the other way round */
	assert_null(env_reply(v, b));
	env_free(v);
}

static void test_min_bytes_starves_nobody(void **state)
{
	struct env *v = with_batches(0, 0);
	struct env_request q = {
		.group = "g", .member = "patient", .node = 1, .conn = 1, .epoch = 1, .min_bytes = 100000};
	uint64_t a, b;

	(void)state;
	join(v, "patient", 1);
	join(v, "quick", 2);
	a = env_fetch(v, &q);
	for (int32_t i = 1; i <= 3; i++) { /* everything goes to the other */
		b = ask(v, "quick", 2, i, 10);
		(void)env_batch(v, 0, 0, 10);
		env_serve(v);
		assert_int_equal(got_n(v, b), 10);
	}
	env_time(v, 500);
	assert_int_equal(got_n(v, a), 0);
	env_clear(v);
	q.epoch = 2;
	a = env_fetch(v, &q);
	b = ask(v, "quick", 2, 4, 10);
	(void)env_batch(v, 0, 0, 10);
	env_serve(v);
	assert_int_equal(got_n(v, a), 10); /* its turn, MinBytes or not */
	assert_null(env_reply(v, b));
	q.epoch = 3;
	a = env_fetch(v, &q);
	(void)env_batch(v, 0, 0, 10);
	env_serve(v);
	assert_null(env_reply(v, a)); /* and MinBytes counts again */
	env_free(v);
}

/* ---- no longer than needed ---- */

static void test_an_expired_lock_answers_a_waiting_fetch(void **state)
{
	struct env *v = with_batches(1, 10);
	struct env_request q = {.group = "g", .member = "b", .node = 2, .conn = 2, .epoch = 1, .max_wait_ms = 60000};
	uint64_t token;

	(void)state;
	join(v, "a", 1);
	join(v, "b", 2);
	assert_int_equal(got_n(v, ask(v, "a", 1, 1, 10)), 10);
	token = env_fetch(v, &q);
	env_time(v, 29999);
	assert_null(env_reply(v, token));
	assert_int_equal(share_next_deadline(v->e), v->now + 1);
	env_time(v, 1);
	assert_int_equal(got_n(v, token), 10);
	assert_int_equal(got(v, token)->acquired[0].delivery_count, 2);
	env_free(v);
}

static void test_a_wider_window_answers_a_waiting_fetch(void **state)
{
	struct env *v = with_batches(30, 10);
	uint64_t token;

	(void)state;
	assert_int_equal(env_set(v, "g", "share.partition.max.record.locks", "100"), 0);
	join(v, "a", 1);
	join(v, "b", 2);
	assert_int_equal(got_n(v, ask(v, "a", 1, 1, 100)), 100);
	token = ask(v, "b", 2, 1, 100);
	assert_null(env_reply(v, token));
	assert_int_equal(env_set(v, "g", "share.partition.max.record.locks", "200"), 0);
	assert_int_equal(got_n(v, token), 100);
	env_free(v);
}

/* Whether a fetch that finds nothing is answered ms after it came and not before. */
static bool waits(struct env *v, uint64_t token, int64_t ms)
{
	bool early;

	env_time(v, ms - 1);
	early = env_reply(v, token) != NULL;
	env_time(v, 1);
	return !early && env_reply(v, token) && got_n(v, token) == 0;
}

static void test_who_holds_records_is_answered_soon(void **state)
{
	struct env *v = with_batches(1, 10);
	int32_t epoch = 2;

	(void)state;
	join(v, "a", 1);
	join(v, "b", 2);
	assert_int_equal(got_n(v, ask(v, "a", 1, 1, 10)), 10);
	for (int64_t ms = 2; ms < 500; ms *= 2)
		assert_true(waits(v, ask(v, "a", 1, epoch++, 10), ms));
	assert_true(waits(v, ask(v, "a", 1, epoch++, 10), 500));
	assert_true(waits(v, ask(v, "a", 1, epoch++, 10), 500));
	/* Its acknowledgements are news, and their results do not wait for records either. */
	assert_true(waits(v, ask_with_ack(v, "a", 1, epoch++, 10, 0, 4, 1), 2));
	assert_true(waits(v, ask(v, "a", 1, epoch++, 10), 4));
	assert_int_equal(env_ack_one(v, "g", "a", epoch++, 0, 0, 5, 5, 1), 0);
	assert_true(waits(v, ask(v, "a", 1, epoch++, 10), 2));
	/* So are records. */
	(void)env_batch(v, 0, 0, 1);
	assert_int_equal(got_n(v, ask(v, "a", 1, epoch++, 10)), 1);
	assert_true(waits(v, ask(v, "a", 1, epoch++, 10), 2));
	/* Who holds nothing waits as long as it said. */
	assert_true(waits(v, ask_with_ack(v, "a", 1, epoch++, 10, 6, 9, 1), 2));
	assert_true(waits(v, ask_with_ack(v, "a", 1, epoch++, 10, 10, 10, 1), 2));
	assert_true(waits(v, ask(v, "a", 1, epoch++, 10), 500));
	assert_true(waits(v, ask(v, "b", 2, 1, 10), 500));
	env_free(v);
}

static void test_min_bytes_are_waited_for_all_the_same(void **state)
{
	struct env *v = with_batches(1, 10);
	struct env_request q = {.group = "g", .member = "a", .node = 1, .conn = 1, .epoch = 2, .min_bytes = 100000};

	(void)state;
	join(v, "a", 1);
	assert_int_equal(got_n(v, ask(v, "a", 1, 1, 10)), 10);
	assert_true(waits(v, env_fetch(v, &q), 500));
	env_free(v);
}

/* ---- why nothing comes ---- */

static const char *stalled(const struct env *v)
{
	for (uint32_t i = 0; i < v->fx.n; i++) {
		if (v->fx.v[i].type == SHARE_FX_STALLED)
			return v->fx.v[i].u.stalled.reason;
	}
	return NULL;
}

static uint64_t stalled_n(const struct env *v, enum share_stalled_reason r)
{
	struct share_counts c;

	share_get_counts(v->e, &c);
	return c.stalled_fetches[r];
}

static void test_stalled_by_locks(void **state)
{
	for (int span = 0; span < 2; span++) {
		struct share_engine_config c = env_config();
		enum share_stalled_reason r = span ? SHARE_STALLED_OFFSET_SPAN : SHARE_STALLED_RECORD_LOCKS;
		struct env *v;

		(void)state;
		c.group.record_locks_span = span;
		v = env_new(&c);
		env_group(v, "g", 0, 1, 0);
		for (int i = 0; i < 300; i++)
			(void)env_batch(v, 0, 0, 10);
		join(v, "a", 1);
		for (int32_t i = 1; i <= 4; i++)
			assert_int_equal(got_n(v, ask(v, "a", 1, i, 500)), 500);
		env_clear(v);
		for (int32_t i = 5; i < 13; i++) { /* answered soon, since it holds records: that is no stall */
			(void)ask(v, "a", 1, i, 500);
			env_time(v, 500);
		}
		assert_int_equal(stalled_n(v, r), 0);
		for (int32_t i = 13; i < 17; i++) {
			(void)ask(v, "a", 1, i, 500);
			env_time(v, 500);
		}
		assert_string_equal(share_stalled_reason_name(r), span ? "offset_span" : "record_locks");
		assert_non_null(stalled(v)); /* said once, counted each time */
		assert_int_equal(stalled_n(v, r), 4);
		env_free(v);
	}
}

static void test_stalled_by_a_transaction(void **state)
{
	struct env *v = with_batches(1, 10);

	(void)state;
	assert_int_equal(env_set(v, "g", "share.isolation.level", "read_committed"), 0);
	v->logs[0][0].lso = 0;
	join(v, "a", 1);
	(void)ask(v, "a", 1, 1, 500);
	for (uint32_t i = v->wants_n; i > 0; i--)
		env_serve_one(v, i - 1, 0); /* nothing yet */
	env_time(v, 100);
	v->logs[0][0].lso = 0;
	env_time(v, 400);
	assert_int_equal(stalled_n(v, SHARE_STALLED_TRANSACTION) + stalled_n(v, SHARE_STALLED_READ), 1);
	assert_non_null(stalled(v));
	env_free(v);
}

static void test_idle_is_not_stalled(void **state)
{
	struct env *v = with_batches(0, 0);
	struct share_counts c;

	(void)state;
	join(v, "a", 1);
	(void)ask(v, "a", 1, 1, 500);
	env_time(v, 500);
	assert_null(stalled(v));
	share_get_counts(v->e, &c);
	for (int i = 0; i < SHARE_STALLED_REASONS_N; i++)
		assert_int_equal(c.stalled_fetches[i], 0);
	env_free(v);
}

/* ---- bounded work ---- */

/* Every second record of 5 partitions stays held: 4998 ranges that run out together. 998 of the first, so that the work
 * of a step is all but spent when the second one's turn comes. */
static struct env *with_many_locks(void)
{
	struct env *v = env_new(NULL);
	int8_t accept = 1;
	struct share_ack_batch *b = mem_zalloc(1000, sizeof(*b));

	env_group(v, "g", 0, 5, 0);
	for (int p = 0; p < 5; p++)
		(void)env_batch(v, 0, p, 2000);
	for (int i = 0; i < 1000; i++)
		b[i] = (struct share_ack_batch){2 * i + 1, 2 * i + 1, &accept, 1};
	assert_non_null(env_reply(v, env_open(v, "g", "m", 1, 0, 5)));
	for (int32_t i = 1; i < 5; i++)
		(void)ask(v, "m", 1, i, 2000);
	for (int p = 0; p < 5; p++) {
		struct share_partition_acks a = {v->topics[0], p, b, 1000};
		struct env_request q = {
			.group = "g", .member = "m", .node = 1, .epoch = 5 + p, .partitions = &a, .partitions_n = 1};

		if (p == 0)
			b[0].first = 0, b[1].first = 2;
		assert_int_equal(env_part(env_fetched(v, env_ack(v, &q)), v->topics[0], p)->error, 0);
		b[0].first = 1;
		b[1].first = 3;
	}
	env_clear(v);
	mem_free(b);
	return v;
}

static void test_many_locks_run_out_in_small_steps(void **state)
{
	struct env *v = with_many_locks();
	struct share_counts c;
	uint64_t before = 4998, steps = 0;

	(void)state;
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 4998);
	env_time(v, 30000);
	for (;; steps++) {
		share_get_counts(v->e, &c);
		assert_true(c.held_records < before && before - c.held_records <= 1100);
		before = c.held_records;
		if (!before)
			break;
		assert_true(share_next_deadline(v->e) <= v->now); /* due at once */
		env_time(v, 0);
	}
	assert_true(steps >= 4 && steps < 10);
	assert_int_equal(c.lock_timeouts, 4998);
	env_free(v);
}

static void test_a_lock_that_ran_out_is_over_before_its_turn(void **state)
{
	struct env *v = with_many_locks();
	struct share_counts c;

	(void)state;
	env_time(v, 30000);
	for (int p = 0; p < 5; p++)
		assert_int_equal(env_ack_one(v, "g", "m", 10 + p, 0, p, 1998, 1998, p % 2 ? 1 : 4), 121);
	while (share_next_deadline(v->e) <= v->now)
		env_time(v, 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.lock_timeouts, 4998);
	env_free(v);
}

static void test_requests_that_name_too_many_partitions(void **state)
{
	struct env *v = with_batches(1, 1);
	struct share_partition_acks *a = mem_zalloc(70000, sizeof(*a));
	struct share_topic_partition *f = mem_zalloc(70000, sizeof(*f));
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1};

	(void)state;
	join(v, "m", 1);
	q.partitions = a;
	q.partitions_n = 65537;
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42);
	assert_int_equal(env_fetched(v, env_ack(v, &q))->error, 42);
	q.epoch = -1;
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42);
	q.epoch = 1;
	q.partitions_n = 0;
	q.forgotten = f;
	q.forgotten_n = 65537;
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42);
	q.forgotten_n = 0; /* and the epoch stands where it was */
	assert_int_equal(got_n(v, ask(v, "m", 1, 1, 10)), 1);
	mem_free(a);
	mem_free(f);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batches_are_halved_near_the_limit),
		cmocka_unit_test(test_halving_goes_on_with_a_higher_limit),
		cmocka_unit_test(test_no_halving_at_limit_two),
		cmocka_unit_test(test_suspect_batch_leads_the_next_answer),
		cmocka_unit_test(test_one_slow_record_does_not_stop_a_partition),
		cmocka_unit_test(test_what_a_request_frees_goes_to_who_waits),
		cmocka_unit_test(test_min_bytes_starves_nobody),
		cmocka_unit_test(test_an_expired_lock_answers_a_waiting_fetch),
		cmocka_unit_test(test_a_wider_window_answers_a_waiting_fetch),
		cmocka_unit_test(test_who_holds_records_is_answered_soon),
		cmocka_unit_test(test_min_bytes_are_waited_for_all_the_same),
		cmocka_unit_test(test_stalled_by_locks),
		cmocka_unit_test(test_stalled_by_a_transaction),
		cmocka_unit_test(test_idle_is_not_stalled),
		cmocka_unit_test(test_many_locks_run_out_in_small_steps),
		cmocka_unit_test(test_a_lock_that_ran_out_is_over_before_its_turn),
		cmocka_unit_test(test_requests_that_name_too_many_partitions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
