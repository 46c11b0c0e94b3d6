/* SPDX-License-Identifier: Apache-2.0 */
/* What of a share group is durable: the changes that the engine asks to be persisted, and the whole state of a group.
 *
 * Strings and arrays are views; who makes a struct keeps them alive until the call that it is given to returns. */
#ifndef SLUICE_SHARE_STATE_H
#define SLUICE_SHARE_STATE_H

#include "base/types.h"

/* Record states; the numbers are those that Kafka stores (ACQUIRED is never durable, ARCHIVING is reserved for dead
 * letters). */
enum share_record_state {
	SHARE_AVAILABLE = 0,
	SHARE_ACQUIRED = 1,
	SHARE_ACKNOWLEDGED = 2,
	SHARE_ARCHIVING = 3,
	SHARE_ARCHIVED = 4,
};

/* Offsets first..last (inclusive) with one state and delivery count. */
struct share_state_range {
	int64_t first, last;
	enum share_record_state state;
	int16_t delivery_count;
};

/* Partitions of one topic. */
struct share_topic_partitions {
	struct uuid topic_id;
	const int32_t *partitions;
	uint32_t partitions_n;
};

struct share_member_state {
	struct str member_id;
	int32_t member_epoch, previous_epoch;
	struct str rack_id; /* nullable */
	struct str client_id, client_host;
	const struct str *subscribed; /* topic names */
	uint32_t subscribed_n;
	const struct share_topic_partitions *assigned;
	uint32_t assigned_n;
};

struct share_config_entry {
	struct str name;
	struct str value; /* null in a change: removed */
};

struct share_partition_state {
	struct uuid topic_id;
	struct str topic_name;
	int32_t partition;
	int64_t start_offset; /* share-partition start offset; -1: initialised later by the reset strategy */
	const struct share_state_range
		*ranges; /* ascending, not overlapping; what is not listed is AVAILABLE with count 0 */
	uint32_t ranges_n;
};

/* Everything durable of one group id. Configs may exist without the group. */
struct share_group_state {
	struct str group_id;
	bool exists;
	int32_t group_epoch, assignment_epoch;
	const struct share_config_entry *configs;
	uint32_t configs_n;
	const struct share_member_state *members;
	uint32_t members_n;
	const struct share_partition_state *partitions;
	uint32_t partitions_n;
};

enum share_change_type {
	SHARE_CHANGE_GROUP,          /* group exists with these epochs: u.group */
	SHARE_CHANGE_GROUP_DELETED,  /* members and partitions are gone, configs stay */
	SHARE_CHANGE_MEMBER,         /* the member as it is now: u.member */
	SHARE_CHANGE_MEMBER_REMOVED, /* u.member.member_id */
	SHARE_CHANGE_CONFIG,         /* u.config; value null: removed */
	SHARE_CHANGE_PARTITION,      /* share-partition (re)initialised: u.partition, ranges replaced by those given */
	SHARE_CHANGE_PARTITION_DELETED, /* u.partition.topic_id, .partition */
	SHARE_CHANGE_RECORDS, /* u.partition: start_offset (-1: as before) and only the ranges that changed, start trims
				 below it */
};

/* One durable change of one group. */
struct share_change {
	enum share_change_type type;
	struct str group_id;
	union {
		struct {
			int32_t group_epoch, assignment_epoch;
		} group;
		struct share_member_state member;
		struct share_config_entry config;
		struct share_partition_state partition;
	} u;
};

#endif
