/* SPDX-License-Identifier: Apache-2.0 */
/* A client session: one client connection, its own connection to one broker, and the in-flight queue between them.
 *
 *   client -> in -> header -> route verdict -> slot at the queue's tail
 *        PASS       bytes stream to the broker                          slot is filled by the broker's answer, streamed
 *        REWRITE    the same                                            ... its answer collected or streamed with
 * addresses replaced TERMINATE  body collected -> terminate_request(slot)           slot is filled by slot_answer()
 *   client <- out <- only the head of the queue is written, strictly in request order
 */
#ifndef SLUICE_PROXY_SESSION_H
#define SLUICE_PROXY_SESSION_H

#include "base/arena.h"
#include "base/types.h"
#include "wire/frame.h"
#include "wire/writer.h"

struct address_map;
struct cluster;
struct proxy;
struct rights;
struct service;
struct session;
struct slot;

/* What a terminated (or collected) request is about; views live as long as the slot. */
struct slot_request {
	struct request_header header;
	struct bytes body;      /* behind the header */
	int32_t node_id;        /* of the listener it came in on; -1: bootstrap */
	uint64_t conn_id;       /* of the client connection */
	struct str client_host; /* address as Kafka shows it: "/127.0.0.1" */
};

const struct slot_request *slot_get_request(const struct slot *s);

/* The slot's arena, freed with it (ceiling given by the session). */
struct arena *slot_arena(struct slot *s);

/* A word for whoever works on the slot (its token); NULL at first. */
void slot_set_user(struct slot *s, void *user);
void *slot_get_user(const struct slot *s);

/* Fills the slot with a local answer: body is the response behind its header; its content is taken over. Once a slot.
 * May be called inside terminate_request. */
void slot_answer(struct slot *s, struct writer *body);

/* Answers nothing and closes the connection (malformed request). reason as conn_close; detail (nullable) goes into the
 * log line. */
void slot_close(struct slot *s, const char *reason, const char *detail);

/* Sends a request of the same API with this body (content taken over) to the session's broker instead, with the version
 * of the slot's request. The answer is collected and given to cb (body behind the response header, view during the
 * call), which then calls slot_answer. The order of requests on the connection to the broker is kept by the in-flight
 * queue. */
typedef void (*slot_forward_cb)(struct slot *s, struct bytes response_body);
void slot_forward(struct slot *s, struct writer *body, slot_forward_cb cb);

/* Asks the session's broker something of another API for a waiting slot, over the client's own connection and so as
 * whoever the client is; the body's content is taken over. The answer comes by cb (body behind the response header,
 * view during the call); when the connection ends first it never comes. Until all that was asked is answered no later
 * request of the client goes to the broker. */
typedef void (*slot_ask_cb)(struct slot *s, void *arg, struct bytes response_body);
void slot_ask(struct slot *s, int16_t api_key, int16_t version, struct writer *body, slot_ask_cb cb, void *arg);

/* What is known of the rights of the slot's client, kept as long as its connection. */
struct rights *slot_get_rights(struct slot *s);

/* Addresses as the listener that the request came in on shows them: for answers that name nodes. */
const struct address_map *slot_get_address_map(const struct slot *s);

/* What a terminated request may need of the proxy. */
struct service *proxy_get_service(const struct proxy *p);
struct cluster *proxy_get_cluster(const struct proxy *p);

/* Implemented by src/proxy/terminate.c, called by the session: */

/* A request of a TERMINATE API is whole, or one of a split API (DescribeConfigs, IncrementalAlterConfigs). Answered now
 * or later. */
void terminate_request(struct proxy *p, struct slot *s);

/* The slot goes away unanswered since its connection closed. */
void terminate_slot_gone(struct proxy *p, struct slot *s);

/* A client connection has closed, after its slots went. */
void terminate_conn_closed(struct proxy *p, uint64_t conn_id);

#endif
