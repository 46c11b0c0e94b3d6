/* SPDX-License-Identifier: Apache-2.0 */
/* What state_store.c (I/O of the state partitions) and ownership.c (who may claim them, and when) see of each other. */
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
	int64_t read_offset;
	bool starting;     /* the log's start is asked for */
	bool reading;      /* a fetch is on its way */
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
	struct uuid topic_id; /* that was claimed first */
	bool replaced;        /* the topic of that id is gone: nothing is claimed any more */
	struct uuid owner_id;
	char owner_address[330];
	bool producer_asked; /* InitProducerId is on its way, for all partitions that want to claim */
	struct timer producer_retry;
	struct timer poll;
	struct ownership own;
	uint64_t writes, write_us_sum, losses;
};

/* Begins to follow a partition's log. */
void state_partition_follow(struct state_partition *p);

/* Claims it as soon as there is a producer id; it must be followed and caught up. */
void state_partition_claim(struct state_partition *p);

/* Does what its log wants, until it wants nothing more now. */
void state_partition_pump(struct state_partition *p);

/* ownership.c */
void ownership_init(struct state_store *ss);
void ownership_release(struct state_store *ss);

/* Something has changed: looks, in this turn, at what is to be done. */
void ownership_consider(struct state_store *ss);

/* The cluster has been reached for the first time: a decision is due within some seconds. */
void ownership_begin(struct state_store *ss);

/* Another sluice has claimed a partition that was ours. */
void ownership_taken(struct state_store *ss, const struct statelog_owner *by);

#endif
