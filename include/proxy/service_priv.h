/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the share service see of each other. */
#ifndef SLUICE_PROXY_SERVICE_PRIV_H
#define SLUICE_PROXY_SERVICE_PRIV_H

#include "proxy/authorizer.h"
#include "proxy/job.h"
#include "proxy/lost_configs.h"
#include "proxy/mirror.h"
#include "proxy/read_ahead.h"
#include "proxy/service.h"
#include "proxy/state_store.h"

/* One event that was put to the engine and whose reply is not out yet. */
struct call {
	uint64_t token;
	struct job *job;
	uint32_t index;
	int32_t state_partition;
	bool hands_out;         /* its reply holds acquired records */
	uint64_t seq;           /* its reply waits until this change is durable; 0: for the engine */
	TAILQ_ENTRY(call) link; /* in the waiting list of its state partition when seq is not 0 */
	UT_hash_handle hh;
};
TAILQ_HEAD(call_list, call);

struct topic_seen; /* a topic that the engine was told of */

struct service {
	struct loop *loop;
	struct cluster *cluster;
	const struct proxy_config *cfg;
	struct service_callbacks cb;
	void *arg;
	struct share_engine *engine;
	struct state_store *store;
	struct read_ahead *read_ahead;
	struct mirror *mirror;
	struct authorizer *authorizer;
	struct share_effects effects;
	bool applying; /* effects are being executed: no event may be applied */
	bool stopping;
	uint64_t last_token;
	struct call *calls;              /* by token */
	struct call_list *durable_waits; /* by state partition, ascending seq */
	int32_t durable_waits_n;
	uint64_t *queued_closes; /* connections that closed: the engine is told from the loop */
	size_t queued_closes_n, queued_closes_cap;
	struct topic_seen *topics; /* by topic id */
	struct lost_configs *lost_configs;
	struct timer tick;
	struct timer gone_check;
	struct timer topics_change; /* looks for a change of the topics that a client asked for */
	int64_t topics_change_after;
	struct timer closes; /* tells the engine of queued_closes */
	LIST_HEAD(, job) jobs;
	size_t jobs_n;
};

/* Gives an event to the engine and executes its effects. Not to be called while effects are executed, so not from
 * job_ops. */
void service_apply(struct service *sv, const struct share_event *ev);

/* A client connection has closed: the engine is told in this turn. */
void service_conn_closed(struct service *sv, uint64_t conn_id);

/* Asks the engine something that it answers in the same step, and returns the reply effect (views valid until the next
 * event). */
const struct share_effect *service_ask(struct service *sv, struct share_event *ev);

/* Clients need rights: false only when the cluster has no authorizer. */
bool service_authorizes(const struct service *sv);

/* Where a group's state lives, and the Kafka error for a request that needs it: 0, or a retriable one while it is not
 * loaded. */
int16_t service_group_partition(struct service *sv, struct str group_id, int32_t *ret_partition);

/* A client's request is about to change topics (delete, grow): the cluster is looked at in short intervals for a while.
 */
void service_topics_change(struct service *sv);

#endif
