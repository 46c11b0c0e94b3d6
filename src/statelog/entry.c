/* SPDX-License-Identifier: Apache-2.0 */
/* Entries, the small parts of a state record, are encoded and decoded here. */
#include "base/assert.h"
#include "statelog/format.h"

/* RECORDS in one byte: 64 | ranges (0 to 30, 31: a count follows) * 2 | has a start offset. */
#define RECORDS_HAS_START 1u
#define RECORDS_N_SHIFT 1u
#define RECORDS_N_MORE 31u
/* State and delivery count of a range in one byte: count (0 to 30, 31: it follows) * 8 | state. */
#define RANGE_STATE_MASK 7u
#define RANGE_COUNT_SHIFT 3u
#define RANGE_COUNT_MORE 31u
#define RANGE_SIZE_MIN 3u

static void ranges_write(struct writer *w, int64_t base, const struct share_state_range *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct share_state_range *s = &v[i];
		uint32_t count = (uint32_t)s->delivery_count;

		sl_assert(s->first >= 0 && s->last >= s->first && s->last < INT64_MAX);
		sl_assert(s->delivery_count >= 0 && s->state != SHARE_ACQUIRED);
		sl_assert(i == 0 || s->first >= base);
		if (i == 0)
			wr_varlong(w, s->first - base);
		else
			wr_uvarlong(w, (uint64_t)(s->first - base));
		wr_uvarlong(w, (uint64_t)(s->last - s->first));
		wr_i8(w, (int8_t)((uint32_t)s->state | (count < RANGE_COUNT_MORE ? count : RANGE_COUNT_MORE)
							       << RANGE_COUNT_SHIFT));
		if (count >= RANGE_COUNT_MORE)
			wr_uvarint(w, count);
		base = s->last + 1;
	}
}

/* state and count in their byte, *count from behind it when it does not fit. */
static void range_read_state(struct reader *r, struct share_state_range *ret)
{
	uint32_t b = (uint8_t)rd_i8(r), state = b & RANGE_STATE_MASK, count = b >> RANGE_COUNT_SHIFT;

	if (count == RANGE_COUNT_MORE)
		count = rd_uvarint(r);
	if (state > SHARE_ARCHIVED || state == SHARE_ACQUIRED || count > INT16_MAX)
		rd_fail(r);
	ret->state = (enum share_record_state)state;
	ret->delivery_count = (int16_t)count;
}

static void range_read(struct reader *r, int64_t base, bool is_first, struct share_state_range *ret)
{
	uint64_t more;

	if (is_first) {
		if (__builtin_add_overflow(base, rd_varlong(r), &ret->first) || ret->first < 0)
			rd_fail(r);
	} else {
		more = rd_uvarlong(r);
		if (more > (uint64_t)(INT64_MAX - base))
			rd_fail(r);
		ret->first = r->err ? 0 : base + (int64_t)more;
	}
	more = rd_uvarlong(r);
	if (r->err || more >= (uint64_t)(INT64_MAX - ret->first)) {
		rd_fail(r);
		return;
	}
	ret->last = ret->first + (int64_t)more;
	range_read_state(r, ret);
}

static enum err ranges_read(
	struct reader *r, struct arena *a, int64_t base, uint32_t n, struct share_partition_state *ret)
{
	struct share_state_range *v;

	if (r->err || n > rd_left(r) / RANGE_SIZE_MIN)
		return ERR_MALFORMED;
	v = arena_zalloc(a, n, sizeof(*v));
	if (!v)
		return ERR_NO_MEMORY;
	for (uint32_t i = 0; i < n; i++) {
		range_read(r, base, i == 0, &v[i]);
		if (r->err)
			return r->err;
		base = v[i].last + 1;
	}
	ret->ranges = v;
	ret->ranges_n = n;
	return ERR_OK;
}

static void partition_key_write(struct writer *w, const struct share_partition_state *p)
{
	wr_uuid(w, p->topic_id);
	wr_uvarint(w, (uint32_t)p->partition);
}

static void partition_key_read(struct reader *r, struct share_partition_state *p)
{
	uint32_t partition;

	p->topic_id = rd_uuid(r);
	partition = rd_uvarint(r);
	if (partition > INT32_MAX)
		rd_fail(r);
	p->partition = (int32_t)partition;
}

static void number_read(struct reader *r, struct state_entry *e)
{
	e->number = rd_uvarint(r);
	if (e->number == 0)
		rd_fail(r);
}

/* A start offset that may be missing (-1). */
static int64_t start_read(struct reader *r)
{
	uint64_t v = rd_uvarlong(r);

	if (v > INT64_MAX)
		rd_fail(r);
	return (int64_t)v - 1;
}

static void partition_write(struct writer *w, const struct state_entry *e)
{
	const struct share_partition_state *p = &e->u.partition;

	sl_assert(!str_is_null(p->topic_name) && p->start_offset >= -1);
	wr_uvarint(w, e->number);
	partition_key_write(w, p);
	wr_cstr(w, p->topic_name);
	wr_uvarlong(w, (uint64_t)(p->start_offset + 1));
	wr_uvarint(w, p->ranges_n);
	ranges_write(w, p->start_offset < 0 ? 0 : p->start_offset, p->ranges, p->ranges_n);
}

static enum err partition_read(struct reader *r, struct arena *a, struct state_entry *e)
{
	struct share_partition_state *p = &e->u.partition;
	uint32_t n;

	number_read(r, e);
	partition_key_read(r, p);
	p->topic_name = rd_cstr(r);
	if (str_is_null(p->topic_name))
		rd_fail(r);
	p->start_offset = start_read(r);
	n = rd_uvarint(r);
	return ranges_read(r, a, p->start_offset < 0 ? 0 : p->start_offset, n, p);
}

static void records_write(struct writer *w, const struct state_entry *e)
{
	const struct share_partition_state *p = &e->u.partition;
	uint32_t n = p->ranges_n < RECORDS_N_MORE ? p->ranges_n : RECORDS_N_MORE;
	bool has_start = p->start_offset >= 0;

	wr_i8(w, (int8_t)(STATE_ENTRY_RECORDS | n << RECORDS_N_SHIFT | (has_start ? RECORDS_HAS_START : 0)));
	wr_uvarint(w, e->number);
	if (has_start)
		wr_uvarlong(w, (uint64_t)p->start_offset);
	if (n == RECORDS_N_MORE)
		wr_uvarint(w, p->ranges_n);
	ranges_write(w, has_start ? p->start_offset : 0, p->ranges, p->ranges_n);
}

static enum err records_read(struct reader *r, struct arena *a, uint32_t type, struct state_entry *e)
{
	struct share_partition_state *p = &e->u.partition;
	uint32_t n = (type >> RECORDS_N_SHIFT) & RECORDS_N_MORE;

	e->type = STATE_ENTRY_RECORDS;
	number_read(r, e);
	p->start_offset = -1;
	if (type & RECORDS_HAS_START) {
		uint64_t v = rd_uvarlong(r);

		if (v > INT64_MAX)
			rd_fail(r);
		p->start_offset = (int64_t)v;
	}
	if (n == RECORDS_N_MORE)
		n = rd_uvarint(r);
	return ranges_read(r, a, p->start_offset < 0 ? 0 : p->start_offset, n, p);
}

static void member_write(struct writer *w, const struct share_member_state *m)
{
	sl_assert(!str_is_null(m->member_id));
	wr_cstr(w, m->member_id);
	wr_varint(w, m->member_epoch);
	wr_varint(w, m->previous_epoch);
	wr_cstr(w, m->rack_id);
	wr_cstr(w, m->client_id);
	wr_cstr(w, m->client_host);
	wr_uvarint(w, m->subscribed_n);
	for (uint32_t i = 0; i < m->subscribed_n; i++)
		wr_cstr(w, m->subscribed[i]);
	wr_uvarint(w, m->assigned_n);
	for (uint32_t i = 0; i < m->assigned_n; i++) {
		wr_uuid(w, m->assigned[i].topic_id);
		wr_uvarint(w, m->assigned[i].partitions_n);
		for (uint32_t k = 0; k < m->assigned[i].partitions_n; k++)
			wr_uvarint(w, (uint32_t)m->assigned[i].partitions[k]);
	}
}

/* The count of elements of at least min bytes each, never more than can be there. */
static uint32_t count_read(struct reader *r, size_t min)
{
	uint32_t n = rd_uvarint(r);

	if (n > rd_left(r) / min)
		rd_fail(r);
	return r->err ? 0 : n;
}

static enum err assigned_read(struct reader *r, struct arena *a, struct share_topic_partitions *ret)
{
	int32_t *v;

	ret->topic_id = rd_uuid(r);
	ret->partitions_n = count_read(r, 1);
	v = arena_zalloc(a, ret->partitions_n, sizeof(*v));
	if (!v)
		return ERR_NO_MEMORY;
	for (uint32_t i = 0; i < ret->partitions_n; i++) {
		uint32_t p = rd_uvarint(r);

		if (p > INT32_MAX)
			rd_fail(r);
		v[i] = (int32_t)p;
	}
	ret->partitions = v;
	return r->err;
}

static enum err member_read(struct reader *r, struct arena *a, struct share_member_state *m)
{
	struct share_topic_partitions *assigned;
	struct str *subscribed;

	m->member_id = rd_cstr(r);
	m->member_epoch = rd_varint(r);
	m->previous_epoch = rd_varint(r);
	m->rack_id = rd_cstr(r);
	m->client_id = rd_cstr(r);
	m->client_host = rd_cstr(r);
	m->subscribed_n = count_read(r, 1);
	subscribed = arena_zalloc(a, m->subscribed_n, sizeof(*subscribed));
	if (!subscribed)
		return ERR_NO_MEMORY;
	for (uint32_t i = 0; i < m->subscribed_n; i++)
		subscribed[i] = rd_cstr(r);
	m->assigned_n = count_read(r, sizeof(struct uuid) + 1);
	assigned = arena_zalloc(a, m->assigned_n, sizeof(*assigned));
	if (!assigned)
		return ERR_NO_MEMORY;
	for (uint32_t i = 0; i < m->assigned_n; i++) {
		enum err e = assigned_read(r, a, &assigned[i]);

		if (e)
			return e;
	}
	m->subscribed = subscribed;
	m->assigned = assigned;
	return str_is_null(m->member_id) ? ERR_MALFORMED : r->err;
}

void state_entry_write(struct writer *w, const struct state_entry *e)
{
	if (e->type == STATE_ENTRY_RECORDS) {
		records_write(w, e);
		return;
	}
	wr_i8(w, (int8_t)e->type);
	switch (e->type) {
	case STATE_ENTRY_IN_GROUP:
		wr_cstr(w, e->group_id);
		break;
	case STATE_ENTRY_SNAPSHOT:
		wr_cstr(w, e->group_id);
		wr_bool(w, e->exists);
		/* fall through */
	case STATE_ENTRY_GROUP:
		wr_varint(w, e->group_epoch);
		wr_varint(w, e->assignment_epoch);
		break;
	case STATE_ENTRY_MEMBER:
		member_write(w, &e->u.member);
		break;
	case STATE_ENTRY_MEMBER_REMOVED:
		wr_cstr(w, e->u.member.member_id);
		break;
	case STATE_ENTRY_CONFIG:
		wr_cstr(w, e->u.config.name);
		wr_cstr(w, e->u.config.value);
		break;
	case STATE_ENTRY_PARTITION:
		partition_write(w, e);
		break;
	case STATE_ENTRY_NUMBER:
		wr_uvarint(w, e->number);
		/* fall through */
	case STATE_ENTRY_PARTITION_DELETED:
		partition_key_write(w, &e->u.partition);
		break;
	case STATE_ENTRY_SNAPSHOT_END:
	case STATE_ENTRY_GROUP_DELETED:
	case STATE_ENTRY_RECORDS:
		break;
	}
}

static void group_id_read(struct reader *r, struct state_entry *e)
{
	e->group_id = rd_cstr(r);
	if (str_is_null(e->group_id))
		rd_fail(r);
}

static void epochs_read(struct reader *r, struct state_entry *e)
{
	e->group_epoch = rd_varint(r);
	e->assignment_epoch = rd_varint(r);
}

/* An entry of one of the types below STATE_ENTRY_RECORDS. */
static enum err plain_entry_read(struct reader *r, struct arena *a, struct state_entry *e)
{
	switch (e->type) {
	case STATE_ENTRY_IN_GROUP:
		group_id_read(r, e);
		return r->err;
	case STATE_ENTRY_SNAPSHOT:
		group_id_read(r, e);
		e->exists = rd_bool(r);
		epochs_read(r, e);
		return r->err;
	case STATE_ENTRY_GROUP:
		epochs_read(r, e);
		return r->err;
	case STATE_ENTRY_SNAPSHOT_END:
	case STATE_ENTRY_GROUP_DELETED:
		return r->err;
	case STATE_ENTRY_MEMBER:
		return member_read(r, a, &e->u.member);
	case STATE_ENTRY_MEMBER_REMOVED:
		e->u.member.member_id = rd_cstr(r);
		return str_is_null(e->u.member.member_id) ? ERR_MALFORMED : r->err;
	case STATE_ENTRY_CONFIG:
		e->u.config.name = rd_cstr(r);
		e->u.config.value = rd_cstr(r);
		return str_is_null(e->u.config.name) ? ERR_MALFORMED : r->err;
	case STATE_ENTRY_PARTITION:
		return partition_read(r, a, e);
	case STATE_ENTRY_NUMBER:
		number_read(r, e);
		/* fall through */
	case STATE_ENTRY_PARTITION_DELETED:
		partition_key_read(r, &e->u.partition);
		return r->err;
	case STATE_ENTRY_RECORDS:
		break;
	}
	return ERR_MALFORMED;
}

enum err state_entry_read(struct reader *r, struct arena *a, struct state_entry *ret)
{
	uint8_t type = (uint8_t)rd_i8(r);

	*ret = (struct state_entry){0};
	if (r->err)
		return r->err;
	if (type >= STATE_ENTRY_RECORDS && type < 2 * STATE_ENTRY_RECORDS)
		return records_read(r, a, type, ret);
	ret->type = (enum state_entry_type)type;
	return plain_entry_read(r, a, ret);
}

struct state_entry state_entry_of_change(const struct share_change *c)
{
	static const enum state_entry_type types[] = {
		[SHARE_CHANGE_GROUP] = STATE_ENTRY_GROUP,
		[SHARE_CHANGE_GROUP_DELETED] = STATE_ENTRY_GROUP_DELETED,
		[SHARE_CHANGE_MEMBER] = STATE_ENTRY_MEMBER,
		[SHARE_CHANGE_MEMBER_REMOVED] = STATE_ENTRY_MEMBER_REMOVED,
		[SHARE_CHANGE_CONFIG] = STATE_ENTRY_CONFIG,
		[SHARE_CHANGE_PARTITION] = STATE_ENTRY_PARTITION,
		[SHARE_CHANGE_PARTITION_DELETED] = STATE_ENTRY_PARTITION_DELETED,
		[SHARE_CHANGE_RECORDS] = STATE_ENTRY_RECORDS,
	};
	struct state_entry e = {.type = types[c->type], .group_id = c->group_id};

	if (c->type == SHARE_CHANGE_GROUP) {
		e.group_epoch = c->u.group.group_epoch;
		e.assignment_epoch = c->u.group.assignment_epoch;
	} else if (c->type == SHARE_CHANGE_MEMBER || c->type == SHARE_CHANGE_MEMBER_REMOVED) {
		e.u.member = c->u.member;
	} else if (c->type == SHARE_CHANGE_CONFIG) {
		e.u.config = c->u.config;
	} else if (c->type != SHARE_CHANGE_GROUP_DELETED) {
		e.u.partition = c->u.partition;
	}
	return e;
}
