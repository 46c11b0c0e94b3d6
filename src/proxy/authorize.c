/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminated request needs is found here, and asked of the broker. The questions (tried on Kafka 4.0):
 *
 *   READ on GROUP           Heartbeat of a member that nobody knows
 *   DESCRIBE on GROUP       FindCoordinator
 *   DELETE on GROUP         OffsetDelete without topics
 *   ALTER_CONFIGS on GROUP  IncrementalAlterConfigs without configs, to be validated only
 *   topics                  Metadata with authorized operations
 *   CLUSTER                 DescribeCluster with authorized operations
 *
 * DESCRIBE_CONFIGS on GROUP needs none: such a request goes to the broker as a whole. */
#include "proxy/authorize.h"

#include "base/assert.h"
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "route/api.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

/* Names in one question. */
#define BATCH_MAX 500
#define QUESTION_MAX ((size_t)1024 * 1024)
#define ANSWER_ARENA_MAX ((size_t)32 * 1024 * 1024)
#define METADATA_VERSION 9
#define HEARTBEAT_VERSION 1
#define FIND_COORDINATOR_VERSION 4
#define ALTER_CONFIGS_VERSION 1
#define RESOURCE_GROUP 32
#define NOT_TOLD INT32_MIN
#define ASKING_MEMBER "sluice"

struct need {
	struct need *next;
	int kind;
	struct str name;
	uint32_t operations;
};

struct authorize {
	struct service *sv;
	struct slot *slot;
	const void *msg;
	authorize_next next;
	struct rights *rights;
	struct need *topics, *describes, *singles;
	uint32_t waiting; /* questions, and 1 while they are being put */
	bool failed;      /* no memory: the slot is closed */
};

/* Some resources that one question is about. */
struct question {
	struct authorize *a;
	struct need *v[BATCH_MAX];
	uint32_t n;
};

static int64_t now_of(const struct authorize *a)
{
	return loop_now(a->sv->loop);
}

/* ---- what was asked about ---- */

static void need(struct authorize *a, int kind, struct str name, uint32_t operations)
{
	uint32_t ask;
	struct need *n, **list;

	if (a->failed || (kind != RIGHTS_CLUSTER && name.n == 0))
		return;
	ask = rights_want(a->rights, kind, name, operations, now_of(a), a->sv->cfg->authorization_cache_ms);
	/* Each is a question of its own, but for topics and the cluster, whose answers tell all at once. */
	for (uint32_t bit = 1; ask; bit <<= 1) {
		if (kind == RIGHTS_GROUP && !(ask & bit))
			continue;
		n = terminate_alloc(a->slot, 1, sizeof(*n));
		if (!n) {
			a->failed = true;
			return;
		}
		*n = (struct need){.kind = kind, .name = name, .operations = kind == RIGHTS_GROUP ? bit : ask};
		list = kind == RIGHTS_TOPIC                                      ? &a->topics
		       : n->operations == RIGHT_DESCRIBE && kind == RIGHTS_GROUP ? &a->describes
										 : &a->singles;
		n->next = *list;
		*list = n;
		ask &= ~n->operations;
	}
}

static void need_group(struct authorize *a, struct str group_id, uint32_t operations)
{
	need(a, RIGHTS_GROUP, group_id, operations);
}

static void need_topic_id(struct authorize *a, struct uuid id)
{
	const struct cluster_topic *t = cluster_find_topic_id(a->sv->cluster, id);

	if (t)
		need(a, RIGHTS_TOPIC, terminate_copy(a->slot, t->name), RIGHT_READ | RIGHT_DESCRIBE);
}

static void need_topic(struct authorize *a, struct str name)
{
	need(a, RIGHTS_TOPIC, name, RIGHT_READ | RIGHT_DESCRIBE);
}

static void need_cluster(struct authorize *a, uint32_t operations)
{
	need(a, RIGHTS_CLUSTER, STR_LIT(""), operations);
}

/* ---- the needs of each API ---- */

static void needs_of_heartbeat(struct authorize *a, const struct share_group_heartbeat_request *rq)
{
	need_group(a, rq->group_id, RIGHT_READ);
	for (uint32_t i = 0; i < rq->subscribed_topic_names_n; i++)
		need_topic(a, rq->subscribed_topic_names[i]);
}

/* Topics of the session as well: the request names only what is new. */
static void needs_of_session(struct authorize *a, struct str group_id, struct str member_id)
{
	int32_t node_id = slot_get_request(a->slot)->node_id;
	uint32_t n = share_session_topics(a->sv->engine, group_id, member_id, node_id, NULL, 0);
	struct uuid *v = terminate_alloc(a->slot, n, sizeof(*v));

	need_group(a, group_id, RIGHT_READ);
	if (!v) {
		a->failed = true;
		return;
	}
	share_session_topics(a->sv->engine, group_id, member_id, node_id, v, n);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || !uuid_eq(v[i], v[i - 1]))
			need_topic_id(a, v[i]);
	}
}

static void needs_of_fetch(struct authorize *a, const struct share_fetch_request *rq)
{
	needs_of_session(a, rq->group_id, rq->member_id);
	for (uint32_t i = 0; i < rq->topics_n; i++)
		need_topic_id(a, rq->topics[i].topic_id);
}

static void needs_of_acknowledge(struct authorize *a, const struct share_acknowledge_request *rq)
{
	need_group(a, rq->group_id, RIGHT_READ);
	for (uint32_t i = 0; i < rq->topics_n; i++)
		need_topic_id(a, rq->topics[i].topic_id);
}

/* Topics that members have been assigned. */
static void needs_of_described(struct authorize *a, struct str group_id)
{
	struct share_event ev = {.type = SHARE_EV_DESCRIBE};
	const struct share_describe_reply *rp;

	if (service_group_partition(a->sv, group_id, &ev.state_partition))
		return;
	ev.u.group.group_id = group_id;
	rp = &service_ask(a->sv, &ev)->u.describe;
	for (uint32_t i = 0; !rp->error && i < rp->group.members_n; i++) {
		for (uint32_t k = 0; k < rp->group.members[i].assigned_n; k++)
			need_topic_id(a, rp->group.members[i].assigned[k].topic_id);
	}
}

static void needs_of_describe(struct authorize *a, const struct share_group_describe_request *rq)
{
	for (uint32_t i = 0; i < rq->group_ids_n; i++) {
		need_group(a, rq->group_ids[i],
			rq->include_authorized_operations
				? RIGHT_READ | RIGHT_DESCRIBE | RIGHT_DELETE | RIGHT_ALTER_CONFIGS
				: RIGHT_DESCRIBE);
		needs_of_described(a, rq->group_ids[i]);
	}
}

/* All topics of which the group has offsets. */
static void needs_of_all_offsets(struct authorize *a, struct str group_id)
{
	struct share_event ev = {.type = SHARE_EV_DESCRIBE_OFFSETS};
	const struct share_offsets_reply *rp;

	if (service_group_partition(a->sv, group_id, &ev.state_partition))
		return;
	ev.u.group.group_id = group_id;
	rp = &service_ask(a->sv, &ev)->u.offsets;
	for (uint32_t i = 0; !rp->error && i < rp->partitions_n; i++) {
		if (i == 0 || !uuid_eq(rp->partitions[i].topic_id, rp->partitions[i - 1].topic_id))
			need_topic(a, terminate_copy(a->slot, rp->partitions[i].topic_name));
	}
}

static void needs_of_describe_offsets(struct authorize *a, const struct describe_share_group_offsets_request *rq)
{
	for (uint32_t i = 0; i < rq->groups_n; i++) {
		need_group(a, rq->groups[i].group_id, RIGHT_DESCRIBE);
		if (!rq->groups[i].topics)
			needs_of_all_offsets(a, rq->groups[i].group_id);
		for (uint32_t k = 0; k < rq->groups[i].topics_n; k++)
			need_topic(a, rq->groups[i].topics[k].topic_name);
	}
}

static void needs_of_alter_offsets(struct authorize *a, const struct alter_share_group_offsets_request *rq)
{
	need_group(a, rq->group_id, RIGHT_READ);
	for (uint32_t i = 0; i < rq->topics_n; i++)
		need_topic(a, rq->topics[i].topic_name);
}

static void needs_of_delete_offsets(struct authorize *a, const struct delete_share_group_offsets_request *rq)
{
	need_group(a, rq->group_id, RIGHT_DELETE);
	for (uint32_t i = 0; i < rq->topics_n; i++)
		need_topic(a, rq->topics[i].topic_name);
}

/* Every share group might be listed. */
static void needs_of_list(struct authorize *a)
{
	need_cluster(a, RIGHT_DESCRIBE);
	for (int32_t sp = 0; sp < state_store_partitions(a->sv->store); sp++) {
		struct str id = STR_NULL;

		while (!str_is_null(id = share_next_group(a->sv->engine, sp, id)))
			need_group(a, terminate_copy(a->slot, id), RIGHT_DESCRIBE);
	}
}

static void needs_of_delete(struct authorize *a, const struct delete_groups_request *rq)
{
	for (uint32_t i = 0; i < rq->groups_names_n; i++) {
		if (service_has_group(a->sv, rq->groups_names[i]))
			need_group(a, rq->groups_names[i], RIGHT_DELETE);
	}
}

static void needs_of_describe_configs(struct authorize *a, const struct describe_configs_request *rq)
{
	for (uint32_t i = 0; i < rq->resources_n; i++) {
		if (rq->resources[i].resource_type == RESOURCE_GROUP)
			need_cluster(a, RIGHT_DESCRIBE_CONFIGS);
	}
}

static void needs_of_alter_configs(struct authorize *a, const struct incremental_alter_configs_request *rq)
{
	for (uint32_t i = 0; i < rq->resources_n; i++) {
		if (rq->resources[i].resource_type == RESOURCE_GROUP) {
			need_cluster(a, RIGHT_ALTER_CONFIGS);
			need_group(a, rq->resources[i].resource_name, RIGHT_ALTER_CONFIGS);
		}
	}
}

static void needs_of_replace_configs(struct authorize *a, const struct alter_configs_request *rq)
{
	for (uint32_t i = 0; i < rq->resources_n; i++) {
		if (rq->resources[i].resource_type == RESOURCE_GROUP) {
			need_cluster(a, RIGHT_ALTER_CONFIGS);
			need_group(a, rq->resources[i].resource_name, RIGHT_ALTER_CONFIGS);
		}
	}
}

static void needs_of_request(struct authorize *a)
{
	switch (slot_get_request(a->slot)->header.api_key) {
	case ROUTE_KEY_SHARE_GROUP_HEARTBEAT:
		needs_of_heartbeat(a, a->msg);
		break;
	case ROUTE_KEY_SHARE_FETCH:
		needs_of_fetch(a, a->msg);
		break;
	case ROUTE_KEY_SHARE_ACKNOWLEDGE:
		needs_of_acknowledge(a, a->msg);
		break;
	case ROUTE_KEY_SHARE_GROUP_DESCRIBE:
		needs_of_describe(a, a->msg);
		break;
	case ROUTE_KEY_DESCRIBE_SHARE_GROUP_OFFSETS:
		needs_of_describe_offsets(a, a->msg);
		break;
	case ROUTE_KEY_ALTER_SHARE_GROUP_OFFSETS:
		needs_of_alter_offsets(a, a->msg);
		break;
	case ROUTE_KEY_DELETE_SHARE_GROUP_OFFSETS:
		needs_of_delete_offsets(a, a->msg);
		break;
	case ROUTE_KEY_LIST_GROUPS:
		needs_of_list(a);
		break;
	case ROUTE_KEY_DELETE_GROUPS:
		needs_of_delete(a, a->msg);
		break;
	case ROUTE_KEY_DESCRIBE_CONFIGS:
		needs_of_describe_configs(a, a->msg);
		break;
	case ROUTE_KEY_INCREMENTAL_ALTER_CONFIGS:
		needs_of_alter_configs(a, a->msg);
		break;
	case ROUTE_KEY_ALTER_CONFIGS:
		needs_of_replace_configs(a, a->msg);
		break;
	default:
		break;
	}
}

/* ---- questions and answers ---- */

static void finish(struct authorize *a)
{
	sl_assert(a->waiting > 0);
	if (--a->waiting == 0 && !a->failed)
		a->next(a->sv, a->slot, a->msg);
}

/* Decodes an answer into memory that lasts as long as a; false: nothing is known then. */
static bool read_answer(struct arena *a, const struct schema *schema, int16_t version, struct bytes body, void *m)
{
	struct reader r = rd_init(body.p, body.n);

	arena_init(a, ANSWER_ARENA_MAX);
	return codec_decode(schema, version, &r, a, m, NULL) == ERR_OK;
}

static void ask(
	struct question *q, const struct schema *schema, int16_t key, int16_t version, const void *m, slot_ask_cb cb)
{
	struct writer w;

	wr_init(&w, QUESTION_MAX);
	if (codec_encode(schema, version, &w, m)) {
		for (uint32_t i = 0; i < q->n; i++)
			rights_unknown(q->a->rights, q->v[i]->kind, q->v[i]->name, q->v[i]->operations);
	} else {
		q->a->waiting++;
		slot_ask(q->a->slot, key, version, &w, cb, q);
	}
	wr_release(&w);
}

/* An error of Kafka's that says yes or no about what one question was about. */
static void told(const struct question *q, uint32_t i, int16_t error)
{
	const struct need *n = q->v[i];
	bool denied = error == KAFKA_ERR_GROUP_AUTHORIZATION_FAILED || error == KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED;

	/* Every other error comes from behind the check, but for those that come from anywhere. */
	if (error == KAFKA_ERR_UNKNOWN_SERVER_ERROR || error == KAFKA_ERR_CLUSTER_AUTHORIZATION_FAILED ||
		error == KAFKA_ERR_UNSUPPORTED_VERSION || error == KAFKA_ERR_REQUEST_TIMED_OUT ||
		error == KAFKA_ERR_NOT_CONTROLLER)
		rights_unknown(q->a->rights, n->kind, n->name, n->operations);
	else
		rights_set(q->a->rights, n->kind, n->name, n->operations, denied ? 0 : n->operations, now_of(q->a));
}

static void metadata_cb(struct slot *s, void *arg, struct bytes body)
{
	struct question *q = arg;
	struct metadata_response m;
	struct arena a;

	(void)s;
	for (uint32_t i = 0; i < q->n; i++)
		rights_unknown(q->a->rights, RIGHTS_TOPIC, q->v[i]->name, q->v[i]->operations);
	if (read_answer(&a, &metadata_response_schema, METADATA_VERSION, body, &m)) {
		for (uint32_t i = 0; i < m.topics_n; i++) {
			const struct metadata_response_metadata_response_topic *t = &m.topics[i];
			uint32_t operations = RIGHT_READ | RIGHT_DESCRIBE;

			if (t->error_code == KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED)
				rights_set(q->a->rights, RIGHTS_TOPIC, t->name, operations, 0, now_of(q->a));
			else if (t->topic_authorized_operations != NOT_TOLD)
				rights_set(q->a->rights, RIGHTS_TOPIC, t->name, operations,
					(uint32_t)t->topic_authorized_operations, now_of(q->a));
			else if (t->error_code == KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION ||
				 t->error_code == KAFKA_ERR_INVALID_TOPIC_EXCEPTION)
				rights_set(q->a->rights, RIGHTS_TOPIC, t->name, operations, operations, now_of(q->a));
		}
	}
	arena_release(&a);
	finish(q->a);
}

static void ask_topics(struct question *q)
{
	struct metadata_request_metadata_request_topic v[BATCH_MAX];
	struct metadata_request m;

	codec_init(&metadata_request_schema, &m);
	for (uint32_t i = 0; i < q->n; i++) {
		codec_init(&metadata_request_metadata_request_topic_schema, &v[i]);
		v[i].name = q->v[i]->name;
	}
	m.topics = v;
	m.topics_n = q->n;
	m.allow_auto_topic_creation = false;
	m.include_topic_authorized_operations = true;
	ask(q, &metadata_request_schema, ROUTE_KEY_METADATA, METADATA_VERSION, &m, metadata_cb);
}

static void coordinator_cb(struct slot *s, void *arg, struct bytes body)
{
	struct question *q = arg;
	struct find_coordinator_response m;
	struct arena a;
	bool good = read_answer(&a, &find_coordinator_response_schema, FIND_COORDINATOR_VERSION, body, &m) &&
		    m.coordinators_n == q->n;

	(void)s;
	/* The broker answers in the order of the question. */
	for (uint32_t i = 0; i < q->n; i++)
		told(q, i,
			good && str_eq(m.coordinators[i].key, q->v[i]->name) ? m.coordinators[i].error_code
									     : KAFKA_ERR_UNKNOWN_SERVER_ERROR);
	arena_release(&a);
	finish(q->a);
}

static void ask_coordinators(struct question *q)
{
	struct find_coordinator_request m;
	struct str keys[BATCH_MAX];

	codec_init(&find_coordinator_request_schema, &m);
	for (uint32_t i = 0; i < q->n; i++)
		keys[i] = q->v[i]->name;
	m.coordinator_keys = keys;
	m.coordinator_keys_n = q->n;
	ask(q, &find_coordinator_request_schema, ROUTE_KEY_FIND_COORDINATOR, FIND_COORDINATOR_VERSION, &m,
		coordinator_cb);
}

static void heartbeat_cb(struct slot *s, void *arg, struct bytes body)
{
	struct question *q = arg;
	struct heartbeat_response m;
	struct arena a;
	bool good = read_answer(&a, &heartbeat_response_schema, HEARTBEAT_VERSION, body, &m);

	(void)s;
	told(q, 0, good ? m.error_code : KAFKA_ERR_UNKNOWN_SERVER_ERROR);
	arena_release(&a);
	finish(q->a);
}

static void ask_read(struct question *q)
{
	struct heartbeat_request m;

	codec_init(&heartbeat_request_schema, &m);
	m.group_id = q->v[0]->name;
	m.generation_id = -1;
	m.member_id = STR_LIT(ASKING_MEMBER);
	ask(q, &heartbeat_request_schema, ROUTE_KEY_HEARTBEAT, HEARTBEAT_VERSION, &m, heartbeat_cb);
}

static void delete_cb(struct slot *s, void *arg, struct bytes body)
{
	struct question *q = arg;
	struct offset_delete_response m;
	struct arena a;
	bool good = read_answer(&a, &offset_delete_response_schema, 0, body, &m);

	(void)s;
	told(q, 0, good ? m.error_code : KAFKA_ERR_UNKNOWN_SERVER_ERROR);
	arena_release(&a);
	finish(q->a);
}

static void ask_delete(struct question *q)
{
	struct offset_delete_request m;

	codec_init(&offset_delete_request_schema, &m);
	m.group_id = q->v[0]->name;
	ask(q, &offset_delete_request_schema, ROUTE_KEY_OFFSET_DELETE, 0, &m, delete_cb);
}

/* A broker that does not know configs of groups says 42: the rights on the cluster decide then. */
static void alter_cb(struct slot *s, void *arg, struct bytes body)
{
	struct question *q = arg;
	struct incremental_alter_configs_response m;
	struct arena a;
	bool good = read_answer(&a, &incremental_alter_configs_response_schema, ALTER_CONFIGS_VERSION, body, &m) &&
		    m.responses_n == 1;

	(void)s;
	if (good && m.responses[0].error_code == KAFKA_ERR_INVALID_REQUEST &&
		rights_get(q->a->rights, RIGHTS_CLUSTER, STR_LIT(""), RIGHT_ALTER_CONFIGS) != RIGHTS_ALLOWED)
		told(q, 0, KAFKA_ERR_GROUP_AUTHORIZATION_FAILED);
	else
		told(q, 0, good ? m.responses[0].error_code : KAFKA_ERR_UNKNOWN_SERVER_ERROR);
	arena_release(&a);
	finish(q->a);
}

static void ask_alter(struct question *q)
{
	struct incremental_alter_configs_request m;
	struct incremental_alter_configs_request_alter_configs_resource r;

	codec_init(&incremental_alter_configs_request_schema, &m);
	codec_init(&incremental_alter_configs_request_alter_configs_resource_schema, &r);
	r.resource_type = RESOURCE_GROUP;
	r.resource_name = q->v[0]->name;
	m.resources = &r;
	m.resources_n = 1;
	m.validate_only = true;
	ask(q, &incremental_alter_configs_request_schema, ROUTE_KEY_INCREMENTAL_ALTER_CONFIGS, ALTER_CONFIGS_VERSION,
		&m, alter_cb);
}

static void cluster_cb(struct slot *s, void *arg, struct bytes body)
{
	struct question *q = arg;
	struct describe_cluster_response m;
	struct arena a;
	bool good = read_answer(&a, &describe_cluster_response_schema, 0, body, &m) && !m.error_code &&
		    m.cluster_authorized_operations != NOT_TOLD;

	(void)s;
	if (good)
		rights_set(q->a->rights, RIGHTS_CLUSTER, STR_LIT(""), q->v[0]->operations,
			(uint32_t)m.cluster_authorized_operations, now_of(q->a));
	else
		rights_unknown(q->a->rights, RIGHTS_CLUSTER, STR_LIT(""), q->v[0]->operations);
	arena_release(&a);
	finish(q->a);
}

static void ask_cluster(struct question *q)
{
	struct describe_cluster_request m;

	codec_init(&describe_cluster_request_schema, &m);
	m.include_cluster_authorized_operations = true;
	ask(q, &describe_cluster_request_schema, ROUTE_KEY_DESCRIBE_CLUSTER, 0, &m, cluster_cb);
}

static void ask_single(struct question *q)
{
	if (q->v[0]->kind == RIGHTS_CLUSTER)
		ask_cluster(q);
	else if (q->v[0]->operations == RIGHT_READ)
		ask_read(q);
	else if (q->v[0]->operations == RIGHT_DELETE)
		ask_delete(q);
	else
		ask_alter(q);
}

/* Puts all needs of a list, up to so many in one question. */
static void ask_list(struct authorize *a, struct need *list, uint32_t max, void (*put)(struct question *q))
{
	while (list && !a->failed) {
		struct question *q = terminate_alloc(a->slot, 1, sizeof(*q));

		if (!q) {
			a->failed = true;
			return;
		}
		q->a = a;
		for (; list && q->n < max; list = list->next)
			q->v[q->n++] = list;
		put(q);
	}
}

void authorize_request(struct service *sv, struct slot *s, const void *msg, authorize_next next)
{
	struct authorize *a;

	if (!service_authorizes(sv)) {
		next(sv, s, msg);
		return;
	}
	a = terminate_alloc(s, 1, sizeof(*a));
	if (!a)
		return;
	*a = (struct authorize){
		.sv = sv, .slot = s, .msg = msg, .next = next, .rights = slot_get_rights(s), .waiting = 1};
	needs_of_request(a);
	ask_list(a, a->singles, 1, ask_single);
	ask_list(a, a->describes, BATCH_MAX, ask_coordinators);
	ask_list(a, a->topics, BATCH_MAX, ask_topics);
	finish(a);
}

/* ---- looking it up ---- */

static enum rights_verdict verdict(struct service *sv, struct slot *s, int kind, struct str name, uint32_t operation)
{
	if (!service_authorizes(sv) || (kind != RIGHTS_CLUSTER && name.n == 0))
		return RIGHTS_ALLOWED;
	return rights_get(slot_get_rights(s), kind, name, operation);
}

int16_t authorize_group(struct service *sv, struct slot *s, struct str group_id, uint32_t operation)
{
	enum rights_verdict v = verdict(sv, s, RIGHTS_GROUP, group_id, operation);

	if (v == RIGHTS_ALLOWED)
		return KAFKA_ERR_NONE;
	return v == RIGHTS_DENIED ? KAFKA_ERR_GROUP_AUTHORIZATION_FAILED : KAFKA_ERR_COORDINATOR_NOT_AVAILABLE;
}

int16_t authorize_topic(struct service *sv, struct slot *s, struct str name, uint32_t operation)
{
	enum rights_verdict v = verdict(sv, s, RIGHTS_TOPIC, name, operation);

	if (v == RIGHTS_ALLOWED)
		return KAFKA_ERR_NONE;
	return v == RIGHTS_DENIED ? KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED : KAFKA_ERR_NOT_LEADER_OR_FOLLOWER;
}

bool authorize_cluster(struct service *sv, struct slot *s, uint32_t operation)
{
	return verdict(sv, s, RIGHTS_CLUSTER, STR_LIT(""), operation) == RIGHTS_ALLOWED;
}
