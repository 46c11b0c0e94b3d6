/* SPDX-License-Identifier: Apache-2.0 */
/* What sluice asks the coordinators of ordinary groups: committed offsets, deletion, whether a group is there. */
#include "base/mem.h"
#include "call_priv.h"
#include "wire/messages.h"

/* Somebody waits for these answers, who would rather be told to come again. */
#define GROUP_CALL_MS 5000

static void group_failed(struct rq *rq, int16_t error)
{
	call_result(call_of_rq(rq), error, STR_NULL);
}

static void count_throttle(struct rq *rq, int32_t ms)
{
	rq->cluster->counts.throttle_ms += ms > 0 ? (uint64_t)ms : 0;
}

static struct call *group_call(struct cluster *c, struct str group_id, const struct rq_ops *ops,
	void (*deliver)(struct completion *d), void *arg)
{
	struct call *call = call_new(c, CALL_COORDINATOR, ops, deliver, arg);

	if (call->deadline > call->created + GROUP_CALL_MS)
		call->deadline = call->created + GROUP_CALL_MS;
	if (call->rq.timeout_ms > GROUP_CALL_MS)
		call->rq.timeout_ms = GROUP_CALL_MS;
	call->u.group.group_id = call_copy(call, group_id);
	call->coordinator = coordinators_find(c, group_id);
	return call;
}

static void group_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);

	call->u.group.cb(call->arg, call->error, call->message);
	call_free(call);
}

/* ---- FindCoordinator ---- */

static enum err find_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	struct find_coordinator_request m;

	codec_init(&find_coordinator_request_schema, &m);
	if (rq->version >= 4) {
		m.coordinator_keys = &call->u.group.group_id;
		m.coordinator_keys_n = 1;
	} else {
		m.key = call->u.group.group_id;
	}
	return codec_encode(&find_coordinator_request_schema, rq->version, w, &m);
}

static enum err find_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct find_coordinator_response m;
	int16_t error = KAFKA_ERR_NONE;
	int32_t node = -1;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&find_coordinator_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && rq->version >= 4 && m.coordinators_n != 1)
		e = ERR_MALFORMED;
	if (!e) {
		error = rq->version >= 4 ? m.coordinators[0].error_code : m.error_code;
		node = rq->version >= 4 ? m.coordinators[0].node_id : m.node_id;
		count_throttle(rq, m.throttle_time_ms);
	}
	arena_release(&a);
	if (e)
		return e;
	if (error)
		call_result(call_of_rq(rq), error, STR_NULL);
	else
		call_go_on(call_of_rq(rq), node);
	return ERR_OK;
}

const struct rq_ops call_find_ops = {.api_key = 10,
	.version_min = 0,
	.version_max = 5,
	.answer_max = ANSWER_SMALL,
	.build = find_build,
	.answered = find_answered,
	.failed = group_failed};

/* ---- OffsetFetch ---- */

static enum err fetch_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	struct offset_fetch_request m;
	struct offset_fetch_request_offset_fetch_request_group g;

	codec_init(&offset_fetch_request_schema, &m);
	codec_init(&offset_fetch_request_offset_fetch_request_group_schema, &g);
	if (rq->version >= 8) {
		g.group_id = call->u.group.group_id;
		g.topics = NULL;
		m.groups = &g;
		m.groups_n = 1;
	} else {
		m.group_id = call->u.group.group_id;
		m.topics = NULL;
	}
	return codec_encode(&offset_fetch_request_schema, rq->version, w, &m);
}

static enum err fetch_keep(
	struct call *call, struct str topic, int32_t partition, int64_t offset, struct str metadata, int16_t error)
{
	struct cluster_offset *o = &call->u.group.offsets[call->u.group.offsets_n];

	if (error || offset < 0)
		return ERR_OK;
	*o = (struct cluster_offset){call_copy(call, topic), partition, offset, call_copy(call, metadata)};
	call->u.group.offsets_n++;
	return o->topic.p ? ERR_OK : ERR_TOO_LARGE;
}

static enum err fetch_room(struct call *call, size_t n)
{
	call->u.group.offsets_n = 0;
	call->u.group.offsets = arena_zalloc(&call->arena, n, sizeof(*call->u.group.offsets));
	return call->u.group.offsets ? ERR_OK : ERR_TOO_LARGE;
}

static enum err fetch_keep_old(struct call *call, const struct offset_fetch_response *m)
{
	size_t n = 0;
	enum err e;

	for (uint32_t t = 0; t < m->topics_n; t++)
		n += m->topics[t].partitions_n;
	e = fetch_room(call, n);
	for (uint32_t t = 0; !e && t < m->topics_n; t++) {
		for (uint32_t i = 0; !e && i < m->topics[t].partitions_n; i++) {
			const struct offset_fetch_response_offset_fetch_response_partition *p =
				&m->topics[t].partitions[i];

			e = fetch_keep(call, m->topics[t].name, p->partition_index, p->committed_offset, p->metadata,
				p->error_code);
		}
	}
	return e;
}

static enum err fetch_keep_new(struct call *call, const struct offset_fetch_response_offset_fetch_response_group *g)
{
	size_t n = 0;
	enum err e;

	for (uint32_t t = 0; t < g->topics_n; t++)
		n += g->topics[t].partitions_n;
	e = fetch_room(call, n);
	for (uint32_t t = 0; !e && t < g->topics_n; t++) {
		for (uint32_t i = 0; !e && i < g->topics[t].partitions_n; i++) {
			const struct offset_fetch_response_offset_fetch_response_partitions *p =
				&g->topics[t].partitions[i];

			e = fetch_keep(call, g->topics[t].name, p->partition_index, p->committed_offset, p->metadata,
				p->error_code);
		}
	}
	return e;
}

static enum err fetch_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct call *call = call_of_rq(rq);
	struct offset_fetch_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&offset_fetch_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && rq->version >= 8 && (m.groups_n != 1 || !str_eq(m.groups[0].group_id, call->u.group.group_id)))
		e = ERR_MALFORMED;
	if (!e)
		e = rq->version >= 8 ? fetch_keep_new(call, &m.groups[0]) : fetch_keep_old(call, &m);
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		call_result(call, rq->version >= 8 ? m.groups[0].error_code : m.error_code, STR_NULL);
	}
	arena_release(&a);
	return e;
}

/* Version 10 names topics by id only. */
static const struct rq_ops fetch_ops = {.api_key = 9,
	.version_min = 2,
	.version_max = 9,
	.answer_max = ANSWER_SMALL,
	.build = fetch_build,
	.answered = fetch_answered,
	.failed = group_failed};

static void fetch_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);
	/* A group that is not there has no offsets. */
	bool none = call->error == KAFKA_ERR_GROUP_ID_NOT_FOUND;

	call->u.group.on_offsets(call->arg, none ? KAFKA_ERR_NONE : call->error, call->u.group.offsets,
		call->error ? 0 : call->u.group.offsets_n);
	call_free(call);
}

void cluster_fetch_offsets(struct cluster *c, struct str group_id, cluster_offsets_cb cb, void *arg)
{
	struct call *call = group_call(c, group_id, &fetch_ops, fetch_deliver, arg);

	call->u.group.on_offsets = cb;
	call_start(call);
}

/* ---- OffsetCommit ---- */

static void offsets_copy(struct call *call, const struct cluster_offset *v, uint32_t n)
{
	call->u.group.offsets = arena_zalloc(&call->arena, n, sizeof(*v));
	for (uint32_t i = 0; call->u.group.offsets && i < n; i++) {
		call->u.group.offsets[i] = v[i];
		call->u.group.offsets[i].topic = call_copy(call, v[i].topic);
		call->u.group.offsets[i].metadata = call_copy(call, v[i].metadata);
	}
	call->u.group.offsets_n = call->u.group.offsets ? n : 0;
}

/* How many entries from i on are of one topic: those come one behind the other. */
static uint32_t offsets_run(const struct call *call, uint32_t i)
{
	const struct cluster_offset *v = call->u.group.offsets;
	uint32_t n = 1;

	while (i + n < call->u.group.offsets_n && str_eq(v[i + n].topic, v[i].topic))
		n++;
	return n;
}

static enum err commit_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	const struct cluster_offset *v = call->u.group.offsets;
	uint32_t n = call->u.group.offsets_n;
	struct offset_commit_request_offset_commit_request_topic *topics;
	struct offset_commit_request_offset_commit_request_partition *parts;
	struct offset_commit_request m;
	enum err e = ERR_TOO_LARGE;
	struct arena a;

	arena_init(&a, REQUEST_MAX);
	codec_init(&offset_commit_request_schema, &m);
	m.group_id = call->u.group.group_id;
	m.topics = topics = arena_zalloc(&a, n, sizeof(*topics));
	parts = arena_zalloc(&a, n, sizeof(*parts));
	for (uint32_t i = 0; topics && parts && i < n; i++) {
		codec_init(&offset_commit_request_offset_commit_request_partition_schema, &parts[i]);
		parts[i].partition_index = v[i].partition;
		parts[i].committed_offset = v[i].offset;
		parts[i].committed_metadata = v[i].metadata;
	}
	for (uint32_t i = 0; topics && parts && i < n; i += offsets_run(call, i)) {
		struct offset_commit_request_offset_commit_request_topic *t = &topics[m.topics_n++];

		codec_init(&offset_commit_request_offset_commit_request_topic_schema, t);
		t->name = v[i].topic;
		t->partitions = &parts[i];
		t->partitions_n = offsets_run(call, i);
	}
	if (topics && parts)
		e = codec_encode(&offset_commit_request_schema, rq->version, w, &m);
	arena_release(&a);
	return e;
}

static enum err commit_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct offset_commit_response m;
	int16_t error = KAFKA_ERR_NONE;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&offset_commit_response_schema, rq->version, body, &a, &m, NULL);
	for (uint32_t t = 0; !e && t < m.topics_n; t++) {
		for (uint32_t i = 0; i < m.topics[t].partitions_n; i++)
			error = error ? error : m.topics[t].partitions[i].error_code;
	}
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		call_result(call_of_rq(rq), error, STR_NULL);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops commit_ops = {.api_key = 8,
	.version_min = 2,
	.version_max = 9,
	.answer_max = ANSWER_SMALL,
	.build = commit_build,
	.answered = commit_answered,
	.failed = group_failed};

void cluster_commit_offsets(struct cluster *c, struct str group_id, const struct cluster_offset *v, uint32_t n,
	cluster_result_cb cb, void *arg)
{
	struct call *call = group_call(c, group_id, &commit_ops, group_deliver, arg);

	offsets_copy(call, v, n);
	call->u.group.cb = cb;
	call_start(call);
}

/* ---- OffsetDelete ---- */

static enum err unset_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	uint32_t n = call->u.group.offsets_n;
	struct offset_delete_request_offset_delete_request_topic *topics;
	struct offset_delete_request_offset_delete_request_partition *parts;
	struct offset_delete_request m;
	enum err e = ERR_TOO_LARGE;
	struct arena a;

	arena_init(&a, REQUEST_MAX);
	codec_init(&offset_delete_request_schema, &m);
	m.group_id = call->u.group.group_id;
	m.topics = topics = arena_zalloc(&a, n, sizeof(*topics));
	parts = arena_zalloc(&a, n, sizeof(*parts));
	for (uint32_t i = 0; topics && parts && i < n; i++)
		parts[i].partition_index = call->u.group.offsets[i].partition;
	for (uint32_t i = 0; topics && parts && i < n; i += offsets_run(call, i)) {
		struct offset_delete_request_offset_delete_request_topic *t = &topics[m.topics_n++];

		t->name = call->u.group.offsets[i].topic;
		t->partitions = &parts[i];
		t->partitions_n = offsets_run(call, i);
	}
	if (topics && parts)
		e = codec_encode(&offset_delete_request_schema, rq->version, w, &m);
	arena_release(&a);
	return e;
}

static enum err unset_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct offset_delete_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&offset_delete_response_schema, rq->version, body, &a, &m, NULL);
	if (!e) {
		int16_t error = m.error_code;

		for (uint32_t t = 0; t < m.topics_n; t++) {
			for (uint32_t i = 0; i < m.topics[t].partitions_n; i++)
				error = error ? error : m.topics[t].partitions[i].error_code;
		}
		count_throttle(rq, m.throttle_time_ms);
		call_result(call_of_rq(rq), error, STR_NULL);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops unset_ops = {.api_key = 47,
	.version_min = 0,
	.version_max = 0,
	.answer_max = ANSWER_SMALL,
	.build = unset_build,
	.answered = unset_answered,
	.failed = group_failed};

void cluster_delete_offsets(struct cluster *c, struct str group_id, const struct cluster_offset *v, uint32_t n,
	cluster_result_cb cb, void *arg)
{
	struct call *call = group_call(c, group_id, &unset_ops, group_deliver, arg);

	offsets_copy(call, v, n);
	call->u.group.cb = cb;
	call_start(call);
}

/* ---- DeleteGroups ---- */

static enum err remove_build(struct rq *rq, struct writer *w)
{
	struct delete_groups_request m;

	codec_init(&delete_groups_request_schema, &m);
	m.groups_names = &call_of_rq(rq)->u.group.group_id;
	m.groups_names_n = 1;
	return codec_encode(&delete_groups_request_schema, rq->version, w, &m);
}

static enum err remove_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct delete_groups_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&delete_groups_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && m.results_n != 1)
		e = ERR_MALFORMED;
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		call_result(call_of_rq(rq), m.results[0].error_code, STR_NULL);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops remove_ops = {.api_key = 42,
	.version_min = 0,
	.version_max = 2,
	.answer_max = ANSWER_SMALL,
	.build = remove_build,
	.answered = remove_answered,
	.failed = group_failed};

void cluster_delete_group(struct cluster *c, struct str group_id, cluster_result_cb cb, void *arg)
{
	struct call *call = group_call(c, group_id, &remove_ops, group_deliver, arg);

	call->u.group.cb = cb;
	call_start(call);
}

/* ---- describe ---- */

static void group_found(struct rq *rq, int16_t error, bool exists, bool has_protocol, uint32_t members)
{
	struct call *call = call_of_rq(rq);

	call->u.group.found = (struct cluster_group){exists && !error, has_protocol, members};
	call_result(call, error, STR_NULL);
}

static enum err classic_build(struct rq *rq, struct writer *w)
{
	struct describe_groups_request m;

	codec_init(&describe_groups_request_schema, &m);
	m.groups = &call_of_rq(rq)->u.group.group_id;
	m.groups_n = 1;
	return codec_encode(&describe_groups_request_schema, rq->version, w, &m);
}

static enum err classic_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct describe_groups_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&describe_groups_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && m.groups_n != 1)
		e = ERR_MALFORMED;
	if (!e)
		group_found(rq, m.groups[0].error_code, !str_eq(m.groups[0].group_state, STR_LIT("Dead")),
			m.groups[0].protocol_type.n > 0, m.groups[0].members_n);
	arena_release(&a);
	return e;
}

static enum err consumer_build(struct rq *rq, struct writer *w)
{
	struct consumer_group_describe_request m;

	codec_init(&consumer_group_describe_request_schema, &m);
	m.group_ids = &call_of_rq(rq)->u.group.group_id;
	m.group_ids_n = 1;
	return codec_encode(&consumer_group_describe_request_schema, rq->version, w, &m);
}

static enum err consumer_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct consumer_group_describe_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&consumer_group_describe_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && m.groups_n != 1)
		e = ERR_MALFORMED;
	if (!e)
		group_found(rq, m.groups[0].error_code, true, true, m.groups[0].members_n);
	arena_release(&a);
	return e;
}

static enum err streams_build(struct rq *rq, struct writer *w)
{
	struct streams_group_describe_request m;

	codec_init(&streams_group_describe_request_schema, &m);
	m.group_ids = &call_of_rq(rq)->u.group.group_id;
	m.group_ids_n = 1;
	return codec_encode(&streams_group_describe_request_schema, rq->version, w, &m);
}

static enum err streams_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct streams_group_describe_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&streams_group_describe_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && m.groups_n != 1)
		e = ERR_MALFORMED;
	if (!e)
		group_found(rq, m.groups[0].error_code, true, true, m.groups[0].members_n);
	arena_release(&a);
	return e;
}

static const struct rq_ops describe_ops[] = {
	[CLUSTER_GROUP_CLASSIC] = {15, 0, 6, ANSWER_SMALL, false, classic_build, classic_answered, group_failed},
	[CLUSTER_GROUP_CONSUMER] = {69, 0, 1, ANSWER_SMALL, true, consumer_build, consumer_answered, group_failed},
	[CLUSTER_GROUP_STREAMS] = {89, 0, 0, ANSWER_SMALL, true, streams_build, streams_answered, group_failed},
};

static void describe_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);
	bool none = call->error == KAFKA_ERR_GROUP_ID_NOT_FOUND || call->error == KAFKA_ERR_UNSUPPORTED_VERSION;

	if (call->error)
		call->u.group.found = (struct cluster_group){false, false, 0};
	call->u.group.on_group(call->arg, none ? KAFKA_ERR_NONE : call->error, &call->u.group.found);
	call_free(call);
}

void cluster_describe_group(
	struct cluster *c, struct str group_id, enum cluster_group_type type, cluster_group_cb cb, void *arg)
{
	struct call *call = group_call(c, group_id, &describe_ops[type], describe_deliver, arg);

	call->u.group.on_group = cb;
	call_start(call);
}
