/* SPDX-License-Identifier: Apache-2.0 */
/* Answers with addresses are built and read again here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "route_addresses.h"
#include "route_bodies.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define BODY_MAX (1u << 20)
#define PARTITIONS 3u

const struct addressed addressed[] = {
	{3, 0, 13}, {10, 0, 6}, {60, 0, 2}, {0, 10, 13}, {1, 16, 18}, {78, 1, 2}, {79, 1, 2}};
const size_t addressed_n = sizeof(addressed) / sizeof(addressed[0]);

static void *many(struct arena *a, uint32_t n, size_t size)
{
	void *p = arena_zalloc(a, n, size);

	assert_non_null(p);
	return p;
}

static struct chunk *encode(const struct schema *s, int16_t version, const void *msg)
{
	struct writer w;
	struct chunk *c;

	wr_init(&w, BODY_MAX);
	assert_int_equal(codec_encode(s, version, &w, msg), ERR_OK);
	c = chunk_try_new(wr_size(&w));
	assert_non_null(c);
	wr_flatten(&w, c->data);
	wr_release(&w);
	return c;
}

static struct chunk *metadata_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	struct metadata_response msg;
	static const char *const names[] = {"orders", "payments"};

	codec_init(&metadata_response_schema, &msg);
	msg.brokers_n = n;
	msg.brokers = many(a, n, sizeof(*msg.brokers));
	for (uint32_t i = 0; i < n; i++) {
		msg.brokers[i].node_id = nodes[i].id;
		msg.brokers[i].host = str_of(nodes[i].host);
		msg.brokers[i].port = nodes[i].port;
		msg.brokers[i].rack = version >= 1 ? str_of(nodes[i].rack) : STR_NULL;
	}
	if (version >= 2)
		msg.cluster_id = STR_LIT("lkc-0x5e");
	if (version >= 1)
		msg.controller_id = n ? nodes[n - 1].id : -1;
	msg.topics_n = 2;
	msg.topics = many(a, 2, sizeof(*msg.topics));
	for (uint32_t t = 0; t < 2; t++) {
		struct metadata_response_metadata_response_topic *topic = &msg.topics[t];

		codec_init(&metadata_response_metadata_response_topic_schema, topic);
		topic->name = str_of(names[t]);
		if (version >= 10)
			memset(topic->topic_id.b, 0x11 * (int)(t + 1), sizeof(topic->topic_id.b));
		topic->partitions_n = PARTITIONS;
		topic->partitions = many(a, PARTITIONS, sizeof(*topic->partitions));
		for (uint32_t p = 0; p < PARTITIONS; p++) {
			struct metadata_response_metadata_response_partition *part = &topic->partitions[p];

			codec_init(&metadata_response_metadata_response_partition_schema, part);
			part->partition_index = (int32_t)p;
			part->leader_id = n ? nodes[(t + p) % n].id : -1;
			part->error_code = n ? KAFKA_ERR_NONE : KAFKA_ERR_LEADER_NOT_AVAILABLE;
			part->replica_nodes_n = part->isr_nodes_n = n;
			part->replica_nodes = part->isr_nodes = many(a, n, sizeof(int32_t));
			for (uint32_t i = 0; i < n; i++)
				part->replica_nodes[i] = nodes[i].id;
			part->offline_replicas = many(a, 0, sizeof(int32_t));
		}
	}
	return encode(&metadata_response_schema, version, &msg);
}

static struct chunk *find_coordinator_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	struct find_coordinator_response msg;

	codec_init(&find_coordinator_response_schema, &msg);
	if (version < 4) {
		msg.error_code = n ? KAFKA_ERR_NONE : KAFKA_ERR_COORDINATOR_NOT_AVAILABLE;
		msg.node_id = n ? nodes[0].id : -1;
		msg.host = n ? str_of(nodes[0].host) : STR_LIT("");
		msg.port = n ? nodes[0].port : -1;
		if (version > 0)
			msg.error_message = STR_LIT("NONE");
		return encode(&find_coordinator_response_schema, version, &msg);
	}
	msg.coordinators_n = n + 1;
	msg.coordinators = many(a, n + 1, sizeof(*msg.coordinators));
	for (uint32_t i = 0; i <= n; i++) {
		struct find_coordinator_response_coordinator *co = &msg.coordinators[i];

		codec_init(&find_coordinator_response_coordinator_schema, co);
		co->key = STR_LIT("group");
		co->node_id = i < n ? nodes[i].id : -1; /* the last one has none */
		co->host = i < n ? str_of(nodes[i].host) : STR_LIT("");
		co->port = i < n ? nodes[i].port : -1;
		co->error_code = i < n ? KAFKA_ERR_NONE : KAFKA_ERR_COORDINATOR_NOT_AVAILABLE;
	}
	return encode(&find_coordinator_response_schema, version, &msg);
}

static struct chunk *describe_cluster_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	struct describe_cluster_response msg;

	codec_init(&describe_cluster_response_schema, &msg);
	msg.cluster_id = STR_LIT("lkc-0x5e");
	msg.controller_id = n ? nodes[n - 1].id : -1;
	msg.brokers_n = n;
	msg.brokers = many(a, n, sizeof(*msg.brokers));
	for (uint32_t i = 0; i < n; i++) {
		msg.brokers[i].broker_id = nodes[i].id;
		msg.brokers[i].host = str_of(nodes[i].host);
		msg.brokers[i].port = nodes[i].port;
		msg.brokers[i].rack = str_of(nodes[i].rack);
		if (version >= 2)
			msg.brokers[i].is_fenced = i == 1;
	}
	return encode(&describe_cluster_response_schema, version, &msg);
}

static struct chunk *produce_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	struct produce_response msg;

	codec_init(&produce_response_schema, &msg);
	msg.throttle_time_ms = 5;
	msg.responses_n = 1;
	msg.responses = many(a, 1, sizeof(*msg.responses));
	codec_init(&produce_response_topic_produce_response_schema, msg.responses);
	if (version < 13)
		msg.responses->name = STR_LIT("orders");
	else
		memset(msg.responses->topic_id.b, 0x11, 16);
	msg.responses->partition_responses_n = n;
	msg.responses->partition_responses = many(a, n, sizeof(*msg.responses->partition_responses));
	msg.node_endpoints_n = n;
	msg.node_endpoints = many(a, n, sizeof(*msg.node_endpoints));
	for (uint32_t i = 0; i < n; i++) {
		struct produce_response_partition_produce_response *part = &msg.responses->partition_responses[i];

		codec_init(&produce_response_partition_produce_response_schema, part);
		part->index = (int32_t)i;
		part->error_code = KAFKA_ERR_NOT_LEADER_OR_FOLLOWER;
		part->current_leader.leader_id = nodes[i].id;
		part->current_leader.leader_epoch = 7;
		msg.node_endpoints[i] = (struct produce_response_node_endpoint){
			nodes[i].id, str_of(nodes[i].host), nodes[i].port, str_of(nodes[i].rack)};
	}
	return encode(&produce_response_schema, version, &msg);
}

static struct chunk *fetch_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	static const uint8_t data[3000] = {0, 0, 0, 9};
	struct slice records = {NULL, data, sizeof(data)};
	struct fetch_response msg;

	codec_init(&fetch_response_schema, &msg);
	msg.session_id = 12345;
	msg.responses_n = 1;
	msg.responses = many(a, 1, sizeof(*msg.responses));
	codec_init(&fetch_response_fetchable_topic_response_schema, msg.responses);
	memset(msg.responses->topic_id.b, 0x11, 16);
	msg.responses->partitions_n = n + 1;
	msg.responses->partitions = many(a, n + 1, sizeof(*msg.responses->partitions));
	msg.node_endpoints_n = n;
	msg.node_endpoints = many(a, n, sizeof(*msg.node_endpoints));
	for (uint32_t i = 0; i <= n; i++) {
		struct fetch_response_partition_data *part = &msg.responses->partitions[i];

		codec_init(&fetch_response_partition_data_schema, part);
		part->partition_index = (int32_t)i;
		part->high_watermark = 100;
		if (i == n) {
			part->records = (struct records){&records, 1};
			break;
		}
		part->error_code = KAFKA_ERR_NOT_LEADER_OR_FOLLOWER;
		part->current_leader.leader_id = nodes[i].id;
		part->current_leader.leader_epoch = 7;
		part->records = (struct records){&records, 0};
		msg.node_endpoints[i] = (struct fetch_response_node_endpoint){
			nodes[i].id, str_of(nodes[i].host), nodes[i].port, str_of(nodes[i].rack)};
	}
	return encode(&fetch_response_schema, version, &msg);
}

static struct chunk *share_fetch_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	static const uint8_t data[3000] = {0, 0, 0, 9};
	struct slice records = {NULL, data, sizeof(data)};
	struct share_fetch_response_partition_data part;
	struct share_fetch_response_share_fetchable_topic_response topic = {{{0x11}}, &part, 1};
	struct share_fetch_response msg;

	codec_init(&share_fetch_response_schema, &msg);
	codec_init(&share_fetch_response_partition_data_schema, &part);
	part.records = (struct records){&records, 1};
	msg.responses_n = 1;
	msg.responses = &topic;
	msg.node_endpoints_n = n;
	msg.node_endpoints = many(a, n, sizeof(*msg.node_endpoints));
	for (uint32_t i = 0; i < n; i++)
		msg.node_endpoints[i] = (struct share_fetch_response_node_endpoint){
			nodes[i].id, str_of(nodes[i].host), nodes[i].port, str_of(nodes[i].rack)};
	return encode(&share_fetch_response_schema, version, &msg);
}

static struct chunk *share_acknowledge_new(int16_t version, const struct node *nodes, uint32_t n, struct arena *a)
{
	struct share_acknowledge_response_partition_data part;
	struct share_acknowledge_response_share_acknowledge_topic_response topic = {{{0x11}}, &part, 1};
	struct share_acknowledge_response msg;

	codec_init(&share_acknowledge_response_schema, &msg);
	codec_init(&share_acknowledge_response_partition_data_schema, &part);
	msg.responses_n = 1;
	msg.responses = &topic;
	msg.node_endpoints_n = n;
	msg.node_endpoints = many(a, n, sizeof(*msg.node_endpoints));
	for (uint32_t i = 0; i < n; i++)
		msg.node_endpoints[i] = (struct share_acknowledge_response_node_endpoint){
			nodes[i].id, str_of(nodes[i].host), nodes[i].port, str_of(nodes[i].rack)};
	return encode(&share_acknowledge_response_schema, version, &msg);
}

struct chunk *body_new(int16_t key, int16_t version, const struct node *nodes, uint32_t n)
{
	struct chunk *c = NULL;
	struct arena a;

	arena_init(&a, BODY_MAX);
	switch (key) {
	case 3:
		c = metadata_new(version, nodes, n, &a);
		break;
	case 10:
		c = find_coordinator_new(version, nodes, n, &a);
		break;
	case 60:
		c = describe_cluster_new(version, nodes, n, &a);
		break;
	case 0:
		c = produce_new(version, nodes, n, &a);
		break;
	case 1:
		c = fetch_new(version, nodes, n, &a);
		break;
	case 78:
		c = share_fetch_new(version, nodes, n, &a);
		break;
	case 79:
		c = share_acknowledge_new(version, nodes, n, &a);
		break;
	default:
		fail();
	}
	arena_release(&a);
	return c;
}

static void on_address(void *arg, int32_t id, struct str host, int32_t port, struct str rack)
{
	struct addresses *to = arg;

	assert_true(to->n < FOUND_MAX);
	to->v[to->n++] = (struct found){id, host, port, rack};
}

void addresses_read(int16_t key, int16_t version, struct bytes body, struct addresses *ret)
{
	const struct schema *s = schema_find(key, true);
	struct reader r = rd_init(body.p, body.n);
	struct arena a;
	void *msg;

	ret->n = 0;
	arena_init(&a, BODY_MAX);
	msg = many(&a, 1, schema_struct_size(s));
	assert_int_equal(codec_decode(s, version, &r, &a, msg, NULL), ERR_OK);
	addresses_each(key, version, msg, on_address, ret);
	arena_release(&a);
}

bool body_contains(struct bytes body, const char *needle)
{
	return memmem(body.p, body.n, needle, strlen(needle)) != NULL;
}
