/* SPDX-License-Identifier: Apache-2.0 */
/* Calls are sent to the right broker, tried again and ended here. */
#include "base/mem.h"
#include "call_priv.h"

#define CALL_ARENA_MAX ((size_t)16 * 1024 * 1024)

static void call_drop(struct completion *d)
{
	call_free(call_of_completion(d));
}

struct call *call_new(struct cluster *c, enum call_target target, const struct rq_ops *ops,
	void (*deliver)(struct completion *d), void *arg)
{
	struct call *call = mem_zalloc(1, sizeof(*call));

	call->cluster = c;
	call->target = target;
	call->is_offset = ops == NULL;
	call->ops = ops;
	call->coordinator = -1;
	call->rq.ops = ops;
	call->rq.version_cap = ops ? ops->version_max : 0;
	call->rq.timeout_ms = c->cfg.request_timeout_ms;
	call->done.deliver = deliver;
	call->done.drop = call_drop;
	call->arg = arg;
	call->created = loop_now(c->loop);
	call->deadline = call->created + c->cfg.request_timeout_ms;
	arena_init(&call->arena, CALL_ARENA_MAX);
	return call;
}

void call_start(struct call *call)
{
	TAILQ_INSERT_TAIL(&call->cluster->calls, call, entry);
	cluster_wake(call->cluster);
}

void call_free(struct call *call)
{
	if (call->tp)
		tp_put(call->cluster, call->tp);
	arena_release(&call->arena);
	mem_free(call);
}

struct str call_copy(struct call *call, struct str s)
{
	char *p = str_is_null(s) ? NULL : arena_copy_string(&call->arena, s);

	return p ? (struct str){p, s.n} : STR_NULL;
}

static void call_end(struct call *call, int16_t error)
{
	call->error = error;
	cluster_complete(call->cluster, &call->done);
}

/* Errors that may be gone when the call is tried again. */
static bool call_is_retriable(const struct call *call, int16_t error)
{
	switch (error) {
	case KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION:
		/* The leader of a partition knows it, sooner or later; of any other broker it is the answer. */
		return call->target == CALL_LEADER;
	case KAFKA_ERR_LEADER_NOT_AVAILABLE:
	case KAFKA_ERR_NOT_LEADER_OR_FOLLOWER:
	case KAFKA_ERR_REQUEST_TIMED_OUT:
	case KAFKA_ERR_BROKER_NOT_AVAILABLE:
	case KAFKA_ERR_REPLICA_NOT_AVAILABLE:
	case KAFKA_ERR_NETWORK_EXCEPTION:
	case KAFKA_ERR_COORDINATOR_LOAD_IN_PROGRESS:
	case KAFKA_ERR_COORDINATOR_NOT_AVAILABLE:
	case KAFKA_ERR_NOT_COORDINATOR:
	case KAFKA_ERR_NOT_CONTROLLER:
	case KAFKA_ERR_CONCURRENT_TRANSACTIONS:
	case KAFKA_ERR_KAFKA_STORAGE_ERROR:
	case KAFKA_ERR_FENCED_LEADER_EPOCH:
	case KAFKA_ERR_UNKNOWN_LEADER_EPOCH:
	case KAFKA_ERR_OFFSET_NOT_AVAILABLE:
	case KAFKA_ERR_THROTTLING_QUOTA_EXCEEDED:
		return true;
	default:
		return false;
	}
}

static void call_retry(struct call *call, int16_t error)
{
	struct cluster *c = call->cluster;

	call->error = error;
	if (call->target == CALL_COORDINATOR)
		coordinators_drop(c, call->u.group.group_id);
	call->coordinator = -1;
	call->retry_at = cluster_retry_at(c, call->attempts++);
	TAILQ_INSERT_TAIL(&c->calls, call, entry);
	cluster_wake_at(c, call->retry_at < call->deadline ? call->retry_at : call->deadline);
	if (is_leadership_error(error) || error == KAFKA_ERR_NOT_CONTROLLER)
		cluster_refresh(c);
}

void call_result(struct call *call, int16_t error, struct str message)
{
	call->message = call_copy(call, message);
	if (error && call_is_retriable(call, error) && loop_now(call->cluster->loop) < call->deadline)
		call_retry(call, error);
	else
		call_end(call, error);
}

void call_go_on(struct call *call, int32_t coordinator)
{
	if (!node_find(call->cluster, coordinator)) { /* younger than our picture of the cluster */
		cluster_refresh(call->cluster);
		call_result(call, KAFKA_ERR_COORDINATOR_NOT_AVAILABLE, STR_NULL);
		return;
	}
	call->coordinator = coordinator;
	coordinators_put(call->cluster, call->u.group.group_id, coordinator);
	call_start(call);
}

/* A group's coordinator, or any broker, to find it. */
static struct node *call_coordinator(struct call *call)
{
	struct node *n = call->coordinator < 0 ? NULL : node_find(call->cluster, call->coordinator);

	call->rq.ops = n ? call->ops : &call_find_ops;
	call->rq.version_cap = call->rq.ops->version_max;
	return n ? n : node_any(call->cluster);
}

/* The broker to ask; NULL: none now, *ret_error says why. */
static struct node *call_node(struct call *call, int16_t *ret_error)
{
	struct cluster *c = call->cluster;
	struct node *n = NULL;

	*ret_error = KAFKA_ERR_BROKER_NOT_AVAILABLE;
	if (call->target == CALL_COORDINATOR)
		return call_coordinator(call);
	if (call->target == CALL_NODE)
		return node_find(c, call->node_id);
	if (call->target == CALL_LEADER && c->picture)
		*ret_error = tp_leader(c, call->tp, &n);
	else if (call->target == CALL_CONTROLLER && c->picture)
		n = node_find(c, c->picture->md.controller_id);
	return n || call->target == CALL_LEADER ? n : node_any(c);
}

/* Nobody to ask. A topic that a picture newer than the call does not show is not there. */
static void call_is_homeless(struct call *call, int16_t error)
{
	struct cluster *c = call->cluster;

	TAILQ_REMOVE(&c->calls, call, entry);
	if (error == KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION && c->metadata_at > call->created)
		call_end(call, error);
	else
		call_retry(call, error);
	cluster_refresh(c);
}

static void call_dispatch(struct call *call, struct offsets_list *open)
{
	struct cluster *c = call->cluster;
	int16_t error;
	struct node *n = call_node(call, &error);

	if (!n) {
		call_is_homeless(call, error);
	} else if (!call->is_offset) {
		TAILQ_REMOVE(&c->calls, call, entry);
		link_submit(node_link(n, LINK_CONTROL), &call->rq);
	} else if (offsets_add(open, n, call)) {
		TAILQ_REMOVE(&c->calls, call, entry);
	} else {
		cluster_wake(c);
	}
}

void calls_pump(struct cluster *c)
{
	struct offsets_list open = SLIST_HEAD_INITIALIZER(open);
	int64_t now = loop_now(c->loop);
	struct call *call, *next;

	c->stamp++;
	for (call = TAILQ_FIRST(&c->calls); call; call = next) {
		next = TAILQ_NEXT(call, entry);
		if (now >= call->deadline) {
			TAILQ_REMOVE(&c->calls, call, entry);
			call_end(call, call->error ? call->error : KAFKA_ERR_REQUEST_TIMED_OUT);
		} else if (call->retry_at > now) {
			cluster_wake_at(c, call->retry_at < call->deadline ? call->retry_at : call->deadline);
		} else {
			call_dispatch(call, &open);
		}
	}
	offsets_submit(&open);
}

void calls_free(struct cluster *c)
{
	struct call *call;

	while ((call = TAILQ_FIRST(&c->calls)) != NULL) {
		TAILQ_REMOVE(&c->calls, call, entry);
		call_free(call);
	}
}
