/* SPDX-License-Identifier: Apache-2.0 */
/* Administration, group configs, snapshots and restore. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "share_env.h"

static const char *const alpha[] = {"alpha"};

static const struct share_offsets_reply *offsets(
	struct env *v, enum share_event_type type, const char *group, int t, int32_t p, int64_t start)
{
	struct share_event ev = {.type = type, .token = ++v->token};
	struct share_topic_partition tp = {v->topics[t], p};

	if (type == SHARE_EV_DESCRIBE_OFFSETS) {
		ev.u.group.group_id = str_of(group);
	} else {
		ev.u.offsets.group_id = str_of(group);
		ev.u.offsets.partitions = &tp;
		ev.u.offsets.start_offsets = &start;
		ev.u.offsets.partitions_n = 1;
	}
	env_apply(v, &ev);
	return &env_reply(v, ev.token)->u.offsets;
}

static void test_describe(void **state)
{
	struct env *v = env_new(NULL);
	struct share_event ev = {.type = SHARE_EV_DESCRIBE, .token = 1000};
	const struct share_describe_reply *d;

	(void)state;
	ev.u.group.group_id = STR_LIT("g");
	env_apply(v, &ev);
	d = &env_reply(v, 1000)->u.describe;
	assert_int_equal(d->error, 69);
	assert_true(str_eq(d->error_message, STR_LIT("Group g not found.")));
	assert_string_equal(d->state, "");
	ev.token = 1003;
	ev.u.group.group_id = STR_LIT("");
	env_apply(v, &ev);
	assert_int_equal(env_reply(v, 1003)->u.describe.error, 24);
	ev.u.group.group_id = STR_LIT("g");
	env_topic(v, 0, 2);
	(void)env_heartbeat(v, "g", "m", 0, alpha, 1);
	env_resolve(v, 0);
	ev.token = 1001;
	env_apply(v, &ev);
	d = &env_reply(v, 1001)->u.describe;
	assert_int_equal(d->error, 0);
	assert_string_equal(d->state, "Stable");
	assert_string_equal(d->assignor, "simple");
	assert_int_equal(d->group.members_n, 1);
	assert_int_equal(d->group.members[0].assigned[0].partitions_n, 2);
	assert_int_equal(d->group.partitions_n, 1);
	assert_true(str_eq(d->group.partitions[0].topic_name, STR_LIT("alpha")));
	assert_int_equal(d->group.group_epoch, 2);
	(void)env_heartbeat(v, "g", "m", -1, NULL, 0);
	ev.token = 1002;
	env_apply(v, &ev);
	assert_string_equal(env_reply(v, 1002)->u.describe.state, "Empty");
	env_free(v);
}

static void test_offsets(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_offsets_reply *r;

	(void)state;
	env_topic(v, 0, 2);
	assert_int_equal(offsets(v, SHARE_EV_DESCRIBE_OFFSETS, "", 0, 0, 0)->error, 0);
	r = offsets(v, SHARE_EV_DESCRIBE_OFFSETS, "g", 0, 0, 0);
	assert_int_equal(r->error, 0); /* no group, no offsets, no error */
	assert_int_equal(r->partitions_n, 0);
	assert_int_equal(offsets(v, SHARE_EV_DELETE_OFFSETS, "g", 0, 0, 0)->error, 69);
	assert_int_equal(offsets(v, SHARE_EV_ALTER_OFFSETS, "", 0, 0, 0)->error, 24);
	r = offsets(v, SHARE_EV_ALTER_OFFSETS, "g", 0, 1, 42); /* makes the group */
	assert_int_equal(r->error, 0);
	assert_int_equal(r->partitions[0].error, 0);
	assert_int_equal(offsets(v, SHARE_EV_ALTER_OFFSETS, "g", 0, 2, 42)->partitions[0].error, 3);
	assert_int_equal(offsets(v, SHARE_EV_ALTER_OFFSETS, "g", 3, 0, 42)->partitions[0].error, 3);
	r = offsets(v, SHARE_EV_DESCRIBE_OFFSETS, "g", 0, 0, 0);
	assert_int_equal(r->partitions_n, 1);
	assert_int_equal(r->partitions[0].partition, 1);
	assert_int_equal(r->partitions[0].start_offset, 42);
	assert_int_equal(r->partitions[0].delivery_complete_count, 0);
	(void)env_heartbeat(v, "g", "m", 0, alpha, 1);
	assert_int_equal(offsets(v, SHARE_EV_ALTER_OFFSETS, "g", 0, 1, 42)->error, 68);
	assert_int_equal(offsets(v, SHARE_EV_DELETE_OFFSETS, "g", 0, 1, 42)->error, 68);
	(void)env_heartbeat(v, "g", "m", -1, NULL, 0);
	assert_int_equal(offsets(v, SHARE_EV_DELETE_OFFSETS, "g", 1, 0, 0)->partitions[0].error, 3);
	env_clear(v);
	assert_int_equal(offsets(v, SHARE_EV_DELETE_OFFSETS, "g", 0, 0, 0)->partitions[0].error, 0);
	assert_int_equal(env_change(v, 0)->type, SHARE_CHANGE_PARTITION_DELETED);
	assert_int_equal(offsets(v, SHARE_EV_DESCRIBE_OFFSETS, "g", 0, 0, 0)->partitions_n, 0);
	env_free(v);
}

static void test_done_records_are_counted(void **state)
{
	struct env *v = env_new(NULL);
	const struct share_offsets_reply *r;

	(void)state;
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 10);
	(void)env_open(v, "g", "m", 1, 0, 1);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 3, 6, 1), 0);
	r = offsets(v, SHARE_EV_DESCRIBE_OFFSETS, "g", 0, 0, 0);
	assert_int_equal(r->partitions[0].start_offset, 0);
	assert_int_equal(r->partitions[0].delivery_complete_count, 4);
	env_free(v);
}

static void test_configs_of_a_group(void **state)
{
	struct env *v = env_new(NULL);
	struct arena a;
	bool is_set;

	(void)state;
	arena_init(&a, 1 << 20);
	assert_int_equal(env_set(v, "g", "share.no.such.thing", "1"), 40);
	assert_int_equal(env_set(v, "g", "share.session.timeout.ms", "44999"), 40);
	assert_int_equal(env_set(v, "g", "share.session.timeout.ms", "x"), 40);
	assert_int_equal(env_set(v, "", "share.session.timeout.ms", "50000"), 42);
	assert_true(str_is_null(share_next_group(v->e, 0, STR_NULL)));
	env_clear(v);
	assert_int_equal(env_set(v, "g", "share.session.timeout.ms", "50000"), 0); /* before the group exists */
	assert_int_equal(env_change(v, 0)->type, SHARE_CHANGE_CONFIG);
	assert_true(str_eq(share_next_group(v->e, 0, STR_NULL), STR_LIT("g")));
	assert_true(
		str_eq(share_group_config_value(v->e, STR_LIT("g"), STR_LIT("share.session.timeout.ms"), &a, &is_set),
			STR_LIT("50000")));
	assert_true(is_set);
	assert_true(
		str_eq(share_group_config_value(v->e, STR_LIT("h"), STR_LIT("share.session.timeout.ms"), &a, &is_set),
			STR_LIT("45000")));
	assert_false(is_set);
	assert_true(str_is_null(share_group_config_value(v->e, STR_LIT("g"), STR_LIT("nothing"), &a, &is_set)));
	assert_int_equal(env_set(v, "g", "share.session.timeout.ms", NULL), 0);
	assert_true(str_is_null(share_next_group(v->e, 0, STR_NULL)));
	assert_int_equal(env_set(v, "g", "share.auto.offset.reset", "by_duration:P1DT2H3M4.5S"), 0);
	assert_true(
		str_eq(share_group_config_value(v->e, STR_LIT("g"), STR_LIT("share.auto.offset.reset"), &a, &is_set),
			STR_LIT("by_duration:P1DT2H3M4.5S")));
	arena_release(&a);
	env_free(v);
}

static void test_validate_only_and_all_together(void **state)
{
	struct env *v = env_new(NULL);
	struct share_config_entry c[] = {{STR_LIT("share.isolation.level"), STR_LIT("read_committed")},
		{STR_LIT("share.heartbeat.interval.ms"), STR_LIT("1")}};
	struct share_event ev = {.type = SHARE_EV_ALTER_CONFIG, .token = 5000};

	(void)state;
	ev.u.config.group_id = STR_LIT("g");
	ev.u.config.entries = c;
	ev.u.config.entries_n = 2;
	env_apply(v, &ev);
	assert_int_equal(env_reply(v, 5000)->u.config.error, 40);
	assert_int_equal(env_changes(v), 0);
	c[1].value = STR_LIT("6000");
	ev.u.config.validate_only = true;
	ev.token = 5001;
	env_apply(v, &ev);
	assert_int_equal(env_reply(v, 5001)->u.config.error, 0);
	assert_int_equal(env_changes(v), 0);
	ev.u.config.validate_only = false;
	ev.token = 5002;
	env_apply(v, &ev);
	assert_int_equal(env_changes(v), 2);
	env_free(v);
}

static void test_snapshot_and_restore(void **state)
{
	struct env *v = env_new(NULL);
	struct share_group_state st, again;
	struct share_event lost = {.type = SHARE_EV_STATE_LOST};
	struct arena a;
	uint64_t token;

	(void)state;
	arena_init(&a, 1 << 20);
	env_group(v, "g", 0, 1, 0);
	(void)env_batch(v, 0, 0, 10);
	(void)env_open(v, "g", "m", 1, 0, 1);
	assert_int_equal(env_ack_one(v, "g", "m", 1, 0, 0, 4, 5, 1), 0);
	assert_int_equal(env_ack_one(v, "g", "m", 2, 0, 0, 8, 8, 2), 0);
	assert_int_equal(share_snapshot(v->e, STR_LIT("nobody"), &a, &st), ERR_NOT_FOUND);
	assert_int_equal(share_snapshot(v->e, STR_LIT("g"), &a, &st), ERR_OK);
	assert_int_equal(st.partitions_n, 1);
	assert_int_equal(st.partitions[0].ranges_n, 2); /* held ones are what the log knows: nothing */
	assert_int_equal(st.partitions[0].ranges[1].first, 8);
	assert_int_equal(st.partitions[0].ranges[1].delivery_count, 1);
	assert_int_equal(share_restore(v->e, 0, &st, (struct share_now){v->now, 0}), ERR_INVALID); /* is here already */
	env_apply(v, &lost);
	assert_int_equal(share_restore(v->e, 0, &st, (struct share_now){v->now, 0}), ERR_OK);
	share_check(v->e);
	assert_int_equal(share_snapshot(v->e, STR_LIT("g"), &a, &again), ERR_OK);
	assert_int_equal(again.partitions[0].ranges_n, 2);
	assert_int_equal(again.group_epoch, st.group_epoch);
	token = env_open(v, "g", "m", 1, 0, 1);
	{
		const struct share_fetch_partition_reply *p = env_part(env_fetched(v, token), v->topics[0], 0);

		assert_int_equal(p->acquired_n, 4); /* 0-3, 6-7 again as if for the first time, 8 again, 9 */
		assert_int_equal(p->acquired[1].first, 6);
		assert_int_equal(p->acquired[1].delivery_count, 1);
		assert_int_equal(p->acquired[2].delivery_count, 2);
	}
	arena_release(&a);
	env_free(v);
}

static void test_restore_refuses_contradictions(void **state)
{
	struct env *v = env_new(NULL);
	struct share_state_range r[2] = {{10, 12, SHARE_ACKNOWLEDGED, 0}, {12, 15, SHARE_AVAILABLE, 1}};
	struct share_partition_state p = {v->topics[0], STR_LIT("alpha"), 0, 5, r, 2};
	struct share_group_state st = {.group_id = STR_LIT("g"),
		.exists = true,
		.group_epoch = 3,
		.assignment_epoch = 3,
		.partitions = &p,
		.partitions_n = 1};
	const struct share_now now = {v->now, 0};

	(void)state;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID); /* overlap */
	r[1].first = 13;
	r[0].first = 4;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID); /* below the start */
	r[0].first = 10;
	r[1].state = SHARE_ACQUIRED;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID);
	r[1].state = SHARE_AVAILABLE;
	r[1].last = 12;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID);
	r[1].last = INT64_MAX;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID);
	r[1].last = 15;
	r[1].delivery_count = -1;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID);
	r[1].delivery_count = 1;
	st.partitions_n = 2;
	{
		struct share_partition_state twice[2] = {p, p};

		st.partitions = twice;
		assert_int_equal(share_restore(v->e, 0, &st, now), ERR_INVALID);
	}
	st.partitions = &p;
	st.partitions_n = 1;
	assert_int_equal(share_restore(v->e, 0, &st, now), ERR_OK);
	share_check(v->e);
	env_free(v);
}

static void test_groups_of_a_state_partition(void **state)
{
	struct env *v = env_new(NULL);
	struct share_group_state st = {.group_id = STR_LIT("b"), .exists = true};
	struct str id;

	(void)state;
	assert_int_equal(share_restore(v->e, 1, &st, (struct share_now){0, 0}), ERR_OK);
	st.group_id = STR_LIT("a");
	assert_int_equal(share_restore(v->e, 1, &st, (struct share_now){0, 0}), ERR_OK);
	st.group_id = STR_LIT("c");
	assert_int_equal(share_restore(v->e, 2, &st, (struct share_now){0, 0}), ERR_OK);
	id = share_next_group(v->e, 1, STR_NULL);
	assert_true(str_eq(id, STR_LIT("a")));
	id = share_next_group(v->e, 1, id);
	assert_true(str_eq(id, STR_LIT("b")));
	assert_true(str_is_null(share_next_group(v->e, 1, id)));
	assert_true(str_is_null(share_next_group(v->e, 0, STR_NULL)));
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_describe),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_done_records_are_counted),
		cmocka_unit_test(test_configs_of_a_group),
		cmocka_unit_test(test_validate_only_and_all_together),
		cmocka_unit_test(test_snapshot_and_restore),
		cmocka_unit_test(test_restore_refuses_contradictions),
		cmocka_unit_test(test_groups_of_a_state_partition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
