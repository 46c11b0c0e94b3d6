/* SPDX-License-Identifier: Apache-2.0 */
/* One connection to a broker, and the requests on it.
 *
 *   link_submit -> waiting -> (READY, room) -> encoded in the version that both sides know -> in flight, in order ->
 * answered or failed
 *
 * A link lives as long as its connection: when that ends all its requests fail, the node forgets it, and the next
 * request makes a new one. */
#ifndef SLUICE_CLUSTER_LINK_PRIV_H
#define SLUICE_CLUSTER_LINK_PRIV_H

#include <sys/queue.h>

#include "base/chunk.h"
#include "cluster/login.h"
#include "net/conn.h"
#include "net/loop.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"

struct cluster;
struct node;
struct rq;

struct rq_ops {
	int16_t api_key;
	int16_t version_min, version_max; /* that this client uses */
	size_t answer_max;                /* bytes of an answer */
	bool optional;                    /* brokers without it are no news */
	/* Encodes the body in rq->version. */
	enum err (*build)(struct rq *rq, struct writer *w);
	/* The answer's body, which lies in chunk. On an error the caller goes on with failed(). */
	enum err (*answered)(struct rq *rq, struct reader *body, struct chunk *chunk);
	/* NETWORK_EXCEPTION or REQUEST_TIMED_OUT: try again; anything else is final. */
	void (*failed)(struct rq *rq, int16_t error);
};

/* A request on a link; storage is the owner's, untouched until answered or failed was called. */
struct rq {
	TAILQ_ENTRY(rq) entry;
	const struct rq_ops *ops;
	struct cluster *cluster;
	int16_t version_cap; /* highest version that can say what is asked, below ops->version_max */
	int16_t version;     /* chosen when it is sent */
	bool sent;           /* the broker may have seen it */
	int32_t correlation_id;
	int32_t timeout_ms; /* from link_submit to the answer */
	int64_t deadline;
};

TAILQ_HEAD(rq_list, rq);

enum link_role { LINK_CONTROL, LINK_PRODUCE, LINK_FETCH };

/*  WAITING (back-off) -> CONNECTING -> VERSIONS (ApiVersions asked) -> [LOGIN] -> READY -> DEAD (on_closed frees it) */
enum link_state { LINK_WAITING, LINK_CONNECTING, LINK_VERSIONS, LINK_LOGIN, LINK_READY, LINK_DEAD };

/* API keys up to here have a version range. */
#define LINK_API_KEYS 90

struct broker_link {
	TAILQ_ENTRY(broker_link) entry;
	struct cluster *cluster;
	struct node *node;
	struct broker_link **slot; /* where the node keeps it */
	enum link_role role;
	enum link_state state;
	struct conn *conn;
	struct rq_list waiting, inflight;
	uint32_t inflight_n;
	struct rq versions_rq;
	bool versions_v0; /* the broker knows only the oldest ApiVersions */
	struct {
		int16_t min, max;
	} ranges[LINK_API_KEYS];
	struct {
		struct login_exchange *exchange; /* NULL: none is going on; no other request is sent meanwhile */
		struct rq rq;
		struct bytes token; /* of the exchange, to be sent */
		int64_t again_at;   /* INT64_MAX: never */
		bool failed;        /* cluster->login_error tells why */
	} login;
	struct chunk *frame; /* the answer that is arriving */
	size_t frame_n;
	int32_t correlation_id;
	struct timer timer; /* the first deadline */
};

TAILQ_HEAD(link_list, broker_link);

/* A link for *slot of the node, which connects when the node's back-off is over. */
struct broker_link *link_new(struct cluster *c, struct node *node, struct broker_link **slot, enum link_role role);

/* Hands a request over; answered or failed follow, perhaps inside this call (failed only). */
void link_submit(struct broker_link *l, struct rq *rq);

/* No request waits or is in flight. */
bool link_is_free(const struct broker_link *l);

/* Ends the link; its requests fail. fault: the broker's doing, so that the node backs off and metadata is asked for. */
void link_end(struct broker_link *l, const char *reason, bool fault);

/* Sends what may be sent, sets the timer. */
void link_pump(struct broker_link *l);

void link_set_state(struct broker_link *l, enum link_state state);

/* The connection may be used. */
void link_set_ready(struct broker_link *l);

/* link_login.c: begins a login, the first one or another before that has run out. */
void link_login(struct broker_link *l);

/* Back-offs have ended: links that wait connect soon. */
void links_retry(struct cluster *c);

/* link_io.c: encodes and queues; false: rq was not taken (*ret_error). */
bool link_send(struct broker_link *l, struct rq *rq, int16_t *ret_error);

/* link_io.c: the first request of each connection (KIP-511). */
void link_ask_versions(struct broker_link *l);

void link_on_data(struct conn *conn, void *arg);

#endif
