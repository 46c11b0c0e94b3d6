/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the log one by one, on logs written record by record: what counts, what is left out, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "statelog/format.h"
#include "test_statelog_util.h"

#define G0 STR_LIT("g0")
#define G1 STR_LIT("g1")

/* A log under construction: the next producer and sequence. */
struct script {
	struct fake_partition p;
	struct writer w;
	int64_t pid;
	int32_t sequence;
};

static void script_init(struct script *s)
{
	*s = (struct script){.pid = 1000000};
	fake_partition_init(&s->p);
	wr_init(&s->w, 10000);
}

static void script_release(struct script *s)
{
	wr_release(&s->w);
	fake_partition_release(&s->p);
}

/* Starts a record; what is put behind goes into it until it lands. */
static void head(struct script *s, const struct state_head *h)
{
	wr_release(&s->w);
	wr_init(&s->w, 10000);
	state_head_write(&s->w, h);
}

static int64_t land(struct script *s)
{
	struct bytes value = {buf_head(&s->w.own), buf_len(&s->w.own)};
	struct chunk *c = state_batch_build(value, 10000, 1, s->pid, 0, s->sequence++);
	int64_t base = fake_partition_produce(&s->p, c);

	chunk_unref(c);
	return base;
}

static struct state_head owner_head(enum state_kind kind, int64_t epoch, int32_t count)
{
	return (struct state_head){
		.kind = kind,
		.owner_epoch = epoch,
		.owner_id = {{9}},
		.owner_address = STR_LIT("other:9092"),
		.partition = 3,
		.partition_count = count,
	};
}

static int64_t claim(struct script *s)
{
	struct state_head h = owner_head(STATE_CLAIM, 0, 50);

	head(s, &h);
	return land(s);
}

static int64_t begin(struct script *s, int64_t epoch)
{
	struct state_head h = owner_head(STATE_BEGIN, epoch, 50);

	head(s, &h);
	return land(s);
}

static int64_t end(struct script *s, int64_t epoch, int64_t begin_offset, uint32_t snapshots)
{
	head(s, &(struct state_head){
			.kind = STATE_END, .owner_epoch = epoch, .begin_offset = begin_offset, .snapshots = snapshots});
	return land(s);
}

static void entries(struct script *s, int64_t epoch)
{
	head(s, &(struct state_head){.kind = STATE_ENTRIES, .owner_epoch = epoch});
}

static void put(struct script *s, const struct state_entry *e)
{
	state_entry_write(&s->w, e);
	assert_int_equal(s->w.err, ERR_OK);
}

static void put_group(struct script *s, enum state_entry_type type, struct str id)
{
	put(s, &(struct state_entry){
		       .type = type, .group_id = id, .exists = true, .group_epoch = 5, .assignment_epoch = 5});
}

static void put_partition(struct script *s, enum state_entry_type type, uint32_t number, int32_t partition)
{
	put(s, &(struct state_entry){
		       .type = type,
		       .number = number,
		       .u.partition = {.topic_id = shadow_topic(),
			       .topic_name = STR_LIT("topic"),
			       .partition = partition},
	       });
}

static void put_ack(struct script *s, uint32_t number, int64_t offset)
{
	struct share_state_range r = {offset, offset, SHARE_ACKNOWLEDGED, 1};

	put(s, &(struct state_entry){.type = STATE_ENTRY_RECORDS,
		       .number = number,
		       .u.partition = {.start_offset = -1, .ranges = &r, .ranges_n = 1}});
}

/* A whole snapshot of a group with partition 0 under a number and one record acknowledged. */
static void put_snapshot(struct script *s, struct str id, uint32_t number, int64_t offset)
{
	put_group(s, STATE_ENTRY_SNAPSHOT, id);
	put_partition(s, STATE_ENTRY_PARTITION, number, 0);
	put_ack(s, number, offset);
	put_group(s, STATE_ENTRY_SNAPSHOT_END, STR_NULL);
}

/* Group with partition 0 under a number, as changes. */
static void put_new(struct script *s, struct str id, uint32_t number)
{
	put_group(s, STATE_ENTRY_IN_GROUP, id);
	put_group(s, STATE_ENTRY_GROUP, STR_NULL);
	put_partition(s, STATE_ENTRY_PARTITION, number, 0);
}

/* Loads the log. */
static void load(struct script *s, struct owner *o)
{
	struct statelog_config cfg = owner_config();

	owner_init(o, &s->p, &cfg);
	owner_start(o);
	owner_run(o);
}

static bool is_acked(const struct owner *o, uint32_t g, int64_t offset)
{
	return o->mem.groups[g].partitions[0].state[offset] == SHARE_ACKNOWLEDGED;
}

static uint64_t foreign(const struct owner *o)
{
	struct statelog_counts n;

	statelog_get_counts(o->l, &n);
	return n.foreign_batches;
}

static void assert_refused(struct script *s, int64_t offset, const char *why)
{
	char at[64];
	struct owner o;

	load(s, &o);
	assert_false(o.loaded);
	assert_true(o.lost);
	assert_int_equal(statelog_get_state(o.l), STATELOG_REFUSED);
	snprintf(at, sizeof(at), "state partition 3, offset %lld: ", (long long)offset);
	if (strncmp(statelog_reason(o.l), at, strlen(at)) != 0 || !strstr(statelog_reason(o.l), why))
		fail_msg("reason: %s, expected %s%s", statelog_reason(o.l), at, why);
	owner_release(&o);
}

static void assert_loads(struct script *s, uint32_t g, int64_t acked, int64_t not_acked, uint64_t foreign_n)
{
	struct owner o;

	load(s, &o);
	if (!o.loaded)
		fail_msg("not loaded: %s", statelog_reason(o.l));
	if (acked >= 0)
		assert_true(is_acked(&o, g, acked));
	if (not_acked >= 0)
		assert_false(is_acked(&o, g, not_acked));
	assert_int_equal(foreign(&o), foreign_n);
	assert_int_equal(statelog_reason(o.l)[0] == '\0', foreign_n == 0);
	owner_release(&o);
}

static void test_late_write_is_left_out(void **state)
{
	struct script s;
	int64_t e1, e2;

	(void)state;
	script_init(&s);
	e1 = claim(&s);
	entries(&s, e1);
	put_new(&s, G0, 1);
	land(&s);
	e2 = claim(&s);
	entries(&s, e1); /* too late */
	put_ack(&s, 1, 7);
	land(&s);
	entries(&s, e2);
	put_group(&s, STATE_ENTRY_IN_GROUP, G0);
	put_partition(&s, STATE_ENTRY_NUMBER, 1, 0);
	put_ack(&s, 1, 8);
	land(&s);
	assert_loads(&s, 0, 8, 7, 1);
	script_release(&s);
}

/* Also a begin mark, or an end mark that would arm, changes nothing when its owner was deposed. */
static void test_late_begin_mark_revives_nobody(void **state)
{
	struct script s;
	int64_t e1, e2, b;

	(void)state;
	script_init(&s);
	e1 = claim(&s);
	entries(&s, e1);
	put_new(&s, G0, 1);
	land(&s);
	e2 = claim(&s);
	b = begin(&s, e1); /* too late */
	entries(&s, e1);
	put_snapshot(&s, G0, 1, 7);
	land(&s);
	end(&s, e1, b, 1);
	entries(&s, e2);
	put_group(&s, STATE_ENTRY_IN_GROUP, G0);
	put_partition(&s, STATE_ENTRY_NUMBER, 1, 0);
	put_ack(&s, 1, 8);
	land(&s);
	assert_loads(&s, 0, 8, 7, 3);
	script_release(&s);
}

/* An old owner that was claimed over, and its own successor's number for another share-partition. */
static void test_numbers_are_an_owners_own(void **state)
{
	struct script s;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	entries(&s, e);
	put_new(&s, G0, 1);
	put_new(&s, G1, 2);
	land(&s);
	e = claim(&s);
	entries(&s, e);
	put_ack(&s, 1, 7); /* not defined by this owner */
	land(&s);
	assert_refused(&s, 3, "number");
	script_release(&s);
}

/* A trimmed log: begin mark first. Changes before a group's snapshot are in it. */
static void checkpointed(struct script *s, bool with_end)
{
	int64_t e = claim(s), b;

	entries(s, e);
	put_new(s, G0, 1);
	put_new(s, G1, 2);
	land(s);
	b = begin(s, e);
	entries(s, e);
	put_ack(s, 1, 3); /* its snapshot has not come */
	put_group(s, STATE_ENTRY_IN_GROUP, G0);
	put_partition(s, STATE_ENTRY_PARTITION, 3, 1);
	put_ack(s, 3, 3);
	put_snapshot(s, G1, 2, 4);
	put_ack(s, 2, 5);
	land(s);
	entries(s, e);
	put_snapshot(s, G0, 1, 6);
	land(s);
	if (with_end)
		end(s, e, b, 2);
	fake_partition_trim(&s->p, b);
}

static void test_unarmed_until_snapshot(void **state)
{
	struct script s;

	(void)state;
	script_init(&s);
	checkpointed(&s, true);
	assert_loads(&s, 0, 6, 3, 0);
	assert_loads(&s, 1, 4, 6, 0);
	assert_loads(&s, 1, 5, 3, 0);
	script_release(&s);
}

static void test_end_mark_arms(void **state)
{
	struct script s;

	(void)state;
	script_init(&s);
	checkpointed(&s, true);
	entries(&s, 0);
	put_new(&s, STR_LIT("g2"), 9); /* came into being after the end */
	put_ack(&s, 9, 10);
	land(&s);
	assert_loads(&s, 2, 10, 9, 0);
	script_release(&s);
}

static void test_checkpoint_without_end_is_refused(void **state)
{
	struct script s;

	(void)state;
	script_init(&s);
	checkpointed(&s, false);
	assert_refused(&s, 2, "has no end");
	script_release(&s);
}

static void test_trimmed_elsewhere_is_refused(void **state)
{
	struct script s;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	entries(&s, e);
	put_new(&s, G0, 1);
	land(&s);
	fake_partition_trim(&s.p, 1);
	assert_refused(&s, 1, "cut off by something else");
	fake_partition_trim(&s.p, s.p.end); /* all of it */
	assert_refused(&s, s.p.end, "cut off by something else");
	script_release(&s);
}

static void test_half_a_snapshot_does_not_count(void **state)
{
	struct script s;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	entries(&s, e);
	put_new(&s, G0, 1);
	put_ack(&s, 1, 3);
	land(&s);
	begin(&s, e);
	entries(&s, e);
	put_group(&s, STATE_ENTRY_SNAPSHOT, G0);
	put_partition(&s, STATE_ENTRY_PARTITION, 1, 0);
	put_ack(&s, 1, 9);
	land(&s);
	assert_loads(&s, 0, 3, 9, 0);
	script_release(&s);
}

/* A broker that forgot its producer took the first half of a snapshot twice. */
static void test_written_twice_counts_once(void **state)
{
	struct script s;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	begin(&s, e);
	entries(&s, e);
	put_group(&s, STATE_ENTRY_SNAPSHOT, G0);
	put_partition(&s, STATE_ENTRY_PARTITION, 1, 0);
	put_ack(&s, 1, 9);
	land(&s);
	s.p.producers_n = 0;
	s.sequence--;
	land(&s);
	entries(&s, e);
	put_ack(&s, 1, 11);
	put_group(&s, STATE_ENTRY_SNAPSHOT_END, STR_NULL);
	land(&s);
	assert_loads(&s, 0, 9, 10, 1);
	script_release(&s);
}

static void test_other_partition_count_is_void(void **state)
{
	struct state_head other = owner_head(STATE_CLAIM, 0, 10);
	struct statelog_config cfg = owner_config();
	struct script s;
	struct owner wrong, right;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	entries(&s, e);
	put_new(&s, G0, 1);
	land(&s);
	head(&s, &other);
	land(&s);
	entries(&s, e); /* its owner still has it */
	put_ack(&s, 1, 4);
	land(&s);
	assert_loads(&s, 0, 4, 5, 1);
	owner_init(&right, &s.p, &cfg);
	owner_start(&right);
	owner_run(&right);
	cfg.partition_count = 10;
	owner_init(&wrong, &s.p, &cfg);
	owner_start(&wrong);
	owner_run(&wrong);
	assert_int_equal(statelog_get_state(wrong.l), STATELOG_REFUSED);
	assert_non_null(strstr(statelog_reason(wrong.l), "partition count of 50 instead of 10"));
	owner_append(&right, &(struct share_change){.type = SHARE_CHANGE_GROUP, .group_id = G0, .u.group = {8, 8}});
	owner_run(&right);
	assert_false(right.lost); /* the void claim took nothing */
	assert_int_equal(statelog_durable(right.l), 1);
	assert_replays(&s.p, &right.mem);
	owner_release(&wrong);
	owner_release(&right);
	script_release(&s);
}

static void test_foreign_records_are_reported(void **state)
{
	struct script s;
	struct owner o;
	int64_t e;

	(void)state;
	script_init(&s);
	produce_junk(&s.p);
	e = claim(&s);
	produce_junk(&s.p);
	entries(&s, e);
	put_new(&s, G0, 1);
	put_ack(&s, 1, 4);
	land(&s);
	assert_loads(&s, 0, 4, -1, 2);
	load(&s, &o);
	assert_string_equal(
		statelog_reason(o.l), "state partition 3, offset 0: left out a record that no sluice wrote");
	owner_release(&o);
	script_release(&s);
}

static void test_corrupt_is_refused(void **state)
{
	struct script s;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	entries(&s, e);
	put_new(&s, G0, 1);
	land(&s);
	s.p.v[1].bytes->data[70] ^= 1;
	assert_refused(&s, 1, "checksum");
	s.p.v[1].bytes->data[70] ^= 1;
	s.p.v[1].bytes->data[16] = 3; /* magic */
	assert_refused(&s, 1, "impossible header");
	script_release(&s);
}

static void test_newer_version_is_refused(void **state)
{
	struct batch_builder b;
	struct script s;
	struct chunk *c;

	(void)state;
	script_init(&s);
	claim(&s);
	batch_builder_init(&b, 1000, 1);
	assert_int_equal(
		batch_builder_add(&b, (struct bytes){(const uint8_t *)"sl\2", 3}, (struct bytes){NULL, 0}), ERR_OK);
	c = batch_builder_end(&b, -1, -1, -1);
	batch_builder_release(&b);
	fake_partition_produce(&s.p, c);
	chunk_unref(c);
	assert_refused(&s, 1, "newer");
	script_release(&s);
}

static void test_missing_offsets_are_refused(void **state)
{
	struct script s;
	int64_t e;

	(void)state;
	script_init(&s);
	e = claim(&s);
	for (int i = 0; i < 3; i++) {
		entries(&s, e);
		put_new(&s, G0, 1);
		land(&s);
	}
	chunk_unref(s.p.v[2].bytes); /* as compaction would */
	s.p.n--;
	memmove(&s.p.v[2], &s.p.v[3], sizeof(s.p.v[2]));
	assert_refused(&s, 2, "missing");
	script_release(&s);
}

static void test_another_partitions_log_is_refused(void **state)
{
	struct state_head h = owner_head(STATE_CLAIM, 0, 50);
	struct script s;

	(void)state;
	script_init(&s);
	h.partition = 4;
	head(&s, &h);
	land(&s);
	assert_refused(&s, 1, "another state partition");
	script_release(&s);
}

/* Records that count and contradict each other. */
static void test_contradictions_are_refused(void **state)
{
	static const char *const why[] = {
		"malformed entry",
		"names no group",
		"within a snapshot",
		"snapshot within a snapshot",
		"no beginning",
		"names two share-partitions",
		"does not exist",
		"names no share-partition",
		"another group within",
		"change within a snapshot",
		"names another begin mark",
		"not all there",
		"names another begin mark",
		"snapshot of another group",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(why) / sizeof(*why); i++) {
		struct script s;
		int64_t e, b;

		script_init(&s);
		e = claim(&s);
		entries(&s, e);
		put_new(&s, G0, 1);
		put_new(&s, G1, 2);
		land(&s);
		b = i == 10 ? -1 : begin(&s, e);
		entries(&s, e);
		if (i == 0)
			wr_i8(&s.w, 99);
		else if (i == 1)
			put_group(&s, STATE_ENTRY_GROUP, STR_NULL);
		else if (i == 2 || i == 3 || i == 8 || i == 9 || i == 13)
			put_group(&s, STATE_ENTRY_SNAPSHOT, G0);
		if (i == 2 || i == 9)
			put_group(&s, i == 2 ? STATE_ENTRY_GROUP : STATE_ENTRY_GROUP_DELETED, STR_NULL);
		else if (i == 3)
			put_group(&s, STATE_ENTRY_SNAPSHOT, G0);
		else if (i == 4)
			put_group(&s, STATE_ENTRY_SNAPSHOT_END, STR_NULL);
		else if (i == 5 || i == 6 || i == 8)
			put_group(&s, STATE_ENTRY_IN_GROUP, i == 8 ? G1 : G0);
		if (i == 5)
			put_partition(&s, STATE_ENTRY_PARTITION, 2, 1);
		else if (i == 6)
			put_partition(&s, STATE_ENTRY_NUMBER, 7, 1);
		else if (i == 7)
			put_ack(&s, 8, 1);
		else if (i == 13)
			put_ack(&s, 2, 1);
		land(&s);
		if (i >= 10 && i < 13)
			end(&s, e, i == 12 ? b - 1 : b < 0 ? 0 : b, i == 11 ? 1 : 0);
		assert_refused(&s, s.p.end - 1, why[i]);
		script_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_write_is_left_out),
		cmocka_unit_test(test_late_begin_mark_revives_nobody),
		cmocka_unit_test(test_numbers_are_an_owners_own),
		cmocka_unit_test(test_unarmed_until_snapshot),
		cmocka_unit_test(test_end_mark_arms),
		cmocka_unit_test(test_checkpoint_without_end_is_refused),
		cmocka_unit_test(test_trimmed_elsewhere_is_refused),
		cmocka_unit_test(test_half_a_snapshot_does_not_count),
		cmocka_unit_test(test_written_twice_counts_once),
		cmocka_unit_test(test_other_partition_count_is_void),
		cmocka_unit_test(test_foreign_records_are_reported),
		cmocka_unit_test(test_corrupt_is_refused),
		cmocka_unit_test(test_newer_version_is_refused),
		cmocka_unit_test(test_missing_offsets_are_refused),
		cmocka_unit_test(test_another_partitions_log_is_refused),
		cmocka_unit_test(test_contradictions_are_refused),
	};

	return cmocka_run_group_tests_name("statelog_rules", tests, NULL, NULL);
}
