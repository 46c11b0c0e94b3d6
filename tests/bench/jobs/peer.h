/* SPDX-License-Identifier: Apache-2.0 */
/* One connection of the load generator: a request out, its answer in, one at a time. */
#ifndef SLUICE_TESTS_BENCH_PEER_H
#define SLUICE_TESTS_BENCH_PEER_H

#include "base/arena.h"
#include "base/buf.h"
#include "wire/messages.h"

struct peer {
	int fd;
	int16_t api_key; /* of the request that waits for its answer, -1: none */
	int16_t api_version;
	int32_t correlation_id;
	int64_t sent_us;
	struct buf in;
	void *owner;
};

/* Writes why and ends the program. */
_Noreturn void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Microseconds of a clock that only goes forward. */
int64_t now_us(void);

/* Connects to HOST:PORT (an IPv4 address or a name); ends the program when it cannot. */
void peer_connect(struct peer *p, const char *host, int port, void *owner);
void peer_close(struct peer *p);

/* Sends a request; no other may wait for its answer. */
void peer_send(struct peer *p, int16_t api_key, int16_t version, const void *msg);

/* Reads what has come. True: the answer is whole and decoded into *msg (of the message of the request; views into the
 * peer's buffer, arrays in a) and the peer is free for the next request. When *msg is used up, peer_consume has to
 * follow. */
bool peer_receive(struct peer *p, struct arena *a, void *msg);
void peer_consume(struct peer *p);

/* Sends a request and waits for its answer; peer_consume has to follow. */
void peer_ask(struct peer *p, int16_t api_key, int16_t version, const void *msg, struct arena *a, void *answer);

#endif
