/* SPDX-License-Identifier: Apache-2.0 */
/* One owner at a time: following, claiming from there, resigning, waiting, and seeing the end of the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "statelog/format.h"
#include "test_statelog_util.h"

/* Two processes over one state partition: a owns, b looks on. */
struct fixture {
	struct fake_partition p;
	struct owner a, b;
};

static struct statelog_config config_of(uint8_t id, const char *address)
{
	struct statelog_config cfg = owner_config();

	cfg.owner_id.b[0] = id;
	cfg.owner_address = str_of(address);
	return cfg;
}

static void ack(struct owner *o, uint32_t g, int64_t offset)
{
	struct share_state_range r = {offset, offset, SHARE_ACKNOWLEDGED, 1};
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

static void fixture_init(struct fixture *f)
{
	struct statelog_config a = config_of(1, "a:9092"), b = config_of(2, "b:9092");

	fake_partition_init(&f->p);
	owner_init(&f->a, &f->p, &a);
	owner_init(&f->b, &f->p, &b);
	owner_start(&f->a);
	owner_run(&f->a);
	assert_true(f->a.loaded);
	two_groups(&f->a);
}

static void fixture_release(struct fixture *f)
{
	owner_release(&f->a);
	owner_release(&f->b);
	fake_partition_release(&f->p);
}

static struct statelog_counts counts(const struct owner *o)
{
	struct statelog_counts n;

	statelog_get_counts(o->l, &n);
	return n;
}

static void assert_owner(const struct owner *o, int64_t epoch, uint8_t id, const char *address, bool resigned)
{
	struct statelog_owner w;

	assert_true(statelog_get_owner(o->l, &w));
	assert_int_equal(w.epoch, epoch);
	assert_int_equal(w.id.b[0], id);
	assert_true(str_eq(w.address, str_of(address)));
	assert_int_equal(w.resigned, resigned);
}

static void assert_same(const struct shadow *x, const struct shadow *y)
{
	assert_memory_equal(x->groups[0].partitions, y->groups[0].partitions, sizeof(x->groups[0].partitions));
	assert_memory_equal(x->groups[1].partitions, y->groups[1].partitions, sizeof(x->groups[1].partitions));
	assert_int_equal(x->groups[0].group_epoch, y->groups[0].group_epoch);
}

/* ---- following ---- */

static void test_empty_log(void **state)
{
	struct statelog_config cfg = config_of(1, "a:9092");
	struct statelog_owner w;
	struct fake_partition p;
	struct owner o;

	(void)state;
	fake_partition_init(&p);
	owner_init(&o, &p, &cfg);
	assert_false(statelog_is_caught_up(o.l));
	owner_follow(&o);
	assert_int_equal(statelog_get_state(o.l), STATELOG_FOLLOWING);
	assert_true(statelog_is_caught_up(o.l));
	assert_false(statelog_get_owner(o.l, &w));
	assert_int_equal(p.end, 0); /* nothing was written */
	owner_start(&o);
	owner_run(&o);
	owner_read_held(&o);
	owner_run(&o);
	assert_true(o.loaded);
	assert_false(statelog_must_wait(o.l));
	owner_release(&o);
	fake_partition_release(&p);
}

static void test_follows_what_is_written(void **state)
{
	struct statelog_owner w;
	struct fixture f;
	int64_t at;

	(void)state;
	fixture_init(&f);
	f.b.read_max = 1; /* a batch at a time */
	statelog_follow(f.b.l, 0);
	assert_int_equal(statelog_next(f.b.l, 1).type, STATELOG_READ);
	assert_false(statelog_is_caught_up(f.b.l)); /* nothing read yet */
	f.b.read_at = 0;
	f.b.read_held = true;
	owner_read_held(&f.b);
	assert_false(statelog_is_caught_up(f.b.l)); /* one batch of two */
	owner_run(&f.b);
	assert_true(statelog_is_caught_up(f.b.l));
	assert_owner(&f.b, 0, 1, "a:9092", false);
	at = f.b.read_at;
	assert_int_equal(at, f.p.end);
	for (int64_t i = 0; i < 5; i++) {
		ack(&f.a, 0, i);
		owner_run(&f.a);
		assert_int_equal(f.b.read_at, at + i);
		owner_read_held(&f.b);
		owner_run(&f.b); /* meets the end again */
		assert_true(statelog_is_caught_up(f.b.l));
	}
	assert_false(statelog_get_owner(f.a.l, &w)); /* who owns needs not ask */
	fixture_release(&f);
}

/* The claim's write is answered first; the read on its way brings what came meanwhile and the claim. */
static void test_claims_with_a_read_on_its_way(void **state)
{
	struct fixture f;
	uint32_t reads;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	reads = f.b.reads;
	owner_start(&f.b);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_CLAIMING);
	owner_run(&f.b);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_LOADING);
	assert_true(f.b.read_held);
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_true(f.b.loaded);
	assert_int_equal(f.b.reads, reads); /* no other was needed */
	assert_int_equal(counts(&f.b).owner_epoch, f.p.end - 1);
	assert_same(&f.b.mem, &f.a.mem);
	ack(&f.b, 1, 7);
	owner_run(&f.b);
	assert_replays(&f.p, &f.b.mem);
	fixture_release(&f);
}

/* The claim is read before its write is answered, and more behind it: another's claim must not count for the state. */
static void test_reads_its_claim_before_it_is_told(void **state)
{
	struct fixture f;
	struct owner c;
	struct statelog_config cfg = config_of(3, "c:9092");
	struct chunk *claim;
	int64_t base;
	uint32_t reads;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	f.b.hold_writes = true;
	owner_start(&f.b);
	owner_run(&f.b);
	claim = f.b.flight;
	assert_non_null(claim);
	base = fake_partition_produce(&f.p, claim);
	owner_init(&c, &f.p, &cfg); /* takes it at once, and changes something */
	owner_start(&c);
	owner_run(&c);
	ack(&c, 0, 9);
	owner_run(&c);
	reads = f.b.reads;
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_CLAIMING);
	assert_int_equal(f.b.reads, reads); /* it has all it needs */
	f.b.hold_writes = false;
	owner_land(&f.b); /* the same base offset: written before */
	owner_run(&f.b);
	assert_true(f.b.loaded);
	assert_int_equal(counts(&f.b).owner_epoch, base);
	assert_same(&f.b.mem, &f.a.mem);
	ack(&f.b, 0, 3);
	owner_run(&f.b);
	assert_true(f.b.lost);
	assert_owner(&f.b, base + 1, 3, "c:9092", false);
	owner_release(&c);
	fixture_release(&f);
}

static void test_claim_elsewhere_than_read(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	f.b.hold_writes = true;
	owner_start(&f.b);
	owner_run(&f.b);
	fake_partition_produce(&f.p, f.b.flight);
	owner_read_held(&f.b);
	chunk_unref(f.b.flight);
	f.b.flight = NULL;
	statelog_write_done(f.b.l, f.p.end + 5);
	owner_run(&f.b);
	assert_true(f.b.lost);
	assert_non_null(strstr(statelog_reason(f.b.l), "not where the broker said"));
	fixture_release(&f);
}

/* A claim that lands before the end that was read: what was read may be gone, so it is read again. */
static void test_end_cut_off_before_the_claim(void **state)
{
	struct fake_partition cut;
	struct fixture f;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	fake_partition_init(&cut); /* what is left of the log: another claim and nothing else */
	f.a.p = &cut;
	owner_start(&f.a);
	owner_run(&f.a);
	assert_true(f.a.loaded);
	f.b.p = &cut;
	owner_start(&f.b);
	owner_run(&f.b);
	assert_true(f.b.read_held); /* answered from the old log, and of no use */
	f.b.p = &f.p;
	owner_read_held(&f.b);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_LOADING);
	f.b.p = &cut;
	owner_run(&f.b);
	assert_true(f.b.loaded);
	assert_false(shadow_has(&f.b.mem, 0));
	assert_true(statelog_must_wait(f.b.l));
	fake_partition_release(&cut);
	fixture_release(&f);
}

static void test_trimmed_while_following(void **state)
{
	struct statelog_config cfg = config_of(1, "a:9092");
	struct fixture f;

	(void)state;
	cfg.checkpoint_min_bytes = 200;
	fixture_init(&f);
	owner_follow(&f.b);
	owner_release(&f.a);
	owner_init(&f.a, &f.p, &cfg);
	owner_start(&f.a);
	owner_run(&f.a);
	for (int64_t i = 0; i < 20; i++) {
		ack(&f.a, 0, i);
		owner_run(&f.a);
	}
	assert_true(f.p.log_start > f.b.read_at);
	owner_read_held(&f.b); /* out of range */
	assert_false(statelog_is_caught_up(f.b.l));
	owner_run(&f.b);
	assert_true(statelog_is_caught_up(f.b.l));
	assert_owner(&f.b, counts(&f.a).owner_epoch, 1, "a:9092", false); /* a begin mark names it as well */
	owner_start(&f.b);
	owner_run(&f.b);
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_true(f.b.loaded);
	assert_true(statelog_must_wait(f.b.l));
	assert_same(&f.b.mem, &f.a.mem);
	fixture_release(&f);
}

static void test_refused_while_following(void **state)
{
	struct statelog_config cfg = config_of(2, "b:9092");
	struct fixture f;
	struct chunk *c;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	f.a.hold_writes = true;
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	c = f.a.flight;
	fake_partition_produce(&f.p, c);
	f.p.v[f.p.n - 1].bytes->data[c->size - 1] ^= 1;
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_true(f.b.lost);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_REFUSED);
	assert_string_equal(
		statelog_reason(f.b.l), "state partition 3, offset 2: a record batch with a wrong checksum");
	owner_release(&f.b);
	cfg.partition_count = 60;
	owner_init(&f.b, &f.p, &cfg);
	owner_follow(&f.b);
	assert_true(f.b.lost);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_REFUSED);
	assert_non_null(strstr(statelog_reason(f.b.l), "records a partition count of 50 instead of 60"));
	fixture_release(&f);
}

/* A log that can not be read to the end ends the claim, too; what was on its way is forgotten. */
static void test_refused_while_claiming(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	f.b.hold_writes = true;
	owner_start(&f.b);
	owner_run(&f.b);
	assert_non_null(f.b.flight);
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	f.p.v[f.p.n - 1].bytes->data[f.p.v[f.p.n - 1].bytes->size - 1] ^= 1;
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_true(f.b.lost);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_REFUSED);
	chunk_unref(f.b.flight);
	f.b.flight = NULL;
	f.p.v[f.p.n - 1].bytes->data[f.p.v[f.p.n - 1].bytes->size - 1] ^= 1;
	f.b.hold_writes = false;
	owner_follow(&f.b); /* mended */
	assert_true(statelog_is_caught_up(f.b.l));
	statelog_abandon(f.b.l, "the topic is another one");
	owner_run(&f.b);
	assert_true(f.b.lost);
	assert_int_equal(statelog_get_state(f.b.l), STATELOG_LOST);
	fixture_release(&f);
}

/* Whoever has lost follows the one that took it; a read of before is still on its way. */
static void test_follows_after_lost(void **state)
{
	struct statelog_action act;
	struct fixture f;

	(void)state;
	fixture_init(&f);
	owner_start(&f.b);
	owner_run(&f.b);
	statelog_end_seen(f.a.l, f.p.end, 10);
	act = statelog_next(f.a.l, 1);
	assert_int_equal(act.type, STATELOG_READ);
	statelog_abandon(f.a.l, "for a reason of ours");
	assert_int_equal(statelog_next(f.a.l, 1).type, STATELOG_LOST_NOW);
	statelog_follow(f.a.l, 0);
	assert_int_equal(statelog_next(f.a.l, 1).type, STATELOG_NONE); /* one read at a time */
	f.a.read_at = act.u.offset;
	f.a.read_held = true;
	owner_read_held(&f.a);
	assert_false(statelog_is_caught_up(f.a.l));
	owner_run(&f.a);
	assert_true(statelog_is_caught_up(f.a.l));
	assert_owner(&f.a, f.p.end - 1, 2, "b:9092", false);
	fixture_release(&f);
}

/* ---- resigning ---- */

static void test_resigns(void **state)
{
	struct share_change c = group_change(0, 1);
	struct statelog_owner w;
	struct fixture f;
	uint64_t seq;

	(void)state;
	fixture_init(&f);
	owner_follow(&f.b);
	f.a.hold_writes = true;
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	ack(&f.a, 0, 2); /* waits behind the first */
	statelog_resign(f.a.l);
	statelog_resign(f.a.l);
	assert_int_equal(statelog_append(f.a.l, &c, &seq), ERR_CLOSED);
	statelog_abandon(f.a.l, "a change was refused"); /* is no reason not to hand over */
	assert_int_equal(statelog_get_state(f.a.l), STATELOG_OWNED);
	owner_land(&f.a);
	owner_run(&f.a);
	owner_land(&f.a);
	owner_run(&f.a);
	assert_int_equal(statelog_durable(f.a.l), statelog_appended(f.a.l));
	assert_false(f.a.lost);
	owner_land(&f.a);
	owner_run(&f.a);
	assert_true(f.a.lost);
	assert_int_equal(statelog_get_state(f.a.l), STATELOG_LOST);
	assert_string_equal(statelog_reason(f.a.l), "state partition 3, offset 4: handed over");
	assert_false(statelog_get_owner(f.a.l, &w)); /* nobody has taken it */
	assert_int_equal(f.p.end, 5);
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_owner(&f.b, 0, 1, "a:9092", true);
	owner_start(&f.b);
	owner_run(&f.b);
	owner_read_held(&f.b);
	owner_run(&f.b);
	assert_true(f.b.loaded);
	assert_false(statelog_must_wait(f.b.l));
	assert_same(&f.b.mem, &f.a.mem);
	fixture_release(&f);
}

/* Nothing of the epoch counts behind its resign mark, whatever it is. */
static void test_nothing_counts_after_resigning(void **state)
{
	struct fixture f;
	struct shadow before;
	struct chunk *late;

	(void)state;
	fixture_init(&f);
	f.a.hold_writes = true;
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	late = chunk_ref(f.a.flight);
	owner_land(&f.a);
	statelog_resign(f.a.l);
	f.a.hold_writes = false;
	owner_run(&f.a);
	assert_true(f.a.lost);
	before = f.a.mem;
	f.p.producers_n = 0; /* the broker forgets the producer: the late copy is appended */
	fake_partition_produce(&f.p, late);
	owner_follow(&f.b);
	assert_int_equal(counts(&f.b).foreign_batches, 1);
	assert_owner(&f.b, 0, 1, "a:9092", true);
	assert_replays(&f.p, &before);
	chunk_unref(late);
	fixture_release(&f);
}

/* A checkpoint in hand stays unfinished: its end mark could not count. */
static void test_resigns_within_a_checkpoint(void **state)
{
	struct statelog_config cfg = config_of(1, "a:9092");
	struct fixture f;

	(void)state;
	cfg.checkpoint_min_bytes = 150;
	fixture_init(&f);
	owner_release(&f.a);
	owner_init(&f.a, &f.p, &cfg);
	f.a.hold_snapshots = true;
	owner_start(&f.a);
	for (int i = 0; i < 20 && !f.a.loaded; i++)
		owner_run(&f.a);
	for (int64_t i = 0; i < 30 && f.a.snapshots == 0; i++) {
		ack(&f.a, 0, i);
		for (int k = 0; k < 3 && f.a.snapshots == 0; k++)
			owner_run(&f.a);
	}
	assert_int_equal(f.a.snapshots, 1);
	statelog_resign(f.a.l);
	f.a.hold_snapshots = false;
	owner_run(&f.a);
	assert_true(f.a.lost);
	assert_int_equal(f.a.snapshots, 1);
	assert_int_equal(f.a.trims, 0);
	assert_replays(&f.p, &f.a.mem);
	fixture_release(&f);
}

static void test_resign_mark_behind_a_claim(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.a.hold_writes = true;
	statelog_resign(f.a.l);
	owner_run(&f.a);
	owner_start(&f.b); /* wrong suspicion */
	owner_run(&f.b);
	assert_true(statelog_must_wait(f.b.l));
	owner_land(&f.a);
	owner_run(&f.a);
	assert_true(f.a.lost);
	assert_non_null(strstr(statelog_reason(f.a.l), "another sluice has claimed"));
	assert_owner(&f.a, 2, 2, "b:9092", false);
	ack(&f.b, 0, 4); /* the mark does not harm the new owner */
	owner_run(&f.b);
	assert_int_equal(statelog_durable(f.b.l), statelog_appended(f.b.l));
	assert_replays(&f.p, &f.b.mem);
	fixture_release(&f);
}

/* ---- waiting ---- */

static void take(struct owner *o)
{
	owner_start(o);
	owner_run(o);
	assert_true(o->loaded);
}

static void test_must_wait(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	assert_false(statelog_must_wait(f.a.l)); /* the first of all */
	take(&f.b);
	assert_true(statelog_must_wait(f.b.l));
	take(&f.b); /* again before the wait was over: a may still hand out */
	assert_true(statelog_must_wait(f.b.l));
	statelog_wait_over(f.b.l);
	assert_false(statelog_must_wait(f.b.l));
	take(&f.b); /* now only itself could */
	assert_false(statelog_must_wait(f.b.l));
	take(&f.a);
	assert_true(statelog_must_wait(f.a.l));
	take(&f.b); /* its own ownership is not the last one */
	assert_true(statelog_must_wait(f.b.l));
	statelog_resign(f.b.l); /* and still waits when it resigns */
	owner_run(&f.b);
	assert_true(f.b.lost);
	take(&f.a);
	assert_true(statelog_must_wait(f.a.l));
	statelog_wait_over(f.a.l);
	statelog_resign(f.a.l);
	owner_run(&f.a);
	take(&f.b);
	assert_false(statelog_must_wait(f.b.l));
	fixture_release(&f);
}

/* ---- seeing the end ---- */

static void test_sight(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN);
	statelog_end_seen(f.a.l, f.p.end, 100);
	assert_int_equal(statelog_sight(f.a.l), 100);
	statelog_end_seen(f.a.l, f.p.end - 1, 90); /* an answer that comes late, of a leader that lags */
	assert_int_equal(statelog_sight(f.a.l), 100);
	f.a.hold_writes = true;
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	statelog_end_seen(f.a.l, f.p.end + 1, 200); /* ours, perhaps */
	assert_int_equal(statelog_sight(f.a.l), 100);
	assert_int_equal(statelog_next(f.a.l, 1).type, STATELOG_NONE);
	owner_land(&f.a);
	assert_int_equal(statelog_sight(f.a.l), 200); /* it was */
	statelog_end_seen(f.a.l, f.p.end, 150);       /* the write, as its caller tells it */
	assert_int_equal(statelog_sight(f.a.l), 200);
	statelog_end_seen(f.a.l, f.p.end, 300);
	assert_int_equal(statelog_sight(f.a.l), 300);
	take(&f.b);
	statelog_end_seen(f.b.l, f.p.end, 400);
	assert_int_equal(statelog_sight(f.b.l), 400);
	owner_start(&f.b); /* begins anew, whenever the last sight was */
	assert_int_equal(statelog_sight(f.b.l), INT64_MIN);
	statelog_end_seen(f.b.l, 0, 500); /* claiming: too early */
	assert_int_equal(statelog_sight(f.b.l), INT64_MIN);
	fixture_release(&f);
}

/* Others' records are read once; what is written meanwhile waits, and lands where it is expected. */
static void test_sight_over_junk(void **state)
{
	struct statelog_action act;
	struct fixture f;

	(void)state;
	fixture_init(&f);
	for (int i = 0; i < 3; i++)
		produce_junk(&f.p);
	statelog_end_seen(f.a.l, f.p.end, 100);
	act = statelog_next(f.a.l, 1);
	assert_int_equal(act.type, STATELOG_READ);
	ack(&f.a, 0, 1);
	assert_int_equal(statelog_next(f.a.l, 1).type, STATELOG_NONE);
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN);
	f.a.read_max = 1;
	f.a.read_at = act.u.offset;
	f.a.read_held = true;
	owner_read_held(&f.a);
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN); /* two are still to be read */
	owner_run(&f.a);
	assert_int_equal(statelog_sight(f.a.l), 100);
	assert_int_equal(counts(&f.a).foreign_batches, 3);
	assert_int_equal(statelog_durable(f.a.l), statelog_appended(f.a.l));
	assert_int_equal(counts(&f.a).next_offset, f.p.end);
	assert_replays(&f.p, &f.a.mem);
	fixture_release(&f);
}

static void test_sight_of_a_claim(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	take(&f.b);
	statelog_end_seen(f.a.l, f.p.end, 100);
	owner_run(&f.a);
	assert_true(f.a.lost);
	assert_int_equal(statelog_get_state(f.a.l), STATELOG_LOST);
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN);
	assert_owner(&f.a, f.p.end - 1, 2, "b:9092", false);
	statelog_end_seen(f.a.l, f.p.end, 200); /* an answer that comes late */
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN);
	owner_follow(&f.a);
	assert_owner(&f.a, f.p.end - 1, 2, "b:9092", false);
	fixture_release(&f);
}

/* An end that is not there when it is looked for does not hold up writes. */
static void test_sight_of_nothing(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	statelog_end_seen(f.a.l, f.p.end + 7, 100);
	owner_run(&f.a);
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN);
	ack(&f.a, 0, 1);
	owner_run(&f.a);
	assert_int_equal(statelog_durable(f.a.l), statelog_appended(f.a.l));
	assert_int_equal(statelog_sight(f.a.l), INT64_MIN);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_log),
		cmocka_unit_test(test_follows_what_is_written),
		cmocka_unit_test(test_claims_with_a_read_on_its_way),
		cmocka_unit_test(test_reads_its_claim_before_it_is_told),
		cmocka_unit_test(test_claim_elsewhere_than_read),
		cmocka_unit_test(test_end_cut_off_before_the_claim),
		cmocka_unit_test(test_trimmed_while_following),
		cmocka_unit_test(test_refused_while_following),
		cmocka_unit_test(test_refused_while_claiming),
		cmocka_unit_test(test_follows_after_lost),
		cmocka_unit_test(test_resigns),
		cmocka_unit_test(test_nothing_counts_after_resigning),
		cmocka_unit_test(test_resigns_within_a_checkpoint),
		cmocka_unit_test(test_resign_mark_behind_a_claim),
		cmocka_unit_test(test_must_wait),
		cmocka_unit_test(test_sight),
		cmocka_unit_test(test_sight_over_junk),
		cmocka_unit_test(test_sight_of_a_claim),
		cmocka_unit_test(test_sight_of_nothing),
	};

	return cmocka_run_group_tests_name("statelog_follow", tests, NULL, NULL);
}
