/* SPDX-License-Identifier: Apache-2.0 */
/* An owner's checkpoints: long changes and snapshots in several batches, changes between, and when to trim. */
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

/* No batch is larger than allowed. */
static void assert_batches_at_most(const struct fake_partition *p, size_t max)
{
	for (size_t i = 0; i < p->n; i++)
		assert_true(p->v[i].bytes->size <= max);
}

static void test_long_records_change_is_split(void **state)
{
	struct statelog_config cfg = owner_config();
	struct share_state_range *r = mem_zalloc(20000, sizeof(*r));
	struct share_change c;
	struct fixture f;
	uint64_t seq;
	size_t before;

	(void)state;
	cfg.max_batch_bytes = 4000;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	for (uint32_t i = 0; i < 20000; i++)
		r[i] = acked(1000 + 3 * (int64_t)i);
	c = records_change(1, 7, r, 20000);
	before = f.p.n;
	assert_int_equal(statelog_append(f.o.l, &c, &seq), ERR_OK);
	f.o.hold_writes = true;
	owner_run(&f.o);
	owner_land(&f.o);
	assert_true(statelog_durable(f.o.l) < seq); /* a part is not the change */
	f.o.hold_writes = false;
	owner_run(&f.o);
	assert_int_equal(statelog_durable(f.o.l), seq);
	assert_true(f.p.n - before >= 15);
	assert_batches_at_most(&f.p, 4000);
	f.o.mem.groups[1].partitions[0].start = 7;
	assert_replays(&f.p, &f.o.mem);
	mem_free(r);
	fixture_release(&f);
}

struct holes {
	uint32_t groups, ranges;
	int64_t next;
};

static void holes_cb(void *arg, const struct share_group_state *st)
{
	struct holes *h = arg;

	h->groups++;
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		for (uint32_t k = 0; k < st->partitions[i].ranges_n; k++) {
			assert_int_equal(st->partitions[i].ranges[k].first, h->next);
			assert_int_equal(st->partitions[i].ranges[k].last, h->next);
			h->next += 2;
			h->ranges++;
		}
	}
}

static void load_holes(struct fake_partition *p, const struct statelog_config *cfg, struct holes *h)
{
	struct statelog_action act;
	struct owner o;

	owner_init(&o, p, cfg);
	owner_start(&o);
	while ((act = statelog_next(o.l, 1)).type != STATELOG_LOADED) {
		if (act.type == STATELOG_WRITE) {
			o.flight = act.u.batch;
			owner_land(&o);
		} else {
			struct buf b;

			buf_init(&b, 1u << 30);
			fake_partition_read(p, act.u.offset, 30000, &b);
			statelog_read_done(o.l, (struct bytes){buf_head(&b), buf_len(&b)}, p->end, 0);
			buf_release(&b);
		}
	}
	statelog_take_groups(o.l, holes_cb, h);
	owner_release(&o);
}

/* 50,000 holes in one snapshot, the batch limit small, the claim of another owner anywhere in it. */
static void test_snapshot_is_split(void **state)
{
	struct statelog_config cfg = owner_config();
	struct share_state_range *r = mem_zalloc(50000, sizeof(*r));
	struct share_partition_state part = {.topic_id = shadow_topic(), .topic_name = STR_LIT("topic"), .ranges = r};
	struct share_group_state st = {
		.group_id = STR_LIT("g0"), .exists = true, .partitions = &part, .partitions_n = 1};
	struct share_change c;
	struct fixture f;
	struct holes h = {0};
	struct statelog_action act;
	int64_t begin;

	(void)state;
	cfg.max_batch_bytes = 10000;
	cfg.max_pending_bytes = 4000000;
	cfg.checkpoint_min_bytes = 100000;
	fixture_init(&f, &cfg);
	for (uint32_t i = 0; i < 50000; i++)
		r[i] = acked(2 * (int64_t)i);
	part.ranges_n = 50000;
	c = partition_change(0, 0);
	owner_append(&f.o, &c);
	c = records_change(0, -1, r, 50000);
	owner_append(&f.o, &c);
	for (;;) { /* until the snapshot is asked for */
		act = statelog_next(f.o.l, 3000);
		if (act.type == STATELOG_SNAPSHOT)
			break;
		assert_int_equal(act.type, STATELOG_WRITE);
		f.o.flight = act.u.batch;
		owner_land(&f.o);
	}
	assert_true(str_is_null(act.u.after));
	begin = f.p.end - 1;
	assert_int_equal(statelog_snapshot(f.o.l, &st), ERR_OK);
	f.o.hold_writes = true;
	for (int i = 0; i < 8; i++) { /* not all of it */
		owner_run(&f.o);
		assert_non_null(f.o.flight);
		owner_land(&f.o);
	}
	assert_int_equal(f.p.log_start, 0);
	load_holes(&f.p, &cfg, &h); /* half a snapshot does not count */
	assert_int_equal(h.ranges, 50000);
	owner_run(&f.o); /* the first owner has lost it: it must not end the checkpoint */
	owner_land(&f.o);
	owner_run(&f.o);
	assert_true(f.o.lost);
	assert_int_equal(f.p.log_start, 0);
	assert_true(begin > 0);
	assert_batches_at_most(&f.p, 10000);
	mem_free(r);
	fixture_release(&f);
}

static void test_checkpoint_with_changes_between(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;
	struct statelog_counts n;

	(void)state;
	cfg.checkpoint_min_bytes = 2000;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	f.o.hold_snapshots = true;
	for (int64_t i = 0; i < 400; i++) {
		uint32_t g = (uint32_t)(i * 7 % SHADOW_GROUPS);
		struct share_change c = group_change(g, (int32_t)i);

		if (i % 5 == 0) {
			owner_append(&f.o, &c); /* groups come into being while a checkpoint is under way */
			if (!f.o.mem.groups[g].partitions[0].exists) {
				c = partition_change(g, 0);
				owner_append(&f.o, &c);
			}
		}
		if (f.o.mem.groups[g].partitions[0].exists)
			ack(&f.o, g, i % SHADOW_OFFSETS);
		if (i % 31 == 30) {
			c.type = SHARE_CHANGE_GROUP_DELETED;
			c.group_id = shadow_group_id(g);
			owner_append(&f.o, &c);
		}
		owner_run(&f.o);
	}
	f.o.hold_snapshots = false;
	owner_run(&f.o);
	n = counts(&f.o);
	assert_true(n.checkpoints >= 3);
	assert_int_equal(n.trims, n.checkpoints);
	assert_int_equal(f.p.log_start, n.log_start_offset);
	assert_true(f.p.log_start > 100);
	assert_true(f.p.bytes < 12000); /* levels off */
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

/* A group that comes into being behind the turn of the checkpoint is not lost with the trim. */
static void test_group_born_behind_the_turn(void **state)
{
	struct statelog_config cfg = owner_config();
	struct share_change c = group_change(2, 1), early = group_change(0, 8), p = partition_change(0, 0);
	struct fixture f;

	(void)state;
	cfg.checkpoint_min_bytes = 150;
	fixture_init(&f, &cfg);
	f.o.hold_snapshots = true;
	owner_append(&f.o, &c);
	while (f.o.snapshots == 0) /* the turn has passed g0 .. g2 */
		owner_run(&f.o);
	owner_append(&f.o, &early);
	owner_append(&f.o, &p);
	ack(&f.o, 0, 9);
	f.o.hold_snapshots = false;
	owner_run(&f.o);
	assert_true(f.p.log_start > 0);
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

/* Trims wait for the end mark: with the end mark on its way nothing is trimmed. */
static void test_trim_follows_the_end_mark(void **state)
{
	struct statelog_config cfg = owner_config();
	struct share_change c = group_change(2, 1);
	struct batch_header h;
	struct state_batch b;
	struct fixture f;
	struct arena a;

	(void)state;
	cfg.checkpoint_min_bytes = 150;
	fixture_init(&f, &cfg);
	f.o.hold_writes = true;
	owner_append(&f.o, &c);
	arena_init(&a, 2 * STATE_RECORD_MAX);
	for (;;) {
		owner_run(&f.o);
		assert_non_null(f.o.flight);
		assert_int_equal(batch_header_read(f.o.flight->data, f.o.flight->size, &h), BATCH_READY);
		assert_int_equal(state_batch_read(f.o.flight->data, &h, &a, &b), STATE_OURS);
		assert_int_equal(f.o.trims, 0);
		assert_int_equal(f.p.log_start, 0);
		if (b.head.kind == STATE_END)
			break;
		owner_land(&f.o);
	}
	f.o.hold_trims = true;
	owner_land(&f.o);
	owner_run(&f.o);
	assert_int_equal(f.o.trims, 1);
	assert_int_equal(f.o.trim, b.head.begin_offset);
	statelog_trim_done(f.o.l, false); /* tried again with the next checkpoint */
	assert_int_equal(counts(&f.o).trims, 0);
	assert_int_equal(counts(&f.o).log_start_offset, 0);
	arena_release(&a);
	fixture_release(&f);
}

static void test_snapshot_too_large(void **state)
{
	struct statelog_config cfg = owner_config();
	char *big = mem_zalloc(1, 5000);
	struct share_config_entry config = {STR_LIT("c0"), {big, 5000}};
	struct share_group_state st = {.group_id = STR_LIT("g0"), .exists = true, .configs = &config, .configs_n = 1};
	struct share_change c = group_change(0, 1);
	struct statelog_action act;
	struct fixture f;

	(void)state;
	memset(big, 'x', 5000);
	cfg.max_batch_bytes = 4000;
	cfg.checkpoint_min_bytes = 150;
	fixture_init(&f, &cfg);
	owner_append(&f.o, &c);
	while ((act = statelog_next(f.o.l, 1)).type == STATELOG_WRITE) {
		f.o.flight = act.u.batch;
		owner_land(&f.o);
	}
	assert_int_equal(act.type, STATELOG_SNAPSHOT);
	assert_int_equal(statelog_snapshot(f.o.l, &st), ERR_TOO_LARGE);
	assert_int_equal(statelog_next(f.o.l, 1).type, STATELOG_NONE); /* given up for now */
	ack(&f.o, 0, 0);
	f.o.mem.groups[0].partitions[0].exists = false;
	memset(&f.o.mem.groups[0].partitions[0], 0, sizeof(f.o.mem.groups[0].partitions[0]));
	assert_int_equal(counts(&f.o).checkpoints, 0);
	mem_free(big);
	fixture_release(&f);
}

/* Somebody else deletes records of a log that is ours: what is left can not be loaded, a checkpoint mends it. */
static void test_cut_log_is_made_whole(void **state)
{
	const struct statelog_config cfg = owner_config();
	struct fixture f;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	ack(&f.o, 0, 1);
	owner_run(&f.o);
	assert_false(statelog_start_seen(f.o.l, 0));
	fake_partition_trim(&f.p, f.p.end);
	assert_true(statelog_start_seen(f.o.l, f.p.log_start));
	assert_false(statelog_start_seen(f.o.l, f.p.log_start));
	owner_run(&f.o);
	assert_int_equal(counts(&f.o).checkpoints, 1);
	assert_int_equal(f.o.trims, 1);
	assert_false(statelog_start_seen(f.o.l, f.p.log_start)); /* that was our own trim */
	ack(&f.o, 1, 5);
	owner_run(&f.o);
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

/* A checkpoint whose begin mark was cut off is of no use: another one follows it. */
static void test_cut_in_a_checkpoint(void **state)
{
	struct statelog_config cfg = owner_config();
	struct fixture f;

	(void)state;
	cfg.checkpoint_min_bytes = 300;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	f.o.hold_snapshots = true;
	for (int64_t i = 0; i < 100; i++) {
		ack(&f.o, 0, 2 * i);
		owner_run(&f.o);
	}
	assert_int_equal(counts(&f.o).checkpoints, 0);
	fake_partition_trim(&f.p, f.p.end);
	assert_true(statelog_start_seen(f.o.l, f.p.log_start));
	f.o.hold_snapshots = false;
	owner_run(&f.o);
	assert_true(counts(&f.o).checkpoints >= 2);
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

/* A batch that the broker refuses ends the ownership, and the batches of the next one are smaller. What was lost with
 * it is waited for by nobody any more. */
static void test_batches_shrink(void **state)
{
	const struct statelog_config cfg = owner_config();
	struct share_change c;
	struct fixture f;
	struct shadow before;

	(void)state;
	fixture_init(&f, &cfg);
	two_groups(&f.o);
	before = f.o.mem;
	ack(&f.o, 0, 1);
	f.o.hold_writes = true;
	owner_run(&f.o);
	assert_non_null(f.o.flight);
	assert_true(statelog_awaited(f.o.l) > statelog_durable(f.o.l));
	assert_int_equal(statelog_shrink_batch(f.o.l, 2000), 2000);
	assert_int_equal(statelog_shrink_batch(f.o.l, 1000000), 2000);
	statelog_write_failed(f.o.l, "too large");
	chunk_unref(f.o.flight);
	f.o.flight = NULL;
	f.o.hold_writes = false;
	owner_run(&f.o);
	assert_true(f.o.lost);
	owner_start(&f.o);
	owner_run(&f.o);
	assert_int_equal(statelog_get_state(f.o.l), STATELOG_OWNED);
	assert_memory_equal(&f.o.mem, &before, sizeof(before));
	assert_int_equal(statelog_awaited(f.o.l), statelog_durable(f.o.l));
	for (int32_t i = 0; i < 500; i++) {
		c = group_change(0, i + 2);
		owner_append(&f.o, &c);
	}
	owner_run(&f.o);
	assert_int_equal(statelog_awaited(f.o.l), statelog_durable(f.o.l));
	assert_batches_at_most(&f.p, 2000);
	assert_replays(&f.p, &f.o.mem);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_records_change_is_split),
		cmocka_unit_test(test_snapshot_is_split),
		cmocka_unit_test(test_checkpoint_with_changes_between),
		cmocka_unit_test(test_group_born_behind_the_turn),
		cmocka_unit_test(test_trim_follows_the_end_mark),
		cmocka_unit_test(test_snapshot_too_large),
		cmocka_unit_test(test_cut_log_is_made_whole),
		cmocka_unit_test(test_cut_in_a_checkpoint),
		cmocka_unit_test(test_batches_shrink),
	};

	return cmocka_run_group_tests_name("statelog_checkpoint", tests, NULL, NULL);
}
