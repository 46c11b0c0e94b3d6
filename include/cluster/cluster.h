/* SPDX-License-Identifier: Apache-2.0 */
/* sluice's own Kafka client, for its own work as its own principal: metadata, offsets, fetch, produce, topic
 * administration.
 *
 * Everything is asynchronous on one loop. A callback is called exactly once for each call, never inside the call
 * itself; after cluster_free none is called. Versions of requests are chosen from the broker's ApiVersions. */
#ifndef SLUICE_CLUSTER_CLUSTER_H
#define SLUICE_CLUSTER_CLUSTER_H

#include "base/chunk.h"
#include "base/log.h"
#include "base/types.h"
#include "cluster/login.h"
#include "net/loop.h"
#include "net/tls.h"

struct cluster;

struct cluster_server {
	struct str host;
	int32_t port;
};

struct cluster_config {
	const struct cluster_server *bootstrap; /* bootstrap.servers, tried in turn */
	uint32_t bootstrap_n;
	struct str client_id;
	int32_t request_timeout_ms, connection_setup_timeout_ms;
	int32_t reconnect_backoff_ms, reconnect_backoff_max_ms;
	int32_t metadata_max_age_ms;
	int32_t fetch_max_wait_ms;  /* of a fetch at the end of a log */
	struct tls_context *tls;    /* NULL: plain; the cluster takes a reference */
	struct login *login;        /* NULL: none; the cluster takes a reference */
	uint32_t fetch_connections; /* a broker: fetches that wait at the end of logs must not delay the others */
};

struct cluster_broker {
	int32_t id;
	struct str host;
	int32_t port;
	struct str rack; /* nullable */
};

struct cluster_partition {
	int32_t leader; /* -1: none */
	int32_t leader_epoch;
};

struct cluster_topic {
	struct uuid id; /* zero on clusters without topic ids */
	struct str name;
	bool internal;
	int16_t replication_factor; /* replicas of partition 0 */
	int32_t partitions_n;
	const struct cluster_partition *partitions; /* by index */
};

/* One picture of the cluster; replaced as a whole, valid until the next on_metadata. */
struct cluster_metadata {
	struct str cluster_id; /* nullable */
	int32_t controller_id;
	const struct cluster_broker *brokers;
	uint32_t brokers_n;
	const struct cluster_topic *topics; /* all topics */
	uint32_t topics_n;
};

struct cluster_callbacks {
	/* A new picture was adopted (the first time, and whenever something changed). old may be NULL and is freed
	 * afterwards. */
	void (*on_metadata)(void *arg, const struct cluster_metadata *now, const struct cluster_metadata *old);
};

/* Starts: connects to the bootstrap servers, with back-off for as long as it takes. cfg is copied. */
struct cluster *cluster_new(
	struct loop *lp, const struct cluster_config *cfg, const struct cluster_callbacks *cb, void *arg);
void cluster_free(struct cluster *c);

/* Another TLS context for connections that are made from now on; NULL: plain. */
void cluster_set_tls(struct cluster *c, struct tls_context *t);

/* Another login for connections that are made from now on, and for the next time that a login is repeated. Whether
 * there is one at all stays as it was at start. */
void cluster_set_login(struct cluster *c, struct login *l);

/* One line about the last login, if it failed, with no secret in it; empty when it did not. */
#define CLUSTER_LOGIN_ERROR_MAX 800
const char *cluster_login_error(const struct cluster *c);

/* NULL before the first answer. */
const struct cluster_metadata *cluster_get_metadata(const struct cluster *c);
const struct cluster_broker *cluster_find_broker(const struct cluster *c, int32_t id);
const struct cluster_topic *cluster_find_topic(const struct cluster *c, struct str name);
const struct cluster_topic *cluster_find_topic_id(const struct cluster *c, struct uuid id);

/* Asks for new metadata soon (rate limited): after a leadership error, an unknown topic, a client's subscription to
 * something new. */
void cluster_refresh(struct cluster *c);

/* How many metadata requests were answered so far: brokers are asked in turn. */
uint64_t cluster_metadata_answers(const struct cluster *c);

/* True while the last metadata request was answered. */
bool cluster_is_connected(const struct cluster *c);

/* Timestamps of cluster_list_offset. */
#define CLUSTER_OFFSET_LATEST (-1)
#define CLUSTER_OFFSET_EARLIEST (-2)

/* ListOffsets for one partition at its leader (retried on leadership errors and lost connections until
 * request_timeout_ms). For a time stamp without such a record offset is -1 with error 0. Several calls of one turn go
 * out as one request a broker. error: Kafka code; offset. */
typedef void (*cluster_offset_cb)(void *arg, int16_t error, int64_t offset);
void cluster_list_offset(struct cluster *c, struct str topic, int32_t partition, int64_t timestamp, bool read_committed,
	cluster_offset_cb cb, void *arg);

/* One partition's part of a Fetch answer. records lies in a chunk (reference it to keep it); the last batch may be cut
 * off. */
struct cluster_fetch_result {
	int16_t error;
	int64_t high_watermark, last_stable_offset, log_start_offset;
	struct slice records;
	const struct cluster_aborted {
		int64_t producer_id, first_offset;
	} * aborted;
	uint32_t aborted_n;
};

/* Fetches from offset, at most max_bytes (but at least one batch). Fetches of several partitions of one broker share
 * requests; at the end of a log it waits up to fetch_max_wait_ms for data and then answers with none. Connection loss
 * is error 13 (NETWORK_EXCEPTION); the caller backs off and calls again. */
typedef void (*cluster_fetch_cb)(void *arg, const struct cluster_fetch_result *res);
void cluster_fetch(struct cluster *c, struct str topic, int32_t partition, int64_t offset, int32_t max_bytes,
	bool read_committed, cluster_fetch_cb cb, void *arg);

/* How a write ended. UNKNOWN outcomes are not reported: the same batch with the same sequence is sent again (new
 * leader, new connection, back-off) until it is known; cluster_produce_cancel gives up. A duplicate that the broker
 * recognises counts as DONE with the base offset that it tells (when the broker tells -1 the outcome is LOST: it is in
 * the log but nobody knows where). */
enum cluster_produce_outcome { CLUSTER_PRODUCE_DONE, CLUSTER_PRODUCE_FAILED, CLUSTER_PRODUCE_LOST };
typedef void (*cluster_produce_cb)(void *arg, enum cluster_produce_outcome outcome, int16_t error, int64_t base_offset);
struct cluster_produce; /* a write on its way */
struct cluster_produce *cluster_produce(
	struct cluster *c, struct str topic, int32_t partition, struct chunk *batch, cluster_produce_cb cb, void *arg);

/* The Kafka error of its last attempt; 0: the first one is not answered. */
int16_t cluster_produce_last_error(const struct cluster_produce *p);

/* Gives a write up: its callback is not called. */
void cluster_produce_cancel(struct cluster_produce *p);

/* InitProducerId (idempotent, no transaction) from any broker, retried until it succeeds or fails for good. */
typedef void (*cluster_producer_cb)(void *arg, int16_t error, int64_t producer_id, int16_t producer_epoch);
void cluster_init_producer_id(struct cluster *c, cluster_producer_cb cb, void *arg);

/* Simple answers: a Kafka error code and the broker's message (view during the callback, nullable). */
typedef void (*cluster_result_cb)(void *arg, int16_t error, struct str message);

/* DescribeAcls of any broker, for its error alone: 54 (SECURITY_DISABLED) where there is no authorizer, 0 or 31 where
 * there is one. */
void cluster_describe_acls(struct cluster *c, cluster_result_cb cb, void *arg);

/* CreateTopics at the controller. configs: pairs of name and value. 36 (TOPIC_ALREADY_EXISTS) comes as it is. */
struct cluster_topic_config {
	struct str name, value;
};
void cluster_create_topic(struct cluster *c, struct str topic, int32_t partitions, int16_t replication_factor,
	const struct cluster_topic_config *configs, uint32_t configs_n, cluster_result_cb cb, void *arg);

/* DescribeConfigs of one topic: the callback gets each name and value during the call, then the result. */
typedef void (*cluster_config_cb)(void *arg, struct str name, struct str value);
void cluster_describe_topic_config(
	struct cluster *c, struct str topic, cluster_config_cb each, cluster_result_cb cb, void *arg);

/* DescribeConfigs of one config of a broker, asked of that broker itself: no other one knows. The callback gets it
 * during the call unless the broker has no such config, then the result. */
void cluster_describe_broker_config(
	struct cluster *c, int32_t broker_id, struct str key, cluster_config_cb each, cluster_result_cb cb, void *arg);

/* DeleteRecords before offset, at the leader. */
void cluster_delete_records(
	struct cluster *c, struct str topic, int32_t partition, int64_t offset, cluster_result_cb cb, void *arg);

/* FindCoordinator for a group: brings __consumer_offsets into being. Retried while it is not available, until
 * request_timeout_ms. */
void cluster_find_coordinator(struct cluster *c, struct str group_id, cluster_result_cb cb, void *arg);

/* What follows is asked of the coordinator of an ordinary group, which is found first. Tried again on errors that may
 * pass, for five seconds. */

/* One committed offset. */
struct cluster_offset {
	struct str topic;
	int32_t partition;
	int64_t offset;
	struct str metadata; /* nullable */
};

/* OffsetFetch of all that the group has, the array valid during the callback; none for a group that does not exist. */
typedef void (*cluster_offsets_cb)(void *arg, int16_t error, const struct cluster_offset *v, uint32_t n);
void cluster_fetch_offsets(struct cluster *c, struct str group_id, cluster_offsets_cb cb, void *arg);

/* OffsetCommit without being a member, which a group with members refuses. The error is the request's or the first one
 * of a partition; other partitions may be committed nevertheless. */
void cluster_commit_offsets(struct cluster *c, struct str group_id, const struct cluster_offset *v, uint32_t n,
	cluster_result_cb cb, void *arg);

/* OffsetDelete of topic and partition of each entry. */
void cluster_delete_offsets(struct cluster *c, struct str group_id, const struct cluster_offset *v, uint32_t n,
	cluster_result_cb cb, void *arg);

/* DeleteGroups of one group. */
void cluster_delete_group(struct cluster *c, struct str group_id, cluster_result_cb cb, void *arg);

/* Whether there is a group of that type, its protocol type (classic groups) and members. Error 0 also when there is
 * none and when the broker has no such groups. */
enum cluster_group_type { CLUSTER_GROUP_CLASSIC, CLUSTER_GROUP_CONSUMER, CLUSTER_GROUP_STREAMS };
struct cluster_group {
	bool exists;
	bool has_protocol; /* has had members */
	uint32_t members;
};
typedef void (*cluster_group_cb)(void *arg, int16_t error, const struct cluster_group *g);
void cluster_describe_group(
	struct cluster *c, struct str group_id, enum cluster_group_type type, cluster_group_cb cb, void *arg);

/* Level of the feature share.version as the cluster has finalised it, from the last broker that was asked for its
 * versions, which comes before the first metadata; 0: the cluster has no share groups. */
int16_t cluster_get_share_version(const struct cluster *c);

/* For metrics. */
struct cluster_counts {
	uint64_t connections, connects, connect_failures, requests, responses, bytes_in, bytes_out, produce_retries;
	uint64_t throttle_ms, logins, login_failures;
};
void cluster_get_counts(const struct cluster *c, struct cluster_counts *ret);

#endif
