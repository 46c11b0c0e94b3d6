/* SPDX-License-Identifier: Apache-2.0 */
/* Requests with short answers that are tried again until they succeed, fail for good or run out of time. */
#ifndef SLUICE_CLUSTER_CALL_PRIV_H
#define SLUICE_CLUSTER_CALL_PRIV_H

#include "cluster_priv.h"

enum call_target { CALL_ANY, CALL_CONTROLLER, CALL_LEADER, CALL_COORDINATOR, CALL_NODE };

struct call {
	struct completion done;
	struct rq rq; /* not used by offset calls, which share requests */
	TAILQ_ENTRY(call) entry;
	struct cluster *cluster;
	enum call_target target;
	bool is_offset;
	const struct rq_ops *ops; /* of CALL_COORDINATOR: what is asked there */
	int32_t coordinator;      /* of CALL_COORDINATOR: its node id; -1: has to be found first */
	int32_t node_id;          /* of CALL_NODE */
	struct tp *tp;
	int64_t created, deadline, retry_at;
	uint32_t attempts;
	struct arena arena; /* what was asked and answered */
	int16_t error;      /* of the last attempt; in the end the result */
	struct str message;
	union {
		struct {
			int64_t timestamp;
			bool read_committed;
			int64_t offset;
			cluster_offset_cb cb;
		} offset;
		struct {
			int64_t id;
			int16_t epoch;
			cluster_producer_cb cb;
		} producer;
		struct {
			int64_t before;
			struct str name; /* topic, group, or broker id in digits */
			int8_t resource_type;
			struct str key; /* the one config that is asked for; null: all */
			int32_t partitions;
			int16_t replication_factor;
			struct cluster_topic_config *configs; /* asked for, or answered */
			uint32_t configs_n;
			cluster_config_cb each;
			cluster_result_cb cb;
		} admin;
		struct {
			struct str group_id;
			struct cluster_offset *offsets; /* asked for, or answered */
			uint32_t offsets_n;
			struct cluster_group found;
			cluster_offsets_cb on_offsets;
			cluster_group_cb on_group;
			cluster_result_cb cb;
		} group;
	} u;
	void *arg;
};

/* A call that ends after request_timeout_ms at the latest; it must be queued by call_start. ops NULL: an offset call.
 */
struct call *call_new(struct cluster *c, enum call_target target, const struct rq_ops *ops,
	void (*deliver)(struct completion *d), void *arg);
void call_start(struct call *call);
void call_free(struct call *call);

/* The outcome of an attempt: the call ends or is tried again. message (view, nullable) comes with an error. */
void call_result(struct call *call, int16_t error, struct str message);

/* A copy that lives as long as the call; null stays null. */
struct str call_copy(struct call *call, struct str s);

static inline struct call *call_of_rq(struct rq *rq)
{
	return (struct call *)(void *)((char *)rq - offsetof(struct call, rq));
}

static inline struct call *call_of_completion(struct completion *d)
{
	return (struct call *)(void *)((char *)d - offsetof(struct call, done));
}

/* call_groups.c: FindCoordinator of a CALL_COORDINATOR call. */
extern const struct rq_ops call_find_ops;

/* call.c: the coordinator is found: the call itself is sent. */
void call_go_on(struct call *call, int32_t coordinator);

/* call_offsets.c: puts a call into a request to the node, which offsets_submit sends. False: not in this round. */
struct offsets_rq;
SLIST_HEAD(offsets_list, offsets_rq);
bool offsets_add(struct offsets_list *open, struct node *n, struct call *call);
void offsets_submit(struct offsets_list *open);

#endif
