/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of net share of connections. */
#ifndef SLUICE_NET_CONN_PRIV_H
#define SLUICE_NET_CONN_PRIV_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "loop_priv.h"
#include "net/conn.h"

/*  DIALING -> OPEN -> CLOSING -> CLOSED
 *      `--------`--------`--------^       CLOSING: only the output is still sent; CLOSED: on_closed and free() are
 * deferred */
enum conn_state { CONN_DIALING, CONN_OPEN, CONN_CLOSING, CONN_CLOSED };

/* One piece of output: own bytes that more may be appended to, or a part of a chunk. */
struct segment {
	TAILQ_ENTRY(segment) link;
	struct chunk *chunk; /* NULL: own bytes */
	const uint8_t *p;    /* not sent yet */
	size_t n;
	size_t room; /* of own, behind p + n */
	uint8_t own[];
};

TAILQ_HEAD(segment_list, segment);

struct conn_tls;
struct dial;
LIST_HEAD(dial_list, dial);

struct conn {
	struct loop *loop;
	const struct conn_ops *ops;
	struct conn_callbacks cb;
	void *arg;
	struct conn_limits lim;
	enum conn_state state;
	int fd;
	bool want_reading;
	bool read_on;          /* ev_read is added */
	bool write_on;         /* ev_write is added: the socket is full */
	bool in_read;          /* inside the read callback, which looks after the buffer itself */
	bool eof;              /* the peer has shut its side */
	bool full;             /* output reached out_high and has not fallen to out_low since */
	bool shut;             /* our side is shut: the output of a CLOSING connection is sent */
	bool read_again;       /* the transport may hold more: try at the start of the next turn */
	bool handshaking;      /* nothing is delivered or sent before the transport's handshake has ended */
	bool handshake_writes; /* it waits for the socket to take more, not for the peer */
	bool outgoing;         /* on_connected is to be called */
	struct event ev_read, ev_write;
	struct loop_task task; /* sends, gives the buffer back, starts reading again */
	struct timer timer;    /* CLOSING: linger; OPEN: for the handshake */
	int32_t handshake_timeout_ms;
	struct conn_tls *tls; /* NULL: plain */
	struct dial *dial;    /* DIALING only */
	struct buf in;
	struct segment_list out;
	size_t out_len;
	uint64_t id, bytes_in, bytes_out;
	int64_t last_active;
	const char *reason;
	size_t peer_n;
	char peer[72];
};

_Static_assert(sizeof(struct conn) < 1024, "an idle connection is small");

/* A connection in state DIALING without a descriptor. */
struct conn *conn_new(struct loop *lp, const struct conn_limits *lim, const struct conn_callbacks *cb, void *arg);

/* Takes over a connected descriptor: sets its options, starts reading. */
void conn_open(struct conn *c, int fd);

/* Writes the peer's address as text. */
void conn_set_peer(struct conn *c, const struct sockaddr *sa);

/* Ends the connection now; on_closed is called after the turn. */
void conn_die(struct conn *c, const char *reason);

/* conn_tls.c calls the first when the transport is in its place; the end of a connection calls the second. */
void conn_begin_handshake(struct conn *c, int32_t timeout_ms);
void conn_tls_free(struct conn *c);

/* Adds or removes the event that tells that the socket takes more. */
void conn_watch_writable(struct conn *c, bool on);

/* A dial has ended with a connected socket. */
void conn_dialed(struct conn *c, int fd);

/* conn_out.c: sends what the socket takes; tells on_drained. Frees all output. */
void conn_flush(struct conn *c);
void conn_out_release(struct conn *c);

/* conn_dial.c: gives up connecting; the dial frees itself. */
void dial_cancel(struct dial *d);

/* Frees what a loop that ends has left. */
void dial_list_free(struct dial_list *list);
struct dial_list *loop_dials(struct loop *lp);

#endif
