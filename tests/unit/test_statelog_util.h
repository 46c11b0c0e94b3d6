/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the state log share: a naive model of the groups, and an owner that runs a log over a fake
 * partition. */
#ifndef SLUICE_TESTS_UNIT_TEST_STATELOG_UTIL_H
#define SLUICE_TESTS_UNIT_TEST_STATELOG_UTIL_H

#include "../sim/fake_partition.h"
#include "base/arena.h"
#include "statelog/statelog.h"

#define SHADOW_GROUPS 6
#define SHADOW_PARTITIONS 3
#define SHADOW_OFFSETS 64
#define SHADOW_MEMBERS 3
#define SHADOW_CONFIGS 2

/* A share-partition as an array of records. */
struct shadow_partition {
	bool exists;
	int64_t start;
	int8_t state[SHADOW_OFFSETS];
	int16_t count[SHADOW_OFFSETS];
};

struct shadow_group {
	bool exists;
	int32_t group_epoch, assignment_epoch;
	bool has_config[SHADOW_CONFIGS];
	int32_t config[SHADOW_CONFIGS];
	bool has_member[SHADOW_MEMBERS];
	int32_t member_epoch[SHADOW_MEMBERS];
	struct shadow_partition partitions[SHADOW_PARTITIONS];
};

struct shadow {
	struct shadow_group groups[SHADOW_GROUPS];
};

/* The i-th group's id ("g0" ...), and back. */
struct str shadow_group_id(uint32_t i);
uint32_t shadow_group_index(struct str id);
struct uuid shadow_topic(void);

/* Applies a change in the simplest way. */
void shadow_apply(struct shadow *s, const struct share_change *c);

/* Sets one group from a restored state. */
void shadow_restore(struct shadow *s, const struct share_group_state *st);

bool shadow_has(const struct shadow *s, uint32_t i);

/* The group's durable state, arrays in a. */
void shadow_state(const struct shadow *s, uint32_t i, struct arena *a, struct share_group_state *ret);

/* A random change that is possible in this state, arrays in a. */
struct share_change shadow_random(const struct shadow *s, uint64_t *seed, struct arena *a);

uint64_t next_random(uint64_t *seed);

/* A log over a partition, with what it restored and what was changed since. */
struct owner {
	struct statelog *l;
	struct fake_partition *p;
	struct shadow mem;
	bool loaded, lost;
	bool hold_writes, hold_trims, hold_snapshots;
	size_t read_max;
	struct chunk *flight; /* held write */
	int64_t trim;         /* held trim, -1: none */
	uint32_t snapshots;   /* given so far */
	uint32_t trims;
	bool read_held;  /* a read at the end of the log is on its way: a follower has it there most of the time */
	bool read_idle;  /* the last read brought nothing */
	int64_t read_at; /* of the last READ */
	uint32_t reads;
};

struct statelog_config owner_config(void);
void owner_init(struct owner *o, struct fake_partition *p, const struct statelog_config *cfg);
void owner_release(struct owner *o);

/* Follows, up to the end of the log: the read that waits there is held. */
void owner_follow(struct owner *o);

/* The read on its way is answered now. */
void owner_read_held(struct owner *o);

/* Claims with a producer id never used before; with a read on its way when it follows. */
void owner_start(struct owner *o);

/* Does what the log wants until it wants nothing, or a write or trim is held. */
void owner_run(struct owner *o);

/* The held write lands and its answer is read. */
void owner_land(struct owner *o);

/* Appends and applies to mem; returns the change's number. */
uint64_t owner_append(struct owner *o, const struct share_change *c);

/* Offsets first..last of partition 0 of group g get a state and count; start -1: as before. */
struct share_change records_change(uint32_t g, int64_t start, const struct share_state_range *r, uint32_t n);
struct share_change partition_change(uint32_t g, int64_t start);
struct share_change group_change(uint32_t g, int32_t epoch);

/* A new owner of the partition that loads everything; fails the test unless it gets s. */
void assert_replays(struct fake_partition *p, const struct shadow *s);

/* Appends a batch that no sluice wrote. */
int64_t produce_junk(struct fake_partition *p);

#endif
