/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of ordinary groups on the id of a share group are answered here, with the errors of a broker that has both
 * kinds itself. The share group may have gone while the request arrived: then it is passed on. */
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define JOIN_NULL_PROTOCOL 7
#define LEAVE_MEMBERS 3
#define COMMIT_BY_ID 10
#define TXN_COMMIT_BY_ID 6
#define FETCH_GROUPS 8
#define FETCH_BY_ID 10

#define fetch_rq_group offset_fetch_request_offset_fetch_request_group
#define fetch_rq_topics offset_fetch_request_offset_fetch_request_topics
#define fetch_rs_group offset_fetch_response_offset_fetch_response_group
#define fetch_rs_topics offset_fetch_response_offset_fetch_response_topics
#define fetch_rs_partitions offset_fetch_response_offset_fetch_response_partitions
#define fetch_rs_topic offset_fetch_response_offset_fetch_response_topic
#define fetch_rs_partition offset_fetch_response_offset_fetch_response_partition
#define commit_rs_topic offset_commit_response_offset_commit_response_topic
#define commit_rs_partition offset_commit_response_offset_commit_response_partition
#define txn_rs_topic txn_offset_commit_response_txn_offset_commit_response_topic
#define txn_rs_partition txn_offset_commit_response_txn_offset_commit_response_partition

static int16_t version_of(const struct slot *s)
{
	return slot_get_request(s)->header.api_version;
}

/* False: the request is on its way to the broker. */
static bool is_ours(struct service *sv, struct slot *s, struct str group_id)
{
	if (service_has_group(sv, group_id))
		return true;
	terminate_pass(s);
	return false;
}

/* ---- membership ---- */

void terminate_join_group(struct service *sv, struct slot *s, const void *msg)
{
	const struct join_group_request *rq = msg;
	struct join_group_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&join_group_response_schema, &rs);
	rs.error_code = KAFKA_ERR_INCONSISTENT_GROUP_PROTOCOL;
	if (version_of(s) >= JOIN_NULL_PROTOCOL)
		rs.protocol_name = STR_NULL;
	terminate_answer(s, &join_group_response_schema, &rs);
}

void terminate_sync_group(struct service *sv, struct slot *s, const void *msg)
{
	const struct sync_group_request *rq = msg;
	struct sync_group_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&sync_group_response_schema, &rs);
	rs.error_code = KAFKA_ERR_UNKNOWN_MEMBER_ID;
	terminate_answer(s, &sync_group_response_schema, &rs);
}

void terminate_group_heartbeat(struct service *sv, struct slot *s, const void *msg)
{
	const struct heartbeat_request *rq = msg;
	struct heartbeat_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&heartbeat_response_schema, &rs);
	rs.error_code = KAFKA_ERR_UNKNOWN_MEMBER_ID;
	terminate_answer(s, &heartbeat_response_schema, &rs);
}

void terminate_leave_group(struct service *sv, struct slot *s, const void *msg)
{
	const struct leave_group_request *rq = msg;
	struct leave_group_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&leave_group_response_schema, &rs);
	if (version_of(s) < LEAVE_MEMBERS) {
		rs.error_code = KAFKA_ERR_UNKNOWN_MEMBER_ID;
	} else {
		rs.members_n = rq->members_n;
		rs.members = terminate_alloc(s, rs.members_n, sizeof(*rs.members));
		if (!rs.members)
			return;
	}
	for (uint32_t i = 0; i < rs.members_n; i++) {
		rs.members[i].member_id = rq->members[i].member_id;
		rs.members[i].group_instance_id = rq->members[i].group_instance_id;
		rs.members[i].error_code = KAFKA_ERR_UNKNOWN_MEMBER_ID;
	}
	terminate_answer(s, &leave_group_response_schema, &rs);
}

static struct str not_a_group(struct slot *s, struct str id, const char *kind)
{
	return arena_printf(slot_arena(s), "Group %.*s is not a %s group.", (int)id.n, id.p, kind);
}

void terminate_consumer_heartbeat(struct service *sv, struct slot *s, const void *msg)
{
	const struct consumer_group_heartbeat_request *rq = msg;
	struct consumer_group_heartbeat_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&consumer_group_heartbeat_response_schema, &rs);
	rs.error_code = KAFKA_ERR_GROUP_ID_NOT_FOUND;
	rs.error_message = not_a_group(s, rq->group_id, "consumer");
	terminate_answer(s, &consumer_group_heartbeat_response_schema, &rs);
}

void terminate_streams_heartbeat(struct service *sv, struct slot *s, const void *msg)
{
	const struct streams_group_heartbeat_request *rq = msg;
	struct streams_group_heartbeat_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&streams_group_heartbeat_response_schema, &rs);
	rs.error_code = KAFKA_ERR_GROUP_ID_NOT_FOUND;
	rs.error_message = not_a_group(s, rq->group_id, "streams");
	terminate_answer(s, &streams_group_heartbeat_response_schema, &rs);
}

/* ---- offsets ---- */

/* A topic of a request, by name or id. */
struct topic_asked {
	const struct cluster_topic *topic; /* NULL: there is none */
	bool by_id;
};

static struct topic_asked topic_find(struct service *sv, bool by_id, struct str name, struct uuid id)
{
	struct topic_asked t = {.by_id = by_id};

	t.topic = by_id ? cluster_find_topic_id(sv->cluster, id) : terminate_find_topic(sv, name);
	return t;
}

/* Brokers look for the partition before they look for the group. */
static int16_t commit_error(struct topic_asked t, int32_t partition)
{
	if (!t.topic && t.by_id)
		return KAFKA_ERR_UNKNOWN_TOPIC_ID;
	if (!t.topic || partition < 0 || partition >= t.topic->partitions_n)
		return KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION;
	return KAFKA_ERR_GROUP_ID_NOT_FOUND;
}

void terminate_offset_commit(struct service *sv, struct slot *s, const void *msg)
{
	const struct offset_commit_request *rq = msg;
	struct offset_commit_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&offset_commit_response_schema, &rs);
	rs.topics_n = rq->topics_n;
	rs.topics = terminate_alloc(s, rs.topics_n, sizeof(*rs.topics));
	for (uint32_t i = 0; rs.topics && i < rs.topics_n; i++) {
		const struct offset_commit_request_offset_commit_request_topic *in = &rq->topics[i];
		struct topic_asked t = topic_find(sv, version_of(s) >= COMMIT_BY_ID, in->name, in->topic_id);
		struct commit_rs_topic *out = &rs.topics[i];

		out->name = in->name;
		out->topic_id = in->topic_id;
		out->partitions_n = in->partitions_n;
		out->partitions = terminate_alloc(s, out->partitions_n, sizeof(*out->partitions));
		if (!out->partitions)
			return;
		for (uint32_t k = 0; k < out->partitions_n; k++) {
			int32_t partition = in->partitions[k].partition_index;

			out->partitions[k] = (struct commit_rs_partition){partition, commit_error(t, partition)};
		}
	}
	if (rs.topics)
		terminate_answer(s, &offset_commit_response_schema, &rs);
}

void terminate_txn_offset_commit(struct service *sv, struct slot *s, const void *msg)
{
	const struct txn_offset_commit_request *rq = msg;
	struct txn_offset_commit_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&txn_offset_commit_response_schema, &rs);
	rs.topics_n = rq->topics_n;
	rs.topics = terminate_alloc(s, rs.topics_n, sizeof(*rs.topics));
	for (uint32_t i = 0; rs.topics && i < rs.topics_n; i++) {
		const struct txn_offset_commit_request_txn_offset_commit_request_topic *in = &rq->topics[i];
		struct topic_asked t = topic_find(sv, version_of(s) >= TXN_COMMIT_BY_ID, in->name, in->topic_id);
		struct txn_rs_topic *out = &rs.topics[i];

		out->name = in->name;
		out->topic_id = in->topic_id;
		out->partitions_n = in->partitions_n;
		out->partitions = terminate_alloc(s, out->partitions_n, sizeof(*out->partitions));
		if (!out->partitions)
			return;
		for (uint32_t k = 0; k < out->partitions_n; k++) {
			int32_t partition = in->partitions[k].partition_index;

			out->partitions[k] = (struct txn_rs_partition){partition, commit_error(t, partition)};
		}
	}
	if (rs.topics)
		terminate_answer(s, &txn_offset_commit_response_schema, &rs);
}

void terminate_offset_delete(struct service *sv, struct slot *s, const void *msg)
{
	const struct offset_delete_request *rq = msg;
	struct offset_delete_response rs;

	if (!is_ours(sv, s, rq->group_id))
		return;
	codec_init(&offset_delete_response_schema, &rs);
	rs.error_code = KAFKA_ERR_GROUP_ID_NOT_FOUND;
	terminate_answer(s, &offset_delete_response_schema, &rs);
}

/* ---- OffsetFetch: a share group has no committed offsets ---- */

static void fetch_one(struct slot *s, const struct offset_fetch_request *rq)
{
	struct offset_fetch_response rs;

	codec_init(&offset_fetch_response_schema, &rs);
	rs.topics_n = rq->topics_n;
	rs.topics = terminate_alloc(s, rs.topics_n, sizeof(*rs.topics));
	for (uint32_t i = 0; rs.topics && i < rs.topics_n; i++) {
		struct fetch_rs_topic *out = &rs.topics[i];

		out->name = rq->topics[i].name;
		out->partitions_n = rq->topics[i].partition_indexes_n;
		out->partitions = terminate_alloc(s, out->partitions_n, sizeof(*out->partitions));
		if (!out->partitions)
			return;
		for (uint32_t k = 0; k < out->partitions_n; k++)
			out->partitions[k] = (struct fetch_rs_partition){
				rq->topics[i].partition_indexes[k], -1, -1, STR_LIT(""), KAFKA_ERR_NONE};
	}
	if (rs.topics)
		terminate_answer(s, &offset_fetch_response_schema, &rs);
}

/* False: the slot is closed. */
static bool fetch_fill_topic(
	struct service *sv, struct slot *s, const struct fetch_rq_topics *in, struct fetch_rs_topics *out)
{
	struct topic_asked t = topic_find(sv, version_of(s) >= FETCH_BY_ID, in->name, in->topic_id);
	int16_t error = t.by_id && !t.topic ? KAFKA_ERR_UNKNOWN_TOPIC_ID : KAFKA_ERR_NONE;

	out->name = in->name;
	out->topic_id = in->topic_id;
	out->partitions_n = in->partition_indexes_n;
	out->partitions = terminate_alloc(s, out->partitions_n, sizeof(*out->partitions));
	if (!out->partitions)
		return false;
	for (uint32_t k = 0; k < out->partitions_n; k++)
		out->partitions[k] = (struct fetch_rs_partitions){in->partition_indexes[k], -1, -1, STR_LIT(""), error};
	return true;
}

static bool fetch_fill_group(
	struct service *sv, struct slot *s, const struct fetch_rq_group *in, struct fetch_rs_group *out)
{
	out->group_id = in->group_id;
	out->topics_n = in->topics_n;
	out->topics = terminate_alloc(s, out->topics_n, sizeof(*out->topics));
	for (uint32_t i = 0; out->topics && i < out->topics_n; i++) {
		if (!fetch_fill_topic(sv, s, &in->topics[i], &out->topics[i]))
			return false;
	}
	return out->topics != NULL;
}

/* Groups of one request: ours are answered here, the others by the broker; one list in the answer, ours first. */
struct fetch_job {
	struct fetch_rs_group *ours;
	uint32_t ours_n;
};

static void fetch_forwarded(struct job *j, struct bytes body)
{
	const struct fetch_job *d = j->data;
	struct offset_fetch_response *rs = terminate_forwarded(j->slot, &offset_fetch_response_schema, body);
	struct fetch_rs_group *all =
		rs ? terminate_alloc(j->slot, (size_t)d->ours_n + rs->groups_n, sizeof(*all)) : NULL;

	if (!all) {
		job_drop(j);
		return;
	}
	for (uint32_t i = 0; i < d->ours_n; i++)
		all[i] = d->ours[i];
	for (uint32_t i = 0; i < rs->groups_n; i++)
		all[d->ours_n + i] = rs->groups[i];
	rs->groups = all;
	rs->groups_n += d->ours_n;
	job_encode(j, &offset_fetch_response_schema, rs);
}

static const struct job_ops forward_ops = {NULL, NULL, NULL};

/* Sorts the groups; false: the slot is closed. */
static bool fetch_split(struct service *sv, struct slot *s, const struct offset_fetch_request *rq, struct fetch_job *d,
	struct offset_fetch_request *theirs)
{
	*theirs = *rq;
	theirs->groups_n = 0;
	theirs->groups = terminate_alloc(s, rq->groups_n, sizeof(*theirs->groups));
	d->ours = theirs->groups ? terminate_alloc(s, rq->groups_n, sizeof(*d->ours)) : NULL;
	for (uint32_t i = 0; d->ours && i < rq->groups_n; i++) {
		if (!service_has_group(sv, rq->groups[i].group_id))
			theirs->groups[theirs->groups_n++] = rq->groups[i];
		else if (!fetch_fill_group(sv, s, &rq->groups[i], &d->ours[d->ours_n++]))
			return false;
	}
	return d->ours != NULL;
}

static void fetch_groups(struct service *sv, struct slot *s, const struct offset_fetch_request *rq)
{
	struct fetch_job *d = terminate_alloc(s, 1, sizeof(*d));
	struct offset_fetch_request theirs;
	struct offset_fetch_response rs;
	struct job *j;

	if (!d || !fetch_split(sv, s, rq, d, &theirs))
		return;
	if (d->ours_n == 0) {
		terminate_pass(s);
		return;
	}
	if (theirs.groups_n == 0) {
		codec_init(&offset_fetch_response_schema, &rs);
		rs.groups = d->ours;
		rs.groups_n = d->ours_n;
		terminate_answer(s, &offset_fetch_response_schema, &rs);
		return;
	}
	j = job_begin(sv, s, &forward_ops, d);
	terminate_forward(j, &offset_fetch_request_schema, &theirs, fetch_forwarded);
	job_release(j);
}

void terminate_offset_fetch(struct service *sv, struct slot *s, const void *msg)
{
	const struct offset_fetch_request *rq = msg;

	if (version_of(s) >= FETCH_GROUPS)
		fetch_groups(sv, s, rq);
	else if (is_ours(sv, s, rq->group_id))
		fetch_one(s, rq);
}
