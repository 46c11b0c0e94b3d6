/* SPDX-License-Identifier: Apache-2.0 */
/* The internal topic in use: brought into being, checked, claimed, loaded, written. The rules of each state partition
 * are statelog's; here is its I/O. */
#ifndef SLUICE_PROXY_STATE_STORE_H
#define SLUICE_PROXY_STATE_STORE_H

#include "base/arena.h"
#include "cluster/cluster.h"
#include "proxy/proxy.h"
#include "share/state.h"

struct state_store;

struct state_store_callbacks {
	/* A group that the log holds; once each, before on_loaded. */
	void (*on_group)(void *arg, int32_t state_partition, const struct share_group_state *st);
	/* The partition is ours and loaded: its groups may be served. */
	void (*on_loaded)(void *arg, int32_t state_partition);
	/* It is not ours any more: what waits for durability will not get it, its groups are dropped. */
	void (*on_lost)(void *arg, int32_t state_partition, const char *reason);
	/* Records of its groups may be handed out while not_before <= mono time < until; of loaded partitions, several
	 * times in a lease. */
	void (*on_lease)(void *arg, int32_t state_partition, int64_t not_before, int64_t until);
	/* Clients are to be listened to, or not any more: true when that is done, see service.h. */
	bool (*on_listen)(void *arg, bool on, bool was_standby);
	/* The topic, with all state, is gone for good and another one is there: told after on_lost of all partitions
	 * that were loaded, before those of the new topic, whose number may differ, are. */
	void (*on_gone)(void *arg);
	/* Every change up to seq is durable. */
	void (*on_durable)(void *arg, int32_t state_partition, uint64_t seq);
	/* For checkpoints: as share_next_group and share_snapshot. */
	struct str (*next_group)(void *arg, int32_t state_partition, struct str after);
	enum err (*snapshot)(void *arg, struct str group_id, struct arena *a, struct share_group_state *ret);
};

/* Starts; works until the cluster allows it. cfg outlives the store, cb is copied. */
struct state_store *state_store_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	const struct state_store_callbacks *cb, void *arg);
void state_store_free(struct state_store *ss);

/* The cluster's picture has changed: a waiting step of the start may go on. */
void state_store_on_metadata(struct state_store *ss);

/* The state partition of a group id: Kafka's own rule for __consumer_offsets. -1 until the topic is known. */
int32_t state_store_partition_of(const struct state_store *ss, struct str group_id);

/* Number of state partitions; 0 until the topic is known. Known before the first callback. */
int32_t state_store_partitions(const struct state_store *ss);

/* Owned and loaded. False for -1. */
bool state_store_is_loaded(const struct state_store *ss, int32_t state_partition);

/* True when changes wait for writes beyond half of the ceiling: new requests get a retriable error meanwhile. */
bool state_store_is_congested(const struct state_store *ss, int32_t state_partition);

/* All partitions are loaded; else *ret_why is one line. */
bool state_store_is_ready(const struct state_store *ss, const char **ret_why);

/* Records may be handed out now, by a clock that is read for the question. */
bool state_store_lease_is_open(const struct state_store *ss, int32_t state_partition);

/* The owner has not seen the end of any of its logs for a lease: it is cut off from the cluster, hands out nothing, and
 * another sluice may be better off. False for one that does not own the state. */
bool state_store_is_blind(const struct state_store *ss);

/* Hands everything over, with nothing more to be appended: true when that is written, or there is nothing; else call it
 * again. From the first call on nothing is claimed any more. */
bool state_store_hand_over(struct state_store *ss);

/* Appends a change; it goes out at the end of the loop's turn or behind the write in flight. *ret_seq as
 * statelog_append. When there is no room for it the partition is given up (on_lost, later in this turn) since memory
 * and log would disagree: false. */
bool state_store_append(
	struct state_store *ss, int32_t state_partition, const struct share_change *c, uint64_t *ret_seq);

/* The change to wait for, that all changes be durable, and the last one that is; equal: nothing waits. */
uint64_t state_store_awaited(const struct state_store *ss, int32_t state_partition);
uint64_t state_store_durable(const struct state_store *ss, int32_t state_partition);

/* The topic's id; zero while it is not known, and on clusters without topic ids. */
struct uuid state_store_topic_id(const struct state_store *ss);

/* The topic was found to be gone since this process began. */
bool state_store_was_lost(const struct state_store *ss);

/* Our owner epoch: the offset of our claim. */
int64_t state_store_epoch(const struct state_store *ss, int32_t state_partition);

void state_store_metrics(const struct state_store *ss, proxy_metric_cb cb, void *arg);

#endif
