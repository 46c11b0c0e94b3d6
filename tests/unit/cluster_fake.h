/* SPDX-License-Identifier: Apache-2.0 */
/* A broker played by a test: it listens on loopback in the test's own loop, answers ApiVersions and Metadata by itself
 * and leaves everything else, or any request that the test wants to spoil, to the test's handler. */
#ifndef SLUICE_TESTS_CLUSTER_FAKE_H
#define SLUICE_TESTS_CLUSTER_FAKE_H

#include "cluster/cluster.h"
#include "net/conn.h"
#include "net/listener.h"
#include "wire/frame.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define FAKE_TOPICS 3
#define FAKE_PARTITIONS 4
#define FAKE_KEYS 40

struct fake;

struct fake_request {
	struct fake *fake;
	struct conn *conn;
	struct request_header header;
	struct reader body;
	struct arena *arena;
};

/* True: the handler has dealt with the request (which may mean to stay silent). */
typedef bool (*fake_handler)(void *arg, struct fake_request *rq);

struct fake_topic {
	const char *name; /* NULL: not there */
	struct uuid id;
	int32_t partitions_n;
	int32_t leader[FAKE_PARTITIONS], epoch[FAKE_PARTITIONS];
};

struct fake {
	struct loop *loop;
	struct listener *listener;
	int32_t port;
	int16_t max_version[FAKE_KEYS]; /* -1: not offered */
	fake_handler handler;
	void *arg;
	int32_t id;             /* of this broker */
	struct fake *others[3]; /* that Metadata shows beside this one */
	struct fake_topic topics[FAKE_TOPICS];
	int16_t metadata_error;
	int requests[FAKE_KEYS];    /* seen, by key */
	int16_t version[FAKE_KEYS]; /* of the last one */
	int accepted;
	struct conn *conns[64];
};

void fake_start(struct fake *f, struct loop *lp, int32_t id, fake_handler handler, void *arg);
void fake_stop(struct fake *f);

/* Listens again on the port that it had. */
void fake_restart(struct fake *f);

/* Cuts all its connections; go on listening. */
void fake_cut(struct fake *f);

/* Whether it still has this connection. */
bool fake_has_conn(const struct fake *f, const struct conn *c);

/* Decodes the body into *msg, memory from the request's arena; fails the test when it is malformed. */
void fake_decode(struct fake_request *rq, void *msg);

/* Answers with an encoded message, or with bytes as they are. */
void fake_answer(struct fake_request *rq, const void *msg);
void fake_answer_raw(struct fake_request *rq, const void *p, size_t n);

/* The whole answer as it would be sent, in out (capacity out_max); its length. */
size_t fake_encode(struct fake_request *rq, const void *msg, uint8_t *out, size_t out_max);

/* Memory of the request's arena; fails the test when there is none. */
void *fake_zalloc(struct fake_request *rq, size_t n, size_t size);

/* Fills the Metadata answer that the broker would give. */
void fake_metadata(struct fake_request *rq, struct metadata_response *m);

/* A cluster client on its own loop, with what its callbacks saw. */
struct client {
	struct log *log;
	int log_fd;
	struct loop *loop;
	struct cluster *cluster;
	struct cluster_config cfg;
	struct cluster_server servers[2];
	struct fake fake, second;
	int metadata_n;
	bool free_in_metadata;
	bool late; /* a deadline of the test has passed */
};

void client_init(struct client *cl, fake_handler handler, void *arg);
/* Starts the client; waits for metadata when wait is set. */
void client_start(struct client *cl, bool wait);
void client_release(struct client *cl);

/* Runs the loop until *done (NULL: only the time counts), at most ms. */
void client_run(struct client *cl, const int *done, int64_t ms);

/* Runs the loop until the condition holds; fails the test when it does not within a time that is long even on a busy
 * machine. */
#define UNTIL(cl, cond)                                                                                                \
	do {                                                                                                           \
		for (int until_ms = 0; until_ms < 20000 && !(cond); until_ms += 5)                                     \
			client_run(cl, NULL, 5);                                                                       \
		assert_true(cond);                                                                                     \
	} while (0)

/* True when the log holds the words. */
bool client_logged(struct client *cl, const char *words);

#endif
