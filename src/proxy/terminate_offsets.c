/* SPDX-License-Identifier: Apache-2.0 */
/* DescribeShareGroupOffsets, AlterShareGroupOffsets and DeleteShareGroupOffsets. */
#include <stdlib.h>

#include "base/mem.h"
#include "proxy/authorize.h"
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define describe_rs_partition describe_share_group_offsets_response_describe_share_group_offsets_response_partition
#define describe_rs_topic describe_share_group_offsets_response_describe_share_group_offsets_response_topic
#define describe_rs_group describe_share_group_offsets_response_describe_share_group_offsets_response_group
#define describe_rq_group describe_share_group_offsets_request_describe_share_group_offsets_request_group
#define describe_rq_topic describe_share_group_offsets_request_describe_share_group_offsets_request_topic
#define alter_rq_topic alter_share_group_offsets_request_alter_share_group_offsets_request_topic
#define alter_rs_topic alter_share_group_offsets_response_alter_share_group_offsets_response_topic
#define delete_rs_topic delete_share_group_offsets_response_delete_share_group_offsets_response_topic

/* One end offset that is looked up for the lag of one partition. */
struct lag_call {
	struct job *job;
	struct describe_rs_partition *out;
	int64_t done_count;
};

struct describe_job {
	struct describe_share_group_offsets_response rs;
};

/* Lag (KIP-1226): end offset - start offset - done records at or behind the start offset. */
static void lag_cb(void *arg, int16_t error, int64_t offset)
{
	struct lag_call *l = arg;

	if (l->job->slot && error) {
		l->out->error_code = error;
		l->out->start_offset = 0;
	} else if (l->job->slot) {
		int64_t lag = offset - l->out->start_offset - l->done_count;

		l->out->lag = lag > 0 ? lag : 0;
	}
	job_release(l->job);
}

static void describe_on_done(struct job *j)
{
	struct describe_job *d = j->data;

	job_encode(j, &describe_share_group_offsets_response_schema, &d->rs);
}

static const struct job_ops describe_ops = {NULL, NULL, describe_on_done};

static void describe_partition(struct service *sv, struct job *j, const struct share_offset_reply *p,
	const struct cluster_topic *t, struct describe_rs_partition *out)
{
	struct lag_call *l;

	out->partition_index = p->partition;
	out->start_offset = p->start_offset;
	out->lag = -1;
	out->error_code = p->error;
	if (t && p->partition < t->partitions_n)
		out->leader_epoch = t->partitions[p->partition].leader_epoch;
	if (!t || p->start_offset < 0 || p->delivery_complete_count < 0 ||
		slot_get_request(j->slot)->header.api_version < 1)
		return;
	l = job_alloc(j, sizeof(*l));
	*l = (struct lag_call){j, out, p->delivery_complete_count};
	job_hold(j);
	cluster_list_offset(sv->cluster, t->name, p->partition, CLUSTER_OFFSET_LATEST, false, lag_cb, l);
}

static int offset_cmp(const void *a, const void *b)
{
	const struct share_offset_reply *x = a, *y = b;
	int d = uuid_cmp(x->topic_id, y->topic_id);

	return d ? d : (x->partition > y->partition) - (x->partition < y->partition);
}

/* The engine lists partitions by topic id and number. */
static const struct share_offset_reply *offset_find(
	const struct share_offset_reply *v, uint32_t n, const struct cluster_topic *t, int32_t partition)
{
	struct share_offset_reply key = {.partition = partition};

	if (!t || n == 0)
		return NULL;
	key.topic_id = t->id;
	return bsearch(&key, v, n, sizeof(*v), offset_cmp);
}

/* Why a topic is not the client's to see, or to change. */
static struct str topic_refused(int16_t error)
{
	return error == KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED ? STR_LIT("Topic authorization failed.") : STR_NULL;
}

static struct str group_refused(int16_t error)
{
	return error == KAFKA_ERR_GROUP_AUTHORIZATION_FAILED ? STR_LIT("Group authorization failed.") : STR_NULL;
}

/* Partitions of a topic that the client may not see; false: the slot is closed. */
static bool describe_refused(
	struct slot *s, const struct describe_rq_topic *rt, int16_t error, struct describe_rs_topic *out)
{
	out->topic_name = rt->topic_name;
	out->partitions = terminate_alloc(s, rt->partitions_n, sizeof(*out->partitions));
	if (!out->partitions)
		return false;
	out->partitions_n = rt->partitions_n;
	for (uint32_t i = 0; i < rt->partitions_n; i++) {
		out->partitions[i].partition_index = rt->partitions[i];
		out->partitions[i].start_offset = -1;
		out->partitions[i].lag = -1;
		out->partitions[i].error_code = error;
		out->partitions[i].error_message = topic_refused(error);
	}
	return true;
}

/* The partitions that the request names, in its order; one without share state has start offset -1. */
static bool describe_named(struct service *sv, struct job *j, const struct describe_rq_group *g,
	const struct share_offset_reply *v, uint32_t n, struct describe_rs_group *out)
{
	out->topics = terminate_alloc(j->slot, g->topics_n, sizeof(*out->topics));
	if (!out->topics)
		return false;
	out->topics_n = g->topics_n;
	for (uint32_t i = 0; i < g->topics_n; i++) {
		const struct describe_rq_topic *rt = &g->topics[i];
		int16_t error = authorize_topic(sv, j->slot, rt->topic_name, RIGHT_DESCRIBE);
		const struct cluster_topic *t = error ? NULL : terminate_find_topic(sv, rt->topic_name);
		struct describe_rs_topic *ot = &out->topics[i];

		if (error) {
			if (!describe_refused(j->slot, rt, error, ot))
				return false;
			continue;
		}
		ot->topic_name = rt->topic_name;
		ot->topic_id = t ? t->id : (struct uuid){{0}};
		ot->partitions = terminate_alloc(j->slot, rt->partitions_n, sizeof(*ot->partitions));
		if (!ot->partitions)
			return false;
		ot->partitions_n = rt->partitions_n;
		for (uint32_t k = 0; k < rt->partitions_n; k++) {
			const struct share_offset_reply *p = offset_find(v, n, t, rt->partitions[k]);
			const struct share_offset_reply none = {
				.partition = rt->partitions[k], .start_offset = -1, .delivery_complete_count = -1};

			describe_partition(sv, j, p ? p : &none, p ? t : NULL, &ot->partitions[k]);
		}
	}
	return true;
}

/* All partitions that the group has and the client may see, a topic entry for each run of one topic. */
static bool describe_all(struct service *sv, struct job *j, const struct share_offset_reply *v, uint32_t n,
	struct describe_rs_group *out)
{
	struct describe_rs_partition *all = terminate_alloc(j->slot, n, sizeof(*all));
	struct describe_rs_topic *t = NULL;

	out->topics = all ? terminate_alloc(j->slot, n, sizeof(*out->topics)) : NULL;
	if (!out->topics)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (authorize_topic(sv, j->slot, v[i].topic_name, RIGHT_DESCRIBE))
			continue;
		if (!t || !uuid_eq(t->topic_id, v[i].topic_id)) {
			t = &out->topics[out->topics_n++];
			t->topic_id = v[i].topic_id;
			t->topic_name = terminate_copy(j->slot, v[i].topic_name);
			t->partitions = &all[i];
		}
		t->partitions_n++;
		describe_partition(sv, j, &v[i], cluster_find_topic_id(sv->cluster, v[i].topic_id), &all[i]);
	}
	return true;
}

/* False: the slot is closed. */
static bool describe_group(struct service *sv, struct job *j, const struct describe_rq_group *g,
	const struct share_offsets_reply *rp, struct describe_rs_group *out)
{
	out->error_code = rp->error;
	out->error_message = terminate_copy(j->slot, rp->error_message);
	if (rp->error)
		return true;
	if (g->topics)
		return describe_named(sv, j, g, rp->partitions, rp->partitions_n, out);
	return describe_all(sv, j, rp->partitions, rp->partitions_n, out);
}

static bool describe_groups(struct service *sv, struct job *j, const struct describe_share_group_offsets_request *rq)
{
	struct describe_job *d = j->data;

	for (uint32_t i = 0; i < rq->groups_n; i++) {
		struct describe_rs_group *out = &d->rs.groups[i];
		struct share_event ev = {.type = SHARE_EV_DESCRIBE_OFFSETS};
		const struct share_offsets_reply *rp;

		out->group_id = rq->groups[i].group_id;
		out->topics = terminate_alloc(j->slot, 0, 1);
		if (!out->topics)
			return false;
		out->error_code = authorize_group(sv, j->slot, out->group_id, RIGHT_DESCRIBE);
		out->error_message = group_refused(out->error_code);
		if (!out->error_code)
			out->error_code = service_group_partition(sv, out->group_id, &ev.state_partition);
		if (out->error_code)
			continue;
		ev.u.group.group_id = out->group_id;
		rp = &service_ask(sv, &ev)->u.offsets;
		if (!describe_group(sv, j, &rq->groups[i], rp, out))
			return false;
	}
	return true;
}

void terminate_describe_offsets(struct service *sv, struct slot *s, const void *msg)
{
	const struct describe_share_group_offsets_request *rq = msg;
	struct describe_job *d = terminate_alloc(s, 1, sizeof(*d));
	struct job *j;

	if (!d)
		return;
	codec_init(&describe_share_group_offsets_response_schema, &d->rs);
	d->rs.groups = terminate_alloc(s, rq->groups_n, sizeof(*d->rs.groups));
	if (!d->rs.groups)
		return;
	d->rs.groups_n = rq->groups_n;
	j = job_begin(sv, s, &describe_ops, d);
	if (!describe_groups(sv, j, rq))
		job_drop(j);
	job_release(j);
}

/* Kafka's text for error 3. */
static struct str not_hosted(void)
{
	return STR_LIT("This server does not host this topic-partition.");
}

/* Partitions of one AlterShareGroupOffsets: what it writes must fit what may wait for the state log. */
#define ALTER_PARTITIONS_MAX 50000

/* AlterShareGroupOffsets: what the cluster knows goes to the engine as one event, the rest is answered with 3. */
struct alter_job {
	struct alter_share_group_offsets_response rs;
	struct share_event ev;
	int16_t **errors; /* of the partitions that were given to the engine, in its order */
};

static void alter_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	struct alter_job *a = j->data;
	const struct share_offsets_reply *rp = &fx->u.offsets;

	(void)i;
	a->rs.error_code = rp->error;
	a->rs.error_message = terminate_copy(j->slot, rp->error_message);
	for (uint32_t k = 0; k < rp->partitions_n; k++)
		*a->errors[k] = rp->partitions[k].error;
}

static void alter_on_lost(struct job *j, uint32_t i)
{
	struct alter_job *a = j->data;

	(void)i;
	a->rs.error_code = KAFKA_ERR_NOT_COORDINATOR;
}

static void alter_on_done(struct job *j)
{
	struct alter_job *a = j->data;

	if (a->rs.error_code)
		a->rs.responses_n = 0;
	job_encode(j, &alter_share_group_offsets_response_schema, &a->rs);
}

static const struct job_ops alter_ops = {alter_on_reply, alter_on_lost, alter_on_done};

static bool alter_topic(struct service *sv, struct slot *s, const struct alter_rq_topic *rt, struct alter_rs_topic *out,
	struct alter_job *a, struct share_topic_partition *tps, int64_t *offsets, uint32_t *n)
{
	int16_t error = authorize_topic(sv, s, rt->topic_name, RIGHT_READ);
	const struct cluster_topic *t = error ? NULL : terminate_find_topic(sv, rt->topic_name);

	out->topic_name = rt->topic_name;
	out->topic_id = t ? t->id : (struct uuid){{0}};
	out->partitions = terminate_alloc(s, rt->partitions_n, sizeof(*out->partitions));
	if (!out->partitions)
		return false;
	out->partitions_n = rt->partitions_n;
	for (uint32_t i = 0; i < rt->partitions_n; i++) {
		int32_t partition = rt->partitions[i].partition_index;

		out->partitions[i].partition_index = partition;
		if (error) {
			out->partitions[i].error_code = error;
			out->partitions[i].error_message = topic_refused(error);
			continue;
		}
		if (!t || partition < 0 || partition >= t->partitions_n) {
			out->partitions[i].error_code = KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION;
			out->partitions[i].error_message = not_hosted();
			continue;
		}
		tps[*n] = (struct share_topic_partition){t->id, partition};
		offsets[*n] = rt->partitions[i].start_offset;
		a->errors[(*n)++] = &out->partitions[i].error_code;
	}
	return true;
}

static bool alter_flatten(struct service *sv, struct slot *s, const struct alter_share_group_offsets_request *rq,
	struct alter_job *a, struct share_event *ev)
{
	struct share_topic_partition *tps;
	int64_t *offsets;
	size_t n = 0;

	for (uint32_t i = 0; i < rq->topics_n; i++)
		n += rq->topics[i].partitions_n;
	if (n > ALTER_PARTITIONS_MAX) {
		a->rs.error_code = KAFKA_ERR_INVALID_REQUEST;
		a->rs.error_message = arena_printf(
			slot_arena(s), "%zu partitions, at most %d can be altered at once", n, ALTER_PARTITIONS_MAX);
		return true;
	}
	tps = terminate_alloc(s, n, sizeof(*tps));
	offsets = tps ? terminate_alloc(s, n, sizeof(*offsets)) : NULL;
	a->errors = offsets ? terminate_alloc(s, n, sizeof(*a->errors)) : NULL;
	a->rs.responses = a->errors ? terminate_alloc(s, rq->topics_n, sizeof(*a->rs.responses)) : NULL;
	if (!a->rs.responses)
		return false;
	a->rs.responses_n = rq->topics_n;
	for (uint32_t i = 0; i < rq->topics_n; i++) {
		if (!alter_topic(
			    sv, s, &rq->topics[i], &a->rs.responses[i], a, tps, offsets, &ev->u.offsets.partitions_n))
			return false;
	}
	ev->u.offsets.group_id = rq->group_id;
	ev->u.offsets.partitions = tps;
	ev->u.offsets.start_offsets = offsets;
	return true;
}

/* What moves back is mirrored: now the engine may do it. */
static void alter_mirrored_cb(void *arg, int16_t error)
{
	struct job *j = arg;
	struct alter_job *a = j->data;

	if (j->slot && !error)
		error = service_group_partition(j->service, a->ev.u.offsets.group_id, &a->ev.state_partition);
	if (j->slot && error)
		a->rs.error_code = error;
	else if (j->slot)
		job_call(j, &a->ev);
	if (j->slot && error == KAFKA_ERR_GROUP_ID_NOT_FOUND)
		a->rs.error_message = terminate_not_a_group(j->slot, a->ev.u.offsets.group_id, "share");
	job_release(j);
}

/* False: there is nothing to commit before, or the engine is going to refuse it. */
static bool alter_mirror(struct service *sv, struct job *j)
{
	struct alter_job *a = j->data;
	const struct share_event *ev = &a->ev;
	const char *state = share_group_state_name(sv->engine, ev->u.offsets.group_id);
	struct mirror_offset *v;
	uint32_t n = 0;

	if (!ev->u.offsets.group_id.n || (state && strcmp(state, "Stable") == 0))
		return false;
	v = mem_zalloc((size_t)ev->u.offsets.partitions_n + 1, sizeof(*v));
	for (uint32_t i = 0; mirror_is_on(sv->mirror) && i < ev->u.offsets.partitions_n; i++) {
		if (ev->u.offsets.start_offsets[i] >= 0)
			v[n++] = (struct mirror_offset){ev->u.offsets.partitions[i].topic_id,
				ev->u.offsets.partitions[i].partition, ev->u.offsets.start_offsets[i]};
	}
	mirror_commit(sv->mirror, ev->u.offsets.group_id, v, n, alter_mirrored_cb, j);
	mem_free(v);
	return true;
}

void terminate_alter_offsets(struct service *sv, struct slot *s, const void *msg)
{
	const struct alter_share_group_offsets_request *rq = msg;
	struct alter_job *a = terminate_alloc(s, 1, sizeof(*a));
	struct job *j;

	if (!a)
		return;
	a->ev.type = SHARE_EV_ALTER_OFFSETS;
	codec_init(&alter_share_group_offsets_response_schema, &a->rs);
	if (!alter_flatten(sv, s, rq, a, &a->ev))
		return;
	if (!a->rs.error_code) {
		a->rs.error_code = authorize_group(sv, s, rq->group_id, RIGHT_READ);
		a->rs.error_message = group_refused(a->rs.error_code);
	}
	if (!a->rs.error_code)
		a->rs.error_code = service_group_partition(sv, rq->group_id, &a->ev.state_partition);
	j = job_begin(sv, s, &alter_ops, a);
	if (!a->rs.error_code && alter_mirror(sv, j))
		return;
	if (!a->rs.error_code)
		job_call(j, &a->ev);
	job_release(j);
}

/* DeleteShareGroupOffsets: the same by whole topics. */
struct delete_job {
	struct share_event ev;
	struct delete_share_group_offsets_response rs;
	struct delete_rs_topic **topics; /* that were given to the engine, in its order */
};

static void delete_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	struct delete_job *d = j->data;
	const struct share_offsets_reply *rp = &fx->u.offsets;

	(void)i;
	d->rs.error_code = rp->error;
	d->rs.error_message = terminate_copy(j->slot, rp->error_message);
	for (uint32_t k = 0; k < rp->partitions_n; k++) {
		d->topics[k]->error_code = rp->partitions[k].error;
		if (rp->partitions[k].error != KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION)
			continue;
		d->topics[k]->error_message = STR_LIT("There is no offset information to delete.");
		d->topics[k]->topic_id = (struct uuid){{0}};
	}
}

static void delete_on_lost(struct job *j, uint32_t i)
{
	struct delete_job *d = j->data;

	(void)i;
	d->rs.error_code = KAFKA_ERR_NOT_COORDINATOR;
}

static void delete_on_done(struct job *j)
{
	struct delete_job *d = j->data;

	if (d->rs.error_code)
		d->rs.responses_n = 0;
	job_encode(j, &delete_share_group_offsets_response_schema, &d->rs);
}

static const struct job_ops delete_ops = {delete_on_reply, delete_on_lost, delete_on_done};

static bool delete_flatten(struct service *sv, struct slot *s, const struct delete_share_group_offsets_request *rq,
	struct delete_job *d, struct share_event *ev)
{
	struct share_topic_partition *tps = terminate_alloc(s, rq->topics_n, sizeof(*tps));

	d->topics = tps ? terminate_alloc(s, rq->topics_n, sizeof(struct delete_rs_topic *)) : NULL;
	d->rs.responses = d->topics ? terminate_alloc(s, rq->topics_n, sizeof(*d->rs.responses)) : NULL;
	if (!d->rs.responses)
		return false;
	d->rs.responses_n = rq->topics_n;
	for (uint32_t i = 0; i < rq->topics_n; i++) {
		int16_t error = authorize_topic(sv, s, rq->topics[i].topic_name, RIGHT_READ);
		const struct cluster_topic *t = error ? NULL : terminate_find_topic(sv, rq->topics[i].topic_name);
		struct delete_rs_topic *out = &d->rs.responses[i];

		out->topic_name = rq->topics[i].topic_name;
		if (error) {
			out->error_code = error;
			out->error_message = topic_refused(error);
			continue;
		}
		if (!t) {
			out->error_code = KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION;
			out->error_message = not_hosted();
			continue;
		}
		out->topic_id = t->id;
		tps[ev->u.offsets.partitions_n] = (struct share_topic_partition){t->id, 0};
		d->topics[ev->u.offsets.partitions_n++] = out;
	}
	ev->u.offsets.group_id = rq->group_id;
	ev->u.offsets.partitions = tps;
	return true;
}

/* The shadow has let go of the topics: now the engine may. */
static void delete_mirrored_cb(void *arg, int16_t error)
{
	struct job *j = arg;
	struct delete_job *d = j->data;

	if (j->slot && !error)
		error = service_group_partition(j->service, d->ev.u.offsets.group_id, &d->ev.state_partition);
	if (j->slot && error)
		d->rs.error_code = error;
	else if (j->slot)
		job_call(j, &d->ev);
	job_release(j);
}

void terminate_delete_offsets(struct service *sv, struct slot *s, const void *msg)
{
	const struct delete_share_group_offsets_request *rq = msg;
	struct delete_job *d = terminate_alloc(s, 1, sizeof(*d));
	const char *state;
	struct job *j;

	if (!d)
		return;
	d->ev.type = SHARE_EV_DELETE_OFFSETS;
	codec_init(&delete_share_group_offsets_response_schema, &d->rs);
	if (!delete_flatten(sv, s, rq, d, &d->ev))
		return;
	d->rs.error_code = authorize_group(sv, s, rq->group_id, RIGHT_DELETE);
	d->rs.error_message = group_refused(d->rs.error_code);
	if (!d->rs.error_code)
		d->rs.error_code = service_group_partition(sv, rq->group_id, &d->ev.state_partition);
	j = job_begin(sv, s, &delete_ops, d);
	state = share_group_state_name(sv->engine, rq->group_id);
	if (!d->rs.error_code && mirror_is_on(sv->mirror) && state && strcmp(state, "Empty") == 0) {
		struct mirror_offset *v = mem_zalloc((size_t)d->ev.u.offsets.partitions_n + 1, sizeof(*v));

		for (uint32_t i = 0; i < d->ev.u.offsets.partitions_n; i++)
			v[i].topic_id = d->ev.u.offsets.partitions[i].topic_id;
		mirror_delete_topics(sv->mirror, rq->group_id, v, d->ev.u.offsets.partitions_n, delete_mirrored_cb, j);
		mem_free(v);
		return;
	}
	if (!d->rs.error_code)
		job_call(j, &d->ev);
	job_release(j);
}
