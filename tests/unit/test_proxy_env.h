/* SPDX-License-Identifier: Apache-2.0 */
/* A proxy between clients and a scripted broker, all on one loop and the loopback interface; the test itself answers
 * terminated requests. */
#ifndef SLUICE_TESTS_UNIT_TEST_PROXY_ENV_H
#define SLUICE_TESTS_UNIT_TEST_PROXY_ENV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "net/loop.h"
#include "proxy/proxy_priv.h"

#define ENV_BROKER_ID 3
#define ENV_PEERS_MAX 32
#define ENV_SLOTS_MAX 1024

/* One end of a connection that the test reads and writes itself. */
struct peer {
	int fd;        /* -1: not in use */
	uint16_t port; /* this end's */
	struct buf in, out;
	bool eof;     /* the other side has closed or shut it */
	bool reading; /* the test may stop to read */
	bool own;     /* broker side: a connection of sluice's own client, answered by itself */
	bool judged;  /* broker side: own is known */
};

struct env {
	struct log *log;
	struct loop *loop;
	struct proxy *proxy;
	int broker_fd;
	int bootstrap_fd; /* where the broker was first; -1 while that is broker_fd */
	uint16_t port, broker_port;
	int32_t broker_id;      /* as the broker tells it */
	int32_t broker_idle_ms; /* its connections.max.idle.ms; 0: it does not tell */
	struct peer clients[ENV_PEERS_MAX], brokers[ENV_PEERS_MAX];
	struct timer tick;
	bool (*until)(struct env *e);
	int64_t deadline;
	bool reached;
	/* Terminated requests that wait for the test. */
	struct slot *slots[ENV_SLOTS_MAX];
	uint32_t slots_n, slots_gone, conns_closed;
	/* What on_until compares with. */
	struct peer *peer;
	size_t want;
	bool stopped;
};

/* Starts broker and proxy on ports that are free; waits until the broker's port is open. */
void env_start(struct env *e);
void env_stop(struct env *e);

/* A listening socket on a new port for the broker, which it tells from now on. */
void env_open_broker(struct env *e);

/* Turns the loop until the condition holds; fails the test after ten seconds. */
void env_wait(struct env *e, bool (*until)(struct env *e));
/* Turns the loop for a while. */
void env_turn(struct env *e, int32_t ms);
/* Until the peer has n bytes at least; until it is closed by the other side. */
void env_wait_bytes(struct env *e, struct peer *p, size_t n);
void env_wait_closed(struct env *e, struct peer *p);
/* Until n terminated requests have come. */
void env_wait_slots(struct env *e, uint32_t n);

/* A client connected to a port of the proxy, and the broker's end of its upstream connection once something has come
 * through it. */
struct peer *env_connect(struct env *e, uint16_t port);
/* The broker's end of the latest connection of a client; waits for one that has received n bytes. */
struct peer *env_upstream(struct env *e, size_t n);

void peer_send(struct env *e, struct peer *p, const struct writer *w);
void peer_send_bytes(struct env *e, struct peer *p, const void *d, size_t n);
void peer_close(struct peer *p);
void peer_reset(struct peer *p);
/* The first n bytes of what came are these; takes them out. */
void peer_expect(struct env *e, struct peer *p, const struct writer *w);

/* Appends a frame: a request with client id "test" and so many body bytes; an answer. */
void put_request(struct writer *w, int16_t key, int16_t version, int32_t correlation, const void *body, size_t n);
void put_answer(struct writer *w, int16_t key, int16_t version, int32_t correlation, const void *body, size_t n);

/* Value of a metric with these labels; 0 when there is none. */
double env_metric(struct env *e, const char *name, const char *labels);

#endif
