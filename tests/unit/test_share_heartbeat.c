/* SPDX-License-Identifier: Apache-2.0 */
/* Membership: order of errors, epochs, the first answer with partitions, assignment, leaving and expiry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "share_env.h"

static const char *const alpha[] = {"alpha"};
static const char *const both[] = {"beta", "alpha", "beta"};

static const struct share_heartbeat_reply *answer(const struct env *v, uint64_t token)
{
	const struct share_effect *fx = env_reply(v, token);

	assert_non_null(fx);
	assert_int_equal(fx->reply_type, SHARE_EV_HEARTBEAT);
	return &fx->u.heartbeat;
}

static uint32_t assigned(const struct share_heartbeat_reply *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->assignment_n; i++)
		n += r->assignment[i].partitions_n;
	return n;
}

static void test_malformed_requests_are_42(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT};

	(void)state;
	assert_int_equal(answer(v, env_heartbeat(v, "g", "", 0, alpha, 1))->error, 42);
	assert_int_equal(answer(v, env_heartbeat(v, "", "m", 0, alpha, 1))->error, 42);
	assert_int_equal(
		answer(v, env_heartbeat(v, "g", "1234567890123456789012345678901234567", 0, alpha, 1))->error, 42);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m", 0, NULL, 0))->error, 42);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m", 0, alpha, 0))->error, 42);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m", -2, NULL, 0))->error, 42);
	ev.token = ++v->token;
	ev.u.heartbeat.group_id = STR_LIT("g");
	ev.u.heartbeat.member_id = STR_LIT("m");
	ev.u.heartbeat.rack_id = STR_LIT("");
	ev.u.heartbeat.member_epoch = 5;
	env_apply(v, &ev);
	assert_int_equal(answer(v, ev.token)->error, 42);
	assert_false(str_is_null(answer(v, ev.token)->error_message));
	assert_int_equal(env_changes(v), 0);
	env_free(v);
}

/* 9,999 names of 60 bytes once made a member's record larger than a batch of the state log. */
static void test_subscription_has_a_ceiling(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT, .token = ++v->token};
	struct str *names = mem_zalloc(9999, sizeof(*names));

	(void)state;
	for (uint32_t i = 0; i < 9999; i++)
		names[i] = STR_LIT("topic-with-a-name-of-sixty-bytes-xxxxxxxxxxxxxxxxxxxxxxxxxxx");
	ev.u.heartbeat.group_id = STR_LIT("g");
	ev.u.heartbeat.member_id = STR_LIT("m");
	ev.u.heartbeat.topics = names;
	ev.u.heartbeat.topics_n = 9999;
	ev.u.heartbeat.client_id = STR_LIT("client");
	ev.u.heartbeat.client_host = STR_LIT("/127.0.0.1");
	env_apply(v, &ev);
	assert_int_equal(answer(v, ev.token)->error, 42);
	assert_int_equal(env_changes(v), 0);
	mem_free(names);
	env_free(v);
}

static void test_epochs(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;

	(void)state;
	env_topic(v, 0, 3);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m", 5, NULL, 0))->error, 69);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m", -1, NULL, 0))->error, 69);
	(void)env_heartbeat(v, "g", "m", 0, alpha, 1);
	env_resolve(v, 0);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "other", 5, NULL, 0))->error, 25);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "other", -1, NULL, 0))->error, 25);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m", 3, NULL, 0))->error, 110);
	r = answer(v, env_heartbeat(v, "g", "m", 2, NULL, 0));
	assert_int_equal(r->error, 0);
	assert_int_equal(r->member_epoch, 2);
	assert_false(r->has_assignment);
	assert_int_equal(r->heartbeat_interval_ms, 5000);
	env_time(v, 2000);
	(void)env_heartbeat(v, "g", "n", 0, alpha, 1);
	env_time(v, 2000);
	r = answer(v, env_heartbeat(v, "g", "m", 2, NULL, 0)); /* the group has gone on */
	assert_int_equal(r->member_epoch, 3);
	assert_true(r->has_assignment);
	r = answer(v, env_heartbeat(v, "g", "m", 2, NULL, 0)); /* that answer was lost: the one before is accepted */
	assert_int_equal(r->error, 0);
	assert_true(r->has_assignment);
	r = answer(v, env_heartbeat(v, "g", "m", 0, alpha, 1)); /* a rejoin does not fence */
	assert_int_equal(r->error, 0);
	assert_int_equal(r->member_epoch, 3);
	assert_true(r->has_assignment);
	env_free(v);
}

static void test_first_answer_has_the_partitions(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;
	uint64_t first, second;

	(void)state;
	env_topic(v, 0, 4);
	env_topic(v, 1, 2);
	first = env_heartbeat(v, "g", "m1", 0, both, 3);
	second = env_heartbeat(v, "g", "m2", 0, both, 2);
	assert_null(env_reply(v, first));
	assert_null(env_reply(v, second));
	assert_int_equal(v->resolves_total, 6); /* one for each partition, however many members join */
	assert_int_equal(v->resolves[0].strategy, SHARE_OFFSET_LATEST);
	env_resolve(v, 17);
	r = answer(v, first);
	assert_int_equal(r->error, 0);
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r) + assigned(answer(v, second)), 6);
	assert_int_equal(assigned(r), 3);
	assert_true(env_reply(v, first)->after_durable);
	env_free(v);
}

static void test_join_is_answered_after_five_seconds_at_most(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_OFFSET};
	uint64_t token;
	const struct share_heartbeat_reply *r;

	(void)state;
	env_topic(v, 0, 2);
	token = env_heartbeat(v, "g", "m", 0, alpha, 1);
	ev.u.offset.group_id = STR_LIT("g");
	ev.u.offset.topic_id = v->topics[0];
	ev.u.offset.partition = 0;
	ev.u.offset.offset = 7;
	env_apply(v, &ev);
	ev.u.offset.partition = 1;
	ev.u.offset.error = 6;
	env_apply(v, &ev);
	env_time(v, 999);
	assert_int_equal(v->resolves_total, 2);
	env_time(v, 1);
	assert_int_equal(v->resolves_total, 3); /* asked again a second later */
	env_time(v, 3999);
	assert_null(env_reply(v, token));
	assert_int_equal(share_next_deadline(v->e), v->now + 1);
	env_time(v, 1);
	r = answer(v, token);
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 1);
	v->resolves_n = 1;
	v->resolves[0].partition = 1;
	env_resolve(v, 9);
	env_time(v, 5000);
	r = answer(v, env_heartbeat(v, "g", "m", r->member_epoch, NULL, 0));
	assert_int_equal(assigned(r), 2);
	env_free(v);
}

static void test_new_partitions_start_at_zero(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;
	const struct share_change *c = NULL;

	(void)state;
	env_topic(v, 0, 1);
	(void)env_heartbeat(v, "g", "m", 0, alpha, 1);
	env_resolve(v, 100);
	env_time(v, 2000);
	env_clear(v);
	env_topic(v, 0, 2);
	assert_int_equal(v->resolves_n, 0);
	c = env_change(v, 0);
	assert_int_equal(c->type, SHARE_CHANGE_PARTITION);
	assert_int_equal(c->u.partition.partition, 1);
	assert_int_equal(c->u.partition.start_offset, 0);
	r = answer(v, env_heartbeat(v, "g", "m", 2, NULL, 0));
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 2);
	env_free(v);
}

static void test_reset_strategies(void **state)
{
	struct env *v = env_new(NULL);

	(void)state;
	env_topic(v, 0, 1);
	assert_int_equal(env_set(v, "e", "share.auto.offset.reset", "earliest"), 0);
	assert_int_equal(env_set(v, "d", "share.auto.offset.reset", "by_duration:PT1H"), 0);
	(void)env_heartbeat(v, "e", "m", 0, alpha, 1);
	assert_int_equal(v->resolves[0].strategy, SHARE_OFFSET_EARLIEST);
	(void)env_heartbeat(v, "d", "m", 0, alpha, 1);
	assert_int_equal(v->resolves[1].strategy, SHARE_OFFSET_TIMESTAMP);
	assert_int_equal(v->resolves[1].timestamp, 1700000000000 + v->now - 3600000);
	env_free(v);
}

static void test_unknown_topic_appears_later(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;

	(void)state;
	r = answer(v, env_heartbeat(v, "g", "m", 0, alpha, 1)); /* nothing to wait for */
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 0);
	env_topic(v, 0, 2);
	env_resolve(v, 0);
	env_time(v, 1000);
	r = answer(v, env_heartbeat(v, "g", "m", r->member_epoch, NULL, 0));
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 2);
	env_free(v);
}

static void test_assignment_interval(void **state)
{
	struct env *v = env_new(NULL);
	uint64_t token;

	(void)state;
	env_topic(v, 0, 2);
	(void)env_heartbeat(v, "g", "m1", 0, alpha, 1);
	env_resolve(v, 0);
	env_time(v, 400);
	token = env_heartbeat(v, "g", "m2", 0, alpha, 1);
	assert_null(env_reply(v, token)); /* the last assignment is younger than a second */
	env_time(v, 599);
	assert_null(env_reply(v, token));
	env_time(v, 1);
	assert_int_equal(assigned(answer(v, token)), 1);
	env_time(v, 1500);
	token = env_heartbeat(v, "g", "m3", 0, alpha, 1); /* an older one: at once */
	assert_non_null(env_reply(v, token));
	env_free(v);
}

static void test_leave_and_expiry(void **state)
{
	struct env *v = env_new(NULL);
	struct share_counts c;
	const struct share_heartbeat_reply *r;
	const struct share_change *change;

	(void)state;
	env_topic(v, 0, 2);
	(void)env_heartbeat(v, "g", "m1", 0, alpha, 1);
	env_resolve(v, 0);
	env_time(v, 1000);
	(void)env_heartbeat(v, "g", "m2", 0, alpha, 1);
	env_clear(v);
	r = answer(v, env_heartbeat(v, "g", "m1", -1, alpha, 0));
	assert_int_equal(r->error, 0);
	assert_int_equal(r->member_epoch, -1);
	assert_int_equal(r->heartbeat_interval_ms, 0);
	assert_false(r->has_assignment);
	assert_int_equal(env_change(v, 0)->type, SHARE_CHANGE_MEMBER_REMOVED);
	env_time(v, 44999);
	share_get_counts(v->e, &c);
	assert_int_equal(c.members, 1);
	env_clear(v);
	env_time(v, 1);
	share_get_counts(v->e, &c);
	assert_int_equal(c.members, 0);
	assert_int_equal(env_change(v, 0)->type, SHARE_CHANGE_MEMBER_REMOVED);
	change = env_change(v, 1); /* the last one: the next member need not wait for an assignment */
	assert_int_equal(change->type, SHARE_CHANGE_GROUP);
	assert_int_equal(change->u.group.group_epoch, change->u.group.assignment_epoch);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m2", 3, NULL, 0))->error, 25);
	assert_int_equal(assigned(answer(v, env_heartbeat(v, "g", "m3", 0, alpha, 1))), 2);
	env_free(v);
}

static void test_group_size_limit(void **state)
{
	struct share_engine_config cfg = env_config();
	struct env *v;

	(void)state;
	cfg.group_max_size = 2;
	v = env_new(&cfg);
	(void)env_heartbeat(v, "g", "m1", 0, alpha, 1);
	(void)env_heartbeat(v, "g", "m2", 0, alpha, 1);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m3", 0, alpha, 1))->error, 81);
	env_time(v, 5000);
	assert_int_equal(answer(v, env_heartbeat(v, "g", "m2", 0, alpha, 1))->error, 0);
	env_free(v);
}

static void test_subscription_change_and_topic_gone(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_TOPIC_GONE};
	const struct share_heartbeat_reply *r;
	uint64_t token;

	(void)state;
	env_topic(v, 0, 2);
	env_topic(v, 1, 3);
	token = env_heartbeat(v, "g", "m", 0, both, 3);
	env_resolve(v, 0);
	assert_int_equal(assigned(answer(v, token)), 5);
	env_time(v, 1000);
	r = answer(v, env_heartbeat(v, "g", "m", 2, alpha, 1));
	assert_int_equal(r->member_epoch, 3);
	assert_int_equal(assigned(r), 2);
	env_time(v, 1000);
	ev.u.topic.topic_id = v->topics[0];
	env_apply(v, &ev);
	r = answer(v, env_heartbeat(v, "g", "m", 3, NULL, 0));
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 0);
	env_free(v);
}

static void test_waiting_heartbeats_end_with_the_state(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event lost = {.type = SHARE_EV_STATE_LOST}, stop = {.type = SHARE_EV_STOP};
	uint64_t token;

	(void)state;
	env_topic(v, 0, 2);
	token = env_heartbeat(v, "g", "m", 0, alpha, 1);
	assert_null(env_reply(v, token));
	env_apply(v, &lost);
	assert_int_equal(answer(v, token)->error, 16);
	token = env_heartbeat(v, "g", "m", 0, alpha, 1);
	env_apply(v, &stop);
	assert_int_equal(answer(v, token)->error, 0);
	assert_true(answer(v, token)->has_assignment);
	env_free(v);
}

/* A group of two partitions with one member "m" at epoch 3, as a state log tells it; the member has them or nothing. */
static void restore_group(struct env *v, bool has_them)
{
	static const int32_t numbers[] = {0, 1};
	struct str name = STR_LIT("alpha");
	struct share_partition_state p[2] = {{v->topics[0], name, 0, 5, NULL, 0}, {v->topics[0], name, 1, 5, NULL, 0}};
	struct share_topic_partitions has = {v->topics[0], numbers, 2};
	struct share_member_state m = {.member_id = STR_LIT("m"),
		.member_epoch = 3,
		.previous_epoch = 2,
		.client_id = STR_LIT("client"),
		.client_host = STR_LIT("/127.0.0.1"),
		.subscribed = &name,
		.subscribed_n = 1,
		.assigned = &has,
		.assigned_n = has_them};
	struct share_group_state st = {.group_id = STR_LIT("g"),
		.exists = true,
		.group_epoch = 3,
		.assignment_epoch = 3,
		.partitions = p,
		.partitions_n = 2,
		.members = &m,
		.members_n = 1};

	assert_int_equal(share_restore(v->e, 0, &st, (struct share_now){v->now, 0}), ERR_OK);
}

/* Who takes over may know of a topic later than of the groups that read it: a member that joined in between once left
 * all of them without partitions for ever. */
static void test_topic_comes_after_its_group(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;
	int32_t epoch;

	(void)state;
	restore_group(v, true);
	r = answer(v, env_heartbeat(v, "g", "n", 0, alpha, 1));
	assert_int_equal(r->error, 0);
	assert_int_equal(assigned(r), 0);
	epoch = r->member_epoch;
	env_topic(v, 0, 2);
	env_time(v, 1000);
	r = answer(v, env_heartbeat(v, "g", "n", epoch, NULL, 0));
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 1);
	r = answer(v, env_heartbeat(v, "g", "m", 3, NULL, 0));
	assert_true(r->has_assignment);
	assert_int_equal(assigned(r), 1);
	share_check(v->e);
	env_free(v);
}

/* The owner before may have died while its members had nothing for that reason. */
static void test_restored_without_partitions(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;

	(void)state;
	env_topic(v, 0, 2);
	restore_group(v, false);
	r = answer(v, env_heartbeat(v, "g", "m", 3, alpha, 1));
	assert_int_equal(r->error, 0);
	assert_int_equal(assigned(r), 2);
	share_check(v->e);
	env_free(v);
}

/* Nothing is assigned anew where all have what they should have. */
static void test_restored_with_partitions(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_heartbeat_reply *r;

	(void)state;
	restore_group(v, true);
	env_topic(v, 0, 2);
	r = answer(v, env_heartbeat(v, "g", "m", 3, alpha, 1));
	assert_int_equal(r->member_epoch, 3);
	assert_int_equal(assigned(r), 2);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_malformed_requests_are_42),
		cmocka_unit_test(test_subscription_has_a_ceiling),
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_first_answer_has_the_partitions),
		cmocka_unit_test(test_join_is_answered_after_five_seconds_at_most),
		cmocka_unit_test(test_new_partitions_start_at_zero),
		cmocka_unit_test(test_reset_strategies),
		cmocka_unit_test(test_unknown_topic_appears_later),
		cmocka_unit_test(test_assignment_interval),
		cmocka_unit_test(test_leave_and_expiry),
		cmocka_unit_test(test_group_size_limit),
		cmocka_unit_test(test_subscription_change_and_topic_gone),
		cmocka_unit_test(test_waiting_heartbeats_end_with_the_state),
		cmocka_unit_test(test_topic_comes_after_its_group),
		cmocka_unit_test(test_restored_without_partitions),
		cmocka_unit_test(test_restored_with_partitions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
