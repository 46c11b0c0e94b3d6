/* SPDX-License-Identifier: Apache-2.0 */
/* What a record of the internal topic says is written down as text here. */
#include "main/state_print.h"

#include <inttypes.h>

static const char *kind_name(enum state_kind kind)
{
	switch (kind) {
	case STATE_CLAIM:
		return "claim";
	case STATE_BEGIN:
		return "begin mark";
	case STATE_END:
		return "end mark";
	case STATE_ENTRIES:
		return "entries";
	case STATE_RESIGN:
		return "resign mark";
	}
	return "record";
}

static const char *state_name(enum share_record_state state)
{
	switch (state) {
	case SHARE_AVAILABLE:
		return "available";
	case SHARE_ACQUIRED:
		return "acquired";
	case SHARE_ACKNOWLEDGED:
		return "acknowledged";
	case SHARE_ARCHIVING:
		return "archiving";
	case SHARE_ARCHIVED:
		return "archived";
	}
	return "?";
}

void state_print_str(FILE *f, struct str s)
{
	if (str_is_null(s)) {
		fputs("null", f);
		return;
	}
	fputc('"', f);
	for (size_t i = 0; i < s.n; i++) {
		uint8_t c = (uint8_t)s.p[i];

		if (c < 0x20 || c >= 0x7f)
			fprintf(f, "\\x%02x", c);
		else if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

static void print_uuid(FILE *f, struct uuid u)
{
	char text[23];

	uuid_format(u, text);
	fputs(text, f);
}

/* 5, or 5-9 */
static void print_offsets(FILE *f, int64_t first, int64_t last)
{
	fprintf(f, "%" PRId64, first);
	if (last != first)
		fprintf(f, "-%" PRId64, last);
}

/* The start offset unless it is missing, then the ranges: "start 10, 12-14 acknowledged, 20 available after 2
 * deliveries". */
static void print_records(FILE *f, const struct share_partition_state *p, const char *no_start)
{
	const char *comma = "";

	if (p->start_offset >= 0) {
		fprintf(f, "start %" PRId64, p->start_offset);
		comma = ", ";
	} else if (no_start) {
		fputs(no_start, f);
		comma = ", ";
	}
	for (uint32_t i = 0; i < p->ranges_n; i++) {
		const struct share_state_range *r = &p->ranges[i];

		fputs(comma, f);
		print_offsets(f, r->first, r->last);
		fprintf(f, " %s", state_name(r->state));
		if (r->delivery_count > 0)
			fprintf(f, " after %d deliver%s", r->delivery_count, r->delivery_count == 1 ? "y" : "ies");
		comma = ", ";
	}
}

static void print_member(FILE *f, const struct share_member_state *m)
{
	fputs("member ", f);
	state_print_str(f, m->member_id);
	fprintf(f, " epoch %d, before it %d, rack ", m->member_epoch, m->previous_epoch);
	state_print_str(f, m->rack_id);
	fputs(", client ", f);
	state_print_str(f, m->client_id);
	fputs(" at ", f);
	state_print_str(f, m->client_host);
	fputs(", subscribed to", f);
	for (uint32_t i = 0; i < m->subscribed_n; i++) {
		fputs(i ? ", " : " ", f);
		state_print_str(f, m->subscribed[i]);
	}
	fputs(m->subscribed_n ? ", assigned" : " nothing, assigned", f);
	for (uint32_t i = 0; i < m->assigned_n; i++) {
		fputs(i ? ", " : " ", f);
		print_uuid(f, m->assigned[i].topic_id);
		for (uint32_t k = 0; k < m->assigned[i].partitions_n; k++)
			fprintf(f, "%c%d", k ? '/' : '-', m->assigned[i].partitions[k]);
	}
	if (!m->assigned_n)
		fputs(" nothing", f);
}

static void print_topic_partition(FILE *f, const struct share_partition_state *p)
{
	print_uuid(f, p->topic_id);
	fprintf(f, "-%d", p->partition);
}

/* The share-partition that a number stands for, where the replay knows it. */
static void print_number(FILE *f, uint32_t number, const struct state_replay *rp)
{
	struct state_replay_place place;

	fprintf(f, "#%" PRIu32, number);
	if (!rp || !state_replay_place(rp, number, &place))
		return;
	fputs(" (", f);
	state_print_str(f, place.group_id);
	fputs(", ", f);
	state_print_str(f, place.topic_name);
	fprintf(f, "-%d)", place.partition);
}

static void print_partition_entry(FILE *f, const struct state_entry *e, const struct state_replay *rp)
{
	const struct share_partition_state *p = &e->u.partition;

	switch (e->type) {
	case STATE_ENTRY_PARTITION:
		fprintf(f, "share-partition #%" PRIu32 " is ", e->number);
		state_print_str(f, p->topic_name);
		fprintf(f, "-%d, topic id ", p->partition);
		print_uuid(f, p->topic_id);
		fputs(": ", f);
		print_records(f, p, "no start offset yet");
		break;
	case STATE_ENTRY_PARTITION_DELETED:
		fputs("share-partition deleted: ", f);
		print_topic_partition(f, p);
		break;
	case STATE_ENTRY_NUMBER:
		fprintf(f, "number #%" PRIu32 " is ", e->number);
		print_topic_partition(f, p);
		break;
	default:
		fputs("records of ", f);
		print_number(f, e->number, rp);
		fputs(": ", f);
		print_records(f, p, p->ranges_n ? NULL : "nothing");
		break;
	}
}

static void print_entry(FILE *f, const struct state_entry *e, const struct state_replay *rp)
{
	fputs("    ", f);
	switch (e->type) {
	case STATE_ENTRY_IN_GROUP:
		fputs("in group ", f);
		state_print_str(f, e->group_id);
		break;
	case STATE_ENTRY_SNAPSHOT:
		fputs("snapshot of group ", f);
		state_print_str(f, e->group_id);
		fprintf(f, e->exists ? ": epoch %d, assignment epoch %d" : ": it does not exist", e->group_epoch,
			e->assignment_epoch);
		break;
	case STATE_ENTRY_SNAPSHOT_END:
		fputs("snapshot is whole", f);
		break;
	case STATE_ENTRY_GROUP:
		fprintf(f, "group epoch %d, assignment epoch %d", e->group_epoch, e->assignment_epoch);
		break;
	case STATE_ENTRY_GROUP_DELETED:
		fputs("group deleted", f);
		break;
	case STATE_ENTRY_MEMBER:
		print_member(f, &e->u.member);
		break;
	case STATE_ENTRY_MEMBER_REMOVED:
		fputs("member removed: ", f);
		state_print_str(f, e->u.member.member_id);
		break;
	case STATE_ENTRY_CONFIG:
		fputs("config ", f);
		state_print_str(f, e->u.config.name);
		fputs(str_is_null(e->u.config.value) ? " removed" : " = ", f);
		if (!str_is_null(e->u.config.value))
			state_print_str(f, e->u.config.value);
		break;
	case STATE_ENTRY_PARTITION:
	case STATE_ENTRY_PARTITION_DELETED:
	case STATE_ENTRY_NUMBER:
	case STATE_ENTRY_RECORDS:
		print_partition_entry(f, e, rp);
		break;
	}
	fputc('\n', f);
}

static void print_entries(FILE *f, const struct state_batch *b, const struct state_replay *rp)
{
	struct reader r = b->entries;

	while (rd_left(&r) > 0) {
		size_t left = rd_left(&r);
		struct state_entry e;
		struct arena a;
		enum err err;

		arena_init(&a, STATE_SCRATCH_MAX);
		err = state_entry_read(&r, &a, &e);
		if (err)
			fprintf(f, "    a malformed entry, %zu bytes before the end\n", left);
		else
			print_entry(f, &e, rp);
		arena_release(&a);
		if (err)
			return;
	}
}

static void print_owner(FILE *f, const struct state_head *h)
{
	char id[23];

	uuid_format(h->owner_id, id);
	fprintf(f, ", owner %s at ", id);
	state_print_str(f, h->owner_address);
	fprintf(f, ", partition %d of %d", h->partition, h->partition_count);
}

/* What the head says. */
static void print_head(FILE *f, const struct state_head *h)
{
	fprintf(f, "%s, epoch %" PRId64, kind_name(h->kind), h->owner_epoch);
	switch (h->kind) {
	case STATE_CLAIM:
	case STATE_BEGIN:
		print_owner(f, h);
		break;
	case STATE_END:
		fprintf(f, ", of the begin mark at %" PRId64 " and %" PRIu32 " snapshots", h->begin_offset,
			h->snapshots);
		break;
	case STATE_RESIGN:
		fputs(h->settled ? ", settled" : ", had to wait itself", f);
		break;
	case STATE_ENTRIES:
		break;
	}
}

void state_print_batch(FILE *f, const struct state_batch *b, enum state_audit_verdict verdict, const char *why,
	const struct state_replay *rp)
{
	fputs("offset ", f);
	print_offsets(f, b->base_offset, b->last_offset);
	fprintf(f, ", %zu bytes: ", b->size);
	if (b->verdict == STATE_OURS)
		print_head(f, &b->head);
	else
		fputs(b->why, f);
	if (verdict == STATE_AUDIT_LEFT_OUT)
		fprintf(f, " [left out: %s]", why);
	else if (verdict == STATE_AUDIT_BROKEN)
		fprintf(f, " [BROKEN: %s]", why);
	else if (verdict == STATE_AUDIT_BEHIND)
		fputs(" [behind what is broken]", f);
	fputc('\n', f);
	if (b->verdict == STATE_OURS && b->head.kind == STATE_ENTRIES)
		print_entries(f, b, rp);
}

static void print_last_owner(FILE *f, const struct state_replay *rp)
{
	const struct state_replay_owner *o = state_replay_owner(rp);
	char id[23];

	if (o->epoch < 0)
		return;
	uuid_format(o->id, id);
	fprintf(f, "    owner: epoch %" PRId64 ", %s at ", o->epoch, id);
	state_print_str(f, (struct str){o->address, o->address_n});
	fputs(!o->resigned ? "\n" : o->settled ? ", handed over\n" : ", handed over before its wait was over\n", f);
}

void state_print_summary(FILE *f, int32_t partition, int64_t start, int64_t end, const struct state_audit_result *res,
	const struct state_replay *rp, const struct state_print_groups *n)
{
	fprintf(f, "partition %d: offsets %" PRId64 " to %" PRId64 ", %" PRIu64 " records, %" PRIu64 " bytes\n",
		partition, start, end, res->batches, res->bytes);
	if (res->batches) {
		fputs("   ", f);
		for (int kind = STATE_CLAIM; kind <= STATE_RESIGN; kind++)
			fprintf(f, " %s %" PRIu64 ",", kind_name((enum state_kind)kind), res->kinds[kind]);
		fprintf(f, " single entries %" PRIu64 ", left out %" PRIu64 "\n", res->entries, res->left_out);
	}
	print_last_owner(f, rp);
	if (n->groups)
		fprintf(f,
			"    groups %" PRIu64 ", members %" PRIu64 ", configs %" PRIu64 ", share-partitions %" PRIu64
			", ranges %" PRIu64 "\n",
			n->groups, n->members, n->configs, n->partitions, n->ranges);
	if (res->is_broken)
		fprintf(f, "    BROKEN at offset %" PRId64 ": %s; %" PRIu64 " records behind it were not replayed\n",
			res->broken_offset, res->broken, res->behind);
}
