/* SPDX-License-Identifier: Apache-2.0 */
/* One group as the replay knows it. */
#ifndef SLUICE_STATELOG_REPLAY_GROUP_H
#define SLUICE_STATELOG_REPLAY_GROUP_H

#include "hash.h"
#include "statelog/format.h"
#include "statelog/ranges.h"
#include "statelog/replay.h"

/* A member or a config: its key and the entry as it stood in the log, decoded again when it is asked for. */
struct replay_item {
	char *key;
	uint8_t *raw;
	size_t raw_n;
	UT_hash_handle hh;
};

struct replay_partition_key {
	struct uuid topic_id;
	int32_t partition;
};

struct replay_partition {
	struct replay_partition_key key;
	struct replay_group *group;
	char *topic_name;
	size_t topic_name_n;
	int64_t start_offset;
	struct state_ranges ranges;
	uint32_t number; /* 0: not defined by the present owner */
	UT_hash_handle hh, hh_number;
};

struct replay_group {
	char *id;
	size_t id_n;
	bool exists;
	int32_t group_epoch, assignment_epoch;
	struct replay_item *members, *configs;
	struct replay_partition *partitions;
	UT_hash_handle hh;
};

struct replay_group *replay_group_new(struct str id);

/* Frees the group; its partitions are taken out of *numbers. NULL is allowed. */
void replay_group_free(struct replay_group *g, struct replay_partition **numbers);

/* Forgets members and partitions; configs stay. */
void replay_group_clear(struct replay_group *g, struct replay_partition **numbers);

/* Keeps or forgets a member or config; raw is its entry. */
void replay_item_put(struct replay_item **items, struct str key, struct bytes raw);
void replay_item_drop(struct replay_item **items, struct str key);

/* A share-partition of the group, NULL when it has none. */
struct replay_partition *replay_partition_find(struct replay_group *g, const struct share_partition_state *p);
struct replay_partition *replay_partition_add(struct replay_group *g, const struct share_partition_state *p);
void replay_partition_drop(struct replay_partition *p, struct replay_partition **numbers);

/* Start offset and ranges of p instead of those known. */
void replay_partition_set(struct replay_partition *rp, const struct share_partition_state *p);

/* The start offset unless it is -1, then the ranges, over those known. */
void replay_partition_lay(struct replay_partition *rp, const struct share_partition_state *p);

/* Names the partition, whose number must be free, or takes its name away. */
void replay_partition_number(struct replay_partition *p, struct replay_partition **numbers, uint32_t number);
void replay_partition_unnumber(struct replay_partition *p, struct replay_partition **numbers);

/* The whole state, arrays in a. */
void replay_group_state(struct replay_group *g, struct arena *a, struct share_group_state *ret);

#endif
