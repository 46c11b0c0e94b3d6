/* SPDX-License-Identifier: Apache-2.0 */
/* What state_store.c (I/O of the state partitions), ownership.c (who may claim them, and when), state_loss.c (the topic
 * is gone), state_watch.c (the logs from time to time) and state_metrics.c see of each other. */
#ifndef SLUICE_PROXY_STATE_STORE_PRIV_H
#define SLUICE_PROXY_STATE_STORE_PRIV_H

#include "proxy/owner_watch.h"
#include "proxy/state_store.h"
#include "proxy/state_topic.h"
#include "statelog/statelog.h"

struct state_partition {
	struct state_store *store;
	struct statelog *log;
	int32_t index;
	struct cluster_produce *writing;
	int64_t write_started_us;
	size_t write_size;
	int64_t waiting_since; /* changes wait, and none became durable; 0: none wait */
	uint64_t waiting_at;   /* the last durable one then */
	int64_t read_offset;
	bool starting;     /* the log's start is asked for */
	bool reading;      /* a fetch is on its way */
	bool trimming;     /* a DeleteRecords is on its way */
	bool asking_start; /* of a log that is ours, in case it moves */
	bool claim_wanted; /* as soon as there is a producer id */
	bool loaded, give_up;
	bool polling;       /* the end of the log is asked for */
	int64_t polled_at;  /* when */
	int64_t claimed_at; /* when the claim was confirmed */
	struct timer pump;
	struct timer retry; /* of a read that failed, or of the next start */
	enum { RETRY_NONE, RETRY_READ, RETRY_FOLLOW } retry_what;
	int32_t reclaim_ms;
	int64_t loaded_at;
	char reason[160];
};

enum state_role {
	STATE_ROLE_UNDECIDED, /* it is not known yet whether another sluice is the owner */
	STATE_ROLE_STANDBY,   /* another one is, and lives */
	STATE_ROLE_OWNER,     /* all state partitions are ours, or are being claimed */
};

/* Who owns the state: all of it or nothing. */
struct ownership {
	enum state_role role;
	bool listening;
	bool was_standby;
	bool taken;     /* another sluice has claimed one of our partitions */
	bool resigning; /* we hand over: nothing is claimed any more */
	struct owner_watch *watch;
	struct uuid watched; /* whom */
	char address[320];   /* where */
	char why[400];
	bool seen_alive; /* it has answered once */
	bool is_dead;    /* it does not any more */
	struct timer consider;
	int64_t decide_by;        /* no longer than this is waited for partitions that can not be read; 0: not yet */
	int64_t resigned_at;      /* when the first resign mark was seen, 0: none */
	int64_t claim_not_before; /* after a loss */
	int32_t backoff_ms;
	int64_t owner_since;
	uint64_t takeovers, demotions;
};

/* Whether the topic is still the one that was claimed. */
struct state_loss {
	bool gone;             /* everything was given up: it is made anew, or comes back */
	bool made;             /* another one is there; it is taken when no call to the old one is on its way */
	struct uuid new_id;    /* of that */
	int32_t partitions_n;  /* ... */
	int64_t missing_since; /* the cluster does not show it; 0: it does */
	struct uuid old_id;    /* of the last one that is gone for good */
	struct timer check;
	uint64_t losses;
};

struct state_store {
	struct loop *loop;
	struct cluster *cluster;
	const struct proxy_config *cfg;
	struct state_store_callbacks cb;
	void *arg;
	struct state_topic *topic;
	struct state_partition *partitions;
	int32_t partitions_n;
	int32_t loaded_n;
	struct uuid topic_id; /* zero on clusters without topic ids */
	struct state_loss loss;
	struct uuid owner_id;
	char owner_address[330];
	bool producer_asked; /* InitProducerId is on its way, for all partitions that want to claim */
	struct timer producer_retry;
	struct timer poll;
	int64_t starts_at; /* when the starts of the logs are asked for next */
	struct ownership own;
	uint64_t writes, write_us_sum, losses;
};

/* Begins to follow a partition's log. */
void state_partition_follow(struct state_partition *p);

/* Claims it as soon as there is a producer id; it must be followed and caught up. */
void state_partition_claim(struct state_partition *p);

/* Does what its log wants, until it wants nothing more now. */
void state_partition_pump(struct state_partition *p);

/* The same at the end of this turn: the changes of all its requests go out as one batch. */
void state_partition_queue_pump(struct state_partition *p);

/* Tells until when its records may be handed out. */
void state_partition_lease(struct state_partition *p);

/* Makes the partitions of a topic that is ready, and begins to follow them; frees them, with no call on its way. */
void state_partitions_new(struct state_store *ss, int32_t n);
void state_partitions_free(struct state_store *ss);

/* state_watch.c */
void state_watch_init(struct state_store *ss);
void state_watch_begin(struct state_store *ss);
void state_watch_release(struct state_store *ss);

/* state_loss.c */
void state_loss_init(struct state_store *ss);
void state_loss_release(struct state_store *ss);

/* The cluster's picture has changed: is the topic still there? */
void state_loss_on_metadata(struct state_store *ss);

/* A topic is there and safe to use: the first one, the same one again, or another. */
void state_loss_topic_ready(struct state_store *ss, int32_t partitions);

/* ownership.c */
void ownership_init(struct state_store *ss);
void ownership_release(struct state_store *ss);

/* Something has changed: looks, in this turn, at what is to be done. */
void ownership_consider(struct state_store *ss);

/* The cluster has been reached for the first time: a decision is due within some seconds. */
void ownership_begin(struct state_store *ss);

/* Another sluice has claimed a partition that was ours. */
void ownership_taken(struct state_store *ss, const struct statelog_owner *by);

/* The logs are new and empty: who was the owner claims at once, others wait whether it does. */
void ownership_anew(struct state_store *ss);

#endif
