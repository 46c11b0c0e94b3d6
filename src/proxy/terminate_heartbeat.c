/* SPDX-License-Identifier: Apache-2.0 */
/* ShareGroupHeartbeat and ShareGroupDescribe. */
#include "proxy/authorize.h"
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

static void heartbeat_error(struct job *j, int16_t error)
{
	struct share_group_heartbeat_response rs;

	codec_init(&share_group_heartbeat_response_schema, &rs);
	rs.error_code = error;
	if (error == KAFKA_ERR_GROUP_ID_NOT_FOUND)
		rs.error_message = terminate_not_a_group(
			j->slot, ((const struct share_group_heartbeat_request *)j->data)->group_id, "share");
	job_encode(j, &share_group_heartbeat_response_schema, &rs);
}

static void heartbeat_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	const struct share_heartbeat_reply *rp = &fx->u.heartbeat;
	struct share_group_heartbeat_response rs;
	struct share_group_heartbeat_response_assignment as;

	(void)i;
	codec_init(&share_group_heartbeat_response_schema, &rs);
	rs.error_code = rp->error;
	rs.error_message = rp->error_message;
	rs.member_id = rp->member_id;
	rs.member_epoch = rp->member_epoch;
	rs.heartbeat_interval_ms = rp->heartbeat_interval_ms;
	if (rp->has_assignment) {
		as.topic_partitions_n = rp->assignment_n;
		as.topic_partitions = arena_zalloc(slot_arena(j->slot), rp->assignment_n, sizeof(*as.topic_partitions));
		if (!as.topic_partitions) {
			heartbeat_error(j, KAFKA_ERR_COORDINATOR_NOT_AVAILABLE);
			return;
		}
		for (uint32_t k = 0; k < rp->assignment_n; k++) {
			as.topic_partitions[k].topic_id = rp->assignment[k].topic_id;
			as.topic_partitions[k].partitions = (int32_t *)(uintptr_t)rp->assignment[k].partitions;
			as.topic_partitions[k].partitions_n = rp->assignment[k].partitions_n;
		}
		rs.assignment = &as;
	}
	job_encode(j, &share_group_heartbeat_response_schema, &rs);
}

static void heartbeat_on_lost(struct job *j, uint32_t i)
{
	(void)i;
	heartbeat_error(j, KAFKA_ERR_NOT_COORDINATOR);
}

static const struct job_ops heartbeat_ops = {heartbeat_on_reply, heartbeat_on_lost, NULL};

static void heartbeat_apply(struct job *j, const struct share_group_heartbeat_request *rq)
{
	const struct slot_request *from = slot_get_request(j->slot);
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT};
	int16_t error = service_group_partition(j->service, rq->group_id, &ev.state_partition);

	if (error) {
		heartbeat_error(j, error);
		return;
	}
	/* A subscription to a topic that is not known yet may be to one that has just been made. */
	for (uint32_t i = 0; i < rq->subscribed_topic_names_n; i++) {
		if (!terminate_find_topic(j->service, rq->subscribed_topic_names[i]))
			break;
	}
	ev.u.heartbeat.group_id = rq->group_id;
	ev.u.heartbeat.member_id = rq->member_id;
	ev.u.heartbeat.member_epoch = rq->member_epoch;
	ev.u.heartbeat.rack_id = rq->rack_id;
	ev.u.heartbeat.topics = rq->subscribed_topic_names;
	ev.u.heartbeat.topics_n = rq->subscribed_topic_names_n;
	ev.u.heartbeat.client_id = str_is_null(from->header.client_id) ? STR_LIT("") : from->header.client_id;
	ev.u.heartbeat.client_host = from->client_host;
	job_call(j, &ev);
}

/* A member of a group that we do not know. It is sent away for good, as a broker does, unless it is our state that is
 * gone: then it shall join again. */
static bool member_may_rejoin(struct service *sv, const struct share_group_heartbeat_request *rq)
{
	return rq->member_epoch > 0 && !share_group_state_name(sv->engine, rq->group_id) &&
	       (state_store_was_lost(sv->store) || mirror_is_orphan(sv->mirror, rq->group_id));
}

/* The cluster was asked whether it has another group of that id. */
static void heartbeat_checked_cb(void *arg, int16_t error)
{
	struct job *j = arg;

	if (j->slot && error)
		heartbeat_error(j, error);
	else if (j->slot && member_may_rejoin(j->service, j->data))
		heartbeat_error(j, KAFKA_ERR_UNKNOWN_MEMBER_ID);
	else if (j->slot)
		heartbeat_apply(j, j->data);
	job_release(j);
}

/* One topic that may not be seen refuses all. What could not be asked is asked again with the next heartbeat. */
static int16_t heartbeat_authorize(struct service *sv, struct slot *s, const struct share_group_heartbeat_request *rq)
{
	int16_t error = authorize_group(sv, s, rq->group_id, RIGHT_READ);

	for (uint32_t i = 0; !error && i < rq->subscribed_topic_names_n; i++)
		error = authorize_topic(sv, s, rq->subscribed_topic_names[i], RIGHT_DESCRIBE);
	return error == KAFKA_ERR_NOT_LEADER_OR_FOLLOWER ? KAFKA_ERR_COORDINATOR_NOT_AVAILABLE : error;
}

void terminate_heartbeat(struct service *sv, struct slot *s, const void *msg)
{
	const struct share_group_heartbeat_request *rq = msg;
	struct job *j = job_begin(sv, s, &heartbeat_ops, (void *)(uintptr_t)msg);
	int16_t error = heartbeat_authorize(sv, s, rq);
	int32_t state_partition;

	if (!error)
		error = service_group_partition(sv, rq->group_id, &state_partition);

	if (error) {
		heartbeat_error(j, error);
	} else if (rq->member_epoch >= 0 && rq->group_id.n && !share_group_state_name(sv->engine, rq->group_id)) {
		mirror_check(sv->mirror, rq->group_id, heartbeat_checked_cb, j);
		return;
	} else {
		heartbeat_apply(j, rq);
	}
	job_release(j);
}

static bool describe_assignment(struct service *sv, struct slot *s, const struct share_member_state *m,
	struct share_group_describe_response_assignment *out)
{
	out->topic_partitions = terminate_alloc(s, m->assigned_n, sizeof(*out->topic_partitions));
	if (!out->topic_partitions)
		return false;
	for (uint32_t i = 0; i < m->assigned_n; i++) {
		const struct cluster_topic *t = cluster_find_topic_id(sv->cluster, m->assigned[i].topic_id);
		struct share_group_describe_response_topic_partitions *tp =
			&out->topic_partitions[out->topic_partitions_n];
		uint32_t n = m->assigned[i].partitions_n;

		if (!t)
			continue;
		tp->topic_id = t->id;
		tp->topic_name = terminate_copy(s, t->name);
		tp->partitions = terminate_alloc(s, n, sizeof(*tp->partitions));
		if (!tp->partitions)
			return false;
		memcpy(tp->partitions, m->assigned[i].partitions, n * sizeof(*tp->partitions));
		tp->partitions_n = n;
		out->topic_partitions_n++;
	}
	return true;
}

static bool describe_member(struct service *sv, struct slot *s, const struct share_member_state *m,
	struct share_group_describe_response_member *out)
{
	out->member_id = terminate_copy(s, m->member_id);
	out->rack_id = terminate_copy(s, m->rack_id);
	out->member_epoch = m->member_epoch;
	out->client_id = terminate_copy(s, m->client_id);
	out->client_host = terminate_copy(s, m->client_host);
	out->subscribed_topic_names = terminate_alloc(s, m->subscribed_n, sizeof(*out->subscribed_topic_names));
	if (!out->subscribed_topic_names)
		return false;
	out->subscribed_topic_names_n = m->subscribed_n;
	for (uint32_t i = 0; i < m->subscribed_n; i++)
		out->subscribed_topic_names[i] = terminate_copy(s, m->subscribed[i]);
	return describe_assignment(sv, s, m, &out->assignment);
}

/* Whoever may not see one of the assigned topics sees no member. */
static int16_t describe_authorize(struct service *sv, struct slot *s, const struct share_group_state *g)
{
	int16_t error = KAFKA_ERR_NONE;

	for (uint32_t i = 0; i < g->members_n; i++) {
		for (uint32_t k = 0; !error && k < g->members[i].assigned_n; k++) {
			const struct cluster_topic *t =
				cluster_find_topic_id(sv->cluster, g->members[i].assigned[k].topic_id);

			if (t)
				error = authorize_topic(sv, s, t->name, RIGHT_DESCRIBE);
		}
	}
	return error == KAFKA_ERR_NOT_LEADER_OR_FOLLOWER ? KAFKA_ERR_COORDINATOR_NOT_AVAILABLE : error;
}

/* As a bit for each; those on configs of groups go together here. */
static int32_t describe_operations(struct service *sv, struct slot *s, struct str group_id)
{
	static const int32_t each[] = {RIGHT_READ, RIGHT_DELETE, RIGHT_DESCRIBE, RIGHT_ALTER_CONFIGS};
	int32_t operations = 0;

	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		if (!authorize_group(sv, s, group_id, (uint32_t)each[i]))
			operations |= each[i];
	}
	return operations & RIGHT_ALTER_CONFIGS ? operations | RIGHT_DESCRIBE_CONFIGS : operations;
}

/* False: the slot is closed. */
static bool describe_group(struct service *sv, struct slot *s, struct str group_id, bool with_operations,
	struct share_group_describe_response_described_group *out)
{
	struct share_event ev = {.type = SHARE_EV_DESCRIBE};
	const struct share_describe_reply *rp;

	out->group_id = group_id;
	out->group_state = STR_LIT("");
	out->assignor_name = STR_LIT("");
	out->authorized_operations = INT32_MIN;
	out->members = terminate_alloc(s, 0, sizeof(*out->members));
	if (!out->members)
		return false;
	out->error_code = authorize_group(sv, s, group_id, RIGHT_DESCRIBE);
	if (!out->error_code)
		out->error_code = service_group_partition(sv, group_id, &ev.state_partition);
	if (out->error_code)
		return true;
	ev.u.group.group_id = group_id;
	rp = &service_ask(sv, &ev)->u.describe;
	out->error_code = rp->error;
	out->error_message = terminate_copy(s, rp->error_message);
	if (!rp->error)
		out->error_code = describe_authorize(sv, s, &rp->group);
	if (out->error_code == KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED)
		out->error_message = STR_LIT("The group has described topic(s) that the client is not authorized to "
					     "describe.");
	if (out->error_code)
		return true;
	if (with_operations)
		out->authorized_operations = describe_operations(sv, s, group_id);
	out->group_state = str_of(rp->state);
	out->assignor_name = str_of(rp->assignor);
	out->group_epoch = rp->group.group_epoch;
	out->assignment_epoch = rp->group.assignment_epoch;
	out->members = terminate_alloc(s, rp->group.members_n, sizeof(*out->members));
	if (!out->members)
		return false;
	out->members_n = rp->group.members_n;
	for (uint32_t i = 0; i < rp->group.members_n; i++) {
		if (!describe_member(sv, s, &rp->group.members[i], &out->members[i]))
			return false;
	}
	return true;
}

void terminate_describe(struct service *sv, struct slot *s, const void *msg)
{
	const struct share_group_describe_request *rq = msg;
	struct share_group_describe_response rs;

	codec_init(&share_group_describe_response_schema, &rs);
	rs.groups = terminate_alloc(s, rq->group_ids_n, sizeof(*rs.groups));
	if (!rs.groups)
		return;
	rs.groups_n = rq->group_ids_n;
	for (uint32_t i = 0; i < rq->group_ids_n; i++) {
		if (!describe_group(sv, s, rq->group_ids[i], rq->include_authorized_operations, &rs.groups[i]))
			return;
	}
	terminate_answer(s, &share_group_describe_response_schema, &rs);
}
