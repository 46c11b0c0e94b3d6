/* SPDX-License-Identifier: Apache-2.0 */
/* ShareFetch and ShareAcknowledge. */
#include <stdlib.h>

#include "base/assert.h"
#include "proxy/authorize.h"
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

/* What both requests list: share-partitions with their acknowledgements, in request order. */
struct fetch_job {
	struct share_partition_acks *partitions;
	uint32_t partitions_n;
};

/* No hint about another leader: clients refresh their metadata. Kafka fills in a leader with errors that ask for one
 * only, and leaves the fields at 0 otherwise. */
static int32_t no_leader(int16_t error)
{
	return error == KAFKA_ERR_NOT_LEADER_OR_FOLLOWER ? -1 : 0;
}

/* Replies come as a flat list; the answers group them by topic. Consecutive entries of one topic share its entry. */
static uint32_t topic_runs(const struct share_fetch_reply *rp)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rp->partitions_n; i++)
		n += i == 0 || !uuid_eq(rp->partitions[i].topic_id, rp->partitions[i - 1].topic_id);
	return n;
}

/* The stored bytes of all batches; neighbours in one chunk become one slice. */
static bool reply_records(struct arena *a, const struct share_fetch_partition_reply *p, struct records *ret)
{
	struct slice *v = arena_zalloc(a, (size_t)p->batch_refs_n + 1, sizeof(*v));
	uint32_t n = 0;

	if (!v)
		return false;
	for (uint32_t i = 0; i < p->batch_refs_n; i++) {
		struct slice s = read_ahead_slice(p->batch_refs[i]);

		if (n && v[n - 1].chunk == s.chunk && v[n - 1].p + v[n - 1].n == s.p)
			v[n - 1].n += s.n;
		else
			v[n++] = s;
	}
	ret->v = v;
	ret->v_n = n;
	return true;
}

static bool fetch_partition(
	struct arena *a, const struct share_fetch_partition_reply *p, struct share_fetch_response_partition_data *out)
{
	struct share_fetch_response_acquired_records *acquired = arena_zalloc(a, p->acquired_n, sizeof(*acquired));

	if (!acquired || !reply_records(a, p, &out->records))
		return false;
	out->partition_index = p->partition;
	out->error_code = p->error;
	out->error_message = p->error_message;
	out->acknowledge_error_code = p->ack_error;
	out->acknowledge_error_message = p->ack_error_message;
	out->current_leader.leader_id = no_leader(p->error);
	out->current_leader.leader_epoch = no_leader(p->error);
	for (uint32_t i = 0; i < p->acquired_n; i++) {
		acquired[i].first_offset = p->acquired[i].first;
		acquired[i].last_offset = p->acquired[i].last;
		acquired[i].delivery_count = p->acquired[i].delivery_count;
	}
	out->acquired_records = acquired;
	out->acquired_records_n = p->acquired_n;
	return true;
}

static bool fetch_topics(struct arena *a, const struct share_fetch_reply *rp, struct share_fetch_response *rs)
{
	struct share_fetch_response_share_fetchable_topic_response *t = NULL;
	struct share_fetch_response_partition_data *all = arena_zalloc(a, rp->partitions_n, sizeof(*all));

	rs->responses = arena_zalloc(a, topic_runs(rp), sizeof(*rs->responses));
	if (!all || !rs->responses)
		return false;
	for (uint32_t i = 0; i < rp->partitions_n; i++) {
		if (i == 0 || !uuid_eq(rp->partitions[i].topic_id, rp->partitions[i - 1].topic_id)) {
			t = &rs->responses[rs->responses_n++];
			t->topic_id = rp->partitions[i].topic_id;
			t->partitions = &all[i];
		}
		sl_assert(t);
		t->partitions_n++;
		if (!fetch_partition(a, &rp->partitions[i], &all[i]))
			return false;
	}
	return true;
}

static void fetch_encode(struct job *j, const struct share_fetch_reply *rp)
{
	struct share_fetch_response rs;

	codec_init(&share_fetch_response_schema, &rs);
	rs.error_code = rp->error;
	rs.error_message = rp->error_message;
	rs.acquisition_lock_timeout_ms = rp->acquisition_lock_timeout_ms;
	if (!fetch_topics(slot_arena(j->slot), rp, &rs)) {
		j->failed = true;
		return;
	}
	rs.node_endpoints = arena_zalloc(slot_arena(j->slot), 0, 1);
	job_encode(j, &share_fetch_response_schema, &rs);
}

static void acknowledge_encode(struct job *j, const struct share_fetch_reply *rp)
{
	struct arena *a = slot_arena(j->slot);
	struct share_acknowledge_response_partition_data *all = arena_zalloc(a, rp->partitions_n, sizeof(*all));
	struct share_acknowledge_response_share_acknowledge_topic_response *t = NULL;
	struct share_acknowledge_response rs;

	codec_init(&share_acknowledge_response_schema, &rs);
	rs.error_code = rp->error;
	rs.error_message = rp->error_message;
	rs.acquisition_lock_timeout_ms = rp->acquisition_lock_timeout_ms;
	rs.responses = arena_zalloc(a, topic_runs(rp), sizeof(*rs.responses));
	rs.node_endpoints = arena_zalloc(a, 0, 1);
	if (!all || !rs.responses || !rs.node_endpoints) {
		j->failed = true;
		return;
	}
	for (uint32_t i = 0; i < rp->partitions_n; i++) {
		const struct share_fetch_partition_reply *p = &rp->partitions[i];

		if (i == 0 || !uuid_eq(p->topic_id, rp->partitions[i - 1].topic_id)) {
			t = &rs.responses[rs.responses_n++];
			t->topic_id = p->topic_id;
			t->partitions = &all[i];
		}
		sl_assert(t);
		t->partitions_n++;
		all[i].partition_index = p->partition;
		all[i].error_code = p->error;
		all[i].error_message = p->error_message;
		all[i].current_leader.leader_id = no_leader(p->error);
		all[i].current_leader.leader_epoch = no_leader(p->error);
	}
	job_encode(j, &share_acknowledge_response_schema, &rs);
}

/* Every partition of the request gets the same retriable error: a top-level one would lose the acknowledgements on
 * every client. */
static struct share_fetch_reply all_partitions(struct job *j, int16_t error)
{
	const struct fetch_job *f = j->data;
	struct share_fetch_reply rp = {.error = KAFKA_ERR_NONE};
	struct share_fetch_partition_reply *p = arena_zalloc(slot_arena(j->slot), f->partitions_n, sizeof(*p));

	if (!p) {
		rp.error = error;
		return rp;
	}
	for (uint32_t i = 0; i < f->partitions_n; i++) {
		p[i].topic_id = f->partitions[i].topic_id;
		p[i].partition = f->partitions[i].partition;
		p[i].error = error;
		p[i].ack_error = f->partitions[i].batches_n ? error : KAFKA_ERR_NONE;
	}
	rp.partitions = p;
	rp.partitions_n = f->partitions_n;
	return rp;
}

static void fetch_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	(void)i;
	fetch_encode(j, &fx->u.fetch);
}

static void fetch_on_lost(struct job *j, uint32_t i)
{
	struct share_fetch_reply rp = all_partitions(j, KAFKA_ERR_NOT_LEADER_OR_FOLLOWER);

	(void)i;
	fetch_encode(j, &rp);
}

static void acknowledge_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	(void)i;
	acknowledge_encode(j, &fx->u.fetch);
}

static void acknowledge_on_lost(struct job *j, uint32_t i)
{
	struct share_fetch_reply rp = all_partitions(j, KAFKA_ERR_NOT_LEADER_OR_FOLLOWER);

	(void)i;
	acknowledge_encode(j, &rp);
}

static const struct job_ops fetch_ops = {fetch_on_reply, fetch_on_lost, NULL};
static const struct job_ops acknowledge_ops = {acknowledge_on_reply, acknowledge_on_lost, NULL};

/* ---- rights ---- */

static int denied_cmp(const void *x, const void *y)
{
	struct uuid a, b;

	memcpy(&a, x, sizeof(a));
	memcpy(&b, y, sizeof(b));
	return uuid_cmp(a, b);
}

/* Puts the topic into the event's list if it may not be read. False: the broker could not be asked. */
static bool fetch_judge(struct service *sv, struct slot *s, struct uuid id, struct uuid *denied, uint32_t *n)
{
	const struct cluster_topic *t = cluster_find_topic_id(sv->cluster, id);
	int16_t error = t ? authorize_topic(sv, s, t->name, RIGHT_READ) : KAFKA_ERR_NONE;

	if (error == KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED)
		denied[(*n)++] = id;
	return error != KAFKA_ERR_NOT_LEADER_OR_FOLLOWER;
}

/* Which topics of the request and of its session may not be read. False: that is not known. */
static bool fetch_denied(struct service *sv, struct slot *s, const struct fetch_job *f, struct share_event *ev)
{
	int32_t node_id = slot_get_request(s)->node_id;
	uint32_t n = share_session_topics(sv->engine, ev->u.fetch.group_id, ev->u.fetch.member_id, node_id, NULL, 0);
	struct uuid *all = arena_zalloc(slot_arena(s), n, sizeof(*all));
	struct uuid *denied = all ? arena_zalloc(slot_arena(s), (size_t)n + f->partitions_n, sizeof(*denied)) : NULL;

	if (!denied)
		return false;
	share_session_topics(sv->engine, ev->u.fetch.group_id, ev->u.fetch.member_id, node_id, all, n);
	for (uint32_t i = 0; i < n; i++) {
		if ((i == 0 || !uuid_eq(all[i], all[i - 1])) &&
			!fetch_judge(sv, s, all[i], denied, &ev->u.fetch.denied_n))
			return false;
	}
	for (uint32_t i = 0; i < f->partitions_n; i++) {
		if ((i == 0 || !uuid_eq(f->partitions[i].topic_id, f->partitions[i - 1].topic_id)) &&
			!fetch_judge(sv, s, f->partitions[i].topic_id, denied, &ev->u.fetch.denied_n))
			return false;
	}
	if (ev->u.fetch.denied_n)
		qsort(denied, ev->u.fetch.denied_n, sizeof(*denied), denied_cmp);
	ev->u.fetch.denied = denied;
	return true;
}

/* 0, or what is answered in the place of everything: *ret_lost for each partition. */
static int16_t fetch_authorize(
	struct service *sv, struct slot *s, const struct fetch_job *f, struct share_event *ev, bool *ret_lost)
{
	int16_t error;

	*ret_lost = false;
	if (!service_authorizes(sv))
		return KAFKA_ERR_NONE;
	error = authorize_group(sv, s, ev->u.fetch.group_id, RIGHT_READ);
	if (error == KAFKA_ERR_GROUP_AUTHORIZATION_FAILED)
		return error;
	*ret_lost = error || !fetch_denied(sv, s, f, ev);
	return KAFKA_ERR_NONE;
}

static void fetch_refuse(struct job *j, int16_t error)
{
	const struct share_fetch_reply rp = {.error = error};

	if (j->ops == &fetch_ops)
		fetch_encode(j, &rp);
	else
		acknowledge_encode(j, &rp);
}

static void job_fetch(
	struct service *sv, struct slot *s, const struct job_ops *ops, struct fetch_job *f, struct share_event *ev)
{
	const struct slot_request *from = slot_get_request(s);
	struct str group = ev->u.fetch.group_id;
	bool lost;
	int16_t error = fetch_authorize(sv, s, f, ev, &lost);
	struct job *j = job_begin(sv, s, ops, f);

	if (error) {
		fetch_refuse(j, error);
		job_release(j);
		return;
	}
	/* The engine refuses a null group id; any partition will do for that. */
	if (lost || service_group_partition(sv, group.p ? group : STR_LIT(""), &ev->state_partition)) {
		ops->on_lost(j, 0);
		job_release(j);
		return;
	}
	ev->u.fetch.node_id = from->node_id;
	ev->u.fetch.conn_id = from->conn_id;
	ev->u.fetch.api_version = from->header.api_version;
	ev->u.fetch.partitions = f->partitions;
	ev->u.fetch.partitions_n = f->partitions_n;
	job_call(j, ev);
	job_release(j);
}

static struct share_ack_batch *fetch_acks(struct slot *s, const struct share_fetch_request_fetch_partition *p)
{
	struct share_ack_batch *v = terminate_alloc(s, p->acknowledgement_batches_n, sizeof(*v));

	for (uint32_t i = 0; v && i < p->acknowledgement_batches_n; i++) {
		const struct share_fetch_request_acknowledgement_batch *b = &p->acknowledgement_batches[i];

		v[i] = (struct share_ack_batch){
			b->first_offset, b->last_offset, b->acknowledge_types, b->acknowledge_types_n};
	}
	return v;
}

static struct fetch_job *fetch_flatten(struct slot *s, const struct share_fetch_request *rq)
{
	struct fetch_job *f = terminate_alloc(s, 1, sizeof(*f));
	size_t n = 0;

	if (!f)
		return NULL;
	for (uint32_t t = 0; t < rq->topics_n; t++)
		n += rq->topics[t].partitions_n;
	f->partitions = terminate_alloc(s, n, sizeof(*f->partitions));
	if (!f->partitions)
		return NULL;
	for (uint32_t t = 0; t < rq->topics_n; t++) {
		for (uint32_t i = 0; i < rq->topics[t].partitions_n; i++) {
			const struct share_fetch_request_fetch_partition *p = &rq->topics[t].partitions[i];
			struct share_partition_acks *out = &f->partitions[f->partitions_n++];

			out->topic_id = rq->topics[t].topic_id;
			out->partition = p->partition_index;
			out->batches = fetch_acks(s, p);
			out->batches_n = p->acknowledgement_batches_n;
			if (!out->batches)
				return NULL;
		}
	}
	return f;
}

static struct share_topic_partition *fetch_forgotten(
	struct slot *s, const struct share_fetch_request *rq, uint32_t *ret_n)
{
	struct share_topic_partition *v;
	size_t n = 0;

	*ret_n = 0;
	for (uint32_t t = 0; t < rq->forgotten_topics_data_n; t++)
		n += rq->forgotten_topics_data[t].partitions_n;
	v = terminate_alloc(s, n, sizeof(*v));
	for (uint32_t t = 0; v && t < rq->forgotten_topics_data_n; t++) {
		for (uint32_t i = 0; i < rq->forgotten_topics_data[t].partitions_n; i++)
			v[(*ret_n)++] = (struct share_topic_partition){
				rq->forgotten_topics_data[t].topic_id, rq->forgotten_topics_data[t].partitions[i]};
	}
	return v;
}

/* An id that is not known may be that of a topic that has just been made. */
static void fetch_refresh(struct service *sv, const struct fetch_job *f)
{
	for (uint32_t i = 0; i < f->partitions_n; i++) {
		if (!cluster_find_topic_id(sv->cluster, f->partitions[i].topic_id)) {
			cluster_refresh(sv->cluster);
			return;
		}
	}
}

void terminate_share_fetch(struct service *sv, struct slot *s, const void *msg)
{
	const struct share_fetch_request *rq = msg;
	struct share_event ev = {.type = SHARE_EV_FETCH};
	struct fetch_job *f = fetch_flatten(s, rq);

	if (!f)
		return;
	fetch_refresh(sv, f);
	ev.u.fetch.forgotten = fetch_forgotten(s, rq, &ev.u.fetch.forgotten_n);
	if (!ev.u.fetch.forgotten)
		return;
	ev.u.fetch.group_id = rq->group_id;
	ev.u.fetch.member_id = rq->member_id;
	ev.u.fetch.session_epoch = rq->share_session_epoch;
	ev.u.fetch.max_wait_ms = rq->max_wait_ms;
	ev.u.fetch.min_bytes = rq->min_bytes;
	ev.u.fetch.max_bytes = rq->max_bytes;
	ev.u.fetch.max_records = rq->max_records;
	ev.u.fetch.batch_size = rq->batch_size;
	ev.u.fetch.acquire_mode = rq->share_acquire_mode;
	ev.u.fetch.is_renew_ack = rq->is_renew_ack;
	job_fetch(sv, s, &fetch_ops, f, &ev);
}

static bool acknowledge_flatten(
	struct slot *s, const struct share_acknowledge_request_acknowledge_topic *topic, struct fetch_job *f)
{
	for (uint32_t i = 0; i < topic->partitions_n; i++) {
		const struct share_acknowledge_request_acknowledge_partition *p = &topic->partitions[i];
		struct share_partition_acks *out = &f->partitions[f->partitions_n++];
		struct share_ack_batch *v = terminate_alloc(s, p->acknowledgement_batches_n, sizeof(*v));

		if (!v)
			return false;
		for (uint32_t k = 0; k < p->acknowledgement_batches_n; k++) {
			const struct share_acknowledge_request_acknowledgement_batch *b =
				&p->acknowledgement_batches[k];

			v[k] = (struct share_ack_batch){
				b->first_offset, b->last_offset, b->acknowledge_types, b->acknowledge_types_n};
		}
		out->topic_id = topic->topic_id;
		out->partition = p->partition_index;
		out->batches = v;
		out->batches_n = p->acknowledgement_batches_n;
	}
	return true;
}

void terminate_share_acknowledge(struct service *sv, struct slot *s, const void *msg)
{
	const struct share_acknowledge_request *rq = msg;
	struct share_event ev = {.type = SHARE_EV_ACKNOWLEDGE};
	struct fetch_job *f = terminate_alloc(s, 1, sizeof(*f));
	size_t n = 0;

	for (uint32_t t = 0; t < rq->topics_n; t++)
		n += rq->topics[t].partitions_n;
	if (!f || !(f->partitions = terminate_alloc(s, n, sizeof(*f->partitions))))
		return;
	for (uint32_t t = 0; t < rq->topics_n; t++) {
		if (!acknowledge_flatten(s, &rq->topics[t], f))
			return;
	}
	ev.u.fetch.group_id = rq->group_id;
	ev.u.fetch.member_id = rq->member_id;
	ev.u.fetch.session_epoch = rq->share_session_epoch;
	ev.u.fetch.is_renew_ack = rq->is_renew_ack;
	job_fetch(sv, s, &acknowledge_ops, f, &ev);
}
