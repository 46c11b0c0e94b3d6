/* SPDX-License-Identifier: Apache-2.0 */
/* The proxy's own parts: listeners with an endpoint for each broker, the list of sessions, counters. For src/proxy
 * only. */
#ifndef SLUICE_PROXY_PROXY_PRIV_H
#define SLUICE_PROXY_PROXY_PRIV_H

#include <sys/queue.h>

#include "base/arena.h"
#include "net/conn.h"
#include "net/listener.h"
#include "proxy/broker_idle.h"
#include "proxy/proxy.h"
#include "proxy/service.h"
#include "proxy/session_priv.h"
#include "route/address_map.h"
#include "route/api.h"
#include "route/rewrite.h"

/* A listening port: the bootstrap port of a listener, or the port of one broker. */
struct endpoint {
	struct proxy_listener *owner;
	int32_t node_id;         /* -1: bootstrap */
	struct listener *socket; /* NULL: not open (never opened yet, or the proxy is stopping) */
	bool was_known;          /* the broker was in the metadata once: when it is missing now, it is gone */
};

/* Node ids that have been reported as outside of the port range. */
#define ENDPOINTS_OUTSIDE_MAX 16

/* One entry of listeners. */
struct proxy_listener {
	struct proxy *proxy;
	const struct proxy_listener_config *cfg;
	struct address_map map;
	struct endpoint bootstrap;
	struct endpoint *brokers; /* by node id, cfg->broker_port_count of them */
	int32_t outside[ENDPOINTS_OUTSIDE_MAX];
	uint32_t outside_n;
};

/* How often connections ended for each reason. */
#define PROXY_REASONS_MAX 64
struct proxy_reason {
	char name[40];
	uint64_t n;
};

struct proxy_counters {
	uint64_t accepted, refused; /* refused: by max.connections */
	uint64_t upstream_connects, upstream_failures;
	uint64_t requests[ROUTE_KEY_MAX + 1], requests_unknown; /* by API key */
	uint64_t client_bytes_in, client_bytes_out;             /* of sessions that have ended */
	uint64_t upstream_bytes_in, upstream_bytes_out;
	uint64_t collected_bytes, streamed_rewrites, local_answers, keepalives;
	uint64_t client_pauses, upstream_pauses;
	uint64_t collecting_bytes; /* a gauge: what sessions hold of unfinished requests and answers */
	struct proxy_reason reasons[PROXY_REASONS_MAX];
	uint32_t reasons_n;
	uint64_t reasons_other;
};

TAILQ_HEAD(session_list, session);

struct proxy {
	struct loop *loop;
	struct log *log;
	struct arena cfg_arena; /* strings and lists of cfg */
	struct proxy_config cfg;
	struct proxy_listener_config *own_listeners; /* cfg.listeners */
	struct cluster *cluster;
	struct broker_idle *broker_idle;
	struct service *service; /* NULL: not decided yet, or native */
	bool native;             /* the brokers serve share groups themselves */
	struct proxy_listener *listeners;
	struct admission admission;
	struct session_list sessions;
	uint32_t sessions_n;
	struct session_list runnable; /* sessions to run at the end of this turn */
	bool turn_pending;
	struct timer sweep;
	uint32_t next_upstream; /* whose turn it is among the brokers, for bootstrap connections */
	int64_t stall_ms;       /* half a frame without progress */
	int64_t half_close_ms;  /* for answers after the client's end of stream */
	int64_t endpoints_retry_at;
	int64_t expiry_check_at; /* of certificates */
	bool listening;          /* standbys do not */
	bool stopping, freed;
	int64_t stop_at;
	void (*on_stopped)(void *arg);
	void *on_stopped_arg;
	void (*on_failed)(void *arg);
	void *on_failed_arg;
	bool lowered_logged[ROUTE_KEY_MAX + 1]; /* by API key: that clients are offered less than a broker does */
	struct proxy_counters count;
};

/* Runs the runnable sessions at the end of this loop turn. */
void proxy_schedule(struct proxy *p);

/* Counts the end of a connection. */
void proxy_count_reason(struct proxy *p, const char *reason);

/* Makes the endpoints, none of them open. */
void endpoints_init(struct proxy *p);

/* Opens the bootstrap ports, and those of the brokers that are known. ERR_IO with a sentence in errbuf when a bootstrap
 * port can not be opened: then none is open. */
enum err endpoints_open(struct proxy *p, char errbuf[256]) ERR_CHECKED;

/* Opens the ports of brokers that are new, logs moves and brokers outside of the range. */
void endpoints_on_metadata(struct proxy *p, const struct cluster_metadata *now, const struct cluster_metadata *old);

/* A client is about to be told of this node: its port is opened if it is not, and we look for it if we do not know it.
 */
void endpoint_announce(struct proxy_listener *l, int32_t node_id);

/* The same for all nodes that the body of a Metadata, FindCoordinator or DescribeCluster answer names. */
void endpoints_announce_answer(struct proxy_listener *l, int16_t api_key, int16_t version, struct bytes body);

/* One warning a node: it has no port here. */
void endpoints_log_outside(struct proxy_listener *l, int32_t node_id);

/* All brokers that have a place in the port ranges have their ports open. */
bool endpoints_are_open(const struct proxy *p);

/* Tries again to open the ports of known brokers that could not be opened. */
void endpoints_retry(struct proxy *p);

/* Stops listening, or frees what is left. */
void endpoints_close(struct proxy *p);
void endpoints_free(struct proxy *p);

#endif
