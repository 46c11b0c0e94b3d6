/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of cluster share.
 *
 *   public call -> a list -> (end of turn) cluster_turn: callbacks of what ended, then pump -> rq on a link of the
 * right broker -> conn public callback <- cluster_turn <- completion <- answered / failed <- link <- conn
 *
 * All callbacks of users run in cluster_turn, one after the other, so that no list is walked while its owner calls out.
 */
#ifndef SLUICE_CLUSTER_PRIV_H
#define SLUICE_CLUSTER_PRIV_H

#include <sys/queue.h>
#include <uthash.h>

#include "base/arena.h"
#include "cluster/cluster.h"
#include "link_priv.h"

/* Partitions of one request. */
#define PARTITIONS_MAX 1000
/* Own bytes of one request, record batches not counted. */
#define REQUEST_MAX ((size_t)8 * 1024 * 1024)
/* What an answer may need in memory when it is decoded. */
#define ANSWER_ARENA_MAX ((size_t)256 * 1024 * 1024)
/* Bytes of a small answer; those of Metadata and Fetch can be as large as a frame can be. */
#define ANSWER_SMALL ((size_t)16 * 1024 * 1024)
#define ANSWER_LARGE ((size_t)100 * 1024 * 1024)

/* Something that ended and whose user is to be told: deliver tells and frees, drop only frees. */
struct completion {
	TAILQ_ENTRY(completion) entry;
	void (*deliver)(struct completion *d);
	void (*drop)(struct completion *d);
	bool queued;
};

TAILQ_HEAD(completion_list, completion);

/* A topic that somebody asks about. */
struct topic {
	UT_hash_handle hh;
	struct str name;
	uint32_t refs;
	uint64_t stamp; /* of the request that is being put together */
	uint32_t group; /* its place in that request */
	char text[];
};

/* A partition that somebody asks about, and what the last Fetch told of its end. */
struct tp {
	UT_hash_handle hh;
	struct tp_key {
		struct topic *topic;
		int64_t partition;
	} key;
	uint32_t refs;
	uint64_t stamp;
	int64_t high_watermark, last_stable_offset; /* -1: not known */
};

/* The partitions of one request, grouped by topic. */
struct tp_set {
	struct tp **v; /* not owned references */
	struct uuid *ids;
	uint32_t n;
	uint32_t groups;
	uint32_t *start; /* group g is order[start[g]] to order[start[g + 1]] */
	uint32_t *order;
	uint32_t hint, hint_group; /* where the next answer is looked for first */
	bool no_ids;               /* some topic has no id */
};

/* One metadata answer in its public form. */
struct picture {
	struct cluster_metadata md;
	struct arena arena;
	uint32_t *by_id; /* topics in order of their ids */
};

struct want;
TAILQ_HEAD(want_list, want);
struct call;
TAILQ_HEAD(call_list, call);
TAILQ_HEAD(produce_list, cluster_produce);

/* A broker; id -1: one of the bootstrap servers, whose id is not known. */
struct node {
	TAILQ_ENTRY(node) entry;
	struct cluster *cluster;
	int32_t id;
	char *host;
	int32_t port;
	uint32_t failures; /* in a row */
	int64_t retry_at;  /* no new connection before */
	int64_t logged_at; /* last line about a failed attempt */
	struct want_list hot[2],
		tail[2]; /* waiting fetches by isolation level; tail: known to be at the end of their log */
	struct broker_link *control, *produce;
	struct broker_link *fetch[]; /* cfg.fetch_connections */
};

TAILQ_HEAD(node_list, node);

struct cluster {
	struct loop *loop;
	struct cluster_config cfg;
	struct arena cfg_arena;
	struct cluster_callbacks cb;
	void *arg;
	bool freed;
	bool wake_pending;
	struct timer timer;
	int64_t timer_at; /* what the pump wants, INT64_MAX: nothing */
	struct completion_list completions;
	struct node_list nodes; /* brokers, then bootstrap servers */
	struct link_list links;
	struct picture *picture, *next_picture;
	struct rq *metadata_rq;
	bool refresh_wanted, connected, reached;
	int64_t metadata_asked_at, metadata_at; /* last attempt, last success */
	uint32_t metadata_failures;
	uint64_t metadata_answers;
	uint32_t metadata_turn;
	struct topic *topics;
	struct tp *tps;
	uint64_t stamp;
	struct coordinator *coordinators; /* by group id */
	struct call_list calls;           /* waiting to be sent, first or again */
	struct produce_list produces;
	struct want_list homeless; /* fetches that wait for metadata */
	int16_t share_version;     /* level of the feature as finalised; 0: none, or not known yet */
	struct cluster_counts counts;
	char login_error[CLUSTER_LOGIN_ERROR_MAX];
};

/* cluster.c */
/* Runs cluster_turn at the end of this turn, or at a time. */
void cluster_wake(struct cluster *c);
void cluster_wake_at(struct cluster *c, int64_t at);
void cluster_complete(struct cluster *c, struct completion *d);
void cluster_cancel_completion(struct cluster *c, struct completion *d);
/* min(base * 2^n, max), a fifth more or less. */
int64_t backoff_ms(int32_t base, int32_t max, uint32_t n);
int64_t cluster_retry_at(const struct cluster *c, uint32_t attempts);

/* node.c */
struct node *node_new(struct cluster *c, int32_t id, struct str host, int32_t port);
void node_free(struct node *n, const char *reason);
struct node *node_find(struct cluster *c, int32_t id);
/* A broker for what any of them can answer; NULL: none is known. */
struct node *node_any(struct cluster *c);
struct broker_link *node_link(struct node *n, enum link_role role);
/* A fetch connection without a request, or NULL. *ret_free: how many there are. */
struct broker_link *node_fetch_link(struct node *n, uint32_t *ret_free);
/* Brokers of the picture come, go and move. */
void nodes_adopt(struct cluster *c, const struct cluster_metadata *md);
void node_failed(struct node *n);
/* What a link is called in the log: "broker 3" or "bootstrap server". */
const char *node_title(const struct node *n, char buf[32]);

/* topic.c */
struct tp *tp_get(struct cluster *c, struct str topic, int32_t partition);
void tp_put(struct cluster *c, struct tp *tp);
/* Forgets partitions that nobody asks about and whose topic is gone; all of them when the cluster goes. */
void tps_purge(struct cluster *c);
/* 0 and the leader's node, else the Kafka error that says why there is none. */
int16_t tp_leader(struct cluster *c, const struct tp *tp, struct node **ret);
/* Groups n partitions; the set is released by tp_set_release. */
void tp_set_init(struct tp_set *s, struct cluster *c, struct tp *const *v, uint32_t n);
void tp_set_release(struct tp_set *s);
/* Which partition an answer is about (name or id, by the version), or -1. */
int64_t tp_set_find(struct tp_set *s, bool by_id, struct str name, struct uuid id, int32_t partition);
static inline struct tp *tp_set_at(const struct tp_set *s, uint32_t pos)
{
	return s->v[s->order[pos]];
}

/* picture.c: ERR_MALFORMED for an answer that can not be a cluster's. */
enum err picture_new(const struct picture *old, struct reader *body, int16_t version, struct picture **ret,
	int32_t *ret_throttle) ERR_CHECKED;
void picture_free(struct picture *p);
bool picture_equal(const struct picture *a, const struct picture *b);

/* metadata.c */
void metadata_pump(struct cluster *c);
void metadata_release(struct cluster *c);
/* Makes the next picture the current one and tells the user. */
void metadata_adopt(struct cluster *c);

/* coordinators.c: the node id that was found last, or -1; a bounded number of them is kept. */
int32_t coordinators_find(const struct cluster *c, struct str group_id);
void coordinators_put(struct cluster *c, struct str group_id, int32_t node);
void coordinators_drop(struct cluster *c, struct str group_id);
void coordinators_free(struct cluster *c);

/* call.c, produce.c, fetch.c */
void calls_pump(struct cluster *c);
void calls_free(struct cluster *c);
void produces_pump(struct cluster *c);
void produces_free(struct cluster *c);
void fetches_pump(struct cluster *c);
void fetches_free(struct cluster *c);
/* The leaders may have changed: all waiting fetches of a node look for theirs anew. */
void fetches_rehome(struct cluster *c, struct node *n);

/* Errors that go away when the right broker is asked: metadata is stale. */
bool is_leadership_error(int16_t error);

#endif
