/* SPDX-License-Identifier: Apache-2.0 */
/* Share sessions: one for each node, their epochs, partitions, answers and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "share_env.h"

static const int8_t accept_type[] = {1};

static struct share_partition_acks part(const struct env *v, int t, int p)
{
	return (struct share_partition_acks){v->topics[t], p, NULL, 0};
}

static int16_t fetch_error(struct env *v, const char *member, int32_t node, int32_t epoch)
{
	struct env_request q = {.group = "g", .member = member, .node = node, .epoch = epoch, .max_wait_ms = -1};

	return env_fetched(v, env_fetch(v, &q))->error;
}

static int16_t ack_error(struct env *v, const char *member, int32_t node, int32_t epoch)
{
	struct env_request q = {.group = "g", .member = member, .node = node, .epoch = epoch};

	return env_fetched(v, env_ack(v, &q))->error;
}

static void test_epochs(void **state)
{
	struct env *v = env_new(NULL);

	(void)state;
	env_group(v, "g", 0, 1, 0);
	assert_int_equal(fetch_error(v, "m", 1, 1), 122);
	assert_int_equal(fetch_error(v, "m", 1, -1), 122);
	assert_int_equal(ack_error(v, "m", 1, 0), 123);
	assert_int_equal(ack_error(v, "m", 1, 1), 122);
	assert_int_equal(ack_error(v, "m", 1, -1), 122);
	(void)env_open(v, "g", "m", 1, 0, 1);
	assert_int_equal(fetch_error(v, "m", 1, 2), 123);
	assert_int_equal(fetch_error(v, "m", 1, 1), 0);
	assert_int_equal(fetch_error(v, "m", 1, 1), 123); /* a repeated request */
	assert_int_equal(ack_error(v, "m", 1, 2), 0);
	assert_int_equal(ack_error(v, "m", 1, 2), 123);
	assert_int_equal(fetch_error(v, "m", 1, -1), 0);
	assert_int_equal(fetch_error(v, "m", 1, 3), 122);
	env_free(v);
}

static void test_malformed(void **state)
{
	struct env *v = env_new(NULL);
	struct env_request q = {.group = "g", .member = ""};
	struct share_ack_batch b = {0, 0, accept_type, 1};
	struct share_partition_acks a = {v->topics[0], 0, &b, 1};

	(void)state;
	env_group(v, "g", 0, 1, 0);
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42);
	assert_int_equal(env_fetched(v, env_ack(v, &q))->error, 42);
	q = (struct env_request){.group = "", .member = "m"};
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42);
	q = (struct env_request){.group = "g", .member = "m", .acquire_mode = 2};
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, -1);
	q = (struct env_request){.group = "g", .member = "m", .renew = true};
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42);
	q = (struct env_request){.group = "g", .member = "m", .partitions = &a, .partitions_n = 1};
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 42); /* acknowledgements in a first request */
	env_free(v);
}

/* The same member on two nodes has two sessions, each with its epochs; what it holds it may acknowledge through either.
 */
static void test_two_nodes(void **state)
{
	struct env *v = env_new(NULL);
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 2, 0);
	(void)env_batch(v, 0, 0, 10);
	(void)env_batch(v, 0, 1, 10);
	token = env_open(v, "g", "m", 1, 0, 1);
	assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 0)->acquired_n, 1);
	{
		struct share_partition_acks a = part(v, 0, 1);
		struct env_request q = {
			.group = "g", .member = "m", .node = 2, .conn = 77, .partitions = &a, .partitions_n = 1};

		token = env_fetch(v, &q);
		env_serve(v);
		assert_int_equal(env_part(env_fetched(v, token), v->topics[0], 1)->acquired_n, 1);
	}
	share_get_counts(v->e, &c);
	assert_int_equal(c.sessions, 2);
	assert_int_equal(c.held_records, 20);
	assert_int_equal(fetch_error(v, "m", 2, 1), 0);
	assert_int_equal(fetch_error(v, "m", 1, 1), 0); /* not moved by the other node's */
	assert_int_equal(
		env_ack_one(v, "g", "m", 2, 0, 1, 0, 4, 1), 0); /* node 1 acknowledges what came through node 2 */
	assert_int_equal(fetch_error(v, "m", 2, -1), 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 10); /* only what was acquired through node 2 came back */
	assert_int_equal(c.available_records, 5);
	assert_int_equal(fetch_error(v, "m", 1, -1), 0);
	share_get_counts(v->e, &c);
	assert_int_equal(c.held_records, 0);
	assert_int_equal(c.sessions, 0);
	env_free(v);
}

static void test_partitions_of_a_session(void **state)
{
	struct env *v = env_new(NULL);
	struct share_partition_acks two[] = {part(v, 0, 1), part(v, 0, 1), part(v, 3, 0), part(v, 0, 9)};
	struct share_topic_partition gone = {v->topics[0], 0};
	struct env_request q = {.group = "g",
		.member = "m",
		.node = 1,
		.conn = 5,
		.partitions = two,
		.partitions_n = 1,
		.max_wait_ms = -1};
	const struct share_fetch_reply *r;

	(void)state;
	env_group(v, "g", 0, 2, 0);
	r = env_fetched(v, env_open(v, "g", "m", 1, 0, 0)); /* empty, as some clients open it */
	assert_int_equal(r->partitions_n, 0);
	q.epoch = 1;
	q.partitions_n = 4;
	r = env_fetched(v, env_fetch(v, &q));
	assert_int_equal(r->partitions_n, 3); /* the double is merged */
	assert_int_equal(env_part(r, v->topics[0], 1)->error, 0);
	assert_int_equal(env_part(r, v->topics[3], 0)->error, 100);
	assert_int_equal(env_part(r, v->topics[0], 9)->error, 3);
	q.epoch = 2;
	q.partitions_n = 0;
	r = env_fetched(v, env_fetch(v, &q));
	assert_int_equal(r->partitions_n, 2); /* what has an error is listed again, what is idle is not */
	assert_null(env_part(r, v->topics[0], 1));
	env_topic(v, 3, 1);
	q.epoch = 3;
	r = env_fetched(v, env_fetch(v, &q));
	assert_int_equal(env_part(r, v->topics[3], 0)->error, -1); /* the topic has come, but the group has no start */
	gone.topic_id = v->topics[3];
	q.epoch = 4;
	q.forgotten = &gone;
	q.forgotten_n = 1;
	(void)env_fetch(v, &q);
	(void)env_batch(v, 0, 1, 5);
	env_serve(v);
	q.epoch = 5;
	q.forgotten_n = 0;
	r = env_fetched(v, env_fetch(v, &q));
	assert_int_equal(env_part(r, v->topics[0], 1)->acquired_n, 1);
	q.epoch = -1;
	r = env_fetched(v, env_fetch(v, &q));
	env_free(v);
}

static void test_a_fetch_waits(void **state)
{
	struct env *v = env_new(NULL);
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 2, 0);
	token = env_open(v, "g", "m", 1, 0, 2);
	assert_null(env_reply(v, token));
	share_get_counts(v->e, &c);
	assert_int_equal(c.waiting_fetches, 1);
	env_time(v, 499);
	assert_null(env_reply(v, token));
	env_time(v, 1);
	assert_int_equal(env_fetched(v, token)->partitions_n, 2); /* the first answer lists all */
	assert_int_equal(env_fetched(v, token)->acquisition_lock_timeout_ms, 30000);
	assert_false(env_reply(v, token)->after_durable);
	{
		struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1};

		token = env_fetch(v, &q);
		(void)env_batch(v, 0, 1, 3);
		env_serve(v);
		assert_int_equal(env_fetched(v, token)->partitions_n, 1);
		q.epoch = 2;
		q.max_records = -1; /* never waits */
		assert_int_equal(env_fetched(v, env_fetch(v, &q))->partitions_n, 0);
	}
	env_free(v);
}

static void test_a_later_request_displaces(void **state)
{
	struct env *v = env_new(NULL);
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1};
	struct share_ack_batch b = {0, 0, accept_type, 1};
	struct share_partition_acks a = {v->topics[0], 0, &b, 1};
	uint64_t first, second, third;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 1);
	(void)env_open(v, "g", "m", 1, 0, 1);
	q.partitions = &a;
	q.partitions_n = 1;
	first = env_fetch(v, &q);
	assert_null(env_reply(v, first));
	q.epoch = 2;
	q.partitions_n = 0;
	second = env_fetch(v, &q);
	assert_int_equal(env_fetched(v, first)->error, 123); /* as Kafka: its acknowledgement counts all the same */
	assert_int_equal(env_change(v, 0)->u.partition.start_offset, 1);
	q.epoch = 9;
	assert_int_equal(env_fetched(v, env_fetch(v, &q))->error, 123);
	assert_null(env_reply(v, second)); /* a wrong epoch displaces nothing */
	q.epoch = 3;
	third = env_fetch(v, &q);
	assert_int_equal(env_fetched(v, second)->error, 123);
	q.epoch = -1;
	assert_int_equal(env_fetched(v, env_ack(v, &q))->error, 0);
	assert_int_equal(env_fetched(v, third)->error, 123);
	env_free(v);
}

static void test_connection_closed(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};
	struct env_request q = {.group = "g", .member = "m", .node = 1, .epoch = 1, .conn = 900};
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 5);
	token = env_open(v, "g", "m", 1, 0, 1);
	ev.u.conn_id = token - 1; /* env_open's connection */
	token = env_fetch(v, &q);
	(void)env_batch(v, 0, 0, 5);
	{
		struct share_event other = {.type = SHARE_EV_CONN_CLOSED};

		other.u.conn_id = 900; /* of the request that waits, not of the session */
		env_apply(v, &other);
		assert_non_null(env_reply(v, token));
		env_serve(v);
		share_get_counts(v->e, &c);
		assert_int_equal(c.sessions, 1);
		assert_int_equal(c.held_records, 5); /* nothing was acquired for a dead request */
	}
	env_clear(v);
	env_apply(v, &ev);
	share_get_counts(v->e, &c);
	assert_int_equal(c.sessions, 0);
	assert_int_equal(c.held_records, 0);
	assert_int_equal(c.available_records, 5);
	assert_int_equal(env_change(v, 0)->type, SHARE_CHANGE_RECORDS);
	assert_int_equal(env_change(v, 0)->u.partition.ranges[0].delivery_count, 1);
	env_free(v);
}

static void test_session_opened_anew_keeps_locks(void **state)
{
	struct env *v = env_new(NULL);
	struct share_counts c;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 5);
	(void)env_open(v, "g", "m", 1, 0, 1);
	(void)env_open(v, "g", "m", 1, 0, 1);
	share_get_counts(v->e, &c);
	assert_int_equal(c.sessions, 1);
	assert_int_equal(c.held_records, 5);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 0, 4, 1), 0);
	env_free(v);
}

static void test_limit_of_sessions(void **state)
{
	struct share_engine_config cfg = env_config();
	struct env *v;
	uint64_t token;

	(void)state;
	cfg.max_share_sessions = 2;
	v = env_new(&cfg);
	env_group(v, "g", 0, 1, 0);
	(void)env_open(v, "g", "m1", 1, 0, 1);
	(void)env_open(v, "g", "m2", 1, 0, 1);
	(void)env_open(v, "g", "m3", 2, 0, 1); /* another node's table */
	token = env_open(v, "g", "m3", 1, 0, 1);
	assert_null(env_reply(v, token));      /* held back, so that the client does not come again at once */
	(void)env_open(v, "g", "m2", 1, 0, 1); /* has a place already */
	env_time(v, 500);
	assert_int_equal(env_fetched(v, token)->error, 133);
	env_free(v);
}

static void test_state_lost_and_stop(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event lost = {.type = SHARE_EV_STATE_LOST}, stop = {.type = SHARE_EV_STOP};
	struct share_counts c;
	uint64_t token;

	(void)state;
	env_group(v, "g", 0, 2, 0);
	token = env_open(v, "g", "m", 1, 0, 2);
	env_apply(v, &lost);
	assert_int_equal(env_fetched(v, token)->error, 0);
	assert_int_equal(env_fetched(v, token)->partitions_n, 2);
	assert_int_equal(env_fetched(v, token)->partitions[1].error, 6);
	share_get_counts(v->e, &c);
	assert_int_equal(c.sessions, 0);
	assert_int_equal(c.groups, 0);
	assert_int_equal(c.share_partitions, 0);
	env_group(v, "g", 0, 2, 0);
	token = env_open(v, "g", "m", 1, 0, 2);
	env_apply(v, &stop);
	assert_int_equal(env_fetched(v, token)->error, 0);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_two_nodes),
		cmocka_unit_test(test_partitions_of_a_session),
		cmocka_unit_test(test_a_fetch_waits),
		cmocka_unit_test(test_a_later_request_displaces),
		cmocka_unit_test(test_connection_closed),
		cmocka_unit_test(test_session_opened_anew_keeps_locks),
		cmocka_unit_test(test_limit_of_sessions),
		cmocka_unit_test(test_state_lost_and_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
