/* SPDX-License-Identifier: Apache-2.0 */
/* What a session consists of. For src/proxy's session and slot files.
 *
 * Memory of one session, ceilings:
 *   idle                 this struct and two connections without buffers
 *   client -> broker     SESSION_IN_MAX of input + SESSION_OUT_HIGH + SESSION_IN_MAX of output
 *   broker -> client     the same; whatever the size of a request or answer that streams through
 *   in flight            request_queue_max slots of under 100 bytes
 *   a terminated request SESSION_TERMINATED_MAX (a split one: request_max_bytes) and its arena, one at a time;
 *                        grows with the bytes that arrived, not with the announced length
 *   a collected answer   SESSION_COLLECT_MAX and its changed copy, one at a time
 *   held local answers   one more than reach SESSION_HELD_MAX; record batches in them are shared slices */
#ifndef SLUICE_PROXY_SESSION_PRIV_H
#define SLUICE_PROXY_SESSION_PRIV_H

#include <sys/queue.h>

#include "base/arena.h"
#include "base/buf.h"
#include "net/conn.h"
#include "proxy/admission.h"
#include "proxy/session.h"
#include "route/api.h"
#include "route/produce_guard.h"
#include "route/rewrite_stream.h"

#define SESSION_IN_MAX ((size_t)128 * 1024)
#define SESSION_OUT_HIGH ((size_t)256 * 1024)
#define SESSION_OUT_LOW ((size_t)64 * 1024)
#define SESSION_OUT_MAX ((size_t)512 * 1024 * 1024)
#define SESSION_TERMINATED_MAX (8u * 1024 * 1024)
#define SESSION_ARENA_MAX ((size_t)64 * 1024 * 1024)
#define SESSION_WHOLE_MAX (64u * 1024) /* answers up to this wait in the input buffer until they are whole */
#define SESSION_COLLECT_MAX (64u * 1024 * 1024)
#define SESSIONS_COLLECT_MAX ((uint64_t)512 * 1024 * 1024) /* of all sessions together */
#define SESSION_HELD_MAX ((size_t)1024 * 1024)
#define SESSION_CLIENT_ID_MAX 255
#define SESSION_LINGER_MS 5000

struct endpoint;

/* Who answers. */
enum slot_kind {
	SLOT_BROKER,   /* passed on; the broker's answer goes to the client */
	SLOT_LOCAL,    /* sluice */
	SLOT_FORWARD,  /* sluice, after the broker has answered what slot_forward sent */
	SLOT_INTERNAL, /* a request of our own; the broker's answer is dropped */
};

enum slot_state {
	SLOT_RECEIVING, /* local: the request is not whole yet */
	SLOT_WAITING,   /* for whoever answers */
	SLOT_ANSWERED,  /* local: the answer is held until the slot is the head */
	SLOT_FAILED,    /* local: the connection is to be closed */
};

/* What only local slots have. */
struct slot_local {
	struct slot_request request;
	char client_host[80];
	struct buf frame; /* header and body */
	struct arena arena;
	struct writer answer;
	slot_forward_cb on_forwarded;
	uint32_t asked; /* internal requests on its behalf that the broker has not answered */
	void *user;
	const char *close_reason;
	char close_detail[160];
};

struct slot {
	TAILQ_ENTRY(slot) next;
	struct session *session;
	struct slot_local *local;
	int32_t correlation_id;
	int16_t api_key, api_version;
	enum slot_kind kind;
	enum slot_state state;
	enum route_answer answer;
	struct slot *asker; /* internal: the local slot that wants to know; NULL: the answer is dropped */
	slot_ask_cb on_answer;
	void *on_answer_arg;
	bool guarded; /* Produce: the internal topic was kept out, the answer is put right */
};

TAILQ_HEAD(slot_queue, slot);

#define SESSION_STATE_LIST(X)                                                                                          \
	X(SESSION_NEW, "new")         /* for the first bytes: who is it? */                                            \
	X(SESSION_WATCH, "watch")     /* another sluice that wants to know whether we live; there is no broker */      \
	X(SESSION_WAITING, "waiting") /* for the broker's address */                                                   \
	X(SESSION_CONNECTING, "connecting") /* to the broker */                                                        \
	X(SESSION_OPEN, "open")                                                                                        \
	X(SESSION_CLOSING, "closing") /* the queue is gone; the last output may still be on its way */

enum session_state {
#define SESSION_STATE_ENUM(name, text) name,
	SESSION_STATE_LIST(SESSION_STATE_ENUM)
#undef SESSION_STATE_ENUM
};

/* What the next bytes of the client are. */
enum request_state {
	REQUEST_FRAME,   /* the start of a frame */
	REQUEST_PASS,    /* the rest of a frame that goes to the broker */
	REQUEST_COLLECT, /* the rest of a request that sluice answers */
	REQUEST_SKIP,    /* the rest of a request that is answered already */
};

/* What the next bytes of the broker are. */
enum response_state {
	RESPONSE_FRAME,   /* the start of a frame */
	RESPONSE_PASS,    /* the rest of a frame that goes to the client */
	RESPONSE_WHOLE,   /* a frame that waits in the input buffer until it is whole */
	RESPONSE_COLLECT, /* the rest of a frame that is collected */
	RESPONSE_STREAM,  /* the rest of a frame whose end is changed on its way */
	RESPONSE_DROP,    /* the rest of a frame that nobody wants */
};

/* How a step of one direction ended. */
enum session_step {
	STEP_AGAIN,   /* something moved, go on */
	STEP_NEED,    /* more input is needed */
	STEP_BLOCKED, /* the other side has to move first: stop reading */
	STEP_WAIT,    /* a local answer has to come first; the input buffer may fill up meanwhile */
	STEP_CLOSED,  /* the session was closed */
};

struct session {
	TAILQ_ENTRY(session) entry;
	TAILQ_ENTRY(session) run_entry;
	TAILQ_ENTRY(session) stranger_entry;
	struct admission_pass admission;
	struct proxy *proxy;
	struct endpoint *endpoint;
	struct conn *client, *upstream; /* NULL when closed */
	uint64_t id;                    /* of the client connection */
	struct slot_queue queue;
	uint32_t queue_n;
	struct slot *receiving; /* the slot of the request whose bytes are arriving */
	struct slot *busy;      /* the local slot that has no answer yet: one at a time, as a broker works */
	struct slot *barrier;   /* a local slot that may yet be sent on: no later request goes to the broker before that
				   is decided */
	struct slot *failed;    /* a local slot whose owner wants the connection closed */
	size_t held;            /* bytes of local answers that wait for their turn */
	char *client_id;        /* of the first request; NULL before or when it was null */
	enum session_state state;
	enum request_state request_state;
	enum response_state response_state;
	enum session_step request_step; /* how the last one ended */
	uint64_t request_left, response_left;
	int16_t request_key; /* of the request that is passing */
	struct buf collected;
	struct rewrite_stream *stream;
	struct produce_guard *guard; /* of Produce requests; NULL before the first */
	int64_t opened_at, client_eof_at, progress_at;
	uint64_t progress_in;
	uint32_t attempts_left;
	bool shares;           /* has asked something that sluice answers alone */
	struct rights *rights; /* what the client may do; NULL before anybody asked */
	bool guarding;         /* a Produce request is passing that the guard looks at */
	bool logging_in;       /* a SASL exchange has begun */
	bool scheduled, greeted, upstream_greeted, client_eof, upstream_eof;
	bool client_paused, upstream_paused;
};

/* session.c */
void session_accept(struct endpoint *e, int fd);
void session_run(struct session *s);
/* Runs the session at the end of this loop turn: for callers that may be inside the share service. */
void session_schedule(struct session *s);
void session_set_state(struct session *s, enum session_state state);
const char *session_state_name(enum session_state state);
/* Ends both connections; what the client's output holds is sent first if flush. Unanswered slots go. reason: stable
 * word; detail: nullable. */
void session_close(struct session *s, const char *reason, const char *detail, bool flush);
/* Closes the session if a slot's owner asked for it. */
bool session_close_failed(struct session *s);
void session_sweep(struct session *s, int64_t now);
void session_free(struct session *s);
/* Something of the client's is in flight. */
bool session_has_work(const struct session *s);
/* Appends n bytes of a request or answer to what is collected; false: no memory, or all sessions together hold too
 * much. */
bool session_collect(struct session *s, struct buf *b, const uint8_t *p, size_t n);

/* upstream.c */
/* Starts to connect to the endpoint's broker (or some broker), waits for its address, or closes the session. */
void upstream_start(struct session *s);
/* The broker has ended the connection: the client's ends too, as the broker's own would. */
void upstream_gone(struct session *s, const char *detail);
/* Sends an ApiVersions request of our own, whose answer is dropped. */
void upstream_keep_alive(struct session *s);
/* Writes a whole request; body NULL: an empty one. */
void session_send(struct conn *c, const struct request_header *h, const struct writer *body);
/* Writes to a connection what a writer holds. */
void session_write(struct conn *c, const struct writer *w);

/* session_request.c, session_response.c */
enum session_step session_request_step(struct session *s);
enum session_step session_response_step(struct session *s);

/* slot.c */
/* Appends a slot to the queue of requests in flight. */
struct slot *slot_push(struct session *s, const struct request_header *h, enum slot_kind kind, enum slot_state state);
/* The slot whose answer the broker sends next; NULL when it owes none. */
struct slot *slot_next_of_broker(const struct session *s);
/* Takes a slot out and frees it. */
void slot_remove(struct slot *sl);
/* The broker's answer to what was asked for a local slot has come: tells, and takes the internal slot out. */
void slot_told(struct slot *sl, struct bytes body);
/* Writes the local answers that have reached the head; false when there was none. */
bool slot_flush(struct session *s);
/* Gives back what answered local slots hold besides their answers. */
void slot_trim(struct session *s);
/* All slots go away unanswered. */
void slot_release_all(struct session *s);

#endif
