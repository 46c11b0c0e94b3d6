/* SPDX-License-Identifier: Apache-2.0 */
/* The stable offset of each share-partition (all before it is done) as an ordinary committed offset of a group of the
 * same id on the cluster, its shadow: lag tools see the share group there, a consumer can go on where it stood, and so
 * can the share group itself when the internal topic is gone.
 *
 * Each commit carries our mark in its metadata. A group of the cluster whose offsets do not all have it is somebody
 * else's and is never written to. Calls for one group are worked off one after the other. */
#ifndef SLUICE_PROXY_MIRROR_H
#define SLUICE_PROXY_MIRROR_H

#include "proxy/proxy.h"
#include "share/state.h"

struct service;
struct mirror;

struct mirror_offset {
	struct uuid topic_id;
	int32_t partition;
	int64_t offset;
};

/* error: 0; 69 when the id is that of another group of the cluster; else a retriable Kafka error. Called once, never
 * inside the call that it was given to; not when the service ends. */
typedef void (*mirror_cb)(void *arg, int16_t error);

struct mirror *mirror_new(struct service *sv);
/* After the cluster client is freed: what is on its way is not answered any more. */
void mirror_free(struct mirror *m);

/* False: nothing is committed (stable.offset.commit.interval.ms is 0). */
bool mirror_is_on(const struct mirror *m);

/* Whether a new share group may have this id. A group that sluice has already keeps it. */
void mirror_check(struct mirror *m, struct str group_id, mirror_cb cb, void *arg);

/* Reads what is mirrored, for mirror_find, and commits those of v (copied) that are behind what is mirrored or are not
 * mirrored at all; what is ahead is left to come when it is durable. */
void mirror_commit(
	struct mirror *m, struct str group_id, const struct mirror_offset *v, uint32_t n, mirror_cb cb, void *arg);

/* Deletes the shadow's offsets of the topics in v. */
void mirror_delete_topics(
	struct mirror *m, struct str group_id, const struct mirror_offset *v, uint32_t n, mirror_cb cb, void *arg);

/* Deletes the shadow. */
void mirror_delete_group(struct mirror *m, struct str group_id, mirror_cb cb, void *arg);

/* What is mirrored, as mirror_commit has read it: in its callback. -1: nothing; *ret_has_topic: but other partitions of
 * that topic are. */
int64_t mirror_find(
	struct mirror *m, struct str group_id, struct uuid topic_id, int32_t partition, bool *ret_has_topic);

/* What is mirrored, as read last, was committed when the state was kept in another internal topic: a group that is not
 * known here had its state there. */
bool mirror_is_orphan(struct mirror *m, struct str group_id);

/* The group goes on from what is mirrored: says so once, loudly, if its state was in another internal topic. */
void mirror_tell_gone(struct mirror *m, struct str group_id);

/* A change was appended to the state log, or a group was read from it (change NULL). */
void mirror_changed(struct mirror *m, int32_t state_partition, struct str group_id, const struct share_change *change);
void mirror_durable(struct mirror *m, int32_t state_partition);
void mirror_lost(struct mirror *m, int32_t state_partition);

void mirror_metrics(const struct mirror *m, proxy_metric_cb cb, void *arg);

#endif
