/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the internal topic as text: every kind and every entry, and what is no record of ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "main/state_print.h"

#define ID "AAAAAAAAAAAAAAAAAAAAAA"

struct text {
	char *p;
	size_t n;
	FILE *f;
};

static void text_begin(struct text *t)
{
	*t = (struct text){0};
	t->f = open_memstream(&t->p, &t->n);
	assert_non_null(t->f);
}

static void assert_text(struct text *t, const char *expected)
{
	assert_int_equal(fclose(t->f), 0);
	assert_string_equal(t->p, expected);
	free(t->p);
}

static const struct share_state_range ranges[] = {
	{12, 14, SHARE_ACKNOWLEDGED, 0},
	{20, 20, SHARE_AVAILABLE, 1},
	{21, 30, SHARE_ARCHIVED, 0},
	{31, 31, SHARE_ARCHIVING, 5},
};

static void entry_text(const struct state_entry *e, const char *expected)
{
	struct state_batch b = {.verdict = STATE_OURS,
		.base_offset = 7,
		.last_offset = 7,
		.size = 99,
		.head = {.kind = STATE_ENTRIES, .owner_epoch = 3}};
	struct writer w;
	struct text t;
	char all[1000];

	wr_init(&w, 10000);
	state_entry_write(&w, e);
	assert_int_equal(w.err, ERR_OK);
	b.entries = rd_init(buf_head(&w.own), buf_len(&w.own));
	snprintf(all, sizeof(all), "offset 7, 99 bytes: entries, epoch 3\n    %s\n", expected);
	text_begin(&t);
	state_print_batch(t.f, &b, STATE_AUDIT_COUNTS, "", NULL);
	assert_text(&t, all);
	wr_release(&w);
}

static void test_group_entries(void **state)
{
	(void)state;
	entry_text(&(struct state_entry){.type = STATE_ENTRY_IN_GROUP, .group_id = STR_LIT("a\"b\\\n\xc3")},
		"in group \"a\\\"b\\\\\\x0a\\xc3\"");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_SNAPSHOT,
			   .group_id = STR_LIT("g"),
			   .exists = true,
			   .group_epoch = 4,
			   .assignment_epoch = 3},
		"snapshot of group \"g\": epoch 4, assignment epoch 3");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_SNAPSHOT, .group_id = STR_LIT("")},
		"snapshot of group \"\": it does not exist");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_SNAPSHOT_END}, "snapshot is whole");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_GROUP, .group_epoch = -1, .assignment_epoch = 9},
		"group epoch -1, assignment epoch 9");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_GROUP_DELETED}, "group deleted");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_CONFIG, .u.config = {STR_LIT("n"), STR_LIT("")}},
		"config \"n\" = \"\"");
	entry_text(&(struct state_entry){.type = STATE_ENTRY_CONFIG, .u.config = {STR_LIT("n"), STR_NULL}},
		"config \"n\" removed");
}

static void test_member_entries(void **state)
{
	static const int32_t parts[] = {0, 2};
	const struct str topics[] = {STR_LIT("t"), STR_LIT("u")};
	const struct share_topic_partitions assigned[] = {{.partitions = parts, .partitions_n = 2}};
	struct state_entry e = {.type = STATE_ENTRY_MEMBER,
		.u.member = {.member_id = STR_LIT("m"),
			.member_epoch = 2,
			.previous_epoch = 1,
			.client_id = STR_LIT("c"),
			.client_host = STR_LIT("/h")}};

	(void)state;
	entry_text(&e, "member \"m\" epoch 2, before it 1, rack null, client \"c\" at \"/h\", subscribed to nothing, "
		       "assigned nothing");
	e.u.member.rack_id = STR_LIT("r");
	e.u.member.subscribed = topics;
	e.u.member.subscribed_n = 2;
	e.u.member.assigned = assigned;
	e.u.member.assigned_n = 1;
	entry_text(&e, "member \"m\" epoch 2, before it 1, rack \"r\", client \"c\" at \"/h\", subscribed to \"t\", "
		       "\"u\", assigned " ID "-0/2");
	e.type = STATE_ENTRY_MEMBER_REMOVED;
	entry_text(&e, "member removed: \"m\"");
}

static void test_partition_entries(void **state)
{
	struct state_entry e = {.type = STATE_ENTRY_PARTITION,
		.number = 1,
		.u.partition = {.topic_name = STR_LIT("t"), .partition = 5, .start_offset = -1}};

	(void)state;
	entry_text(&e, "share-partition #1 is \"t\"-5, topic id " ID ": no start offset yet");
	e.u.partition.start_offset = 10;
	e.u.partition.ranges = ranges;
	e.u.partition.ranges_n = 4;
	entry_text(&e, "share-partition #1 is \"t\"-5, topic id " ID
		       ": start 10, 12-14 acknowledged, 20 available after 1 delivery, 21-30 archived, 31 archiving "
		       "after 5 deliveries");
	e.type = STATE_ENTRY_RECORDS;
	entry_text(&e, "records of #1: start 10, 12-14 acknowledged, 20 available after 1 delivery, 21-30 archived, "
		       "31 archiving after 5 deliveries");
	e.u.partition.start_offset = -1;
	e.u.partition.ranges_n = 1;
	entry_text(&e, "records of #1: 12-14 acknowledged");
	e.u.partition.ranges_n = 0;
	entry_text(&e, "records of #1: nothing");
	e.type = STATE_ENTRY_NUMBER;
	entry_text(&e, "number #1 is " ID "-5");
	e.type = STATE_ENTRY_PARTITION_DELETED;
	entry_text(&e, "share-partition deleted: " ID "-5");
}

static void batch_text(
	const struct state_batch *b, enum state_audit_verdict verdict, const char *why, const char *expected)
{
	struct text t;

	text_begin(&t);
	state_print_batch(t.f, b, verdict, why, NULL);
	assert_text(&t, expected);
}

static void test_heads(void **state)
{
	struct state_batch b = {.verdict = STATE_OURS,
		.base_offset = 5,
		.last_offset = 5,
		.size = 80,
		.head = {.kind = STATE_CLAIM,
			.owner_epoch = 5,
			.owner_address = STR_LIT("h:1"),
			.partition = 1,
			.partition_count = 3}};

	(void)state;
	batch_text(&b, STATE_AUDIT_COUNTS, "",
		"offset 5, 80 bytes: claim, epoch 5, owner " ID " at \"h:1\", partition 1 of 3\n");
	b.head.kind = STATE_BEGIN;
	batch_text(&b, STATE_AUDIT_LEFT_OUT, "late",
		"offset 5, 80 bytes: begin mark, epoch 5, owner " ID
		" at \"h:1\", partition 1 of 3 [left out: late]\n");
	b.head = (struct state_head){.kind = STATE_END, .owner_epoch = 2, .begin_offset = 3, .snapshots = 4};
	batch_text(&b, STATE_AUDIT_BROKEN, "wrong",
		"offset 5, 80 bytes: end mark, epoch 2, of the begin mark at 3 and 4 snapshots [BROKEN: wrong]\n");
	b.head = (struct state_head){.kind = STATE_RESIGN, .owner_epoch = 2, .settled = true};
	batch_text(&b, STATE_AUDIT_BEHIND, "",
		"offset 5, 80 bytes: resign mark, epoch 2, settled [behind what is broken]\n");
	b.head.settled = false;
	batch_text(&b, STATE_AUDIT_COUNTS, "", "offset 5, 80 bytes: resign mark, epoch 2, had to wait itself\n");
}

static void test_foreign_and_malformed(void **state)
{
	struct state_batch b = {
		.verdict = STATE_FOREIGN, .base_offset = 5, .last_offset = 9, .size = 80, .why = "not ours"};

	(void)state;
	batch_text(&b, STATE_AUDIT_LEFT_OUT, "not ours", "offset 5-9, 80 bytes: not ours [left out: not ours]\n");
	b = (struct state_batch){.verdict = STATE_OURS,
		.size = 80,
		.head = {.kind = STATE_ENTRIES},
		.entries = rd_init((const uint8_t *)"\x05\x63", 2)};
	batch_text(&b, STATE_AUDIT_BROKEN, "a malformed entry",
		"offset 0, 80 bytes: entries, epoch 0 [BROKEN: a malformed entry]\n    group deleted\n"
		"    a malformed entry, 1 bytes before the end\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group_entries),
		cmocka_unit_test(test_member_entries),
		cmocka_unit_test(test_partition_entries),
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_foreign_and_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
