/* SPDX-License-Identifier: Apache-2.0 */
/* Topic administration, producer ids and coordinators: one request a call. */
#include <stdio.h>

#include "call_priv.h"
#include "wire/messages.h"

#define RESOURCE_TOPIC 2
#define RESOURCE_BROKER 4
#define ACL_PATTERN_LITERAL 3
#define ACL_ANY 1
/* Time that a broker itself gets for work that it may give up, less than we wait for its answer. */
#define BROKER_SHARE(timeout_ms) ((timeout_ms) / 4 * 3)

/* The attempt has failed on the way. */
static void admin_failed(struct rq *rq, int16_t error)
{
	call_result(call_of_rq(rq), error, STR_NULL);
}

static void admin_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);

	call->u.admin.cb(call->arg, call->error, call->message);
	call_free(call);
}

static void count_throttle(struct rq *rq, int32_t ms)
{
	rq->cluster->counts.throttle_ms += ms > 0 ? (uint64_t)ms : 0;
}

/* ---- InitProducerId ---- */

static enum err producer_build(struct rq *rq, struct writer *w)
{
	struct init_producer_id_request m;

	codec_init(&init_producer_id_request_schema, &m);
	m.transactional_id = STR_NULL;
	/* Without a transactional id nobody looks at it, but it must be positive. */
	m.transaction_timeout_ms = INT32_MAX;
	return codec_encode(&init_producer_id_request_schema, rq->version, w, &m);
}

static enum err producer_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct call *call = call_of_rq(rq);
	struct init_producer_id_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&init_producer_id_response_schema, rq->version, body, &a, &m, NULL);
	arena_release(&a);
	if (e)
		return e;
	if (!m.error_code && m.producer_id < 0)
		return ERR_MALFORMED;
	count_throttle(rq, m.throttle_time_ms);
	call->u.producer.id = m.producer_id;
	call->u.producer.epoch = m.producer_epoch;
	call_result(call, m.error_code, STR_NULL);
	return ERR_OK;
}

static const struct rq_ops producer_ops = {.api_key = 22,
	.version_min = 0,
	.version_max = 5,
	.answer_max = ANSWER_SMALL,
	.build = producer_build,
	.answered = producer_answered,
	.failed = admin_failed};

static void producer_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);

	call->u.producer.cb(call->arg, call->error, call->error ? -1 : call->u.producer.id,
		call->error ? -1 : call->u.producer.epoch);
	call_free(call);
}

void cluster_init_producer_id(struct cluster *c, cluster_producer_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_ANY, &producer_ops, producer_deliver, arg);

	call->deadline = INT64_MAX;
	call->u.producer.cb = cb;
	call_start(call);
}

/* ---- CreateTopics ---- */

static enum err create_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	struct create_topics_request m;
	struct create_topics_request_creatable_topic topic;
	struct create_topics_request_creatable_topic_config *configs;
	struct arena a;
	enum err e;

	arena_init(&a, REQUEST_MAX);
	configs = arena_zalloc(&a, call->u.admin.configs_n, sizeof(*configs));
	if (!configs)
		return ERR_TOO_LARGE;
	codec_init(&create_topics_request_schema, &m);
	codec_init(&create_topics_request_creatable_topic_schema, &topic);
	m.topics = &topic;
	m.topics_n = 1;
	m.timeout_ms = BROKER_SHARE(rq->timeout_ms);
	topic.name = call->u.admin.name;
	topic.num_partitions = call->u.admin.partitions;
	topic.replication_factor = call->u.admin.replication_factor;
	topic.configs = configs;
	topic.configs_n = call->u.admin.configs_n;
	for (uint32_t i = 0; i < call->u.admin.configs_n; i++) {
		configs[i].name = call->u.admin.configs[i].name;
		configs[i].value = call->u.admin.configs[i].value;
	}
	e = codec_encode(&create_topics_request_schema, rq->version, w, &m);
	arena_release(&a);
	return e;
}

static enum err create_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct call *call = call_of_rq(rq);
	struct create_topics_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&create_topics_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && (m.topics_n != 1 || !str_eq(m.topics[0].name, call->u.admin.name)))
		e = ERR_MALFORMED;
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		if (!m.topics[0].error_code)
			cluster_refresh(rq->cluster);
		call_result(call, m.topics[0].error_code, m.topics[0].error_message);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops create_ops = {.api_key = 19,
	.version_min = 1,
	.version_max = 7,
	.answer_max = ANSWER_SMALL,
	.build = create_build,
	.answered = create_answered,
	.failed = admin_failed};

void cluster_create_topic(struct cluster *c, struct str topic, int32_t partitions, int16_t replication_factor,
	const struct cluster_topic_config *configs, uint32_t configs_n, cluster_result_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_CONTROLLER, &create_ops, admin_deliver, arg);

	call->u.admin.name = call_copy(call, topic);
	call->u.admin.partitions = partitions;
	call->u.admin.replication_factor = replication_factor;
	call->u.admin.cb = cb;
	call->u.admin.configs = arena_zalloc(&call->arena, configs_n, sizeof(*configs));
	for (uint32_t i = 0; call->u.admin.configs && i < configs_n; i++) {
		call->u.admin.configs[i].name = call_copy(call, configs[i].name);
		call->u.admin.configs[i].value = call_copy(call, configs[i].value);
		call->u.admin.configs_n++;
	}
	call_start(call);
}

/* ---- DescribeConfigs ---- */

static enum err describe_build(struct rq *rq, struct writer *w)
{
	struct describe_configs_request m;
	struct describe_configs_request_describe_configs_resource r;
	struct call *call = call_of_rq(rq);

	codec_init(&describe_configs_request_schema, &m);
	codec_init(&describe_configs_request_describe_configs_resource_schema, &r);
	m.resources = &r;
	m.resources_n = 1;
	r.resource_type = call->u.admin.resource_type;
	r.resource_name = call->u.admin.name;
	r.configuration_keys = NULL;
	if (!str_is_null(call->u.admin.key)) {
		r.configuration_keys = &call->u.admin.key;
		r.configuration_keys_n = 1;
	}
	return codec_encode(&describe_configs_request_schema, rq->version, w, &m);
}

static enum err describe_keep(struct call *call, const struct describe_configs_response_describe_configs_result *r)
{
	struct cluster_topic_config *v = arena_zalloc(&call->arena, r->configs_n, sizeof(*v));

	if (!v)
		return ERR_TOO_LARGE;
	for (uint32_t i = 0; i < r->configs_n; i++) {
		v[i].name = call_copy(call, r->configs[i].name);
		v[i].value = call_copy(call, r->configs[i].value);
	}
	call->u.admin.configs = v;
	call->u.admin.configs_n = r->configs_n;
	return ERR_OK;
}

static enum err describe_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct call *call = call_of_rq(rq);
	struct describe_configs_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&describe_configs_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && (m.results_n != 1 || !str_eq(m.results[0].resource_name, call->u.admin.name)))
		e = ERR_MALFORMED;
	if (!e && !m.results[0].error_code)
		e = describe_keep(call, &m.results[0]);
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		call_result(call, m.results[0].error_code, m.results[0].error_message);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops describe_ops = {.api_key = 32,
	.version_min = 1,
	.version_max = 4,
	.answer_max = ANSWER_SMALL,
	.build = describe_build,
	.answered = describe_answered,
	.failed = admin_failed};

static void describe_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);

	for (uint32_t i = 0; !call->error && i < call->u.admin.configs_n; i++)
		call->u.admin.each(call->arg, call->u.admin.configs[i].name, call->u.admin.configs[i].value);
	admin_deliver(d);
}

void cluster_describe_topic_config(
	struct cluster *c, struct str topic, cluster_config_cb each, cluster_result_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_ANY, &describe_ops, describe_deliver, arg);

	call->u.admin.resource_type = RESOURCE_TOPIC;
	call->u.admin.name = call_copy(call, topic);
	call->u.admin.key = STR_NULL;
	call->u.admin.each = each;
	call->u.admin.cb = cb;
	call_start(call);
}

void cluster_describe_broker_config(
	struct cluster *c, int32_t broker_id, struct str key, cluster_config_cb each, cluster_result_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_NODE, &describe_ops, describe_deliver, arg);
	char name[16];

	snprintf(name, sizeof(name), "%d", broker_id);
	call->node_id = broker_id;
	call->u.admin.resource_type = RESOURCE_BROKER;
	call->u.admin.name = call_copy(call, str_of(name));
	call->u.admin.key = call_copy(call, key);
	call->u.admin.each = each;
	call->u.admin.cb = cb;
	call_start(call);
}

/* ---- DeleteRecords ---- */

static enum err delete_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	struct delete_records_request m;
	struct delete_records_request_delete_records_topic topic;
	struct delete_records_request_delete_records_partition part;

	codec_init(&delete_records_request_schema, &m);
	codec_init(&delete_records_request_delete_records_topic_schema, &topic);
	codec_init(&delete_records_request_delete_records_partition_schema, &part);
	m.topics = &topic;
	m.topics_n = 1;
	m.timeout_ms = BROKER_SHARE(rq->timeout_ms);
	topic.name = call->tp->key.topic->name;
	topic.partitions = &part;
	topic.partitions_n = 1;
	part.partition_index = (int32_t)call->tp->key.partition;
	part.offset = call->u.admin.before;
	return codec_encode(&delete_records_request_schema, rq->version, w, &m);
}

static enum err delete_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct call *call = call_of_rq(rq);
	struct delete_records_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&delete_records_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && (m.topics_n != 1 || m.topics[0].partitions_n != 1 ||
			  m.topics[0].partitions[0].partition_index != call->tp->key.partition))
		e = ERR_MALFORMED;
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		call_result(call, m.topics[0].partitions[0].error_code, STR_NULL);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops delete_ops = {.api_key = 21,
	.version_min = 0,
	.version_max = 2,
	.answer_max = ANSWER_SMALL,
	.build = delete_build,
	.answered = delete_answered,
	.failed = admin_failed};

void cluster_delete_records(
	struct cluster *c, struct str topic, int32_t partition, int64_t offset, cluster_result_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_LEADER, &delete_ops, admin_deliver, arg);

	call->tp = tp_get(c, topic, partition);
	call->u.admin.before = offset;
	call->u.admin.cb = cb;
	call_start(call);
}

/* ---- DescribeAcls ---- */

/* ACLs that let everybody do something to one resource that nobody has: the answer is short. */
static enum err acls_build(struct rq *rq, struct writer *w)
{
	struct describe_acls_request m;

	codec_init(&describe_acls_request_schema, &m);
	m.resource_type_filter = RESOURCE_TOPIC;
	m.resource_name_filter = STR_LIT("__nobody");
	m.pattern_type_filter = ACL_PATTERN_LITERAL;
	m.principal_filter = STR_NULL;
	m.host_filter = STR_NULL;
	m.operation = ACL_ANY;
	m.permission_type = ACL_ANY;
	return codec_encode(&describe_acls_request_schema, rq->version, w, &m);
}

static enum err acls_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct describe_acls_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&describe_acls_response_schema, rq->version, body, &a, &m, NULL);
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		call_result(call_of_rq(rq), m.error_code, m.error_message);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops acls_ops = {.api_key = 29,
	.version_min = 1,
	.version_max = 3,
	.answer_max = ANSWER_SMALL,
	.build = acls_build,
	.answered = acls_answered,
	.failed = admin_failed};

void cluster_describe_acls(struct cluster *c, cluster_result_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_ANY, &acls_ops, admin_deliver, arg);

	call->u.admin.cb = cb;
	call_start(call);
}

/* ---- FindCoordinator ---- */

static enum err coordinator_build(struct rq *rq, struct writer *w)
{
	struct call *call = call_of_rq(rq);
	struct find_coordinator_request m;

	codec_init(&find_coordinator_request_schema, &m);
	if (rq->version >= 4) {
		m.coordinator_keys = &call->u.admin.name;
		m.coordinator_keys_n = 1;
	} else {
		m.key = call->u.admin.name;
	}
	return codec_encode(&find_coordinator_request_schema, rq->version, w, &m);
}

static enum err coordinator_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct find_coordinator_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&find_coordinator_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && rq->version >= 4 && m.coordinators_n != 1)
		e = ERR_MALFORMED;
	if (!e) {
		count_throttle(rq, m.throttle_time_ms);
		if (rq->version >= 4)
			call_result(call_of_rq(rq), m.coordinators[0].error_code, m.coordinators[0].error_message);
		else
			call_result(call_of_rq(rq), m.error_code, m.error_message);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops coordinator_ops = {.api_key = 10,
	.version_min = 0,
	.version_max = 5,
	.answer_max = ANSWER_SMALL,
	.build = coordinator_build,
	.answered = coordinator_answered,
	.failed = admin_failed};

void cluster_find_coordinator(struct cluster *c, struct str group_id, cluster_result_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_ANY, &coordinator_ops, admin_deliver, arg);

	call->u.admin.name = call_copy(call, group_id);
	call->u.admin.cb = cb;
	call_start(call);
}
