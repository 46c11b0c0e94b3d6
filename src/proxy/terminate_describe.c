/* SPDX-License-Identifier: Apache-2.0 */
/* Describe calls of other kinds of groups: a share group is none of them, whatever the cluster keeps under its id; the
 * other ids of the request are the broker's.
 *
 *   ids -> ours: answered here -----------------\
 *       -> others: forwarded -> broker's answers --> one list, ours first */
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define CLASSIC_ERROR 6 /* first version of DescribeGroups that says that there is no such group */

#define classic_group describe_groups_response_described_group
#define consumer_group consumer_group_describe_response_described_group
#define streams_group streams_group_describe_response_described_group

/* The ids of a request, sorted. */
struct describe_job {
	struct str *ours, *theirs;
	uint32_t ours_n, theirs_n;
};

/* NULL: the slot is closed, or nothing is ours and the request on its way to the broker. */
static struct describe_job *describe_split(struct service *sv, struct slot *s, const struct str *ids, uint32_t n)
{
	struct describe_job *d = terminate_alloc(s, 1, sizeof(*d));

	if (!d)
		return NULL;
	d->ours = terminate_alloc(s, n, sizeof(*d->ours));
	d->theirs = d->ours ? terminate_alloc(s, n, sizeof(*d->theirs)) : NULL;
	if (!d->theirs)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (service_has_group(sv, ids[i]))
			d->ours[d->ours_n++] = ids[i];
		else
			d->theirs[d->theirs_n++] = ids[i];
	}
	if (d->ours_n > 0)
		return d;
	terminate_pass(s);
	return NULL;
}

struct str terminate_not_a_group(struct slot *s, struct str id, const char *kind)
{
	return arena_printf(slot_arena(s), "Group %.*s is not a %s group.", (int)id.n, id.p, kind);
}

static const struct job_ops forward_ops = {NULL, NULL, NULL};

/* Forwards what is theirs, or answers at once when nothing is. */
static void describe_go(struct service *sv, struct slot *s, struct describe_job *d, const struct schema *request,
	const void *theirs, void (*cb)(struct job *j, struct bytes response_body))
{
	struct job *j = job_begin(sv, s, &forward_ops, d);

	if (d->theirs_n > 0)
		terminate_forward(j, request, theirs, cb);
	else
		cb(j, (struct bytes){NULL, 0});
	job_release(j);
}

/* The broker's answer, or an empty one when it was not asked. NULL: the job is dropped. */
static void *describe_answer(struct job *j, const struct schema *schema, struct bytes body)
{
	void *rs;

	if (body.p) {
		rs = terminate_forwarded(j->slot, schema, body);
	} else {
		rs = terminate_alloc(j->slot, 1, schema_struct_size(schema));
		if (rs)
			codec_init(schema, rs);
	}
	if (!rs)
		job_drop(j);
	return rs;
}

/* Room for ours and n more; NULL: the job is dropped. */
static void *describe_room(struct job *j, uint32_t n, size_t size)
{
	const struct describe_job *d = j->data;
	void *all = terminate_alloc(j->slot, (size_t)d->ours_n + n, size);

	if (!all)
		job_drop(j);
	return all;
}

/* ---- DescribeGroups ---- */

static void classic_done(struct job *j, struct bytes body)
{
	const struct describe_job *d = j->data;
	bool has_error = slot_get_request(j->slot)->header.api_version >= CLASSIC_ERROR;
	struct describe_groups_response *rs = describe_answer(j, &describe_groups_response_schema, body);
	struct classic_group *all = rs ? describe_room(j, rs->groups_n, sizeof(*all)) : NULL;

	if (!all)
		return;
	for (uint32_t i = 0; i < d->ours_n; i++) {
		codec_init(&describe_groups_response_described_group_schema, &all[i]);
		all[i].group_id = d->ours[i];
		all[i].group_state = STR_LIT("Dead");
		all[i].error_code = has_error ? KAFKA_ERR_GROUP_ID_NOT_FOUND : KAFKA_ERR_NONE;
		if (has_error)
			all[i].error_message = terminate_not_a_group(j->slot, d->ours[i], "classic");
	}
	for (uint32_t i = 0; i < rs->groups_n; i++)
		all[d->ours_n + i] = rs->groups[i];
	rs->groups = all;
	rs->groups_n += d->ours_n;
	job_encode(j, &describe_groups_response_schema, rs);
}

void terminate_describe_groups(struct service *sv, struct slot *s, const void *msg)
{
	struct describe_groups_request rq = *(const struct describe_groups_request *)msg;
	struct describe_job *d = describe_split(sv, s, rq.groups, rq.groups_n);

	if (!d)
		return;
	rq.groups = d->theirs;
	rq.groups_n = d->theirs_n;
	describe_go(sv, s, d, &describe_groups_request_schema, &rq, classic_done);
}

/* ---- ConsumerGroupDescribe ---- */

static void consumer_done(struct job *j, struct bytes body)
{
	const struct describe_job *d = j->data;
	struct consumer_group_describe_response *rs =
		describe_answer(j, &consumer_group_describe_response_schema, body);
	struct consumer_group *all = rs ? describe_room(j, rs->groups_n, sizeof(*all)) : NULL;

	if (!all)
		return;
	for (uint32_t i = 0; i < d->ours_n; i++) {
		codec_init(&consumer_group_describe_response_described_group_schema, &all[i]);
		all[i].group_id = d->ours[i];
		all[i].error_code = KAFKA_ERR_GROUP_ID_NOT_FOUND;
		all[i].error_message = terminate_not_a_group(j->slot, d->ours[i], "consumer");
	}
	for (uint32_t i = 0; i < rs->groups_n; i++)
		all[d->ours_n + i] = rs->groups[i];
	rs->groups = all;
	rs->groups_n += d->ours_n;
	job_encode(j, &consumer_group_describe_response_schema, rs);
}

void terminate_describe_consumer_groups(struct service *sv, struct slot *s, const void *msg)
{
	struct consumer_group_describe_request rq = *(const struct consumer_group_describe_request *)msg;
	struct describe_job *d = describe_split(sv, s, rq.group_ids, rq.group_ids_n);

	if (!d)
		return;
	rq.group_ids = d->theirs;
	rq.group_ids_n = d->theirs_n;
	describe_go(sv, s, d, &consumer_group_describe_request_schema, &rq, consumer_done);
}

/* ---- StreamsGroupDescribe ---- */

static void streams_done(struct job *j, struct bytes body)
{
	const struct describe_job *d = j->data;
	struct streams_group_describe_response *rs = describe_answer(j, &streams_group_describe_response_schema, body);
	struct streams_group *all = rs ? describe_room(j, rs->groups_n, sizeof(*all)) : NULL;

	if (!all)
		return;
	for (uint32_t i = 0; i < d->ours_n; i++) {
		codec_init(&streams_group_describe_response_described_group_schema, &all[i]);
		all[i].group_id = d->ours[i];
		all[i].error_code = KAFKA_ERR_GROUP_ID_NOT_FOUND;
		all[i].error_message = terminate_not_a_group(j->slot, d->ours[i], "streams");
	}
	for (uint32_t i = 0; i < rs->groups_n; i++)
		all[d->ours_n + i] = rs->groups[i];
	rs->groups = all;
	rs->groups_n += d->ours_n;
	job_encode(j, &streams_group_describe_response_schema, rs);
}

void terminate_describe_streams_groups(struct service *sv, struct slot *s, const void *msg)
{
	struct streams_group_describe_request rq = *(const struct streams_group_describe_request *)msg;
	struct describe_job *d = describe_split(sv, s, rq.group_ids, rq.group_ids_n);

	if (!d)
		return;
	rq.group_ids = d->theirs;
	rq.group_ids_n = d->theirs_n;
	describe_go(sv, s, d, &streams_group_describe_request_schema, &rq, streams_done);
}
