/* SPDX-License-Identifier: Apache-2.0 */
/* An owner's life: claim, load, group commit, limits, base offsets, and starting again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "statelog/format.h"
#include "test_statelog_util.h"
#include "wire/batch.h"

struct fixture {
	struct fake_partition p;
	struct owner o;
};

static void fixture_init(struct fixture *f, const struct statelog_config *cfg)
{
	fake_partition_init(&f->p);
	owner_init(&f->o, &f->p, cfg);
	owner_start(&f->o);
	owner_run(&f->o);
	assert_true(f->o.loaded);
	assert_int_equal(statelog_get_state(f->o.l), STATELOG_OWNED);
}

static void fixture_release(struct fixture *f)
{
	owner_release(&f->o);
	fake_partition_release(&f->p);
}

static struct share_state_range acked(int64_t offset)
{
	return (struct share_state_range){offset, offset, SHARE_ACKNOWLEDGED, 1};
}

static void ack(struct owner *o, uint32_t g, int64_t offset)
{
	struct share_state_range r = acked(offset);
	struct share_change c = records_change(g, -1, &r, 1);

	owner_append(o, &c);
}

static void two_groups(struct owner *o)
{
	for (uint32_t g = 0; g < 2; g++) {
		struct share_change c = group_change(g, 1), p = partition_change(g, 0);

		owner_append(o, &c);
		owner_append(o, &p);
	}
	owner_run(o);
}

static struct statelog_counts counts(const struct owner *o)
{
	struct statelog_counts n;

	statelog_get_counts(o->l, &n);
	return n;
}

static void test_empty_log(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;

	(void)state;
	fixture_init(&f, &cfg);
	assert_int_equal(f.p.end, 1);
	assert_int_equal(counts(&f.o).owner_epoch, 0);
	assert_int_equal(counts(&f.o).next_offset, 1);
	assert_string_equal(statelog_reason(f.o.l), "");
	assert_int_equal(statelog_next(f.o.l, 1).type, STATELOG_NONE);
	fixture_release(&f);
}

static void test_group_commit(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;
	uint64_t first;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	f.o.hold_writes = true;
	ack(&f.o, 0, 5);
	first = statelog_appended(f.o.l);
	owner_run(&f.o);
	assert_non_null(f.o.flight);
	for (int64_t i = 10; i < 20; i++)
		ack(&f.o, (uint32_t)i % 2, i);
	owner_run(&f.o); /* one batch in flight: nothing more goes out */
	assert_int_equal(statelog_durable(f.o.l), first - 1);
	assert_true(counts(&f.o).pending_bytes > 0);
	owner_land(&f.o);
	assert_int_equal(statelog_durable(f.o.l), first);
	owner_run(&f.o);
	assert_non_null(f.o.flight);
	assert_int_equal(counts(&f.o).pending_bytes, 0);
	owner_land(&f.o);
	assert_int_equal(statelog_durable(f.o.l), first + 10);
	assert_int_equal(statelog_appended(f.o.l), first + 10);
	owner_run(&f.o);
	assert_null(f.o.flight);
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

static void test_sizes(void **state)
{
	struct share_state_range one[1];
	struct statelog_config cfg = owner_config();
	struct share_change c;
	struct fixture f;
	uint64_t before;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	ack(&f.o, 0, 0);
	owner_run(&f.o);
	f.o.hold_writes = true;
	c = records_change(0, 1000000000, NULL, 0);
	owner_append(&f.o, &c);
	owner_run(&f.o);
	before = counts(&f.o).bytes;
	for (int64_t i = 0; i < 64; i++) { /* 64 clients, a record each, far in the log */
		one[0] = (struct share_state_range){1000000000 + 2 * i, 1000000000 + 2 * i, SHARE_ACKNOWLEDGED, 1};
		c = records_change(0, -1, one, 1);
		owner_append(&f.o, &c);
	}
	owner_land(&f.o);
	before = counts(&f.o).bytes;
	owner_run(&f.o);
	owner_land(&f.o);
	assert_true((counts(&f.o).bytes - before) / 64 <= 13);
	before = counts(&f.o).bytes;
	c = records_change(0, 1000000500, NULL, 0); /* 500 accepts at the front */
	owner_append(&f.o, &c);
	owner_run(&f.o);
	owner_land(&f.o);
	assert_true(counts(&f.o).bytes - before <= 95);
	fixture_release(&f);
}

static void queue_append(struct owner *o, uint32_t i, enum share_change_type type, int64_t first, int64_t last)
{
	struct share_state_range r = {first, last, SHARE_ACKNOWLEDGED, 1};
	struct share_change c = {.type = type};
	char group[24];
	uint64_t seq;

	snprintf(group, sizeof(group), "workers-%u", i / 4);
	c.group_id = str_of(group);
	c.u.partition = (struct share_partition_state){
		.topic_id = shadow_topic(),
		.topic_name = STR_LIT("jobs"),
		.partition = (int32_t)i % 4,
		.start_offset = type == SHARE_CHANGE_PARTITION ? 0 : -1,
	};
	if (type == SHARE_CHANGE_RECORDS) {
		c.u.partition.ranges = &r;
		c.u.partition.ranges_n = 1;
	}
	assert_int_equal(statelog_append(o->l, &c, &seq), ERR_OK);
}

/* Bytes of the batch that k acknowledgements make which wait together, of one offset each and of as many partitions. */
static uint64_t queue_batch(struct owner *o, uint32_t k, int64_t offset)
{
	struct statelog_counts before = counts(o), after;

	for (uint32_t i = 0; i < k; i++)
		queue_append(o, i, SHARE_CHANGE_RECORDS, offset + i, offset + i);
	owner_run(o);
	after = counts(o);
	assert_int_equal(after.batches, before.batches + 1);
	assert_int_equal(after.records, before.records + k);
	return after.bytes - before.bytes;
}

/* As in a job queue: each acknowledges one record at a time, in 16 groups of 4 partitions, far in a long log. */
static void test_bytes_of_an_acknowledgement(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;
	uint64_t one, many;

	(void)state;
	fixture_init(&f, &cfg);
	for (uint32_t i = 0; i < 64; i++)
		queue_append(&f.o, i, SHARE_CHANGE_PARTITION, 0, 0);
	owner_run(&f.o);
	one = queue_batch(&f.o, 1, 5000000000);
	print_message("bytes of log an acknowledgement: alone %d, of 16 %d, of 64 %d\n", (int)one,
		(int)(queue_batch(&f.o, 16, 5000000000) / 16), (int)(queue_batch(&f.o, 64, 5000000000) / 64));
	assert_true(one <= 90);
	assert_true(queue_batch(&f.o, 16, 5000001000) <= 16 * 20);
	assert_true(queue_batch(&f.o, 64, 5000001000) <= 64 * 15);
	many = counts(&f.o).bytes; /* 500 that follow each other are one range */
	queue_append(&f.o, 0, SHARE_CHANGE_RECORDS, 5000002000, 5000002499);
	owner_run(&f.o);
	many = counts(&f.o).bytes - many;
	assert_true(many <= one + 2);
	fixture_release(&f);
}

static void test_numbers_of_many_owners(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	for (int i = 0; i < 4; i++) { /* each numbers anew, in another order */
		struct shadow mem;

		ack(&f.o, (uint32_t)i % 2, 2 * i);
		ack(&f.o, (uint32_t)(i + 1) % 2, 2 * i + 20);
		owner_run(&f.o);
		mem = f.o.mem;
		assert_replays(&f.p, &mem);
		owner_start(&f.o);
		owner_run(&f.o);
		assert_true(f.o.loaded);
	}
	fixture_release(&f);
}

static void test_appends_only_when_owned(void **state)
{
	struct statelog_config cfg = owner_config();
	struct share_change c = group_change(0, 1);
	struct fixture f;
	uint64_t seq = 99;

	(void)state;
	fixture_init(&f, &cfg);
	f.o.hold_writes = true;
	owner_append(&f.o, &c);
	owner_run(&f.o);
	chunk_unref(f.o.flight);
	f.o.flight = NULL;
	statelog_write_failed(f.o.l, "no room in the broker's house");
	assert_int_equal(statelog_append(f.o.l, &c, &seq), ERR_CLOSED);
	assert_int_equal(seq, 99);
	owner_run(&f.o);
	assert_true(f.o.lost);
	assert_int_equal(statelog_get_state(f.o.l), STATELOG_LOST);
	assert_string_equal(statelog_reason(f.o.l), "state partition 3, offset 1: no room in the broker's house");
	assert_int_equal(statelog_durable(f.o.l), 0);
	f.o.hold_writes = false;
	owner_start(&f.o);
	owner_run(&f.o);
	assert_true(f.o.loaded);
	assert_string_equal(statelog_reason(f.o.l), "");
	assert_false(shadow_has(&f.o.mem, 0));
	fixture_release(&f);
}

/* Memory and log do not agree any more: the ownership ends with or without a write on its way. */
static void test_abandon(void **state)
{
	struct statelog_config cfg = owner_config();
	struct share_change c = group_change(0, 1);
	struct fixture f;
	uint64_t seq;

	(void)state;
	fixture_init(&f, &cfg);
	statelog_abandon(f.o.l, "a change did not fit");
	assert_int_equal(statelog_get_state(f.o.l), STATELOG_LOST);
	owner_run(&f.o);
	assert_true(f.o.lost);
	statelog_abandon(f.o.l, "told once only");
	assert_string_equal(statelog_reason(f.o.l), "state partition 3, offset 1: a change did not fit");
	owner_start(&f.o);
	owner_run(&f.o);
	f.o.hold_writes = true;
	owner_append(&f.o, &c);
	owner_run(&f.o);
	chunk_unref(f.o.flight);
	f.o.flight = NULL;
	statelog_abandon(f.o.l, "a change did not fit");
	assert_int_equal(statelog_append(f.o.l, &c, &seq), ERR_CLOSED);
	f.o.hold_writes = false;
	owner_start(&f.o);
	owner_run(&f.o);
	assert_true(f.o.loaded);
	fixture_release(&f);
}

static void test_limits(void **state)
{
	struct statelog_config cfg = owner_config();
	char *big = mem_zalloc(1, 40000);
	struct share_change c = group_change(0, 1), big_config;
	struct share_state_range r = acked(3);
	struct fixture f;
	uint64_t seq, appended;
	enum err e;

	(void)state;
	memset(big, 'x', 40000);
	cfg.max_batch_bytes = 2000;
	cfg.max_pending_bytes = 1000;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	appended = statelog_appended(f.o.l);
	big_config = c;
	big_config.type = SHARE_CHANGE_CONFIG;
	big_config.u.config = (struct share_config_entry){STR_LIT("c0"), {big, 1900}};
	assert_int_equal(statelog_append(f.o.l, &big_config, &seq), ERR_TOO_LARGE); /* no batch holds it */
	big_config.u.config.value.n = 40000;
	assert_int_equal(statelog_append(f.o.l, &big_config, &seq), ERR_TOO_LARGE); /* nor the field's length */
	big_config.u.config.value.n = 1100;
	assert_int_equal(statelog_append(f.o.l, &big_config, &seq), ERR_TOO_LARGE); /* nor the pending bytes, ever */
	big_config = c;
	big_config.group_id = (struct str){big, 5000};
	assert_int_equal(statelog_append(f.o.l, &big_config, &seq), ERR_TOO_LARGE);
	assert_int_equal(statelog_appended(f.o.l), appended);
	assert_true(statelog_has_room(f.o.l));
	c = records_change(0, -1, &r, 1);
	while ((e = statelog_append(f.o.l, &c, &seq)) == ERR_OK) {
		assert_int_equal(seq, ++appended);
		assert_true(counts(&f.o).pending_bytes <= 1000);
	}
	assert_int_equal(e, ERR_FULL);
	assert_false(statelog_has_room(f.o.l));
	assert_true(counts(&f.o).pending_bytes > 700);
	shadow_apply(&f.o.mem, &c);
	owner_run(&f.o);
	assert_true(statelog_has_room(f.o.l));
	assert_int_equal(statelog_durable(f.o.l), appended);
	owner_append(&f.o, &c);
	owner_run(&f.o);
	assert_replays(&f.p, &f.o.mem);
	mem_free(big);
	fixture_release(&f);
}

static void test_junk_before_a_write_does_no_harm(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	for (int i = 0; i < 3; i++)
		produce_junk(&f.p);
	f.o.hold_writes = true;
	ack(&f.o, 0, 1);
	owner_run(&f.o);
	f.o.read_max = 1; /* a batch at a time */
	owner_land(&f.o);
	assert_int_equal(statelog_durable(f.o.l), statelog_appended(f.o.l) - 1); /* not known yet */
	owner_run(&f.o);
	assert_int_equal(statelog_durable(f.o.l), statelog_appended(f.o.l));
	assert_int_equal(counts(&f.o).foreign_batches, 3);
	assert_int_equal(counts(&f.o).next_offset, f.p.end);
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

static void test_later_claim_loses(void **state)
{
	struct statelog_config cfg = owner_config();
	struct owner o2;
	struct fixture f;
	struct shadow before;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	before = f.o.mem;
	f.o.hold_writes = true;
	ack(&f.o, 0, 1);
	owner_run(&f.o);
	owner_init(&o2, &f.p, &cfg);
	owner_start(&o2);
	owner_run(&o2);
	owner_land(&f.o);
	owner_run(&f.o);
	assert_true(f.o.lost);
	assert_int_equal(statelog_get_state(f.o.l), STATELOG_LOST);
	assert_non_null(strstr(statelog_reason(f.o.l), "another sluice has claimed"));
	assert_int_equal(statelog_durable(f.o.l), statelog_appended(f.o.l) - 1);
	ack(&o2, 1, 2);
	owner_run(&o2); /* the new owner meets the late write, and does not mind */
	assert_false(o2.lost);
	assert_int_equal(counts(&o2).foreign_batches, 1);
	shadow_apply(&before,
		&(struct share_change){.type = SHARE_CHANGE_GROUP, .group_id = STR_LIT("g0"), .u.group = {1, 1}});
	assert_memory_equal(&before.groups[0], &o2.mem.groups[0], sizeof(before.groups[0]));
	assert_replays(&f.p, &o2.mem);
	owner_release(&o2);
	fixture_release(&f);
}

static void test_written_twice(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;
	struct chunk *c;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	f.o.hold_writes = true;
	ack(&f.o, 0, 1);
	owner_run(&f.o);
	c = chunk_ref(f.o.flight);
	fake_partition_produce(&f.p, c);
	f.p.producers_n = 0; /* the broker forgets the producer */
	owner_land(&f.o);
	owner_run(&f.o);
	assert_true(f.o.lost);
	assert_non_null(strstr(statelog_reason(f.o.l), "written twice"));
	assert_replays(&f.p, &f.o.mem); /* and is read once */
	chunk_unref(c);
	fixture_release(&f);
}

static void test_end_cut_off(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	f.o.hold_writes = true;
	ack(&f.o, 0, 1);
	owner_run(&f.o);
	chunk_unref(f.o.flight);
	f.o.flight = NULL;
	statelog_write_done(f.o.l, 1);
	owner_run(&f.o);
	assert_true(f.o.lost);
	assert_non_null(strstr(statelog_reason(f.o.l), "cut off"));
	fixture_release(&f);
}

/* The log is trimmed by the old owner while the new one reads it. */
static void test_trim_while_loading(void **state)
{
	struct statelog_config cfg = owner_config();
	struct statelog_action act;
	struct fixture f;
	struct owner o2;
	struct buf b;

	(void)state;
	cfg.checkpoint_min_bytes = 150;
	fixture_init(&f, &cfg);
	f.o.hold_trims = true;
	two_groups(&f.o);
	assert_int_equal(f.o.trims, 1);
	owner_init(&o2, &f.p, &cfg);
	owner_start(&o2);
	act = statelog_next(o2.l, 1);
	o2.flight = act.u.batch;
	owner_land(&o2);
	act = statelog_next(o2.l, 1);
	assert_int_equal(act.type, STATELOG_READ);
	assert_int_equal(act.u.offset, 0);
	fake_partition_trim(&f.p, f.o.trim); /* lands now: out of range */
	statelog_read_done(o2.l, (struct bytes){NULL, 0}, f.p.end, f.p.log_start);
	act = statelog_next(o2.l, 1);
	assert_int_equal(act.type, STATELOG_READ);
	assert_int_equal(act.u.offset, f.p.log_start);
	statelog_read_done(o2.l, (struct bytes){NULL, 0}, f.p.end, f.p.log_start); /* a throttled answer */
	act = statelog_next(o2.l, 1);
	assert_int_equal(act.type, STATELOG_READ);
	assert_int_equal(act.u.offset, f.p.log_start);
	buf_init(&b, 100000);
	fake_partition_read(&f.p, f.p.log_start, 100000, &b);
	statelog_read_done(o2.l, (struct bytes){buf_head(&b), buf_len(&b) - 1}, f.p.end, f.p.log_start); /* cut off */
	act = statelog_next(o2.l, 1);
	assert_int_equal(act.type, STATELOG_READ);
	assert_int_equal(act.u.offset, f.p.end - 1);
	statelog_read_done(o2.l, (struct bytes){buf_head(&b), buf_len(&b)}, f.p.end, f.p.log_start); /* begins before */
	act = statelog_next(o2.l, 1);
	assert_int_equal(act.type, STATELOG_LOADED);
	buf_release(&b);
	assert_replays(&f.p, &f.o.mem);
	owner_release(&o2);
	fixture_release(&f);
}

static void test_starts_again_after_lost(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;
	struct owner o2;

	(void)state;
	cfg.checkpoint_min_bytes = 300;
	fixture_init(&f, &cfg);
	owner_init(&o2, &f.p, &cfg);
	two_groups(&f.o);
	for (int turn = 0; turn < 10; turn++) { /* they take it from each other */
		struct owner *now = turn % 2 ? &f.o : &o2, *old = turn % 2 ? &o2 : &f.o;
		struct shadow truth = old->mem;

		owner_start(now);
		owner_run(now);
		assert_true(now->loaded);
		ack(now, 0, turn);
		shadow_apply(&truth,
			&(struct share_change){
				.type = SHARE_CHANGE_RECORDS,
				.group_id = STR_LIT("g0"),
				.u.partition = {.topic_id = shadow_topic(),
					.start_offset = -1,
					.ranges = &(struct share_state_range){turn, turn, SHARE_ACKNOWLEDGED, 1},
					.ranges_n = 1},
			});
		owner_run(now);
		ack(old, 1, turn);
		owner_run(old);
		assert_true(old->lost);
		assert_replays(&f.p, &truth);
		owner_start(now);
		owner_run(now);
	}
	owner_release(&o2);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_log),
		cmocka_unit_test(test_group_commit),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_bytes_of_an_acknowledgement),
		cmocka_unit_test(test_numbers_of_many_owners),
		cmocka_unit_test(test_appends_only_when_owned),
		cmocka_unit_test(test_abandon),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_junk_before_a_write_does_no_harm),
		cmocka_unit_test(test_later_claim_loses),
		cmocka_unit_test(test_written_twice),
		cmocka_unit_test(test_end_cut_off),
		cmocka_unit_test(test_trim_while_loading),
		cmocka_unit_test(test_starts_again_after_lost),
	};

	return cmocka_run_group_tests_name("statelog_owner", tests, NULL, NULL);
}
