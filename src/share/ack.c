/* SPDX-License-Identifier: Apache-2.0 */
/* Acknowledgements: all of a partition's are checked first, then all are applied, or none. */
#include <stdlib.h>

#include "engine.h"

enum { ACK_GAP, ACK_ACCEPT, ACK_RELEASE, ACK_REJECT, ACK_RENEW };

const char *share_request_malformed(const struct share_event *ev)
{
	if (!ev->u.fetch.group_id.p || !ev->u.fetch.group_id.n)
		return "GroupId can't be empty.";
	if (!ev->u.fetch.member_id.p || !ev->u.fetch.member_id.n)
		return "MemberId can't be empty.";
	if (ev->u.fetch.member_id.n > SHARE_MEMBER_ID_MAX)
		return "MemberId can't be longer than 36 characters.";
	if (ev->u.fetch.partitions_n > SHARE_SESSION_PARTITIONS_MAX ||
		ev->u.fetch.forgotten_n > SHARE_SESSION_PARTITIONS_MAX)
		return "The request names too many partitions.";
	return NULL;
}

/* The entries of one partition, which a request may spread over several places. */
struct ack_entry {
	const struct share_partition_acks *acks;
	uint32_t order;
};

struct ack {
	struct share_engine *e;
	struct share_partition *sp;
	struct share_owner *owner;
	const struct share_event *ev;
	bool has_previous;
	int64_t previous_last;
	const char *message;
};

typedef int16_t (*ack_step)(struct ack *a, const struct share_ack_batch *b);

static int16_t ack_each(struct ack *a, const struct ack_entry *v, uint32_t n, ack_step step)
{
	a->has_previous = false;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < v[i].acks->batches_n; j++) {
			const struct share_ack_batch *b = &v[i].acks->batches[j];
			int16_t error = step(a, b);

			if (error)
				return error;
			a->has_previous = true;
			a->previous_last = b->last;
		}
	}
	return SHARE_ERR_NONE;
}

/* ---- checks without state: 42 ---- */

static int16_t malformed(struct ack *a, const char *message)
{
	a->message = message;
	return SHARE_ERR_INVALID_REQUEST;
}

static int16_t ack_check_form(struct ack *a, const struct share_ack_batch *b)
{
	int8_t highest = a->ev->u.fetch.api_version >= 2 ? ACK_RENEW : ACK_REJECT;

	if (b->first < 0)
		return malformed(a, "The first offset of an acknowledgement is negative.");
	if (b->first > b->last)
		return malformed(a, "The first offset of an acknowledgement is beyond its last one.");
	if (a->has_previous && b->first < a->previous_last)
		return malformed(a, "Acknowledgements of a partition are not in ascending order.");
	if (!b->types || !b->types_n)
		return malformed(a, "An acknowledgement has no type.");
	if (b->types_n > 1 && (uint64_t)b->types_n - 1 != (uint64_t)b->last - (uint64_t)b->first)
		return malformed(a, "The number of acknowledge types is neither one nor the number of offsets.");
	for (uint32_t i = 0; i < b->types_n; i++) {
		if (b->types[i] < ACK_GAP || b->types[i] > highest)
			return malformed(a, "Unknown acknowledge type.");
		if (b->types[i] == ACK_RENEW && !a->ev->u.fetch.is_renew_ack)
			return malformed(a, "A lock is renewed, but the request does not say that it renews.");
	}
	return SHARE_ERR_NONE;
}

/* ---- checks against the state: 121, or 42 beyond what was handed out ---- */

static int16_t wrong_state(struct ack *a, const char *message)
{
	a->message = message;
	return SHARE_ERR_INVALID_RECORD_STATE;
}

static bool renews(const struct share_ack_batch *b)
{
	for (uint32_t i = 0; i < b->types_n; i++) {
		if (b->types[i] == ACK_RENEW)
			return true;
	}
	return false;
}

static int16_t ack_check_state(struct ack *a, const struct share_ack_batch *b)
{
	struct share_partition *sp = a->sp;
	int64_t first = b->first < sp->start ? sp->start : b->first;
	struct share_range *r;

	if (b->last < sp->start)
		return SHARE_ERR_NONE; /* done for good: retention may have removed them */
	if (a->has_previous && b->first == a->previous_last)
		return wrong_state(a, "An offset is acknowledged twice.");
	if (b->last >= sp->end) {
		if (sp->start == sp->end)
			return wrong_state(a, "The record is not held by the member.");
		return malformed(
			a, b->first >= sp->end
				   ? "Batch record not found. The first offset in request is past acquired records."
				   : "Batch record not found. The last offset in request is past acquired records.");
	}
	for (r = share_range_at(sp, first); r && r->first <= b->last; r = share_range_next(r)) {
		if (r->state != SHARE_ACQUIRED)
			return wrong_state(a, "The record is not acquired: it was acknowledged, or its acquisition "
					      "lock has run out.");
		if (r->u.held.holder->owner != a->owner)
			return wrong_state(a, "Member is not the owner of batch record");
	}
	if (!sp->g->cfg.renew_acknowledge_enable && renews(b))
		return wrong_state(a, "Renewing acquisition locks is not enabled for the group.");
	return SHARE_ERR_NONE;
}

/* ---- applying ---- */

static void apply_to_range(struct ack *a, struct share_range *r, int8_t type)
{
	struct share_engine *e = a->e;
	struct share_partition *sp = a->sp;
	enum share_record_state state = SHARE_ARCHIVED;
	struct share_holder *h;

	if (type == ACK_RENEW) {
		h = share_holder_get(sp, a->owner);
		h->node_id = a->ev->u.fetch.node_id;
		share_range_set(e, sp, r, SHARE_ACQUIRED, r->count, h, e->now + h->duration_ms);
		return;
	}
	if (type == ACK_ACCEPT)
		state = SHARE_ACKNOWLEDGED;
	else if (type == ACK_RELEASE && r->count < sp->g->cfg.delivery_count_limit)
		state = SHARE_AVAILABLE;
	share_range_set(e, sp, r, state, r->count, NULL, 0);
	share_partition_note(e, sp, r->first, r->last, r->state, r->count);
}

static void apply_type(struct ack *a, int64_t first, int64_t last, int8_t type)
{
	struct share_partition *sp = a->sp;

	a->e->counts.acknowledgements[type] += (uint64_t)(last - first + 1);
	while (first <= last) {
		struct share_range *r = share_range_at(sp, first);
		int64_t end;

		if (r->first < first) {
			share_range_split(a->e, sp, r, first);
			r = share_range_next(r);
		}
		if (r->last > last)
			share_range_split(a->e, sp, r, last + 1);
		end = r->last;
		apply_to_range(a, r, type);
		(void)share_range_merge(a->e, sp, r);
		first = end + 1;
	}
}

static int16_t ack_apply(struct ack *a, const struct share_ack_batch *b)
{
	int64_t first = b->first < a->sp->start ? a->sp->start : b->first;

	if (b->last < a->sp->start)
		return SHARE_ERR_NONE;
	if (b->types_n == 1) {
		apply_type(a, first, b->last, b->types[0]);
		return SHARE_ERR_NONE;
	}
	while (first <= b->last) { /* as many offsets as types: both fit memory */
		int8_t type = b->types[(uint64_t)first - (uint64_t)b->first];
		int64_t last = first;

		while (last < b->last && b->types[(uint64_t)last - (uint64_t)b->first + 1] == type)
			last++;
		apply_type(a, first, last, type);
		first = last + 1;
	}
	return SHARE_ERR_NONE;
}

/* ---- a partition, a request ---- */

static int denied_cmp(const void *key, const void *item)
{
	struct uuid a, b;

	memcpy(&a, key, sizeof(a));
	memcpy(&b, item, sizeof(b));
	return uuid_cmp(a, b);
}

bool share_is_denied(const struct share_event *ev, struct uuid topic_id)
{
	return ev->u.fetch.denied_n &&
	       bsearch(&topic_id, ev->u.fetch.denied, ev->u.fetch.denied_n, sizeof(topic_id), denied_cmp);
}

/* A partition that nobody of the group fetches or was given records of is as good as none. */
static int16_t ack_find(struct ack *a, struct share_group *g, struct uuid topic_id, int32_t partition)
{
	struct share_partition *sp = share_partition_find(g, topic_id, partition);
	const struct share_topic *t;

	a->sp = sp;
	if (sp && sp->phase == SHARE_PARTITION_READY && (sp->handed_out || !LIST_EMPTY(&sp->sessions)))
		return SHARE_ERR_NONE;
	t = share_topic_find(a->e, topic_id);
	a->message = t ? "This server does not host this topic-partition." : NULL;
	return t ? SHARE_ERR_UNKNOWN_TOPIC_OR_PARTITION : SHARE_ERR_UNKNOWN_TOPIC_ID;
}

static void ack_partition(
	struct ack *a, struct share_group *g, const struct ack_entry *v, uint32_t n, struct share_ack_result *res)
{
	for (uint32_t i = 0; i < n; i++)
		res->had_batches = res->had_batches || v[i].acks->batches_n;
	if (!res->had_batches)
		return;
	a->message = NULL;
	if (share_is_denied(a->ev, res->topic_id)) {
		res->error = SHARE_ERR_TOPIC_AUTHORIZATION_FAILED;
		return;
	}
	res->error = ack_each(a, v, n, ack_check_form);
	if (!res->error)
		res->error = ack_find(a, g, res->topic_id, res->partition);
	if (!res->error && a->e->work <= 0)
		share_partition_expire_owner(a->e, a->sp, a->owner);
	if (!res->error)
		res->error = ack_each(a, v, n, ack_check_state);
	res->message = a->message;
	if (res->error)
		return;
	(void)ack_each(a, v, n, ack_apply);
	share_partition_trim(a->e, a->sp);
	share_partition_heat(a->e, a->sp);
}

static int entry_cmp(const void *x, const void *y)
{
	const struct ack_entry *a = x, *b = y;
	int d = uuid_cmp(a->acks->topic_id, b->acks->topic_id);

	if (d)
		return d;
	if (a->acks->partition != b->acks->partition)
		return a->acks->partition < b->acks->partition ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int result_cmp(const void *x, const void *y)
{
	const struct share_ack_result *a = x, *b = y;

	return (a->order > b->order) - (a->order < b->order);
}

uint32_t share_ack_request(struct share_engine *e, struct share_group *g, struct share_owner *o,
	const struct share_event *ev, struct share_ack_result **ret)
{
	struct ack a = {.e = e, .owner = o, .ev = ev};
	uint32_t total = ev->u.fetch.partitions_n, n = 0, next;
	struct ack_entry *v = mem_zalloc((size_t)total + 1, sizeof(*v));
	struct share_ack_result *res = mem_zalloc((size_t)total + 1, sizeof(*res));

	for (uint32_t i = 0; i < total; i++)
		v[i] = (struct ack_entry){&ev->u.fetch.partitions[i], i};
	qsort(v, total, sizeof(*v), entry_cmp);
	for (uint32_t i = 0; i < total; i = next) {
		struct share_ack_result *r = &res[n++];

		for (next = i + 1; next < total; next++) {
			if (!uuid_eq(v[next].acks->topic_id, v[i].acks->topic_id) ||
				v[next].acks->partition != v[i].acks->partition)
				break;
		}
		r->topic_id = v[i].acks->topic_id;
		r->partition = v[i].acks->partition;
		r->order = v[i].order;
		ack_partition(&a, g, &v[i], next - i, r);
	}
	qsort(res, n, sizeof(*res), result_cmp);
	mem_free(v);
	*ret = res;
	return n;
}
